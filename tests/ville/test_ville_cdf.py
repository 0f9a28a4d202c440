"""`laws.follows` and `laws.certified_epsilon` reject wrong noise: the library's tests, which judge
their draws by them, need none of their own.
"""

import numpy as np
import pytest
from laws import certified_epsilon, discrete_gaussian_cdf, discrete_laplace_cdf, follows
from scipy import stats

pytestmark = pytest.mark.quick

DRAWS = 200_000
RNG = np.random.default_rng()


def zero_with_two_signs(size):
    """Whole Laplace noise of scale 1, if a negative zero is not drawn again."""
    draws = RNG.geometric(1 - np.exp(-1), size) - RNG.geometric(1 - np.exp(-1), size)
    return np.where(RNG.random(size) < (1 - np.exp(-1)) / 2, 0, draws)


LAPLACE, GAUSSIAN = stats.laplace(scale=10).cdf, stats.norm(scale=10).cdf
WHOLE = discrete_laplace_cdf(1.0)
WRONG = {
    "epsilon as the scale": (lambda: RNG.laplace(scale=0.1, size=DRAWS), LAPLACE),
    "7 % too much": (lambda: RNG.laplace(scale=10.7, size=DRAWS), LAPLACE),
    "Gaussian for Laplace": (lambda: RNG.normal(scale=10, size=DRAWS), LAPLACE),
    "another centre": (lambda: RNG.laplace(loc=0.3, scale=10, size=DRAWS), LAPLACE),
    "rounded for whole": (lambda: np.round(RNG.laplace(size=DRAWS)), WHOLE),
    "one side alone": (
        lambda: RNG.geometric(1 - np.exp(-1), size=DRAWS),
        discrete_laplace_cdf(1.0),
    ),
    "a zero with two signs": (lambda: zero_with_two_signs(DRAWS // 10), WHOLE),
    "the variance as the deviation": (lambda: RNG.normal(scale=100, size=DRAWS // 10), GAUSSIAN),
    "7 % too little": (lambda: RNG.normal(scale=9.3, size=DRAWS // 10), GAUSSIAN),
    "one noise for all": (lambda: np.full(DRAWS // 10, RNG.normal(scale=10)), GAUSSIAN),
    "rounded Gaussian": (
        lambda: np.round(RNG.normal(scale=0.3**0.5, size=DRAWS)),
        discrete_gaussian_cdf(0.3),
    ),
    "cut to whole numbers": (
        lambda: np.trunc(RNG.normal(scale=10, size=DRAWS)),
        discrete_gaussian_cdf(100),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", WRONG)
def test_wrong_noise_is_rejected(mistake):
    draw, law = WRONG[mistake]
    assert not follows(draw(), law)


def test_halved_noise_is_certified_above_its_claim():
    below = [(RNG.laplace(value, 0.5, DRAWS) <= 0).sum() for value in (0, 1)]
    # The true epsilon is 2; the bound loses about six standard deviations of 0.01.
    assert certified_epsilon(*below, DRAWS) > 1
