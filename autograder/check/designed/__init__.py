"""Inputs designed to reach: for each parameter its edges, its large end, and its structure.

An answer that is right at ordinary inputs may stop short of an edge: a search up to epsilon 10, a
table of 50 noises, an empty table. A claim asks at such inputs too, drawn anew at every run:

    for epsilon in at_edges("epsilon", rng):
        yield {"value": 3.0, "epsilon": epsilon}
    for name, values in columns(rng, lower=0, upper=99).items():
        yield {"values": values, "lower": 0, "upper": 99}

`unreached` says which edges of a parameter a claim's inputs never come to.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Edge:
    """One end of a parameter.

    Args:
      name: in words that follow the parameter's name: "above 5".
      draw: draws a value there.
      holds: says whether a value lies there.
    """

    name: str
    draw: Callable[[np.random.Generator], Any]
    holds: Callable[[Any], bool]


def _between(low: float, high: float) -> Callable[[np.random.Generator], float]:
    """Return a draw of a number of five digits, spread evenly on the scale of its logarithm."""
    return lambda rng: float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.5g}")


def _odd_of_nine_digits(rng: np.random.Generator) -> float:
    """Draw a number that does not fit into a float of 32 bits."""
    return float(2 * rng.integers(50_000_000, 450_000_000) + 1)


def _whole(low: int, high: int) -> Callable[[np.random.Generator], int]:
    return lambda rng: int(rng.integers(low, high))


_EPSILON = (
    Edge("below 0.05", _between(0.0005, 0.004), lambda epsilon: epsilon < 0.05),
    Edge("above 5", _between(7, 10), lambda epsilon: epsilon > 5),
    Edge("above 10", _between(17, 40), lambda epsilon: epsilon > 10),
)
_DELTA = (
    Edge("below 1e-9", _between(1e-13, 5e-10), lambda delta: delta < 1e-9),
    Edge("above 0.01", _between(0.015, 0.2), lambda delta: delta > 0.01),
)
_SENSITIVITY = (
    Edge("below 1", _between(0.02, 0.3), lambda sensitivity: sensitivity < 1),
    Edge("above 100", _between(150, 5_000), lambda sensitivity: sensitivity > 100),
)
_COUNT = (
    Edge("of 1", lambda rng: 1, lambda count: count == 1),
    Edge("above 100", _whole(101, 2_000), lambda count: count > 100),
)
_ORDER = (
    Edge("just above 1", lambda rng: 1 + _between(1e-3, 5e-2)(rng), lambda order: order < 1.06),
    Edge("above 64", _between(70, 2_000), lambda order: order > 64),
)
_VALUE = (
    Edge("of 0", lambda rng: 0.0, lambda value: value == 0),
    Edge("that is a whole number", _whole(2, 90), lambda value: isinstance(value, int)),
    Edge("below 0", lambda rng: -_between(2, 90)(rng), lambda value: value < 0),
    Edge("above 10,000", _odd_of_nine_digits, lambda value: value > 10_000),
)

# Whole numbers whose quotients are none: 2 // 3 is 0.
_WHOLE = {"sensitivity": 2, "l1_sensitivity": 2, "l2_sensitivity": 2, "epsilon": 3}

# The edges of parameters that are one number, by the parameter's name.
EDGES: Mapping[str, Sequence[Edge]] = {
    "epsilon": _EPSILON,
    "delta": _DELTA,
    "delta_prime": _DELTA,
    "sensitivity": _SENSITIVITY,
    "l1_sensitivity": _SENSITIVITY,
    "l2_sensitivity": _SENSITIVITY,
    "count": _COUNT,
    "size": _COUNT,
    "order": _ORDER,
    "value": _VALUE,
}


def at_edges(parameter: str, rng: np.random.Generator, *, but: Iterable[str] = ()) -> list[Any]:
    """Return one value at each edge of a parameter, in random order.

    Args:
      parameter: a name in EDGES.
      rng: draws the values.
      but: names of edges that the task rules out.

    Raises:
      ValueError: the parameter has no edges here, or an edge in `but` is none of its own.
    """
    if parameter not in EDGES:
        raise ValueError(f"parameter must be one of {sorted(EDGES)}, got {parameter!r}")
    names = [edge.name for edge in EDGES[parameter]]
    if strange := [name for name in but if name not in names]:
        raise ValueError(f"but must name edges of {parameter}, {names}, got {strange}")
    values = [edge.draw(rng) for edge in EDGES[parameter] if edge.name not in but]
    return [values[place] for place in rng.permutation(len(values))]


def each_edge(
    base: Mapping[str, Any], rng: np.random.Generator, *names: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield settings with one parameter at an edge and the others as in `base`, and their names.

    In the last one all are Python's whole numbers, where that changes something.

    `names` are the parameters that are taken to their edges, by default all of them.
    """
    for name in names or base:
        for value in at_edges(name, rng):
            yield f"{name} {value:,}", {**base, name: value}
    whole = {name: _WHOLE[name] for name in names or base if name in _WHOLE}
    if whole:
        yield "whole numbers only", {**base, **whole}


def unreached(cases: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the edges at which no input lies, in words: "epsilon above 5".

    Args:
      cases: inputs, or settings, by the parameters' names. Parameters without edges are left out.
    """
    cases = list(cases)
    met = {name: [case[name] for case in cases if is_number(case.get(name))] for name in EDGES}
    return [
        f"{name} {edge.name}"
        for name, values in met.items()
        for edge in (EDGES[name] if values else ())
        if not any(map(edge.holds, values))
    ]


def is_number(value: Any) -> bool:
    """Say whether a value is one number, and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def is_law(value: Any) -> bool:
    """Say whether these are probabilities: numbers of at least 0 that add up to 1."""
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return False
    return bool((numbers >= 0).all() and abs(numbers.sum() - 1) < 1e-6)


def columns(
    rng: np.random.Generator, *, lower: float, upper: float, least: int = 0
) -> dict[str, np.ndarray]:
    """Return columns of numbers with structure, by what is special about them.

    Some have values outside of [lower, upper], as far away as the interval is wide.

    Args:
      rng: draws them.
      lower, upper: two numbers, the first below the second.
      least: the fewest rows that the task allows.

    Raises:
      ValueError: lower is not below upper.
    """
    if not lower < upper:
        raise ValueError(f"lower must be below upper, got {lower} and {upper}")
    width, size = upper - lower, int(rng.integers(6, 12))

    def spread(rows: int, low: float = -0.4, high: float = 1.4) -> np.ndarray:
        return np.round(lower + width * rng.uniform(low, high, rows), 2)

    far, near = np.array([lower - width, upper + width]), spread(3)
    inside = float(spread(1, 0.1, 0.9)[0])
    found = {
        "no rows": np.zeros(0),
        "one row": spread(1, 0.1, 0.9),
        "one row, far outside": rng.choice(far, 1),
        "two rows": spread(2, 0.0, 1.0),
        "all equal": np.full(size, inside),
        "all zero": np.zeros(size),
        "more zeros than others": rng.permutation([*spread(size, 0.4, 0.9), *np.zeros(2 * size)]),
        "nothing to clip": spread(size, 0.2, 0.8),
        "all below": spread(size, -1.0, -0.1),
        "all above": spread(size, 1.1, 2.0),
        "all at the ends": rng.choice([lower, upper], size),
        "ties": np.sort(rng.choice(near, size)),
        "falling": -np.sort(-spread(size)),
        "many rows": spread(int(rng.integers(1_001, 1_500))),
        "whole numbers": np.round(spread(size)).astype(np.int64),
        "whole numbers of 16 bits": _short(rng, lower, upper),
    }
    return {name: each for name, each in found.items() if len(each) >= least}


def _short(rng: np.random.Generator, lower: float, upper: float) -> np.ndarray:
    """Return numbers of 16 bits whose sum needs more, where the interval has such numbers."""
    low, high = np.clip([np.ceil(lower), np.floor(upper)], -30_000, 30_000).astype(int)
    largest = max(abs(low), abs(high), 1)
    size = min(100_000 // largest + 5, 5_000)
    return rng.integers(min(low, high), high + 1, size).astype(np.int16)


def row_labels(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return labels for the rows of a table: no places, in random order, and each comes twice.

    With pandas 3.0 each comes once: there `pandas.crosstab`, by which an answer may well count,
    raises an error where a label comes twice.
    """
    # Imported here: a notebook that checks no table need not wait for it.
    import pandas as pd

    times = 1 if pd.__version__.startswith("3.0.") else 2
    return rng.permutation(size) // times + 1_000


def indexed(rng: np.random.Generator, values: np.ndarray) -> Any:
    """Return the values as a pandas Series whose labels are no places: some of them come twice."""
    # Imported here: a notebook that checks no table need not wait for it.
    import pandas as pd

    size = len(values)
    kinds = (
        rng.permutation(size) + 1_000,
        np.arange(size)[::-1],
        rng.integers(0, max(size // 2, 1), size),
        [f"row {number}" for number in rng.permutation(size)],
    )
    return pd.Series(values, index=kinds[rng.integers(len(kinds))])


def labels(rng: np.random.Generator, *, mixed: bool = False) -> dict[str, list]:
    """Return lists of categories that a careless comparison confuses, by what is special.

    `mixed` says whether numbers may stand beside texts: then they have no order.
    """
    word = str(rng.choice(["ash", "bay", "cob", "dale"]))
    number = int(rng.integers(2, 9))
    found = {
        "one begins another": [word, word + "er", "el" + word],
        "capital letters": [word, word.upper(), word.title()],
        "blanks": [word, word + " ", " " + word],
        "texts of one number": [str(number), f"{number}.0", f"0{number}"],
        "numbers of which one begins another": [number, 10 * number + 1, -number, 0],
        "an empty text": ["", "0", " "],
        "the word nan": ["nan", "None", word],
        "one only": [word],
        "more than 20": [f"{word} {place}" for place in range(int(rng.integers(21, 25)))],
    }
    if mixed:
        found["a number beside its text"] = [number, str(number), number + 1]
    return {name: [each[k] for k in rng.permutation(len(each))] for name, each in found.items()}


def gaps(rng: np.random.Generator, rows: int) -> dict[str, list]:
    """Return columns in which a missing value stands beside what careless code fills it with.

    Of five rows one misses its value, and each value comes twice.
    """
    kinds = {
        "missing beside 0": [None, 0, 0.0, 3, 3],
        "missing beside empty text": [None, "", "", "a", "a"],
    }
    return {
        name: [values[k] for k in rng.permutation(np.arange(rows) % len(values))]
        for name, values in kinds.items()
    }
