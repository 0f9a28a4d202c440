"""Choosing a candidate: exact laws, their privacy checked by arithmetic, and wrong forms refuted.

The mechanisms choose among finitely many candidates, so nothing about their privacy is sampled: the
probability of every outcome is computed on both neighbors. Sampling only shows that the code draws
from those laws.
"""

import math
from functools import partial
from itertools import combinations_with_replacement, permutations

import numpy as np
import opendp.prelude as dp
import pytest
from diffprivlib.mechanisms import Exponential
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import follows, steps

from dplib.data import load_adult
from dplib.outcome_laws import noisy_max_probabilities
from dplib.selection import (
    exponential_mechanism,
    noisy_max_with_gap,
    permute_and_flip,
    permute_and_flip_probabilities,
    private_median,
    private_mode,
    report_noisy_max,
    selection_probabilities,
)

pytestmark = pytest.mark.quick

DRAWS = 10_000
ROUNDING = 1e-9
MECHANISMS = [exponential_mechanism, report_noisy_max, permute_and_flip]
FINITE = st.floats(allow_nan=False, allow_infinity=False)
POSITIVE = st.floats(min_value=0, exclude_min=True, allow_nan=False, allow_infinity=False)


def exponential_law(scores, epsilon, *, factor=2):
    return selection_probabilities(scores, sensitivity=1, epsilon=2 * epsilon / factor)


def noisy_max_law(scores, epsilon, *, factor=2):
    return noisy_max_probabilities(scores, scale=factor / epsilon)


def permute_and_flip_law(scores, epsilon, *, factor=2):
    return permute_and_flip_probabilities(scores, sensitivity=1, epsilon=2 * epsilon / factor)


LAWS = [exponential_law, noisy_max_law, permute_and_flip_law]


def loss(first, second) -> float:
    """The largest log ratio of the probabilities of one outcome, in either direction."""
    return float(np.abs(np.log(first) - np.log(second)).max())


def pairs(rng, *, count=300, monotone=False):
    """Random score vectors with a random neighbor: the hard changes are those by exactly 1."""
    for _ in range(count):
        scores = rng.normal(scale=rng.choice([0.5, 2, 8]), size=rng.integers(2, 8))
        change = rng.choice([0, 1], size=scores.size) if monotone else None
        if change is None:
            change = np.clip(rng.uniform(-2, 2, size=scores.size), -1, 1)
        yield scores, scores + change


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("name", ["sensitivity", "epsilon"])
@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True])
def test_a_parameter_out_of_range_is_named_with_its_value(mechanism, name, wrong):
    parameters = {"sensitivity": 1.0, "epsilon": 1.0, name: wrong}
    with pytest.raises(ValueError, match=name) as caught:
        mechanism("ab", [1, 2], **parameters)
    assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(
    ("candidates", "scores", "named"),
    [
        ("ab", [1, np.nan], "scores"),
        ("ab", [1, np.inf], "scores"),
        ("ab", [1, 2, 3], "scores"),
        ("ab", [[1, 2]], "scores"),
        ("ab", 3, "scores"),
        ("", [], "scores"),
        (7, [1], "candidates"),
        (None, [1], "candidates"),
    ],
)
def test_scores_that_do_not_fit_the_candidates_are_refused(mechanism, candidates, scores, named):
    with pytest.raises(ValueError, match=named):
        mechanism(candidates, scores, sensitivity=1, epsilon=1)


@pytest.mark.parametrize("mechanism", [exponential_mechanism, report_noisy_max])
@pytest.mark.parametrize("wrong", [1, "False", None])
def test_monotone_is_a_truth_value_since_it_decides_on_half_of_the_noise(mechanism, wrong):
    with pytest.raises(ValueError, match="monotone"):
        mechanism("ab", [1, 2], sensitivity=1, epsilon=1, monotone=wrong)


def test_the_wrong_data_of_median_and_mode_are_named():
    for wrong in ([], [np.nan], [[1, 2]], "x"):
        with pytest.raises(ValueError, match="values"):
            private_median(wrong, candidates=[1, 2], epsilon=1)
    for wrong in ([], [np.inf], 3):
        with pytest.raises(ValueError, match="candidates"):
            private_median([1], candidates=wrong, epsilon=1)
    for wrong in ([], ["a", None], ["a", "c"]):
        with pytest.raises(ValueError, match="values"):
            private_mode(wrong, categories=["a", "b"], epsilon=1)
    for wrong in ([], ["a", "a"], ["a", np.nan]):
        with pytest.raises(ValueError, match="categories"):
            private_mode(["a"], categories=wrong, epsilon=1)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(
    "candidates", [["a", "b"], [(1, 2), None], np.array([4, 5]), range(2), {"x": 0, "y": 1}]
)
def test_a_candidate_comes_back_as_it_was_given_and_rng_repeats(mechanism, candidates):
    scores = np.array([0.3, 1.0])
    first, second = (
        mechanism(candidates, scores, sensitivity=1, epsilon=1, rng=np.random.default_rng(7))
        for _ in range(2)
    )
    assert first == second
    assert first in list(candidates)
    assert scores.tolist() == [0.3, 1.0]


@pytest.mark.slow
@settings(deadline=None)
@given(scores=st.lists(FINITE, min_size=1, max_size=6), sensitivity=POSITIVE, epsilon=POSITIVE)
@pytest.mark.parametrize("monotone", [False, True])
def test_any_finite_scores_have_probabilities(scores, sensitivity, epsilon, monotone):
    laws = [
        selection_probabilities(
            scores, sensitivity=sensitivity, epsilon=epsilon, monotone=monotone
        ),
        permute_and_flip_probabilities(scores, sensitivity=sensitivity, epsilon=epsilon),
    ]
    for law in laws:
        assert law.sum() == pytest.approx(1, abs=1e-12)
        assert (law >= 0).all()
        # A better score is never less likely.
        assert (np.diff(law[np.argsort(scores, kind="stable")]) >= -1e-12).all()
    assert exponential_mechanism(range(len(scores)), scores, sensitivity=1, epsilon=1) >= 0


def test_raw_counts_break_the_literal_formula_and_not_ours():
    counts = load_adult()["Marital Status"].value_counts()
    with np.errstate(over="ignore", invalid="ignore"):
        literal = np.exp(counts / 2)
        literal /= literal.sum()
    assert literal.isna().any()
    law = selection_probabilities(counts, sensitivity=1, epsilon=1)
    assert law[0] == 1
    # A gap that no float can hold, in units of a sensitivity as large.
    huge = selection_probabilities([1e308, -1e308], sensitivity=1e308, epsilon=1)
    assert huge[1] / huge[0] == pytest.approx(np.exp(-1))
    far_below = selection_probabilities([-5000, -5001], sensitivity=1, epsilon=1)
    assert far_below == pytest.approx(selection_probabilities([1, 0], sensitivity=1, epsilon=1))


def test_counts_in_thousands_with_sensitivity_one_spend_a_thousandth():
    counts = load_adult()["Marital Status"].value_counts().to_numpy()
    law = partial(selection_probabilities, sensitivity=1, epsilon=1, monotone=True)
    moved = np.eye(len(counts))
    spent = max(loss(law(counts / 1000), law((counts - person) / 1000)) for person in moved)
    assert 0 < spent <= 0.001
    # The sensitivity of these scores is 1 / 1000; so stated, the choice is all but certain.
    honest = selection_probabilities(counts / 1000, sensitivity=0.001, epsilon=1)
    assert selection_probabilities(counts / 1000, sensitivity=1, epsilon=1)[0] < 0.9 < honest[0]


@pytest.mark.parametrize("monotone", [False, True])
def test_the_exponential_law_is_diffprivlibs(monotone):
    rng = np.random.default_rng(5)
    for scores in (rng.normal(scale=5, size=size) for size in (1, 2, 7, 40)):
        peer = Exponential(
            epsilon=0.7, sensitivity=1.5, utility=scores.tolist(), monotonic=monotone
        )
        ours = selection_probabilities(scores, sensitivity=1.5, epsilon=0.7, monotone=monotone)
        # diffprivlib keeps running sums.
        assert np.cumsum(ours) == pytest.approx(peer._probabilities, abs=ROUNDING)


@pytest.mark.parametrize(("monotone", "factor"), [(False, 2), (True, 1)])
def test_opendp_prices_permute_and_flip_as_we_do(monotone, factor):
    dp.enable_features("contrib")
    space = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float, monotonic=monotone),
    )
    # It is given the scale of the exponents: with sensitivity 3, factor * 3 / epsilon.
    measurement = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=factor * 3 / 0.5)
    assert measurement.map(3.0) == pytest.approx(0.5, abs=ROUNDING)


def by_enumeration(scores, epsilon):
    """The law of permute-and-flip, order by order (McKenna & Sheldon 2020)."""
    chances = np.exp(epsilon * (scores - scores.max()) / 2)
    law, orders = np.zeros(len(scores)), list(permutations(range(len(scores))))
    for order in orders:
        missed = 1.0
        for candidate in order:
            law[candidate] += missed * chances[candidate] / len(orders)
            missed *= 1 - chances[candidate]
    return law


def test_permute_and_flip_has_the_law_of_its_algorithm_and_is_never_worse():
    rng = np.random.default_rng(11)
    for size in (1, 2, 3, 4, 5, 6) * 12:
        scores, epsilon = rng.normal(scale=rng.choice([0.1, 2, 20]), size=size), rng.uniform(0.1, 4)
        law = permute_and_flip_law(scores, epsilon)
        assert law == pytest.approx(by_enumeration(scores, epsilon), abs=1e-12)
        other = exponential_law(scores, epsilon)
        assert law @ scores >= other @ scores - 1e-12
        # Not only on average: whatever the score, a better one is at least as likely (so no
        # utility that grows with the score does worse).
        ordered = np.argsort(scores)[::-1]
        assert (np.cumsum(law[ordered]) >= np.cumsum(other[ordered]) - 1e-12).all()
    two = np.array([1.0, 0.0])
    assert permute_and_flip_law(two, 1) @ two > exponential_law(two, 1) @ two + 0.07


def test_permute_and_flip_is_noisy_max_with_one_sided_noise():
    """The identity of Ding, Kifer et al. (2021), for two candidates by hand."""
    gap = 1.3
    # The second wins if its exponential noise exceeds the first one's by the gap.
    expected = np.exp(-gap / 2) / 2
    assert permute_and_flip_law(np.array([gap, 0]), 1)[1] == pytest.approx(expected, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_no_outcome_costs_more_than_epsilon(law):
    rng = np.random.default_rng(3)
    for first, second in pairs(rng):
        epsilon = rng.uniform(0.1, 3)
        assert loss(law(first, epsilon), law(second, epsilon)) <= epsilon + ROUNDING


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_monotone_scores_need_half_of_the_noise(law):
    rng = np.random.default_rng(4)
    for first, second in pairs(rng, monotone=True):
        epsilon = rng.uniform(0.1, 3)
        spent = loss(law(first, epsilon, factor=1), law(second, epsilon, factor=1))
        assert spent <= epsilon + ROUNDING


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_without_the_factor_two_other_scores_cost_up_to_twice_epsilon(law):
    rng = np.random.default_rng(6)
    found = max(loss(law(a, 1, factor=1), law(b, 1, factor=1)) for a, b in pairs(rng))
    assert 1.4 < found <= 2 + ROUNDING


@pytest.mark.parametrize("law", LAWS)
def test_the_price_is_reached(law):
    # A good candidate falls back behind the best: every factor of the proof is used.
    first, second = np.array([0.0, -60.0]), np.array([-1.0, -59.0])
    assert 0.95 <= loss(law(first, 1), law(second, 1)) <= 1 + ROUNDING
    # Monotone: one more person in favour of the one that is behind.
    third = np.array([0.0, -59.0])
    assert 0.95 <= loss(law(first, 1, factor=1), law(third, 1, factor=1)) <= 1 + ROUNDING


def test_noisy_max_with_the_small_scale_leaks_as_computed():
    tie, gap = (noisy_max_probabilities([0, best], scale=1) for best in (0, 2))
    # exp(-2) * (2 + 2) / 4: the tail of a difference of two Laplace variables.
    assert gap[0] == pytest.approx(np.exp(-2), abs=1e-12)
    ratio = tie[0] / gap[0]
    assert ratio == pytest.approx(3.69, abs=0.005)
    assert ratio > np.e


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "law", "extra"),
    [
        *((mechanism, law, {}) for mechanism, law in zip(MECHANISMS, LAWS, strict=True)),
        (exponential_mechanism, exponential_law, {"monotone": True}),
        (report_noisy_max, noisy_max_law, {"monotone": True}),
    ],
)
def test_the_choices_follow_the_law(mechanism, law, extra):
    sensitivity, epsilon, rng = 3, 2, np.random.default_rng()
    scores = sensitivity * np.array([0, 1.5, 0.5, 1, -4])
    parameters = {"sensitivity": sensitivity, "epsilon": epsilon, "rng": rng, **extra}
    draws = [mechanism(range(5), scores, **parameters) for _ in range(DRAWS)]
    right, wrong = (1, 2) if extra else (2, 1)
    assert follows(draws, steps(law(scores / sensitivity, epsilon, factor=right)))
    # The known-wrong twin, with half or twice the noise, is told apart by the same draws.
    assert not follows(draws, steps(law(scores / sensitivity, epsilon, factor=wrong)))


class Watched(np.random.Generator):
    """A generator that remembers the probabilities that it was asked to choose with."""

    def choice(self, size, p):
        self.seen = p
        return super().choice(size, p=p)


def law_of(mechanism, values, **parameters):
    rng = Watched(np.random.PCG64())
    mechanism(values, **parameters, rng=rng)
    return rng.seen


def median_law(values, epsilon=1.0):
    return law_of(private_median, values, candidates=[0, 1, 1.5, 2, 3, 9], epsilon=epsilon)


def mode_law(values, epsilon=1.0):
    return law_of(private_mode, values, categories=[0, 1, 2, 3], epsilon=epsilon)


def naive_median_law(values, epsilon=1.0):
    """Wrong: the score -|below - above| is not monotone, and the factor 2 is dropped."""
    values, places = np.array(values), np.array([0, 1, 1.5, 2, 3, 9])[:, None]
    scores = -np.abs((values < places).sum(axis=1) - (values > places).sum(axis=1))
    return selection_probabilities(scores, sensitivity=1, epsilon=epsilon, monotone=True)


def worst(law, *, replace=False):
    """The largest loss over all tables of up to five values in 0 … 3 and all their neighbors."""
    found = 0
    for size in range(1, 5):
        for values in combinations_with_replacement(range(4), size):
            grown = [law([*values, new]) for new in range(4)]
            if replace:
                found = max(found, *(loss(a, b) for a in grown for b in grown))
            else:
                found = max(found, *(loss(law(list(values)), one) for one in grown))
    return found


@pytest.mark.parametrize("law", [median_law, mode_law])
def test_median_and_mode_cost_epsilon_on_every_small_table(law):
    assert 0.8 <= worst(law) <= 1 + ROUNDING
    # One person replaced costs more than epsilon, and at most twice.
    assert 1.2 <= worst(law, replace=True) <= 2 + ROUNDING


def test_a_median_with_a_score_that_is_not_monotone_is_caught():
    assert worst(naive_median_law) > 1.4


def test_the_median_is_the_best_candidate_even_among_ties():
    values = [1, 5, 5, 5, 5, 6, 7, 8]
    law = law_of(private_median, values, candidates=[1, 5, 5.5, 6, 8], epsilon=1)
    assert law.argmax() == 1
    # At 5: eight at or above, five at or below; at 5.5: three above.
    assert law[1] / law[2] == pytest.approx(np.exp(5 - 3))


def test_on_the_census_both_are_right_at_a_small_price():
    table = load_adult()
    law = law_of(private_median, table["Age"], candidates=range(121), epsilon=0.1)
    assert law.argmax() == table["Age"].median()
    # Within one year of the median, all but one time in 10^9.
    middle = int(table["Age"].median())
    assert law[middle - 1 : middle + 2].sum() >= 1 - 1e-9
    marital = table["Marital Status"]
    law = law_of(private_mode, marital, categories=sorted(set(marital)), epsilon=0.1)
    assert sorted(set(marital))[law.argmax()] == "Married-civ-spouse"
    # 14977 against 10684: a gap of 4293 people.
    assert np.sort(law)[-2] == pytest.approx(np.exp(-429.3), rel=1e-6)


def test_the_gap_is_that_of_the_two_highest_noisy_scores():
    """With the same noise the winner is report noisy max's, and the gap is the rest of it."""
    scores, law = [3.0, 9.0, 8.0], {"sensitivity": 2, "epsilon": 0.5}
    for monotone, scale in ((False, 8), (True, 4)):
        for seed in range(50):
            given = {**law, "monotone": monotone, "rng": np.random.default_rng(seed)}
            winner, gap = noisy_max_with_gap("abc", scores, **given)
            again = np.random.default_rng(seed)
            noisy = scores + again.laplace(scale=scale, size=3)
            assert winner == "abc"[noisy.argmax()]
            assert gap == pytest.approx(np.diff(np.sort(noisy))[-1])
    with pytest.raises(ValueError, match="candidates"):
        noisy_max_with_gap(["a"], [1], **law)


def winning_gap(scores, gap, scale):
    """How likely the first of two candidates wins by more than `gap`, in closed form."""
    lead = (scores[0] - scores[1] - gap) / scale
    far = (2 + abs(lead)) * math.exp(-abs(lead)) / 4
    return 1 - far if lead > 0 else far


@pytest.mark.parametrize(("move", "scale", "kept"), [((1, -1), 2, True), ((1, -1), 1, False)])
def test_the_gap_costs_nothing_more(move, scale, kept):
    """At epsilon 1: intervals of gaps, with the winner, on a neighbor whose scores part."""
    cuts = np.linspace(0, 20, 201)
    here = np.array([winning_gap((0, 0), gap, scale) for gap in cuts])
    there = np.array([winning_gap(move, gap, scale) for gap in cuts])
    losses = np.abs(np.log(np.diff(here) / np.diff(there)))
    assert bool(losses.max() <= 1 + 1e-9) is kept
    # It is spent in full, or twice where the noise is halved.
    assert losses.max() == pytest.approx(1 if kept else 2, abs=0.2)
