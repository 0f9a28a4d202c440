"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np

import dplib
from dplib.data import DOMAINS, load_adult
from dplib.outcome_laws import noisy_max_probabilities

ADULT = load_adult()
STATUS = ADULT["Marital Status"].value_counts()
PEOPLE = np.bincount(ADULT["Age"], minlength=126)


def mean_gap(lead, scale):
    """The mean size of a lead plus the difference of two Laplace draws, by their density."""
    places = np.linspace(-60 * scale, 60 * scale, 400_001)
    density = (1 + abs(places) / scale) * np.exp(-abs(places) / scale) / (4 * scale)
    return float(np.trapezoid(abs(lead + places) * density, places))


def chosen_error(epsilon):
    """How far the chosen median is off, on average."""
    below = PEOPLE.cumsum()
    scores = np.minimum(below, len(ADULT) - below + PEOPLE)
    law = {"sensitivity": 1, "epsilon": epsilon, "monotone": True}
    return float(dplib.selection_probabilities(scores, **law) @ abs(np.arange(126) - 41))


def summed_error(epsilon, runs=20_000):
    """How far the median of a noisy histogram is off, on average, in a simulation."""
    noise = np.random.default_rng(10).laplace(scale=1 / epsilon, size=(runs, 126))
    ranks = (PEOPLE + noise).cumsum(axis=1)
    return float(abs((ranks >= ranks[:, -1:] / 2).argmax(axis=1) - 41).mean())


JOBS = ADULT["Occupation"].fillna("Missing").value_counts()
OF_JOBS = dplib.selection_probabilities(JOBS, sensitivity=1, epsilon=0.01, monotone=True)

FACTS = [
    126, 1000, 10_000, 1420, 1400, 709, 120, 200, 0.001, 710, 2.718,
    math.log(1000),
    7488, STATUS.iloc[0] - STATUS.iloc[1],
    mean_gap(2, 2),
    noisy_max_probabilities([0, 0], scale=1)[0] / noisy_max_probabilities([0, 1], scale=1)[0],
]  # fmt: skip

# The table of errors, and the other numbers of two digits.
for _given, _came in (
    *(((0.02, 0.41, 1.80)[k], chosen_error(10.0 ** -(k + 1))) for k in range(3)),
    *(((0.41, 1.09, 12.3)[k], summed_error(10.0 ** -(k + 1))) for k in range(3)),
    (5.3, dplib.zcdp_to_dp(0.5, delta=1e-5)),
    (40, JOBS.iloc[0] - JOBS.iloc[1]),
    (0.73, dplib.selection_probabilities([0, 2], sensitivity=1, epsilon=1)[1]),
    (0.82, dplib.permute_and_flip_probabilities([0, 2], sensitivity=1, epsilon=1)[1]),
    # Monotone: the same as twice the epsilon.
    (0.93, dplib.permute_and_flip_probabilities([0, 2], sensitivity=1, epsilon=2)[1]),
    (0.72, noisy_max_probabilities([0, 2], scale=2)[1]),
    (0.86, noisy_max_probabilities([0, 2], scale=1)[1]),
):
    if not math.isclose(_given, _came, rel_tol=0.02, abs_tol=0.005):
        raise ArithmeticError(f"the text says {_given}, and it is {_came}")

# "Seven kinds of marital status", "16 public ones", e^7488 is half of the largest count.
if len(STATUS) != 7 or len(DOMAINS["Occupation"]) != 16 or STATUS.iloc[0] // 2 != 7488:
    raise ArithmeticError("the table has other categories")
FACTS += [12.3, 1.09, 0.41, 1.80, 125, len(ADULT)]

# "A wrong choice is nearly always one of the next two jobs, and they are hardly smaller."
if OF_JOBS[1:3].sum() < 0.95 * (1 - OF_JOBS[0]) or JOBS.iloc[2] < 0.98 * JOBS.iloc[0]:
    raise ArithmeticError("a wrong choice is often another job")

# "The histogram of section 1 loses 0.36 and lies between", for the 32 people.
_group = ADULT[(ADULT["Age"] == 56) & (ADULT["Marital Status"] == "Never-married")]
_counts = _group["Occupation"].fillna("Missing").value_counts()
_counts = _counts.reindex(list(DOMAINS["Occupation"]), fill_value=0).to_numpy(float)
_loss = _counts.max() - noisy_max_probabilities(_counts, scale=1) @ _counts
if round(_loss, 2) != 0.36:
    raise ArithmeticError(f"the largest noisy count loses {_loss}")

# "Up to five choices cost 0.1 each by addition ... From six on the exponential ones cost less."
for _choices in range(1, 101):
    _together = dplib.zcdp_to_dp(_choices * 0.1**2 / 8, delta=1e-5)
    if (_together < _choices * 0.1) != (_choices >= 6):
        raise ArithmeticError(f"{_choices} choices by the exponential mechanism cost {_together}")
