"""The number of chunks with the least error: what few rows lose, empty chunks, and noise."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.door import as_whole_number
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

# Public guesses of what a function loses on m rows: c / m, c / sqrt(m), or nothing.
_POWERS = {"amount / rows": 1.0, "amount / sqrt(rows)": 0.5, "0": 0.0}

# Two numbers of chunks whose errors agree to this share could be told apart by rounding only.
_CLEARLY = 1e-9


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return ten inputs, among them one where as many chunks as rows are best."""
    kinds = (
        *(("amount / rows", (0.05, 3.0), (300, 1500)) for _ in range(3)),
        ("amount / sqrt(rows)", (0.05, 1.0), (300, 1500)),
        # Here few rows lose something, chunks are empty, and noise counts, all at once.
        *(("amount / sqrt(rows)", (0.02, 0.08), (300, 900)) for _ in range(3)),
        *(("0", (0.3, 3.0), (200, 900)) for _ in range(2)),
        ("amount / rows", (0.0005, 0.002), (20, 60)),
    )
    return [_case(generator, *kind) for kind in kinds]


def _case(generator: np.random.Generator, loses: str, epsilons, sizes) -> dict:
    """Return one input, drawn again until its best number of chunks is clear."""
    while True:
        lower = float(generator.integers(-30, 20))
        case = {
            "size": int(generator.integers(*sizes)),
            "lower": lower,
            "upper": lower + float(generator.integers(40, 200)),
            "epsilon": float(f"{math.exp(generator.uniform(*np.log(epsilons))):.2g}"),
            "loses": loses,
            "amount": float(generator.integers(2, 90)),
        }
        two = np.partition(_errors(case), 1)[:2]
        if two[1] > (1 + _CLEARLY) * two[0]:
            return case


def _bias(p: dict) -> Callable:
    """Return the public guess as a function of a number of rows, or of an array of them."""
    power = _POWERS[p["loses"]]
    if not power:
        return lambda rows: 0 * rows
    return lambda rows: p["amount"] / rows**power


def _arguments(p: dict) -> tuple[tuple, dict]:
    keywords = {name: p[name] for name in ("lower", "upper", "epsilon")}
    return (p["size"],), {**keywords, "bias": _bias(p)}


def _errors(
    p: dict,
    *,
    rows: Callable = lambda size, counts: size / counts,
    empty: Callable = lambda size, counts: 0.5 * (1 - 1 / counts) ** size,
    scale: Callable = lambda p, counts: 1 / (counts * p["epsilon"]),
    variance: float = 2.0,
    total: Callable = lambda lost, empty, noise: (lost + empty) ** 2 + noise**2,
) -> np.ndarray:
    """Return the squared error of every number of chunks; the rest says what is done otherwise.

    `empty` and `scale` are in units of the interval's width.
    """
    width, counts = p["upper"] - p["lower"], np.arange(1, p["size"] + 1)
    lost = _bias(p)(rows(p["size"], counts) * np.ones(len(counts)))
    noise = math.sqrt(variance) * scale(p, counts) * width
    return total(lost, empty(p["size"], counts) * width, noise)


def _best(p: dict, **how) -> float:
    return float(np.argmin(_errors(p, **how)) + 1)


def _divisor(p: dict) -> float:
    """Return the best of the numbers that divide the number of rows."""
    errors = _errors(p)
    divisors = [k for k in range(1, p["size"] + 1) if p["size"] % k == 0]
    return float(min(divisors, key=lambda k: errors[k - 1]))


def _mistake(name: str, ask: str, **how) -> ValueMistake:
    return ValueMistake(name, lambda p: _best(p, **how), ask)


_NOISE = "which scale does the noise have, and what is the variance of Laplace noise of scale b?"
_ROWS = "with k chunks, how many rows has each of them?"
_EMPTY = "how likely is it that all n rows miss one chunk of k, and how far off is its answer?"
_ADDED = "bias and noise add in squares: which parts come with the same sign every time?"
_RANGE = "which number does argmin return for the first of the numbers you tried?"

_MISTAKES = (
    ValueMistake("the place of the best number is returned", lambda p: _best(p) - 1, _RANGE),
    ValueMistake(
        "the number of rows in a chunk is returned", lambda p: p["size"] // _best(p), _ROWS
    ),
    ValueMistake("the least error is returned", lambda p: math.sqrt(_errors(p).min()), _RANGE),
    ValueMistake(
        "the best number is sought among the divisors of size",
        _divisor,
        "may chunks differ in size? Which numbers of chunks does a hash allow?",
    ),
    _mistake("empty chunks are forgotten", _EMPTY, empty=lambda size, counts: 0.0 * counts),
    _mistake(
        "an empty chunk is off by the whole interval, not by half of it",
        _EMPTY,
        empty=lambda size, counts: (1 - 1 / counts) ** size,
    ),
    _mistake(
        "the bias is forgotten",
        "what does the function lose when it sees few rows only?",
        total=lambda lost, empty, noise: empty**2 + noise**2,
    ),
    ValueMistake(
        "one chunk is always the best: nothing rewards more of them",
        lambda p: 1.0,
        "which part of the error falls when there are more chunks?",
    ),
    _mistake(
        "bias and noise are added, not their squares",
        _ADDED,
        total=lambda lost, empty, noise: lost + empty + noise,
    ),
    _mistake(
        "bias and empty chunks are added in squares",
        _ADDED,
        total=lambda lost, empty, noise: lost**2 + empty**2 + noise**2,
    ),
    _mistake("the scale is taken for the standard deviation", _NOISE, variance=1.0),
    _mistake("epsilon is ignored", _NOISE, scale=lambda p, counts: 1 / counts),
    _mistake("epsilon multiplies", _NOISE, scale=lambda p, counts: p["epsilon"] / counts),
    _mistake(
        "the width of the interval is left out of the noise",
        _NOISE,
        scale=lambda p, counts: 1 / (counts * p["epsilon"] * (p["upper"] - p["lower"])),
    ),
    _mistake(
        "the upper end is used for the width",
        "how far is it from the lower end to the upper one?",
        scale=lambda p, counts: p["upper"] / (p["upper"] - p["lower"]) / (counts * p["epsilon"]),
    ),
    _mistake("the bias is that of `chunks` rows", _ROWS, rows=lambda size, counts: counts),
    _mistake("the bias is that of all rows", _ROWS, rows=lambda size, counts: size),
    _mistake(
        "the rows of a chunk are rounded down", _ROWS, rows=lambda size, counts: size // counts
    ),
    _mistake(
        "the rows of a chunk are rounded up",
        _ROWS,
        rows=lambda size, counts: np.ceil(size / counts),
    ),
)

CLAIM = ValuesClaim(
    name="best_chunks",
    about=(
        "Check `best_chunks(size, *, lower, upper, epsilon, bias)`: the number of chunks with the\n"
        "least error, a whole number from 1 to size.\n\n"
        "The squared error of k chunks is (bias(size / k) + empty)**2 + 2 * scale**2, where\n"
        "empty = (1 - 1 / k)**size * (upper - lower) / 2 and\n"
        "scale = (upper - lower) / (k * epsilon)."
    ),
    established="the number of chunks with the least error in the public model",
    cases=_cases,
    arguments=_arguments,
    read=as_whole_number,
    expected=_best,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"size {p['size']}, lower {p['lower']:g}, upper {p['upper']:g}, "
        f"epsilon {p['epsilon']:g}, bias {p['loses']}"
        + (f" with amount {p['amount']:g}" if p["loses"] != "0" else "")
    ),
)
