"""Shared by the claims about rows from pairs of columns: shares along trees, or instead of them."""

import itertools
from collections.abc import Sequence

import numpy as np

# Counts found by search: the shares of any two laws of `row_mistakes`, and of the trees, differ by
# 0.053 in some cell at least. The first two columns hang together least, by 0.06 of the rows, also
# when dependence is measured by mutual information.
_FAR_FROM_TREES = (
    (1, 7, 30, 2, 5, 13, 2, 8),
    (8, 2, 11, 5, 2, 31, 7, 2),
    (13, 5, 7, 2, 8, 1, 1, 31),
    (6, 14, 4, 7, 3, 6, 27, 1),
    (6, 1, 1, 32, 12, 5, 7, 4),
    (5, 9, 2, 8, 1, 7, 34, 1),
    (10, 5, 9, 5, 5, 1, 1, 31),
    (2, 8, 5, 14, 29, 1, 1, 9),
)

# Of four columns, the three best pairs form a cycle, also when dependence is measured by mutual
# information. The best tree's shares differ from any other law of `ROW_MISTAKES` by 0.037.
_CYCLE = (4, 2, 3, 1, 1, 1, 25, 17, 6, 13, 2, 5, 2, 8, 4, 6)

# Of columns with 4, 4 and 2 values the long ones hang together more than one of them and the short
# one do, by 0.15 of the largest distance and more, also by mutual information. By Cramer's V, which
# makes less of long columns, it is the other way round. The shares of the two trees differ by 0.09.
_LONG_AND_SHORT = (
    "6 1 23 1 6 1 6 15 3 1 1 4 34 1 2 1 1 2 4 1 30 5 3 10 1 2 1 10 4 6 1 3",
    "2 1 13 1 1 1 1 22 2 1 11 1 39 1 1 3 2 2 8 2 1 1 2 14 1 6 1 2 1 42 1 4",
)


def apart(shares: np.ndarray) -> np.ndarray:
    """Return the shares if the columns were independent."""
    return of_tree(shares, ())


def of_tree(shares: np.ndarray, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the product of all pairs' shares over those of the columns they have in common.

    Chow & Liu (1968): along a tree each column follows from the one before it.
    """
    found = np.ones_like(shares)
    seen: list[int] = []
    for pair in pairs:
        found = found * _marginal(shares, pair)
        for column in pair:
            if column in seen:
                found = found / _marginal(shares, (column,))
            seen.append(column)
    for column in set(range(shares.ndim)) - set(seen):
        found = found * _marginal(shares, (column,))
    return found


def _marginal(shares: np.ndarray, columns: Sequence[int]) -> np.ndarray:
    """Return the shares of some columns, with one axis of length 1 for every other column."""
    others = tuple(set(range(shares.ndim)) - set(columns))
    return shares.sum(axis=others, keepdims=True)


def dependence(counts: np.ndarray) -> dict[tuple[int, int], float]:
    """Return how far each pair of columns is from independence: the L1 distance of its counts."""
    shares = counts / counts.sum()
    scores = {}
    for pair in itertools.combinations(range(counts.ndim), 2):
        gap = _marginal(shares, pair) - _marginal(shares, pair[:1]) * _marginal(shares, pair[1:])
        scores[pair] = float(np.abs(gap).sum() * counts.sum())
    return scores


def best_pairs(counts: np.ndarray, *, best: bool = True) -> list[tuple[int, int]]:
    """Return the tree of pairs that hang together most, the best one first; or least."""
    scores, chosen, part = dependence(counts), [], list(range(counts.ndim))
    for first, second in sorted(scores, key=scores.get, reverse=best):
        if part[first] != part[second]:
            part = [part[first] if label == part[second] else label for label in part]
            chosen.append((first, second))
    return chosen


def cycle_counts(generator: np.random.Generator) -> np.ndarray:
    """Return counts of sixteen cells, in four columns, whose three best pairs form a cycle."""
    return _shuffled(np.reshape(_CYCLE, (2, 2, 2, 2)), generator)


def bridge_counts(generator: np.random.Generator) -> np.ndarray:
    """Return counts of sixteen cells, in four columns: two best pairs apart, a third joins them.

    The best tree's shares differ by more than 0.05 from those of the two best pairs alone.
    """
    same = np.eye(2, dtype=int)
    first, second, third = 5 * same + 1, 4 * same + 1, 2 * same + 1
    counts = np.einsum("ab,cd,bc->abcd", first, second, third)
    return _shuffled(counts, generator)


def unequal_counts(generator: np.random.Generator) -> np.ndarray:
    """Return counts of two long columns and a short one, of which the long ones are a pair."""
    counts = np.array(str(generator.choice(_LONG_AND_SHORT)).split(), dtype=int)
    flips = tuple(axis for axis in range(3) if generator.random() < 0.5)
    swapped = (0, 1, 2) if generator.random() < 0.5 else (1, 0, 2)
    return np.flip(counts.reshape(4, 4, 2).transpose(swapped), flips)


def _shuffled(counts: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the same counts with their columns in random order, some of them turned round."""
    flips = tuple(axis for axis in range(counts.ndim) if generator.random() < 0.5)
    return np.flip(counts.transpose(generator.permutation(counts.ndim)), flips)


def random_counts(
    generator: np.random.Generator, weakest: tuple[int, int] | None = None
) -> np.ndarray:
    """Return counts of eight cells, all of them filled, far from independence and from any tree.

    `weakest` is the pair of columns that shall hang together least; None for any.
    """
    base = np.reshape(_FAR_FROM_TREES[generator.integers(len(_FAR_FROM_TREES))], (2, 2, 2))
    first, second = weakest or tuple(int(each) for each in generator.permutation(3)[:2])
    # Axes 0 and 1 of the base become the weakest pair.
    counts = np.moveaxis(base, (0, 1), (first, second))
    flips = tuple(int(axis) for axis in range(3) if generator.random() < 0.5)
    return np.flip(counts, flips) * int(generator.integers(1, 5))


_CHAIN = "which pairs of columns are to be kept, and which only follow from them?"


# What a row may follow instead of a tree: name, question, and law. A law takes the shares of the
# real rows and the pairs of the tree, and gives shares.
ROW_MISTAKES = (
    (
        "the columns are independent",
        "which values of two columns come together in the real table, and in yours?",
        lambda shares, pairs: apart(shares),
    ),
    (
        "the real rows are drawn again",
        "three values together: which marginal did you buy that knows about all three?",
        lambda shares, pairs: shares,
    ),
    (
        "all rows are equally likely",
        "at this epsilon there is hardly any noise: what do the counts say?",
        lambda shares, pairs: np.full_like(shares, 1 / shares.size),
    ),
    (
        "each column goes with the next, whatever is asked",
        _CHAIN,
        lambda shares, pairs: of_tree(shares, ((0, 1), (1, 2))),
    ),
    (
        "each column goes with the first, whatever is asked",
        _CHAIN,
        lambda shares, pairs: of_tree(shares, ((0, 1), (0, 2))),
    ),
    ("only one pair is kept", _CHAIN, lambda shares, pairs: of_tree(shares, pairs[:1])),
    (
        # The second pair draws the common column anew.
        "a column is drawn anew by its second pair",
        "a row has one value in each column: given which of them is the next one drawn?",
        lambda shares, pairs: of_tree(shares, pairs[1:]),
    ),
)
