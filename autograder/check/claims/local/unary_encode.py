"""Unary encoding: a value becomes a row of bits with a single 1, at the place of its category."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.claims.local import _categories
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _rows(codes: list[int], categories: int) -> np.ndarray:
    """Return a row for each code, with a 1 at its place, if that is a place."""
    bits = np.zeros((len(codes), categories))
    for row, code in enumerate(codes):
        if code < categories:
            bits[row, code] = 1
    return bits


def _expected(p: dict) -> np.ndarray:
    return _rows(p["codes"], len(p["categories"]))


_READ = "read one row aloud: which category does its 1 stand for?"
_SHAPE = "one row for each person: how many rows, and how many columns?"

_MISTAKES = (
    *(
        ValueMistake(name, lambda p, found=found: _rows(*found(p)), ask)
        for name, found, ask in _categories.DOMAIN_MISTAKES
    ),
    ValueMistake("rows and columns are exchanged", lambda p: _expected(p).T, _SHAPE),
    ValueMistake("zeros and ones are exchanged", lambda p: 1 - _expected(p), _READ),
    ValueMistake(
        "the 1 is one place too far to the right",
        lambda p: _rows([code + 1 for code in p["codes"]], len(p["categories"])),
        "at which place does Python start to count?",
    ),
    ValueMistake(
        "the 1 is one place too far to the right, the last goes first",
        lambda p: np.roll(_expected(p), 1, axis=1),
        "at which place does Python start to count?",
    ),
    ValueMistake(
        "all bits up to the category are 1",
        lambda p: (np.cumsum(_expected(p)[:, ::-1], axis=1)[:, ::-1] > 0).astype(float),
        "how many bits of a row are 1?",
    ),
    ValueMistake(
        "all bits from the category on are 1",
        lambda p: np.cumsum(_expected(p), axis=1),
        "how many bits of a row are 1?",
    ),
    ValueMistake(
        "the order of the categories is turned round",
        lambda p: _expected(p)[:, ::-1],
        _READ,
    ),
    ValueMistake("the rows are added up", lambda p: _expected(p).sum(axis=0), _SHAPE),
    ValueMistake("places are returned, not rows of bits", lambda p: np.array(p["codes"]), _SHAPE),
    ValueMistake("only the first person is encoded", lambda p: _expected(p)[0], _SHAPE),
)


def _read(answer, parameters: dict) -> np.ndarray:
    """Return the bits; a wrong shape is left to the catalogue."""
    shape = (None,) * min(2, max(1, np.ndim(answer) if answer is not None else 2))
    return numbers_of_shape(answer, shape, "the rows of bits")


CLAIM = ValuesClaim(
    name="unary_encode",
    about="Check `unary_encode(values, *, categories)`: rows of bits with a single 1, (n, k).",
    established="one row a person, one bit a public category",
    cases=_categories.cases,
    arguments=_categories.arguments,
    expected=_expected,
    mistakes=_MISTAKES,
    read=_read,
    situation=_categories.situation,
)
