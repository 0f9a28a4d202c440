"""Rows clipped to an L2 norm: each is shortened where it is longer, by itself."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.learning._reports import as_array, short
from autograder.check.claims.learning._training import clipped
from autograder.check.door import BadAnswer
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four inputs: rows below the bound and above it, and one row of zeros."""
    cases = []
    for _ in range(4):
        columns, people = int(generator.integers(2, 5)), int(generator.integers(5, 9))
        directions = generator.normal(size=(people, columns))
        directions /= np.sqrt((directions**2).sum(axis=1, keepdims=True))
        bound = round(generator.uniform(0.4, 3), 2)
        lengths = bound * generator.uniform(1.5, 5, size=people)
        lengths[:2] = bound * generator.uniform(0.2, 0.8, size=2)
        lengths[2] = 0
        rows = (directions * lengths[:, None])[generator.permutation(people)]
        cases.append({"rows": np.round(rows, 4).tolist(), "bound": bound})
    return cases


def _scaled(factor):
    """Return the rows, each times a factor that its norm and the bound give."""

    def value(p):
        rows = np.array(p["rows"])
        norms = np.sqrt((rows**2).sum(axis=1, keepdims=True))
        return rows * factor(np.maximum(norms, 1e-300), p["bound"])

    return value


def _by_norm(norm):
    """Return the rows clipped by another norm of theirs (or of all rows)."""

    def value(p):
        rows = np.array(p["rows"])
        return rows * np.minimum(1, p["bound"] / np.maximum(norm(rows), 1e-300))

    return value


_ROW = "which number is compared with the bound, and for what: an entry, a row, or all rows?"
_LONG = "how long must a row be that was twice as long as the bound? And one half as long?"

_MISTAKES = (
    ValueMistake("nothing is clipped", lambda p: np.array(p["rows"]), _LONG),
    ValueMistake(
        "each entry is clipped by itself",
        lambda p: np.clip(p["rows"], -p["bound"], p["bound"]),
        "how long can a row be if each entry is at most the bound?",
    ),
    ValueMistake(
        "each entry is clipped from above only",
        lambda p: np.minimum(p["rows"], p["bound"]),
        _ROW,
    ),
    ValueMistake(
        "each entry is clipped between 0 and the bound",
        lambda p: np.clip(p["rows"], 0, p["bound"]),
        "may an entry be negative?",
    ),
    ValueMistake(
        "the L1 norm is clipped, not the L2 norm",
        _by_norm(lambda rows: np.abs(rows).sum(axis=1, keepdims=True)),
        "how is the L2 norm of a row computed?",
    ),
    ValueMistake(
        "the largest entry is clipped, not the norm",
        _by_norm(lambda rows: np.abs(rows).max(axis=1, keepdims=True)),
        "how is the L2 norm of a row computed?",
    ),
    ValueMistake(
        "the square of the norm is compared with the bound",
        _by_norm(lambda rows: (rows**2).sum(axis=1, keepdims=True)),
        "which root is missing?",
    ),
    ValueMistake(
        "the norm of the whole table is clipped",
        _by_norm(lambda rows: np.sqrt((rows**2).sum())),
        _ROW,
    ),
    ValueMistake(
        "columns are clipped, not rows",
        _by_norm(lambda rows: np.sqrt((rows**2).sum(axis=0, keepdims=True))),
        "which axis is the person?",
    ),
    ValueMistake(
        "all rows are scaled by the longest one",
        _by_norm(lambda rows: np.sqrt((rows**2).sum(axis=1).max())),
        "does the result for one row depend on the other rows? What does that cost?",
    ),
    ValueMistake(
        "short rows are made longer",
        _scaled(lambda norms, bound: bound / norms),
        _LONG,
    ),
    ValueMistake(
        "every row gets norm 1",
        _scaled(lambda norms, bound: 1 / norms),
        "where does the bound enter?",
    ),
    ValueMistake(
        "long rows get norm 1, not the bound",
        _scaled(lambda norms, bound: np.where(norms > bound, 1 / norms, 1)),
        "how long should a row be that was too long?",
    ),
    ValueMistake(
        "long rows become rows of zeros",
        _scaled(lambda norms, bound: norms <= bound),
        _LONG,
    ),
    ValueMistake(
        "long rows are left out",
        lambda p: np.array(p["rows"])[
            np.sqrt((np.array(p["rows"]) ** 2).sum(axis=1)) <= p["bound"]
        ],
        "how many rows must come back?",
    ),
    ValueMistake(
        "the wrong rows are scaled: max where min belongs",
        _scaled(lambda norms, bound: np.maximum(1, bound / norms)),
        _LONG,
    ),
    ValueMistake(
        "all rows are divided by the bound",
        _scaled(lambda norms, bound: 1 / np.maximum(1, norms / bound) / bound),
        "how long should a row be that was too long?",
    ),
    ValueMistake(
        "rows are averaged first, and the mean is clipped",
        lambda p: clipped(np.mean(p["rows"], axis=0, keepdims=True), p["bound"]),
        "by how much can one person move a mean before it is clipped?",
    ),
)


def _read(answer, p: dict) -> np.ndarray:
    """Return the rows, a table of numbers; BadAnswer where one is not finite."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    array = as_array(answer, "the rows").astype(float)
    if not np.isfinite(array).all():
        raise BadAnswer(
            "an entry is not a finite number",
            seen=f"it returned {short(array[~np.isfinite(array).reshape(len(array), -1).all(1)])}",
            ask="what is the norm of a row of zeros, and what do you divide by it?",
        )
    if array.ndim == 1:
        array = array[None, :]
    return array


CLAIM = ValuesClaim(
    name="clip_rows_l2",
    about="Check `clip_rows_l2(rows, *, bound)`: each row shortened to L2 norm `bound`, (n, d).",
    established="rows above the bound are shortened to it, the others stay",
    cases=_cases,
    arguments=lambda p: ((np.array(p["rows"]),), {"bound": p["bound"]}),
    expected=lambda p: clipped(np.array(p["rows"]), p["bound"]),
    mistakes=_MISTAKES,
    absolute=1e-12,
    read=_read,
    situation=lambda p: f"{len(p['rows'])} rows, bound {p['bound']}",
)
