"""Sums and means: what a person can move, exact laws, wrong twins."""

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import follows
from neighbors import LETTERS, MOVED, NEIGHBORS, NO_NOISE, TABLE, neighbor
from scipy import stats

from dplib.histograms import private_crosstab, private_histogram
from dplib.laplace import laplace_mechanism
from dplib.sensitivity import (
    choose_clipping_bound,
    percent_error,
    private_mean,
    private_sum,
    sum_sensitivity,
)

pytestmark = pytest.mark.quick

INTERVALS = [(60, 70), (-5, 3), (0, 30), (-90, -80)]


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.floats(-200, 200), min_size=1, max_size=8),
    st.sampled_from(NEIGHBORS),
    st.integers(0, 7),
    st.floats(-200, 200),
    st.sampled_from(INTERVALS),
)
def test_a_person_moves_a_clipped_sum_by_no_more_than_its_sensitivity(
    values, relation, place, newcomer, interval
):
    lower, upper = interval
    options = {"lower": lower, "upper": upper, "epsilon": NO_NOISE, "neighbors": relation}
    moved = private_sum(values, **options) - private_sum(
        neighbor(values, relation, place, newcomer), **options
    )
    # The slack is for the noise (scale 1e-10) and for the rounding of sums.
    assert abs(moved) <= sum_sensitivity(lower, upper, neighbors=relation) + 1e-6


def test_the_sensitivity_of_the_seeds_is_for_replace_one_only():
    """Clipped to [60, 70], a new person adds 60 at least: more than upper - lower = 10."""
    assert sum_sensitivity(60, 70, neighbors="replace_one") == 10
    assert sum_sensitivity(60, 70, neighbors="add_remove") == 70
    assert type(sum_sensitivity(60, 70, neighbors="replace_one")) is float


@pytest.mark.parametrize(("lower", "upper"), INTERVALS)
def test_opendp_states_the_same_sensitivities(lower, upper):
    dp.enable_features("contrib")
    element = dp.atom_domain(bounds=(lower, upper))
    added = dp.t.make_sum(dp.vector_domain(element), dp.symmetric_distance())
    replaced = dp.t.make_sum(dp.vector_domain(element, size=5), dp.symmetric_distance())
    assert sum_sensitivity(lower, upper, neighbors="add_remove") == added.map(1)
    # OpenDP counts a replaced person as one removed and one added: distance 2.
    assert sum_sensitivity(lower, upper, neighbors="replace_one") == replaced.map(2)
    counts = dp.t.make_count_by_categories(
        dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance(), ["a"]
    )
    assert [counts.map(1), counts.map(2)] == list(MOVED.values())


@pytest.mark.slow
@pytest.mark.parametrize(("relation", "epsilon"), [("add_remove", 2.0), ("replace_one", 0.5)])
def test_a_sum_has_laplace_noise_of_the_stated_scale(relation, epsilon):
    scale = sum_sensitivity(60, 70, neighbors=relation) / epsilon
    options = {"lower": 60, "upper": 70, "epsilon": epsilon, "neighbors": relation}
    rng = np.random.default_rng()
    draws = [private_sum([50, 65, 99], **options, rng=rng) for _ in range(10_000)]
    assert follows(draws, stats.laplace(loc=60 + 65 + 70, scale=scale).cdf)
    assert not follows(draws, stats.laplace(loc=60 + 65 + 70, scale=1.5 * scale).cdf)


def mean_law(total, count, scale_of_sum, scale_of_count):
    """P(mean <= m) = P(noise of the sum - m * noise of the count <= m * count - total), m > 0.

    The difference of two Laplace variables of scales a and b exceeds x > 0 with probability
    (a^2 exp(-x / a) - b^2 exp(-x / b)) / (2 (a^2 - b^2)), from partial fractions of the product of
    their characteristic functions. It holds while the noisy count is above 1.
    """

    def cdf(mean):
        place = mean * count - total
        a, b = scale_of_sum, mean * scale_of_count
        above = (a**2 * np.exp(-abs(place) / a) - b**2 * np.exp(-abs(place) / b)) / 2
        above /= a**2 - b**2
        return np.where(place > 0, 1 - above, above)

    return cdf


@pytest.mark.slow
def test_a_mean_has_the_law_of_a_noisy_sum_over_a_noisy_count():
    values, epsilon, rng = np.full(500, 30.0), 2.0, np.random.default_rng()
    draws = [
        private_mean(values, lower=0, upper=70, epsilon=epsilon, rng=rng) for _ in range(10_000)
    ]
    # Half of epsilon each; the count is below 1 with probability exp(-499).
    assert follows(draws, mean_law(15_000, 500, 70 / 1, 1 / 1))
    # Wrong: epsilon for each, which spends it twice.
    assert not follows(draws, mean_law(15_000, 500, 70 / 2, 1 / 2))


def test_a_mean_is_the_post_processed_sum_and_stays_within_the_bounds():
    rng = np.random.default_rng()
    draws = [private_mean([], lower=-2, upper=3, epsilon=0.1, rng=rng) for _ in range(200)]
    # The count of 0 is below 1 half the time, and then each end has nearly one half. So each end
    # has more than 0.2, and 200 draws miss one with less than 2 * 0.8**200 < 1e-18.
    assert min(draws) == -2 and max(draws) == 3
    assert private_mean([5, 500], lower=0, upper=10, epsilon=NO_NOISE) == pytest.approx(7.5)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 3), max_size=4))
def test_a_mean_divides_by_a_noisy_count_of_at_least_one(seed, values):
    """Its two parts are the mechanisms of the library, at half of epsilon each, sum first."""
    rng, same = np.random.default_rng(seed), np.random.default_rng(seed)
    total = private_sum(values, lower=0, upper=3, epsilon=0.25, rng=same)
    count = laplace_mechanism(len(values), sensitivity=1, epsilon=0.25, rng=same)
    expected = min(max(total / max(count, 1), 0), 3)
    assert private_mean(values, lower=0, upper=3, epsilon=0.5, rng=rng) == expected


def chance_of_the_first(counts, scale, share):
    """P(the first of two candidates is chosen), for counts below, between and above.

    It is chosen if (1 - share) * (n1 + L1) >= share * (n2 + L2 + n3 + L3). The noise
    (1 - share) L1 - share (L2 + L3) has the characteristic function
    1 / ((1 + u t^2) (1 + v t^2)^2): by partial fractions a mixture of two Laplace laws and the law
    of the sum of two.
    """
    u, v = ((1 - share) * scale) ** 2, (share * scale) ** 2
    first, both = u**2 / (u - v) ** 2, v / (v - u)
    place = (1 - share) * counts[0] - share * (counts[1] + counts[2])
    far, near = abs(place) / np.sqrt(u), abs(place) / np.sqrt(v)
    above = first * np.exp(-far) + (1 - first - both) * np.exp(-near)
    above = (above + both * np.exp(-near) * (1 + near / 2)) / 2
    return 1 - above if place > 0 else above, above if place > 0 else 1 - above


def spread(counts):
    """Values with these counts at or below 10, at or below 20, and above 20."""
    return np.repeat([10.0, 20.0, 21.0], counts)


def binary_law(chance):
    """The distribution function of a choice that is 10 with this chance and 20 otherwise."""
    return lambda place: np.where(place < 10, 0, np.where(place < 20, chance, 1))


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("relation", NEIGHBORS)
@pytest.mark.parametrize("counts", [(1, 1, 1), (19, 1, 0)])
def test_the_choice_has_its_exact_law(relation, counts):
    share, scale, rng = 0.9, MOVED[relation] / 0.7, np.random.default_rng()
    options = {"candidates": [10, 20], "epsilon": 0.7, "neighbors": relation, "share": share}
    people = spread(counts)
    chosen = [choose_clipping_bound(people, **options, rng=rng) for _ in range(15_000)]
    assert set(chosen) <= {10.0, 20.0}
    assert follows(chosen, binary_law(chance_of_the_first(counts, scale, share)[0]))
    if counts == (1, 1, 1):
        # Wrong: the noisy count is compared with a share of the exact number of people. Its chance
        # differs by 0.06 at least, the test allows 0.027, and 0.033 is nine standard deviations.
        exact_number = stats.laplace(scale=scale).sf(share * 3 - 1)
        assert not follows(chosen, binary_law(exact_number))


def losses(counts, relation, scale, share):
    """The exact privacy losses between `counts` and all its neighbors, both outcomes."""
    for place in range(3):
        fewer = np.array(counts)
        fewer[place] -= 1
        for other in range(3):
            second = fewer.copy()
            if relation == "replace_one":
                second[other] += 1
            pair = [chance_of_the_first(c, scale, share) for c in (counts, second)]
            yield np.abs(np.log(pair[0]) - np.log(pair[1])).max()


@settings(deadline=None)
@given(
    st.tuples(*[st.integers(1, 30)] * 3),
    st.sampled_from(NEIGHBORS),
    st.floats(0.05, 3),
    st.floats(0.6, 0.99),
)
def test_the_choice_is_exactly_epsilon_private(counts, relation, epsilon, share):
    worst = max(losses(counts, relation, MOVED[relation] / epsilon, share))
    assert worst <= epsilon * (1 + 1e-9)


def test_the_choice_is_tight_and_less_noise_breaks_it():
    assert 0.8 < max(losses((1, 5, 5), "add_remove", 1.0, 0.9)) <= 1
    assert max(losses((1, 5, 5), "add_remove", 0.5, 0.9)) > 1.6


def test_the_choice_on_the_census_is_near_the_share(adult):
    candidates = [500, 1_000, 5_000, 10_000, 20_000, 50_000, 99_999]
    gain = adult["Capital Gain"]
    assert choose_clipping_bound(gain, candidates=candidates, epsilon=NO_NOISE) == min(
        bound for bound in candidates if (gain <= bound).mean() >= 0.99
    )
    assert choose_clipping_bound([5, 6], candidates=[1, 2], epsilon=NO_NOISE) == 2
    assert choose_clipping_bound([1, 2], candidates=[1, 2], epsilon=NO_NOISE, share=0.4) == 1
    assert type(choose_clipping_bound([1], candidates=[1, 2], epsilon=1)) is float


def test_the_stated_sums_and_means_of_the_census(adult):
    age = adult["Age"]
    options = {"lower": 0, "epsilon": NO_NOISE}
    assert round(private_sum(age, upper=125, **options)) == 1_360_238
    assert round(private_sum(age, upper=30, **options)) == 879_648
    assert private_mean(age, upper=125, **options) == pytest.approx(41.77250253355035, abs=1e-9)
    more = adult[adult["Education-Num"] > 10]
    assert round(private_sum(more["Age"], upper=125, **options)) == 441_431
    assert round(private_sum(adult["Capital Gain"], upper=99_999, **options)) == 35_089_324


def test_percent_error_matches_labels_and_keeps_the_form():
    assert percent_error(200, 150) == 25 and percent_error(-4, -5) == 25
    assert type(percent_error(200, 150)) is float
    assert percent_error([1, 2], np.array([2, 2])).tolist() == [100, 0]
    exact, released = pd.Series({"a": 1, "b": 4}), pd.Series({"b": 5.0, "a": 1.0})
    assert percent_error(exact, released).to_dict() == {"b": 25, "a": 0}
    table = pd.DataFrame({"x": [2, 4]})
    assert percent_error(table, table * 1.5)["x"].tolist() == [50, 50]
    for bad in (0, [1, 0], np.nan):
        with pytest.raises(ValueError, match="exact"):
            percent_error(bad, bad)
    with pytest.raises(ValueError, match="released"):
        percent_error([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="exact"):
        percent_error(exact, pd.Series({"b": 5.0, "c": 1.0}))


CALLS = {
    "private_histogram": (private_histogram, (["a"],), {"categories": ["a"]}),
    "private_crosstab": (private_crosstab, (TABLE,), {"categories": LETTERS}),
    "private_sum": (private_sum, ([1],), {"lower": 0, "upper": 2}),
    "private_mean": (private_mean, ([1],), {"lower": 0, "upper": 2}),
    "choose_clipping_bound": (choose_clipping_bound, ([1],), {"candidates": [1, 2]}),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None])
def test_a_wrong_epsilon_is_refused(name, wrong):
    function, data, options = CALLS[name]
    with pytest.raises(ValueError, match="epsilon") as caught:
        function(*data, **options, epsilon=wrong)
    assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize("name", CALLS)
def test_rng_is_last_and_repeats_and_the_data_stay(name):
    function, data, options = CALLS[name]
    before = repr(data)
    first, second = (
        function(*data, **options, epsilon=1, rng=np.random.default_rng(5)) for _ in range(2)
    )
    assert np.array_equal(first, second) and repr(data) == before
    with pytest.raises(ValueError, match="rng"):
        function(*data, **options, epsilon=1, rng=np.random)
    if name != "private_mean":
        with pytest.raises(ValueError, match="neighbors"):
            function(*data, **options, epsilon=1, neighbors="one")


@pytest.mark.parametrize("name", ["private_sum", "private_mean", "choose_clipping_bound"])
@pytest.mark.parametrize("wrong", [[np.nan], [1, np.inf], ["a"], [[1]], 1, None])
def test_values_that_are_no_finite_numbers_are_refused(name, wrong):
    function, _, options = CALLS[name]
    with pytest.raises(ValueError, match="values"):
        function(wrong, **options, epsilon=1)


@pytest.mark.parametrize("function", [private_sum, private_mean])
@pytest.mark.parametrize("interval", [(1, 1), (2, 1), (np.nan, 1), (0, np.inf), (None, 1)])
def test_wrong_bounds_are_refused(function, interval):
    lower, upper = interval
    with pytest.raises(ValueError, match=r"lower|upper"):
        function([1], lower=lower, upper=upper, epsilon=1)
    with pytest.raises(ValueError, match=r"lower|upper"):
        sum_sensitivity(lower, upper, neighbors="add_remove")
    with pytest.raises(ValueError, match="neighbors"):
        sum_sensitivity(0, 1, neighbors=None)


@pytest.mark.parametrize("wrong", [[], [1, 1], [2, 1], [[1, 2]], [1, np.nan], "ab", 3, None])
def test_wrong_candidates_are_refused(wrong):
    with pytest.raises(ValueError, match="candidates"):
        choose_clipping_bound([1], candidates=wrong, epsilon=1)
    with pytest.raises(ValueError, match="share"):
        choose_clipping_bound([1], candidates=[1, 2], epsilon=1, share=1)
