"""Gaussian noise: how much is needed, its exact law, and what the old formula misses."""

import itertools
import math

import numpy as np
import pytest
from dp_accounting import get_sigma_gaussian
from hypothesis import given
from hypothesis import strategies as st
from laws import certified_epsilon, follows
from mechanisms import MECHANISMS
from scipy import integrate, stats

from dplib.gaussian import (
    analytic_gaussian_sigma,
    classical_gaussian_sigma,
    gaussian_delta,
    gaussian_mechanism,
    vector_gaussian,
    vector_laplace,
)
from dplib.variants import (
    gaussian_mechanism_rdp,
    gaussian_mechanism_zcdp,
    gaussian_renyi_divergence,
    repeated_gaussian,
)

pytestmark = pytest.mark.quick

DRAWS = 200_000
# The law of each one's noise with the parameters of MECHANISMS.
LAWS = {
    gaussian_mechanism: stats.norm(scale=2 * get_sigma_gaussian(0.5, 1e-6)),
    vector_gaussian: stats.norm(scale=3 * get_sigma_gaussian(4, 1e-3)),
    vector_laplace: stats.laplace(scale=6),
    gaussian_mechanism_rdp: stats.norm(scale=8),
    gaussian_mechanism_zcdp: stats.norm(scale=10),
    # ln(1/delta) is 1, so rho is 1 in all, and 1/8 for each: 1 + 2 * 1 = 3.
    repeated_gaussian: stats.norm(scale=4),
}
FUNCTIONS = {
    gaussian_delta: {"sigma": 1.0, "l2_sensitivity": 1.0, "epsilon": 1.0},
    classical_gaussian_sigma: {"l2_sensitivity": 1.0, "epsilon": 0.5, "delta": 1e-5},
    analytic_gaussian_sigma: {"l2_sensitivity": 1.0, "epsilon": 1.0, "delta": 1e-5},
}
PARAMETERS = [(function, name) for function, given in FUNCTIONS.items() for name in given]


@pytest.mark.parametrize(("function", "name"), PARAMETERS)
@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True])
def test_a_parameter_of_a_formula_is_named_too(function, name, wrong):
    with pytest.raises(ValueError, match=name):
        function(**{**FUNCTIONS[function], name: wrong})


@pytest.mark.parametrize("wrong", [1, 1.0, 2, 10])
def test_where_one_is_too_much(wrong):
    with pytest.raises(ValueError, match="delta"):
        gaussian_mechanism(3, l2_sensitivity=1, epsilon=1, delta=wrong)
    with pytest.raises(ValueError, match="epsilon"):
        classical_gaussian_sigma(l2_sensitivity=1, epsilon=wrong, delta=1e-5)


def test_order_one_is_refused():
    with pytest.raises(ValueError, match="order"):
        gaussian_mechanism_rdp(3, l2_sensitivity=1, order=1, epsilon_bar=1)


def test_noise_that_a_float_cannot_hold_is_refused():
    # 1e-300 / 1e200 is 0 in floating point: without noise there is no privacy.
    with pytest.raises(ValueError, match="sigma"):
        gaussian_mechanism_zcdp(3, l2_sensitivity=1e-300, rho=1e300)
    with pytest.raises(ValueError, match="sigma"):
        gaussian_delta(sigma=1e300, l2_sensitivity=1e-300, epsilon=1)
    with pytest.raises(ValueError, match="sigma"):
        analytic_gaussian_sigma(l2_sensitivity=1e300, epsilon=1e-300, delta=1e-12)
    with pytest.raises(ValueError, match="l2_sensitivity"):
        gaussian_mechanism_zcdp(3, l2_sensitivity=10**400, rho=1)
    with pytest.raises(ValueError, match="value"):
        gaussian_mechanism_zcdp(10**400, l2_sensitivity=1, rho=1)


@pytest.mark.parametrize("epsilon", [1e-100, 1e-20, 1e20, 1e100])
@pytest.mark.parametrize("delta", [5e-324, 1e-300, 0.5, 1 - 1e-16])
def test_far_out_the_analytic_sigma_is_still_found(epsilon, delta):
    given = {"l2_sensitivity": 1, "epsilon": epsilon}
    sigma = analytic_gaussian_sigma(**given, delta=delta)
    assert 0 < sigma < math.inf and 0 <= gaussian_delta(**given, sigma=sigma) <= 1


@pytest.mark.parametrize("mechanism", LAWS)
def test_the_noise_has_its_exact_law(mechanism):
    draws = mechanism(np.full(DRAWS, 5.0), **MECHANISMS[mechanism]) - 5
    assert follows(draws, LAWS[mechanism].cdf)


@pytest.mark.parametrize("mechanism", [gaussian_mechanism, vector_gaussian])
@pytest.mark.parametrize(("value", "epsilon"), [(0.0, 1.0), (1.0, 2.0)])
def test_the_noise_has_its_exact_law_at_another_claim_and_value(mechanism, value, epsilon):
    draws = mechanism(np.full(DRAWS, value), l2_sensitivity=1, epsilon=epsilon, delta=1e-2)
    assert follows(draws - value, stats.norm(scale=get_sigma_gaussian(epsilon, 1e-2)).cdf)


def test_the_l1_norm_of_a_vector_is_not_its_largest_entry():
    # Two entries that one person moves by 1 each: noise for a change of 1 costs twice the epsilon.
    wrong = np.random.default_rng().laplace(scale=1 / 0.5, size=DRAWS)
    right = vector_laplace(np.zeros(DRAWS), l1_sensitivity=2, epsilon=0.5)
    law = stats.laplace(scale=4).cdf
    assert follows(right, law) and not follows(wrong, law)


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1, 3.7, 40, 1e3])
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1, 5, 30])
def test_delta_is_the_integral_over_the_outputs(sigma, epsilon):
    # delta by definition: the integral of max(p - e^epsilon q, 0), p and q the normal densities.
    border = 0.5 - epsilon * sigma**2
    first, second = stats.norm(0, sigma), stats.norm(1, sigma)

    def gap(output):
        return first.pdf(output) - math.exp(epsilon + second.logpdf(output))

    places = [border - step * sigma for step in (0, 0.1, 0.5, 2, 8, 40)]
    pieces = [
        integrate.quad(gap, right, left, epsabs=0, epsrel=1e-12)[0]
        for left, right in itertools.pairwise(places)
    ]
    ours = gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=epsilon)
    # Where delta is tiny the integral cancels: the two densities agree to that many digits.
    assert ours == pytest.approx(sum(pieces), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1, 4, 30, 1000])
@pytest.mark.parametrize("delta", [1e-15, 1e-9, 1e-5, 0.01, 0.5, 0.9])
def test_the_analytic_sigma_is_dp_accountings(epsilon, delta):
    ours = analytic_gaussian_sigma(l2_sensitivity=3, epsilon=epsilon, delta=delta)
    assert ours == pytest.approx(3 * get_sigma_gaussian(epsilon, delta), rel=1e-9)


@pytest.mark.slow
@given(
    sensitivity=st.floats(1e-3, 1e3),
    log_epsilon=st.floats(-8, 4),
    log_delta=st.floats(-250, -0.01),
)
def test_the_analytic_sigma_keeps_its_delta_and_no_smaller_one_does(
    sensitivity, log_epsilon, log_delta
):
    epsilon, delta = 10**log_epsilon, 10**log_delta
    given = {"l2_sensitivity": sensitivity, "epsilon": epsilon}
    sigma = analytic_gaussian_sigma(**given, delta=delta)
    assert gaussian_delta(sigma=sigma, **given) <= delta * (1 + 1e-13)
    # What rounding adds, as the docstring says.
    slack = 1e-10 + 1e-12 * sigma / sensitivity
    assert gaussian_delta(sigma=sigma * (1 - slack), **given) > delta


@given(
    sigma=st.floats(0.01, 1e3),
    epsilon=st.floats(1e-3, 100),
    factor=st.floats(1.001, 10),
)
def test_delta_falls_with_epsilon_and_with_sigma(sigma, epsilon, factor):
    delta = gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=epsilon)
    higher_epsilon = gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=epsilon * factor)
    higher_sigma = gaussian_delta(sigma=sigma * factor, l2_sensitivity=1, epsilon=epsilon)
    # Near 1 they differ by less than rounding.
    bound = delta * (1 + 1e-15)
    assert 0 <= higher_epsilon <= bound and 0 <= higher_sigma <= bound <= 1 + 1e-15


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("delta", [1e-15, 1e-9, 1e-5, 0.01, 0.5, 0.99])
def test_the_classical_sigma_is_enough_below_one_and_never_least(epsilon, delta):
    given = {"l2_sensitivity": 2, "epsilon": epsilon}
    classical = classical_gaussian_sigma(**given, delta=delta)
    assert gaussian_delta(sigma=classical, **given) <= delta
    assert analytic_gaussian_sigma(**given, delta=delta) < classical


def test_the_classical_formula_fails_at_epsilon_ten():
    wrong = math.sqrt(2 * math.log(1.25 / 1e-5)) / 10
    delta = gaussian_delta(sigma=wrong, l2_sensitivity=1, epsilon=10)
    assert delta == pytest.approx(2.3e-5, rel=0.02)


def test_delta_is_not_how_often_the_loss_is_above_epsilon():
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5)
    # The loss is normal with mean 1 / (2 sigma^2) and standard deviation 1 / sigma.
    assert stats.norm(0.5 / sigma**2, 1 / sigma).sf(1) == pytest.approx(1.6e-4, rel=0.01)


def test_in_many_dimensions_gaussian_noise_is_the_smaller():
    # One person moves d entries by 1: d in L1, sqrt(d) in L2.
    for dimension, gaussian_wins in ((5, False), (100, True)):
        sigma = analytic_gaussian_sigma(l2_sensitivity=math.sqrt(dimension), epsilon=1, delta=1e-5)
        assert (sigma < math.sqrt(2) * dimension) is gaussian_wins


def test_an_audit_of_vector_laplace_and_of_noise_for_one_entry():
    # One person moves two entries by 1 each; the event: both are at most 0.
    def share(value, scale):
        pairs = vector_laplace(np.full((DRAWS, 2), value), l1_sensitivity=scale, epsilon=1)
        return int((pairs <= 0).all(axis=1).sum())

    # To fall below 0.8 takes more than twelve standard deviations of either share, below 1e-30.
    assert 0.8 <= certified_epsilon(share(0.0, 2), share(1.0, 2), DRAWS) <= 1
    assert certified_epsilon(share(0.0, 1), share(1.0, 1), DRAWS) > 1


def test_the_renyi_divergence_is_the_one_asked_for():
    for order in (1.5, 8, 100):
        # The sigmas of LAWS: 8 for (8, 0.25)-RDP, 10 for 0.02-zCDP.
        rdp = gaussian_renyi_divergence(2, sigma=8, order=order)
        zcdp = gaussian_renyi_divergence(2, sigma=10, order=order)
        assert rdp == pytest.approx(0.25 * order / 8, rel=1e-12)
        assert zcdp == pytest.approx(0.02 * order, rel=1e-12)
