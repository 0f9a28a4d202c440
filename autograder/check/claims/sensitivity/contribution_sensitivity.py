"""How far one person can move a sum in which each row counts by itself, in any way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

# What a row adds to the sum, from its value v and the case's numbers a < b.
_KINDS: dict[str, Callable] = {
    "min(max(v, a), b)": lambda v, p: min(max(v, p["a"]), p["b"]),
    "max(v - a, 0)": lambda v, p: max(v - p["a"], 0.0),
    "v - (a + b) / 2": lambda v, p: v - (p["a"] + p["b"]) / 2,
    "-abs(v - a)": lambda v, p: -abs(v - p["a"]),
    "abs(v - a) - b": lambda v, p: abs(v - p["a"]) - p["b"],
    "1 if a <= v < b else 0": lambda v, p: float(p["a"] <= v < p["b"]),
    "v + a": lambda v, p: v + p["a"],
}


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return sixteen inputs: each kind of contribution, a domain of one value; both neighbors."""
    cases = []
    for kind in (*_KINDS, "v + a"):
        start = int(generator.integers(-60, 30))
        # The values come in no order, and the domain reaches beyond a and b on both sides.
        size = 1 if len(cases) == 2 * len(_KINDS) else int(generator.integers(30, 60))
        domain = generator.permutation(np.arange(start, start + size)).tolist()
        a = start + int(generator.integers(4, 9))
        b = a + int(generator.integers(7, 15))
        given = {"kind": kind, "domain": domain, "a": a, "b": b}
        for neighbors in ("add_remove", "replace_one"):
            cases.append({**given, "neighbors": neighbors})
    return cases


def _contribution(p: dict) -> Callable:
    return lambda value: _KINDS[p["kind"]](value, p)


def _arguments(p: dict) -> tuple[tuple, dict]:
    return (_contribution(p),), {"domain": list(p["domain"]), "neighbors": p["neighbors"]}


def _added(p: dict) -> np.ndarray:
    return np.array([_contribution(p)(value) for value in p["domain"]], dtype=float)


def _of(added: Callable[[np.ndarray], float], replaced: Callable[[np.ndarray], float]):
    """Return the value for either kind of neighbors, from what the rows add."""

    def value(p: dict) -> float:
        chosen = added if p["neighbors"] == "add_remove" else replaced
        return float(chosen(_added(p)))

    return value


def _farthest(rows: np.ndarray) -> float:
    return np.abs(rows).max()


def _ends(p: dict) -> np.ndarray:
    """Return what the smallest and the largest value of the domain add."""
    ends = {min(p["domain"]), max(p["domain"])}
    return np.array([_contribution(p)(value) for value in ends], dtype=float)


def _by_the_ends(p: dict) -> float:
    rows = _ends(p)
    return float(_farthest(rows) if p["neighbors"] == "add_remove" else np.ptp(rows))


def _by_the_domain(p: dict) -> float:
    values = np.array(p["domain"], dtype=float)
    return float(_farthest(values) if p["neighbors"] == "add_remove" else np.ptp(values))


_COMES = "a row comes: from which sum to which does the answer go?"
_CHANGES = "a row's value changes: from which sum to which does the answer go?"
_SIGN = "may a row make the sum smaller? By how much does it move then?"

_MISTAKES = (
    ValueMistake(
        "a row that comes is treated like a row that changes", _of(np.ptp, np.ptp), _COMES
    ),
    ValueMistake(
        "a row that changes is treated like a row that comes",
        _of(_farthest, _farthest),
        _CHANGES,
    ),
    ValueMistake("the two kinds of neighbors are exchanged", _of(np.ptp, _farthest), _COMES),
    ValueMistake("the largest contribution counts, with its sign", _of(np.max, np.ptp), _SIGN),
    ValueMistake(
        "only the largest contribution counts, for both kinds of neighbors",
        _of(np.max, np.max),
        _SIGN,
    ),
    ValueMistake(
        "a replaced row counts as one removed and one added",
        _of(_farthest, lambda rows: 2 * _farthest(rows)),
        "that is a bound, not the largest move. " + _CHANGES,
    ),
    ValueMistake(
        "the sizes of the largest and the smallest contribution are added",
        _of(_farthest, lambda rows: abs(rows.max()) + abs(rows.min())),
        _CHANGES,
    ),
    ValueMistake(
        "the sizes of the largest and the smallest contribution are subtracted",
        _of(_farthest, lambda rows: abs(abs(rows.max()) - abs(rows.min()))),
        _CHANGES,
    ),
    ValueMistake(
        "the smallest size is taken",
        _of(lambda rows: np.abs(rows).min(), np.ptp),
        "the sensitivity is the largest move: which row makes it?",
    ),
    ValueMistake(
        "only the ends of the domain are looked at",
        _by_the_ends,
        "which value of the domain adds most? Is it always the first or the last?",
    ),
    ValueMistake(
        "the values are compared, not what they add to the sum",
        _by_the_domain,
        "what does a row add to *this* sum?",
    ),
    ValueMistake(
        "only neighboring values of the domain are compared",
        _of(_farthest, lambda rows: np.abs(np.diff(rows)).max() if len(rows) > 1 else 0.0),
        "may a row change to any other value?",
    ),
    ValueMistake(
        "the contributions are averaged",
        _of(lambda rows: np.abs(rows).mean(), np.ptp),
        "the attacker waits for the row that moves the sum most: which one is it?",
    ),
    ValueMistake(
        "the sum is treated like a count",
        _of(lambda rows: 1.0, lambda rows: 1.0),
        "by how much does one row move this sum?",
    ),
    ValueMistake(
        "the sign is wrong", _of(_farthest, lambda rows: -np.ptp(rows)), "may a size be negative?"
    ),
)


def _situation(p: dict) -> str:
    ends = f"{min(p['domain'])} to {max(p['domain'])}"
    numbers = f"a = {p['a']}, b = {p['b']}"
    return f"a row adds {p['kind']} with {numbers}; values from {ends}; {p['neighbors']}"


CLAIM = ValuesClaim(
    name="contribution_sensitivity",
    about=(
        "Check `contribution_sensitivity(contribution, *, domain, neighbors)`: how far one person\n"
        "moves the sum of `contribution(value)` over all rows."
    ),
    established="the largest move of the sum, for both kinds of neighbors",
    cases=_cases,
    arguments=_arguments,
    expected=_of(_farthest, np.ptp),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=_situation,
)
