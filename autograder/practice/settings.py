"""The secret tables and budgets that an answer is tried at: drawn anew at every check."""

import numpy as np

from autograder.practice.columns import GROUPS, NUMBERS, drawn
from autograder.practice.scale import BUDGETS, scales, share
from autograder.practice.task_plan import GROUPED, Plan

# Of the budget that the noise itself may spend: two settings with much noise, two with little.
_SPENT = ((0.25, 0.5), (0.3, 0.6), (1.6, 2.6), (2.0, 3.0))
_SPENT_LOCALLY = ((0.3, 0.7), (0.3, 0.7), (1.4, 2.2), (1.4, 2.2))
# The classical standard deviation is for epsilon below 1.
_GAUSSIAN_EPSILON = ((0.3, 0.5), (0.35, 0.55), (0.75, 0.97), (0.75, 0.97))
# With such large ones it shows whether delta was shared.
_DELTAS = ((1e-5, 1e-4, 1e-3), (0.02, 0.03), (0.03, 0.04), (0.04, 0.05))
_RHO = ((0.01, 0.03), (0.02, 0.05), (0.4, 0.9), (0.6, 1.4))
_LARGEST_EPSILON = 12.0
_LEAST_ROWS, _MOST_ROWS = 18, 260
# For each unit of noise; 2.5 for other questions.
_ROWS_FOR = {"mean": 10, "most_common": 5, "quantile": 5}


def settings(plan: Plan, generator: np.random.Generator) -> list[dict]:
    """Return four ways to call an answer: the budget, and a table or one person's value."""
    return [_setting(plan, place, generator) for place in range(4)]


def _setting(plan: Plan, place: int, generator: np.random.Generator) -> dict:
    given = _budget(plan, place, generator)
    if plan.question == "answer":
        return given | {"value": _value(plan, place, generator)}
    columns = plan.columns or ("Age",)
    rows = _rows(plan, place, given, generator)
    return given | {"people": drawn(columns, plan.condition, rows, generator, high=place % 2 == 0)}


def _budget(plan: Plan, place: int, generator: np.random.Generator) -> dict:
    if plan.noise == "gaussian_rho":
        part = float(share(plan).min())
        return {"rho": _three_digits(generator.uniform(*_RHO[place]) / part)}
    if plan.noise == "gaussian":
        epsilon = generator.uniform(*_GAUSSIAN_EPSILON[place])
        return {"epsilon": round(epsilon, 2), "delta": float(generator.choice(_DELTAS[place]))}
    table = _SPENT_LOCALLY if plan.question == "answer" else _SPENT
    epsilon = generator.uniform(*table[place]) / float(share(plan).min())
    return {"epsilon": round(min(epsilon, _LARGEST_EPSILON), 2)}


def _three_digits(number: float) -> float:
    return float(f"{number:.3g}")


def _rows(plan: Plan, place: int, given: dict, generator: np.random.Generator) -> int:
    """Return how many rows there are: as many as the noise hides, or a few times that."""
    size = plan.bounds[0][1] if plan.question in ("sum", "sums", "mean") else 1
    width = float(scales(plan, given)[0]) / size
    # Where a number below 0 becomes 0, two settings have so few rows that this happens often.
    few = plan.after == "clamp" and place < 2
    wanted = width * (1.3 if few else _ROWS_FOR.get(plan.question, 2.5))
    # With few rows the noise of a mean's count shows, with many it does not hide the sum's.
    wanted *= 0.3 if plan.question == "mean" and place % 2 else 1.0
    wanted *= 2 if plan.condition else 1
    if plan.question in GROUPED or plan.question == "most_common":
        wanted *= min(4, len(GROUPS[plan.columns[0]]))
    least = 6 if few else _LEAST_ROWS
    return int(np.clip(wanted, least, _MOST_ROWS) * generator.uniform(0.9, 1.1))


def _value(plan: Plan, place: int, generator: np.random.Generator) -> int | str:
    """Return one person's value; for a condition right at its limit, twice, and on either side."""
    if plan.condition is None:
        groups = GROUPS[plan.columns[0]]
        return groups[int(generator.integers(len(groups)))]
    name, _, value = plan.condition
    if name in GROUPS:
        others = [group for group in GROUPS[name] if group != value]
        return value if place % 2 else others[int(generator.integers(len(others)))]
    if place in (1, 2):
        return int(value)
    low, high = (0, value - 1) if place == 0 else (value + 1, NUMBERS[name].largest)
    return int(generator.integers(low, high, endpoint=True))


def arguments(plan: Plan, parameters: dict) -> tuple[tuple, dict]:
    """Return the arguments of a call."""
    keywords = {name: parameters[name] for name in BUDGETS.get(plan.noise, ("epsilon",))}
    if plan.question == "answer":
        return (parameters["value"],), keywords
    import pandas as pd

    return (pd.DataFrame(parameters["people"]),), keywords


def situation(plan: Plan, parameters: dict) -> str:
    """Return a setting in words."""
    names = BUDGETS.get(plan.noise, ("epsilon",))
    words = [f"{name} {parameters[name]:g}" for name in names]
    if plan.question == "answer":
        return ", ".join([*words, f"a person with {parameters['value']}"])
    rows = len(next(iter(parameters["people"].values())))
    return ", ".join([*words, f"{rows} rows"])
