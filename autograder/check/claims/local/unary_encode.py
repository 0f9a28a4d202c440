"""Unary encoding: a value becomes a row of bits with a single 1, at the place of its category."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.claims.local._categories import four_surveys, situation, wrong_domains
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def unary_encode(values, *, categories):
    """Rows of bits with a single 1, (n, k)."""
    return np.array([[float(value == each) for each in categories] for value in values])


def read(answer, given: dict) -> np.ndarray:
    """Return the bits; a wrong shape is left to the catalogue."""
    shape = (None,) * min(2, max(1, np.ndim(answer) if answer is not None else 2))
    return numbers_of_shape(answer, shape, "the rows of bits")


CLAIM = FunctionClaim(
    unary_encode,
    established="one row a person, one bit a public category",
    read=read,
    situation=situation,
)
CLAIM.inputs(four_surveys)


def shifted(bits):
    return np.hstack([0 * bits[:, :1], bits[:, :-1]])


READ = "read one row aloud: which category does its 1 stand for?"
SHAPE = "one row for each person: how many rows, and how many columns?"
START = "at which place does Python start to count?"
ONES = "how many bits of a row are 1?"

for mistake in wrong_domains(unary_encode):
    CLAIM.mistake(*mistake)
for name, ask, change in (
    ("rows and columns are exchanged", SHAPE, np.transpose),
    ("zeros and ones are exchanged", READ, lambda bits: 1 - bits),
    ("the 1 is one place too far to the right", START, shifted),
    (
        "the 1 is one place too far to the right, the last goes first",
        START,
        lambda bits: np.roll(bits, 1, axis=1),
    ),
    (
        "all bits up to the category are 1",
        ONES,
        lambda bits: np.cumsum(bits[:, ::-1], axis=1)[:, ::-1],
    ),
    ("all bits from the category on are 1", ONES, lambda bits: np.cumsum(bits, axis=1)),
    ("the order of the categories is turned round", READ, lambda bits: bits[:, ::-1]),
    ("the rows are added up", SHAPE, lambda bits: bits.sum(axis=0)),
    ("places are returned, not rows of bits", SHAPE, lambda bits: bits.argmax(axis=1)),
    ("only the first person is encoded", SHAPE, lambda bits: bits[0]),
):
    CLAIM.mistake(name, ask, then=change)
