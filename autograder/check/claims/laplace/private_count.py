"""A private count: rows that satisfy a predicate, and Laplace noise of scale 1 / epsilon."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.claims.laplace._nobody import ClaimWithNobody
from autograder.check.designed import each_edge
from autograder.check.mistakes import Mistake, wrong_centres, wrong_scales
from autograder.check.remade_argument import RemadeArgument
from ville.distributions import Distribution, clamped, folded, gaussian, laplace

# Names that no data set of the course has: a predicate on one fails on any table but ours.
_COLUMNS = ("visits", "points", "steps", "letters", "journeys", "prizes")
_NUMBER_OF_COLUMNS = 3
_RANGE = 10  # the values that count are this many whole numbers


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings.

    A count near 0, where clamping shows; one just below half of the rows, where the rows that are
    not counted can be told apart from all rows; a table of a few rows, where a share can be told
    apart from nothing; and a large table, where one row in many counts. Where the count is not
    small, some of the counted rows lack a value that the predicate does not look at.
    Two of the predicates use methods of a column, which a single row does not have.
    """
    for counts, spare, missing, epsilons, asks in (
        ((1, 3), (100, 150), (0, 1), (0.2, 0.4), "at least"),
        ((40, 60), (3, 8), (12, 17), (0.2, 0.4), "between"),
        ((2, 4), (1, 3), (0, 1), (2.0, 3.0), "among"),
        ((30, 60), (1_100, 2_600), (4, 9), (2.0, 3.0), "at least"),
    ):
        count = int(generator.integers(*counts))
        yield {
            "rows": 2 * count + int(generator.integers(*spare)),
            "count": count,
            "missing": int(generator.integers(*missing)),
            "epsilon": round(generator.uniform(*epsilons), 2),
            "column": str(generator.choice(_COLUMNS)),
            "threshold": int(generator.integers(20, 60)),
            "asks": asks,
            "seed": int(generator.integers(2**32)),
        }


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return settings in which everybody is counted, or nobody, or very many."""
    base = list(_parameters(generator))[1]

    def with_rows(rows: int, count: int, **changes: Any) -> dict:
        return {**base, "rows": rows, "count": count, "missing": 0, **changes}

    return [
        ("everybody is counted", with_rows(30, 30)),
        ("nobody is counted", with_rows(30, 0)),
        ("one row, counted", with_rows(1, 1)),
        ("one row, not counted", with_rows(1, 0)),
        ("a large table", with_rows(int(generator.integers(2_500, 3_500)), 1_250)),
        ("a very large table", with_rows(int(generator.integers(10_500, 12_500)), 5_500)),
        ("row names that come more than once", with_rows(40, 25, twins=True, epsilon=2.0)),
        *each_edge(base, generator, "epsilon"),
    ]


class _Predicate(RemadeArgument):
    """Says in which rows the column reaches the threshold, in one of three ways."""

    def __init__(self, column: str, threshold: int, asks: str):
        self.column, self.threshold, self.asks, self.calls = column, threshold, asks, 0

    def __call__(self, rows: Any) -> Any:
        self.calls += 1
        last = self.threshold + _RANGE - 1
        try:
            if self.asks == "between":
                return rows[self.column].between(self.threshold, last)
            if self.asks == "among":
                return rows[self.column].isin(range(self.threshold, last + 1))
            return rows[self.column] >= self.threshold
        except Exception:
            raise self._wrong_table(rows) from None

    def _wrong_table(self, rows: Any) -> BadAnswer:
        if hasattr(rows, "columns"):
            return BadAnswer(
                "it counts another table than the one it is given",
                seen=f"the predicate was called with a table without the column {self.column!r}",
                ask="what is the table called inside your function?",
            )
        return BadAnswer(
            "the predicate is not called with the table",
            seen=f"the predicate was called with a {type(rows).__name__}",
            ask="what does the task say the predicate takes, and what does it give back?",
        )


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return a table in which exactly `count` rows satisfy the predicate, and the predicate.

    In `missing` of these rows, and in as many of the others, the last column has no value.
    """
    generator = np.random.default_rng(parameters["seed"])
    rows, threshold = parameters["rows"], parameters["threshold"]
    order = generator.permutation(rows)
    marks = order < parameters["count"]
    missing = (order < parameters["missing"]) | (order >= rows - parameters["missing"])
    far = generator.integers(0, _RANGE, rows)
    table = pd.DataFrame(
        {
            "Age": generator.integers(17, 90, rows),
            parameters["column"]: np.where(marks, threshold + far, threshold - 1 - far),
            "team": np.where(missing, None, generator.choice(["red", "blue"], rows)),
        },
        # Row names that are no positions: counting must not depend on them.
        index=generator.permutation(rows) // (10 if parameters.get("twins") else 1) + 1000,
    )
    predicate = _Predicate(parameters["column"], threshold, parameters["asks"])
    return (table, predicate), {"epsilon": parameters["epsilon"]}


def _raise_unless_predicate_is_used(positional: tuple, keywords: dict) -> None:
    """Raise BadAnswer if the predicate was never called: a right answer cannot do without it."""
    _, predicate = positional
    if not predicate.calls:
        raise BadAnswer(
            "the predicate is not used",
            seen="the predicate was never called",
            ask="who decides which rows count: your function, or whoever calls it?",
        )


def _scale(parameters: dict) -> float:
    return 1 / parameters["epsilon"]


def _drawn_again(parameters: dict) -> Distribution:
    law = laplace(_scale(parameters))
    below = law(np.array(-float(parameters["count"])))
    return lambda x: np.maximum(law(x) - below, 0) / (1 - below)


_SENSITIVITY = "how far can one person move a count?"
_AVERAGE = "may a noisy count be negative? And what happens to its average if it may not?"
_SIZE = "may a noisy count be negative? And what does abs() do to its average?"
_NONE_BELOW = "a noisy count near 0 is often negative, none of yours is"
_WHICH_ROWS = "which rows does the predicate choose, and how many are they?"

_MISTAKES = (
    *wrong_centres(
        laplace,
        _scale,
        {
            "all rows are counted": (
                lambda p: p["rows"] - p["count"],
                "what is the length of a column of truth values, and what is its sum?",
            ),
            "the rows that do not satisfy the predicate are counted": (
                lambda p: p["rows"] - 2 * p["count"]
            ),
            "cells are counted, not rows": (
                lambda p: (_NUMBER_OF_COLUMNS - 1) * p["count"],
                "what does `size` count in a table, and what does `len` count?",
            ),
            "the share of rows is released, not their number": (
                lambda p: p["count"] / p["rows"] - p["count"],
                "what do the sum and the mean of truth values tell?",
            ),
            "rows with a missing value are left out": (
                lambda p: -p["missing"],
                "is a person whose team is not known in your count? Does the predicate look at the "
                "team?",
            ),
            "the count is one too high": lambda p: 1,
            "the count is one too low": lambda p: -1,
            "the count is missing": (
                lambda p: -p["count"],
                "print the count before the noise: is it 0?",
            ),
        },
        _WHICH_ROWS,
    ),
    *wrong_scales(
        laplace,
        {
            "the number of rows is used as the sensitivity": lambda p: p["rows"] / p["epsilon"],
            "the count is used as the sensitivity": lambda p: p["count"] / p["epsilon"],
            "the sensitivity is 1 / rows": (
                lambda p: 1 / (p["rows"] * p["epsilon"]),
                "that is the sensitivity of a mean: how far can one person move a count?",
            ),
        },
        _SENSITIVITY,
    ),
    Mistake(
        "every row gets noise of its own",
        # A sum of many Laplace draws is close to Gaussian; each has variance 2 / epsilon**2.
        lambda p: gaussian(math.sqrt(2 * p["rows"]) / p["epsilon"]),
        "what is released, the rows or their number? How often is noise needed?",
    ),
    *wrong_scales(
        laplace,
        {
            "the noise is doubled": (
                lambda p: 2 * _scale(p),
                "how far can one person move a count, when a row is added, removed or replaced?",
            ),
            "the noise is halved": (lambda p: _scale(p) / 2, _SENSITIVITY),
            "epsilon is ignored": lambda p: 1,
            "epsilon is used as the scale": lambda p: p["epsilon"],
            "epsilon is squared": lambda p: _scale(p) ** 2,
            "an epsilon above 1 counts as 1": lambda p: max(_scale(p), 1),
        },
    ),
    *(
        Mistake(f"negative answers {words}", law, ask, _NONE_BELOW)
        for words, law, ask in (
            ("become 0", lambda p: clamped(laplace(_scale(p)), -p["count"]), _AVERAGE),
            ("are drawn again", _drawn_again, _AVERAGE),
            ("become positive", lambda p: folded(laplace(_scale(p)), -p["count"]), _SIZE),
        )
    ),
    *noise_mistakes(_scale, "1 / epsilon"),
)

CLAIM = ClaimWithNobody(
    about="Check `private_count(table, predicate, *, epsilon)`: a count with Laplace noise.",
    established="the right count, Laplace of scale 1/epsilon, independent draws",
    law_name="Laplace",
    parameters=_parameters,
    designed=_designed,
    arguments=_arguments,
    exact=lambda p: float(p["count"]),
    scale=_scale,
    law=laplace,
    exponents={"epsilon": -1},
    mistakes=_MISTAKES,
    situation=lambda p: f"epsilon {p['epsilon']:g}, count {p['count']} of {p['rows']} rows",
    inspect=_raise_unless_predicate_is_used,
    nobody=lambda p: {**p, "rows": 0, "count": 0, "missing": 0},
)
