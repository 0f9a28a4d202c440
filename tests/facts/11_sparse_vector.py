"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np
from scipy import stats

import dplib
from dplib.data import load_adult
from dplib.outcome_laws import VARIANTS, above_threshold_probabilities, sparse_probabilities
from dplib.plots.sparse_vector import window_counts

ADULT = load_adult()
AGES, HOURS = ADULT["Age"].to_numpy(), ADULT["Hours per week"].to_numpy()
QUESTIONS = [(a, h) for a in range(90, 40, -2) for h in range(98, 18, -2)]
ANSWERS = [int(((a <= AGES) & (h <= HOURS)).sum()) for a, h in QUESTIONS]
SIGMA = dplib.analytic_gaussian_sigma(l2_sensitivity=math.sqrt(1000), epsilon=1, delta=1e-5)


def two_laws(answers):
    """In hundredths: the law of above threshold at epsilon 1, and of monotone answers."""
    law = {"threshold": 0, "threshold_scale": 2}
    for scale in (4, 2):
        yield 100 * above_threshold_probabilities(answers, **law, answer_scale=scale)


FACTS = [
    1000, 7037, 5000, 300, 1e-15, 0.001, 0.012, 384, 365, 128, 131_072, 524_288, 99_999, 149_996,
    10_000, 30_000, len(ADULT), 2.718, 200,
    1000 * math.log(1000 / 0.05),
    ANSWERS[QUESTIONS.index((60, 30))], ANSWERS[QUESTIONS.index((62, 20))],
    SIGMA, 480, *window_counts(ADULT), ADULT["Capital Gain"].mean(),
]  # fmt: skip

# The right answer for 5,000 people, and where Karrie (56 years, 40 hours) is counted.
if QUESTIONS[int(np.argmax(np.array(ANSWERS) >= 5000))] != (60, 30):
    raise ArithmeticError("another question is the first with 5,000 people")
if sum(a <= 56 and h <= 40 for a, h in QUESTIONS) != 88:
    raise ArithmeticError("Karrie is in another number of answers")
_counted = np.array([a <= 56 and h <= 40 for a, h in QUESTIONS])
_place = QUESTIONS.index((56, 24))
_law = {"threshold": 7037, "threshold_scale": 2, "answer_scale": 4}
_with, _without = (
    100 * above_threshold_probabilities(each, **_law)[_place : _place + 2]
    for each in (np.array(ANSWERS), np.array(ANSWERS) - _counted)
)
_first, _second = two_laws([-5, 0, 5])
_bound, _ = two_laws([-1, 0])
_pair = {"threshold": 0, "count": 2, "threshold_scale": 1, "answer_scale": 2}
for _given, _came in (
    (50, _with[0]), (49, _with[1]), (42, _without[0]), (57, _without[1]),
    (39, _first[1]), (33, _first[2]), (10, _first[3]),
    (42, _second[1]), (41, _second[2]), (7, _second[3]),
    (42, _bound[0]),
    (85, 100 * sparse_probabilities([5, -5, 5], **_pair)[0, 2]),
    # All thousand within 480 people, 19 times in 20: each is outside with a chance of 0.05 / 1000.
    (480, SIGMA * stats.norm.isf(0.05 / 2000)),
    (0.62, VARIANTS[5].probability([0, 1], [False, True], threshold=0, epsilon=1)
     / VARIANTS[5].probability([0, 2], [False, True], threshold=0, epsilon=1)),
):  # fmt: skip
    if not math.isclose(_given, _came, abs_tol=max(0.5, 0.01 * _given) if _given > 1 else 0.005):
        raise ArithmeticError(f"the text says {_given}, and it is {_came}")

# About 40 runs of 100 find the right answer at epsilon 0.05, and at 0.035 with half of the noise.
_rng = np.random.default_rng(11)
for _law in ({"epsilon": 0.05}, {"epsilon": 0.035, "monotone": True}):
    _runs = [dplib.above_threshold(ANSWERS, threshold=5000, **_law, rng=_rng) for _ in range(2000)]
    if not 0.36 < np.mean([run == QUESTIONS.index((60, 30)) for run in _runs]) < 0.44:
        raise ArithmeticError(f"another share of the runs is right with {_law}")

# The histogram of two-year by two-hour cells: its worst sum of cells, 19 times in 20.
_cells = _rng.laplace(size=(2000, 25, 40)).cumsum(axis=1).cumsum(axis=2)
if not 90 < np.quantile(np.abs(_cells).max(axis=(1, 2)), 0.95) < 110:
    raise ArithmeticError("the histogram's sums are off by another number of people")
