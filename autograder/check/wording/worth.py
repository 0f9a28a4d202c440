"""What a pass is worth: the smallest departures that its draws would have shown, in 99 of 100 runs.

`ville.worth` says how that is computed, from the exact laws.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ville.trial import Trial
from ville.worth import smallest_found

_LARGEST_FACTOR = math.log(20.0)  # of a factor
_MISSED = 0.01  # of the runs
_RAREST = 1e-5  # of the calls
_FEW = "too few calls to see a small departure"


def worth_of_noise(
    trial: Trial,
    rows_at: Callable[[float], Sequence[np.ndarray]],
    places: Sequence[int],
    draws: int,
    level: float,
    ties: int = 0,
) -> str:
    """Return the worth of a pass of noise.

    Args:
      rows_at: the cells' laws by row when the noise is so many times as large.
      places: the cell of an answer without noise, by row.
      draws: how many were judged.
      level: at which.
      ties: how many answers of a setting without noise a rule rejects; 0 without such a rule.
    """

    def off(sign: int) -> float | None:
        return smallest_found(
            trial, lambda step: rows_at(math.exp(sign * step)), draws, level, _LARGEST_FACTOR
        )

    wider, narrower = off(1), off(-1)
    share = _without(trial, places, draws, level)
    share = min(share or 1.0, _tied(draws / len(trial.settings), len(trial.settings), ties))
    said = []
    if wider and narrower:
        said.append(f"noise off by {_percent(max(math.expm1(wider), -math.expm1(-narrower)))}")
    return _sentence(said, share, "without it" if said else "without noise")


def worth_of_choices(trial: Trial, draws: int, level: float) -> str:
    """Return the worth of a pass of choices: what comes too often, and choices without chance."""
    null = trial.null()

    def rarer(size: float) -> list[np.ndarray]:
        """Return laws of which so large a share comes by even chances."""
        return [(1 - size) * row + size * (row > 0) / np.sum(row > 0) for row in null]

    mixed = smallest_found(trial, rarer, draws, level)
    share = _without(trial, [int(np.argmax(row)) for row in null], draws, level)
    said = [f"{_percent(mixed)} of the calls with even chances"] if (mixed or 1) < 0.5 else []
    return _sentence(said, share or 1.0, "without chance")


def _sentence(said: list[str], share: float, how: str) -> str:
    if share < 0.5:
        said = [*said, f"one call in {_two_digits(1 / share)} {how}"]
    return f"would have seen {', and '.join(said)}" if said else _FEW


def _without(trial: Trial, places: Sequence[int], draws: int, level: float) -> float | None:
    """Return the smallest share of calls that always give one cell, and are found."""
    null = trial.null()
    sure = [np.eye(len(row))[place] for row, place in zip(null, places, strict=True)]

    def mixed(size: float) -> list[np.ndarray]:
        return [(1 - size) * row + size * one for row, one in zip(null, sure, strict=True)]

    return smallest_found(trial, mixed, draws, level)


def _tied(answers: float, settings: int, ties: int) -> float:
    """Return the smallest share of exact calls of which a setting nearly always shows `ties`."""
    if not ties:
        return 1.0
    low, high = math.log(_RAREST), 0.0
    while high - low > 0.01:
        middle = (low + high) / 2
        missed = _fewer(answers * math.exp(middle), ties) ** settings
        low, high = (low, middle) if missed <= _MISSED else (middle, high)
    return math.exp(high)


def _fewer(mean: float, number: int) -> float:
    """Return the chance that fewer than so many come, by the law of rare events."""
    return sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(number))


def _percent(share: float) -> str:
    """Return a share, rounded up: the departure that is promised to be seen."""
    percent = 100 * share
    if percent >= 100:
        return f"a factor {1 + share:.2g} or more"
    return f"{math.ceil(percent - 1e-9):d} % or more" if percent >= 1 else "1 % or more"


def _two_digits(number: float) -> str:
    """Return a number, rounded down to two digits."""
    size = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return f"{math.floor(number / size) * size:,.0f}"
