"""Chapter 07's functions: brute force over small tables, exact laws, and the guarantee verified."""

import itertools
import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FALSE_ALARM, follows
from scipy import stats

from dplib.data import load_adult
from dplib.local_sensitivity import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    local_sensitivity_median,
    mean_sensitivity_at_distance,
    passing_probability,
    propose_test_release,
    pure_smooth_median,
    smooth_median,
    smooth_sensitivity_median,
)

pytestmark = pytest.mark.quick

DOMAIN = (0, 1, 2, 4)
ENDS = {"lower": 0, "upper": 4}
RELATIONS = ("replace_one", "add_remove")
DRAWS = 8_000


# Brute force: every table over DOMAIN, as a sorted tuple.


def tables(size):
    return itertools.combinations_with_replacement(DOMAIN, size)


def neighbors_of(table, relation):
    shorter = [table[:place] + table[place + 1 :] for place in range(len(table))]
    if relation == "add_remove":
        return {*shorter, *(tuple(sorted((*table, value))) for value in DOMAIN)}
    return {tuple(sorted((*rest, value))) for rest in shorter for value in DOMAIN}


@cache
def brute_force(statistic, table, relation):
    """The local sensitivity; a table without rows has the middle of the domain as its answer."""
    exact = [statistic(rows) if rows else 2 for rows in (table, *neighbors_of(table, relation))]
    return max(abs(answer - exact[0]) for answer in exact)


def hamming(first, second):
    return len(first) - sum((Counter(first) & Counter(second)).values())


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("size", range(1, 7))
def test_local_sensitivity_of_the_median_is_that_of_brute_force(size, relation):
    for table in tables(size):
        ours = local_sensitivity_median(table, **ENDS, neighbors=relation)
        assert ours == pytest.approx(brute_force(np.median, table, relation), abs=1e-12)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("size", range(1, 6))
def test_local_sensitivity_of_the_mean_at_a_distance_is_that_of_brute_force(size, relation):
    for table in tables(size):
        ball, expected = {table}, []
        for _ in range(4 if relation == "add_remove" else 3):
            expected.append(max(brute_force(np.mean, near, relation) for near in ball))
            ball |= {far for near in ball for far in neighbors_of(near, relation)}
        distances = np.arange(len(expected))
        ours = mean_sensitivity_at_distance(table, distance=distances, **ENDS, neighbors=relation)
        assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(1, 7))
def test_local_sensitivity_of_the_median_at_a_distance_is_that_of_brute_force(size):
    local = {table: brute_force(np.median, table, "replace_one") for table in tables(size)}
    for table in local:
        expected = [
            max(moved for far, moved in local.items() if hamming(table, far) <= distance)
            for distance in range(size + 2)
        ]
        steps = np.arange(size + 2)
        assert local_sensitivity_at_distance(table, distance=steps, **ENDS).tolist() == expected
        for bound in (0.25, 0.5, 1.5, 1.75, 2, 3.5, 4):
            above = [k for k, moved in enumerate(expected) if moved > bound]
            distance = distance_to_high_sensitivity(table, bound=bound, **ENDS)
            assert distance == (above[0] if above else math.inf)


@pytest.mark.parametrize("beta", [0.01, 0.2, 1.0])
@pytest.mark.parametrize("size", range(1, 7))
def test_smooth_sensitivity_of_the_median_is_that_of_brute_force(size, beta):
    local = {table: brute_force(np.median, table, "replace_one") for table in tables(size)}
    for table in local:
        weighted = [local[far] * math.exp(-beta * hamming(table, far)) for far in local]
        ours = smooth_sensitivity_median(table, **ENDS, beta=beta)
        assert ours == pytest.approx(max(weighted), rel=1e-12)


# The seeds' figures and errors.


def test_a_row_that_leaves_moves_the_mean_more_than_the_seeds_formula_says():
    ends = {"lower": 0, "upper": 100}
    assert mean_sensitivity_at_distance([0, 100], distance=0, **ends) == 50
    assert seeds_sensitivity(2, 0, upper=100) == pytest.approx(33.3, abs=0.04)
    # Removing everything: no division by zero.
    far = mean_sensitivity_at_distance([0, 100], distance=[2, 3, 10**9], **ends)
    assert np.array_equal(far, [50, 50, 50])
    assert distance_to_high_sensitivity([0, 100], bound=200, **ends) == math.inf
    with pytest.raises(ZeroDivisionError):
        seeds_distance(2, bound=200, upper=100)


def test_the_figures_for_age():
    age = load_adult()["Age"]
    assert seeds_distance(len(age), bound=0.005, upper=100) == 12564
    steps = np.arange(len(age))
    curve = mean_sensitivity_at_distance(age, distance=steps, lower=0, upper=100)
    # The seeds' distance holds for the worst table of that size; this one is farther away.
    assert np.argmax(curve > 0.005) == 17543
    delta = 1 / len(age) ** 2
    assert math.log(1 / (2 * delta)) == pytest.approx(20.09, abs=0.005)
    assert seeds_threshold(1, delta) == pytest.approx(10.74, abs=0.005)
    wrong = stats.laplace.sf(seeds_threshold(1, delta))
    assert wrong == pytest.approx(1.0858e-5, rel=1e-4)
    assert wrong / delta == pytest.approx(11_513, abs=1)
    assert passing_probability(0, epsilon=1, delta=delta) == pytest.approx(delta, rel=1e-12)


def test_the_global_sensitivity_of_the_median_is_the_width_of_the_domain():
    for size, width in ((3, 4), (4, 2)):
        largest = max(brute_force(np.median, table, "replace_one") for table in tables(size))
        assert largest == width
    # The data lie within 1 of each other, and yet one row more than half decides.
    assert local_sensitivity_median([0], lower=0, upper=100) == 100


def seeds_sensitivity(size, distance, *, upper):
    return abs(upper / (size - distance + 1))


def seeds_distance(size, *, bound, upper):
    distance = 0
    while seeds_sensitivity(size, distance, upper=upper) < bound:
        distance += 1
    return distance


def seeds_threshold(epsilon, delta):
    return math.log(2 / delta) / (2 * epsilon)


# Edges.


CALLS = {
    "median": lambda values, **ends: local_sensitivity_median(values, **ends),
    "distance": lambda values, **ends: local_sensitivity_at_distance(values, distance=1, **ends),
    "mean": lambda values, **ends: mean_sensitivity_at_distance(values, distance=1, **ends),
    "high": lambda values, **ends: distance_to_high_sensitivity(values, bound=1, **ends),
    "test": lambda values, **ends: propose_test_release(
        values, bound=1, epsilon=1, delta=0.1, **ends
    ),
    "smooth": lambda values, **ends: smooth_sensitivity_median(values, beta=1, **ends),
    "release": lambda values, **ends: smooth_median(values, epsilon=1, delta=0.1, **ends),
    "pure": lambda values, **ends: pure_smooth_median(values, epsilon=1, **ends),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_wrong_values_and_ends_are_refused(call):
    for wrong in ([], [[1.0]], [1, np.nan], [np.inf], 3, "three", None):
        with pytest.raises(ValueError, match="values"):
            call(wrong, **ENDS)
    for lower, upper in ((1, 1), (2, 1), (0, np.inf), (np.nan, 1)):
        with pytest.raises(ValueError, match=r"lower|upper"):
            call([1], lower=lower, upper=upper)


@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True])
def test_a_parameter_out_of_range_is_named_with_its_value(wrong):
    for function, parameters in (
        (propose_test_release, {"bound": 1, "epsilon": 1, "delta": 0.1}),
        (smooth_median, {"epsilon": 1, "delta": 0.1}),
        (pure_smooth_median, {"epsilon": 1}),
        (smooth_sensitivity_median, {"beta": 1}),
        (distance_to_high_sensitivity, {"bound": 1}),
    ):
        for name in parameters:
            with pytest.raises(ValueError, match=name) as caught:
                function([1], **ENDS, **{**parameters, name: wrong})
            assert repr(wrong) in str(caught.value)


def test_what_else_is_refused():
    with pytest.raises(ValueError, match="delta must be below 1/2"):
        propose_test_release([1], bound=1, **ENDS, epsilon=1, delta=0.5)
    with pytest.raises(ValueError, match="neighbors"):
        local_sensitivity_median([1], **ENDS, neighbors="any")
    for wrong in (-1, 0.5, [0, -1]):
        with pytest.raises(ValueError, match="distance"):
            local_sensitivity_at_distance([1], distance=wrong, **ENDS)
        with pytest.raises(ValueError, match="distance"):
            mean_sensitivity_at_distance([1], distance=wrong, **ENDS)
    for wrong in (-1, np.nan):
        with pytest.raises(ValueError, match="distance"):
            passing_probability(wrong, epsilon=1, delta=0.1)


def test_both_ends_are_needed():
    """With an upper end only, one row moves the mean without limit (the seeds clip only there)."""
    below = [-(10.0**power) for power in range(6)]
    moves = [abs(np.mean([1, 1, low]) - 1) for low in below]
    assert moves[-1] > 1e4
    assert mean_sensitivity_at_distance([1, 1, *below], distance=0, **ENDS) <= 4 / 8


# Properties.


rows = st.lists(st.integers(0, 20), min_size=1, max_size=12)


@pytest.mark.slow
@given(
    values=rows, joined=st.integers(0, 20), bound=st.sampled_from([0.5, 1, 4 / 3, 2.5, 5, 9, 11])
)
def test_the_distance_has_sensitivity_one(values, joined, bound):
    first, second = (
        distance_to_high_sensitivity(table, bound=bound, lower=0, upper=20)
        for table in (values, [*values[1:], joined])
    )
    assert first == second or abs(first - second) <= 1


@pytest.mark.slow
@given(values=rows, joined=st.integers(0, 20), beta=st.floats(0.001, 3))
def test_smooth_sensitivity_is_smooth_and_covers_the_local_one(values, joined, beta):
    ends = {"lower": 0, "upper": 20}
    smooth = smooth_sensitivity_median(values, **ends, beta=beta)
    other = smooth_sensitivity_median([*values[1:], joined], **ends, beta=beta)
    assert abs(math.log(smooth / other)) <= beta * (1 + 1e-9)
    assert local_sensitivity_median(values, **ends) <= smooth <= 20


@pytest.mark.slow
@given(values=rows, seed=st.integers(0, 2**32))
@pytest.mark.parametrize("name", CALLS)
def test_values_are_clipped_and_untouched_and_rng_repeats(name, values, seed):
    array = np.array(values, dtype=float)
    before = array.copy()
    results = []
    for table in (array, array.clip(5, 9)):
        rng = {"rng": np.random.default_rng(seed)} if name in ("test", "release", "pure") else {}
        results.append(CALLS[name](table, lower=5, upper=9, **rng))
    assert results[0] == results[1]
    assert np.array_equal(array, before)


# Exact laws.


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "bound", "distance"),
    [([0, 2, 4], 1, 0), ([0] * 3, 1, 1), ([0] * 6, 1, 2), ([1, 2], 2, math.inf)],
)
def test_propose_test_release_follows_its_exact_law(values, bound, distance):
    assert distance_to_high_sensitivity(values, bound=bound, **ENDS) == distance
    rng = np.random.default_rng()
    parameters = {"bound": bound, **ENDS, "epsilon": 0.5, "delta": 0.2, "rng": rng}
    released = [propose_test_release(values, **parameters) for _ in range(DRAWS)]
    passed = [value for value in released if value is not None]
    probability = passing_probability(distance, epsilon=0.5, delta=0.2)
    # False alarm: FALSE_ALARM for the count, and FALSE_ALARM for the noise.
    assert stats.binomtest(len(passed), DRAWS, probability).pvalue > FALSE_ALARM
    law = stats.laplace(loc=np.median(values), scale=bound / 0.5)
    assert follows(passed, law.cdf)
    assert not follows(np.array(passed) * 0.5 + np.median(values) / 2, law.cdf)


def test_the_seeds_threshold_does_not_follow_the_law():
    rng = np.random.default_rng()
    passed = (rng.laplace(scale=1 / 0.5, size=DRAWS) > seeds_threshold(0.5, 0.2)).sum()
    assert stats.binomtest(int(passed), DRAWS, 0.2).pvalue < FALSE_ALARM
    assert passing_probability([0, math.inf], epsilon=1, delta=0.2) == pytest.approx([0.2, 1])


@pytest.mark.slow
def test_smooth_median_follows_its_exact_law():
    rng = np.random.default_rng()
    values = [1, 1, 2, 4, 9]
    draws = [smooth_median(values, **ENDS, epsilon=1, delta=0.01, rng=rng) for _ in range(DRAWS)]
    law = stats.laplace(*smooth_law(values, epsilon=1, delta=0.01))
    assert follows(draws, law.cdf)
    local = local_sensitivity_median(values, **ENDS)
    assert not follows(2 + rng.laplace(scale=2 * local, size=DRAWS), law.cdf)


def test_a_scale_too_small_for_a_float_is_no_error():
    """A refusal would tell the neighbors apart; the noise of exact numbers is as invisible."""
    assert smooth_median([2] * 3001, **ENDS, epsilon=5, delta=0.01) == 2


def smooth_law(values, *, epsilon, delta, factor=1):
    """The law of `smooth_median`, written anew; `factor` makes beta wrong."""
    beta = factor * min(math.log(1 + epsilon / (2 * math.log(1 / delta))), epsilon / 2)
    smooth = smooth_sensitivity_median(values, **ENDS, beta=beta)
    return np.median(np.clip(values, 0, 4)), 2 * smooth / epsilon


# The guarantee, exactly: how far one law exceeds exp(epsilon) times another.


def excess(first, second, factor, shares=(1, 1)):
    """The integral of max(0, share * first - factor * share * second), for two Laplace densities.

    A law is a pair (centre, scale). The log of the ratio of the densities is linear on three
    pieces, so its roots lie on lines through two points each.
    """
    (centre, scale), (other, other_scale) = first, second
    constant = math.log(shares[0] * other_scale / (factor * shares[1] * scale))

    def log_ratio(place):
        return constant - abs(place - centre) / scale + abs(place - other) / other_scale

    low, high = sorted((centre, other))
    cuts = {low, high}
    for left, right in ((low - 1, low), (low, high), (high, high + 1)):
        rise = log_ratio(right) - log_ratio(left)
        if rise:
            cuts.add(left - log_ratio(left) * (right - left) / rise)
    total = 0
    for left, right in itertools.pairwise([-math.inf, *sorted(cuts), math.inf]):
        above = shares[0] * mass(first, left, right) - factor * shares[1] * mass(
            second, left, right
        )
        total += max(0, above)
    return total


def mass(law, left, right):
    """The probability of an interval, from the tail where it is the more exact."""
    left, right = ((place - law[0]) / law[1] for place in (left, right))
    if right > 0 and left < 0:
        return 1 - math.exp(left) / 2 - math.exp(-right) / 2
    return abs(math.exp(-abs(left)) - math.exp(-abs(right))) / 2


def test_the_excess_is_that_of_quadrature():
    laws = (0, 1), (0.7, 1.6)
    places = np.linspace(-60, 60, 1_000_001)
    for first, second in (laws, laws[::-1]):
        densities = stats.laplace.pdf(places, *first), stats.laplace.pdf(places, *second)
        above = np.maximum(0, 0.6 * densities[0] - 1.3 * 0.8 * densities[1])
        expected = above.sum() * (places[1] - places[0])
        assert excess(first, second, 1.3, (0.6, 0.8)) == pytest.approx(expected, rel=1e-5)


def spent(first, second, epsilon):
    """The smallest delta at epsilon, for two mechanisms that fail or release: (passing, law)."""
    factor = math.exp(epsilon)
    failing = max(0, (1 - first[0]) - factor * (1 - second[0]))
    return failing + excess(first[1], second[1], factor, (first[0], second[0]))


def outcome(table, *, bound, epsilon, delta, distance=None, threshold=None):
    """How likely `propose_test_release` passes and the law of what it then releases."""
    limits = {"bound": bound, **ENDS}
    steps = distance_to_high_sensitivity(table, **limits) if distance is None else distance(table)
    passing = passing_probability(steps, epsilon=epsilon, delta=delta)
    if threshold is not None:
        passing = float(stats.laplace.sf(epsilon * (threshold - steps)))
    return passing, (float(np.median(table)), bound / epsilon)


def worst(epsilon, delta, *, claim, bounds=(0.3, 0.6, 1.1, 1.6, 2.5), **variant):
    """The largest delta that is needed at epsilon = claim, over many pairs and proposed bounds."""
    return max(
        spent(laws[table], laws[near], claim)
        for bound in bounds
        for laws in [_outcomes(bound, epsilon, delta, **variant)]
        for table in laws
        for near in neighbors_of(table, "replace_one")
    )


def _outcomes(bound, epsilon, delta, **variant):
    given = {"bound": bound, "epsilon": epsilon, "delta": delta}
    return {
        table: outcome(table, **given, **variant) for size in range(1, 6) for table in tables(size)
    }


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "delta"), [(0.7, 0.05), (3, 0.01), (1.5, 1e-6)])
def test_propose_test_release_costs_twice_epsilon_and_delta_exactly(epsilon, delta):
    assert worst(epsilon, delta, claim=2 * epsilon) <= delta * (1 + 1e-9)


@pytest.mark.slow
def test_the_published_variants_of_propose_test_release_break_their_claim():
    epsilon, delta = 3, 0.01
    threshold = seeds_threshold(epsilon, delta)
    assert worst(epsilon, delta, claim=2 * epsilon, threshold=threshold) > 3 * delta
    assert worst(epsilon, delta, claim=epsilon) > 3 * delta
    # A distance that is one too large.
    assert (
        worst(epsilon, delta, claim=2 * epsilon, distance=lambda table: _away(table) + 1)
        > 3 * delta
    )


def _away(table):
    return distance_to_high_sensitivity(table, bound=1.1, **ENDS)


@pytest.mark.slow
def test_a_threshold_for_both_tails_is_private_and_wasteful():
    epsilon, delta = 3, 0.01
    threshold = math.log(1 / delta) / epsilon
    needed = worst(epsilon, delta, claim=2 * epsilon, threshold=threshold)
    assert needed == pytest.approx(delta / 2)
    far = outcome([0] * 9, bound=1, epsilon=epsilon, delta=delta)[0]
    assert outcome([0] * 9, bound=1, epsilon=epsilon, delta=delta, threshold=threshold)[0] < far


PAIRS = [
    (table, near)
    for size in (1, 3, 4)
    for table in tables(size)
    for near in neighbors_of(table, "replace_one")
]


def smooth_excess(epsilon, delta, law):
    laws = {table: law(table, epsilon=epsilon, delta=delta) for table, _ in PAIRS}
    return max(excess(laws[table], laws[near], math.exp(epsilon)) for table, near in PAIRS)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 6.0, 20.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.3, 0.9])
def test_smooth_median_has_its_guarantee_exactly(epsilon, delta):
    assert smooth_excess(epsilon, delta, smooth_law) <= delta


# The pure smooth median: the log of the ratio of two Cauchy densities, at every place.


def pure_law(table, *, epsilon, beta=0.5, factor=2):
    """The centre and the scale of `pure_smooth_median`, written anew; beta is in epsilons."""
    smooth = smooth_sensitivity_median(table, **ENDS, beta=beta * epsilon)
    return float(np.median(table)), factor * smooth / epsilon


def largest_loss(epsilon, **variant):
    """The largest log ratio of the densities of two neighbors, over a fine grid of places."""
    # Far out the ratio is that of the scales; near the centres it bends on their scales.
    places = np.concatenate([-np.geomspace(1e7, 1e-4, 1500), np.geomspace(1e-4, 1e7, 1500)])
    laws = {table: pure_law(table, epsilon=epsilon, **variant) for table, _ in PAIRS}
    losses = []
    for table, near in PAIRS:
        (centre, scale), other = laws[table], laws[near]
        place = centre + scale * places
        losses += [stats.cauchy.logpdf(place, centre, scale) - stats.cauchy.logpdf(place, *other)]
    return float(np.max(losses))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_pure_smooth_median_spends_epsilon_at_most(epsilon):
    assert largest_loss(epsilon) <= epsilon * (1 + 1e-9)
    assert largest_loss(epsilon) > 0.4 * epsilon


@pytest.mark.slow
@pytest.mark.parametrize("variant", [{"factor": 0.5}, {"beta": 3}])
def test_less_cauchy_noise_spends_more(variant):
    assert largest_loss(1.0, **variant) > 1.01


@pytest.mark.slow
def test_the_pure_smooth_median_follows_its_exact_law():
    rng = np.random.default_rng()
    values = [1, 1, 2, 4, 9]
    draws = [pure_smooth_median(values, **ENDS, epsilon=1, rng=rng) for _ in range(DRAWS)]
    centre, scale = pure_law(np.clip(values, 0, 4), epsilon=1)
    assert follows(draws, stats.cauchy(centre, scale).cdf)
    assert not follows(2 + 1.5 * (np.array(draws) - 2), stats.cauchy(centre, scale).cdf)


@pytest.mark.slow
@given(values=rows, bound=st.sampled_from([0.5, 1, 2.5, 5]), epsilon=st.sampled_from([0.1, 1, 3]))
def test_where_the_test_passes_smooth_noise_is_about_as_small(values, bound, epsilon):
    """Chapter 7: S is at most the bound, or 2 delta times the global sensitivity."""
    ends, delta = {"lower": 0, "upper": 20}, 1e-3
    distance = distance_to_high_sensitivity(values, bound=bound, **ends)
    if distance > math.log(1 / (2 * delta)) / epsilon:
        smooth = smooth_sensitivity_median(values, **ends, beta=epsilon)
        assert smooth <= max(bound, 2 * delta * 20)


def test_noise_of_the_local_sensitivity_has_no_guarantee():
    """Neighbors of local sensitivity 0 and 4: one answer is exact, the other nearly never is."""
    assert local_sensitivity_median([0, 0, 0, 0, 4], **ENDS) == 0
    assert local_sensitivity_median([0, 0, 0, 4, 4], **ENDS) == 4

    def local_law(table, *, epsilon, delta):
        scale = local_sensitivity_median(table, **ENDS) / epsilon
        return np.median(table), max(scale, 1e-12)

    assert smooth_excess(1, 1e-3, local_law) > 0.99


def test_a_beta_that_is_too_large_breaks_the_guarantee():
    def hasty(table, *, epsilon, delta):
        return smooth_law(table, epsilon=epsilon, delta=delta, factor=4)

    assert smooth_excess(1, 1e-3, hasty) > 1e-3
