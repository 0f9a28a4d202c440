"""What is wrong with answers of several entries: one is not like the rest, or all are misplaced.

These are words for an answer that the evidence has failed. They decide nothing.
"""

from collections.abc import Callable

import numpy as np

from autograder.check.words import number

_FEWEST = 4  # answers, for the middle of one entry to say something ...
_MORE = 16  # ... and for its spread
_OTHER = 3.0  # an entry's noise so many times larger or smaller than the others' is unlike them
_DEVIATIONS = 5.0


def words_of_entries(
    answers: np.ndarray,
    exact: np.ndarray,
    looks_like: Callable[[np.ndarray], float],
    *,
    whole: bool = False,
) -> tuple[str, str, str] | None:
    """Return the problem, what came and a question; None if the entries are alike.

    Args:
      answers: of shape (n, entries).
      exact: the right answer, of shape (entries,).
      looks_like: estimates the scale of noise.
      whole: whether the noise is of whole numbers.
    """
    answers = answers[np.isfinite(answers).all(axis=1)]
    if len(answers) < _FEWEST:
        return None
    middles = np.median(answers, axis=0)
    spreads = np.array([looks_like(column) for column in (answers - middles).T])
    room = _DEVIATIONS * float(np.median(spreads)) / np.sqrt(len(answers)) + whole
    return _misplaced(middles, exact, room) or (_odd(spreads) if len(answers) >= _MORE else None)


def _misplaced(middles: np.ndarray, exact: np.ndarray, room: float) -> tuple | None:
    """Return the words for entries that lie elsewhere, or are right in another order."""
    wrong = np.flatnonzero(np.abs(middles - exact) > room)
    if not len(wrong):
        return None
    if len(wrong) > 1 and np.all(np.abs(np.sort(middles) - np.sort(exact)) <= room):
        return (
            "the entries are in another order",
            f"{_lies(wrong[0], middles, exact)}, where another entry should lie",
            "which step sorts the entries, or counts them in another order than they are named?",
        )
    return (
        "one entry does not lie around the right value"
        if len(wrong) == 1
        else f"{len(wrong)} of {len(exact)} entries do not lie around the right values",
        _lies(int(np.argmax(np.abs(middles - exact))), middles, exact),
        "print your values without the noise, at this input: is this one right, and who is in it?",
    )


def _lies(place: int, middles: np.ndarray, exact: np.ndarray) -> str:
    return (
        f"entry {place} should lie around {number(exact[place])}, yours lies around "
        f"{number(middles[place])}"
    )


def _odd(spreads: np.ndarray) -> tuple | None:
    """Return the words for an entry whose noise is much larger or smaller than the others'."""
    usual = np.median(spreads)
    ratios = spreads / max(usual, 1e-300)
    odd = np.flatnonzero((ratios > _OTHER) | (ratios < 1 / _OTHER))
    if not usual or not 0 < len(odd) <= len(spreads) / 2:
        return None
    place = odd[0]
    return (
        "some entries get other noise than the rest"
        if len(odd) > 1
        else "one entry gets other noise than the rest",
        f"at entry {place} it looks like scale {number(spreads[place])}, "
        f"at most others like {number(usual)}",
        "which line treats this entry in another way?",
    )
