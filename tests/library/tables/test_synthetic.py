"""Synthetic data, published records, second moments: budgets, sensitivities, laws, audits."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import certified_epsilon, discrete_laplace_cdf, follows
from refusals import check_refused, refuses, says
from scipy import optimize, stats
from scipy.sparse.csgraph import minimum_spanning_tree

from dplib import projection, synthetic, synthetic_tree
from dplib.data import DOMAINS, fill_missing, load_adult
from dplib.projection import private_covariance, private_projection, publish_records
from dplib.synthetic import private_marginal, synthesize, utility_report
from dplib.synthetic_tree import synthesize_from_pairs, synthesize_from_tree

pytestmark = pytest.mark.quick

ADULT = fill_missing(load_adult())
COLUMNS = ["Education", "Occupation", "Marital Status", "Relationship", "Sex", "Target"]
CATEGORIES = {column: DOMAINS[column] for column in COLUMNS} | {"Age": range(126)}
# At this epsilon a whole-number noise of any test is other than 0 with probability below 1e-300.
NO_NOISE = 1e6
TABLE = pd.DataFrame({"color": list("rgbrr"), "size": [1, 2, 2, 1, 3]})
SMALL = {"color": list("rgb"), "size": [1, 2, 3, 4]}
rows = st.lists(st.tuples(st.sampled_from("rgb"), st.integers(1, 4)), min_size=0, max_size=12)


def table_of(values):
    return pd.DataFrame(values, columns=["color", "size"])


# --- private_marginal -------------------------------------------------------------------------


def test_without_noise_a_marginal_is_pandas_table():
    one = private_marginal(ADULT, categories={"Sex": DOMAINS["Sex"]}, epsilon=NO_NOISE)
    assert one.to_dict() == {"Female": 10772, "Male": 21791} and one.index.name == "Sex"
    two = private_marginal(
        ADULT, categories={c: CATEGORIES[c] for c in ("Education", "Sex")}, epsilon=NO_NOISE
    )
    exact = pd.crosstab(ADULT["Education"], ADULT["Sex"]).loc[list(DOMAINS["Education"])]
    assert (two.unstack().loc[exact.index, exact.columns] == exact).all(axis=None)
    three = private_marginal(TABLE.assign(x=True), categories=SMALL | {"x": [True]}, epsilon=1e6)
    assert three["r", 1, True] == 2 and three.sum() == 5 and three.shape == (12,)
    assert private_marginal(TABLE.head(0), categories=SMALL, epsilon=NO_NOISE).eq(0).all()


@pytest.mark.slow
@pytest.mark.parametrize("neighbors, scale", [("add_remove", 1), ("replace_one", 2)])
def test_the_noise_of_a_marginal_has_its_exact_law(neighbors, scale):
    categories = {"color": list("rgb"), "size": range(60_000)}
    noisy = private_marginal(TABLE, categories=categories, epsilon=0.7, neighbors=neighbors)
    noise = noisy.loc["g"].to_numpy() - (np.arange(60_000) == 2)
    assert follows(noise, discrete_laplace_cdf(0.7 / scale))
    assert not follows(noise, discrete_laplace_cdf(1.4 / scale))


@settings(deadline=None, max_examples=40)
@given(first=rows, extra=st.tuples(st.sampled_from("rgb"), st.integers(1, 4)), data=st.data())
def test_one_person_moves_a_marginal_by_its_sensitivity_at_most(first, extra, data):
    place = data.draw(st.integers(0, len(first)))
    added = [*first[:place], extra, *first[place:]]
    exact = [synthetic.exact_counts(table_of(part), SMALL) for part in (first, added)]
    assert np.abs(exact[0] - exact[1]).sum() == synthetic.marginal_sensitivity("add_remove")
    changed = [*first[:place], extra, *first[place + 1 :]] if place < len(first) else first
    moved = np.abs(synthetic.exact_counts(table_of(changed), SMALL) - exact[0]).sum()
    assert moved <= synthetic.marginal_sensitivity("replace_one")


@pytest.mark.slow
def test_an_audit_of_two_cells_finds_the_claimed_epsilon_and_no_more():
    """Each pair of cells is one draw: its noise does not depend on the other cells."""
    count, epsilon = 100_000, 1.0
    cells = {"cell": range(count)}
    for neighbors, honest in (("replace_one", True), ("add_remove", False)):
        hits = []
        for side in ("left", "right"):
            table = pd.DataFrame({"cell": np.arange(count), "side": side})
            sides = cells | {"side": ["left", "right"]}
            noisy = private_marginal(table, categories=sides, epsilon=epsilon, neighbors=neighbors)
            pair = noisy.unstack()
            hits.append(((pair["left"] <= 0) & (pair["right"] >= 1)).sum())
        certified = certified_epsilon(*hits[::-1], count)
        # Above: at most FALSE_ALARM. Below: the bounds lose 0.05 at most, and chance as much again
        # with probability below 1e-9.
        # Known wrong: the noise of add_remove for a changed row spends twice the claim.
        assert 0.8 * epsilon <= certified <= epsilon if honest else certified > epsilon


def test_categories_read_off_the_data_name_the_baby():
    column = ADULT["Occupation"]
    names = [set(part.unique()) for part in (column, column.drop(index=50))]
    assert names[0] - names[1] == {"Baby"}
    without = ADULT.drop(index=50)
    public = private_marginal(without, categories={"Occupation": DOMAINS["Occupation"]}, epsilon=1)
    assert "Baby" in public.index
    with pytest.raises(ValueError, match=r"table\['Occupation'\] must lie in .* 'Baby'"):
        private_marginal(ADULT, categories={"Occupation": sorted(names[1])}, epsilon=1)


def test_a_missing_value_is_a_category():
    """Left out while n keeps them, 1,843 rows make every cell 6 % too large."""
    with pytest.raises(ValueError, match="nan"):
        private_marginal(load_adult(), categories={"Occupation": DOMAINS["Occupation"]}, epsilon=1)
    sales, missing, people = 3650, 1843, 32563
    occupation = load_adult()["Occupation"]
    assert (occupation.eq("Sales").sum(), occupation.isna().sum()) == (sales, missing)
    assert round(sales / occupation.notna().sum() * people) == 3869
    marginal = private_marginal(
        ADULT, categories={"Occupation": DOMAINS["Occupation"]}, epsilon=NO_NOISE
    )
    drawn = synthesize(marginal)["Occupation"].value_counts()
    assert abs(drawn["Sales"] - sales) <= 1 and abs(drawn["Missing"] - missing) <= 1


# --- synthesize -------------------------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None)
@given(
    counts=st.lists(st.integers(-30, 60), min_size=1, max_size=12),
    size=st.integers(1, 200),
    seed=st.integers(0, 2**32),
)
def test_each_cell_gets_its_share_of_the_rows_within_one(counts, size, seed):
    marginal = pd.Series(counts, index=pd.RangeIndex(len(counts), name="cell"))
    shares = synthetic.shares(np.array(counts, dtype=float))
    drawn, again = (
        synthesize(marginal, size=size, rng=np.random.default_rng(seed)) for _ in range(2)
    )
    assert drawn.equals(again) and list(drawn.columns) == ["cell"] and len(drawn) == size
    found = np.bincount(drawn["cell"], minlength=len(counts))
    assert (np.abs(found - size * shares) < 1 + 1e-9).all()


@pytest.mark.slow
@settings(deadline=None)
@given(counts=st.lists(st.floats(-50, 100), min_size=1, max_size=10).filter(lambda c: sum(c) > 1))
def test_the_shares_are_the_nearest_counts_of_the_same_total(counts):
    counts = np.array(counts)
    total = counts.sum()
    # The nearest point is max(counts - t, 0) for the one t that keeps the total.
    lowered = optimize.brentq(
        lambda t: np.maximum(counts - t, 0).sum() - total, -1, counts.max() + 1, xtol=1e-12
    )
    expected = np.maximum(counts - lowered, 0) / total
    assert synthetic.shares(counts) == pytest.approx(expected, abs=1e-8)
    assert synthetic.shares(-counts) == pytest.approx(1 / len(counts))


def test_a_row_is_in_a_cell_with_the_cells_share_as_its_probability():
    class Offsets(np.random.Generator):
        """The uniform numbers of an even grid, one a call."""

        place = 0

        def random(self):
            self.place += 1
            return (self.place - 0.5) / 1000

    rng = Offsets(np.random.PCG64(0))
    shares = np.array([0.1234, 0.0003, 0.5, 0.3763])
    mean = np.mean(
        [np.bincount(synthetic.spread(shares, 7, rng), minlength=4) for _ in range(1000)], 0
    )
    assert mean == pytest.approx(7 * shares, abs=2e-3)


def test_the_rows_come_in_random_order_and_none_number_is_the_marginals_own():
    marginal = pd.Series([300.0, 700.4, -2.0], index=pd.Index(list("abc"), name="letter"))
    drawn = synthesize(marginal)["letter"]
    assert len(drawn) == 998
    # Sorted rows would put "a" in all of the first 200; in random order that has probability
    # below 0.31**200.
    assert 0 < (drawn.head(200) == "a").sum() < 200
    assert len(synthesize(marginal, size=5)) == 5
    assert len(synthesize(-marginal)) == 0


def clipped_mean(count, scale):
    """The mean of max(count + Laplace noise, 0): count, and scale / 2 * exp(-count / scale)."""
    return count + scale / 2 * math.exp(-count / scale)


def test_clipping_small_cells_at_zero_makes_33_of_one_baby():
    assert 64 * clipped_mean(0, 1) + clipped_mean(1, 1) == pytest.approx(33.2, abs=0.05)
    # Our data has 77 ages, and their public domain 126: more empty cells, more bias.
    assert ADULT["Age"].nunique() == 77
    assert 76 * clipped_mean(0, 1) + clipped_mean(1, 1) == pytest.approx(39.2, abs=0.05)
    assert 125 * clipped_mean(0, 1) + clipped_mean(1, 1) == pytest.approx(63.7, abs=0.05)


@pytest.mark.slow
def test_one_way_marginals_take_that_bias_away_and_the_projection_keeps_the_total():
    categories = {"Age": range(126), "Occupation": DOMAINS["Occupation"]}
    noisy = [private_marginal(ADULT, categories=categories, epsilon=1) for _ in range(5)]
    clipped = [marginal.clip(lower=0) for marginal in noisy]
    babies = [marginal.groupby("Occupation").sum()["Baby"] for marginal in clipped]
    fitted = [
        (
            synthesize_from_pairs(ADULT, categories=categories, epsilon=1)["Occupation"] == "Baby"
        ).sum()
        for _ in range(20)
    ]
    # Clipped: a sum of 625 independent numbers >= 0, with means 0.43 and mean squares 0.92, is
    # below 75 with probability below 2e-14 (Maurer 2003). Fitted: one noise of scale 4 each, and at
    # most 2 besides; the sum of 20 is above 300 with probability below 1e-12 (Chernoff).
    assert np.mean(fitted) < 15 < np.mean(babies)
    for marginal, positive in zip(noisy, clipped, strict=True):
        assert len(synthesize(marginal)) == marginal.sum() < positive.sum()


def mean_error(width):
    """The mean absolute sum of `width` Laplace variables of scale 1: two Gamma variables' gap."""
    return 2 / math.sqrt(math.pi) * math.exp(math.lgamma(width + 0.5) - math.lgamma(width))


def test_the_relative_error_of_a_synthetic_range_falls_as_one_over_the_root_of_its_width():
    """0.23, 0.08 and 0.04 % at epsilon 1 for 32,563 people evenly over 75 ages (mean error)."""
    per_age = 32563 / 75
    errors = [100 * mean_error(width) / (per_age * width) for width in (1, 10, 41)]
    assert errors == pytest.approx([0.23, 0.08, 0.04], abs=0.005)
    # A direct answer has one noise for any width.
    direct = [100 / (per_age * width) for width in (1, 10, 41)]
    assert direct == pytest.approx([0.23, 0.023, 0.0056], abs=0.0005)
    for width in (10, 100, 1000):
        falls = mean_error(4 * width) / (4 * width) / (mean_error(width) / width)
        assert falls == pytest.approx(0.5, abs=0.02)
    # On our data, whose ages are not even, from 30 on: 307, 4196 and 19143 people.
    counts = [ADULT["Age"].between(30, 29 + width).sum() for width in (1, 10, 41)]
    assert counts == [307, 4196, 19143]
    ours = [100 * mean_error(w) / count for w, count in zip((1, 10, 41), counts, strict=True)]
    assert ours == pytest.approx([0.33, 0.084, 0.038], abs=0.005)
    draws = np.random.default_rng().laplace(size=(40_000, 10)).sum(axis=1)
    # 3.52; the standard deviation of the mean of 40,000 is below 0.015, so this is 13 of them.
    assert np.abs(draws).mean() == pytest.approx(mean_error(10), abs=0.2)


# --- pairs and trees --------------------------------------------------------------------------


@pytest.fixture
def spent(monkeypatch):
    """Every part of the budget that is spent, in order, with the sensitivity it was spent for."""
    parts = []

    def record(function):
        def recorded(*args, epsilon, sensitivity, **options):
            parts.append((function.__name__, epsilon, sensitivity))
            return function(*args, epsilon=epsilon, sensitivity=sensitivity, **options)

        return recorded

    for module, name in (
        (synthetic, "discrete_laplace"),
        (synthetic_tree, "exponential_mechanism"),
    ):
        monkeypatch.setattr(module, name, record(getattr(module, name)))
    return parts


@pytest.mark.parametrize("neighbors, sensitivity", [("add_remove", 1), ("replace_one", 2)])
@pytest.mark.parametrize("draw, choices", [(synthesize_from_pairs, 0), (synthesize_from_tree, 6)])
def test_the_parts_of_the_budget_add_up(spent, draw, choices, neighbors, sensitivity):
    drawn = draw(ADULT, categories=CATEGORIES, epsilon=0.9, neighbors=neighbors, size=50)
    assert list(drawn.columns) == list(CATEGORIES) and len(drawn) == 50
    assert sum(epsilon for _, epsilon, _ in spent) == pytest.approx(0.9, rel=1e-12)
    assert {used for *_, used in spent} == {sensitivity}
    names = [name for name, *_ in spent]
    assert names.count("exponential_mechanism") == choices
    assert names.count("discrete_laplace") == 7 + 6


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(first=rows, extra=st.tuples(st.sampled_from("rgb"), st.integers(1, 4)), seed=st.integers(0))
def test_one_person_moves_the_score_of_a_pair_by_its_sensitivity_at_most(first, extra, seed):
    rng = np.random.default_rng(seed)
    singles = {("color",): rng.normal(3, 4, 3), ("size",): rng.normal(3, 4, 4)}
    domains = {"color": range(3), "size": range(4)}

    def score(values):
        coded = synthetic.column_codes(table_of(values), SMALL)
        return synthetic_tree._pair_scores(coded, domains, singles, noise=0.5)["color", "size"]

    before = score(first)
    assert abs(score([*first, extra]) - before) <= 1 + 1e-9
    assert abs(score([*first[1:], extra]) - before) <= 2 + 1e-9


def test_the_sensitivity_of_a_score_is_reached():
    singles = {("color",): np.zeros(3), ("size",): np.zeros(4)}
    domains = {"color": range(3), "size": range(4)}
    scores = [
        synthetic_tree._pair_scores(
            synthetic.column_codes(table_of([("r", 1)] * count), SMALL), domains, singles, noise=1
        )["color", "size"]
        for count in (3, 4)
    ]
    assert scores[1] - scores[0] == 1


@pytest.mark.slow
def test_with_hardly_any_noise_the_tree_is_the_maximum_spanning_tree(monkeypatch):
    chosen = []
    original = synthetic_tree._choose_tree

    def record(*args, **options):
        chosen.extend(original(*args, **options))
        return chosen

    monkeypatch.setattr(synthetic_tree, "_choose_tree", record)
    synthesize_from_tree(ADULT, categories=CATEGORIES, epsilon=NO_NOISE, size=10)
    names = list(CATEGORIES)
    weights = np.zeros((len(names), len(names)))
    for (i, first), (j, second) in itertools.combinations(enumerate(names), 2):
        exact = pd.crosstab(ADULT[first], ADULT[second]).to_numpy()
        independent = np.outer(exact.sum(axis=1), exact.sum(axis=0)) / len(ADULT)
        weights[i, j] = -np.abs(exact - independent).sum()
    best = minimum_spanning_tree(weights).nonzero()
    expected = {frozenset((names[i], names[j])) for i, j in zip(*best, strict=True)}
    assert {frozenset(pair) for pair in chosen} == expected


def chain(count, rng):
    """Columns a - b - c - d, each depending on the one before it alone."""
    columns = [rng.integers(4, size=count)]
    for _ in range(3):
        columns.append(np.where(rng.random(count) < 0.7, columns[-1], rng.integers(4, size=count)))
    return pd.DataFrame(dict(zip("abcd", columns, strict=True)))


def test_a_table_that_is_a_tree_comes_back_whole():
    real = chain(40_000, np.random.default_rng())
    categories = {column: range(4) for column in "cadb"}
    drawn = synthesize_from_tree(real, categories=categories, epsilon=NO_NOISE, size=40_000)
    stated = synthesize_from_pairs(
        real, categories=categories, pairs=[("b", "c"), ("a", "b"), ("c", "d")], epsilon=NO_NOISE
    )
    wrong = synthesize_from_pairs(
        real, categories=categories, pairs=[("a", "d"), ("b", "d")], epsilon=NO_NOISE
    )
    for table in (drawn, stated):
        assert len(table) == 40_000
        report = utility_report(real, table, categories=categories)["total_variation"]
        # One-way marginals come back up to rounding, and so do the pairs that were measured. The
        # others differ as samples of 40,000 do from their law: four distances of 16 cells' shares,
        # each above 0.07 with probability below 1e-35 (Weissman et al. 2003).
        assert report.xs("", level="second").max() < 1e-3
        assert report[[("a", "b"), ("c", "d")]].max() < 1e-3 and report.max() < 0.15
    report = utility_report(real, wrong, categories=categories)["total_variation"]
    # By the laws 0.40 and 0.37.
    assert report["a", "b"] > 0.25 and report["c", "a"] > 0.25


def test_on_our_data_a_tree_keeps_what_independent_columns_lose():
    """Without noise: the mean error of 2-way marginals is less than half."""
    drawn = synthesize_from_tree(ADULT, categories=CATEGORIES, epsilon=NO_NOISE, size=len(ADULT))
    alone = pd.DataFrame(
        {
            column: synthesize(
                private_marginal(ADULT, categories={column: values}, epsilon=NO_NOISE),
                size=len(ADULT),
            )[column]
            for column, values in CATEGORIES.items()
        }
    )
    errors = []
    for table in (drawn, alone):
        report = utility_report(ADULT, table, categories=CATEGORIES)["total_variation"]
        assert report.xs("", level="second").max() < 1e-3
        errors.append(report.drop("", level="second").mean())
    assert errors[0] < errors[1] / 2


@settings(deadline=None, max_examples=30)
@given(shape=st.tuples(st.integers(1, 6), st.integers(1, 6)), seed=st.integers(0, 2**32))
def test_a_fitted_table_has_the_stated_sums(shape, seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.dirichlet(np.ones(size)) for size in shape)
    fitted = synthetic_tree._fit(rng.uniform(0.1, 1, shape), first, second)
    assert fitted.sum(axis=0) == pytest.approx(second, abs=1e-9)
    assert fitted.sum(axis=1) == pytest.approx(first, abs=1e-9)
    # With many empty cells the rows' sums come near only slowly; every row still has its share.
    sparse = synthetic.shares(rng.normal(-1, 3, shape))
    fitted = synthetic_tree._fit(sparse, first, second)
    assert fitted.sum(axis=0) == pytest.approx(second, abs=1e-9)
    assert (fitted >= 0).all() and (fitted.sum(axis=1) > 0).all()
    # A table that has one side's sums already still needs the other's.
    for side in (
        rng.dirichlet(np.ones(shape[0]), shape[1]).T * second,
        np.outer(first, second[::-1]),
    ):
        fitted = synthetic_tree._fit(side, first, second)
        assert fitted.sum(axis=0) == pytest.approx(second, abs=1e-9)
        assert fitted.sum(axis=1) == pytest.approx(first, abs=1e-6)
    same = synthetic_tree._fit(np.outer(first, second), first, second)
    assert same == pytest.approx(np.outer(first, second), abs=1e-9)


def test_synthesis_works_on_an_empty_table_and_with_much_noise():
    for draw in (synthesize_from_pairs, synthesize_from_tree):
        for table, epsilon in ((TABLE.head(0), 1), (TABLE, 0.001)):
            drawn = draw(table, categories=SMALL, epsilon=epsilon, size=30)
            assert len(drawn) == 30
            assert all(drawn[column].isin(SMALL[column]).all() for column in SMALL)


@pytest.mark.parametrize("draw", [synthesize_from_pairs, synthesize_from_tree])
def test_synthesis_repeats_with_its_rng_and_leaves_the_table_alone(draw):
    before = TABLE.copy()
    first, second = (
        draw(TABLE, categories=SMALL, epsilon=1, size=9, rng=np.random.default_rng(3))
        for _ in range(2)
    )
    assert first.equals(second) and TABLE.equals(before)


# --- utility_report ---------------------------------------------------------------------------


@settings(deadline=None, max_examples=10)
@given(first=rows.filter(len), second=rows.filter(len))
def test_the_report_is_pandas_arithmetic(first, second):
    real, made = table_of(first), table_of(second)
    report = utility_report(real, made, categories=SMALL)
    assert list(report.index) == [("color", ""), ("size", ""), ("color", "size")]
    assert report["cells"].tolist() == [3, 4, 12]
    for row, columns in zip(
        report.itertuples(), (["color"], ["size"], ["color", "size"]), strict=True
    ):
        gap = (
            real.value_counts(columns, normalize=True)
            .sub(made.value_counts(columns, normalize=True), fill_value=0)
            .abs()
        )
        assert row.total_variation == pytest.approx(gap.sum() / 2, abs=1e-12)
        assert row.largest_error == pytest.approx(gap.max(), abs=1e-12)
    assert (utility_report(real, real, categories=SMALL)["total_variation"] == 0).all()


# --- publish_records --------------------------------------------------------------------------

BODIES = pd.DataFrame(
    {"height": [150.0, 200.0, 170.0], "weight": [40, 130, 300], "sex": list("fmf")}
)
LIMITS = {"height": (140, 210), "weight": (30, 150)}


@pytest.mark.slow
def test_each_attribute_of_a_record_has_its_exact_noise():
    table = pd.concat([BODIES] * 10_000, ignore_index=True)
    released = publish_records(table, bounds=LIMITS, categories={"sex": ["f", "m"]}, epsilon=3)
    assert list(released.columns) == ["height", "weight", "sex"] and len(released) == 30_000
    assert follows(released["height"] - table["height"], stats.laplace(scale=3 * 70 / 3).cdf)
    # The weight of 300 is clipped to the public bound first.
    clipped = table["weight"].clip(30, 150)
    assert follows(released["weight"] - clipped, stats.laplace(scale=3 * 120 / 3).cdf)
    assert not follows(released["weight"] - clipped, stats.laplace(scale=120 / 3).cdf)
    p = math.e / (math.e + 1)
    kept = (released["sex"] == table["sex"]).mean()
    assert abs(kept - p) < math.sqrt(math.log(2 / 1e-9) / 60_000)  # Hoeffding (1963), 1e-9


def audit_records(count, epsilon, **options):
    """Each row is one draw: the two records that are farthest apart, and the event between them."""
    hits = []
    for place in (0, 1):
        record = {"height": LIMITS["height"][place], "weight": LIMITS["weight"][place]}
        table = pd.DataFrame(record | {"sex": "fm"[place]}, index=range(count))
        released = publish_records(table, bounds=LIMITS, epsilon=epsilon, **options)
        event = (released["height"] <= 140) & (released["weight"] <= 30)
        hits.append((event & (released["sex"] == "f") if "sex" in released else event).sum())
    return certified_epsilon(*hits, count)


@pytest.mark.parametrize("options", [{}, {"categories": {"sex": ["f", "m"]}}])
def test_an_audit_of_records_finds_the_claimed_epsilon_and_no_more(options):
    # Above: at most FALSE_ALARM. Below: the rarer event happens 0.02 * 200,000 times or more, so
    # the bounds lose 0.15 and chance another 0.15 with probability below 1e-9.
    assert 0.8 * 2 <= audit_records(200_000, 2.0, **options) <= 2.0


def test_the_audit_catches_a_budget_that_is_not_split():
    # Two attributes at 2 each, claimed as 2 in all.
    assert audit_records(200_000, 4.0) > 2.0


def test_records_keep_no_labels_and_leave_the_table_alone():
    table = BODIES.set_index(pd.Index(["Ann", "Bob", "Cem"]))
    before = table.copy()
    released = publish_records(table, bounds=LIMITS, epsilon=1, rng=np.random.default_rng(2))
    again = publish_records(table, bounds=LIMITS, epsilon=1, rng=np.random.default_rng(2))
    assert released.equals(again) and table.equals(before)
    assert list(released.index) == [0, 1, 2]


# --- private_covariance -----------------------------------------------------------------------

vectors = st.integers(1, 6).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.floats(-1, 1), min_size=size, max_size=size) for _ in range(2)]
    )
)


@pytest.mark.slow
@settings(deadline=None)
@given(pair=vectors, radius=st.floats(0.1, 10))
def test_one_row_moves_the_matrix_by_its_sensitivities_at_most(pair, radius):
    clipped = projection._clipped(10 * np.array(pair), radius)
    assert (np.linalg.norm(clipped, axis=1) <= radius * (1 + 1e-12)).all()
    size = clipped.shape[1]
    x, y = (np.outer(row, row) for row in clipped)
    for neighbors, moved in (("add_remove", x), ("replace_one", x - y)):
        l1, frobenius = projection.moment_sensitivities(size, radius, neighbors)
        assert np.abs(moved[np.triu_indices(size)]).sum() <= l1 * (1 + 1e-9)
        assert np.linalg.norm(moved) <= frobenius * (1 + 1e-9)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_the_sensitivities_are_reached(size):
    even = np.full(size, 3 / math.sqrt(size))
    l1, frobenius = projection.moment_sensitivities(size, 3.0, "add_remove")
    assert np.outer(even, even)[np.triu_indices(size)].sum() == pytest.approx(l1)
    assert np.linalg.norm(np.outer(even, even)) == pytest.approx(frobenius)
    _, frobenius = projection.moment_sensitivities(size, 3.0, "replace_one")
    x, y = 3 * np.eye(max(size, 2))[:2, :size]
    assert np.linalg.norm(np.outer(x, x) - np.outer(y, y)) == pytest.approx(frobenius)


@pytest.mark.slow
def test_the_noise_on_the_matrix_has_its_exact_law():
    data = np.array([[3.0, 4.0], [0.0, 0.5]])
    # Clipped to a norm of 2, the first row is (1.2, 1.6): all that one row moves is 4 times as far
    # as at a norm of 1.
    exact = np.array([[1.44, 1.92], [1.92, 2.56 + 0.25]])
    options = {"radius": 2.0, "neighbors": "replace_one", "rng": np.random.default_rng()}
    gaussian = np.array([private_covariance(data, rho=0.5, **options) for _ in range(8000)]) - exact
    laplace = (
        np.array([private_covariance(data, epsilon=2, **options) for _ in range(4000)]) - exact
    )
    sigma = 4 * math.sqrt(2) / math.sqrt(2 * 0.5)
    scale = 4 * math.sqrt(2 * 5) / 2 * math.sqrt(2) / 2
    for noise in (gaussian, laplace):
        assert np.array_equal(noise[:, 0, 1], noise[:, 1, 0])
    for place in (0, 1):
        assert follows(gaussian[:, place, place], stats.norm(scale=sigma).cdf)
        assert follows(laplace[:, place, place], stats.laplace(scale=scale).cdf)
    assert follows(gaussian[:, 0, 1], stats.norm(scale=sigma / math.sqrt(2)).cdf)
    assert follows(laplace[:, 0, 1], stats.laplace(scale=scale).cdf)
    # Known wrong: the noise of add_remove where rows are replaced.
    assert not follows(gaussian[:, 0, 0], stats.norm(scale=sigma / math.sqrt(2)).cdf)


# --- private_projection -----------------------------------------------------------------------

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
ELEVEN = [EAST] * 5 + [NORTH] * 5 + [EAST]
NEIGHBOR = [EAST] * 5 + [NORTH] * 5 + [NORTH]


def main_direction(rows):
    return np.abs(np.linalg.svd(np.array(rows)).Vh[0])


def test_principal_components_then_noise_is_not_private():
    """Eleven rows; each projection lies in [0, 1] and gets Laplace noise of scale 1 / epsilon."""
    first, second = (np.array(rows) @ main_direction(rows) for rows in (ELEVEN, NEIGHBOR))
    # The log ratio of the two densities at the output `first`: claimed at most 1.
    loss = stats.laplace(first).logpdf(first).sum() - stats.laplace(second).logpdf(first).sum()
    assert loss == pytest.approx(10, abs=1e-9)
    # An event that shows it: the first five large, the next five small.
    assert certified_eleven(lambda rows: np.array(rows) @ main_direction(rows), noise=1) > 1


def certified_eleven(project, *, noise):
    rng = np.random.default_rng()
    hits = []
    for rows in (ELEVEN, NEIGHBOR):
        noisy = project(rows) + rng.laplace(scale=noise, size=(100_000, 11))
        hits.append(((noisy[:, :5] > 0.5).all(1) & (noisy[:, 5:10] < 0.5).all(1)).sum())
    return certified_epsilon(*hits, 100_000)


def test_given_the_directions_only_the_changed_row_moves_and_its_noise_hides_it():
    rng = np.random.default_rng()
    for _ in range(100):
        directions = np.linalg.qr(rng.normal(size=(4, 4))).Q[:, :3]
        rows = projection._clipped(rng.normal(size=(6, 4)), 1.0)
        other = rows.copy()
        other[5] = projection._clipped(-10 * rows[5:], 1.0)
        moved = np.abs(rows @ directions - other @ directions)
        # The scale that private_projection uses: 2 * radius * sqrt(k), for a loss of 1.
        assert moved[:5].max() == 0 and moved.sum() / (2 * math.sqrt(3)) <= 1


def test_a_projection_spends_both_epsilons(monkeypatch):
    spent = []

    def record(name, function):
        def recorded(*args, epsilon, **options):
            spent.append((name, epsilon, options.get("sensitivity"), options.get("neighbors")))
            return function(*args, epsilon=epsilon, **options)

        return recorded

    for name in ("private_covariance", "laplace_mechanism"):
        monkeypatch.setattr(projection, name, record(name, getattr(projection, name)))
    private_projection(ELEVEN, radius=2, dimensions=2, epsilon_matrix=0.4, epsilon_rows=0.6)
    assert spent == [
        ("private_covariance", 0.4, None, "replace_one"),
        ("laplace_mechanism", 0.6, pytest.approx(4 * math.sqrt(2)), None),
    ]


def test_a_projection_with_hardly_any_noise_is_numpys():
    rng = np.random.default_rng()
    data = rng.normal(size=(300, 4)) * [4, 2, 1, 0.5] / 20
    options = {"radius": 5.0, "epsilon_matrix": 1e12, "epsilon_rows": 1e12}
    noisy, directions = private_projection(data, dimensions=2, **options)
    exact = np.linalg.svd(data, full_matrices=False).Vh[:2].T
    assert noisy.shape == (300, 2) and directions.shape == (4, 2)
    assert directions.T @ directions == pytest.approx(np.eye(2), abs=1e-9)
    # The same directions up to sign; the gap between their weights is far above the noise.
    assert np.abs(directions.T @ exact) == pytest.approx(np.eye(2), abs=1e-6)
    assert noisy == pytest.approx(data @ directions, abs=1e-6)


# --- bad arguments ----------------------------------------------------------------------------

NUMBERS = (0, -1, np.nan, np.inf, None, "1")
SERIES = [pd.Series(each) for each in ([np.nan, 1.0], [np.inf, 1.0], [], ["x"])]
FOUR = {
    "table": chain(20, np.random.default_rng(0)),
    "categories": {column: range(4) for column in "abcd"},
    "epsilon": 1,
}
CIRCLE = [("a", "b"), ("b", "c"), ("a", "c")]
GOOD = {"table": TABLE, "categories": SMALL, "epsilon": 1}
TREES = (synthesize_from_pairs, synthesize_from_tree)
EMPTY = says(TABLE.head(0), "real and synthetic must have rows")
RECORDS = {"table": BODIES, "bounds": LIMITS, "epsilon": 1}
SEXES = {"table": BODIES, "epsilon": 1}
ROWS = {"rows": [[1.0, 2.0]], "radius": 1}
ONE_OF = "one of epsilon and rho"
PROJECTION = {"radius": 1.0, "dimensions": 1, "epsilon_matrix": 1.0, "epsilon_rows": 1.0}

REFUSED = [
    *refuses(
        *(synthesize, {"marginal": pd.Series([1.0]), "size": 3}),
        marginal=[[1, 2], None, pd.DataFrame({"a": [1]}), {"a": 1}, *SERIES],
        size=[0, -1, 2.5, "3", np.nan],
    ),
    *refuses(
        *(synthesize_from_pairs, FOUR),
        pairs=[[], [("a", "x")], [("a", "a")], [("a",)], [("a", "b"), ("b", "a")], CIRCLE],
    ),
    *(
        case
        for release in (private_marginal, *TREES)
        for case in refuses(
            *(release, GOOD),
            epsilon=NUMBERS,
            categories=[None, {}, ["color"], {"color": ["r", "r", "g"]}, {"color": []}],
            table=[
                *(None, [1, 2], TABLE["color"], TABLE[["size"]]),
                says(TABLE.assign(color=[None, *"grrr"]), r"table\['color'\]"),
            ],
            neighbors=["swap"],
            rng=[np.random],
        )
        + refuses(
            *(release, GOOD | {"table": TABLE.assign(x=1, size=1)}),
            categories=[says({"x": range(2000), "size": range(6000)}, "cells")],
        )
    ),
    *(
        case
        for release in TREES
        for case in refuses(
            release, GOOD, categories=[says({"color": list("rgb")}, "two columns")], size=[0]
        )
    ),
    *refuses(
        *(utility_report, {"real": TABLE, "synthetic": TABLE, "categories": SMALL}),
        real=[EMPTY],
        synthetic=[EMPTY, says(TABLE[["size"]], "table")],
    ),
    *refuses(
        *(publish_records, RECORDS),
        bounds=[says({"height": (210, 140)}, "lower"), says(None, "bounds and categories")],
        categories=[says({"height": [1, 2]}, "bounds and categories")],
        table=[
            *(None, BODIES[["sex"]]),
            says(BODIES.assign(height=np.nan), r"table\['height'\] must be finite"),
        ],
        epsilon=[0, np.nan, None],
    ),
    *refuses(
        *(publish_records, SEXES | {"bounds": {}}), categories=[says({}, "bounds and categories")]
    ),
    *refuses(publish_records, SEXES, categories=[says({"sex": ["f", "x"]}, r"table\['sex'\]")]),
    *refuses(
        *(private_covariance, ROWS | {"epsilon": 1}),
        rows=[[1.0, 2.0], [], [[np.nan, 1]], "x", [[[1.0]]]],
        radius=[0, None],
        rho=[says(1, ONE_OF)],
    ),
    *refuses(private_covariance, ROWS, epsilon=[-1, says(None, ONE_OF)], rho=[np.inf]),
    *refuses(private_covariance, ROWS | {"rho": 1}, neighbors=["swap"]),
    *refuses(
        *(private_projection, PROJECTION | {"rows": ELEVEN}),
        radius=[0, np.nan],
        dimensions=[0, 3, 1.5],
        epsilon_matrix=[0, None],
        epsilon_rows=[-1, np.inf],
        rows=[[1.0, 2.0]],
    ),
]


@pytest.mark.parametrize(("function", "arguments", "words"), REFUSED)
def test_a_bad_argument_is_named(function, arguments, words):
    check_refused(function, arguments, words)
