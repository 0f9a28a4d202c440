"""The scale of the noise that a plan asks for: its sensitivity over its share of the budget."""

import math
from collections.abc import Mapping

import numpy as np

from autograder.practice.columns import GROUPS
from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan

# The names of the budget's parts, which are the keywords of the answer, by noise.
BUDGETS = {"gaussian": ("epsilon", "delta"), "gaussian_rho": ("rho",)}


def entries(plan: Plan) -> int:
    """Return how many numbers a release holds."""
    if plan.question in GROUPED:
        return math.prod(len(GROUPS[name]) for name in plan.columns)
    return len(plan.columns) if plan.question == "sums" else 1


def sensitivities(plan: Plan) -> np.ndarray:
    """Return the sensitivity behind each entry's noise; for a mean: of the sum and of the count.

    Each is the norm of the largest change: of the entry alone, or of all entries where they share
    one budget.
    """
    if plan.slip == "unit sensitivity":
        return np.ones(2 if plan.question == "mean" else entries(plan))
    rows, sizes = plan.rows_each, _changes(plan)
    if plan.question in GROUPED:
        # One row leaves one group; a replaced one comes to another group besides.
        moved = 1 if plan.relation == "add_remove" else 2
        norm = moved**0.5 if _euclidean(plan) else moved
        return np.full(entries(plan), rows * (1 if plan.slip == "one entry" else norm))
    if plan.question == "sums" and plan.split[0] != "each" and plan.slip != "one entry":
        norm = math.sqrt(float(sizes @ sizes)) if _euclidean(plan) else float(sizes.sum())
        return np.full(entries(plan), rows * norm)
    return rows * sizes


def _euclidean(plan: Plan) -> bool:
    return (plan.noise in GAUSSIAN) != (plan.slip == "other norm")


def _changes(plan: Plan) -> np.ndarray:
    """Return the largest change of each entry by one row."""
    if plan.question in ("sum", "sums", "mean"):
        one = plan.relation == "replace_one"
        sizes = [float(high - low if one else high) for low, high in plan.bounds]
        return np.array([*sizes, 1.0] if plan.question == "mean" else sizes)
    if plan.question == "quantile" and plan.relation == "add_remove":
        # One value more below a candidate moves the count by 1 and its target by the quantile.
        return np.array([max(plan.quantile, 1 - plan.quantile)])
    return np.ones(entries(plan))


def share(plan: Plan) -> np.ndarray:
    """Return the part of the budget behind each entry; for a mean: of the sum and of the count."""
    kind, *numbers = plan.split
    if plan.slip == "whole budget" or kind == "whole":
        return np.ones(2 if plan.question == "mean" else 1)
    if kind == "two":
        part = numbers[0] / numbers[1]
        return np.array([1 - part, part] if plan.slip == "other share" else [part, 1 - part])
    if kind == "share":
        part = numbers[0] / numbers[1]
        return np.array([1 - part if plan.slip == "other share" else part])
    releases = entries(plan) if kind == "each" else numbers[0]
    return np.array([float(releases) if plan.slip == "other share" else 1 / releases])


def budget(plan: Plan, given: Mapping[str, float]) -> float:
    """Return the budget's size before it is shared: epsilon, or rho."""
    if plan.slip == "budget ignored":
        return 1.0
    return given["rho"] if plan.noise == "gaussian_rho" else given["epsilon"]


def scales(plan: Plan, given: Mapping[str, float]) -> np.ndarray:
    """Return each entry's scale: of Laplace noise, a standard deviation, or what divides scores."""
    part = share(plan)
    spent, sensitivity = budget(plan, given) * part, sensitivities(plan)
    if plan.noise == "gaussian":
        # Dwork & Roth (2014), theorem A.1, for epsilon below 1; delta is shared as epsilon is.
        scale = sensitivity * np.sqrt(_logarithm(plan, given["delta"] * part)) / spent
    elif plan.noise == "gaussian_rho":
        # Bun & Steinke (2016), proposition 1.6.
        scale = sensitivity * np.sqrt(_logarithm(plan, 0) / spent)
    else:
        halves = 2 if plan.noise in CHOICES and plan.slip != "two missing" else 1
        scale = halves * sensitivity / spent
    return _slipped(plan.slip, scale)


def _logarithm(plan: Plan, delta) -> np.ndarray | float:
    """Return what stands under the root of the standard deviation."""
    two = 1 if plan.slip == "two missing" else 2
    if plan.noise == "gaussian_rho":
        return 1 / two
    if plan.slip == "whole delta":
        delta = delta / share(plan)
    return two * np.log(1.25 / (1 if plan.slip == "delta ignored" else delta))


def _slipped(slip: str, scale: np.ndarray) -> np.ndarray:
    if slip == "upside down":
        return 1 / scale
    return scale**2 if slip == "variance" else scale
