"""What the text of the chapter says in numbers that no cell of it prints."""

import math
from statistics import NormalDist

import numpy as np

from autograder.check.claims.sensitivity.mean_interval import shortest_reach
from dplib import sum_sensitivity
from dplib.data import load_adult
from dplib.plots.sensitivity import clipping_errors, mean_error

ADULT = load_adult()
GAIN, AGES = ADULT["Capital Gain"], ADULT["Age"]

_Q = math.exp(-0.1)


def _coverage(reach):
    """How often whole noise of epsilon 0.1 is no further from 0."""
    return 1 - 2 * _Q ** (reach + 1) / (1 + _Q)


# The worked number of the mean: 68 - 2**2 is the variance, of 400 people.
_REACH = shortest_reach(math.sqrt(64 / 400), 0.5, 0.8)

FACTS = [
    _coverage(30),
    _coverage(29),
    2 + _REACH,
    2 - _REACH,
    NormalDist().inv_cdf(0.9),
    len(ADULT),
    (GAIN > 0).sum(),
    GAIN.max(),
    (GAIN.max() == GAIN).sum(),
    GAIN[ADULT["Name"] == "Karrie Trusslove"].iloc[0],
    100 * 99_999 * (GAIN == 99_999).sum() / GAIN.sum(),
    100 * (1 - GAIN.clip(upper=20_000).sum() / GAIN.sum()),
    sum_sensitivity(0, 125, neighbors="add_remove"),
    sum_sensitivity(0, 125, neighbors="add_remove") / 0.1,
    # The worked number of the leak: noise of scale 1 is 0 or more, or 3 or more.
    1 / (1 + math.exp(-1)),
    math.exp(-3) / (1 + math.exp(-1)),
    math.exp(3),
    # Examples of people and amounts that could be.
    120, 400, 1000, 1_000_000, 310_000, 5_000, 10_000, 20_000, 50_000, 100_000,
    # The worked number of choose_clipping_bound.
    52.1, 41.3, 52.1 + 41.3 + 3.2 + 0.9, 0.95 * 97.5, 52.1 + 41.3,
]  # fmt: skip


def best_bound(epsilon):
    """The bound of least total error for Capital Gain, and the share of the sum that it loses."""
    stops = np.arange(1_000.0, 100_001, 1_000)
    bound = stops[clipping_errors(GAIN, bounds=stops, epsilon=epsilon)[2].argmin()]
    return bound, 1 - GAIN.clip(upper=bound).sum() / GAIN.sum()


# "At ε = 0.1 nothing has to be cut. At ε = 0.001 it is better to lose half of the sum."
if not best_bound(0.1)[1] < 0.01 or not 0.45 < best_bound(0.001)[1] < 0.6:
    raise ArithmeticError("the best bounds lose other shares of the sum")
# "The smallest candidates that 99 % of the people respect."
for _values, _below, _bound in ((GAIN, 10_000, 20_000), (AGES, 80, 100)):
    if not (_values <= _below).mean() < 0.99 <= (_values <= _bound).mean():
        raise ArithmeticError(f"99 % do not begin between {_below} and {_bound}")
# "A mean from 126 noisy counts is more than three times as far off": at epsilon 0.02.
_rng, _far = np.random.default_rng(5), np.arange(126) - 62.5
_counts = np.bincount(AGES, minlength=126) + _rng.laplace(scale=1 / 0.02, size=(5000, 126))
_sums = (AGES - 62.5).sum() + _rng.laplace(scale=62.5 / 0.01, size=5000)
_centered = _sums / (len(AGES) + _rng.laplace(scale=1 / 0.01, size=5000))
_exact = AGES.mean() - 62.5
_from_counts = _counts @ _far / _counts.sum(axis=1)


def _off(means):
    """The root-mean-square error of noisy means, the measure of this section."""
    return np.sqrt(np.mean((means - _exact) ** 2))


if not 3.3 < _off(_from_counts) / _off(_centered) < 3.9:
    raise ArithmeticError("the mean of a histogram is off by another factor")
# "Centering halves the error": with half of epsilon for each.
_law = {"lower": 0, "upper": 125, "share": 0.5, "epsilon": 0.02}
_halved = [mean_error(AGES, center=center, **_law) for center in (0, 62.5)]
if not 1.8 < _halved[0] / _halved[1] < 2.4:
    raise ArithmeticError("centering does not halve the error")
