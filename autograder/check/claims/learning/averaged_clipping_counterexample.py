"""Break it: a gradient that is clipped after averaging still moves far with one person."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

# Means are rounded twice and norms a few times more: far below this, relative to the bound.
_ROOM = 1e-9
# Larger numbers could overflow when they are squared.
_LARGEST = 1e100


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return eight inputs, from three people to more than a thousand; bounds tiny and huge."""
    ranges = ((3, 4), (4, 6), (8, 15), (30, 60), (150, 300), (1100, 1500), (5, 9), (5, 9))
    sizes = [(2, 3), (-1, 0), (0, 1), (-1, 0), (0, 1), (-3, -2), (-7, -5), (6, 7)]
    return [
        {
            "people": int(generator.integers(low, high)),
            # A few people with a large bound: no fixed gradient is long beside it.
            "bound": float(f"{10 ** generator.uniform(*size):.2g}"),
        }
        for (low, high), size in zip(ranges, sizes, strict=True)
    ]


def _clipped_mean(rows: np.ndarray, bound: float) -> np.ndarray:
    # Each sum is rounded once, so that huge rows which cancel leave no rounding error behind.
    mean = np.array([math.fsum(column) for column in rows.T.tolist()]) / len(rows)
    norm = math.sqrt(float((mean**2).sum()))
    return mean * min(1.0, bound / norm) if norm > 0 else mean


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the extra person moves the clipped mean by more than is claimed."""
    people, bound = parameters["people"], parameters["bound"]
    rows, extra = _read(answer, people)
    means = _clipped_mean(rows, bound), _clipped_mean(np.vstack([rows, extra]), bound)
    moved = math.sqrt(float(((means[1] - means[0]) ** 2).sum()))
    claimed = 2 * bound / people
    if moved > claimed + _ROOM * bound:
        return
    seen = (
        f"the clipped mean moves by {number(moved)}, and more than 2 * bound / people = "
        f"{number(claimed)} is needed"
    )
    if not extra.any():
        raise BadAnswer(
            "the extra person does not move the clipped mean",
            seen=seen,
            ask="the extra row is 0: where is the mean with it, and where without it?",
        )
    if math.sqrt(float((extra**2).sum())) <= bound * (1 + _ROOM):
        raise BadAnswer(
            "the extra person's gradient is as short as the clipped ones",
            seen=seen,
            ask="nobody clips a row here: how far can one very long row move the mean?",
        )
    raise BadAnswer(
        "the clipped mean does not move far enough"
        if moved
        else "the extra person does not move the clipped mean",
        seen=seen,
        ask="where should the mean point without the extra person, and where with them?",
    )


def _read(answer: Any, people: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows, shape (people, d), and the extra row, shape (d,), or raise BadAnswer."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise BadAnswer(
            "two arrays are wanted: rows, extra",
            seen="it returned nothing"
            if answer is None
            else f"it returned {type(answer).__name__}",
            ask="does your function end in `return rows, extra`?",
        )
    rows = numbers_of_shape(answer[0], (people, None), "the rows")
    extra = numbers_of_shape(answer[1], (None,), "the entries of the extra row")
    if rows.shape[1] != len(extra) or not len(extra):
        raise BadAnswer(
            "the extra row has another number of columns",
            seen=f"rows have {rows.shape[1]} columns, the extra row has {len(extra)}",
            ask="what does a gradient of one more person look like, beside the others?",
        )
    if max(np.abs(rows).max(), np.abs(extra).max()) > _LARGEST:
        raise BadAnswer(
            "the numbers are too large to compute with",
            seen="an entry is above 1e100",
            ask="how long must the extra row be? Not longer than a few times people * bound.",
        )
    return rows, extra


CLAIM = CounterexampleClaim(
    about=(
        "Check `averaged_clipping_counterexample(people, bound)`: clipping comes too late.\n\n"
        "The function returns (rows, extra): gradients of `people` persons, shape (people, d),\n"
        "and of one person more, shape (d,). The mean of the gradients, clipped to L2 norm\n"
        "`bound` after averaging, must move by more than 2 * bound / people when they join."
    ),
    established="the clipped mean moves by more than 2 * bound / people",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"{p['people']} people, bound {p['bound']}",
)
