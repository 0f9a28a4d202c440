"""Advanced composition: what k releases cost together, by Dwork & Roth's theorem 3.20."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.door import BadAnswer, as_number
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

_NEIGHBORS = ("add_remove", "replace_one")


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return eight inputs: pure and approximate, both neighbors, epsilon small and large."""
    cases = []
    for place, (epsilons, counts) in enumerate(
        (
            ((0.02, 0.1), (100, 900)),
            ((0.02, 0.1), (100, 900)),
            ((0.1, 0.4), (40, 300)),
            ((0.1, 0.4), (40, 300)),
            ((0.4, 0.9), (10, 60)),
            ((0.4, 0.9), (10, 60)),
            ((0.9, 1.6), (2, 9)),
            ((0.9, 1.6), (2, 9)),
        )
    ):
        cases.append(
            {
                "epsilon": round(generator.uniform(*epsilons), 3),
                "delta": float(f"{10 ** generator.uniform(-9, -6):.2g}") if place % 2 else 0.0,
                "neighbors": _NEIGHBORS[place // 2 % 2],
                "count": int(generator.integers(*counts)),
                "delta_prime": float(f"{10 ** generator.uniform(-7, -3):.2g}"),
            }
        )
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    from dplib.guarantees import ApproximateDP, PureDP

    epsilon, delta, neighbors = (parameters[name] for name in ("epsilon", "delta", "neighbors"))
    guarantee = ApproximateDP(epsilon, delta, neighbors) if delta else PureDP(epsilon, neighbors)
    return (guarantee,), {name: parameters[name] for name in ("count", "delta_prime")}


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return (epsilon, delta, place of the neighbors) of a guarantee."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not all(hasattr(answer, name) for name in ("epsilon", "delta", "neighbors")):
        raise BadAnswer(
            "an ApproximateDP is wanted",
            seen=f"it returned a {type(answer).__name__}",
            ask="what does the docstring say the function returns?",
        )
    neighbors = _NEIGHBORS.index(answer.neighbors) if answer.neighbors in _NEIGHBORS else -1
    return np.array([as_number(answer.epsilon), as_number(answer.delta), neighbors])


def _cost(
    epsilon: Callable[[dict], float] | None = None, delta: Callable[[dict], float] | None = None
) -> Callable[[dict], np.ndarray]:
    """Return an answer with another epsilon, or another delta, than the right one."""

    def value(p: dict) -> np.ndarray:
        total = (epsilon or _epsilon)(p), (delta or _delta)(p)
        return np.array([*total, _NEIGHBORS.index(p["neighbors"])])

    return value


def _root(p: dict, probability: float) -> float:
    return p["epsilon"] * math.sqrt(2 * p["count"] * math.log(1 / probability))


def _epsilon(p: dict) -> float:
    # Dwork & Roth (2014), theorem 3.20.
    return _root(p, p["delta_prime"]) + p["count"] * p["epsilon"] * math.expm1(p["epsilon"])


def _delta(p: dict) -> float:
    return p["count"] * p["delta"] + p["delta_prime"]


def _linear(p: dict, factor: float) -> float:
    return _root(p, p["delta_prime"]) + p["count"] * p["epsilon"] * factor


_SECOND = "the theorem has two terms: which one grows with count, not with its root?"
_DELTAS = "which deltas are paid: those of the releases, and which one more?"

_MISTAKES = (
    ValueMistake(
        "this is the bound without the k*epsilon*(e^epsilon - 1) term",
        _cost(lambda p: _root(p, p["delta_prime"])),
        "for which epsilon and count is that term small enough to leave out?",
    ),
    ValueMistake(
        "the bound 2*epsilon*sqrt(2*k*ln(1/delta')) is used",
        _cost(lambda p: 2 * _root(p, p["delta_prime"])),
        "from which condition does that follow, and does it hold here?",
    ),
    ValueMistake(
        "the epsilons are added up",
        _cost(lambda p: p["count"] * p["epsilon"]),
        "that is sequential composition: what does the advanced theorem say?",
    ),
    ValueMistake(
        "the smaller of two bounds is returned",
        _cost(lambda p: min(_epsilon(p), p["count"] * p["epsilon"])),
        "a good idea in practice; but what does the advanced theorem alone say here?",
    ),
    ValueMistake(
        "e^epsilon stands where e^epsilon - 1 belongs",
        _cost(lambda p: _linear(p, math.exp(p["epsilon"]))),
        _SECOND,
    ),
    ValueMistake(
        "e^epsilon - 1 is replaced by epsilon",
        _cost(lambda p: _linear(p, p["epsilon"])),
        "how large is e^epsilon - 1 at epsilon = 1?",
    ),
    ValueMistake(
        "a later, sharper second term is used",
        _cost(lambda p: _linear(p, math.tanh(p["epsilon"] / 2))),
        "true, but which theorem is asked for here?",
    ),
    ValueMistake(
        "the second term is that of concentrated privacy",
        _cost(lambda p: _linear(p, p["epsilon"] / 2)),
        "true for pure releases, but which theorem is asked for here?",
    ),
    ValueMistake(
        "the second term lacks the number of releases",
        _cost(
            lambda p: _root(p, p["delta_prime"]) + p["epsilon"] * math.expm1(p["epsilon"]),
        ),
        _SECOND,
    ),
    ValueMistake(
        "the 2 under the root is missing",
        _cost(
            lambda p: (
                _linear(p, math.expm1(p["epsilon"]))
                - _root(p, p["delta_prime"]) * (1 - math.sqrt(0.5))
            )
        ),
        "write the formula on paper: what stands under the root?",
    ),
    ValueMistake(
        "the logarithm has base 10",
        _cost(
            lambda p: (
                _linear(p, math.expm1(p["epsilon"]))
                - _root(p, p["delta_prime"]) * (1 - 1 / math.sqrt(math.log(10)))
            )
        ),
        "which logarithm undoes exp?",
    ),
    ValueMistake(
        "delta_prime is left out of delta",
        _cost(delta=lambda p: p["count"] * p["delta"]),
        _DELTAS,
    ),
    ValueMistake(
        "only delta_prime is counted",
        _cost(delta=lambda p: p["delta_prime"]),
        _DELTAS,
    ),
    ValueMistake(
        "the delta of the releases is counted once",
        _cost(delta=lambda p: p["delta"] + p["delta_prime"]),
        _DELTAS,
    ),
    ValueMistake(
        "delta_prime is counted for every release",
        _cost(delta=lambda p: p["count"] * (p["delta"] + p["delta_prime"])),
        _DELTAS,
    ),
    ValueMistake(
        "the neighbors of the guarantee are lost",
        lambda p: np.array([_epsilon(p), _delta(p), 0]),
        "for which neighbors does the guarantee that came in hold?",
    ),
)


def _in_words(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    """Return the first of the three parts that is wrong, with what it should be."""
    for place, part in enumerate(("epsilon", "delta")):
        if not math.isclose(wanted[place], came[place], rel_tol=1e-6):
            return f"{part} should be {wanted[place]:.6g}, yours is {came[place]:.6g}"
    came_in = {0: _NEIGHBORS[0], 1: _NEIGHBORS[1]}.get(int(came[2]), "something else")
    return f'neighbors should be "{parameters["neighbors"]}", yours is "{came_in}"'


CLAIM = ValuesClaim(
    name="advanced_composition",
    about=(
        "Check `advanced_composition(guarantee, *, count, delta_prime)`: an ApproximateDP with\n"
        "epsilon and delta by Dwork & Roth's theorem 3.20, and the neighbors of `guarantee`."
    ),
    established="the cost by the advanced theorem, both terms",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    expected=_cost(),
    mistakes=_MISTAKES,
    show=_in_words,
    situation=lambda p: (
        f"epsilon {p['epsilon']}, delta {p['delta']:g}, count {p['count']}, "
        f"delta_prime {p['delta_prime']:g}"
    ),
)
