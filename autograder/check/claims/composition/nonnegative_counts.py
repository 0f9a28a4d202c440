"""Noisy counts without negative ones: post-processing, which needs no data and costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.door import BadAnswer
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six releases: three columns, two tables, and one without a negative count."""
    cases = []
    for shape in ((6,), (9,), (5,), (3, 4), (2, 5), (4,)):
        counts = generator.laplace(scale=12, size=shape) + generator.uniform(1, 9, shape)
        counts.flat[:3] = generator.uniform(-30, -2), generator.uniform(0.1, 0.45), 25.62
        if shape == (4,):
            counts = np.abs(counts)
        cases.append({"counts": counts.round(3).tolist()})
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    # Imported here: a notebook that checks no table need not wait for it.
    import pandas as pd

    counts = np.array(parameters["counts"])
    letters = [f"group {place}" for place in range(len(counts))]
    return ((pd.Series if counts.ndim == 1 else pd.DataFrame)(counts, index=letters),), {}


def _read(answer: Any, parameters: dict) -> np.ndarray:
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


def _of(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[dict], np.ndarray]:
    return lambda parameters: change(np.array(parameters["counts"]))


_FIRST = "what should a count of -3 become? And a count of 7.4?"
_MISTAKES = (
    ValueMistake("negative counts become positive", _of(np.abs), _FIRST),
    ValueMistake(
        "negative counts are left out",
        _of(lambda counts: counts[counts >= 0]),
        "which groups would a reader miss, and what would that tell?",
    ),
    ValueMistake(
        "counts are rounded too",
        _of(lambda counts: np.round(np.maximum(counts, 0))),
        "that is allowed as well, but it is another step: " + _FIRST,
    ),
    ValueMistake(
        "counts are rounded too, downwards",
        _of(lambda counts: np.floor(np.maximum(counts, 0))),
        "that is allowed as well, but it is another step: " + _FIRST,
    ),
    ValueMistake(
        "the smallest count is made 0 and all others move with it",
        _of(lambda counts: counts - counts.min()),
        _FIRST,
    ),
    ValueMistake(
        "negative counts become 1", _of(lambda counts: np.where(counts < 0, 1, counts)), _FIRST
    ),
    ValueMistake("counts below 1 become 1", _of(lambda counts: np.maximum(counts, 1)), _FIRST),
    ValueMistake("positive counts become 0", _of(lambda counts: np.minimum(counts, 0)), _FIRST),
    ValueMistake(
        "counts below 1 become 0",
        _of(lambda counts: np.where(counts < 1, 0, counts)),
        "which counts are negative?",
    ),
    ValueMistake("nothing is changed", _of(lambda counts: counts), _FIRST),
    ValueMistake(
        "the other counts are scaled down to keep the total",
        _of(lambda counts: np.maximum(counts, 0) * counts.sum() / np.maximum(counts, 0).sum()),
        "that is allowed as well, but it is another step: " + _FIRST,
    ),
)

CLAIM = ValuesClaim(
    name="nonnegative_counts",
    about="Check `nonnegative_counts(released)`: noisy counts, with 0 for each negative one.",
    established="0 for each negative count, every other count as it was",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_of(lambda counts: np.where(counts > 0, counts, 0.0)),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: f"released counts {np.ravel(p['counts'])[:3].tolist()}, ...",
)
