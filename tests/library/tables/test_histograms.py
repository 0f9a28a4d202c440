"""Tables of counts: what a person can move, exact laws, audits, wrong twins."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import certified_epsilon, follows
from neighbors import LETTERS, MOVED, NEIGHBORS, NO_NOISE, TABLE, neighbor
from scipy import stats

from dplib._categories import public_index
from dplib.data import DOMAINS, fill_missing
from dplib.histograms import nonnegative_counts, private_crosstab, private_histogram
from dplib.sensitivity import private_sum

pytestmark = pytest.mark.quick


def exact_counts(table, categories):
    """The exact cells, through the public door: without noise to speak of."""
    return private_crosstab(table, categories=categories, epsilon=NO_NOISE).round(3)


def exact_count(values, categories):
    return private_histogram(values, categories=categories, epsilon=NO_NOISE).round(3)


person = st.tuples(st.sampled_from(LETTERS["x"]), st.sampled_from(LETTERS["y"]))


def as_table(rows):
    return pd.DataFrame(rows, columns=["x", "y"]).astype({"x": "str", "y": "int64"})


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(person, min_size=1, max_size=8),
    st.sampled_from(NEIGHBORS),
    st.integers(0, 7),
    person,
)
def test_a_person_moves_a_table_by_no_more_than_the_noise_hides(rows, relation, place, newcomer):
    first, second = as_table(rows), as_table(neighbor(rows, relation, place, newcomer))
    moved = exact_counts(first, LETTERS) - exact_counts(second, LETTERS)
    assert moved.abs().to_numpy().sum() <= MOVED[relation]
    for column, categories in LETTERS.items():
        moved = exact_count(first[column], categories) - exact_count(second[column], categories)
        assert moved.abs().sum() <= MOVED[relation]


def test_categories_read_off_the_data_show_who_is_missing(adult):
    """The seeds count the values they meet: the row of the only baby is in the labels."""
    with_baby, without = adult["Occupation"], adult["Occupation"].drop(50)
    read_off = [len(column.value_counts()) for column in (with_baby, without)]
    assert read_off == [15, 14]
    public = DOMAINS["Occupation"]
    released = [
        private_histogram(fill_missing(table)["Occupation"], categories=public, epsilon=1)
        for table in (adult, adult.drop(50))
    ]
    assert list(released[0].index) == list(released[1].index) == list(public)
    first_cell = adult.groupby(["Age", "Occupation"]).size().index[0]
    assert first_cell[0] == 1


@pytest.mark.parametrize("relation", NEIGHBORS)
def test_every_cell_has_laplace_noise_of_the_stated_scale(relation):
    law = stats.laplace(scale=MOVED[relation] / 0.5)
    values = np.repeat(np.arange(100), 3)
    noise = private_histogram(values, categories=range(30_000), epsilon=0.5, neighbors=relation)
    noise[:100] -= 3
    assert follows(noise, law.cdf)
    table = pd.DataFrame({"x": values, "y": values % 7})
    options = {"categories": {"x": range(200), "y": range(150)}, "epsilon": 0.5}
    noise = private_crosstab(table, **options, neighbors=relation)
    noise -= pd.crosstab(table["x"], table["y"]).reindex_like(noise).fillna(0)
    assert follows(noise.to_numpy().ravel(), law.cdf)
    # The seeds use one scale for both neighbors: that of the other is rejected.
    other = stats.laplace(scale=(3 - MOVED[relation]) / 0.5)
    assert not follows(noise.to_numpy().ravel(), other.cdf)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("relation", "caught"), [("replace_one", False), ("add_remove", True)])
def test_an_audit_catches_noise_for_one_cell_where_two_move(relation, caught):
    draws, epsilon, rng = 5_000, 1.0, np.random.default_rng()
    options = {"categories": (0, 1), "epsilon": epsilon, "neighbors": relation, "rng": rng}

    def hits(people):
        releases = (private_histogram(people, **options) for _ in range(draws))
        return sum(counts[0] >= 2 and counts[1] <= 0 for counts in releases)

    certified = certified_epsilon(hits(np.array([0, 0])), hits(np.array([0, 1])), draws)
    # Not caught: wrong with at most FALSE_ALARM. Caught: the true value is 2 * epsilon, and to miss
    # it 285 hits are needed where 169 are expected: below 1e-9 (Chernoff: exp(-32)).
    assert (certified > epsilon) == caught


def test_the_stated_counts_of_the_census(adult):
    filled = fill_missing(adult)
    for column in ("Education", "Occupation", "Marital Status", "Sex", "Target"):
        counts = exact_count(filled[column], DOMAINS[column])
        assert counts.sum() == 32_563
        for label, count in filled[column].value_counts().items():
            assert counts[label] == count
    assert exact_count(filled["Occupation"], DOMAINS["Occupation"])["Missing"] == 1_843
    two = {column: DOMAINS[column] for column in ("Education", "Sex")}
    cells = exact_counts(adult, two)
    stated = {
        "10th": (295, 638),
        "11th": (432, 743),
        "12th": (144, 289),
        "1st-4th": (46, 122),
        "5th-6th": (84, 249),
    }
    for level, (female, male) in stated.items():
        assert tuple(cells.loc[level]) == (female, male)
    assert cells.shape == (17, 2) and cells.index.name == "Education"


def test_dropping_missing_rows_inflates_every_other_cell(adult):
    """The seeds scale 30,720 rows up to 32,563: Sales becomes 3869 where 3650 is right."""
    counts = exact_count(fill_missing(adult)["Occupation"], DOMAINS["Occupation"])
    known = counts.drop("Missing")
    assert round(counts["Sales"] * len(adult) / known.sum()) == 3_869
    assert counts["Sales"] == 3_650
    with pytest.raises(ValueError, match="fill missing"):
        private_histogram(adult["Occupation"], categories=DOMAINS["Occupation"], epsilon=1)


@settings(deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=1), st.integers(0, 50))
def test_nonnegative_counts_never_lose(released, exact):
    counts = nonnegative_counts(released)
    assert (counts >= 0).all()
    assert (np.abs(counts - exact) <= np.abs(np.array(released) - exact)).all()
    assert np.array_equal(nonnegative_counts(counts), counts)


def test_nonnegative_counts_keep_the_form_and_bias_empty_cells():
    assert nonnegative_counts(-3) == 0 and type(nonnegative_counts(-3.5)) is float
    series = pd.Series({"a": -1.0, "b": 2.0}, name="count")
    assert nonnegative_counts(series).to_dict() == {"a": 0, "b": 2}
    frame = pd.DataFrame({"x": [-1, 4]})
    assert nonnegative_counts(frame)["x"].tolist() == [0, 4]
    with pytest.raises(ValueError, match="released"):
        nonnegative_counts([np.nan])
    noisy = private_histogram([], categories=range(100_000), epsilon=0.5)
    # Mean b / 2 = 1, as the docstring says; one clipped cell has variance below 2 * b**2 = 8, so
    # the mean of 100,000 has a standard deviation below 0.009, and 0.1 is eleven of them.
    assert abs(nonnegative_counts(noisy).mean() - 1) < 0.1


@pytest.mark.parametrize("wrong", [[], ["a", "a"], ["a", None], ["a", np.nan], "a", 3, None])
def test_wrong_categories_are_refused(wrong):
    with pytest.raises(ValueError, match="categories"):
        private_histogram(["a"], categories=wrong, epsilon=1)
    with pytest.raises(ValueError, match="categories"):
        private_crosstab(TABLE, categories={"x": wrong, "y": (0, 1)}, epsilon=1)


@pytest.mark.parametrize(
    "wrong",
    [["x", "y"], {"x": ["a", "b"]}, {"x": ["a", "b"], "z": [1]}, {**LETTERS, "z": [1]}, None],
)
def test_a_crosstab_has_two_columns_of_the_table(wrong):
    with pytest.raises(ValueError, match="categories"):
        private_crosstab(TABLE, categories=wrong, epsilon=1)
    with pytest.raises(ValueError, match="table"):
        private_crosstab(TABLE.to_numpy(), categories=LETTERS, epsilon=1)


@pytest.mark.parametrize(
    "values", [["a", "Baby"], ["a", None], ["a", np.nan], [["a"]], "a", 1, pd.Categorical(["z"])]
)
def test_a_value_in_no_category_is_refused(values):
    with pytest.raises(ValueError, match="values"):
        private_histogram(values, categories=["a", "b"], epsilon=1)


@pytest.mark.parametrize(
    "values",
    [
        np.array(["b", "a", "b"]),
        pd.Categorical(list("bab")),
        pd.Series(list("bab"), index=[3, 3, 1]),
    ],
)
def test_every_form_of_text_is_counted_in_the_order_of_the_categories(values):
    counts = exact_count(values, ("b", "c", "a"))
    assert counts.to_dict() == {"b": 2, "c": 0, "a": 1}
    assert list(counts.index) == ["b", "c", "a"]


def test_a_table_without_rows_is_counted():
    assert (exact_counts(TABLE.head(0), LETTERS) == 0).all(axis=None)
    assert abs(private_sum([], lower=0, upper=1, epsilon=NO_NOISE)) < 1e-6
    assert (exact_count([], ["a"]) == 0).all()


def test_equal_categories_of_other_types_stay_what_they_are():
    for values in ([1, 0], [1.0, 0.0], [True, False], [-0.0, 1.0], [(1,), (0,)], [(True,), (0,)]):
        assert repr(list(public_index(values))) == repr(values)
