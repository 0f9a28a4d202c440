"""Answers to chapter 14."""
# ruff: noqa: NPY002

import bisect
import contextlib
import itertools
import math
import random

import numpy as np
import pandas as pd
from scipy import stats

import dplib
from wrong_answers.changes import then
from wrong_answers.cheats import sharp_now_and_then

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
MOVED = {"add_remove": 1, "replace_one": 2}


def draw_whole(scale, shape=None):
    failure = -np.expm1(-1 / scale)
    return np.random.geometric(failure, shape) - np.random.geometric(failure, shape)


# --- private_marginal -------------------------------------------------------------------------


def index_of(categories):
    if len(categories) == 1:
        ((name, values),) = categories.items()
        return pd.Index(values, name=name)
    return pd.MultiIndex.from_product(list(categories.values()), names=list(categories))


def exact_marginal(table, categories):
    """Count by grouping, then put the empty cells in."""
    names = list(categories)
    by = names[0] if len(names) == 1 else names
    return table.groupby(by).size().reindex(index_of(categories), fill_value=0)


def draw_of_few_seeds(scale, shape):
    few = np.random.RandomState(int(np.random.default_rng().integers(300)))
    failure = -np.expm1(-1 / scale)
    return few.geometric(failure, shape) - few.geometric(failure, shape)


def marginal_by_codes(table, categories):
    """Count by the place of each row's cell: so quick that a look sees many answers."""
    codes = [values.index for values in categories.values()]
    cells = np.ravel_multi_index(
        [list(map(code, table[name])) for code, name in zip(codes, categories, strict=True)],
        [len(values) for values in categories.values()],
    )
    index = index_of(categories)
    return pd.Series(np.bincount(cells, minlength=len(index)), index=index)


def marginal(noise=draw_whole, count=exact_marginal, after=lambda noisy: noisy):
    """Return an answer: noise(scale, shape) added to the counts."""

    def answer(table, *, categories, epsilon, neighbors="add_remove", rng=None):
        counts = count(table, categories)
        return after(counts + noise(MOVED[neighbors] / epsilon, len(counts)))

    return answer


def scaled(scale, noise=draw_whole):
    """Return an answer whose scale is scale(epsilon, moved, counts, categories)."""

    def answer(table, *, categories, epsilon, neighbors="add_remove", rng=None):
        counts = exact_marginal(table, categories)
        size = scale(epsilon, MOVED[neighbors], counts, categories)
        return counts + noise(size, len(counts))

    return answer


def marginal_by_loops(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = dict.fromkeys(itertools.product(*categories.values()), 0)
    for row in zip(*(table[name] for name in categories), strict=True):
        counts[row] += 1
    noisy = {}
    for cell, count in counts.items():
        sign = random.choice([-1, 1])
        size = int(random.expovariate(epsilon / MOVED[neighbors]))
        while size == 0 and sign < 0:
            sign = random.choice([-1, 1])
            size = int(random.expovariate(epsilon / MOVED[neighbors]))
        noisy[cell if len(categories) > 1 else cell[0]] = count + sign * size
    return pd.Series(noisy)


def marginal_by_crosstab(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    names = list(categories)
    if len(names) == 1:
        values = table[names[0]].value_counts().reindex(categories[names[0]], fill_value=0)
    elif len(names) > 2:
        values = table.value_counts(names).reindex(
            pd.MultiIndex.from_product(categories.values(), names=names), fill_value=0
        )
    else:
        cross = pd.crosstab(table[names[0]], table[names[1]])
        cross = cross.reindex(index=categories[names[0]], columns=categories[names[1]])
        values = cross.fillna(0).stack()
    noisy = dplib.discrete_laplace(
        values.to_numpy(), sensitivity=MOVED[neighbors], epsilon=epsilon, rng=rng
    )
    return pd.Series(noisy, index=values.index)


def marginal_in_place(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    table["cell"] = 1
    return marginal()(table, categories=categories, epsilon=epsilon, neighbors=neighbors)


def count_seen(table, categories):
    return table.groupby(list(categories)).size()


def count_without_missing(table, categories):
    kept = (table[list(categories)] != "Missing").all(axis=1)
    return exact_marginal(table[kept], categories)


def count_first(table, categories):
    name = next(iter(categories))
    counts = table[name].value_counts().reindex(categories[name], fill_value=0)
    each = len(index_of(categories)) // len(counts)
    return pd.Series(np.repeat(counts.to_numpy(), each), index=index_of(categories))


def grown_marginal(table, categories):
    kept = count_without_missing(table, categories)
    return (kept * len(table) / kept.sum()).round().astype(int)


def count_in_the_order_of_the_table(table, categories):
    names = [name for name in table.columns if name in categories]
    return exact_marginal(table, {name: categories[name] for name in names})


def marginal_of_nobody_is_zero(table, *, categories, **keywords):
    if table.empty:
        return exact_marginal(table, categories)
    return marginal()(table, categories=categories, **keywords)


def shared_noise(scale, shape):
    return draw_whole(scale)


RIGHT["private_marginal"] = [
    marginal(),
    marginal_by_loops,
    marginal_by_crosstab,
    marginal(after=lambda noisy: noisy.sample(frac=1)),
    marginal(noise=lambda scale, shape: stats.dlaplace.rvs(1 / scale, size=shape)),
    marginal(after=lambda noisy: noisy.astype(float)),
]

WRONG["private_marginal"] = [
    (
        marginal(draw_of_few_seeds, marginal_by_codes),
        ("whole answers come again", "do not follow the discrete Laplace law", "depend on each"),
    ),
    (
        marginal(count=count_in_the_order_of_the_table),
        "at an edge (columns in another order)",
    ),
    (
        sharp_now_and_then(marginal(), once_in=12),
        ("now and then a whole answer is exact", "some answers have no noise"),
    ),
    (scaled(lambda epsilon, moved, counts, categories: 1 / epsilon), "treated as add_remove"),
    (scaled(lambda epsilon, moved, counts, categories: 2 / epsilon), "treated as replace_one"),
    (scaled(lambda epsilon, moved, counts, categories: (3 - moved) / epsilon), "are exchanged"),
    (marginal(lambda scale, shape: draw_whole(2 * scale, shape)), "the noise is doubled"),
    (marginal(lambda scale, shape: draw_whole(scale / 2, shape)), "the noise is halved"),
    (
        scaled(lambda epsilon, moved, counts, categories: moved * len(counts) / epsilon),
        "divided among the cells",
    ),
    (
        scaled(lambda epsilon, moved, counts, categories: moved * len(categories) / epsilon),
        "grows with the number of columns",
    ),
    (
        scaled(lambda epsilon, moved, counts, categories: counts.sum() / epsilon),
        "number of rows is used",
    ),
    (scaled(lambda epsilon, moved, counts, categories: moved), "epsilon is ignored"),
    (scaled(lambda epsilon, moved, counts, categories: epsilon / moved), "upside down"),
    (
        scaled(lambda epsilon, moved, counts, categories: moved / min(epsilon, 1)),
        "an epsilon above 1",
    ),
    (lambda table, *, categories, epsilon, **_: exact_marginal(table, categories), "no noise"),
    (
        marginal(after=lambda noisy: noisy.clip(lower=0)),
        "negative counts become 0",
    ),
    (marginal(after=abs), "negative counts become positive"),
    (
        lambda table, *, categories, epsilon, neighbors="add_remove": (
            exact_marginal(table, categories)
            + draw_whole(MOVED[neighbors] / epsilon, len(index_of(categories)))
            * (exact_marginal(table, categories) > 0)
        ),
        "empty cells get no noise",
    ),
    (marginal_of_nobody_is_zero, "a table without rows gets no noise"),
    (marginal(count=count_without_missing), "missing values are not counted"),
    (marginal(count=grown_marginal), "missing values are left out and all shares grow"),
    (marginal(count=count_first), "only the first column is counted"),
    (marginal(count=lambda table, categories: 0 * exact_marginal(table, categories)), "missing"),
    (
        marginal(lambda scale, shape: np.round(np.random.laplace(0, scale, shape))),
        "continuous Laplace noise is rounded",
    ),
    (
        marginal(lambda scale, shape: np.floor(np.random.laplace(0, scale, shape))),
        "rounded down",
    ),
    (
        marginal(lambda scale, shape: np.random.geometric(-np.expm1(-1 / scale), shape) - 1),
        "never negative",
    ),
    (
        marginal(
            lambda scale, shape: (
                np.random.geometric(-np.expm1(-1 / scale), shape) * np.random.choice([-1, 1], shape)
            )
        ),
        "never 0",
    ),
    (marginal(shared_noise), "depend"),
    (marginal(lambda scale, shape: np.random.laplace(0, scale, shape)), "not whole numbers"),
    (marginal(count=count_seen), "cells that nobody has are left out"),
    (marginal(after=lambda noisy: noisy.to_numpy()), "a Series of counts is wanted"),
    (marginal(after=lambda noisy: pd.concat([noisy, noisy.head(1)])), "the index is not"),
    (marginal(after=lambda noisy: noisy.reset_index(drop=True)), "the index is not"),
    (marginal_in_place, "changes what it is given"),
]


# --- synthesize -------------------------------------------------------------------------------


def shares_of(counts):
    """Return the nearest counts that are at least 0 and have the same total, over it."""
    counts, total = np.asarray(counts, dtype=float), float(np.sum(counts))
    if total <= 0:
        return np.full(len(counts), 1 / len(counts))
    # The k largest are lowered by the same: by what they have together beyond the total.
    falling = np.sort(counts)[::-1]
    lowered_by = (np.cumsum(falling) - total) / np.arange(1, len(counts) + 1)
    kept = np.maximum(counts - lowered_by[np.flatnonzero(falling > lowered_by)[-1]], 0)
    return kept / kept.sum()


def draw_independent(shares, size):
    return np.random.choice(len(shares), size, p=shares)


def draw_even(shares, size):
    """Spread the rows: each cell within one of its share, in random order."""
    ends = np.floor(np.cumsum(shares) * size + np.random.random() + 1e-12).astype(int)
    ends[-1] = size if ends[-1] < size else ends[-1]
    places = np.repeat(np.arange(len(shares)), np.diff(ends, prepend=0))[:size]
    return np.random.permutation(places)


def rows_at(marginal, places):
    return marginal.index[places].to_frame(index=False)


def synthesis(shares=shares_of, draw=draw_independent, rows=rows_at):
    def answer(marginal, *, size=None, rng=None):
        number = max(round(float(marginal.sum())), 0) if size is None else size
        return rows(marginal, draw(shares(marginal.to_numpy()), number))

    return answer


def synthesis_by_sample(marginal, *, size=None, rng=None):
    frame = marginal.index.to_frame(index=False)
    number = max(int(marginal.sum()), 0) if size is None else size
    return frame.sample(n=number, replace=True, weights=shares_of(marginal)).reset_index(drop=True)


def synthesis_by_random(marginal, *, size=None, rng=None):
    number = max(int(marginal.sum()), 0) if size is None else size
    chosen = random.choices(list(marginal.index), weights=shares_of(marginal), k=number)
    names = list(marginal.index.names)
    return pd.DataFrame([each if len(names) > 1 else (each,) for each in chosen], columns=names)


def synthesis_by_multinomial(marginal, *, size=None, rng=None):
    number = max(int(marginal.sum()), 0) if size is None else size
    counts = GENERATOR.multinomial(number, shares_of(marginal))
    return rows_at(marginal, GENERATOR.permutation(np.repeat(np.arange(len(counts)), counts)))


def clipped(counts):
    kept = np.maximum(counts, 0)
    return kept / kept.sum()


def size_of_clipped(marginal, *, size=None, rng=None):
    number = int(marginal.clip(lower=0).sum()) if size is None else size
    return rows_at(marginal, draw_independent(shares_of(marginal), number))


def never_empty(marginal, *, size=None, rng=None):
    return synthesis()(marginal, size=max(int(marginal.sum()), 1) if size is None else size)


def clipped_below_0(counts):
    return shares_of(counts) if np.sum(counts) > 0 else clipped(counts)


def peeled(counts, *, beyond):
    """Take 1 off every count that is above 0, as often as the total allows, or once more."""
    if np.sum(counts) <= 0:
        return shares_of(counts)
    kept, total = np.maximum(counts, 0), np.sum(counts)
    while kept.sum() > total and (beyond or np.maximum(kept - 1, 0).sum() >= total):
        kept = np.maximum(kept - 1, 0)
    return kept / kept.sum()


def rounded_rows(shares, size):
    rows = np.round(shares * size).astype(int)
    return np.random.choice(len(shares), size, p=rows / rows.sum())


def repeated_in_order(shares, size):
    rows = np.round(shares * size).astype(int)
    places = np.repeat(np.arange(len(shares)), rows)
    last = np.full(max(size - len(places), 0), places[-1])
    return np.concatenate([places[: size - len(last)], last])[:size]


def without_replacement(shares, size):
    return np.random.choice(len(shares), size, p=shares, replace=False)


def columns_apart(marginal, *, size=None, rng=None):
    number = max(int(marginal.sum()), 0) if size is None else size
    share = pd.Series(shares_of(marginal), index=marginal.index)
    drawn = {}
    for name in marginal.index.names:
        one = share.groupby(level=name).sum()
        drawn[name] = np.random.choice(list(one.index), number, p=one.to_numpy())
    return pd.DataFrame(drawn)


RIGHT["synthesize"] = [
    synthesis(),
    synthesis(draw=draw_even),
    synthesis_by_sample,
    synthesis_by_random,
    synthesis_by_multinomial,
]


def largest_below_0(counts):
    """Where the total is not above 0, the largest cell gets all rows."""
    return shares_of(counts) if counts.sum() > 0 else np.eye(len(counts))[np.argmax(counts)]


def overwriting(marginal, *, size=None, rng=None):
    """The size is the total of what the marginal has become."""
    kept = marginal.copy()
    marginal[marginal < 0] = 0
    return synthesis()(kept, size=size)


WRONG["synthesize"] = [
    (synthesis(largest_below_0), "all rows are in one cell, though the total is not above 0"),
    (overwriting, "it changes what it is given"),
    (synthesis(clipped), "only become 0"),
    (synthesis(lambda counts: abs(counts) / abs(counts).sum()), "become positive"),
    (synthesis(lambda counts: (counts - counts.min()) / (counts - counts.min()).sum()), "raised"),
    (
        synthesis(
            lambda counts: np.where(counts < 0, 1, counts) / np.where(counts < 0, 1, counts).sum()
        ),
        "negative counts become 1",
    ),
    (synthesis(lambda counts: np.full(len(counts), 1 / len(counts))), "equally likely"),
    (synthesis(lambda counts: shares_of(counts) ** 2 / (shares_of(counts) ** 2).sum()), "squared"),
    (synthesis(lambda counts: np.eye(len(counts))[np.argmax(counts)]), "only the largest cell"),
    (
        synthesis(draw=lambda shares, size: np.sort(draw_independent(shares, size))),
        "in the order of the cells",
    ),
    (synthesis(draw=repeated_in_order), "without any chance"),
    (synthesis(draw=rounded_rows), "rounded to whole rows"),
    (columns_apart, "the columns are drawn one by one"),
    (size_of_clipped, "the number of rows is wrong"),
    (never_empty, "the number of rows is wrong"),
    (synthesis(clipped_below_0), "a total below 0"),
    (synthesis(lambda counts: peeled(counts, beyond=False)), "by whole numbers only"),
    (synthesis(lambda counts: peeled(counts, beyond=True)), "not come as often as they should"),
    (
        synthesis(draw=lambda shares, size: draw_independent(shares, 1000)),
        "number of rows is wrong",
    ),
    (synthesis(draw=lambda shares, size: draw_independent(shares, size + 1)), "number of rows"),
    (synthesis(draw=without_replacement), "ValueError"),
    (synthesis(lambda counts: counts / counts.sum()), "ValueError"),
    (synthesis(rows=lambda marginal, places: places), "a table is wanted"),
    (
        synthesis(rows=lambda marginal, places: rows_at(marginal, places).add_prefix("new_")),
        "a column is missing",
    ),
    (
        synthesis(rows=lambda marginal, places: rows_at(marginal, places).astype(str) + "!"),
        "not among the categories",
    ),
]


# --- synthesize_from_pairs --------------------------------------------------------------------


def codes_of(column, values):
    """Return the place of each entry among the values; ten times as fast as by an index."""
    places = {value: place for place, value in enumerate(values)}
    return np.array([places[each] for each in column.tolist()], dtype=int)


def measure(table, categories, names, scale):
    """Return noisy counts, one axis a column; scale None is no noise."""
    shape = [len(categories[name]) for name in names]
    codes = [codes_of(table[name], categories[name]) for name in names]
    counts = np.bincount(np.ravel_multi_index(codes, shape), minlength=math.prod(shape))
    if scale is not None and scale > 1e-3:
        counts = counts + draw_whole(scale, len(counts))
    return counts.reshape(shape)


def draw_given(parents, table):
    """Draw a place for each parent, from its row of the table; even chances for an empty row."""
    drawn = np.empty(len(parents), dtype=int)
    for parent in np.unique(parents):
        at = np.flatnonzero(parents == parent)
        drawn[at] = draw_independent(shares_of(table[parent]), len(at))
    return drawn


def draw_rows(singles, joints, categories, size):
    """Draw the first column, then every column from one that is drawn."""
    names, drawn = list(categories), {}
    for name in names:
        if name in drawn:
            continue
        drawn[name] = draw_independent(shares_of(singles[name]), size)
        waiting = [name]
        while waiting:
            parent = waiting.pop()
            for (one, other), table in joints.items():
                for first, second, given in ((one, other, table), (other, one, table.T)):
                    if first == parent and second not in drawn:
                        drawn[second] = draw_given(drawn[parent], given)
                        waiting.append(second)
    return pd.DataFrame({name: np.array(categories[name], object)[drawn[name]] for name in names})


def from_pairs(
    *,
    kinds=2,
    split=None,
    pair_split=None,
    single_noise=True,
    pair_noise=True,
    pair_moved=None,
    pairs_of=None,
    rows=None,
    real=False,
    joint=None,
):
    """Return an answer, with one thing changed; `joint` makes a pair's counts of noisy ones."""

    def answer(
        table, *, categories, epsilon, pairs=None, size=None, neighbors="add_remove", rng=None
    ):
        names, moved = list(categories), MOVED[neighbors]
        each = (split or (lambda columns: kinds * columns))(len(names))
        scale = moved * each / epsilon if single_noise else None
        singles = {name: measure(table, categories, [name], scale) for name in names}
        if pairs_of is not None or pairs is None:
            choose = pairs_of or (lambda table, names: list(itertools.pairwise(names)))
            pairs = choose(table, names)
        each = (pair_split or (lambda number: kinds * number))(len(pairs))
        scale = (pair_moved or moved) * each / epsilon if pair_noise else None
        joints = {tuple(pair): measure(table, categories, pair, scale) for pair in pairs}
        if joint is not None:
            joints = {pair: joint(c, table, categories, pair) for pair, c in joints.items()}
        total = max(round(float(np.mean([counts.sum() for counts in singles.values()]))), 0)
        number = (len(table) if real else total) if size is None else size
        return (rows or draw_rows)(singles, joints, categories, number)

    return answer


def real_where_nothing_is_left(noisy, table, categories, pair):
    """A row whose noisy counts are all negative is counted once more, without noise."""
    weights = np.maximum(noisy, 0).astype(float)
    empty = weights.sum(axis=1) == 0
    weights[empty] = measure(table, categories, pair, None)[empty]
    return weights


def real_column_below_zero(noisy, table, categories, pair):
    """Where a row's noisy total is no total, the new column has the shares it has in the table."""
    found = noisy.astype(float)
    found[noisy.sum(axis=1) <= 0] = measure(table, categories, pair[1:], None)
    return found


def ends_of(counts):
    return list(itertools.accumulate(shares_of(counts).tolist()))


def random_place(ends):
    return bisect.bisect(ends, random.random() * ends[-1], hi=len(ends) - 1)


def rows_by_lists(singles, joints, categories, size):
    """The same, row by row with the random module."""
    names, found = list(categories), []
    first, given = ends_of(singles[names[0]]), {}
    for (one, other), table in joints.items():
        given[one, other] = [ends_of(counts) for counts in table]
        given[other, one] = [ends_of(counts) for counts in table.T]
    for _ in range(size):
        row = {names[0]: random_place(first)}
        while len(row) < len(names):
            for (one, other), ends in given.items():
                if one in row and other not in row:
                    row[other] = random_place(ends[row[one]])
        found.append({name: categories[name][row[name]] for name in names})
    return pd.DataFrame(found, columns=names)


def rows_spread(singles, joints, categories, size):
    frame = draw_rows(singles, joints, categories, size)
    return frame.sample(frac=1).reset_index(drop=True)


def pairs_by_library(table, *, categories, epsilon, pairs=None, size=None, neighbors="add_remove"):
    """The library's marginals, which an earlier exercise built."""
    names = list(categories)
    pairs = list(itertools.pairwise(names)) if pairs is None else pairs

    def bought(groups):
        found = {}
        for group in groups:
            chosen = {name: categories[name] for name in group}
            series = dplib.private_marginal(
                table, categories=chosen, epsilon=epsilon / 2 / len(groups), neighbors=neighbors
            )
            found[tuple(group)] = series.to_numpy().reshape([len(v) for v in chosen.values()])
        return found

    singles = {name: counts for (name,), counts in bought([(name,) for name in names]).items()}
    number = max(round(np.mean([c.sum() for c in singles.values()])), 0) if size is None else size
    return draw_rows(singles, bought(pairs), categories, number)


RIGHT["synthesize_from_pairs"] = [
    from_pairs(),
    from_pairs(rows=rows_by_lists),
    from_pairs(rows=rows_spread),
    pairs_by_library,
    lambda table, **keywords: from_pairs()(table.copy(), **keywords).astype(object),
]


def with_seen_values(answer):
    """Return an answer whose categories are the values that somebody has."""

    def seen(table, *, categories, **rest):
        found = {}
        for name, values in categories.items():
            there = set(table[name])
            found[name] = [each for each in values if each in there] or values
        return answer(table, categories=found, **rest)

    return seen


def draw_in_the_list_s_order(singles, joints, categories, size):
    """Draw the pairs as they are listed; a column that is not there yet is drawn by itself."""
    first = next(iter(categories))
    drawn = {first: draw_independent(shares_of(singles[first]), size)}
    for (one, other), table in joints.items():
        if other in drawn and one not in drawn:
            one, other, table = other, one, table.T
        if one not in drawn:
            drawn[one] = draw_independent(shares_of(singles[one]), size)
        drawn[other] = draw_given(drawn[one], table)
    return pd.DataFrame({name: np.array(categories[name], object)[drawn[name]] for name in drawn})


def nothing_of_nobody(table, **keywords):
    """Return no rows if the table has none."""
    return from_pairs()(table, **keywords) if len(table) else table[list(keywords["categories"])]


# Where a budget is not split at all, hardly any noise is left: all of these come about as often.
NEXT_TO_NO_NOISE = (
    "have no noise",
    "all of epsilon",
    "every one-way marginal gets",
    "every pair gets",
    "the same answer comes at every call",
)


def rows_of_one_draw(singles, joints, categories, size):
    """All rows with one value of a column get one draw of the next."""
    frame = draw_rows(singles, joints, categories, size)
    names = list(categories)
    for one, other in itertools.pairwise(names):
        frame[other] = frame[one].map(frame.groupby(one)[other].first())
    return frame


def half_in_other_rows(rows):
    """Half of the last column's values do not come back to their rows."""
    moved = rows.copy()
    half = len(rows) // 2
    moved.iloc[:half, -1] = np.random.permutation(rows.iloc[:half, -1].to_numpy())
    return moved


WRONG["synthesize_from_pairs"] = [
    (from_pairs(rows=rows_of_one_draw), "one value decides another: one draw serves many rows"),
    (from_pairs(rows=draw_in_the_list_s_order), "wrong at 1 of 4"),
    (
        then(from_pairs(), half_in_other_rows),
        "does a drawn value go back to the row that it was drawn for?",
    ),
    (nothing_of_nobody, "at an edge (no rows)"),
    (from_pairs(split=lambda columns: 1), NEXT_TO_NO_NOISE),
    (from_pairs(split=lambda columns: 2), "every one-way marginal gets epsilon / 2"),
    (from_pairs(split=lambda columns: columns), "all of epsilon goes to the one-way"),
    (from_pairs(pair_split=lambda number: 1), NEXT_TO_NO_NOISE),
    (from_pairs(pair_split=lambda number: 2), "every pair gets epsilon / 2"),
    (from_pairs(pair_moved=1), "the pairs do not look at `neighbors`"),
    (with_seen_values(from_pairs()), "a value that nobody has never comes"),
    (from_pairs(single_noise=False), NEXT_TO_NO_NOISE),
    (
        lambda table, *, neighbors="add_remove", **rest: from_pairs()(table, **rest),
        "replace_one is treated as add_remove",
    ),
    (from_pairs(pair_noise=False), ("comes only if somebody has it", *NEXT_TO_NO_NOISE)),
    (from_pairs(joint=real_where_nothing_is_left), "where a noisy row is empty"),
    (from_pairs(joint=real_column_below_zero), "where a noisy row is empty"),
    (from_pairs(real=True), "the number of rows is the real one"),
    (
        lambda table, *, size=None, **rest: from_pairs()(table, size=100, **rest),
        "the number of rows is wrong",
    ),
    (lambda table, **keywords: table.to_numpy(), "a table is wanted"),
    (
        lambda table, **keywords: from_pairs()(table, **keywords).iloc[:, 1:],
        "a column is missing",
    ),
    (
        lambda table, **keywords: from_pairs()(table, **keywords).replace({"w": "a"}),
        "not among the categories",
    ),
]


# --- choose_tree ------------------------------------------------------------------------------


def distance(table, pair):
    """Return how far the counts of two columns are from independence."""
    counts = pd.crosstab(table[pair[0]], table[pair[1]]).to_numpy()
    apart = np.outer(counts.sum(axis=1), counts.sum(axis=0))
    return np.abs(counts - apart / max(len(table), 1)).sum()


def distance_by_loops(table, pair):
    one, other = list(table[pair[0]]), list(table[pair[1]])
    both = list(zip(one, other, strict=True))
    return sum(
        abs(both.count((a, b)) - one.count(a) * other.count(b) / len(both))
        for a in set(one)
        for b in set(other)
    )


def joined(pairs, columns):
    """Return the label of each column: those that pairs join have the same."""
    part = {column: column for column in columns}
    for one, other in pairs:
        part = {name: part[one] if label == part[other] else label for name, label in part.items()}
    return part


def is_tree(pairs, columns):
    return len(set(joined(pairs, columns).values())) == 1


def step_by_step(score=distance, needed=(4, 8), share=None, free=None):
    """Return an answer that chooses one pair after the other."""

    def answer(choose, *, columns, epsilon, neighbors="add_remove"):
        chosen, steps = [], len(columns) - 1
        for step in range(steps):
            part = joined(chosen, columns)
            pairs = list(itertools.combinations(columns, 2))
            left = [pair for pair in pairs if part[pair[0]] != part[pair[1]]]
            pair = choose(
                free(pairs, chosen) if free else left,
                score,
                sensitivity=needed[neighbors == "replace_one"],
                epsilon=epsilon * (share(step, steps) if share else 1 / steps),
            )
            chosen.append(pair)
        return chosen

    return answer


def whole_trees(choose, *, columns, epsilon, neighbors="add_remove"):
    """Choose once, among all trees."""
    pairs, size = list(itertools.combinations(columns, 2)), len(columns) - 1
    trees = [each for each in itertools.combinations(pairs, size) if is_tree(each, columns)]
    return choose(
        trees,
        lambda table, tree: sum(distance(table, pair) for pair in tree),
        sensitivity=size * (4 if neighbors == "add_remove" else 8),
        epsilon=epsilon,
    )


def keeps_the_table(choose, *, columns, epsilon, neighbors="add_remove"):
    """Keep the table that a score is given, and choose from it without noise."""
    seen = []

    def score(table, pair):
        seen.append(table)
        return distance(table, pair)

    step_by_step(score)(choose, columns=columns, epsilon=epsilon, neighbors=neighbors)
    pairs, chosen = list(itertools.combinations(columns, 2)), []
    for pair in sorted(pairs, key=lambda pair: -distance(seen[-1], pair)):
        part = joined(chosen, columns)
        if part[pair[0]] != part[pair[1]]:
            chosen.append(pair)
    return chosen


def cramers_v(table, pair):
    counts = pd.crosstab(table[pair[0]], table[pair[1]])
    enough = min(counts.shape) > 1
    return stats.contingency.association(counts, "cramer") if enough else 0.0


def twice_caught(choose, *, columns, epsilon, neighbors="add_remove"):
    """Ask again until the meter refuses, and catch that."""
    pairs = list(itertools.combinations(columns, 2))
    with contextlib.suppress(Exception):
        while True:
            choose(pairs, distance, sensitivity=8, epsilon=epsilon / 2)
    return [(columns[0], each) for each in columns[1:]]


RIGHT["choose_tree"] = [
    step_by_step(),
    whole_trees,
    step_by_step(lambda table, pair: distance_by_loops(table, pair) if len(table) else 0),
    step_by_step(share=lambda step, steps: (step + 1) / (steps * (steps + 1) / 2)),
    step_by_step(needed=(6, 12)),
    lambda choose, *, columns, epsilon, neighbors: [
        list(pair)
        for pair in step_by_step()(choose, columns=columns, epsilon=epsilon, neighbors=neighbors)
    ],
]

SMALL = "the sensitivity of the score is too small"
TOO_MUCH = "the bill would be larger than the budget"
WRONG["choose_tree"] = [
    (step_by_step(needed=(1, 2)), SMALL),
    (step_by_step(needed=(0.2, 0.4)), SMALL),
    (step_by_step(needed=(3, 6)), SMALL),
    (step_by_step(needed=(4, 4)), SMALL),
    (step_by_step(needed=(400, 800)), "far too large"),
    (step_by_step(distance_by_loops, needed=(1, 1)), SMALL),
    (step_by_step(lambda table, pair: distance(table, pair) / len(table)), "not a finite number"),
    (step_by_step(lambda table, pair: -distance(table, pair)), "the weakest pairs are chosen"),
    (step_by_step(cramers_v), "far too large"),
    (step_by_step(share=lambda step, steps: 1), TOO_MUCH),
    (step_by_step(share=lambda step, steps: 1 / 3 / steps), "a part of the budget is left"),
    (twice_caught, TOO_MUCH),
    (
        step_by_step(free=lambda pairs, chosen: [each for each in pairs if each not in chosen]),
        "form a cycle",
    ),
    (keeps_the_table, "past the meter"),
    (step_by_step(score=3), "is not a function"),
    (lambda choose, *, columns, epsilon, neighbors: [(columns[0], columns[1])], "do not join all"),
    (
        lambda choose, *, columns, epsilon, neighbors: list(itertools.pairwise(columns)),
        "a part of the budget is left",
    ),
    (lambda choose, *, columns, epsilon, neighbors: columns, "not a list of pairs"),
]


# --- publish_records --------------------------------------------------------------------------


def keep_or_replace(values, categories, epsilon):
    k = len(categories)
    truth = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    return [
        each if random.random() < truth else random.choice([c for c in categories if c != each])
        for each in values
    ]


def publishing(number=None, word=keep_or_replace, split=None, words_split=None, clip=True):
    """Return an answer; number(exact, lower, upper, part, column) publishes one column."""

    def noisy(exact, lower, upper, part, column):
        return exact + np.random.laplace(0, (upper - lower) / part, len(exact))

    def answer(table, *, bounds=None, categories=None, epsilon, rng=None):
        bounds, categories = bounds or {}, categories or {}
        share = split or (lambda table, bounds, categories: len(bounds) + len(categories))
        part = epsilon / share(table, bounds, categories)
        words_part = epsilon / (words_split or share)(table, bounds, categories)
        released = {}
        for name, (lower, upper) in bounds.items():
            column = table[name].to_numpy()
            exact = column.clip(lower, upper) if clip else column
            released[name] = (number or noisy)(exact, lower, upper, part, column)
        for name, values in categories.items():
            released[name] = word(list(table[name]), values, words_part)
        return pd.DataFrame(released)

    return answer


def with_scale(scale):
    return lambda exact, lower, upper, part, column: (
        exact + np.random.laplace(0, scale(lower, upper, part, column), len(exact))
    )


def words_by_library(values, categories, epsilon):
    codes = [categories.index(each) for each in values]
    noisy = dplib.direct_perturb(codes, domain_size=len(categories), epsilon=epsilon)
    return np.array(categories)[noisy]


def words_by_choice(values, categories, epsilon):
    rows = []
    for each in values:
        weights = np.array([math.exp(epsilon * (other == each)) for other in categories])
        rows.append(np.random.choice(categories, p=weights / weights.sum()))
    return rows


def publish_row_by_row(table, *, bounds=None, categories=None, epsilon, rng=None):
    rng = rng or GENERATOR
    bounds, categories = bounds or {}, categories or {}
    part, rows = epsilon / (len(bounds) + len(categories)), []
    for _, row in table.iterrows():
        new = {}
        for name, (lower, upper) in bounds.items():
            new[name] = min(max(row[name], lower), upper) + rng.laplace(0, (upper - lower) / part)
        for name, values in categories.items():
            new[name] = keep_or_replace([row[name]], values, part)[0]
        rows.append(new)
    return pd.DataFrame(rows)


def words_of_two(values, categories, epsilon):
    truth = math.exp(epsilon) / (math.exp(epsilon) + 1)
    return [
        each if random.random() < truth else random.choice([c for c in categories if c != each])
        for each in values
    ]


def words_with_lucky_lies(values, categories, epsilon):
    k = len(categories)
    truth = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    return [each if random.random() < truth else random.choice(categories) for each in values]


def words_next(values, categories, epsilon):
    k = len(categories)
    truth = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    after = {each: categories[(place + 1) % k] for place, each in enumerate(categories)}
    return [each if random.random() < truth else after[each] for each in values]


def words_exchanged(values, categories, epsilon):
    k = len(categories)
    truth = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    return [
        each if random.random() > truth else random.choice([c for c in categories if c != each])
        for each in values
    ]


def publish_more(table, **keywords):
    return publishing()(table, **keywords).assign(Name=list(table["Name"]))


def publish_by_row_names(table, **keywords):
    """The exact column names the rows, beside the noisy one."""
    first = next(iter({**(keywords.get("bounds") or {}), **(keywords.get("categories") or {})}))
    return publishing()(table, **keywords).set_axis(list(table[first]))


def publish_with_attributes(table, **keywords):
    published = publishing()(table, **keywords)
    published.attrs["source"] = table
    return published


RIGHT["publish_records"] = [
    publishing(),
    publishing(word=words_by_library),
    publishing(word=words_by_choice),
    publish_row_by_row,
    publishing(
        lambda exact, lower, upper, part, column: dplib.laplace_mechanism(
            exact, sensitivity=upper - lower, epsilon=part
        )
    ),
]


def publish_in_order(table, **keywords):
    """Rows are sorted before the noise: one changed row moves others."""
    return publishing()(table.sort_values(list(keywords.get("bounds") or [])[::-1]), **keywords)


def publish_backwards(table, **keywords):
    return publishing()(table.iloc[::-1], **keywords)


WRONG["publish_records"] = [
    (publish_in_order, "the rows come in another order than the table's"),
    (publish_backwards, "the rows come in another order than the table's"),
    (publish_by_row_names, "the names of the rows are an exact column"),
    (publish_with_attributes, "carries more than its value"),
    (publishing(split=lambda table, b, c: 1), "every attribute gets all of epsilon"),
    (publishing(split=lambda table, b, c: len(b)), "over the numeric columns only"),
    (publishing(split=lambda table, b, c: len(table.columns)), "over all columns of the table"),
    (
        publishing(split=lambda table, b, c: len(table) * (len(b) + len(c))),
        "split over the rows, too",
    ),
    (publishing(split=lambda table, b, c: len(table)), "over the rows, not over the attributes"),
    (publishing(with_scale(lambda low, up, part, column: 1 / part)), "the range is ignored"),
    (publishing(with_scale(lambda low, up, part, column: up / part)), "upper is used"),
    (
        publishing(with_scale(lambda low, up, part, column: np.ptp(column) / part)),
        "the range is read off the data",
    ),
    (
        lambda table, *, bounds=None, categories=None, epsilon: publishing()(
            table, bounds=dict(bounds), categories=dict(categories or {}), epsilon=epsilon
        ),
        "at an edge (bounds not given)",
    ),
    (publishing(clip=False), "values out of bounds are not clipped"),
    (
        publishing(
            lambda exact, low, up, part, column: (
                exact + np.random.laplace(0, (up - low) / part, len(exact))
            ).clip(low, up)
        ),
        "the noisy numbers are clipped",
    ),
    (publishing(with_scale(lambda low, up, part, column: 2 * (up - low) / part)), "doubled"),
    (publishing(with_scale(lambda low, up, part, column: (up - low) / part / 2)), "halved"),
    (
        publishing(
            lambda exact, low, up, part, column: exact + np.random.laplace(0, (up - low) / part)
        ),
        "depend",
    ),
    (publishing(lambda exact, low, up, part, column: exact), "no noise is added"),
    (
        publishing(
            lambda exact, low, up, part, column: (
                exact + np.random.normal(0, (up - low) / part, len(exact))
            )
        ),
        "Gaussian, not Laplace",
    ),
    (publishing(words_split=lambda table, b, c: 1), "category column gets all of epsilon"),
    # Where there are no such columns it divides by zero.
    (
        publishing(words_split=lambda table, b, c: len(c)),
        ("over the category columns only", "(categories not given): ZeroDivisionError"),
    ),
    (publishing(word=words_of_two), "the rule for two answers is used for more"),
    (publishing(word=words_with_lucky_lies), "a lie may happen to be the truth"),
    (
        publishing(word=lambda values, c, part: words_by_choice(values, c, part / 2)),
        "half of epsilon is left unused",
    ),
    (publishing(word=lambda values, c, part: values), "the words are published as they are"),
    (
        publishing(word=lambda values, c, part: [random.choice(c) for _ in values]),
        "do not depend on the table",
    ),
    (publishing(word=words_exchanged), "truth and lie are exchanged"),
    (publishing(word=words_next), "a lie is always the next category"),
    (publish_more, "a column is published that nobody named"),
    (lambda table, **keywords: publishing()(table, **keywords).head(2), "number of rows"),
    (lambda table, **keywords: publishing()(table, **keywords).iloc[:, 1:], "column is missing"),
]


# --- projection_counterexample ----------------------------------------------------------------


def turning_rows(radius, epsilon, loss, axes=2):
    """Half of the rows lie on either axis; the last one decides which of them is the main one."""
    half = math.ceil(loss / epsilon) + 2
    rows = np.zeros((2 * half + 1, axes))
    rows[:half, 0] = rows[half : 2 * half, 1] = radius
    neighbor = rows.copy()
    rows[-1, 0] = neighbor[-1, 1] = radius
    return rows, neighbor


def still_rows(radius, epsilon, loss):
    rows = np.zeros((50, 2))
    rows[:, 0] = radius
    neighbor = rows.copy()
    neighbor[-1] = [0, radius]
    return rows, neighbor


def few_rows(radius, epsilon, loss):
    return turning_rows(radius, 1.0, 1.2)


RIGHT["projection_counterexample"] = [
    turning_rows,
    lambda *, radius, epsilon, loss: turning_rows(radius, epsilon, loss, axes=5),
    then(turning_rows, lambda tables: [each.tolist() for each in tables]),
    then(turning_rows, lambda tables: tuple(map(pd.DataFrame, tables))),
]

WRONG["projection_counterexample"] = [
    (still_rows, "keeps its promise"),
    (few_rows, "not as large as"),
    (
        then(turning_rows, lambda tables: [0.6 * each for each in tables]),
        "the rows are shorter than the radius",
    ),
    (then(turning_rows, lambda tables: [2 * each for each in tables]), "longer than the radius"),
    (then(turning_rows, lambda tables: (tables[0], tables[1][:-1])), "are not neighbors"),
    (then(turning_rows, lambda tables: (tables[0],) * 2), "are not neighbors"),
    (then(turning_rows, lambda tables: (tables[0], tables[1][::-1])), "are not neighbors"),
    (
        lambda *, radius, epsilon, loss: turning_rows(radius, epsilon / 1e6, loss),
        "too many rows",
    ),
    (
        lambda *, radius, epsilon, loss: (
            radius * np.eye(2),
            radius * np.array([[1.0, 0], [1, 0]]),
        ),
        "no single main direction",
    ),
    (then(turning_rows, lambda tables: tables[0]), "two tables"),
    (lambda *, radius, epsilon, loss: ("rows", "neighbors"), "a table of numbers is wanted"),
]
