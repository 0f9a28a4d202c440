"""The mean error over all ranges of cells, without a walk over the ranges."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from autograder.check.claims.ranges._ranges import average_error
from autograder.check.claims.ranges._timed import few_and_many, within
from autograder.check.values import ValueMistake

__all__ = ["CLAIM"]

_SECONDS = 0.5


def _small_cases(generator: np.random.Generator) -> list[dict]:
    sizes = [2**levels for levels in range(8)]
    return [{"size": int(size)} for size in generator.permutation(sizes)]


def _large_cases(generator: np.random.Generator) -> list[dict]:
    """Return ever more cells: a walk over all ranges is slow before 2**20."""
    return [{"size": 2**levels} for levels in (9, 11, 12, 13, 16, 20)]


def _levels(p: dict) -> int:
    return p["size"].bit_length() - 1


def _right(p: dict) -> float:
    return float(average_error(p["size"]))


def _limit(p: dict) -> float:
    return _levels(p) / 6 + 1 / 36


def _sum(p: dict) -> Fraction:
    return average_error(p["size"]) * p["size"] * (p["size"] + 1) / 2


def _without_single_cells(p: dict) -> float:
    """Return the mean over ranges of two cells or more (0 where there are none)."""
    size = p["size"]
    pairs = size * (size - 1) // 2
    singles = Fraction(1 + Fraction(2, size**2)) / 3 * size
    return float((_sum(p) - singles) / pairs) if pairs else 0.0


def _prefixes(p: dict) -> float:
    """Return the mean over the ranges that begin at cell 1."""
    size, total = p["size"], 0.0
    for stop in range(1, size + 1):
        total += (stop / size) ** 2
        for level in range(1, _levels(p) + 1):
            place = stop / 2**level
            total += (place - round(place)) ** 2
    return total / size


def _cells(p: dict) -> float:
    return (1 + 2 / p["size"] ** 2) / 3


_COUNT = "how many ranges are there with n cells, and how many in all?"
_NOISE = "this is for noise of variance 1: who multiplies by the variance of the noise?"
_ENDS = "which ranges are averaged? Count them for 2 cells by hand."

_MISTAKES = (
    ValueMistake(
        "the limit is returned, good for many cells only",
        _limit,
        "for 1 cell the answer is 1: what does your formula give?",
    ),
    ValueMistake("1 / 36 is missing", lambda p: _right(p) - 1 / 36, _COUNT),
    ValueMistake(
        "2 / (9 size**2) is missing", lambda p: _right(p) - 2 / 9 / p["size"] ** 2, _COUNT
    ),
    ValueMistake(
        "1 / (2 size) is counted twice, 1 / (2 (size + 1)) is missing",
        lambda p: _right(p) + 0.5 / p["size"] - 0.5 / (p["size"] + 1),
        _COUNT,
    ),
    ValueMistake(
        "the sum is divided by size**2",
        lambda p: float(_sum(p) / p["size"] ** 2),
        _COUNT,
    ),
    ValueMistake("the sum is returned, not the mean", lambda p: float(_sum(p)), _COUNT),
    ValueMistake("ranges of one cell are left out", _without_single_cells, _ENDS),
    ValueMistake("only ranges that begin at cell 1 are averaged", _prefixes, _ENDS),
    ValueMistake("only single cells are averaged", _cells, _ENDS),
    ValueMistake(
        "the cells' own errors are added, their covariances lost",
        lambda p: _cells(p) * (p["size"] + 2) / 3,
        "are the noisy counts of two neighboring cells independent?",
    ),
    ValueMistake(
        "this is the mean error of flat noise",
        lambda p: (p["size"] + 2) / 3,
        "what does the restore matrix do to the noise?",
    ),
    ValueMistake("the sensitivity is in it", lambda p: (_levels(p) + 1) ** 2 * _right(p), _NOISE),
    ValueMistake(
        "the mean squared error at epsilon 1 is returned",
        lambda p: 2 * (_levels(p) + 1) ** 2 * _right(p),
        _NOISE,
    ),
    ValueMistake(
        "the number of cells is taken for twice as many",
        lambda p: float(average_error(2 * p["size"])),
        "how many levels of nodes has a tree over `size` cells?",
    ),
)

CLAIM = few_and_many(
    "average_range_error",
    about="Check `average_range_error(*, size)`: the mean of `range_error` over all ranges.",
    established="the mean over all ranges, for 1 to 2**20 cells",
    few=_small_cases,
    many=_large_cases,
    mistakes=_MISTAKES,
    use=within(
        _SECONDS,
        problem="it walks over all ranges",
        ask="how much does one node of w cells add, over all ranges? Then count the nodes.",
    ),
    arguments=lambda p: ((), {"size": p["size"]}),
    expected=_right,
    situation=lambda p: f"{p['size']:,} cells",
)
