"""Reads an answer to a task as numbers, and says what came in place of what should have come."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.words import counted, number
from ville.law import Law
from ville.outcomes import Choice


def seen_number(law: Law, came: np.ndarray, where: str) -> tuple[float, str]:
    """Return how far off some numbers are, and the words for it."""
    middle, size = law.middle_and_size()
    low, median, high = np.quantile(came, [0.25, 0.5, 0.75])
    off = abs(median - middle) / size + abs(np.log(max((high - low) / 2, 1e-9) / size))
    return off, (
        f"half of the answers{where} should lie within {number(size)} of {number(middle)}, "
        f"half of yours lie between {number(low)} and {number(high)}"
    )


def seen_choice(law: Choice, came: np.ndarray, where: str) -> tuple[float, str]:
    """Return how far off the most telling outcome is, and the words for it."""
    listed, chances = list(law.probabilities), np.array(list(law.probabilities.values()))
    shares = np.bincount(came.astype(int), minlength=len(listed)) / max(len(came), 1)
    off = np.abs(shares - chances) / np.sqrt(np.maximum(chances * (1 - chances), 1e-9))
    place = int(np.argmax(off))
    return float(off[place]), (
        f"{listed[place]} should come in {100 * chances[place]:.3g} % of the answers{where}, "
        f"and came in {100 * shares[place]:.3g} % of {counted(len(came), 'answer')}"
    )


def place_of(answer: Any, places: Mapping[Hashable, int]) -> float:
    """Return the place of an outcome among those that may come."""
    if isinstance(answer, np.ndarray) and answer.size == 1:
        answer = answer.item()
    try:
        return float(places[answer])
    except (KeyError, TypeError):
        raise BadAnswer(
            "it returns what is not among the possible answers",
            seen=f"it returned {str(answer)[:60]}",
            ask="which values may come back, by the task?",
        ) from None


def as_numbers(answer: Any, wanted: int) -> np.ndarray:
    """Return an answer of several numbers as an array."""
    try:
        found = np.asarray(answer, dtype=float).ravel()
    except (TypeError, ValueError):
        found = np.zeros(0)
    if len(found) != wanted:
        raise BadAnswer(
            f"{wanted} numbers are wanted",
            seen=f"it returned {' '.join(str(answer).split())[:60]}, a {type(answer).__name__}",
            ask="which numbers does the task ask for, in which order?",
        )
    if not np.isfinite(found).all():
        raise BadAnswer(
            "an answer is not a finite number",
            seen=f"it returned {found}",
            ask="which step divides by zero, or takes the logarithm of zero?",
        )
    return found


def cells_of(law: Law | Choice, cells: Any, answers: np.ndarray) -> np.ndarray:
    """Return each answer's cell; a failed call (NaN, at most one a run) counts as a usual one."""
    if isinstance(law, Choice):
        return np.nan_to_num(answers).astype(int)
    if np.isnan(answers).any():
        answers = np.nan_to_num(answers, nan=law.middle_and_size()[0])
    return cells.sort(answers)


def chances(cells: Any, law: Law | Choice, right: Law | Choice) -> np.ndarray:
    """Return a law's probability of each cell, without what the right law never gives.

    A number below the support, or off the lattice, falls in no cell: it is refused when it comes.
    """
    found = cells.probabilities(law)
    if isinstance(right, Choice):
        return found
    finer = not law.lattice or (right.lattice and law.lattice.step < right.lattice.step)
    if right.lattice and finer and not law.atoms:
        return np.zeros_like(found)
    if right.support[0] > -np.inf:
        below = float(law.cdf(np.array([np.nextafter(right.support[0], -np.inf)]))[0])
        found[0] = max(found[0] - below, 0.0)
    return found
