"""How far a synthetic table is from a real one: every one-way and two-way marginal."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from autograder.check.claims.synthetic._marginals import as_rows, listed
from autograder.check.door import BadAnswer
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]

CATEGORIES = {
    "gem": ["topaz", "amber", "pearl", "onyx"],
    "colour": ["red", "blue"],
    "size": [1, 2, 3],
}
MEASURES = ["cells", "total_variation", "largest_error"]


def utility_report(real, synthetic, *, categories):
    """A DataFrame indexed by (first, second), second "" for one-way, with "cells",
    "total_variation" and "largest_error".
    """
    return report()(real, synthetic, categories=categories)


def distances(one, other):
    gap = np.abs(one - other)
    return gap.size, gap.sum() / 2, gap.max()


def counts_of(table, chosen: dict[str, list]) -> np.ndarray:
    """Return the counts of a marginal, one cell for each combination of categories."""
    counts = np.zeros([len(values) for values in chosen.values()])
    places = [list(map(values.index, table[name].tolist())) for name, values in chosen.items()]
    np.add.at(counts, tuple(places), 1)
    return counts


def report(*, measures=distances, shares=True, counts=counts_of):
    """Return an answer with other measures of a marginal's cells, or with other cells."""

    def answer(real, synthetic, *, categories):
        # Imported here: a notebook that checks no table need not wait for it.
        import pandas as pd

        rows = {}
        for group in groups(categories):
            chosen = {name: categories[name] for name in group if name}
            sides = [counts(table, chosen) for table in (real, synthetic)]
            rows[group] = measures(*(side / side.sum() if shares else side for side in sides))
        return pd.DataFrame.from_dict(rows, orient="index", columns=MEASURES)

    return answer


def groups(categories) -> list[tuple[str, str]]:
    return [(name, "") for name in categories] + list(itertools.combinations(categories, 2))


def read(answer: Any, given: dict) -> np.ndarray:
    """Return the measures of each marginal, in the order of the columns."""
    table = as_rows(answer, MEASURES)
    found = {group_of(label): place for place, label in enumerate(table.index)}
    wanted = groups(given["categories"])
    lacking = [group for group in wanted if frozenset(group) not in found]
    if lacking or len(table) != len(wanted):
        raise BadAnswer(
            "the marginals are not all there" if lacking else "there are too many marginals",
            seen=f"there should be {len(wanted)}, yours are {listed(list(table.index))}",
            ask='how many columns are there, and how many pairs? One-way has "" in second place.',
        )
    try:
        values = table[MEASURES].to_numpy(dtype=float)
    except (TypeError, ValueError):
        raise BadAnswer(
            "a measure is not a number",
            seen=f"the first row is {listed(list(table.iloc[0]))}",
            ask="which of your measures is still a whole table?",
        ) from None
    return values[[found[frozenset(group)] for group in wanted]]


def group_of(label: Any) -> frozenset:
    return frozenset(label if isinstance(label, tuple) else (label, ""))


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    row, column = (int(k) for k in np.argwhere(np.abs(wanted - came) > 1e-9)[0])
    group = " and ".join(name for name in groups(given["categories"])[row] if name)
    return (
        f"{MEASURES[column]} of {group} should be {wanted[row, column]:.4g}, "
        f"yours is {came[row, column]:.4g}"
    )


CLAIM = FunctionClaim(
    utility_report,
    established="every one-way and two-way marginal, by shares",
    read=read,
    absolute=1e-9,
    situation=lambda given: (
        f"{len(given['categories'])} columns, {len(given['real'])} real rows, "
        f"{len(given['synthetic'])} synthetic rows"
    ),
    show=show,
)


@CLAIM.inputs
def three(rng):
    """Pairs of tables of different lengths; one category is in neither."""
    for columns, more_drawn in ((2, False), (3, True), (3, False)):
        few, many = int(rng.integers(20, 30)), int(rng.integers(40, 60))
        lengths = (few, many) if more_drawn else (many, few)
        categories = dict(itertools.islice(CATEGORIES.items(), columns))
        real, synthetic = (table(rng, categories, *each) for each in enumerate(lengths))
        yield {"real": real, "synthetic": synthetic, "categories": categories}


def table(rng, categories: dict[str, list], side: int, count: int) -> Any:
    """Return rows whose first two columns hang together on one side only."""
    import pandas as pd

    codes = [
        np.minimum(rng.integers(0, len(values) - 1 + side, count), len(values) - 1)
        for values in categories.values()
    ]
    codes[0] = np.minimum(codes[0], len(CATEGORIES["gem"]) - 2)
    if side:
        codes[1] = np.minimum(codes[0], 1)
    columns = zip(categories.items(), codes, strict=True)
    return pd.DataFrame({name: [values[k] for k in each] for (name, values), each in columns})


def independent(table, chosen):
    """Return what a pair's counts would be if its columns were independent."""
    counts = counts_of(table, chosen)
    if counts.ndim == 1:
        return counts
    return np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()


def by_real_rows(real, synthetic, *, categories):
    def measures(one, other):
        return distances(one / len(real), other / len(real))

    return report(measures=measures, shares=False)(real, synthetic, categories=categories)


def with_total(total):
    """Return a report with total(one, other) as its total variation."""

    def measures(one, other):
        return one.size, total(one, other), np.abs(one - other).max()

    return report(measures=measures)


def with_largest(largest):
    """Return a report with largest(one, other) as its largest error."""

    def measures(one, other):
        return one.size, np.abs(one - other).sum() / 2, largest(one, other)

    return report(measures=measures)


SHARES = "the two tables have different numbers of rows: what makes their counts comparable?"
DEFINED = "how is the total variation defined?"

CLAIM.mistake(
    "the total variation is not halved",
    "two tables with nothing in common: which total variation should come?",
    with_total(lambda one, other: np.abs(one - other).sum()),
)
CLAIM.mistake("counts are compared, not shares", SHARES, report(shares=False))
CLAIM.mistake("both tables are divided by the real number of rows", SHARES, by_real_rows)
CLAIM.mistake(
    "differences keep their sign",
    "may a cell that is too high make up for one that is too low?",
    report(measures=lambda one, other: (one.size, (one - other).sum() / 2, (one - other).max())),
)
CLAIM.mistake(
    "squares are added, not distances",
    DEFINED,
    with_total(lambda one, other: ((one - other) ** 2).sum() / 2),
)
CLAIM.mistake(
    "the mean is taken over the cells, not half of the sum",
    DEFINED,
    with_total(lambda one, other: np.abs(one - other).mean()),
)
CLAIM.mistake(
    "the largest error is relative",
    "is a difference of shares wanted, or a ratio?",
    with_largest(lambda one, other: np.max(np.abs(one - other)[one > 0] / one[one > 0])),
)
CLAIM.mistake(
    "cells where nobody is are not counted",
    "the categories are public: how many combinations are there?",
    report(
        measures=lambda one, other: (np.sum((one > 0) | (other > 0)), *distances(one, other)[1:])
    ),
)
CLAIM.mistake(
    "only cells where real people are are compared",
    "what about synthetic rows where nobody real is?",
    report(measures=lambda one, other: (one.size, *distances(one[one > 0], other[one > 0])[1:])),
)
CLAIM.mistake(
    "pairs are compared as if their columns were independent",
    "how many rows have both values?",
    report(counts=independent),
)
CLAIM.mistake(
    "the two measures are exchanged",
    "which of the two is a sum over all cells?",
    report(measures=lambda one, other: tuple(distances(one, other)[place] for place in (0, 2, 1))),
)
