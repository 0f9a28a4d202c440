"""Reads rows that were synthesized from a marginal: one of them, and what all of them give away."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claims.synthetic._marginals import as_rows, place_of
from autograder.check.wording.written_arguments import Written

# So many rows are never all in one cell.
MANY = 300
# If all cells are equally likely, so many rows are in one of five with probability below 1e-26.
SOME = 40
# The outcome where no row is wanted.
NO_ROWS = ("none",)


def cells_of(parameters: dict) -> list[tuple]:
    return list(itertools.product(*parameters["categories"].values()))


def call_on_marginal(function: Callable, marginal: pd.Series, **keywords) -> Any:
    """Call an answer; that it changes the marginal is told before rows of it look wrong."""
    kept = marginal.copy()
    answer = function(marginal, **keywords)
    if not marginal.equals(kept):
        raise Written(f"the marginal holds {marginal.tolist()} after the call")
    return answer


def one_row(answer: Any, parameters: dict) -> tuple:
    """Return the values of one row: the first or the last."""
    categories = parameters["categories"]
    table = as_rows(answer, list(categories))
    if len(table) != parameters["size"]:
        raise _wrong_number(len(table), parameters)
    if not parameters["size"]:
        return NO_ROWS
    if parameters["size"] == MANY and _one_cell(table, parameters):
        raise BadAnswer(
            "all rows are in one cell",
            seen=f"each of the {MANY} rows is {list(table.iloc[0])}",
            ask="how often does your code draw: once for the table, or once for each row?",
        )
    _raise_if_one_cell_of_equal_ones(table, parameters)
    places = [
        place_of(table, name, parameters["row"], values) for name, values in categories.items()
    ]
    return tuple(values[place] for values, place in zip(categories.values(), places, strict=True))


def _one_cell(table, parameters: dict) -> bool:
    """Say whether all rows are in one cell, and it is not the likeliest (a mistake of its own)."""
    likeliest = cells_of(parameters)[int(np.argmax(parameters["counts"]))]
    first = tuple(table.iloc[0])
    return first != likeliest and bool((table == table.iloc[0]).all(axis=None))


def _raise_if_one_cell_of_equal_ones(table, parameters: dict) -> None:
    total = sum(parameters["counts"])
    if parameters["size"] >= SOME and total <= 0 and (table == table.iloc[0]).all(axis=None):
        raise BadAnswer(
            "all rows are in one cell, though the total is not above 0",
            seen=f"the total is {total}, and each of the {len(table)} rows is "
            f"{list(table.iloc[0])}",
            ask="what does the task say of the shares if the total is not above 0?",
        )


def _wrong_number(came: int, parameters: dict) -> BadAnswer:
    counts = np.array(parameters["counts"])
    if parameters["sized"]:
        ask = "which argument says how many rows are wanted? Do your cells' numbers sum to it?"
    elif came == np.maximum(counts, 0).sum():
        ask = "by how much does the total grow when negative counts become 0?"
    else:
        ask = "size None means the noisy total: what is it here? Do your cells' numbers sum to it?"
    return BadAnswer(
        "the number of rows is wrong",
        seen=f"there should be {parameters['size']} rows, yours has {came}",
        ask=ask,
    )
