"""Noisy counts without negative ones: post-processing, which needs no data and costs nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.door import BadAnswer
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def nonnegative_counts(released):
    """Noisy counts, with 0 for each negative one."""
    counts = released.to_numpy()
    return np.where(counts > 0, counts, 0.0)


def read(answer: Any, given: dict) -> np.ndarray:
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    try:
        return np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        raise BadAnswer(
            "counts are wanted, in the form in which they came",
            seen=f"it returned a {type(answer).__name__}",
            ask="what does the docstring say the function returns?",
        ) from None


def situation(given: dict) -> str:
    first = given["released"].to_numpy().ravel()[:3]
    return f"released counts {first.tolist()}, ..."


CLAIM = FunctionClaim(
    nonnegative_counts,
    established="0 for each negative count, every other count as it was",
    read=read,
    absolute=1e-9,
    situation=situation,
)


@CLAIM.inputs
def six(rng):
    """Three columns, two tables, and one release without a negative count."""
    # Imported here: a notebook that checks no table need not wait for it.
    import pandas as pd

    for shape in ((6,), (9,), (5,), (3, 4), (2, 5), (4,)):
        counts = rng.laplace(scale=12, size=shape) + rng.uniform(1, 9, shape)
        counts.flat[:3] = rng.uniform(-30, -2), rng.uniform(0.1, 0.45), 25.62
        if shape == (4,):
            counts = np.abs(counts)
        made = pd.Series if len(shape) == 1 else pd.DataFrame
        groups = [f"group {place}" for place in range(len(counts))]
        yield {"released": made(counts.round(3), index=groups)}


FIRST = "what should a count of -3 become? And a count of 7.4?"
ANOTHER_STEP = "that is allowed as well, but it is another step: " + FIRST

CLAIM.mistake("negative counts become positive", FIRST, lambda released: released.abs())
CLAIM.mistake(
    "negative counts are left out",
    "which groups would a reader miss, and what would that tell?",
    lambda released: released.to_numpy()[released.to_numpy() >= 0],
)
CLAIM.mistake("counts are rounded too", ANOTHER_STEP, then=np.round)
CLAIM.mistake("counts are rounded too, downwards", ANOTHER_STEP, then=np.floor)
CLAIM.mistake(
    "the smallest count is made 0 and all others move with it",
    FIRST,
    lambda released: released - released.to_numpy().min(),
)
CLAIM.mistake("negative counts become 1", FIRST, lambda released: released.where(released >= 0, 1))
CLAIM.mistake("counts below 1 become 1", FIRST, lambda released: released.clip(lower=1))
CLAIM.mistake("positive counts become 0", FIRST, lambda released: released.clip(upper=0))
CLAIM.mistake(
    "counts below 1 become 0",
    "which counts are negative?",
    lambda released: released.where(released >= 1, 0),
)
CLAIM.mistake("nothing is changed", FIRST, lambda released: released)
CLAIM.mistake(
    "the other counts are scaled down to keep the total",
    ANOTHER_STEP,
    lambda released: (
        released.clip(lower=0) * released.to_numpy().sum() / released.to_numpy().clip(min=0).sum()
    ),
)
