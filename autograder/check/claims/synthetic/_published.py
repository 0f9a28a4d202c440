"""Shared by the parts of the claim about published rows: settings, tables, and how to read them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claims.synthetic._marginals import as_rows, listed
from autograder.check.designed import each_edge

_WORDS = ("topaz", "amber", "pearl", "onyx", "coral", "jade")
ROWS = 5


def parameters_of(generator: np.random.Generator) -> Iterator[dict]:
    """Return three settings of five rows: two numbers and a word, a number and two words, both.

    Some numbers lie above their bounds and some below, the two ranges differ, and lower is never 0.
    The last two people have the same values.
    """
    for numbers, words, values, epsilons in (
        (2, 1, 3, (0.8, 1.4)),
        (1, 2, 4, (3.3, 4.2)),
        (2, 2, 3, (5.3, 6.5)),
    ):
        bounds, columns = {}, {}
        for name, low, width in (("height", 120, 60), ("weight", 3, 9))[:numbers]:
            lower = low + int(generator.integers(0, 9))
            upper = lower + width + int(generator.integers(0, width // 3))
            bounds[name] = (lower, upper)
            inside = generator.uniform(lower, upper, ROWS)
            inside[4] = inside[3]
            inside[:2] = upper + 0.7 * (upper - lower), lower - 0.7 * (upper - lower)
            columns[name] = [round(each, 2) for each in inside.tolist()]
        pool = [str(each) for each in generator.permutation(_WORDS)]
        categories = dict.fromkeys(("stone", "gem")[:words], pool[:values])
        codes = {name: generator.integers(0, values, ROWS - 1).tolist() for name in categories}
        for column in codes.values():
            column.append(column[-1])
        yield {
            "bounds": bounds,
            "numbers": columns,
            "categories": categories,
            "codes": codes,
            "epsilon": round(generator.uniform(*epsilons), 2),
        }


def _words(parameters: dict) -> dict[str, list[str]]:
    """Return the columns of words."""
    return {
        name: [parameters["categories"][name][code] for code in codes]
        for name, codes in parameters["codes"].items()
    }


def arguments(parameters: dict) -> tuple[tuple, dict]:
    table = pd.DataFrame(
        {
            "Name": ["Ada", "Ben", "Cem", "Dov", "Eva"],
            **_words(parameters),
            **parameters["numbers"],
            "Zip": [1, 2, 3, 4, 5],
        },
        index=[70, 20, 50, 20, 90],
    )
    given = {name: parameters[name] for name in ("bounds", "categories") if parameters[name]}
    return (table,), {**given, "epsilon": parameters["epsilon"]}


def one_kind(kind: str) -> Callable[[np.random.Generator], list[tuple[str, dict]]]:
    """Return what draws a setting with one kind of columns only, and settings at epsilon's edges.

    `kind` is "numbers" or "words".
    """
    without = ("categories", "codes") if kind == "numbers" else ("bounds", "numbers")

    def designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
        setting = list(parameters_of(generator))[2]
        whole = {name: np.round(each).astype(int) for name, each in setting["numbers"].items()}
        inner = {
            name: (low + (high - low) * generator.uniform(0.3, 0.7, ROWS)).round(2).tolist()
            for name, (low, high) in setting["bounds"].items()
        }
        return [
            (f"{without[0]} not given", setting | {name: {} for name in without}),
            ("columns of whole numbers", setting | {"numbers": whole}),
            ("numbers well within their bounds", setting | {"numbers": inner}),
            *each_edge(setting, generator, "epsilon"),
        ]

    return designed


def attributes(parameters: dict) -> int:
    return len(parameters["bounds"]) + len(parameters["categories"])


def published(answer: Any, parameters: dict) -> Any:
    """Return the published table; or raise BadAnswer."""
    wanted = [*parameters["bounds"], *parameters["categories"]]
    table = as_rows(answer, wanted)
    spare = [name for name in table.columns if name not in wanted]
    if spare:
        raise BadAnswer(
            "a column is published that nobody named",
            seen=f"it publishes {listed(spare)}, as they are",
            ask="which columns are named in bounds and categories? Who pays for the others?",
        )
    exact = {**parameters["numbers"], **_words(parameters)}
    for name, values in exact.items():
        if list(table.index) == list(values):
            raise BadAnswer(
                "the names of the rows are an exact column",
                seen=f"the index of the published table holds {name}, as it is",
                ask="who gets the table gets its index too: what do they learn there?",
            )
    if len(table) != ROWS:
        raise BadAnswer(
            "the number of rows has changed",
            seen=f"the table has {ROWS} rows, yours has {len(table)}",
            ask="the neighbors are replace_one: is the number of rows a secret? And where pandas "
            "adds noise, does it match rows by labels that are not 0, 1, 2?",
        )
    return table


def read_numbers(answer: Any, parameters: dict) -> np.ndarray:
    """Return the published numbers, each over the width of its range: rows of columns."""
    table = published(answer, parameters)
    try:
        found = [np.asarray(table[name], dtype=float) for name in parameters["bounds"]]
    except (TypeError, ValueError):
        raise BadAnswer(
            "a number is wanted",
            seen=f"it returned {listed(list(table.iloc[0]))} in the first row",
            ask="what does the task say about the numeric columns?",
        ) from None
    values = (np.array(found) / widths(parameters)[:, None]).ravel()
    if not np.isfinite(values).all():
        raise BadAnswer(
            "a published number is not finite",
            seen=f"the first row is {listed(list(table.iloc[0]))}",
            ask="do the rows of your table still have the labels that you read them by?",
        )
    whole = all(np.asarray(each).dtype.kind == "i" for each in parameters["numbers"].values())
    if len(found) and whole and np.array_equal(found, np.round(found)):
        raise BadAnswer(
            "all published numbers are whole",
            seen=f"the first row has {', '.join(f'{column[0]:g}' for column in found)}",
            ask="which line rounds them, or leaves the noise out?",
        )
    return values


def widths(parameters: dict) -> np.ndarray:
    return np.array([upper - lower for lower, upper in parameters["bounds"].values()], dtype=float)


SPLIT = "one person's row has several attributes: how much of epsilon may each of them cost?"
ROWS_PAY = "does the noise of one row protect another? So who shares a budget with whom?"
