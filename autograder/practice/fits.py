"""Whose task an answer fits: its likelihood under the laws of other people's tasks.

An answer fits another task if that task's law is 1e9 times likelier than the law of the own task,
than each mistake of the own task, and than every third person's law. If the answers follow one of
those, this happens with probability 1e-9 at most. Nothing else follows from it: two people may have
learned together, or from one source.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.door import fresh_generator
from autograder.check.elsewhere import Elsewhere
from autograder.practice.columns import GROUPS, NUMBERS, drawn
from autograder.practice.law import answer_laws
from autograder.practice.likeness import log_likelihoods
from autograder.practice.scale import BUDGETS
from autograder.practice.task_mistakes import mistakes
from autograder.practice.task_plan import Plan
from ville import follows

_ODDS = math.log(1e9)
_DRAWS = 300
_SECONDS = 2.0
_ROWS = 90
_BUDGETS = (
    {"epsilon": 1.9, "rho": 0.5, "delta": 0.03},
    {"epsilon": 4.1, "rho": 1.2, "delta": 0.04},
)
_LEAST_APART = 2  # parts: one misunderstood part is no copy


def fits(function: Callable[..., Any], own: str, others: Mapping[str, str]) -> str:
    """Return whose task an answer fits; "" if nobody's.

    Args:
      function: the answer.
      own: the plan of the task that it is for.
      others: by name, other people's plans.
    """
    plan, plans = Plan.read(own), {name: Plan.read(text) for name, text in others.items()}
    rivals = [plan, *(mistake.plan for mistake in mistakes(plan))]
    for call in {_call(each) for each in plans.values()}:
        asked = {name: each for name, each in plans.items() if _call(each) == call}
        known = [each for each in rivals if _call(each) == call]
        found = _fit(function, plan, known, asked)
        if found:
            return found
    return ""


def not_judged_here(name: str) -> None:
    """Say that an exam's task is judged when the exam is graded.

    Raises:
      RuntimeError: always.
    """
    raise RuntimeError(f"{name} is judged by `autograder exam grade`, with the task of its student")


def _call(plan: Plan) -> tuple:
    """Return how an answer is called: two plans with one call are asked with the same arguments."""
    budget = BUDGETS.get(plan.noise, ("epsilon",))
    if plan.question != "answer":
        return ("people", *budget)
    return ("value", plan.condition[0] if plan.condition else plan.columns[0], *budget)


def _fit(function: Callable, own: Plan, rivals: list[Plan], others: Mapping[str, Plan]) -> str:
    """Return which of the others' tasks an answer fits, among those that are called alike."""
    everyone = [*rivals, *others.values()]
    totals, kept = np.zeros(len(everyone)), []
    for given in _asked(_call(everyone[-1])):
        came = _draws(function, _call(everyone[-1]), given)
        if came is None:
            return ""
        totals += log_likelihoods(came, [answer_laws(each, given) for each in everyone])
        kept.append((came, given))
    best = int(np.argmax(totals))
    if best < len(rivals) or not np.isfinite(totals[best]):
        return ""
    name, found = list(others.items())[best - len(rivals)]
    lead = totals[best] - np.max(np.delete(totals, best), initial=-math.inf)
    if lead < _ODDS or _apart(found, own) < _LEAST_APART:
        return ""
    if not all(_follows(came, found, given) for came, given in kept):
        return ""
    return name


def _apart(one: Plan, other: Plan) -> int:
    """Return in how many parts two plans differ."""
    return sum(getattr(one, f.name) != getattr(other, f.name) for f in fields(Plan))


def _asked(call: tuple) -> list[dict]:
    """Return what an answer is asked: tables with every column, or one person's value."""
    generator = fresh_generator()
    if call[0] == "people":
        every = (*NUMBERS, *GROUPS)
        return [given | {"people": drawn(every, None, _ROWS, generator)} for given in _BUDGETS]
    values = GROUPS.get(call[1]) or range(0, NUMBERS[call[1]].largest, 3)
    return [given | {"value": value} for given in _BUDGETS for value in values]


def _draws(function: Callable, call: tuple, given: dict) -> np.ndarray | None:
    """Return answers of shape (n, entries); None if it does not answer such a call."""
    keywords = {name: given[name] for name in call[1:] if name in ("epsilon", "delta", "rho")}
    first = pd.DataFrame(given["people"]) if call[0] == "people" else given["value"]
    number = _DRAWS
    try:
        if isinstance(function, Elsewhere):
            number = function._call_ahead(_DRAWS, _SECONDS, (first,), keywords)
        came = np.array([function(first, **keywords) for _ in range(number)])
    except Exception:  # whatever a student's code raises: it is no answer to this call
        return None
    came = came.reshape(len(came), -1) if came.ndim and came.dtype != object else None
    return came if came is not None and len(came) > 1 else None


def _follows(came: np.ndarray, plan: Plan, given: dict) -> bool:
    laws = answer_laws(plan, given)
    draws = came if len(laws) > 1 else came[:, 0]
    return bool(follows(draws, laws if len(laws) > 1 else laws[0], alpha=1e-3))
