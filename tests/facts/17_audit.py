"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np
from scipy import stats
from scipy.special import betaincinv

import dplib

LOW = betaincinv(1000, 1, 0.025)
SURE = betaincinv(100, 1, 0.0125)
PLACES = np.arange(-60, 61)
CHANCES = np.exp(-np.abs(PLACES) / 3) * np.array([0.95, 0.955, 1.14])[np.abs(PLACES) % 3]
ABOVE = np.cumsum(CHANCES[::-1])[::-1]  # of "at least c", without the ends at 60
HALF_LINES = np.log(ABOVE[:-1] / ABOVE[1:])[1:-30]

# "200 guesses that are all right certify no more than 4.19, as 2,200 would certify 6.6": the chance
# q^guesses of so many is 5 % at q = e^epsilon / (1 + e^epsilon).
ALL_RIGHT = [math.log(q / (1 - q)) for q in (0.05 ** (1 / guesses) for guesses in (200, 2200))]

FACTS = [
    17450, 17449, 2000, 0.025, 1000, 0.9999, 0.999, 16_000, 400, 200, 100, 250, 120, 100_000,
    200_000, 1100,
    LOW, 1 - LOW, math.log(LOW / (1 - LOW)),
    0.7311, 0.2689, math.log(0.7311 / 0.2689), math.log(0.95 / 0.05),
    SURE, 1 - SURE, 2 * SURE - 1, 0.0125,
    26096, (math.e - 1 + 2e-5) / (math.e + 1),
    dplib.attack_epsilon(0.3, 0.01, delta=0.1), dplib.attack_epsilon(0.99, 0.4),
    dplib.sampled_gaussian_epsilon(rate=0.5, sigma=8, rounds=20, delta=1e-5), 1e-5,
    dplib.sampled_gaussian_epsilon(rate=0.5, sigma=0.8, rounds=20, delta=1e-5),
    99.99999999, 0.21,  # Tramèr and others (2022), abstract
    2 * math.exp(4), 2 * math.exp(5),  # Laplace noise of scale 1 exceeds 4, and 5
    (CHANCES / CHANCES.sum())[62], math.tanh(1 / 6) * math.exp(-2 / 3), 1 / 3, 2638,
    float(HALF_LINES.max()), *ALL_RIGHT, 2200,
]  # fmt: skip

# "The last model alone costs an epsilon of about 20": a canary inside is in some of 20 batches,
# which the noise of 0.8 clipping bounds hides in each round.
_NOISE = stats.norm(0, 0.8 * math.sqrt(20))
_SCORES = np.linspace(-60, 80, 400_001)
_INSIDE = sum(stats.binom.pmf(k, 20, 0.5) * _NOISE.pdf(_SCORES - k) for k in range(21))
_OUTSIDE = _NOISE.pdf(_SCORES)


def _delta(epsilon):
    """The larger delta of the two directions, by a sum over the scores."""
    excess = _INSIDE - math.exp(epsilon) * _OUTSIDE, _OUTSIDE - math.exp(epsilon) * _INSIDE
    return max(np.maximum(each, 0).sum() for each in excess) * (_SCORES[1] - _SCORES[0])


if not _delta(20) > 1e-5 > _delta(21):
    raise ArithmeticError("the last model costs another epsilon")
