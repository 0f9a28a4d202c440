"""The exact sigma and delta of chapter 06's claims, against independent sources."""

import math

import numpy as np
import pytest
from dp_accounting import get_sigma_gaussian
from scipy import integrate, stats

from autograder.check.claims import CLAIMS
from autograder.check.claims.approximate._gaussian_noise import exact_delta, exact_sigma
from autograder.check.claims.approximate.classical_sigma_counterexample import true_delta


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("distance", [0.3, 1.0, 4.0])
def test_the_exact_delta_is_the_integral_of_its_definition(epsilon, distance):
    # delta = the integral of max(p - exp(epsilon) q, 0), for two normal laws of deviation 1.
    start = distance / 2 - epsilon / distance

    def excess(x):
        return stats.norm.pdf(x) - math.exp(epsilon) * stats.norm.pdf(x, distance)

    delta, _ = integrate.quad(excess, start - 14, start, epsabs=0, epsrel=1e-12, limit=200)
    assert exact_delta(distance, epsilon) == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 3.0, 12.0])
@pytest.mark.parametrize("delta", [1e-8, 1e-4, 0.1, 0.4])
def test_the_exact_sigma_agrees_with_another_library(epsilon, delta):
    # dp_accounting stops its search at an absolute error of about 1e-7.
    assert exact_sigma(epsilon, delta) == pytest.approx(
        get_sigma_gaussian(epsilon, delta), rel=1e-5
    )
    assert exact_delta(1 / exact_sigma(epsilon, delta), epsilon) == pytest.approx(delta, rel=1e-9)


def test_the_known_figures():
    # The classical formula at (10, 1e-5) has delta 2.3e-5; the loss of the tight noise at (1, 1e-5)
    # is above 1 with probability 1.6e-4.
    assert true_delta(10, 1e-5) == pytest.approx(2.3e-5, rel=0.02)
    distance = 1 / exact_sigma(1, 1e-5)
    assert stats.norm.cdf(distance / 2 - 1 / distance) == pytest.approx(1.6e-4, rel=0.02)


@pytest.mark.parametrize("name", ["repeated_gaussian"])
def test_cells_of_gaussian_noise_have_the_probabilities_that_are_claimed(name):
    claim = CLAIMS[name]
    for setting in claim.trial(np.random.default_rng()).settings:
        ends = np.concatenate([[-np.inf], claim._edges(setting.parameters), [np.inf]])
        wanted = np.diff(stats.norm.cdf(ends, scale=claim.scale(setting.parameters)))
        for row in setting.rows:
            assert row == pytest.approx(wanted, rel=1e-10)
