"""Answers to chapter 15."""

from fractions import Fraction

import numpy as np
import pandas as pd

import dplib
from dplib import ranges
from wrong_answers.changes import then

RIGHT, WRONG = {}, {}

# --- haar_strategy ----------------------------------------------------------------------------


def haar_by_blocks(size):
    rows, width = [np.ones(size)], size
    while width > 1:
        for first in range(0, size, width):
            row = np.zeros(size)
            row[first : first + width // 2] = 1
            row[first + width // 2 : first + width] = -1
            rows.append(row)
        width //= 2
    return np.array(rows)


def haar_by_kronecker(size):
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.vstack([np.kron(matrix, [1, 1]), np.kron(np.eye(len(matrix)), [1, -1])])
    return matrix


def haar_by_lists(size):
    def nodes(first, last):
        level = [(first, last)]
        while level[0][1] - level[0][0] > 1:
            yield from level
            middles = [(a, (a + b) // 2, b) for a, b in level]
            level = [half for a, m, b in middles for half in ((a, m), (m, b))]

    rows = [[1] * size]
    for first, last in nodes(0, size):
        middle = (first + last) // 2
        signs = [(p < middle) - (p >= middle) for p in range(first, last)]
        rows.append([0] * first + signs + [0] * (size - last))
    return rows


def haar_depth_first(size):
    rows = [np.ones(size)]

    def walk(first, last):
        if last - first > 1:
            row = np.zeros(size)
            middle = (first + last) // 2
            row[first:middle], row[middle:last] = 1, -1
            rows.append(row)
            walk(first, middle)
            walk(middle, last)

    walk(0, size)
    return np.array(rows)


def haar_that_is_half_done(size):
    return haar_by_blocks(size)[: size // 2]


RIGHT["haar_strategy"] = [
    haar_by_blocks,
    haar_by_kronecker,
    haar_by_lists,
    lambda size: pd.DataFrame(haar_by_blocks(size)),
    lambda size: haar_by_blocks(size).astype(np.int8),
]

WRONG["haar_strategy"] = [
    (haar_depth_first, "the value is wrong at"),
    (lambda size: haar_by_blocks(size) if size > 1 else [[0]], "the value is wrong at 1 of 6"),
    (haar_that_is_half_done, "the wrong shape"),
    (lambda size: ranges.tree_strategy(size), "the wrong shape"),
    (lambda size: [1] * size, "a matrix is wanted"),
    (lambda size: haar_by_blocks(size) / np.zeros(size), "not finite"),
]


# --- range_error ------------------------------------------------------------------------------


def nearest(number, width):
    """Return how far number / width is from a whole number, exactly."""
    rest = number % width
    return Fraction(min(rest, width - rest), width)


def error_by_levels(left, right, *, size):
    start, stop, width = left - 1, right, 2
    total = Fraction(stop - start, size) ** 2
    while width <= size:
        one, other = nearest(start, width), nearest(stop, width)
        total += one**2 + other**2
        if start // width == stop // width:
            total -= 2 * one * other
        width *= 2
    return float(total)


def error_by_nodes(left, right, *, size):
    """Walk down both sides of the range, with sums of the two halves."""

    def inside(first, last):
        return max(0, min(right, last) - max(left - 1, first))

    total = (inside(0, size) / size) ** 2
    waiting = [(0, size)]
    while waiting:
        first, last = waiting.pop()
        width, middle = last - first, (first + last) // 2
        if width == 1 or inside(first, last) in (0, width):
            continue
        total += ((inside(first, middle) - inside(middle, last)) / width) ** 2
        waiting += [(first, middle), (middle, last)]
    return total


def error_by_blocks(left, right, *, size, strategy="privelet"):
    """Sum by parts over the averages of blocks, in numpy."""
    ends = np.array([left - 1, right], dtype=float)
    widths = size / 2.0 ** np.arange(size.bit_length() - 1)
    block = np.floor(ends[:, None] / widths)
    rest = ends[:, None] - block * widths
    same = block[0] == block[1]
    rest = np.where(same, [0 * rest[0], rest[1] - rest[0]], rest)
    spread = (rest * (widths - rest) / widths).sum(axis=0)
    inverses = np.concatenate([[1 / size], 1 / widths])
    return (right - left + 1) / size + float((np.diff(inverses) * spread).sum())


def error_by_matrix(left, right, *, size):
    row = dplib.haar_restore(size)[left - 1 : right].sum(axis=0)
    return row @ row


def error_by_lookups(left, right, *, size):
    """A rule whose time grows with the number of cells, but slowly: one numpy pass."""
    cells = np.arange(size)
    inside = (cells >= left - 1) & (cells < right)
    total, sums = float(inside.mean()) ** 2, inside.astype(float)
    width = 1
    while len(sums) > 1:
        width *= 2
        total += float((((sums[0::2] - sums[1::2]) / width) ** 2).sum())
        sums = sums[0::2] + sums[1::2]
    return total


def error_of_pairs(pairs, first):
    def rule(left, right, *, size):
        levels = size.bit_length() - 1
        total = (right - left + 1) * (1 + 2 / size**2) / 3
        for i in range(left - 1, right):
            for j in range(i + 1, right):
                height = ((i + first) ^ (j + first)).bit_length()
                total += pairs * 2 / 3 * (4.0**-levels - 4.0**-height)
        return total

    return rule


RIGHT["range_error"] = [
    error_by_levels,
    error_by_nodes,
    error_by_blocks,
    lambda left, right, *, size: np.array([error_by_levels(left, right, size=size)]),
    lambda left, right, *, size: Fraction(error_by_levels(left, right, size=size)),
]


def error_in_32_bits(left, right, *, size):
    """Squares of whole numbers of 32 bits are too large for them at a hundred thousand cells."""
    width = (2 ** np.arange(1, int(size).bit_length())).astype(np.int32)
    start, stop = np.int32(left - 1), np.int32(right)
    one, other = (np.minimum(end % width, width - end % width) for end in (start, stop))
    squares = one * one + other * other - 2 * (start // width == stop // width) * one * other
    return float(((stop - start) / size) ** 2 + (squares / width.astype(float) ** 2).sum())


WRONG["range_error"] = [
    (error_in_32_bits, "can the type hold that you keep them in?"),
    (error_by_matrix, "the time grows with the number of cells"),
    (error_of_pairs(2, 0), "the time grows with the number of cells"),
    (error_by_lookups, "the time grows with the number of cells"),
    (lambda left, right, *, size: "31/32", "one number is wanted"),
]


# --- beat_privelet ----------------------------------------------------------------------------


def weighted_tree(size):
    """A tree of 32 by 32 with a little more weight on the cells."""
    wide = np.repeat(np.eye(32), size // 32, axis=1)
    return np.vstack([wide, 1.2 * np.eye(size)])


def steep_sums(size):
    """Prefix sums: wonderful answers, and a column of a thousand ones."""
    return np.tril(np.ones((size, size)))


def tree(size, widths):
    """A tree whose nodes have these widths, in cells, from level to level."""
    return np.vstack([np.repeat(np.eye(size // width), width, axis=1) for width in widths])


RIGHT["beat_privelet"] = [
    lambda size: tree(size, (128, 8, 1)),
    lambda size: pd.DataFrame(weighted_tree(size)),
    lambda size: np.vstack([np.repeat(np.eye(16), size // 16, axis=1), np.eye(size)]),
    lambda size: tree(size, (1024, 256, 64, 16, 4, 1)).tolist(),
]

WRONG["beat_privelet"] = [
    (lambda size: ranges.haar_strategy(size), "does not beat Privelet yet"),
    (np.eye, "does not beat Privelet yet"),
    (lambda size: tree(size, 2 ** np.arange(11)), "does not beat Privelet yet"),
    (lambda size: ranges.tree_strategy(size, branching=4), "the library's own version"),
    (
        lambda size: ranges.tree_strategy(
            size, branching=ranges.strategies.best_tree(size)[0], total=False
        ),
        "the library's own version",
    ),
    (lambda size: ranges.strategies.p_identity_strategy(size), "the library's own version"),
    (steep_sums, "does not beat Privelet yet"),
    (lambda size: 0.001 * ranges.haar_strategy(size), "does not beat Privelet yet"),
    (lambda size: np.repeat(np.eye(32), size // 32, axis=1), "do not follow from the answers"),
    (lambda size: np.vstack([np.ones(size)] * 3), "do not follow from the answers"),
    (lambda size: tree(512, (512, 64, 8, 1)), "the wrong shape"),
    (lambda size: ranges.haar_strategy(size)[:, :-1], "the wrong shape"),
    (lambda size: np.ones(size), "a matrix is wanted"),
    (lambda size: np.tile(np.eye(size), (9, 1)), "too many rows"),
    (lambda size: np.full((size, size), np.nan), "not finite"),
    (lambda size: 80.76, "a matrix is wanted"),
]


# --- flat_wins_below --------------------------------------------------------------------------


def costs(strategy, branching, size):
    parameters = {"size": size, "strategy": strategy, "branching": branching}
    noise, error = ranges.range_sensitivity(**parameters), dplib.average_range_error(**parameters)
    return noise, error, (size + 2) / 3


def wins_by(better):
    def first(*, strategy, branching):
        size = branching
        while not better(*costs(strategy, branching, size)):
            size *= branching
        return size

    return first


def wins_by_recursion(*, strategy, branching, size=1):
    size *= branching
    noise, error, flat = costs(strategy, branching, size)
    if noise**2 * error < flat:
        return size
    return wins_by_recursion(strategy=strategy, branching=branching, size=size)


def wins_by_matrix(*, strategy, branching):
    if branching > 10:  # the matrices are too large
        return FIRST_WIN(strategy=strategy, branching=branching)
    for size in (branching**k for k in range(1, 11)):
        if size > 1200:
            break
        if strategy == "privelet":
            matrix = ranges.haar_strategy(size)
        else:
            matrix = ranges.tree_strategy(size, branching=branching)
        if ranges.strategy_error(matrix) < ranges.strategy_error(np.eye(size)):
            return size
    return None


FIRST_WIN = wins_by(lambda noise, error, flat: noise**2 * error < flat)

RIGHT["flat_wins_below"] = [
    FIRST_WIN,
    wins_by_recursion,
    wins_by_matrix,
    then(FIRST_WIN, np.int64),
]

WRONG["flat_wins_below"] = [
    (wins_by(lambda noise, error, flat: error < flat), "is the noise left out"),
    (
        lambda *, strategy, branching: (
            FIRST_WIN(strategy=strategy, branching=branching) // branching
        ),
        "which of the two is wanted, and which do you return?",
    ),
    (
        lambda *, strategy, branching: (
            FIRST_WIN(strategy=strategy, branching=branching) * branching
        ),
        "wins at a smaller size already",
    ),
    (wins_by(lambda noise, error, flat: noise**2 * error < 0.95 * flat), "wins at a smaller size"),
    (wins_by(lambda noise, error, flat: noise**2 * error < 1.03 * flat), "flat noise still wins"),
    (lambda *, strategy, branching: 500, ("not a power of", "one cell is no tree")),
    (lambda *, strategy, branching: 1, ("not a power of", "one cell is no tree")),
    (lambda *, strategy, branching: branching, "is the noise left out"),
    (
        lambda *, strategy, branching: 16 if strategy == "privelet" else branching**9,
        "flat noise still wins at this size",
    ),
    (lambda *, strategy, branching: branching**70, "out of reach"),
    (lambda *, strategy, branching: 512.5, "the size is not a whole number"),
    (lambda *, strategy, branching: (512, 1024), "one number is wanted"),
]
