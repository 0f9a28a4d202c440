"""Cells in nested blocks: how exactly a strategy that asks about blocks answers a range.

A range is given by two whole numbers, start and stop: the cells from start + 1 to stop. Errors are
in units of the variance of one noisy answer.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dplib import _validate


def tree_factors(size: int, branching: object) -> tuple[int, ...]:
    """Return into how many parts each level of a tree over `size` cells splits, widest first.

    Args:
      size: number of cells.
      branching: the number of parts, the same on every level, or one number for each level.

    Raises:
      ValueError: a number is below 2, or the levels do not end at single cells.
    """
    if np.ndim(branching) == 0:
        parts = _validate.whole("branching", branching, least=2)
        levels = next(level for level in itertools.count() if parts**level >= size)
        factors = (parts,) * levels
    else:
        factors = tuple(_validate.whole("branching", each, least=2) for each in branching)
    if math.prod(factors) != size:
        raise ValueError(f"branching must multiply to size {size}, got {branching!r}")
    return factors


def tree_widths(size: int, factors) -> tuple[int, ...]:
    """Return how many cells a block of each level has: `size` first, 1 last."""
    return tuple(itertools.accumulate(factors, lambda width, parts: width // parts, initial=size))


def sensitivity(widths: tuple[int, ...], size: int, neighbors: str) -> int:
    """Return how much the answers of all levels move together (L1) between neighbors.

    A person counts once on each level. Replacing one moves two blocks of a level, or, in a Haar
    tree, the difference between them by 2; but never the total.
    """
    if _validate.neighbors("neighbors", neighbors) == "add_remove":
        return len(widths)
    return 2 * sum(width < size for width in widths)


@dataclass(frozen=True)
class LeastSquares:
    """Ranges answered from the counts that fit all noisy answers best, by least squares.

    Let P_j replace every cell by the average of its block on level j, and P_{-1} = 0. A tree of
    sums and the Haar strategy A both have AᵀA = Σ_j eigenvalue_j * (P_j - P_{j-1}): the projections
    are nested, so the inverse of AᵀA, the covariance of the counts, is the same sum with
    1 / eigenvalue_j. For a tree, AᵀA = Σ_j width_j * P_j, so eigenvalue_j = width_j + width_{j+1}
    + ... + 1. For Haar, a node of w cells has squared length w, so eigenvalue_j = 2 * width_j
    below the total.

    Args:
      widths: cells in a block of each level, widest first; each divides the one before; 1 last.
      inverses: 1 / eigenvalue_j of each level; 0 where the answer has no noise.
    """

    widths: tuple[int, ...]
    inverses: tuple[Fraction, ...]

    def rises(self) -> list[tuple[int, Fraction]]:
        """Return the width of each level but the last, and by how much the next inverse is larger.

        For a range q of `length` cells, |P_j q|² = length - spread_j, where a block of w cells of
        which r are in the range adds r * (w - r) / w to spread_j. Summed by parts, the error is
        inverse_0 * length + Σ_j (inverse_{j+1} - inverse_j) * spread_j: no term is negative.
        """
        steps = (after - before for before, after in itertools.pairwise(self.inverses))
        return list(zip(self.widths, steps, strict=False))

    def errors(self, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """Return the variance of each range, in O(number of levels) each."""
        ends = np.stack([start, stop])
        total = float(self.inverses[0]) * (stop - start)
        block, rest = np.empty_like(ends), np.empty_like(ends)
        # Written in place: new arrays would take longer than the arithmetic.
        for width, rise in self.rises():
            np.floor(np.divide(ends, width, out=block), out=block)
            np.subtract(ends, np.multiply(block, width, out=rest), out=rest)
            # If both ends lie in one block, it holds the whole range: count it once, as 0 to
            # stop - start. Two blocks count their own parts.
            rest -= rest[0] * (block[0] == block[1])
            np.multiply(np.subtract(width, rest, out=block), float(rise / width), out=block)
            rest *= block
            total += rest[0]
            total += rest[1]
        return total

    def average(self, size: int) -> Fraction:
        """Return the exact mean of `errors` over all ranges of `size` cells."""
        # The mean number of cells in a range is (size + 2) / 3.
        total = self.inverses[0] * Fraction(size + 2, 3)
        for width, rise in self.rises():
            # Over all pairs of ends: each of the size + 1 places is in `size` pairs, and
            # Σ r * (width - r) over a block is width * (width² - 1) / 6. Pairs of ends within one
            # block count 2 * r_start * (width - r_stop) less, C(width + 1, 4) twice a block.
            ends = Fraction(size * size * (width**2 - 1), 6 * width)
            shared = Fraction(2 * size * math.comb(width + 1, 4), width**2)
            total += rise * (ends - shared) / math.comb(size + 1, 2)
        return total


@dataclass(frozen=True)
class FewestNodes:
    """Ranges answered by adding up the fewest nodes of a tree of noisy sums, as they are.

    Args:
      widths: cells in a block of each level, widest first; each divides the one before; 1 last.
      exact_total: whether the node of all cells has no noise.
    """

    widths: tuple[int, ...]
    exact_total: bool

    def extra_parts(self) -> list[tuple[int, int]]:
        """Return the width of each level but the last, and how many parts a block has beyond one.

        A range starts as its cells; each whole block on a level replaces its parts by one node.
        """
        return [(wide, wide // narrow - 1) for wide, narrow in itertools.pairwise(self.widths)]

    def errors(self, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """Return the number of noisy nodes of each range, in O(number of levels) each."""
        total = stop - start
        for width, extra in self.extra_parts():
            whole = np.floor(stop / width) - np.ceil(start / width)
            total = total - extra * np.maximum(whole, 0)
        return total - (stop - start == self.widths[0]) * self.exact_total

    def average(self, size: int) -> Fraction:
        """Return the exact mean of `errors` over all ranges of `size` cells."""
        pairs = math.comb(size + 1, 2)
        total = Fraction(size + 2, 3) - Fraction(int(self.exact_total), pairs)
        for width, extra in self.extra_parts():
            blocks, rest = size // width, size - width
            # Σ_i (i * width + 1) * (rest + 1 - i * width): the ranges that hold block i.
            holding = blocks * (rest + 1) + width * rest * math.comb(blocks, 2)
            holding -= width**2 * (blocks - 1) * blocks * (2 * blocks - 1) // 6
            total -= Fraction(extra * holding, pairs)
        return total


def haar_scheme(size: int, exact_total: bool = False) -> LeastSquares:
    """Return the Haar strategy."""
    widths = tree_widths(size, tree_factors(size, 2))
    total = Fraction(int(not exact_total), size)
    return LeastSquares(widths, (total, *(Fraction(1, 2 * width) for width in widths[1:])))


def tree_scheme(widths: tuple[int, ...], exact_total: bool = False) -> LeastSquares:
    """Return a tree of sums with these widths, made consistent by least squares."""
    eigenvalues = list(itertools.accumulate(reversed(widths)))[::-1]
    first = Fraction(int(not exact_total), eigenvalues[0])
    return LeastSquares(widths, (first, *(Fraction(1, each) for each in eigenvalues[1:])))
