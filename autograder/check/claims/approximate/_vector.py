"""Vectors: how an answer of several numbers is read, and mistakes about their number."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.additive import Mistake
from autograder.check.door import BadAnswer
from ville.distributions import Distribution as Law

__all__ = ["as_vector", "draw_vectors", "vector_mistakes"]


def draw_vectors(generator: np.random.Generator) -> list[np.ndarray]:
    """Return four vectors of 3 or 5 entries: no power of one number of entries is the other's."""
    return [np.round(generator.uniform(-200, 200, entries), 2) for entries in (3, 5, 5, 3)]


def as_vector(answer: Any, parameters: dict) -> np.ndarray:
    """Return an answer as an array like parameters["value"], or raise BadAnswer."""
    entries = len(parameters["value"])
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    array = None
    with contextlib.suppress(ValueError, TypeError):
        array = np.asarray(answer)
    if array is None or array.dtype.kind not in "iuf":
        raise BadAnswer(
            "an array of numbers is wanted",
            seen=f"it returned a {type(answer).__name__}",
            ask="what does the docstring say the function returns?",
        )
    if array.shape != (entries,):
        raise BadAnswer(
            "an array of the shape of `value` is wanted",
            seen=f"`value` has shape ({entries},), it returned {_shape(array)}",
            ask="how many entries does the released vector have?",
        )
    if not np.isfinite(array).all():
        raise BadAnswer(
            "an entry of the answer is not a finite number",
            seen=f"it returned {array.tolist()}",
            ask="which step divides by zero, or takes the logarithm of zero?",
        )
    return array.astype(float)


def _shape(array: np.ndarray) -> str:
    return f"shape {array.shape}" if array.ndim else "one number"


def vector_mistakes(
    scale: Callable[[dict], float], law: Callable[[float], Law], norm: str
) -> tuple[Mistake, ...]:
    """Return the mistakes about the number of entries; `norm` is the name of the sensitivity."""
    ask = f"{norm} is that of the whole vector: is there anything left to share out?"
    factors = {
        "the noise is divided by the number of entries": lambda d: 1 / d,
        "the noise is multiplied by the number of entries": float,
        "the noise is divided by sqrt(number of entries)": lambda d: d**-0.5,
        "the noise is multiplied by sqrt(number of entries)": math.sqrt,
    }
    spreads = (
        Mistake(name, lambda p, f=factor: law(scale(p) * f(len(p["value"]))), ask)
        for name, factor in factors.items()
    )
    multiplied = Mistake(
        "the noise is multiplied by the value",
        lambda p: [law(abs(entry) * scale(p)) for entry in p["value"]],
        "is the noise added to the value, or multiplied with it?",
    )
    return (*spreads, multiplied, *_of_other_values(scale, law))


def _of_other_values(scale, law) -> tuple[Mistake, ...]:
    """Return mistakes that add the right noise to other values: name, values, question."""
    others = (
        ("the value is missing", lambda v: 0 * v, "to what is the noise added?"),
        (
            "the value is added twice",
            lambda v: 2 * v,
            "what should the answers be on average, if the noise is 0 on average?",
        ),
        (
            "the entries come back in another order",
            np.sort,
            "does entry 0 of the answer belong to entry 0 of `value`?",
        ),
        (
            "the mean of the vector is released in every entry",
            lambda v: np.full(len(v), np.mean(v)),
            "is the noise added to each entry, or to a summary of them?",
        ),
    )

    def laws(values):
        return lambda p: [
            _shifted(law(scale(p)), shift) for shift in values(p["value"]) - p["value"]
        ]

    return tuple(Mistake(name, laws(values), ask) for name, values, ask in others)


def _shifted(law: Law, center: float) -> Law:
    return lambda x: law(x - center)
