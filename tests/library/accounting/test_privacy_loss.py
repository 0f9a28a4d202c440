"""The law of the total loss, against dp_accounting, all events, and chapter 9's own bounds."""

import itertools
import math

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from hypothesis import given
from hypothesis import strategies as st

from dplib.accounting import RandomizedResponseRelease, exact_delta
from dplib.privacy_loss import composed_delta, composed_losses
from dplib.variants import rdp_to_dp, repeated_gaussian, zcdp_to_dp

pytestmark = pytest.mark.quick

weights = st.lists(st.floats(0.05, 1), min_size=3, max_size=3)


def law(given):
    return np.array(given) / sum(given)


def response(epsilon):
    truth = 1 / (1 + math.exp(-epsilon))
    return [truth, 1 - truth], [1 - truth, truth]


@pytest.mark.slow
@given(first=weights, second=weights, count=st.integers(1, 6), epsilon=st.floats(0, 3))
def test_delta_is_that_of_the_worst_event_over_all_runs_of_outcomes(first, second, count, epsilon):
    first, second = law(first), law(second)
    worst = [0.0, 0.0]
    for run in itertools.product(range(3), repeat=count):
        one, other = (math.prod(each[list(run)]) for each in (first, second))
        worst[0] += max(one - math.exp(epsilon) * other, 0)
        worst[1] += max(other - math.exp(epsilon) * one, 0)
    ours = composed_delta(first, second, count=count, epsilon=epsilon)
    assert ours == pytest.approx(max(worst), rel=1e-6, abs=1e-9)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 7, 30])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.5])
def test_delta_agrees_with_dp_accounting(count, epsilon):
    first, second = np.array([0.5, 0.3, 0.2]), np.array([0.4, 0.35, 0.25])
    logs = [dict(enumerate(np.log(each))) for each in (second, first)]
    bounds = []
    for pessimistic in (True, False):
        of_one = privacy_loss_distribution.from_two_probability_mass_functions(
            *logs, pessimistic_estimate=pessimistic, value_discretization_interval=1e-5
        )
        bounds.append(of_one.self_compose(count).get_delta_for_epsilon(epsilon))
    ours = composed_delta(first, second, count=count, epsilon=epsilon)
    assert bounds[1] - 1e-9 <= ours <= bounds[0] + 1e-9
    assert bounds[0] - bounds[1] < 1e-3


@pytest.mark.parametrize("count", [1, 3, 40])
def test_randomized_response_costs_what_the_accountant_says(count):
    ours = composed_delta(*response(0.4), count=count, epsilon=0.7)
    releases = [RandomizedResponseRelease(0.4, count)]
    assert ours == pytest.approx(exact_delta(releases, epsilon=0.7), rel=1e-3, abs=1e-12)


def test_the_law_of_the_loss_is_a_law_and_its_average_grows_with_the_answers():
    losses, chances = composed_losses(*response(0.3), count=50)
    assert len(losses) == 51 and chances.sum() == pytest.approx(1, rel=1e-12)
    assert losses[[0, -1]] == pytest.approx([-15, 15])
    once = composed_losses(*response(0.3))
    assert losses @ chances == pytest.approx(50 * (once[0] @ once[1]))


def test_an_outcome_that_one_table_cannot_give_costs_its_whole_probability():
    first, second = [0.01, 0.99], [0, 1]
    losses, chances = composed_losses(first, second, count=3)
    assert losses[-1] == math.inf and chances[-1] == pytest.approx(1 - 0.99**3)
    assert composed_delta(second, first, count=3, epsilon=2) == pytest.approx(1 - 0.99**3)
    # No Rényi curve says anything here: the divergence is infinite at each order.
    assert composed_delta([1, 0], [0, 1], count=2, epsilon=9) == 1


def test_the_conversions_are_bounds_above_the_exact_account():
    for count, epsilon in itertools.product((1, 10, 60), (0.1, 0.3)):
        rho = count * epsilon**2 / 2
        bound = zcdp_to_dp(rho, delta=1e-4)
        assert composed_delta(*response(epsilon), count=count, epsilon=bound) <= 1e-4
        assert bound <= rdp_to_dp(7, 7 * rho, delta=1e-4) * (1 + 1e-12)


@given(count=st.integers(1, 500), epsilon=st.floats(1e-6, 20), log=st.floats(0.1, 60))
def test_all_the_answers_together_spend_the_whole_budget(count, epsilon, log):
    sigmas = []

    class Source(np.random.Generator):
        def normal(self, loc=0.0, scale=1.0, size=None):
            sigmas.append(scale)
            return np.zeros(size)

    delta = math.exp(-log)
    rng = Source(np.random.PCG64())
    repeated_gaussian(0.0, l2_sensitivity=3, count=count, epsilon=epsilon, delta=delta, rng=rng)
    rho = count * 3**2 / (2 * np.max(sigmas) ** 2)
    assert zcdp_to_dp(rho, delta=delta) == pytest.approx(epsilon, rel=1e-9)


def test_arguments_out_of_range_are_named():
    good = {"first": [0.5, 0.5], "second": [0.4, 0.6], "count": 2, "epsilon": 0.1}
    for name, wrong in (
        ("first", [0.5, 0.6]),
        ("second", [0.5, 0.25, 0.25]),
        ("count", 0),
        ("count", 1.5),
        ("epsilon", -0.1),
        ("epsilon", math.nan),
    ):
        with pytest.raises(ValueError, match=name):
            composed_delta(**{**good, name: wrong})
