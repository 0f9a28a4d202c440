"""What a function answers on separate chunks of rows: the settings of `sample_and_aggregate`.

Each setting is made so that the exact mean of the answers is known whatever hash puts the rows into
chunks, or, where rows draw their chunks, so that its law is.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.designed import at_edges
from autograder.check.remade_argument import RemadeArgument
from autograder.check.words import counted

# Rows in the two settings in which every chunk must have one: with 3 chunks and a right hash, one
# is empty with probability below 3 * (2 / 3) ** 75 = 2e-13.
_MANY = 75
_FEW = 3


def draw_settings(generator: np.random.Generator) -> list[dict]:
    """Return four settings.

    "outlier": one row makes its chunk's answer far too large; every chunk has rows. "person": all
    rows carry one label, so one chunk has all rows and the others have none. "not a number": one
    row makes its chunk's answer NaN. "no labels": three rows draw among many chunks.
    """
    kinds = (
        ("outlier", (3, 3), (1.1, 1.6), _MANY),
        ("person", (3, 5), (2.0, 3.0), int(generator.integers(12, 16))),
        ("not a number", (3, 3), (2.5, 3.5), _MANY),
        ("no labels", (5, 6), (1.6, 2.2), _FEW),
    )
    return [_setting(generator, *kind) for kind in kinds]


def designed_settings(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return settings of few chunks, and of many, one with an answer far below, ends in whole
    numbers, and edges of epsilon.
    """
    below = _setting(generator, "outlier", (3, 3), (7, 9), _MANY, far=-40.0)
    above = {**_setting(generator, "outlier", (3, 3), (7, 9), _MANY), "outlying": math.inf}
    named = [("one chunk answers far below", below), ("one chunk's answer is infinite", above)]
    for chunks in (2, 3):
        given = _setting(generator, "no labels", (chunks, chunks), (7, 9), _FEW)
        named.append((f"no labels, {chunks} chunks", given))
    # An array that is made of such an end holds whole numbers only.
    ends = {name: int(given[name]) for name in ("lower", "upper")}
    named.append(("an interval in whole numbers", {**given, **ends}))
    for rows, chunks in ((2, 60), (1, 1), (_MANY, 1)):
        given = _setting(generator, "person", (chunks, chunks), (2, 3), rows)
        named.append((f"one label, {counted(chunks, 'chunk')}", given))
    for epsilon in at_edges("epsilon", generator):
        named.append((f"epsilon {epsilon}", {**named[-1][1], "epsilon": epsilon}))
    return named


def _setting(
    generator: np.random.Generator, kind: str, chunks, epsilons, rows: int, far: float = 40.0
) -> dict:
    wide = float(generator.integers(5, 9))
    lower = -float(round(generator.uniform(0.17, 0.25) * wide))
    low, high = {"outlier": (0.75, 0.9), "not a number": (0.68, 0.76)}.get(kind, (0.05, 0.2))
    setting = {
        "kind": kind,
        "rows": rows,
        "chunks": int(generator.integers(chunks[0], chunks[1] + 1)),
        "lower": lower,
        "upper": lower + wide,
        "epsilon": round(generator.uniform(*epsilons), 2),
        # What a chunk of ordinary rows answers, and a chunk of all rows: on no grid of decimals.
        "part": lower + wide * generator.uniform(low, high),
        "whole": lower + wide * generator.uniform(0.9, 0.98),
        # What the chunk of an outlier answers.
        "outlying": (lower if far < 0 else lower + wide) + far * wide,
        "seed": int(generator.integers(2**32)),
    }
    # The exact answer: on average, where rows draw their chunks.
    exact = math.fsum(chance * mean(setting, answers) for chance, answers in outcomes(setting))
    return {**setting, "exact": exact}


class Function(RemadeArgument):
    """The function of a setting: of the rows it takes only how many they are, and the special one.

    An answer may catch the error of a call without rows, so these are counted: `calls` has the
    calls with rows and those without.
    """

    def __init__(self, parameters: dict):
        self.parameters, self.calls = parameters, [0, 0]

    def __call__(self, rows: Any) -> float:
        numbers = np.asarray(rows, dtype=float).ravel()
        self.calls[not numbers.size] += 1
        if not numbers.size:
            raise called_without_rows()
        special = bool(numbers.max() > self.parameters["upper"])
        return answer_to(self.parameters, numbers.size, special)


def called_without_rows() -> BadAnswer:
    return BadAnswer(
        "the function is called without rows",
        seen="the function was given a chunk without rows; np.max, for one, stops there",
        ask="what does an empty chunk answer, without asking the function?",
    )


def answer_to(p: dict, rows: int, special: bool) -> float:
    """Return what the function answers to a chunk of so many rows."""
    if p["kind"] == "person":
        return p["whole"] if rows == p["rows"] else p["part"]
    if p["kind"] == "no labels":
        return p["part"] if rows == 1 else p["whole"]
    if not special:
        return p["part"]
    return p["outlying"] if p["kind"] == "outlier" else math.nan


def special_rows(p: dict) -> int:
    """Return how many rows lie above the interval: the function tells them from the others."""
    return int(p["kind"] in ("outlier", "not a number"))


def arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return the arguments of a call: rows and labels in different forms, and the function."""
    p, generator = parameters, np.random.default_rng(parameters["seed"])
    values = np.round(generator.uniform(p["lower"], p["upper"], p["rows"]), 1)
    values[generator.integers(p["rows"])] += special_rows(p) * 10 * (p["upper"] - p["lower"])
    keywords = {name: p[name] for name in ("chunks", "lower", "upper", "epsilon")}
    if p["kind"] == "outlier":
        keywords["labels"] = generator.choice(10**6, p["rows"], replace=False)
        keywords["salt"] = int(generator.integers(1000))
    elif p["kind"] == "person":
        values = pd.Series(values, index=generator.permutation(p["rows"]) + 100)
        keywords["labels"] = [int(generator.integers(10**6))] * p["rows"]
    elif p["kind"] == "not a number":
        start = int(generator.integers(10**6))
        keywords["labels"] = [f"row {start + place}" for place in range(p["rows"])]
    return (values, Function(p)), keywords


def outcomes(p: dict, chunks_by: str = "label") -> Iterator[tuple[float, np.ndarray]]:
    """Give the answers of the chunks that have rows, with the probability that they come.

    Args:
      p: a setting.
      chunks_by: "label", the right way. "even": by place, in `chunks` pieces. "ceil": by place, in
        pieces of ceil(rows / chunks). "chance": a draw for each row, although it has a label.
    """
    rows, chunks = p["rows"], p["chunks"]
    if p["kind"] == "no labels" and chunks_by in ("label", "chance"):
        # Each of three rows draws one of k chunks: alone, two together (1/k less once), or all.
        alone, whole = (1 - 1 / chunks) * (1 - 2 / chunks), 1 / chunks**2
        yield alone, np.full(3, answer_to(p, 1, special=False))
        yield 1 - alone - whole, np.array([answer_to(p, size, special=False) for size in (1, 2)])
        yield whole, np.array([answer_to(p, 3, special=False)])
        return
    made = min(rows, chunks)
    if chunks_by == "ceil":
        made = math.ceil(rows / math.ceil(rows / chunks))
    elif p["kind"] == "person" and chunks_by == "label":
        made = 1
    answers = np.full(made, answer_to(p, rows // made, special=False))
    if special_rows(p):
        answers[0] = answer_to(p, rows // made, special=True)
    yield 1.0, answers


def width(p: dict) -> float:
    return p["upper"] - p["lower"]


def middle(p: dict) -> float:
    return (p["lower"] + p["upper"]) / 2


def clipped(p: dict, answers: np.ndarray) -> np.ndarray:
    """Return the answers that count: NaN is the middle of the interval, the rest is clipped."""
    return np.clip(np.where(np.isnan(answers), middle(p), answers), p["lower"], p["upper"])


def filled(p: dict, answers: np.ndarray, empty: float) -> np.ndarray:
    """Return one answer a chunk: those given, and `empty` for each chunk without rows."""
    return np.append(answers, np.full(max(p["chunks"] - len(answers), 0), empty))


def mean(p: dict, answers: np.ndarray) -> float:
    """Return the exact answer, from the answers of the chunks that have rows."""
    return float(filled(p, clipped(p, answers), middle(p)).mean())


def situation(p: dict) -> str:
    interval = f"[{p['lower']:g}, {p['upper']:g}], epsilon {p['epsilon']}"
    told = {
        "outlier": f"one chunk answers far {'above' if p['outlying'] > p['upper'] else 'below'}",
        "person": "one label on all rows",
        "not a number": "one chunk answers NaN",
        "no labels": "no labels",
    }
    parts = counted(p["rows"], "row"), counted(p["chunks"], "chunk"), interval, told[p["kind"]]
    return ", ".join(parts)
