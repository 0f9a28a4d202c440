"""The error of one range from noisy Haar coefficients, for any number of cells at once."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.claims.ranges._ranges import haar_coefficient
from autograder.check.claims.ranges._timed import few_and_many, within
from autograder.check.values import ValueMistake

__all__ = ["CLAIM"]

_SECONDS = 0.1


def _small_cases(generator: np.random.Generator) -> list[dict]:
    """Return fourteen ranges of 8 to 64 cells: all, one, a few side by side, and most of them."""
    cases = [{"size": 8, "left": 1, "right": 8}, {"size": 4, "left": 2, "right": 4}]
    for size in (8, 16, 32, 64):
        single = int(generator.integers(2, size - 1))
        narrow = int(generator.integers(1, size - 4))
        wide = int(generator.integers(2, size // 4 + 1))
        cases += [
            {"size": size, "left": single, "right": single},
            {"size": size, "left": narrow, "right": narrow + int(generator.integers(2, 5)) - 1},
            {"size": size, "left": wide, "right": size - int(generator.integers(1, size // 4))},
        ]
    return cases


def _large_cases(generator: np.random.Generator) -> list[dict]:
    """Return long ranges of ever more cells: a rule that looks at all is slow before 2**30."""
    cases = []
    for levels in (10, 12, 14, 17, 20, 24, 26, 30):
        quarter = 2**levels // 4
        left, spare = (int(each) for each in generator.integers(1, quarter, 2))
        cases.append({"size": 2**levels, "left": left, "right": 2**levels - spare})
    return cases


def _nearest(x: float) -> float:
    """Return the distance of x to the nearest whole number."""
    return abs(x - round(x))


def _rule(p, *, shift=(-1, 0), total=2, cross=-2.0, shared=True, power=2, tau=_nearest, cut=(0, 0)):
    """Return the rule in O(log size) with one thing changed.

    With a = left - 1 and c = right, a level of nodes of 2**k cells adds tau(a / 2**k)**2 and
    tau(c / 2**k)**2, less twice their product if one node holds both ends (derived from Xiao, Wang
    & Gehrke 2010).
    """
    start, stop = p["left"] + shift[0], p["right"] + shift[1]
    levels = p["size"].bit_length() - 1
    error = ((stop - start) / p["size"]) ** total if total else 0.0
    for level in range(1 + cut[0], levels + 1 - cut[1]):
        width = 2**level
        one, other = tau(start / width), tau(stop / width)
        error += one**power + other**power
        if start // width == stop // width or not shared:
            error += cross * one * other
    return error


def _changed(**changes):
    return lambda p: _rule(p, **changes)


def _levels(p: dict) -> int:
    return p["size"].bit_length() - 1


def _own_errors(p: dict) -> float:
    """Return the sum of the cells' own errors, (1 + 2 / size**2) / 3 each."""
    return (p["right"] - p["left"] + 1) * (1 + 2 / p["size"] ** 2) / 3


def _covariances(p: dict, first: int, pairs: int) -> float:
    """Return the sum over cells and pairs of cells, with the cells counted from `first`."""
    levels, total = _levels(p), _own_errors(p)
    cells = range(p["left"] - 1 + first, p["right"] + first)
    for place, one in enumerate(cells):
        for other in cells[place + 1 :]:
            height = (one ^ other).bit_length()
            total += pairs * 2 / 3 * (4.0**-levels - 4.0**-height)
    return total


_ENDS = "how many cells lie before the range, and how many up to its end?"
_PAIRS = "expand the square of a difference: which term stands between the two squares?"
_NOISE = "this is for noise of variance 1: who multiplies by the variance of the noise?"
_CELLS = "are the noisy counts of two neighboring cells independent?"

_MISTAKES = (
    ValueMistake("the cells' own errors are added, their covariances lost", _own_errors, _CELLS),
    ValueMistake(
        "every pair of cells is counted once",
        lambda p: _covariances(p, 0, 1),
        "in the variance of a sum, how often does the covariance of one pair appear?",
    ),
    ValueMistake(
        "cells are counted from 1 where they meet in the tree",
        lambda p: _covariances(p, 1, 2),
        "which cells share a node of two: 1 and 2, or 2 and 3? The XOR needs counts from 0.",
    ),
    ValueMistake(
        "the cells are added as if each had noise of its own",
        lambda p: float(p["right"] - p["left"] + 1),
        "that is flat noise: what does the restore matrix do to the noise?",
    ),
    ValueMistake("the last cell of the range is left out", _changed(shift=(-1, -1)), _ENDS),
    ValueMistake("the first cell of the range is left out", _changed(shift=(0, 0)), _ENDS),
    ValueMistake("the range is moved by one cell", _changed(shift=(0, 1)), _ENDS),
    ValueMistake("the total is missing", _changed(total=0), "which question do all cells share?"),
    ValueMistake(
        "the share of the total is not squared",
        _changed(total=1),
        "what does a factor do to a variance?",
    ),
    ValueMistake(
        "a node that holds both ends is counted as two",
        _changed(cross=0.0),
        "if both ends lie in one node, it has one coefficient: what stands before it?",
    ),
    ValueMistake("the product in a node with both ends is halved", _changed(cross=-1.0), _PAIRS),
    ValueMistake("the product in a node with both ends is added", _changed(cross=2.0), _PAIRS),
    ValueMistake(
        "both ends are paired in nodes that hold only one",
        _changed(shared=False),
        "on which levels do both ends lie in the same node?",
    ),
    ValueMistake(
        "the distances are not squared",
        _changed(power=1),
        "what does a factor do to a variance?",
    ),
    ValueMistake(
        "the remainder is used, not the distance to the nearest whole number",
        _changed(tau=lambda x: x - math.floor(x)),
        "past the middle of a node, does its coefficient count more or less?",
    ),
    ValueMistake(
        "the top level is left out",
        _changed(cut=(0, 1)),
        "on which levels are there nodes? The widest has `size` cells.",
    ),
    ValueMistake(
        "the lowest level is left out",
        _changed(cut=(1, 0)),
        "on which levels are there nodes? The narrowest has 2 cells.",
    ),
    ValueMistake("the sensitivity is in it", lambda p: (_levels(p) + 1) ** 2 * _rule(p), _NOISE),
    ValueMistake(
        "the mean squared error at epsilon 1 is returned",
        lambda p: 2 * (_levels(p) + 1) ** 2 * _rule(p),
        _NOISE,
    ),
    ValueMistake(
        "the standard deviation is returned",
        lambda p: math.sqrt(_rule(p)),
        "is a variance wanted, or its root?",
    ),
)

CLAIM = few_and_many(
    "range_error",
    about="Check `range_error(left, right, *, size)`: a range's error, in O(log size).",
    established="the error of a range, at 14 ranges and at once for 2**30 cells",
    few=_small_cases,
    many=_large_cases,
    mistakes=_MISTAKES,
    use=within(
        _SECONDS,
        problem="the time grows with the number of cells",
        ask="which nodes does a range cut? On each level there are at most two.",
    ),
    arguments=lambda p: ((p["left"], p["right"]), {"size": p["size"]}),
    expected=lambda p: float(haar_coefficient(p["left"], p["right"], p["size"])),
    situation=lambda p: f"cells {p['left']} to {p['right']} of {p['size']:,}",
)
