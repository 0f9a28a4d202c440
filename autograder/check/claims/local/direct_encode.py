"""Direct encoding: a value becomes the place of its category in the public list."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.claims.local import _categories
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_START = "at which place does Python start to count?"

_MISTAKES = (
    *(
        ValueMistake(name, lambda p, found=found: np.array(found(p)[0]), ask)
        for name, found, ask in _categories.DOMAIN_MISTAKES
    ),
    ValueMistake("places are counted from 1", lambda p: np.array(p["codes"]) + 1, _START),
    ValueMistake(
        "places are counted from the end",
        lambda p: len(p["categories"]) - 1 - np.array(p["codes"]),
        "which category has the place 0?",
    ),
    ValueMistake(
        "rows of bits are returned, not places",
        lambda p: np.eye(len(p["categories"]))[p["codes"]],
        "how many numbers does a person report here?",
    ),
    ValueMistake(
        "people are counted by category, not encoded",
        lambda p: np.bincount(p["codes"], minlength=len(p["categories"])),
        "how many numbers must come back for n people?",
    ),
)


def _read(answer, parameters: dict) -> np.ndarray:
    """Return the places; a wrong shape is left to the catalogue."""
    shape = (None,) * min(2, max(1, np.ndim(answer) if answer is not None else 1))
    return numbers_of_shape(answer, shape, "the places")


CLAIM = ValuesClaim(
    name="direct_encode",
    about="Check `direct_encode(values, *, categories)`: the place of each value's category, (n,).",
    established="each value becomes its place in the public categories",
    cases=_categories.cases,
    arguments=_categories.arguments,
    expected=lambda p: np.array(p["codes"], dtype=float),
    mistakes=_MISTAKES,
    read=_read,
    situation=_categories.situation,
)
