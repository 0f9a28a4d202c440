"""k-anonymity: crowds, generalisation, clipping, information lost."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplib.data import DOMAINS
from dplib.deidentification import (
    anonymize,
    clip_outliers,
    deidentify,
    generalize,
    information_loss,
    k_anonymity,
    suppress_small_groups,
    unique_fraction,
)

pytestmark = pytest.mark.quick

QUASI = ["Age", "Education-Num"]


def is_k_anonymous_by_queries(table, *, quasi_identifiers, k):
    """One query a row, which looks at n rows each: correct without missing values, slow."""
    for row in table[quasi_identifiers].to_dict("records"):
        question = " and ".join(f"`{column}` == {value!r}" for column, value in row.items())
        if len(table.query(question)) < k:
            return False
    return True


PUBLIC = {column: DOMAINS[column] for column in QUASI}


# Any mix of numbers, text and missing values. 1, 1.0 and True are one value to pandas and to us.
cells = st.one_of(st.integers(-2, 2), st.sampled_from(["a", "b", "1"]), st.none(), st.just(np.nan))


mixed_tables = (
    st.integers(1, 12)
    .flatmap(
        lambda rows: st.lists(st.lists(cells, min_size=rows, max_size=rows), min_size=1, max_size=4)
    )
    .map(lambda columns: pd.DataFrame({f"c{i}": pd.Series(c) for i, c in enumerate(columns)}))
)


def crowd_sizes(table):
    """The size of each row's group by plain counting, missing values equal to each other."""
    keys = [tuple("missing" if pd.isna(v) else v for v in row) for row in table.to_numpy(object)]
    counts = Counter(keys)
    return [counts[key] for key in keys]


@pytest.mark.long
@pytest.mark.slow
@settings(deadline=None)
@given(mixed_tables, st.integers(1, 4))
def test_group_sizes_are_those_of_plain_counting(table, k):
    sizes, columns = crowd_sizes(table), list(table)
    assert k_anonymity(table, quasi_identifiers=columns) == min(sizes)
    assert unique_fraction(table, quasi_identifiers=columns) == sizes.count(1) / len(sizes)
    kept = suppress_small_groups(table, quasi_identifiers=columns, k=k)
    assert list(kept.index) == [place for place, size in enumerate(sizes) if size >= k]
    assert kept.empty or k_anonymity(kept, quasi_identifiers=columns) >= k


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.integers(-2, 2), st.sampled_from("ab")), min_size=1, max_size=12),
    st.integers(1, 4),
)
def test_the_query_for_each_row_says_the_same(rows, k):
    table = pd.DataFrame(rows, columns=["number of", "text"])
    columns = list(table)
    slow = is_k_anonymous_by_queries(table, quasi_identifiers=columns, k=k)
    assert slow == (k_anonymity(table, quasi_identifiers=columns) >= k)


def test_many_columns_of_many_values_do_not_overflow():
    """1000**8 combinations do not fit 64 bits: two rows that differ must stay apart."""
    values = np.arange(1_000)
    table = pd.DataFrame({f"c{i}": np.roll(values, i) for i in range(8)})
    assert k_anonymity(table, quasi_identifiers=list(table)) == 1
    assert unique_fraction(table, quasi_identifiers=list(table)) == 1
    twice = pd.concat([table, table])
    assert k_anonymity(twice, quasi_identifiers=list(table)) == 2
    assert len(suppress_small_groups(twice, quasi_identifiers=list(table), k=2)) == 2_000


def test_groups_do_not_depend_on_the_type_of_a_column_or_of_the_index():
    table = pd.DataFrame({"x": [1, 1, 2, 2], "y": ["a", "a", "b", "b"]}, index=list("wxyz"))
    typed = table.astype({"x": "Int64", "y": "category"}).set_index(
        pd.Index([0, 0, 1, 1], name="x")
    )
    typed["y"] = typed["y"].cat.add_categories("nobody")
    for form in (table, typed):
        assert k_anonymity(form, quasi_identifiers=["x", "y"]) == 2


@pytest.mark.slow
def test_the_stated_crowds_of_the_census_data(adult):
    first = adult.head(100)
    assert k_anonymity(first, quasi_identifiers=QUASI) == 1
    tens = dict.fromkeys(QUASI, 1)
    assert k_anonymity(generalize(first, depths=tens), quasi_identifiers=QUASI) == 1
    assert is_k_anonymous_by_queries(first, quasi_identifiers=QUASI, k=1)
    assert not is_k_anonymous_by_queries(first, quasi_identifiers=QUASI, k=2)
    clipped = clip_outliers(adult.head(500), bounds={"Age": (10, 60), "Education-Num": (3, 16)})
    assert k_anonymity(generalize(clipped, depths=tens), quasi_identifiers=QUASI) == 27
    # Clipping is what helps: row 50, aged 1, is alone without it.
    alone = generalize(adult.head(500), depths=tens)
    assert k_anonymity(alone, quasi_identifiers=QUASI) == 1


def test_generalize_truncates_and_does_not_round():
    table = pd.DataFrame(
        {"Age": [36, -36, 5, 0], "Pay": [17.9, np.nan, -0.5, 1e6], "Who": list("abcd")}
    )
    result = generalize(table, depths={"Age": 1, "Pay": 0})
    assert result["Age"].tolist() == [30, -30, 0, 0]
    assert result["Age"].dtype == np.int64
    assert result["Pay"].dropna().tolist() == [17, 0, 1e6] and np.isnan(result["Pay"][1])
    assert result["Who"].tolist() == list("abcd")
    assert table["Age"].tolist() == [36, -36, 5, 0]
    # The seeds call this rounding, which is another table.
    assert result["Age"].tolist() != table["Age"].round(-1).tolist()


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1),
    st.integers(0, 22),
    st.sampled_from(["int64", "int8", "Int64", "Int16"]),
)
def test_generalize_is_exact_for_every_whole_number(numbers, depth, dtype):
    width = int("".join(filter(str.isdigit, dtype)))
    numbers = [number % 2**width - 2 ** (width - 1) for number in numbers]
    result = generalize(pd.DataFrame({"x": pd.Series(numbers, dtype=dtype)}), depths={"x": depth})
    unit = 10**depth
    expected = [abs(number) // unit * unit * (1 if number > 0 else -1) for number in numbers]
    assert result["x"].tolist() == expected
    assert result["x"].dtype == dtype


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.floats(-1e15, 1e15), min_size=1), st.integers(0, 17))
def test_generalize_is_exact_for_decimals_and_twice_is_once(numbers, depth):
    table = pd.DataFrame({"x": numbers})
    once = generalize(table, depths={"x": depth})
    unit = 10**depth
    assert once["x"].tolist() == [math.trunc(int(number) / unit) * unit for number in numbers] or (
        once["x"].tolist() == [int(math.copysign(abs(int(n)) // unit * unit, n)) for n in numbers]
    )
    pd.testing.assert_frame_equal(generalize(once, depths={"x": depth}), once)


def test_clip_moves_outliers_to_the_bound_and_a_huge_bound_does_nothing():
    table = pd.DataFrame({"Age": [1, 50, 93], "Pay": [np.nan, -1.5, 7]})
    result = clip_outliers(table, bounds={"Age": (10, 60), "Pay": (0, 5)})
    assert result["Age"].tolist() == [10, 50, 60] and result["Age"].dtype == np.int64
    assert result["Pay"].isna().tolist() == [True, False, False]
    assert result["Pay"].tolist()[1:] == [0, 5]
    assert table["Age"].tolist() == [1, 50, 93]
    pd.testing.assert_frame_equal(clip_outliers(table, bounds={"Age": (0, 10**8)}), table)


points = st.integers(1, 40).flatmap(
    lambda rows: st.lists(
        st.lists(st.integers(0, 9), min_size=rows, max_size=rows), min_size=1, max_size=3
    )
)


@pytest.mark.long
@pytest.mark.slow
@settings(deadline=None)
@given(points, st.integers(1, 8), st.integers(0, 2**32))
def test_anonymize_reaches_k_and_keeps_every_row(columns, k, seed):
    table = pd.DataFrame({f"c{i}": values for i, values in enumerate(columns)})
    table["label"] = np.arange(len(table))
    table = table.sample(frac=1, random_state=seed % 2**32)
    names = list(table)[:-1]
    if len(table) < k:
        with pytest.raises(ValueError, match="k must"):
            anonymize(table, quasi_identifiers=names, k=k)
        return
    result = anonymize(table, quasi_identifiers=names, k=k)
    assert k_anonymity(result, quasi_identifiers=names) >= k
    assert result.index.equals(table.index) and list(result) == list(table)
    assert result["label"].equals(table["label"])
    loss = information_loss(
        table, result, quasi_identifiers=names, bounds=dict.fromkeys(names, (0, 9))
    )
    together = sum(np.ptp(columns, axis=1)) / 9 / len(columns)
    assert 0 <= loss <= together + 1e-12
    if k == 1:
        assert loss == 0


def test_anonymize_loses_less_than_generalising_by_tens(adult):
    table = adult.head(1_000)
    ours = anonymize(table, quasi_identifiers=QUASI, k=5)
    assert k_anonymity(ours, quasi_identifiers=QUASI) >= 5
    tens = suppress_small_groups(
        generalize(table, depths=dict.fromkeys(QUASI, 1)), quasi_identifiers=QUASI, k=5
    )
    loss = [
        information_loss(table, shown, quasi_identifiers=QUASI, bounds=PUBLIC)
        for shown in (ours, tens)
    ]
    assert loss[0] < loss[1] / 5
    assert loss[0] < median_cuts_loss(table[QUASI].to_numpy(float), 5)


def median_cuts_loss(rows, k):
    """The loss of the published algorithm (Mondrian, strict): cut the widest column in two."""
    public = np.ptp([PUBLIC[column] for column in QUASI], axis=1)
    for column in np.argsort(-np.ptp(rows, axis=0) / public):
        middle = np.median(rows[:, column])
        for left in (rows[:, column] <= middle, rows[:, column] < middle):
            if min(left.sum(), (~left).sum()) >= k:
                parts = rows[left], rows[~left]
                return sum(len(p) * median_cuts_loss(p, k) for p in parts) / len(rows)
    return (np.ptp(rows, axis=0) / public).mean()


def one_column_loss(values, k):
    """The loss of our table, in the values' units, and the least that is possible."""
    table = pd.DataFrame({"x": values})
    result = anonymize(table, quasi_identifiers=["x"], k=k)
    public = {"x": (0, 100)}
    share = information_loss(table, result, quasi_identifiers=["x"], bounds=public)
    return share * 100 * len(values), best_loss(sorted(values), k)


@pytest.mark.long
@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.integers(0, 50), min_size=4, max_size=25), st.integers(2, 4))
def test_no_table_loses_less_than_the_best_of_one_column(values, k):
    ours, best = one_column_loss(values, k)
    assert ours >= best - 1e-9
    # What is k-anonymous already stays as it is: a cut between two values beats one inside a value.
    assert k_anonymity(pd.DataFrame({"x": values}), quasi_identifiers=["x"]) < k or ours == 0


@pytest.mark.parametrize("column", ["Age", "Hours per week"])
@pytest.mark.parametrize("k", [3, 10])
def test_anonymize_is_within_1_6_of_the_best_on_a_census_column(adult, column, k):
    ours, best = one_column_loss(adult[column].head(300).tolist(), k)
    assert best <= ours + 1e-9 and ours <= 1.6 * best


def best_loss(values, k):
    """The least sum of the widths of all rows' groups; groups are runs of the sorted values."""
    best = [0.0] + [math.inf] * len(values)
    for end in range(k, len(values) + 1):
        best[end] = min(
            best[start] + (end - start) * (values[end - 1] - values[start])
            for start in range(end - k + 1)
        )
    return best[-1]


def test_information_loss_of_simple_tables():
    table = pd.DataFrame({"x": [0, 4, 10, 10], "y": [1, 1, 1, 1]})
    options = {"quasi_identifiers": ["x", "y"], "bounds": {"x": (0, 10), "y": (0, 2)}}
    assert information_loss(table, table, **options) == 0
    assert information_loss(table, table.head(0), **options) == 1
    assert information_loss(table, table.tail(3), **options) == 1 / 4
    # Rows 0 and 1 share an interval of width 4 of 10, in one of two columns: 2 / 4 * 4 / 10 / 2.
    merged = table.assign(x=[2, 2, 10, 10])
    assert information_loss(table, merged, **options) == pytest.approx(0.1)
    # Hidden in x: all is lost there. And a label that says nothing is as wide as its distance.
    assert information_loss(table, table.assign(x=np.nan), **options) == 0.5
    far = table.assign(x=[10, 10, 0, 0])
    assert information_loss(table, far, **options) == 0.5
    shuffled = merged.sample(frac=1, random_state=1)
    assert information_loss(table, shuffled, **options) == pytest.approx(0.1)


TABLE = pd.DataFrame({"x": [1, 2], "t": ["a", "b"], "b": [True, False], "i": [1.0, np.inf]})


ON_COLUMNS = [
    (deidentify, "identifiers", {}),
    (unique_fraction, "quasi_identifiers", {}),
    (k_anonymity, "quasi_identifiers", {}),
    (suppress_small_groups, "quasi_identifiers", {"k": 1}),
    (anonymize, "quasi_identifiers", {"k": 1}),
]


@pytest.mark.parametrize(("function", "name", "more"), ON_COLUMNS)
@pytest.mark.parametrize("wrong", ["x", [], ["z"], ["x", "x"], 3, None])
def test_columns_that_cannot_be_are_refused(function, name, more, wrong):
    with pytest.raises(ValueError, match=name):
        function(TABLE, **{name: wrong}, **more)


@pytest.mark.parametrize(("function", "name", "more"), ON_COLUMNS)
def test_only_a_table_with_rows_has_crowds(function, name, more):
    with pytest.raises(ValueError, match="table"):
        function([1, 2], **{name: ["x"]}, **more)
    if function is not deidentify:
        with pytest.raises(ValueError, match="rows"):
            function(TABLE.head(0), **{name: ["x"]}, **more)


def test_a_column_that_is_there_twice_is_refused():
    twice = pd.DataFrame([[1, 2]], columns=["x", "x"])
    with pytest.raises(ValueError, match="twice"):
        k_anonymity(twice, quasi_identifiers=["x"])


@pytest.mark.parametrize("wrong", [0, -1, 1.5, np.nan, "2", None, True])
@pytest.mark.parametrize("function", [suppress_small_groups, anonymize])
def test_a_wrong_k_is_refused(function, wrong):
    with pytest.raises(ValueError, match="k must") as caught:
        function(TABLE, quasi_identifiers=["x"], k=wrong)
    assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [{"x": -1}, {"x": 0.5}, {"x": "1"}, {"t": 1}, {"b": 1}, {"i": 1}, {"z": 1}, {}, ["x"], 1],
)
def test_wrong_depths_are_refused(wrong):
    with pytest.raises(ValueError, match=r"depths|column '[tbi]'"):
        generalize(TABLE, depths=wrong)


@pytest.mark.parametrize("pair", [(2, 1), (1, 1), (0, np.inf), 3, (1, 2, 3), ("0", 1), None])
def test_bounds_that_are_no_interval_are_refused(pair):
    with pytest.raises(ValueError, match="bounds") as caught:
        clip_outliers(TABLE, bounds={"x": pair})
    assert repr(pair) in str(caught.value)


@pytest.mark.parametrize(
    "wrong", [{"t": (0, 1)}, {"b": (0, 1)}, {"i": (0, 1)}, {"z": (0, 1)}, {}, 1]
)
def test_wrong_bounds_are_refused(wrong):
    with pytest.raises(ValueError, match=r"bounds|column '[tbi]'"):
        clip_outliers(TABLE, bounds=wrong)


@pytest.mark.parametrize("column", ["t", "b", "i"])
def test_anonymize_and_the_loss_need_finite_numbers(column):
    with pytest.raises(ValueError, match=f"column '{column}'"):
        anonymize(TABLE, quasi_identifiers=["x", column], k=1)
    with pytest.raises(ValueError, match=f"column '{column}'"):
        information_loss(
            TABLE, TABLE, quasi_identifiers=["x", column], bounds={"x": (0, 1), column: (0, 1)}
        )
    with pytest.raises(ValueError, match="quasi_identifiers must be finite"):
        anonymize(pd.DataFrame({"x": [1, np.nan]}), quasi_identifiers=["x"], k=1)


def test_the_loss_needs_rows_that_can_be_matched():
    options = {"quasi_identifiers": ["x"], "bounds": {"x": (0, 1)}}
    with pytest.raises(ValueError, match="labels of original"):
        information_loss(TABLE, TABLE.set_index(pd.Index([5, 6])), **options)
    with pytest.raises(ValueError, match="repetitions"):
        information_loss(TABLE, pd.concat([TABLE, TABLE]), **options)
    with pytest.raises(ValueError, match="original must not be empty"):
        information_loss(TABLE.head(0), TABLE.head(0), **options)
    with pytest.raises(ValueError, match="bounds"):
        information_loss(TABLE, TABLE, quasi_identifiers=["x"], bounds={})
    with pytest.raises(ValueError, match="anonymized must be a DataFrame"):
        information_loss(TABLE, None, **options)
