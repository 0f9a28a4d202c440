"""Chapter 09's references against other ways to the same number."""

import math

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from scipy import integrate

from autograder.check.claims import CLAIMS
from autograder.check.claims.variants import total_guarantee
from autograder.check.claims.variants.not_concentrated_counterexample import hockey_stick
from dplib.accounting.losses import LaplaceRelease


@pytest.mark.parametrize("order", [1.5, 3.0, 16.0])
def test_the_gaussian_and_laplace_curves_are_the_integrals_of_the_definition(order):
    def normal(x):
        return -((x) ** 2) / 2 / 1.7**2 - math.log(1.7 * math.sqrt(2 * math.pi))

    def double(x):
        return -abs(x) / 1.3 - math.log(2 * 1.3)

    # Both are 1 / amount away from a neighbor of sensitivity 1: sigma 1.7, and epsilon 1 / 1.3.
    for log_density, curve in (
        (normal, total_guarantee.gaussian(order, 1.7)),
        (double, total_guarantee.laplace(order, 1 / 1.3)),
    ):
        moment, _ = integrate.quad(
            lambda x, density=log_density: math.exp(
                order * density(x - 1) + (1 - order) * density(x)
            ),
            -60,
            60,
            points=[0, 1, order],
            limit=400,
        )
        assert curve == pytest.approx(math.log(moment) / (order - 1), rel=1e-8)


def test_the_laplace_curve_agrees_with_the_library_s_accountant():
    release = LaplaceRelease(1 / 0.7)
    for order in (1.5, 2.0, 8.0):
        expected = release.log_moment(order - 1) / (order - 1)
        assert total_guarantee.laplace(order, 0.7) == pytest.approx(float(expected), rel=1e-9)


def test_a_claim_about_a_formula_refuses_infinity():
    claim = CLAIMS["total_guarantee"]
    cases = claim.cases(np.random.default_rng())
    for p in cases:
        assert not claim.close(math.inf, claim.value(claim.reference, p))


def test_the_hockey_stick_is_the_worst_of_all_events():
    generator = np.random.default_rng()
    from fractions import Fraction

    for _ in range(20):
        laws = generator.dirichlet(np.ones(5), 2)
        fractions = [[Fraction(float(each)) for each in law] for law in laws]
        epsilon = generator.uniform(0.05, 2)
        events = (np.arange(32)[:, None] >> np.arange(5)) & 1
        worst = (events @ laws[0] - math.exp(epsilon) * (events @ laws[1])).max()
        assert hockey_stick(*fractions, epsilon) == pytest.approx(worst, abs=1e-12)


@pytest.mark.long
def test_the_exact_account_agrees_with_dp_accounting():
    """dp_accounting rounds each loss up to a grid, or down: the exact delta lies between."""
    claim = CLAIMS["composed_delta"]
    for p in claim.cases(np.random.default_rng()):
        bounds = []
        for pessimistic in (True, False):
            deltas = [
                privacy_loss_distribution.from_two_probability_mass_functions(
                    *(
                        {k: math.log(each) for k, each in enumerate(law.tolist()) if each > 0}
                        for law in laws
                    ),
                    pessimistic_estimate=pessimistic,
                    value_discretization_interval=5e-5,
                )
                .self_compose(p["count"])
                .get_delta_for_epsilon(p["epsilon"])
                for laws in ((p["second"], p["first"]), (p["first"], p["second"]))
            ]
            bounds.append(max(deltas))
        ours = claim.value(claim.reference, p)
        assert bounds[1] - 1e-9 <= ours <= bounds[0] + 1e-9
        assert bounds[0] - bounds[1] < 5e-3
