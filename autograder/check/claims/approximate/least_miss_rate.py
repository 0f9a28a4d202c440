"""The least rate of misses of an attacker who tests an (epsilon, delta)-private answer."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return fourteen inputs: few false alarms, some, many; delta 0, small, large; the ends."""
    cases = [
        {"false_alarm_rate": 0.0, "epsilon": 1.0, "delta": 0.02},
        {"false_alarm_rate": 1.0, "epsilon": 0.5, "delta": 0.0},
    ]
    for delta in (0.0, 0.01, 0.3):
        epsilon = round(generator.uniform(0.3, 2.5), 2)
        given = {"epsilon": epsilon, "delta": delta and round(delta * generator.uniform(1, 2), 4)}
        # Both bounds meet where both rates are the same.
        meet = (1 - given["delta"]) / (1 + math.exp(epsilon))
        rates = (meet * generator.uniform(0.2, 0.8), meet + (1 - meet) * generator.uniform(0.1, 1))
        few = meet * generator.uniform(0.1, 0.5)
        for rate in (*rates, few, 1 - given["delta"] * generator.uniform(0.1, 0.9)):
            cases.append({"false_alarm_rate": round(float(rate), 4), **given})
    return cases


def _alarms(p: dict) -> float:
    """Return the bound by the set of answers that raise the alarm."""
    return 1 - p["delta"] - math.exp(p["epsilon"]) * p["false_alarm_rate"]


def _misses(p: dict) -> float:
    """Return the bound by the set of answers that raise none."""
    return math.exp(-p["epsilon"]) * (1 - p["delta"] - p["false_alarm_rate"])


def _least(p: dict, alarms: Callable = _alarms, misses: Callable = _misses) -> float:
    # Wasserman & Zhou (2010); Kairouz, Oh & Viswanath (2015).
    return max(0.0, alarms(p), misses(p))


def _changed(**numbers) -> Callable[[dict], float]:
    """Return the answer as if some of the numbers were others."""
    return lambda p: _least({**p, **{name: change(p) for name, change in numbers.items()}})


_SETS = "the promise holds for every set: for the answers with an alarm, and for those without?"
_ROLES = "which of the two tables stands on the left of the promise? May it be either?"

_MISTAKES = (
    ValueMistake(
        "only the set of answers that raise the alarm is used",
        lambda p: max(0.0, _alarms(p)),
        _SETS,
    ),
    ValueMistake(
        "only the set of answers without an alarm is used", lambda p: max(0.0, _misses(p)), _SETS
    ),
    ValueMistake(
        "the rate may become negative",
        lambda p: max(_alarms(p), _misses(p)),
        "a rate of misses is a share: between which numbers does it lie?",
    ),
    ValueMistake(
        "the smaller of the two bounds is taken",
        lambda p: max(0.0, min(_alarms(p), _misses(p))),
        "both bounds hold: which of them says more?",
    ),
    ValueMistake(
        "delta is ignored",
        _changed(delta=lambda p: 0.0),
        "what does delta allow the attacker besides the factor?",
    ),
    ValueMistake(
        "delta is counted twice", _changed(delta=lambda p: 2 * p["delta"]), "how often is it added?"
    ),
    ValueMistake(
        "delta is added where it is taken away",
        _changed(delta=lambda p: -p["delta"]),
        "does a larger delta help the attacker, or hinder them?",
    ),
    ValueMistake(
        "delta is not divided by exp(epsilon) in the second bound",
        lambda p: _least(
            p, misses=lambda p: math.exp(-p["epsilon"]) * (1 - p["false_alarm_rate"]) - p["delta"]
        ),
        "solve the promise for the rate of misses: what is divided by what?",
    ),
    ValueMistake(
        "epsilon is used in place of exp(epsilon)",
        lambda p: _least(
            p, alarms=lambda p: 1 - p["delta"] - (1 + p["epsilon"]) * p["false_alarm_rate"]
        ),
        "which factor stands in the promise?",
    ),
    ValueMistake("the sign of epsilon is wrong", _changed(epsilon=lambda p: -p["epsilon"]), _ROLES),
    ValueMistake("epsilon is doubled", _changed(epsilon=lambda p: 2 * p["epsilon"]), _ROLES),
    ValueMistake(
        "epsilon is ignored",
        _changed(epsilon=lambda p: 0.0),
        "may the attacker do better when epsilon is larger?",
    ),
    ValueMistake(
        "the power of the test is returned, not its misses",
        lambda p: 1 - _least(p),
        "a test that never misses: which rate has it?",
    ),
    ValueMistake(
        "it is 1 less the false alarms, as for an answer that says nothing",
        lambda p: 1 - p["false_alarm_rate"],
        "that is a test which throws a coin: can the attacker do better?",
    ),
)

CLAIM = ValuesClaim(
    name="least_miss_rate",
    about=(
        "Check `least_miss_rate(false_alarm_rate, *, epsilon, delta)`: the least share of misses\n"
        "of any test of an (epsilon, delta)-private answer."
    ),
    established="no test has fewer misses, and some mechanism allows as few",
    cases=_cases,
    arguments=lambda p: ((p["false_alarm_rate"],), {k: p[k] for k in ("epsilon", "delta")}),
    expected=_least,
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: (
        f"false alarms {p['false_alarm_rate']}, epsilon {p['epsilon']}, delta {p['delta']}"
    ),
)
