"""How far a synthetic table is from a real one: every one-way and two-way marginal."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from autograder.check.claims.synthetic._marginals import as_rows, listed
from autograder.check.door import BadAnswer
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_COLUMNS = ("gem", "colour", "size")
_VALUES = (("topaz", "amber", "pearl", "onyx"), ("red", "blue"), (1, 2, 3))
_MEASURES = ("cells", "total_variation", "largest_error")


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return three pairs of tables of different lengths; one category is in neither."""
    cases = []
    for columns, many in ((2, False), (3, True), (3, False)):
        rows = int(generator.integers(20, 30)), int(generator.integers(40, 60))
        sides = []
        for side, count in enumerate(rows if many else rows[::-1]):
            drawn = [
                np.minimum(generator.integers(0, len(values) - 1 + side, count), len(values) - 1)
                for values in _VALUES[:columns]
            ]
            drawn[0] = np.minimum(drawn[0], len(_VALUES[0]) - 2)
            # Columns that hang together in one of the tables only.
            if side:
                drawn[1] = np.minimum(drawn[0], 1)
            sides.append([each.tolist() for each in drawn])
        cases.append({"columns": list(_COLUMNS[:columns]), "real": sides[0], "drawn": sides[1]})
    return cases


def _categories(parameters: dict) -> dict[str, list]:
    return dict(zip(parameters["columns"], map(list, _VALUES), strict=False))


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    import pandas as pd

    categories = _categories(parameters)
    tables = [
        pd.DataFrame(
            {
                name: [categories[name][code] for code in codes]
                for name, codes in zip(parameters["columns"], parameters[side], strict=True)
            }
        )
        for side in ("real", "drawn")
    ]
    return tuple(tables), {"categories": categories}


def _groups(parameters: dict) -> list[tuple[str, str]]:
    columns = parameters["columns"]
    return [(name, "") for name in columns] + list(itertools.combinations(columns, 2))


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return the measures of each marginal, in the order of the columns."""
    table = as_rows(answer, _MEASURES)
    found = {_group(label): place for place, label in enumerate(table.index)}
    wanted = _groups(parameters)
    lacking = [group for group in wanted if frozenset(group) not in found]
    if lacking or len(table) != len(wanted):
        raise BadAnswer(
            "the marginals are not all there" if lacking else "there are too many marginals",
            seen=f"there should be {len(wanted)}, yours are {listed(list(table.index))}",
            ask='how many columns are there, and how many pairs? One-way has "" in second place.',
        )
    try:
        values = table[list(_MEASURES)].to_numpy(dtype=float)
    except (TypeError, ValueError):
        raise BadAnswer(
            "a measure is not a number",
            seen=f"the first row is {listed(list(table.iloc[0]))}",
            ask="which of your measures is still a whole table?",
        ) from None
    return values[[found[frozenset(group)] for group in wanted]]


def _group(label: Any) -> frozenset:
    return frozenset(label if isinstance(label, tuple) else (label, ""))


def _counts(parameters: dict, side: str, group: tuple[str, str]) -> np.ndarray:
    """Return the counts of a marginal, one cell for each combination of categories."""
    places = [parameters["columns"].index(name) for name in group if name]
    counts = np.zeros([len(_VALUES[place]) for place in places])
    for row in zip(*(parameters[side][place] for place in places), strict=True):
        counts[row] += 1
    return counts


def _report(parameters: dict, *, measures, shares=True, counts=_counts) -> np.ndarray:
    """Return the measures of the two tables' cells, for each marginal."""
    rows = []
    for group in _groups(parameters):
        sides = [counts(parameters, side, group) for side in ("real", "drawn")]
        if shares:
            sides = [side / side.sum() for side in sides]
        rows.append(measures(*sides))
    return np.array(rows, dtype=float)


def _measures(one: np.ndarray, other: np.ndarray) -> tuple[float, float, float]:
    gap = np.abs(one - other)
    return gap.size, gap.sum() / 2, gap.max()


def _with(**changes):
    return lambda p: _report(p, **{"measures": _measures, **changes})


def _independent(parameters: dict, side: str, group: tuple[str, str]) -> np.ndarray:
    """Return what a pair's counts would be if its columns were independent."""
    counts = _counts(parameters, side, group)
    if counts.ndim == 1:
        return counts
    return np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()


def _by_real_rows(parameters: dict) -> np.ndarray:
    """Return the report when the synthetic counts are divided by the real number of rows."""
    rows = len(parameters["real"][0])
    return _report(
        parameters, measures=lambda one, other: _measures(one / rows, other / rows), shares=False
    )


def _only(change):
    return _with(measures=lambda one, other: change(one, other, *_measures(one, other)))


def _seen(one: np.ndarray, other: np.ndarray) -> int:
    return int(((one > 0) | (other > 0)).sum())


def _show(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    row, column = (int(k) for k in np.argwhere(np.abs(wanted - came) > 1e-9)[0])
    group = " and ".join(name for name in _groups(parameters)[row] if name)
    return (
        f"{_MEASURES[column]} of {group} should be {wanted[row, column]:.4g}, "
        f"yours is {came[row, column]:.4g}"
    )


_HALF = "two tables with nothing in common: which total variation should come?"
_SHARES = "the two tables have different numbers of rows: what makes their counts comparable?"
_SIGN = "may a cell that is too high make up for one that is too low?"

_MISTAKES = (
    ValueMistake(
        "the total variation is not halved",
        _only(lambda one, other, cells, total, most: (cells, 2 * total, most)),
        _HALF,
    ),
    ValueMistake("counts are compared, not shares", _with(shares=False), _SHARES),
    ValueMistake("both tables are divided by the real number of rows", _by_real_rows, _SHARES),
    ValueMistake(
        "differences keep their sign",
        _only(
            lambda one, other, cells, total, most: (
                cells,
                (one - other).sum() / 2,
                (one - other).max(),
            )
        ),
        _SIGN,
    ),
    ValueMistake(
        "squares are added, not distances",
        _only(lambda one, other, cells, total, most: (cells, ((one - other) ** 2).sum() / 2, most)),
        "how is the total variation defined?",
    ),
    ValueMistake(
        "the mean is taken over the cells, not half of the sum",
        _only(lambda one, other, cells, total, most: (cells, 2 * total / cells, most)),
        "how is the total variation defined?",
    ),
    ValueMistake(
        "the largest error is relative",
        _only(
            lambda one, other, cells, total, most: (
                cells,
                total,
                np.max(np.abs(one - other)[one > 0] / one[one > 0]),
            )
        ),
        "is a difference of shares wanted, or a ratio?",
    ),
    ValueMistake(
        "cells where nobody is are not counted",
        _only(lambda one, other, cells, total, most: (_seen(one, other), total, most)),
        "the categories are public: how many combinations are there?",
    ),
    ValueMistake(
        "only cells where real people are are compared",
        _only(
            lambda one, other, cells, total, most: (
                cells,
                np.abs(one - other)[one > 0].sum() / 2,
                np.abs(one - other)[one > 0].max(),
            )
        ),
        "what about synthetic rows where nobody real is?",
    ),
    ValueMistake(
        "pairs are compared as if their columns were independent",
        _with(counts=_independent),
        "how many rows have both values?",
    ),
    ValueMistake(
        "the two measures are exchanged",
        _only(lambda one, other, cells, total, most: (cells, most, total)),
        "which of the two is a sum over all cells?",
    ),
)


CLAIM = ValuesClaim(
    name="utility_report",
    about=(
        "Check `utility_report(real, synthetic, *, categories)`: a DataFrame indexed by (first,\n"
        'second), second "" for one-way, with "cells", "total_variation" and "largest_error".'
    ),
    established="every one-way and two-way marginal, by shares",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_with(),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: (
        f"{len(p['columns'])} columns, {len(p['real'][0])} real rows, "
        f"{len(p['drawn'][0])} synthetic rows"
    ),
    show=_show,
)
