"""A private table of counts of pairs: two columns, public categories, noise in every cell."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claims.composition._noisy_counts import (
    count_mistakes,
    entries_of,
    raise_unless_labelled,
    scale_of,
    without_rows,
)
from autograder.check.claims.laplace._nobody import ClaimWithNobody
from autograder.check.designed import each_edge, labels, row_labels
from autograder.check.mistakes import Mistake
from ville.distributions import laplace

_COLUMNS = (("boat", "harbour"), ("tree", "valley"), ("bird", "season"))
_ROW_WORDS = ("topaz", "amber", "pearl", "onyx", "coral", "jade")
_COLUMN_WORDS = ("north", "east", "west", "south", "upper", "lower")


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: both neighbors, epsilon well below 1 and well above.

    Two rows and three columns of cells; one column of cells is empty.
    """
    for neighbors, epsilons in (
        ("add_remove", (0.2, 0.4)),
        ("replace_one", (0.2, 0.4)),
        ("add_remove", (2.8, 3.3)),
        ("replace_one", (3.5, 5.0)),
    ):
        counts = generator.permutation([0, 2, 9, 17, 26, 38]) + generator.integers(0, 3)
        counts = counts.reshape(2, 3)
        counts[:, generator.integers(3)] = 0
        yield {
            "columns": generator.permutation(_COLUMNS[generator.integers(len(_COLUMNS))]).tolist(),
            "row_labels": generator.choice(_ROW_WORDS, 2, replace=False).tolist(),
            "column_labels": generator.choice(_COLUMN_WORDS, 3, replace=False).tolist(),
            "counts": counts.tolist(),
            "neighbors": neighbors,
            "epsilon": round(generator.uniform(*epsilons), 2),
            "seed": int(generator.integers(2**32)),
        }


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings with categories that look alike, equal counts, large ones, and edges."""
    base, others = list(_parameters(generator))[2], labels(generator)
    some = generator.permutation(list(others))[:3]  # each costs as much as all other settings
    for name in some.tolist():
        yield name, _labelled(generator, base, others[name], [base["column_labels"][0], "other"])
    yield "pairs that look alike when joined", _joined(generator, base)
    yield "one column only", _labelled(generator, base, base["row_labels"], ["only"])
    alike = generator.permutation(base["column_labels"]).tolist()
    yield "the same categories twice", _labelled(generator, base, alike, alike)
    two = _labelled(generator, base, alike, ["yes", "no"])
    yield "two columns, a row replaced", {**two, "neighbors": "replace_one"}
    for name, counts in {
        "equal counts": [[4, 0, 4], [0, 4, 4]],
        "a count above 1,000": [[1, int(generator.integers(1_500, 2_500)), 0], [3, 0, 1_200]],
        "everybody in one cell": [[0, 0, 0], [0, 25, 0]],
        "one person": [[0, 0, 1], [0, 0, 0]],
    }.items():
        yield name, {**base, "counts": counts}
    yield from each_edge(base, generator, "epsilon")
    numbers = generator.permutation([2, 10, 1995]).tolist()
    yield "categories that are numbers", _labelled(generator, base, numbers, ["a", "b"])


def _joined(generator: np.random.Generator, base: dict) -> dict:
    """Return a setting in which two pairs become one text, whatever stands between its parts.

    With a blank: "a" and "b c", "a b" and "c". All people have the first label of the one column
    or the last label of the other.
    """
    other = chr(generator.integers(33, 127))
    between = dict.fromkeys(["", " ", "_", "-", ",", ", ", "|", "/", ":", other])
    rows, columns = ["a", *(f"a{each}b" for each in between)], [*(f"b{each}c" for each in between)]
    counts = np.zeros((len(rows), len(columns) + 1), dtype=int)
    counts[0, :-1] = generator.integers(8, 30, len(columns))
    counts[1:, -1] = generator.integers(0, 9, len(columns))
    setting = _labelled(generator, base, rows, [*columns, "c"])
    return {**setting, "counts": counts.tolist()}


def _labelled(generator: np.random.Generator, base: dict, rows: list, columns: list) -> dict:
    counts = generator.integers(0, 9, (len(rows), len(columns))).tolist()
    return {**base, "row_labels": rows, "column_labels": columns, "counts": counts}


def _categories(parameters: dict) -> dict[str, list]:
    rows, columns = parameters["columns"]
    return {rows: list(parameters["row_labels"]), columns: list(parameters["column_labels"])}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return a table in random order; add_remove is left out where it is the default."""
    generator = np.random.default_rng(parameters["seed"])
    rows, columns = parameters["columns"]
    pairs = [(row, column) for row in parameters["row_labels"] for column in _labels(parameters)]
    people = np.repeat(np.arange(len(pairs)), np.ravel(parameters["counts"]))
    people = generator.permutation(people)
    table = pd.DataFrame(
        {
            columns: [pairs[place][1] for place in people],
            "age": generator.integers(17, 90, len(people)),
            rows: [pairs[place][0] for place in people],
        },
        index=row_labels(generator, len(people)),
    )
    keywords = {"categories": _categories(parameters), "epsilon": parameters["epsilon"]}
    if parameters["neighbors"] != "add_remove" or parameters["epsilon"] < 1:
        keywords["neighbors"] = parameters["neighbors"]
    return (table,), keywords


def _labels(parameters: dict) -> list:
    return parameters["column_labels"]


def _exact(parameters: dict) -> np.ndarray:
    return np.ravel(parameters["counts"]).astype(float)


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return the counts row by row: from a DataFrame, or an array in the categories' order."""
    labels = list(_categories(parameters).values())
    if hasattr(answer, "columns"):
        found = [list(answer.index), list(answer.columns)]
        if found != labels:
            _raise_unless_labels(found, labels, parameters)
            answer = answer.loc[labels[0], labels[1]]
        answer = answer.to_numpy()
    return entries_of(answer, np.array(parameters["counts"], dtype=float))


def _raise_unless_labels(found: list[list], labels: list[list], parameters: dict) -> None:
    """Raise BadAnswer unless rows and columns are those of the categories, in any order.

    Both columns may have the same categories: their labels then say nothing of an exchange.
    """
    seen, right = [set(each) for each in found], [set(each) for each in labels]
    if seen == right[::-1] != right:
        raise BadAnswer(
            "rows and columns are exchanged",
            seen=f"the rows are {', '.join(map(str, found[0]))}",
            ask="which of the two columns comes first in `categories`?",
        )
    counts = np.array(parameters["counts"])
    for axis in (0, 1):
        nobody = counts.sum(1 - axis) == 0
        empty = {label for label, none in zip(labels[axis], nobody, strict=True) if none}
        raise_unless_labelled(found[axis], labels[axis], empty)


_PARALLEL = "in how many cells of the table is one person? Who else pays for the other cells?"
_MISTAKES = (
    Mistake(
        "epsilon is divided among the rows of the table",
        lambda p: laplace(scale_of(p) * len(p["counts"][0])),
        _PARALLEL,
    ),
    *count_mistakes(scale_of, _exact),
)

CLAIM = ClaimWithNobody(
    about=(
        'Check `private_crosstab(table, *, categories, epsilon, neighbors="add_remove")`:\n'
        "a count with Laplace noise for each pair of categories of two columns: a DataFrame."
    ),
    established="a count for each pair, each with Laplace noise of its own",
    law_name="Laplace",
    parameters=_parameters,
    designed=_designed,
    arguments=_arguments,
    read=_read,
    exact=_exact,
    scale=scale_of,
    law=laplace,
    mistakes=_MISTAKES,
    exponents={"epsilon": -1},
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {p['neighbors']}, "
        f"{len(p['counts'])} × {len(p['counts'][0])} cells" + without_rows(p)
    ),
    nobody=lambda p: {**p, "counts": np.zeros_like(p["counts"]).tolist()},
)
