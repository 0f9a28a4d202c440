"""Tables of noisy counts: how answers are read, and the mistakes that their claims share."""

import contextlib
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.mistakes import Mistake, wrong_scales
from ville.distributions import clamped, folded, laplace, laplace_sum, point

MANY_COUNTS = 15


def moved(parameters: dict) -> int:
    """Return how many counts one person moves: two when a row is replaced."""
    return {"add_remove": 1, "replace_one": 2}[parameters["neighbors"]]


def scale_of(parameters: dict) -> float:
    """Return the scale of the noise of every count."""
    return moved(parameters) / parameters["epsilon"]


def without_rows(parameters: dict) -> str:
    """Return words for a table that has no rows; "" for any other."""
    return "" if np.any(parameters["counts"]) else ", a table without rows"


def entries_of(values: Any, exact: np.ndarray) -> np.ndarray:
    """Return counts as floats of shape (cells,), or raise BadAnswer.

    `exact` are the counts without noise, in the shape that the answer must have.
    """
    counts = _numbers(values)
    if counts.shape != exact.shape:
        raise BadAnswer(
            "the table does not have the shape of the categories",
            seen=f"it returned numbers of shape {counts.shape}, the categories have shape "
            f"{exact.shape}",
            ask="how many cells does the table have, when empty ones are among them?",
        )
    if not np.isfinite(counts).all():
        raise BadAnswer(
            "a count is not a finite number",
            seen=f"it returned {counts.ravel().tolist()[:6]}",
            ask="what stands in a cell without people, before the noise is added?",
        )
    return counts.ravel()


def _numbers(values: Any) -> np.ndarray:
    if values is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    # A list whose rows differ in length is no array.
    with contextlib.suppress(ValueError, TypeError):
        counts = np.asarray(values)
        if counts.dtype.kind in "iuf" or all(isinstance(each, Real) for each in counts.flat):
            return counts.astype(float)
    raise BadAnswer(
        "the counts are not numbers",
        seen=f"it returned {' '.join(repr(values).split())[:60]}",
        ask="what does the task say the function returns?",
    )


def raise_unless_labelled(found: Sequence, categories: Sequence, empty: set) -> None:
    """Raise BadAnswer unless the labels of a table are its categories, in any order."""
    if len(found) == len(categories) and set(found) == set(categories):
        return
    missing = [each for each in categories if each not in set(found)]
    strange = [each for each in found if each not in set(categories)]
    if missing and not strange and set(missing) <= empty:
        raise BadAnswer(
            "the categories are read off the data",
            seen=f"{_listed(missing)} is missing: nobody is in it",
            ask="what does an attacker learn when a label is there, or is not?",
        )
    raise BadAnswer(
        "the labels are not the categories",
        seen=f"the labels are {_listed(found)}; the categories are {_listed(categories)}",
        ask="which list is public, and in which of your steps does it get lost?",
    )


def raise_if_order_tells(exact: Sequence[float], noisy: Sequence[float]) -> None:
    """Raise BadAnswer if counts with noise come in the order of those without.

    Asked where 15 exact counts differ: an order that does not hang on them is theirs with
    probability 2 / 15! < 2e-12. The order of the noisy counts tells nothing new.
    """
    if len(set(exact)) < MANY_COUNTS or _in_order(noisy) or not _in_order(exact):
        return
    raise BadAnswer(
        "the order of the labels tells which exact count is larger",
        seen="the labels stand in the order of the exact counts, without noise",
        ask="which step sorts, or counts what is there? Which order is public?",
    )


def _in_order(counts: Sequence[float]) -> bool:
    steps = np.diff(counts)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def _listed(labels: Sequence) -> str:
    # A text is quoted: it may look like a number, or end with a blank.
    words = ", ".join(repr(each) if isinstance(each, str) else str(each) for each in labels[:6])
    return (words or "none") + (", ..." if len(labels) > 6 else "")


_NEIGHBORS = "how many counts change when a row is added? And when a row is replaced by another?"
_PARALLEL = "in how many cells is one person? Who else pays for the other cells?"
_EPSILON = "does a larger epsilon mean more privacy or less, and so less noise or more?"
_NEGATIVE = "may a noisy count be negative? And what does your step do to its average?"


def count_mistakes(
    scale: Callable[[dict], float], exact: Callable[[dict], np.ndarray]
) -> tuple[Mistake, ...]:
    """Return the mistakes, for noise of the right scale on the right counts."""
    return (
        *_of_the_sensitivity(scale, exact),
        *_of_epsilon(scale),
        *_of_the_counts(scale, exact),
        _last_by_subtraction(scale, exact),
        *noise_mistakes(scale, "sensitivity / epsilon"),
    )


def _of_the_sensitivity(scale, exact) -> tuple[Mistake, ...]:
    return wrong_scales(
        laplace,
        {
            "replace_one is treated as add_remove": lambda p: 1 / p["epsilon"],
            "add_remove is treated as replace_one": lambda p: 2 / p["epsilon"],
            "add_remove and replace_one are exchanged": lambda p: (3 - moved(p)) / p["epsilon"],
            "a replaced row is counted twice": lambda p: moved(p) ** 2 / p["epsilon"],
            "the noise is doubled": lambda p: 2 * scale(p),
            "the noise is halved": lambda p: scale(p) / 2,
            "epsilon is divided among the cells": (lambda p: scale(p) * len(exact(p)), _PARALLEL),
            "epsilon is divided among the cells that have people": (
                lambda p: scale(p) * np.count_nonzero(exact(p)),
                _PARALLEL,
            ),
            "the number of rows is used as the sensitivity": lambda p: (
                exact(p).sum() / p["epsilon"]
            ),
        },
        _NEIGHBORS,
    )


def _of_epsilon(scale) -> tuple[Mistake, ...]:
    asked = wrong_scales(
        laplace,
        {
            "epsilon is ignored": moved,
            "sensitivity and epsilon are ignored": lambda p: 1,
            "epsilon is used as the scale": lambda p: p["epsilon"],
            "epsilon multiplies instead of divides": lambda p: moved(p) * p["epsilon"],
        },
        _EPSILON,
    )
    known = wrong_scales(
        laplace,
        {
            "epsilon is squared": lambda p: scale(p) / p["epsilon"],
            "an epsilon above 1 counts as 1": lambda p: moved(p) / min(p["epsilon"], 1),
        },
    )
    return (*asked, *known)


def _of_the_counts(scale, exact) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "negative counts become 0",
            lambda p: [clamped(laplace(scale(p)), -count) for count in exact(p)],
            _NEGATIVE,
            seen="a noisy count near 0 is often negative, none of yours is",
        ),
        Mistake(
            "negative counts become positive",
            lambda p: [folded(laplace(scale(p)), -count) for count in exact(p)],
            _NEGATIVE,
            seen="a noisy count near 0 is often negative, none of yours is",
        ),
        Mistake(
            "empty cells get no noise",
            lambda p: [laplace(scale(p)) if count else point(0) for count in exact(p)],
            "what does an attacker learn from a cell that is exactly 0?",
            seen="where nobody is, your count is exactly 0",
        ),
        Mistake(
            "the counts are missing, or divided by their sum",
            lambda p: [laplace(scale(p), -count) for count in exact(p)],
            "to what is the noise added? Are the counts those of the columns that are asked for? "
            "And what does `normalize=True` do?",
        ),
    )


def _last_by_subtraction(scale, exact) -> Mistake:
    """Return the mistake in which the last entry has the noise of all others together."""

    def law(p: dict) -> list:
        others = len(exact(p)) - 1
        return [laplace(scale(p))] * others + [laplace_sum(scale(p), max(others, 1))]

    return Mistake(
        "the last count is the number of people less the other noisy counts",
        law,
        "what do all entries of an answer add up to? Does each of them get a draw of its own?",
        seen="the entries of an answer add up to the exact number of people",
    )
