"""Shared by the claims about rows synthesized from pairs of columns: tables, and what rows show.

Three things are looked at: the shares of many rows, at an epsilon so large that no noise is left;
how many values of the first column come at a small one, which tells the noise of the one-way
marginals; and whether a pair of values, or the number of rows, gives one person away.
"""

import itertools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.audit import Pair
from autograder.check.claims.synthetic._marginals import as_rows, listed, table_of

# With this epsilon the noise on any count is other than 0 with probability below exp(-1e4).
NO_NOISE = 1e6
# Of so many rows the share of a cell is further than ROOM from its probability, with independent
# draws, with probability below 2 exp(-2 * MANY * ROOM**2) < 1e-12 (Hoeffding 1963). The rows that
# an answer is compared with are whole, so off by less than one row.
MANY = 30_000
ROOM = 0.022
TOLERANCE = ROOM + 1 / MANY
_LETTERS = "qwertyuiopasdfghjklzxcvb"
# A setting takes the first of each column's values, as many as its counts have.
_COLUMNS = {
    "letter": [*_LETTERS, *map("".join, itertools.product(_LETTERS, repeat=2))],
    # From 1, so that a value is not its place.
    "hour": list(range(1, 193)),
    "moon": [3, 8],
    "wind": ["east", "west"],
}


def _categories(parameters: dict) -> dict[str, list]:
    """Return the columns of a setting, with as many of their values as its counts have."""
    sizes = np.shape(parameters["counts"])
    return {name: _COLUMNS[name][:size] for name, size in zip(_COLUMNS, sizes, strict=False)}


def arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return the table of a setting's counts, and the keywords of the call."""
    counts, categories = np.array(parameters["counts"]), _categories(parameters)
    cells = np.indices(counts.shape).reshape(counts.ndim, -1)
    columns = {
        name: [values[place] for place in np.repeat(places, counts.ravel())]
        for (name, values), places in zip(categories.items(), cells, strict=True)
    }
    keywords = {"categories": categories, "epsilon": parameters["epsilon"]}
    given = {name: parameters[name] for name in ("size", "neighbors") if name in parameters}
    if "pairs" in parameters:
        names = list(categories)
        given["pairs"] = [(names[one], names[other]) for one, other in parameters["pairs"]]
    return (table_of(columns, parameters["seed"]),), keywords | given


def many_rows(counts: np.ndarray, seed: int, **others: Any) -> dict:
    """Return the arguments of a call that asks for many rows and has no noise."""
    setting = {"counts": counts, "epsilon": NO_NOISE, "seed": seed, "size": MANY}
    (table,), keywords = arguments(setting | others)
    return {"table": table, **keywords}


def without_rows(generator: np.random.Generator) -> dict:
    """Return the arguments of a call whose table has no rows, and that has no noise."""
    sizes = generator.permutation([2, 3, 4])[:2]
    return many_rows(np.zeros((*sizes, 2), dtype=int), int(generator.integers(2**32)))


def of_one_value(generator: np.random.Generator, epsilon: float) -> dict:
    """Return the arguments of a call for one row, of columns whose lists have one value each."""
    counts, seed = np.full((1, 1, 1), generator.integers(1, 9)), int(generator.integers(2**32))
    return many_rows(counts, seed, epsilon=epsilon, size=1)


def noise_in_words(given: dict) -> str:
    """Return in words how much noise a call has."""
    return "no noise" if given["epsilon"] == NO_NOISE else f"epsilon {given['epsilon']:g}"


def even_shares(counts: np.ndarray) -> np.ndarray:
    """Return equal shares: what a total that is not above 0 leaves."""
    return np.full(counts.shape, 1 / counts.size)


def counts_in(table: Any, categories: dict[str, list]) -> np.ndarray:
    """Return how many rows each cell has, one axis a column."""
    sizes = [len(values) for values in categories.values()]
    places = [_places(table[name], name, values) for name, values in categories.items()]
    cells = np.ravel_multi_index(places, sizes)
    return np.bincount(cells, minlength=math.prod(sizes)).reshape(sizes).astype(float)


def rows_that_follow(shares: np.ndarray, categories: dict[str, list], size: int) -> Any:
    """Return rows of which each cell has its share, rounded to whole rows."""
    ends = np.round(np.cumsum(shares) * size).astype(int)
    cells = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    places = np.unravel_index(cells, [len(values) for values in categories.values()])
    # Codes are counted again much sooner than values.
    columns = {
        name: pd.Categorical.from_codes(codes, values)
        for codes, (name, values) in zip(places, categories.items(), strict=True)
    }
    return pd.DataFrame(columns)


def counts_of(answer: Any, parameters: dict) -> np.ndarray:
    """Return how often each cell of a setting came, one axis a column."""
    categories = _categories(parameters)
    return counts_in(_sized(answer, categories, parameters["size"]), categories)


def shares_of(answer: Any, given: dict) -> np.ndarray:
    """Return the share of each cell among the rows, one axis a column."""
    table = _sized(answer, given["categories"], given["size"])
    counts = counts_in(table, given["categories"])
    _raise_if_one_draw_for_many(counts, given)
    return counts / len(table)


def _raise_if_one_draw_for_many(counts: np.ndarray, given: dict) -> None:
    """Raise BadAnswer if a column's value decides another's, though any two occur together.

    Of many rows of a right answer each cell has some then: a tree's law is nowhere 0.
    """
    names = list(given["categories"])
    if given["size"] != MANY or min(counts.shape) < 2:
        return
    if not counts_in(given["table"], given["categories"]).all():
        return
    for one, other in itertools.permutations(range(len(names)), 2):
        pairs = np.moveaxis(counts, (one, other), (0, -1)).sum(axis=tuple(range(1, len(names) - 1)))
        if ((pairs > 0).sum(axis=1) == 1).all():
            raise BadAnswer(
                "one value decides another: one draw serves many rows",
                seen=f"all rows with one value of {names[one]} have the same value of "
                f"{names[other]}",
                ask="how often does your code draw: once for each row, or once for all rows that "
                "have a value in common?",
            )


def values_seen(answer: Any, parameters: dict) -> tuple[int, ...]:
    """Return how many values of the watched column came, those that fewest people have first."""
    name, values = list(_categories(parameters).items())[parameters["watched"]]
    table = _sized(answer, _categories(parameters), parameters["size"])
    came = np.bincount(_places(table[name], name, values), minlength=len(values)) > 0
    people = watched_counts(parameters)
    return tuple(int(came[people == each].sum()) for each in np.unique(people))


def watched_counts(parameters: dict) -> np.ndarray:
    """Return how many people have each value of the watched column."""
    return np.moveaxis(np.array(parameters["counts"]), parameters["watched"], 0).sum(
        axis=tuple(range(1, np.ndim(parameters["counts"])))
    )


def show_shares(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return in words the cell whose share is furthest off."""
    place = np.unravel_index(int(np.argmax(np.abs(wanted - came))), wanted.shape)
    lists = given["categories"].values()
    cell = ", ".join(str(values[k]) for values, k in zip(lists, place, strict=True))
    return (
        f"the rows ({cell}) should be about {wanted[place]:.1%} of all, yours are {came[place]:.1%}"
    )


def _places(column: Any, name: str, values: list) -> np.ndarray:
    # There are many rows and few values: each value is looked up once. What is missing has code -1.
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, seen = column.cat.codes.to_numpy(), column.cat.categories
    else:
        codes, seen = pd.factorize(np.asarray(column, dtype=object))
    places = np.array([*(values.index(each) if each in values else -1 for each in seen), -1])[codes]
    if np.any(places < 0):
        strange = np.asarray(column, dtype=object)[places < 0]
        raise BadAnswer(
            "a value is not among the categories",
            seen=f"the column {name!r} holds {strange[0]!r}, not {listed(values)}",
            ask="which list says what a value may be?",
        )
    return places


def _sized(answer: Any, names: Iterable[str], size: int) -> Any:
    """Return a DataFrame that has the columns and the number of rows asked for."""
    table = as_rows(answer, list(names))
    if len(table) != size:
        raise BadAnswer(
            "the number of rows is wrong",
            seen=f"there should be {size} rows, yours has {len(table)}",
            ask="which argument says how many rows are wanted?",
        )
    return table


def happened(answer: Any, parameters: dict) -> float:
    """Return 1.0 if the event that a setting names came."""
    categories = _categories(parameters)
    table = as_rows(answer, list(categories))
    if parameters["event"] == "rows":
        return float(len(table) == parameters["total"])
    # The one cell that holds one person or none: the last value of both columns.
    found = [np.asarray(table[name]) == values[-1] for name, values in categories.items()]
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
        ask = "your rows follow a table without noise: which one?"
    else:
        problem = "the number of rows is the real one"
        ask = "under add_remove the number of rows is private: which noisy total is there?"
    return Pair(first, second, epsilon=0.5, problem=problem, ask=ask)
