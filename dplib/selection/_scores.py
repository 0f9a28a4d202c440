"""Candidates with their scores, checked, and the scores as exponents."""

import numpy as np

from dplib import _validate


def matched(candidates, scores) -> tuple[list, np.ndarray]:
    """Return the candidates as a list and their scores; ValueError unless there is one for each."""
    try:
        options = list(candidates)
    except TypeError:
        raise ValueError(f"candidates must be a sequence, got {candidates!r}") from None
    scores = _validate.vector("scores", scores)
    if len(scores) != len(options):
        raise ValueError(
            f"scores must be one for each of {len(options)} candidates, got {len(scores)}"
        )
    return options, scores


def flag(monotone) -> bool:
    """Return `monotone`; ValueError unless it is a truth value: a wrong one halves the noise."""
    if not isinstance(monotone, bool | np.bool_):
        raise ValueError(f"monotone must be True or False, got {monotone!r}")
    return bool(monotone)


def exponents(scores, *, sensitivity, epsilon, monotone=False) -> np.ndarray:
    """Return epsilon * (score - best score) / (2 * sensitivity), without the 2 if monotone."""
    scores = _validate.vector("scores", scores)
    sensitivity = _validate.positive("sensitivity", sensitivity)
    epsilon = _validate.positive("epsilon", epsilon)
    # Halved before the subtraction, a gap cannot overflow. What overflows after it becomes minus
    # infinity, so weight 0, which is right; the best score keeps exponent 0 whatever happens.
    half_gaps = scores / 2 - scores.max() / 2
    with np.errstate(over="ignore"):
        return half_gaps / sensitivity * epsilon * (2 if flag(monotone) else 1)
