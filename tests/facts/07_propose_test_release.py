"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import dplib
from dplib.data import load_adult
from dplib.plots.local_sensitivity import median_errors

ADULT = load_adult()
CLERKS = ADULT[ADULT["Occupation"] == "Adm-clerical"]
FIVE = [20, 35, 41, 47, 90]
SIX = [23.3, 29.3, 29.7, 31.7, 41.3, 51.4]
SMOOTH = dplib.smooth_sensitivity_median(FIVE, lower=0, upper=99, beta=0.5)
TRADES = ADULT["Occupation"].value_counts()


def held(median, scale):
    """How likely Laplace noise of this scale leaves an answer from 40 to 42 hours."""
    ends = (40 - median) / scale, (42 - median) / scale
    below = [math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2 for z in ends]
    return below[1] - below[0]


FACTS = [
    # The worked number of the leak: noise of scale 9, and of scale 1, is 3 or more.
    math.exp(-3 / 9) / (1 + math.exp(-1 / 9)),
    math.exp(-3) / (1 + math.exp(-1)),
    math.exp(1),
    0.01,
    len(CLERKS),
    *SIX, dplib.local_sensitivity_median(SIX, lower=0, upper=99),
    2 * math.log(2),  # half of Laplace noise exceeds ln 2 of its scales
    49.5, 49.5 / 0.2, 7 * 24, 125 / 2,  # an even number of rows: half of the width
    math.log(1 / 2e-9) / 0.1,
    41 - 2 * SMOOTH, 41 + 2 * SMOOTH,
    held(41, 6), held(35, 12), math.e * held(35, 12),
    TRADES["Tech-support"], 30_000, 32563,
    8120, 0.11, 150, 1_000_000, 100 / 3,
]  # fmt: skip

# "The pure one is the best of all here": S is far below the bound where the test passes.
AGES = CLERKS["Age"].to_numpy()
for _epsilon in (0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1, 2):
    _law = {"lower": 0, "upper": 125, "delta": 1e-9}
    _errors = median_errors(AGES, bound=0.5, epsilon=_epsilon, **_law)
    if not _errors["smooth, pure"] == min(each for each in _errors.values() if each == each):
        raise ArithmeticError(f"at epsilon {_epsilon} another median is better: {_errors}")
    _passes = not math.isnan(_errors["propose, test"])
    _beta = _epsilon / 2
    if _passes and not dplib.smooth_sensitivity_median(AGES, lower=0, upper=125, beta=_beta) < 0.1:
        raise ArithmeticError(f"at epsilon {_epsilon} S is not far below 0.5")
