"""De-identification and its attacks."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplib.deidentification import (
    deidentify,
    differencing_attack,
    linkage_attack,
    unique_fraction,
)

pytestmark = pytest.mark.quick


def test_two_sums_give_one_age(adult):
    def total(labels):
        return adult.loc[labels, "Age"].sum()

    assert differencing_attack(total, group=adult.index, person=0) == 56
    assert total(adult.index) == 1_360_238


def test_date_of_birth_and_zip_identify_most_people(adult):
    on = ["DOB", "Zip"]
    known = adult[["Name", *on]].assign(row=adult.index)
    released = deidentify(adult, identifiers=["Name", "SSN"])
    found = linkage_attack(known, released, on=on)
    share = unique_fraction(adult, quasi_identifiers=on)
    assert len(found) == round(share * len(adult)) > 0.6 * len(adult)
    assert (adult.loc[found["row"], "Age"].to_numpy() == found["Age"].to_numpy()).all()
    (karrie,) = linkage_attack(known.head(1), released, on=on)["Age"]
    assert karrie == 56


def test_deidentify_takes_the_named_columns_and_leaves_the_table_alone():
    table = pd.DataFrame({"Name": ["a"], "Age": [3], "SSN": ["x"]})
    assert list(deidentify(table, identifiers=["SSN", "Name"])) == ["Age"]
    assert list(table) == ["Name", "Age", "SSN"]


def test_linkage_needs_exactly_one_match_and_a_missing_value_is_none():
    known = pd.DataFrame(
        {"Name": list("abcd"), "Zip": [1, 2, 3, np.nan], "Age": [10, 20, 30, 40]},
        index=[7, 7, 8, 9],
    )
    released = pd.DataFrame({"Zip": [2, 2, 3, np.nan], "Age": [5, 6, 31, 41], "Job": list("wxyz")})
    found = linkage_attack(known, released, on=["Zip"])
    assert found.to_dict("records") == [
        {"Name": "c", "Zip": 3, "Age_known": 30, "Age_released": 31, "Job": "y"}
    ]
    assert list(found.index) == [0]


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8),
)
def test_linkage_is_that_of_a_plain_loop(known, released):
    people = pd.DataFrame(known, columns=["x", "y"]).astype("int64").assign(who=range(len(known)))
    records = pd.DataFrame(released, columns=["x", "y"]).astype("int64")
    records = records.assign(what=range(len(released)))
    found = linkage_attack(people, records, on=["x", "y"])
    expected = [
        (who, released.index(key)) for who, key in enumerate(known) if released.count(key) == 1
    ]
    assert list(zip(found["who"], found["what"], strict=True)) == expected


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.dictionaries(st.one_of(st.integers(), st.text(max_size=2)), st.integers(), min_size=1),
    st.data(),
)
def test_differencing_finds_the_value_through_totals_alone(values, data):
    person = data.draw(st.sampled_from(list(values)))
    small = {label: value % 1_000 for label, value in values.items()}
    found = differencing_attack(
        lambda labels: sum(small[label] for label in labels), group=list(small), person=person
    )
    assert found == small[person]


def test_differencing_refuses_a_group_that_does_not_isolate_the_person():
    with pytest.raises(ValueError, match="person"):
        differencing_attack(len, group=[1, 2], person=3)
    with pytest.raises(ValueError, match="group"):
        differencing_attack(len, group=[1, 1, 2], person=1)
    with pytest.raises(ValueError, match="total"):
        differencing_attack(lambda labels: np.nan, group=[1, 2], person=1)


TABLE = pd.DataFrame({"x": [1, 2], "t": ["a", "b"], "b": [True, False], "i": [1.0, np.inf]})


def test_linkage_names_the_table_that_lacks_a_column():
    with pytest.raises(ValueError, match="released"):
        linkage_attack(TABLE, TABLE.drop(columns="x"), on=["x"])
    with pytest.raises(ValueError, match="known"):
        linkage_attack(TABLE.drop(columns="x"), TABLE, on=["x"])
    with pytest.raises(ValueError):
        linkage_attack(TABLE, TABLE.assign(x=["1", "2"]), on=["x"])
