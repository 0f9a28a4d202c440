"""Draws a task's parts: by level, and where it is asked for by the number of parts."""

import numpy as np

from autograder.practice.columns import NUMBERS, conditions
from autograder.practice.task_mistakes import too_close
from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan, refused

LEVELS = {
    1: "one noisy count",
    2: "several counts, and a budget that is shared",
    3: "sums and means of clipped values",
    4: "Gaussian noise",
    5: "a choice among candidates",
    6: "one person's own answer",
}
_QUESTIONS = {
    1: ("count",),
    2: ("count", "histogram", "crosstab"),
    3: ("sum", "sums", "mean"),
    4: ("count", "sum", "histogram", "crosstab", "sums", "mean"),
    5: ("most_common", "quantile"),
    6: ("answer",),
}
_NOISES = {
    1: ("laplace", "laplace", "discrete_laplace"),
    2: ("laplace", "discrete_laplace"),
    3: ("laplace", "laplace", "discrete_laplace"),
    4: GAUSSIAN,
    5: CHOICES,
    6: ("randomized_response",),
}
SHARES = ((1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5))
_CROSSTABS = (("Sex", "Target"), ("Target", "Sex"), ("Sex", "Race"), ("Target", "Race"))
_TRIES = 4000


def drawn_plan(level: int, generator: np.random.Generator, parts: int | None = None) -> Plan:
    """Return the parts of a new task.

    Args:
      level: one of LEVELS.
      generator: decides everything.
      parts: how many parts the task has; None for any number.

    Raises:
      ValueError: there is no such level, or no task of it has so many parts.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(map(str, LEVELS))}, got {level!r}")
    for _ in range(_TRIES):
        plan = _candidate(level, generator)
        fits = parts is None or plan.parts() == parts
        if fits and not refused(plan) and not too_close(plan):
            return plan
    raise ValueError(f"parts must be a number that tasks of level {level} have, got {parts!r}")


def _pick(generator: np.random.Generator, choices):
    return choices[int(generator.integers(len(choices)))]


def _candidate(level: int, generator: np.random.Generator) -> Plan:
    question = _pick(generator, _QUESTIONS[level])
    columns = _columns(question, generator)
    local = question == "answer"
    condition = None
    if not (local and columns) and (question in ("count", "answer") or generator.random() < 0.6):
        condition = _pick(generator, _conditions(columns, generator))
    several = level not in (1, 6) and generator.random() < 0.35
    return Plan(
        question=question,
        columns=columns,
        condition=condition,
        bounds=_bounds(question, columns, generator),
        relation="replace_one" if local else _pick(generator, ("add_remove", "replace_one")),
        rows_each=int(generator.integers(2, 5)) if several else 1,
        noise=_pick(generator, _NOISES[level]),
        split=_split(question, level, generator),
        after=_after(question, generator),
        level=level,
        quantile=_pick(generator, (0.25, 0.5, 0.75)) if question == "quantile" else 0.5,
    )


def _columns(question: str, generator: np.random.Generator) -> tuple[str, ...]:
    if question in ("sum", "mean"):
        return (_pick(generator, tuple(NUMBERS)),)
    if question == "quantile":
        return (_pick(generator, ("Age", "Hours per week", "Education-Num")),)
    if question == "sums":
        names = generator.permutation(list(NUMBERS))[: int(generator.integers(2, 4))]
        return tuple(map(str, names))
    if question in ("histogram", "most_common"):
        return (_pick(generator, ("Race", "Relationship", "Marital Status")),)
    if question == "crosstab":
        return _pick(generator, _CROSSTABS)
    if question == "answer" and generator.random() < 0.5:
        return (_pick(generator, ("Race", "Relationship", "Marital Status")),)
    return ()


def _conditions(columns: tuple[str, ...], generator: np.random.Generator) -> list:
    """Return the conditions on one column, so that every column is as likely."""
    found = [condition for condition, _ in conditions(columns)]
    name = _pick(generator, sorted({condition[0] for condition in found}))
    return [condition for condition in found if condition[0] == name]


def _bounds(question: str, columns: tuple[str, ...], generator: np.random.Generator) -> tuple:
    if question == "quantile":
        return ((0, NUMBERS[columns[0]].largest),)
    if question not in ("sum", "sums", "mean"):
        return ()
    return tuple(
        (_pick(generator, NUMBERS[name].lows), _pick(generator, NUMBERS[name].highs))
        for name in columns
    )


def _split(question: str, level: int, generator: np.random.Generator) -> tuple:
    if question == "mean":
        return ("two", *_pick(generator, ((3, 5), (2, 3))))
    if question == "sums":
        return _pick(generator, (("each",), ("whole",)))
    if level == 1 or generator.random() < 0.3:
        return ("whole",)
    if generator.random() < 0.5:
        return ("equal", int(generator.integers(2, 6)))
    return ("share", *_pick(generator, SHARES))


def _after(question: str, generator: np.random.Generator) -> str:
    if question == "mean":
        return "bounds"
    if question in ("most_common", "quantile", "answer"):
        return "none"
    choices = ("none", "clamp", "tens") if question in (*GROUPED, "sums") else _AFTER
    return _pick(generator, choices)


_AFTER = ("none", "clamp", "tens", "per_row")
