"""The exact answer that a plan asks for, before any noise."""

import itertools
from collections.abc import Mapping

import numpy as np

from autograder.practice.columns import GROUPS, NUMBERS, meets
from autograder.practice.task_plan import GROUPED, Plan

_EDGES = {">=": ">", ">": ">=", "<=": "<", "<": "<="}


def groups(plan: Plan) -> list:
    """Return the groups of a histogram, or the cells of a crosstab row by row."""
    if plan.question == "crosstab":
        return list(itertools.product(*(GROUPS[name] for name in plan.columns)))
    return list(GROUPS[plan.columns[0]])


def candidates(plan: Plan) -> list:
    """Return what a choice is made from."""
    if plan.question == "quantile":
        ((low, high),) = plan.bounds
        step = _step(plan.columns[0])
        return list(range(low, high + 1, step))
    return list(GROUPS[plan.columns[0]])


def _step(column: str) -> int:
    return max(1, NUMBERS[column].largest // 20)


def exact(plan: Plan, people: Mapping[str, list]) -> np.ndarray:
    """Return the exact entries: of a mean the sum and the count, of a choice the scores.

    Args:
      plan: the task's parts.
      people: the table, by column.
    """
    people = {name: np.asarray(column) for name, column in people.items()}
    chosen = meets(_condition(plan), people)
    if plan.question == "count":
        return np.array([float(chosen.sum())])
    if plan.question in ("sum", "sums", "mean"):
        sums = [_clipped(plan, people[plan.columns[k]][chosen], k) for k in range(len(plan.bounds))]
        return np.array([*sums, float(chosen.sum())] if plan.question == "mean" else sums)
    if plan.question == "quantile":
        return _quantile_scores(plan, people[plan.columns[0]][chosen])
    return _counts(plan, [people[name][chosen] for name in plan.columns])


def _condition(plan: Plan):
    """Return the condition as a plan understands it."""
    if plan.condition is None or plan.slip == "no condition":
        return None
    name, sign, value = plan.condition
    return (name, _EDGES.get(sign, sign) if plan.slip == "edge" else sign, value)


def _clipped(plan: Plan, values: np.ndarray, place: int) -> float:
    low, high = plan.bounds[place]
    if plan.slip == "no clipping":
        return float(values.sum())
    return float(np.clip(values, 0 if plan.slip == "upper bound only" else low, high).sum())


def _counts(plan: Plan, columns: list[np.ndarray]) -> np.ndarray:
    wanted = groups(plan) if plan.question in GROUPED else candidates(plan)
    wanted = [group if isinstance(group, tuple) else (group,) for group in wanted]
    counts = [np.logical_and.reduce(list(map(np.equal, columns, group))).sum() for group in wanted]
    return np.array(counts, dtype=float)


def _quantile_scores(plan: Plan, values: np.ndarray) -> np.ndarray:
    """Return minus the distance of the number of values below each candidate from its target."""
    below = np.searchsorted(np.sort(values), candidates(plan), side="left")
    if plan.slip == "at most":
        below = np.searchsorted(np.sort(values), candidates(plan), side="right")
    distance = np.abs(below - plan.quantile * len(values))
    return distance if plan.slip == "wrong sign" else -distance


def truth(plan: Plan, value) -> bool | str:
    """Return one person's honest answer: whether a condition holds, or a group."""
    if plan.condition is None:
        return value
    return bool(meets(_condition(plan), {plan.condition[0]: np.array([value])})[0])
