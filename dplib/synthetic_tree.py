"""Synthetic rows from two-way marginals that form a tree, stated or chosen privately.

All that is read from the real table goes through `noisy_counts`, as in `private_marginal`, and
`exponential_mechanism`; what they give is then fitted and drawn from, which is post-processing.
"""

import itertools

import numpy as np
import pandas as pd

from dplib import _validate
from dplib._categories import public_index
from dplib.selection import exponential_mechanism
from dplib.synthetic import (
    column_codes,
    count_codes,
    marginal_sensitivity,
    noisy_counts,
    row_count,
    shares,
    spread,
)

__all__ = ["synthesize_from_pairs", "synthesize_from_tree"]

_LEAST = np.finfo(float).tiny


def synthesize_from_pairs(
    table, *, categories, epsilon, pairs=None, size=None, neighbors="add_remove", rng=None
):
    """Draw rows that keep each column's shares and those of stated pairs of columns.

    Half of epsilon buys the one-way marginals, half those of the pairs; each marginal of a kind
    gets the same part. By sequential composition the rows are epsilon-private. Columns that no
    chain of pairs joins come out independent.

    Args:
      table: DataFrame of shape (n, columns), one row a person; n may be 0.
      categories: {column: its public categories}, two columns or more, fixed in advance.
      epsilon: privacy cost of the whole, > 0, without unit.
      pairs: pairs of columns that form no cycle, chosen without the data; None takes each column
        with the next.
      size: number of rows, >= 1; None means the noisy number of rows, from the marginals.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      DataFrame with the columns of `categories`, in random order.

    Raises:
      ValueError: as for `private_marginal`, or pairs or size is out of range.

    Source: Chow & Liu (1968), trees; Dwork & Roth (2014), theorem 3.16 (composition).
    """
    codes, domains = _coded_columns(table, categories)
    pairs = list(itertools.pairwise(domains)) if pairs is None else _forest(pairs, list(domains))
    half = _validate.positive("epsilon", epsilon) / 2
    rng = _validate.generator(rng)
    singles = [(column,) for column in domains]
    measure = {"neighbors": neighbors, "rng": rng}
    counts = _measure(codes, domains, singles, epsilon=half, **measure)
    counts |= _measure(codes, domains, pairs, epsilon=half, **measure)
    return _draw(counts, categories, size, rng)


def synthesize_from_tree(
    table, *, categories, epsilon, size=None, neighbors="add_remove", rng=None
):
    """Draw rows that keep each column's shares and those of pairs of columns chosen privately.

    A third of epsilon buys the one-way marginals, a third the choice of the pairs (a tree, one pair
    at a time, by the exponential mechanism), a third the pairs' marginals; each step of a kind gets
    the same part. By sequential composition the rows are epsilon-private.

    Args:
      table: DataFrame of shape (n, columns), one row a person; n may be 0.
      categories: {column: its public categories}, two columns or more, fixed in advance.
      epsilon: privacy cost of the whole, > 0, without unit.
      size: number of rows, >= 1; None means the noisy number of rows, from the marginals.
      neighbors: "add_remove" or "replace_one".
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      DataFrame with the columns of `categories`, in random order. `utility_report` shows what it
      lost; with many columns and a small epsilon, drawing them independently can be better.

    Raises:
      ValueError: as for `private_marginal`, or size is out of range.

    Source: the plan (measure, choose a tree, measure, draw) follows McKenna, Miklau & Sheldon
    (2021), with pure epsilon in the place of zCDP.
    """
    codes, domains = _coded_columns(table, categories)
    third = _validate.positive("epsilon", epsilon) / 3
    rng = _validate.generator(rng)
    singles = [(column,) for column in domains]
    measure = {"neighbors": neighbors, "rng": rng}
    counts = _measure(codes, domains, singles, epsilon=third, **measure)
    pairs = _choose_tree(codes, domains, counts, epsilon=third, **measure)
    counts |= _measure(codes, domains, pairs, epsilon=third, **measure)
    return _draw(counts, categories, size, rng)


def _coded_columns(table, categories) -> tuple[dict, dict]:
    """Return each column as places in its categories, and {column: range of places}."""
    codes = column_codes(table, categories)
    if len(categories) < 2:
        raise ValueError(f"categories must have two columns or more, got {list(categories)}")
    return codes, {column: range(len(values)) for column, values in categories.items()}


def _measure(codes, domains, groups, *, epsilon, neighbors, rng) -> dict:
    """Return the noisy counts of each group of columns, each bought with an equal part."""
    part = {"epsilon": epsilon / len(groups), "neighbors": neighbors, "rng": rng}
    exact = {group: count_codes(codes, {name: domains[name] for name in group}) for group in groups}
    return {group: noisy_counts(counts, **part).astype(float) for group, counts in exact.items()}


def _forest(pairs, columns) -> list[tuple]:
    """Return the pairs as tuples; ValueError unless they join columns and form no cycle."""
    pairs = [tuple(pair) for pair in pairs]
    part = {column: place for place, column in enumerate(columns)}
    for pair in pairs:
        if len(pair) != 2 or not set(pair) <= set(columns):
            raise ValueError(f"pairs must hold two of the columns {columns}, got {pair!r}")
        if part[pair[0]] == part[pair[1]]:
            raise ValueError(f"pairs must form no cycle, but {pair!r} does")
        _join(part, pair)
    if not pairs:
        raise ValueError("pairs must hold at least one pair, got none")
    return pairs


def _join(part, pair) -> None:
    """Give the columns joined to the second column the label of the first."""
    first, second = part[pair[0]], part[pair[1]]
    part.update({column: first for column, label in part.items() if label == second})


def _choose_tree(codes, domains, singles, *, epsilon, neighbors, rng) -> list[tuple]:
    """Choose pairs that join all columns: each time, one of those that form no cycle."""
    steps = len(domains) - 1
    sensitivity = marginal_sensitivity(neighbors)
    scores = _pair_scores(codes, domains, singles, noise=sensitivity * steps / epsilon)
    part = {column: place for place, column in enumerate(domains)}
    chosen = []
    for _ in range(steps):
        candidates = [pair for pair in scores if part[pair[0]] != part[pair[1]]]
        pair = exponential_mechanism(
            candidates,
            [scores[pair] for pair in candidates],
            sensitivity=sensitivity,
            epsilon=epsilon / steps,
            rng=rng,
        )
        _join(part, pair)
        chosen.append(pair)
    return chosen


def _pair_scores(codes, domains, singles, *, noise) -> dict:
    """Return for each pair what measuring it would gain: its error now, less its noise then.

    `singles` and `noise` do not look at the table (the first are already released), so one person
    moves a score by as much as a marginal moves in the L1 norm: 1 (add_remove), 2 (replace_one), by
    the triangle inequality.
    """
    total = np.mean([counts.sum() for counts in singles.values()])
    scores = {}
    for pair in itertools.combinations(domains, 2):
        exact = count_codes(codes, {column: domains[column] for column in pair})
        first, second = (shares(singles[column,]) for column in pair)
        # McKenna, Mullins, Sheldon & Miklau (2022): the L1 error, less the noise expected in it.
        scores[pair] = np.abs(exact - total * np.outer(first, second)).sum() - noise * exact.size
    return scores


def _fit(joint, first, second) -> np.ndarray:
    """Return shares close to `joint` whose sums are `first` and `second`."""
    # A little of the independent table, so that no row that must have a share is empty.
    mixed = joint + 1e-9 * np.outer(first, second)
    by_column = np.ones_like(second)
    # Deming & Stephan (1940): scale the rows to their sums, then the columns, and again. Where a
    # sum is 0 the share is 0 too: dividing by the least number instead changes nothing.
    for _ in range(100):
        by_row = first / np.maximum(mixed @ by_column, _LEAST)
        down = by_row @ mixed
        if np.abs(by_column * down - second).max() < 1e-15:  # both are met
            break
        by_column = second / np.maximum(down, _LEAST)
    return by_row[:, None] * mixed * by_column


def _draw(counts, categories, size, rng) -> pd.DataFrame:
    """Return rows: along each tree, a column given the one before it."""
    one_way = {group[0]: shares(noisy) for group, noisy in counts.items() if len(group) == 1}
    total = np.mean([noisy.sum() for group, noisy in counts.items() if len(group) == 1])
    joints = {}
    for (first, second), noisy in ((g, c) for g, c in counts.items() if len(g) == 2):
        fitted = _fit(shares(noisy), one_way[first], one_way[second])
        joints[first, second], joints[second, first] = fitted, fitted.T
    drawn = {}
    for column in categories:
        if column not in drawn:
            drawn[column] = spread(one_way[column], row_count(size, total), rng)
            _draw_tree(column, drawn, joints, rng)
    return pd.DataFrame({c: public_index(categories[c])[drawn[c]] for c in categories})


def _draw_tree(root, drawn, joints, rng) -> None:
    """Draw the columns that the pairs join to `root`, each given its parent."""
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        for child in [b for a, b in joints if a == parent and b not in drawn]:
            drawn[child] = np.empty_like(drawn[parent])
            for value in np.unique(drawn[parent]):
                rows = np.flatnonzero(drawn[parent] == value)
                drawn[child][rows] = spread(joints[parent, child][value], len(rows), rng)
            waiting.append(child)
