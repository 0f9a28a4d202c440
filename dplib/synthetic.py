"""Synthetic data: rows that belong to nobody, drawn from noisy marginals.

A marginal is a table of counts over some columns and their public categories. Each one that is
measured costs; drawing rows from it, and any number of questions to those rows, is post-processing
and costs nothing more. The true number of rows is private under add_remove: it is not used.
"""

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from dplib import _validate
from dplib._categories import category_codes, public_index
from dplib.laplace import discrete_laplace

__all__ = ["private_marginal", "synthesize", "utility_report"]

#: A marginal with more cells than this would not fit in memory, or be of any use.
MOST_CELLS = 10**7


def private_marginal(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    """Release how many rows have each combination of categories, with epsilon-privacy.

    A row is in one cell. So one row more or less moves the counts by 1 in the L1 norm, a changed
    row by 2: the noise is `discrete_laplace` with sensitivity 1 (add_remove) or 2 (replace_one).

    Args:
      table: DataFrame of shape (n, columns), one row a person; n may be 0.
      categories: {column: its public categories}, one column or more, fixed before the data are
        seen. Read off the data they show who is there, and epsilon is infinite. "Missing" is a
        category: rows left out make every share too large (`dplib.data.fill_missing`).
      epsilon: privacy cost spent by this release, > 0, without unit.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      Series of noisy counts, whole numbers, some negative, indexed by every combination. To set
      the negative ones to 0 costs no privacy, but adds about half the noise's scale to each empty
      cell: at epsilon 1, with Laplace noise, the one Baby among 65 ages counts 33.

    Raises:
      ValueError: an argument is out of range, a column is lacking, or a value is missing or not
        among its categories.

    Source: Dwork & Roth (2014), section 3.3 (histograms); Ghosh, Roughgarden & Sundararajan (2009).
    """
    counts = exact_counts(table, categories)
    noisy = noisy_counts(counts, epsilon=epsilon, neighbors=neighbors, rng=rng)
    columns = [public_index(values).rename(column) for column, values in categories.items()]
    index = pd.MultiIndex.from_product(columns) if len(columns) > 1 else columns[0]
    return pd.Series(noisy.ravel(), index=index, name="count")


def synthesize(marginal, *, size=None, rng=None):
    """Draw rows whose shares are those of a marginal (post-processing: free).

    The counts are first made at least 0 with their total kept: all are lowered by one number, and
    those below 0 set to 0. Among all such counts these are nearest. (A rare value spread over many
    empty cells still gains; `synthesize_from_pairs` also measures how frequent each value is.)
    Then each cell gets its share of the rows, rounded up or down at random: a row is in a cell with
    that cell's share as its probability. (Independent draws would add sqrt(size * share).)

    Args:
      marginal: Series of noisy counts, as from `private_marginal`, indexed by the values.
      size: number of rows, >= 1; None means the marginal's own total, at least 0. Not the exact
        number of rows of the real table, unless that is public.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      DataFrame with a column for each level of the index, in random order.

    Raises:
      ValueError: marginal is not a Series of finite numbers, or size is out of range.

    Source: Dwork & Roth (2014), proposition 2.1 (post-processing); Duchi, Shalev-Shwartz, Singer &
    Chandra (2008), projection onto a simplex; Madow (1949), systematic sampling.
    """
    if not isinstance(marginal, pd.Series):
        raise ValueError(f"marginal must be a Series, got {type(marginal).__name__}")
    counts = _validate.finite_array("marginal", marginal)
    places = spread(shares(counts), row_count(size, counts.sum()), _validate.generator(rng))
    return marginal.index[places].to_frame(index=False)


def utility_report(real, synthetic, *, categories):
    """Compare every one-way and two-way marginal of a synthetic table with the real one.

    It reads the real table and has no privacy: for the owner of the data, not for publication. To
    publish it, or to choose the best of several synthetic tables by it, spends more.

    Args:
      real: DataFrame of shape (n, columns), n >= 1.
      synthetic: DataFrame of shape (m, columns), m >= 1.
      categories: {column: its public categories}, one column or more.

    Returns:
      DataFrame indexed by the marginal's columns ("first", "second"; "second" is "" for one-way):
      "cells"; "total_variation", half of the sum over cells of the difference of shares, from 0
      (the same shares) to 1; "largest_error", the largest difference of one cell's shares.

    Raises:
      ValueError: a table has no rows or lacks a column, or a value is missing or not among its
        categories.
    """
    tables = [column_codes(real, categories), column_codes(synthetic, categories)]
    if not (len(real) and len(synthetic)):
        raise ValueError(f"real and synthetic must have rows, got {[len(real), len(synthetic)]}")
    groups = [(column, "") for column in categories] + list(itertools.combinations(categories, 2))
    rows = []
    for group in groups:
        chosen = {column: categories[column] for column in group if column in categories}
        first, second = (count_codes(codes, chosen) for codes in tables)
        gap = np.abs(first / len(real) - second / len(synthetic))
        rows.append((gap.size, gap.sum() / 2, gap.max()))
    index = pd.MultiIndex.from_tuples(groups, names=["first", "second"])
    return pd.DataFrame(rows, index=index, columns=["cells", "total_variation", "largest_error"])


def column_codes(table, categories) -> dict:
    """Return each column as places in its categories; ValueError names what is wrong."""
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"table must be a DataFrame, got {type(table).__name__}")
    if not isinstance(categories, Mapping) or not categories:
        raise ValueError(f"categories must map columns to their categories, got {categories!r}")
    lacking = [column for column in categories if column not in table.columns]
    if lacking:
        raise ValueError(f"table must have the columns of categories; it lacks {lacking}")
    return {
        column: category_codes(f"table[{column!r}]", table[column], values)
        for column, values in categories.items()
    }


def exact_counts(table, categories) -> np.ndarray:
    """Return the count of each combination, one axis a column."""
    return count_codes(column_codes(table, categories), categories)


def count_codes(codes, categories) -> np.ndarray:
    """Return the count of each combination, from the places of `column_codes`."""
    shape = tuple(len(values) for values in categories.values())
    if math.prod(shape) > MOST_CELLS:
        raise ValueError(f"categories must make at most {MOST_CELLS} cells, got {math.prod(shape)}")
    places = np.ravel_multi_index([codes[column] for column in categories], shape)
    return np.bincount(places, minlength=math.prod(shape)).reshape(shape)


def noisy_counts(counts, *, epsilon, neighbors, rng) -> np.ndarray:
    """Release the counts of one marginal: the one place where a table's counts get their noise."""
    sensitivity = marginal_sensitivity(neighbors)
    return discrete_laplace(counts, sensitivity=sensitivity, epsilon=epsilon, rng=rng)


def marginal_sensitivity(neighbors: object) -> int:
    """Return how far one person moves a marginal in the L1 norm."""
    return 1 if _validate.neighbors("neighbors", neighbors) == "add_remove" else 2


def shares(counts) -> np.ndarray:
    """Return the nearest counts that are at least 0 and have the same total, divided by it."""
    total = counts.sum()
    if total <= 0:
        return np.full(counts.shape, 1 / counts.size)
    # Duchi et al. (2008), figure 1: lower all by the one number that leaves the total as it was.
    ordered = np.sort(counts, axis=None)[::-1]
    lowered = (np.cumsum(ordered) - total) / np.arange(1, counts.size + 1)
    kept = np.maximum(counts - lowered[ordered > lowered][-1], 0)
    return kept / kept.sum()


def row_count(size: object, total: float) -> int:
    """Return the number of rows asked for, or the noisy total where none is."""
    return max(round(total), 0) if size is None else _validate.whole("size", size)


def spread(shares, size, rng) -> np.ndarray:
    """Return `size` places in random order, place i about size * shares[i] times."""
    # Madow (1949): the whole numbers, moved by one uniform number, in each share's interval.
    ends = np.cumsum(shares)
    passed = np.floor(ends / ends[-1] * size + rng.random()).astype(np.intp)
    return rng.permutation(np.repeat(np.arange(len(shares)), np.diff(passed, prepend=0)))
