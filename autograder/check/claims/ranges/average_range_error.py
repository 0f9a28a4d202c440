"""The mean error over all ranges of cells, without a walk over the ranges."""

from __future__ import annotations

from fractions import Fraction

from autograder.check.claims.ranges._ranges import average_error
from autograder.check.claims.ranges._timed import few_and_many, within

__all__ = ["CLAIM"]

SECONDS = 0.5


def average_range_error(*, size):
    """The mean of `range_error` over all ranges."""
    return float(average_error(size))


def small_sizes(rng):
    return [{"size": 2 ** int(levels)} for levels in rng.permutation(8)]


def large_sizes(rng):
    """Return ever more cells: a walk over all ranges is slow before 2**20."""
    return [{"size": 2**levels} for levels in (9, 11, 12, 13, 16, 20)]


CLAIM = few_and_many(
    average_range_error,
    established="the mean over all ranges, for 1 to 2**20 cells",
    few=small_sizes,
    many=large_sizes,
    use=within(
        SECONDS,
        problem="it walks over all ranges",
        ask="how much does one node of w cells add, over all ranges? Then count the nodes.",
    ),
    situation=lambda given: f"{given['size']:,} cells",
)
SMALL = CLAIM.parts[0]


def levels(size):
    return size.bit_length() - 1


def all_ranges(size):
    """Return the sum over all ranges."""
    return average_error(size) * size * (size + 1) / 2


def without_single_cells(size):
    """Return the mean over ranges of two cells or more (0 where there are none)."""
    pairs = size * (size - 1) // 2
    return float((all_ranges(size) - Fraction(single_cells(size) * size)) / pairs) if pairs else 0.0


def single_cells(size):
    """Return the mean over ranges of one cell."""
    return Fraction(1 + Fraction(2, size**2)) / 3


def prefixes(size):
    """Return the mean over the ranges that begin at cell 1."""
    total = 0.0
    for stop in range(1, size + 1):
        total += (stop / size) ** 2
        for level in range(1, levels(size) + 1):
            place = stop / 2**level
            total += (place - round(place)) ** 2
    return total / size


COUNT = "how many ranges are there with n cells, and how many in all?"
NOISE = "this is for noise of variance 1: who multiplies by the variance of the noise?"
ENDS = "which ranges are averaged? Count them for 2 cells by hand."

for name, ask, formula in (
    (
        "the limit is returned, good for many cells only",
        "for 1 cell the answer is 1: what does your formula give?",
        lambda size: levels(size) / 6 + 1 / 36,
    ),
    ("1 / 36 is missing", COUNT, lambda size: average_error(size) - Fraction(1, 36)),
    (
        "2 / (9 size**2) is missing",
        COUNT,
        lambda size: average_error(size) - Fraction(2, 9 * size**2),
    ),
    (
        "1 / (2 size) is counted twice, 1 / (2 (size + 1)) is missing",
        COUNT,
        lambda size: average_error(size) + 0.5 / size - 0.5 / (size + 1),
    ),
    ("the sum is divided by size**2", COUNT, lambda size: all_ranges(size) / size**2),
    ("the sum is returned, not the mean", COUNT, all_ranges),
    ("ranges of one cell are left out", ENDS, without_single_cells),
    ("only ranges that begin at cell 1 are averaged", ENDS, prefixes),
    ("only single cells are averaged", ENDS, single_cells),
    (
        "the cells' own errors are added, their covariances lost",
        "are the noisy counts of two neighboring cells independent?",
        lambda size: single_cells(size) * (size + 2) / 3,
    ),
    (
        "this is the mean error of flat noise",
        "what does the restore matrix do to the noise?",
        lambda size: (size + 2) / 3,
    ),
    (
        "the sensitivity is in it",
        NOISE,
        lambda size: (levels(size) + 1) ** 2 * average_error(size),
    ),
    (
        "the mean squared error at epsilon 1 is returned",
        NOISE,
        lambda size: 2 * (levels(size) + 1) ** 2 * average_error(size),
    ),
    (
        "the number of cells is taken for twice as many",
        "how many levels of nodes has a tree over `size` cells?",
        lambda size: average_error(2 * size),
    ),
):
    SMALL.mistake(name, ask, formula)
