"""The laws that figures draw are those of scipy."""

import numpy as np
import pytest
from scipy import stats

from dplib.plots.parts.laws import GaussianLaw, LaplaceLaw

PLACES = np.linspace(-9, 13, 201)
SHARES = np.array([1e-12, 0.1, 0.5, 0.9, 1 - 1e-12])


@pytest.mark.parametrize(
    ("ours", "peer"),
    [(LaplaceLaw(2.5, 3), stats.laplace(2.5, 3)), (GaussianLaw(2.5, 3), stats.norm(2.5, 3))],
)
def test_a_law_is_that_of_scipy(ours, peer):
    np.testing.assert_allclose(ours.pdf(PLACES), peer.pdf(PLACES), rtol=1e-12)
    np.testing.assert_allclose(ours.ppf(SHARES), peer.ppf(SHARES), rtol=1e-12)
    assert ours.median() == peer.median()


def test_the_distribution_function_is_that_of_scipy():
    law, peer = LaplaceLaw(2.5, 3), stats.laplace(2.5, 3)
    np.testing.assert_allclose(law.cdf(PLACES), peer.cdf(PLACES), rtol=1e-12)
