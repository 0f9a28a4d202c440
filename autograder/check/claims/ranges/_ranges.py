"""Shared by the claims about ranges of cells: exact errors, worked out without dplib."""

import math
from fractions import Fraction
from functools import cache


def haar_nodes(size: int) -> list[tuple[int, int, int]]:
    """Return (number, first cell, cells) of every node of the Haar tree, the top one first."""
    nodes = []
    for number in range(1, size):
        depth = number.bit_length() - 1
        width = size >> depth
        nodes.append((number, (number - (1 << depth)) * width, width))
    return nodes


def haar_coefficient(left: int, right: int, size: int) -> Fraction:
    """Return the error of one range from Haar coefficients with noise of variance 1.

    A node of w cells whose halves hold p and q cells of the range adds ((p - q) / w)**2, the total
    adds (cells / size)**2 (Xiao, Wang & Gehrke 2010). Only nodes at an end of the range can have
    p != q, so at most two a level are looked at.
    """
    start, stop = left - 1, right
    error = Fraction(stop - start, size) ** 2
    width = size
    while width > 1:
        for block in {start // width, (stop - 1) // width}:
            first, middle = block * width, block * width + width // 2
            in_left = _overlap(start, stop, first, middle)
            in_right = _overlap(start, stop, middle, first + width)
            error += Fraction(in_left - in_right, width) ** 2
        width //= 2
    return error


def _overlap(start: int, stop: int, first: int, last: int) -> int:
    return max(0, min(stop, last) - max(start, first))


def block_rises(branching: int, levels: int, kind: str, exact_total: bool) -> Fraction:
    """Return the mean error over all ranges of a tree of sums, or of the Haar strategy."""
    size = branching**levels
    widths = [branching**k for k in range(levels, -1, -1)]
    if kind == "haar":
        values = [Fraction(size), *(Fraction(2 * width) for width in widths[1:])]
    else:
        values = [Fraction(sum(widths[k:])) for k in range(levels + 1)]
    inverses = [1 / value for value in values]
    if exact_total:
        inverses[0] = Fraction(0)
    # Hay et al. (2010), section 4: AᵀA averages over nested blocks, so its inverse does as well.
    # |P_j q|² summed over all ranges q, for the projection P_j on blocks of one level.
    norms = [_projected(size, width) for width in widths]
    total, before = Fraction(0), Fraction(0)
    for inverse, norm in zip(inverses, norms, strict=True):
        total += inverse * (norm - before)
        before = norm
    return total / math.comb(size + 1, 2)


def _projected(size: int, width: int) -> Fraction:
    """Return Σ over all ranges of |P q|², where P averages over blocks of `width` cells.

    It is Σ over blocks B of Σ_{i, j in B} V_ij / width with V_ij, the number of ranges that hold
    both cells, = (min + 1) * (size - max) for cells counted from 0.
    """
    blocks = size // width
    # With cells i = first + x and j = first + y of one block: sums over x and y in closed form.
    lows = sum_of_min(width)
    highs = (width - 1) * width * width - lows
    products = sum_of_products(width)
    total = Fraction(0)
    firsts = Fraction(width * blocks * (blocks - 1), 2)
    squares = Fraction(width**2 * (blocks - 1) * blocks * (2 * blocks - 1), 6)
    # (first + min + 1) * (size - first - max), summed over pairs and then over blocks.
    pairs = width * width
    total += pairs * ((size - 1) * firsts - squares)
    total += blocks * (size * (lows + pairs) - products - highs)
    total += firsts * (-lows - highs)
    return total / width


def sum_of_min(width: int) -> int:
    """Return Σ min(x, y) over x, y = 0 .. width - 1."""
    return (width - 1) * width * (2 * width - 1) // 6


def sum_of_products(width: int) -> int:
    """Return Σ x * y over x, y = 0 .. width - 1, which is Σ min * max."""
    return (width * (width - 1) // 2) ** 2


@cache
def strategy_average(strategy: str, branching: int, levels: int, neighbors: str) -> Fraction:
    """Return (noise needed)**2 times the mean error over all ranges: C, at equal privacy."""
    size, replaced = branching**levels, neighbors == "replace_one"
    if strategy == "flat":
        return (4 if replaced else 1) * Fraction(size + 2, 3)
    sensitivity = 2 * levels if replaced else levels + 1
    kind = "haar" if strategy == "privelet" else "tree"
    return sensitivity**2 * block_rises(branching, levels, kind, replaced)
