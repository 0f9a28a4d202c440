"""Direct encoding: a value becomes the place of its category in the public list."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.claims.local._categories import four_surveys, situation, wrong_domains
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def direct_encode(values, *, categories):
    """The place of each value's category, (n,)."""
    return np.array([categories.index(value) for value in values])


def read(answer, given: dict) -> np.ndarray:
    """Return the places; a wrong shape is left to the catalogue."""
    shape = (None,) * min(2, max(1, np.ndim(answer) if answer is not None else 1))
    return numbers_of_shape(answer, shape, "the places")


CLAIM = FunctionClaim(
    direct_encode,
    established="each value becomes its place in the public categories",
    read=read,
    situation=situation,
)
CLAIM.inputs(four_surveys)

for mistake in wrong_domains(direct_encode):
    CLAIM.mistake(*mistake)
CLAIM.mistake(
    "places are counted from 1",
    "at which place does Python start to count?",
    then=lambda places: places + 1,
)
CLAIM.mistake(
    "places are counted from the end",
    "which category has the place 0?",
    lambda values, categories: direct_encode(values, categories=categories[::-1]),
)
CLAIM.mistake(
    "rows of bits are returned, not places",
    "how many numbers does a person report here?",
    lambda values, categories: [[value == each for each in categories] for value in values],
)
CLAIM.mistake(
    "people are counted by category, not encoded",
    "how many numbers must come back for n people?",
    lambda values, categories: [values.count(each) for each in categories],
)
