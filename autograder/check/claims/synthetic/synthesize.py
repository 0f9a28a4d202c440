"""Rows drawn from a noisy marginal: each is in a cell with that cell's share as its probability."""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from autograder.check.claims.synthetic._marginals import nearest_shares
from autograder.check.claims.synthetic._synthesized import (
    MANY,
    NO_ROWS,
    SOME,
    call_on_marginal,
    cells_of,
    one_row,
)
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

_WORDS = ("topaz", "amber", "pearl", "onyx", "coral", "jade")
_NUMBERS = (3, 5, 8, 13, 21)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return five settings: one column or two, the number of rows given or not, first row or last.

    Some counts are negative, and all of them add up to more than 0. The size is small, so that
    shares cannot be rounded to whole rows; only in the last setting are there many.
    """
    for columns, sized, first in (
        (1, True, True),
        (2, True, False),
        (1, False, False),
        (2, False, True),
        (1, MANY, False),
    ):
        counts, size = _counts(generator, columns, sized)
        many = len(counts) if columns == 1 else 3
        words = [str(each) for each in generator.permutation(_WORDS)[:many]]
        numbers = [int(each) for each in generator.permutation(_NUMBERS)[:2]]
        yield {
            "categories": dict(zip(("gem", "steps"), [words, numbers][:columns], strict=False)),
            "counts": counts,
            "sized": bool(sized),
            "size": size,
            "row": 0 if first else size - 1,
        }


def _counts(generator: np.random.Generator, columns: int, sized: bool) -> tuple[list[int], int]:
    """Return counts, and a size for which rounding shares to whole rows changes them clearly."""
    if sized == MANY:
        return [int(each) for each in generator.permutation([-6, 1, 5, 8, 11])], MANY
    if columns == 1 and not sized:
        # Lowered by 0.8: a whole number in its place gives clearly other shares.
        return [int(each) for each in generator.permutation([-4, 1, 1, 1, 1, 4])], 4
    while True:
        # The count of 1 is lowered to 0, too: there clipping alone leaves a share.
        below = [-int(each) for each in generator.integers(5, 8, columns)]
        counts = [int(each) for each in generator.permutation([*below, 1, 5, 8, 11])]
        size = int(generator.integers(3, 6)) if sized else sum(counts)
        rows = nearest_shares(counts) * size
        moved = np.abs(np.round(rows) / np.round(rows).sum() - rows / size).max()
        # No tie: which way one half is rounded is nobody's mistake.
        if not sized or (moved > 0.1 and np.abs(rows % 1 - 0.5).min() > 0.02):
            return counts, size


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return totals of no more than 0, with a size given and without; counts that fall below 0 one
    after the other while they are lowered; one row.
    """
    words = [str(each) for each in generator.permutation(_WORDS)[:5]]
    few = int(generator.integers(2, 5))
    counts = [int(each) for each in generator.permutation([-few - 9, -3, -2, -1, few])]
    setting = {"categories": {"gem": words}, "counts": counts, "row": 0}
    # Lowered by 19.5; lowered once by a quarter of 41, 20 keeps far too much.
    in_turn = generator.permutation([few + 24, 20, 1, 1, -41]).tolist()
    one, *_ = _parameters(generator)
    return [
        ("a total below 0", setting | {"sized": True, "size": SOME}),
        ("a total below 0, and no size", setting | {"sized": False, "size": 0}),
        (
            "counts that fall below 0 one after the other",
            setting | {"counts": in_turn, "sized": True, "size": few},
        ),
        ("one row", one | {"size": 1, "row": 0}),
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    names, values = list(parameters["categories"]), list(parameters["categories"].values())
    if len(names) == 1:
        index = pd.Index(values[0], name=names[0])
    else:
        index = pd.MultiIndex.from_product(values, names=names)
    marginal = pd.Series(parameters["counts"], index=index, name="count")
    return (marginal,), {"size": parameters["size"]} if parameters["sized"] else {}


def _law(shares: Callable[[np.ndarray], np.ndarray]):
    """Return the law of a row whose cell has these shares."""

    def law(parameters: dict) -> dict:
        if not parameters["size"]:
            return {NO_ROWS: 1.0}
        found = shares(np.array(parameters["counts"], dtype=float))
        return dict(zip(cells_of(parameters), map(float, found), strict=True))

    return law


def _scaled(counts: np.ndarray) -> np.ndarray:
    return counts / counts.sum()


def _lowered_by_whole(counts: np.ndarray) -> np.ndarray:
    """Return the shares when counts are lowered by the whole part of the right number."""
    total = counts.sum()
    if total <= 0:
        return nearest_shares(counts)
    steps = range(int(counts.max()) + 1)
    by = max(t for t in steps if np.maximum(counts - t, 0).sum() >= total)
    return _scaled(np.maximum(counts - by, 0))


def _of_the_place(shares: Callable[[np.ndarray, dict], np.ndarray]):
    """Return the law of a row when it depends on its place in the table."""

    def law(parameters: dict) -> dict:
        right = nearest_shares(parameters["counts"])
        found = shares(right, parameters)
        return dict(zip(cells_of(parameters), map(float, found), strict=True))

    return law


def _in_order(shares: np.ndarray, parameters: dict) -> np.ndarray:
    """Return the law of the first or last of independent draws that are sorted by cell."""
    towards = shares if parameters["row"] == 0 else shares[::-1]
    # The first row is in cell i if no draw is in an earlier cell, and not all are in later ones.
    left = np.append(np.cumsum(towards[::-1])[::-1], 0.0)
    law = left[:-1] ** parameters["size"] - left[1:] ** parameters["size"]
    law = np.maximum(law, 0) / law.sum()
    return law if parameters["row"] == 0 else law[::-1]


def _repeated(shares: np.ndarray, parameters: dict) -> np.ndarray:
    """Return the one cell of the first or last row when cells are repeated in their order."""
    rows = np.round(shares * parameters["size"])
    place = np.flatnonzero(rows)[0 if parameters["row"] == 0 else -1]
    return np.eye(len(shares))[place]


def _whole_rows(shares: np.ndarray, parameters: dict) -> np.ndarray:
    rows = np.round(shares * parameters["size"])
    return rows / rows.sum()


def _apart(shares: np.ndarray, parameters: dict) -> np.ndarray:
    """Return the law of a row whose columns are drawn one by one."""
    if len(parameters["categories"]) == 1:
        return shares
    table = shares.reshape(-1, 2)
    return np.outer(table.sum(axis=1), table.sum(axis=0)).ravel()


_NEGATIVE = "negative counts rise, and so does the total: which step takes it back?"
_ORDER = "is the first row of your table as likely to be in any cell as the last one?"

_MISTAKES = (
    Mistake(
        "negative counts only become 0: the others keep their proportions",
        _law(lambda counts: _scaled(np.maximum(counts, 0))),
        _NEGATIVE,
    ),
    Mistake(
        "the counts are lowered by whole numbers only",
        _law(_lowered_by_whole),
        "counts 3, 1, -1: by how much must the first two be lowered?",
    ),
    Mistake(
        "negative counts become positive",
        _law(lambda counts: _scaled(np.abs(counts))),
        "a count of -3: how many people does it stand for, if any?",
    ),
    Mistake(
        "all counts are raised by the smallest one",
        _law(lambda counts: _scaled(counts - counts.min())),
        "what happens to the total when every count is raised?",
    ),
    Mistake(
        "negative counts become 1",
        _law(lambda counts: _scaled(np.where(counts < 0, 1, counts))),
        _NEGATIVE,
    ),
    Mistake(
        "all cells are equally likely",
        _law(lambda counts: np.full(len(counts), 1 / len(counts))),
        "what do the counts say about how often a cell comes?",
    ),
    Mistake(
        "the shares are squared",
        _law(lambda counts: _scaled(nearest_shares(counts) ** 2)),
        "what is the probability of a cell whose share is 0.2?",
    ),
    Mistake(
        "only the largest cell is drawn",
        _law(lambda counts: np.eye(len(counts))[np.argmax(counts)]),
        "what do the other counts say?",
    ),
    Mistake("the rows are in the order of the cells", _of_the_place(_in_order), _ORDER),
    Mistake(
        "cells are repeated in their order, without any chance", _of_the_place(_repeated), _ORDER
    ),
    Mistake(
        "shares are rounded to whole rows",
        _of_the_place(_whole_rows),
        "a share of 0.1 and 3 rows: how often should a row come, on average?",
    ),
    Mistake(
        "the columns are drawn one by one",
        _of_the_place(_apart),
        "which pairs of values come together in the marginal, and in your rows?",
    ),
)

CLAIM = OutcomeClaim(
    about=(
        "Check `synthesize(marginal, *, size=None)`: rows drawn from a noisy marginal.\n\n"
        "The counts are first made the nearest that are at least 0 and have the same total."
    ),
    established="each row in a cell with that cell's share as its probability",
    parameters=_parameters,
    arguments=_arguments,
    law=_law(nearest_shares),
    outcome=one_row,
    say=lambda outcome: f"a row ({', '.join(map(str, outcome))})",
    known_of=lambda outcome, p: f" in the {'last' if p['row'] else 'first'} place",
    use=call_on_marginal,
    mistakes=_MISTAKES,
    designed=_designed,
    situation=lambda p: f"counts {p['counts']}, {p['size']} rows",
)
