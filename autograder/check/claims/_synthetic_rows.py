"""Shared by the claims about rows synthesized from pairs of columns: tables, laws, mistakes.

Three things are looked at: the shares of many rows, at an epsilon so large that no noise is left;
how often both values of the first column come at a small one, which tells the noise of the one-way
marginals; and whether a pair of values, or the number of rows, gives one person away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from autograder.check.audit import Pair
from autograder.check.claims._marginals import as_rows, listed, table_of
from autograder.check.door import BadAnswer

__all__ = [
    "MANY",
    "NO_NOISE",
    "ROOM",
    "SEEN",
    "arguments",
    "budget_law",
    "happened",
    "leaks",
    "noisy_settings",
    "shares_of",
    "show_shares",
    "values_law",
    "values_seen",
]

# With this epsilon the noise on any count is other than 0 with probability below exp(-1e4).
NO_NOISE = 1e6
# Of so many rows the share of a cell is further than ROOM from its probability, with independent
# draws, with probability below 2 exp(-2 * MANY * ROOM**2) < 1e-12 (Hoeffding 1963).
MANY = 30_000
ROOM = 0.022
# So many rows show every value that has a share.
SIZE = 800
SEEN = ("only the first value of the first column", "only its second value", "both of its values")
_COLUMNS = {"gem": ["ruby", "opal"], "tree": ["oak", "fir"], "moon": [3, 8]}


def arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return the table of a setting's counts, and the keywords of the call."""
    counts = np.array(parameters["counts"])
    names = list(_COLUMNS)[: counts.ndim]
    columns = {
        name: [_COLUMNS[name][place] for place in np.repeat(places, counts.ravel())]
        for name, places in zip(
            names, np.indices(counts.shape).reshape(counts.ndim, -1), strict=True
        )
    }
    categories = {name: list(_COLUMNS[name]) for name in names}
    keywords = {"categories": categories, "epsilon": parameters["epsilon"]}
    given = {name: parameters[name] for name in ("size", "neighbors") if name in parameters}
    if "pairs" in parameters:
        given["pairs"] = [(names[one], names[other]) for one, other in parameters["pairs"]]
    return (table_of(columns, parameters["seed"]),), keywords | given


def shares_of(answer: Any, parameters: dict) -> np.ndarray:
    """Return the share of each cell among the rows, one axis a column."""
    table, places = _coded(answer, parameters)
    counts = np.zeros(np.shape(parameters["counts"]))
    np.add.at(counts, tuple(places), 1)
    return counts / len(table)


def values_seen(answer: Any, parameters: dict) -> int:
    """Return 0 or 1 if only that value of the first column came, 2 if both did."""
    _, places = _coded(answer, parameters)
    return 2 if places[0].min() < places[0].max() else int(places[0][0])


def _coded(answer: Any, parameters: dict) -> tuple[Any, list[np.ndarray]]:
    """Return the table, and the place of each value in its categories, column by column."""
    names = list(_COLUMNS)[: np.ndim(parameters["counts"])]
    table = _sized(as_rows(answer, names), parameters)
    return table, [_places(table[name], name) for name in names]


def show_shares(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    """Return in words the cell whose share is furthest off."""
    place = np.unravel_index(int(np.argmax(np.abs(wanted - came))), wanted.shape)
    cell = ", ".join(str(values[k]) for values, k in zip(_COLUMNS.values(), place, strict=False))
    return (
        f"the rows ({cell}) should be about {wanted[place]:.1%} of all, yours are {came[place]:.1%}"
    )


def _places(column: Any, name: str) -> np.ndarray:
    values = np.asarray(column, dtype=object)
    first, second = (values == each for each in _COLUMNS[name])
    strange = values[~(first | second)]
    if len(strange):
        raise BadAnswer(
            "a value is not among the categories",
            seen=f"the column {name!r} holds {strange[0]!r}, not {listed(_COLUMNS[name])}",
            ask="which list says what a value may be?",
        )
    return second.astype(int)


def _sized(table: Any, parameters: dict) -> Any:
    if len(table) != parameters["size"]:
        raise BadAnswer(
            "the number of rows is wrong",
            seen=f"there should be {parameters['size']} rows, yours has {len(table)}",
            ask="which argument says how many rows are wanted?",
        )
    return table


def noisy_settings(generator: np.random.Generator, *, kinds: int) -> list[dict]:
    """Return three settings with noise; three people have each value of the first column.

    The noise has scale about 2 when a one-way count gets epsilon / (kinds * columns).
    """
    settings = []
    for shape, neighbors in (
        ((2, 2, 2), "replace_one"),
        ((2, 2), "replace_one"),
        ((2, 2), "add_remove"),
    ):
        cells = 2 ** (len(shape) - 1)
        counts = generator.multinomial(3, np.full(cells, 1 / cells), size=2)
        moved = 1 if neighbors == "add_remove" else 2
        settings.append(
            {
                "counts": counts.reshape(shape).tolist(),
                "epsilon": round(moved * kinds * len(shape) / generator.uniform(1.8, 2.2), 2),
                "neighbors": neighbors,
                "size": SIZE,
                "seed": int(generator.integers(2**32)),
            }
        )
    return settings


@cache
def values_law(counts: tuple[int, int], scale: float) -> tuple[float, float, float]:
    """Return how likely only the first value comes, only the second, and both.

    The two counts have discrete Laplace noise of this scale, and the shares are the nearest that
    are at least 0 (half each if the noisy total is not above 0). A value with a share above 0
    comes: the smallest one is 1 / total, so among `SIZE` rows it is missed with probability below
    exp(-SIZE / total), in all below 1e-12. The sum leaves out less than 1e-14.
    """
    noise = np.arange(-int(36 * scale) - 2, int(36 * scale) + 3)
    weights = np.exp(-np.abs(noise) / scale) if scale else (noise == 0).astype(float)
    weights /= weights.sum()
    first, second = counts[0] + noise[:, None], counts[1] + noise
    positive = first + second > 0
    alone = [float(weights @ (positive & (other <= 0)) @ weights) for other in (second, first)]
    return (*alone, 1 - sum(alone))


def budget_law(scale: Callable[[dict], float]) -> Callable[[dict], dict]:
    """Return the law of `values_seen`, for one-way counts with noise of this scale."""

    def law(parameters: dict) -> dict:
        counts = np.array(parameters["counts"])
        alone = counts.reshape(2, -1).sum(axis=1)
        return dict(enumerate(values_law(tuple(map(int, alone)), round(scale(parameters), 12))))

    return law


def happened(answer: Any, parameters: dict) -> float:
    """Return 1.0 if the event that a setting names came."""
    names = list(_COLUMNS)[: np.ndim(parameters["counts"])]
    table = as_rows(answer, names)
    if parameters["event"] == "rows":
        return float(len(table) == parameters["total"])
    first, second = (_COLUMNS[name][1] for name in names[:2])
    columns = (np.asarray(table[name]) for name in names[:2])
    found = [column == value for column, value in zip(columns, (first, second), strict=True)]
    return float(np.any(found[0] & found[1]))


def leaks(generator: np.random.Generator) -> list[Pair]:
    """Return two pairs of neighbors: one in a cell of its own, one in the number of rows."""
    seed = int(generator.integers(2**32))
    full = generator.integers(18, 26, 3)
    pairs = []
    for event in ("cell", "rows"):
        sides = []
        for people in (1, 0):
            counts = [[int(full[0]), int(full[1])], [int(full[2]), people]]
            side = {"counts": counts, "epsilon": 0.5, "seed": seed, "event": event}
            side |= {"size": 300} if event == "cell" else {"total": int(full.sum()) + 1}
            sides.append(side)
        pairs.append((event, *sides))
    return [_given_away(*each) for each in pairs]


def _given_away(event: str, first: dict, second: dict) -> Pair:
    """Return one pair with its words."""
    if event == "cell":
        problem = "a pair of values comes only if somebody has it"
        ask = "which table do your rows follow that has got no noise?"
    else:
        problem = "the number of rows is the real one"
        ask = "under add_remove the number of rows is private: which noisy total is there?"
    return Pair(first, second, epsilon=0.5, problem=problem, ask=ask)
