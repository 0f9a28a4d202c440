"""Divergences and conversions, against dp_accounting and exact laws."""

import math

import numpy as np
import pytest
from dp_accounting.rdp import compute_epsilon
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from dplib.guarantees import ORDERS, PureDP, ZeroConcentratedDP
from dplib.variants import (
    best_order,
    gaussian_renyi_divergence,
    max_divergence,
    rdp_to_dp,
    renyi_divergence,
    zcdp_to_dp,
)

pytestmark = pytest.mark.quick

epsilons = st.floats(0.01, 8)


deltas = st.floats(1e-12, 0.4)


rhos = st.floats(1e-4, 4)


def randomized_response(epsilon):
    """The two laws that no epsilon-private mechanism pulls further apart."""
    yes = 1 / (1 + math.exp(-epsilon))
    return np.array([yes, 1 - yes]), np.array([1 - yes, yes])


@given(epsilon=epsilons)
def test_a_pure_guarantee_bounds_the_divergences_of_randomized_response_and_is_met_by_it(epsilon):
    first, second = randomized_response(epsilon)
    assert max_divergence(first, second) == pytest.approx(epsilon, rel=1e-9)
    curve = PureDP(epsilon).to_rdp()
    for order, bound in zip(curve.orders, curve.epsilons, strict=True):
        exact = renyi_divergence(first, second, order=order)
        assert bound == pytest.approx(exact, rel=1e-9, abs=1e-12)
        # Bun & Steinke's proposition is weaker, and the naive bound epsilon weaker still.
        assert bound <= PureDP(epsilon).to_zcdp().rho * order * (1 + 1e-9)
        assert bound <= epsilon * (1 + 1e-9)


@pytest.mark.slow
@given(rho=rhos, delta=deltas)
def test_conversion_of_a_curve_agrees_with_dp_accounting(rho, delta):
    curve = ZeroConcentratedDP(rho).to_rdp()
    ours = curve.to_approximate(delta=delta).epsilon
    theirs, order = compute_epsilon(curve.orders, curve.epsilons, delta)
    # dp_accounting also has a shortcut (epsilon 0) for curves near 0, which we leave out.
    if theirs > 0:
        assert ours == pytest.approx(theirs, rel=1e-9)
        assert curve.best_order(delta=delta) == order
    fine = ZeroConcentratedDP(rho).to_rdp(orders=np.geomspace(1.001, 2000, 2000))
    assert fine.to_approximate(delta=delta).epsilon <= zcdp_to_dp(rho, delta=delta) * (1 + 1e-9)


@given(rho=rhos, delta=deltas)
def test_zcdp_converts_as_its_best_order_does(rho, delta):
    def epsilon(log_excess):
        order = 1 + math.exp(log_excess)
        return rdp_to_dp(order, rho * order, delta=delta)

    best = optimize.minimize_scalar(epsilon, bounds=(-12, 12), method="bounded")
    assert zcdp_to_dp(rho, delta=delta) == pytest.approx(best.fun, rel=1e-5)
    assert zcdp_to_dp(rho, delta=delta) <= best.fun * (1 + 1e-9)


def test_best_order_is_the_minimum_of_the_simple_conversion():
    curve = ZeroConcentratedDP(0.1).to_rdp()
    order = best_order(curve.orders, curve.epsilons, delta=1e-5)
    values = [rdp_to_dp(each, 0.1 * each, delta=1e-5) for each in ORDERS]
    assert order == ORDERS[int(np.argmin(values))] == 12


@pytest.mark.long
@pytest.mark.slow
@given(sigma=st.floats(0.3, 5), distance=st.floats(0.1, 3), order=st.floats(1.1, 6))
def test_the_divergence_of_two_normal_laws_by_quadrature(sigma, distance, order):
    places = np.linspace(-40 * sigma * order, 40 * sigma * order, 200_001)
    first = stats.norm(distance, sigma).logpdf(places)
    second = stats.norm(0, sigma).logpdf(places)
    # The integral may be above the largest float, so it stays a logarithm.
    integral = special.logsumexp(order * first + (1 - order) * second) + math.log(
        np.ptp(places[:2])
    )
    ours = gaussian_renyi_divergence(distance, sigma=sigma, order=order)
    assert ours == pytest.approx(integral / (order - 1), rel=1e-6, abs=1e-9)


def test_divergences_where_an_output_is_impossible():
    assert max_divergence([0.5, 0.5, 0], [0.25, 0.75, 0]) == pytest.approx(math.log(2))
    assert max_divergence([0.5, 0.5], [1, 0]) == math.inf
    assert renyi_divergence([0.5, 0.5], [1, 0], order=2) == math.inf
    assert renyi_divergence([1, 0], [0.5, 0.5], order=2) == pytest.approx(math.log(2))
    for wrong in ([0.5, 0.6], [1.5, -0.5], [], [math.nan, 1], [[0.5, 0.5]]):
        with pytest.raises(ValueError, match="first"):
            max_divergence(wrong, [0.5, 0.5])
    with pytest.raises(ValueError, match="order"):
        renyi_divergence([1, 0], [0.5, 0.5], order=1)
