"""The mistakes of a plan: what it becomes when one of its parts is misunderstood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from autograder.practice.columns import GROUPS, NUMBERS, drawn
from autograder.practice.exact import exact
from autograder.practice.law import answer_laws
from autograder.practice.scale import scales
from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan

_PROBES = (
    {"epsilon": 0.37, "rho": 0.021, "delta": 0.03},
    {"epsilon": 2.3, "rho": 0.43, "delta": 0.04},
)
_ROWS = 60
_NEAR = 0.08  # of a logarithm: such scales are told apart by a nat in 300 draws
_SHAPED = {"no noise", "other shape", "before the noise", "sign lost", "rounded down"}
_SHAPED |= {"whole numbers", "exact count"}


@dataclass(frozen=True)
class TaskMistake:
    """A misunderstood part.

    Attributes:
      name: what is wrong, in a few words.
      ask: a question that leads on.
      part: the part of the plan that is misunderstood.
      plan: what an answer with this mistake does.
    """

    name: str
    ask: str
    part: str
    plan: Plan


def mistakes(plan: Plan) -> list[TaskMistake]:
    """Return the mistakes of a plan, without those whose law is the plan's or one before."""
    return [mistake for mistake, _ in _told_apart(plan)]


def too_close(plan: Plan) -> str:
    """Return the name of a mistake that gives nearly the right law, or ""."""
    right = essence_of(plan)
    for mistake in _neighbors(plan):
        essence = essence_of(mistake.plan)
        if essence != right and essence.near(right):
            return mistake.name
    return ""


def _told_apart(plan: Plan) -> list[tuple[TaskMistake, Essence]]:
    right, found = essence_of(plan), []
    for mistake in _neighbors(plan):
        essence = essence_of(mistake.plan)
        if not any(essence.near(other) for other in (right, *(each for _, each in found))):
            found.append((mistake, essence))
    return found


def _neighbors(plan: Plan) -> Iterator[TaskMistake]:
    """Yield every neighbor of a plan, whether its law is another one or not."""
    yield from _of_people(plan)
    yield from _of_relation(plan)
    yield from _of_split(plan)
    yield from _of_noise(plan)
    yield from _of_after(plan)


def _slip(plan: Plan, slip: str, name: str, ask: str, part: str) -> TaskMistake:
    return TaskMistake(name, ask, part, replace(plan, slip=slip))


def _of_people(plan: Plan) -> Iterator[TaskMistake]:
    if plan.condition and plan.question != "answer":
        ask = "which rows does the question ask about?"
        yield _slip(plan, "no condition", "the condition is left out", ask, "condition")
    if plan.condition and plan.condition[1] != "==":
        ask = "does someone right at the limit count?"
        yield _slip(plan, "edge", "the condition is off at its limit", ask, "condition")
    if plan.question in ("sum", "sums", "mean"):
        ask = "what becomes of a value outside the bounds, before the sum?"
        yield _slip(plan, "no clipping", "the values are not clipped", ask, "bounds")
        ask = "what becomes of a value below the lower bound?"
        name = "values below the lower bound are kept"
        yield _slip(plan, "upper bound only", name, ask, "bounds")
    if plan.question == "quantile":
        ask = "does a value that equals the candidate lie below it?"
        name = "values that equal a candidate count as below it"
        yield _slip(plan, "at most", name, ask, "condition")
        ask = "should a candidate far from the quantile have a high score, or a low one?"
        yield _slip(plan, "wrong sign", "the worst candidates score highest", ask, "noise")


def _of_relation(plan: Plan) -> Iterator[TaskMistake]:
    other = "replace_one" if plan.relation == "add_remove" else "add_remove"
    said = "added or removed" if plan.relation == "add_remove" else "replaced by another"
    wrong = "adding or removing" if other == "add_remove" else "replacing"
    ask = f"by how much does the exact answer change if one person is {said}?"
    name = f"the sensitivity is that of {wrong} a person"
    if plan.question != "answer":
        yield TaskMistake(name, ask, "relation", replace(plan, relation=other))
    if plan.rows_each > 1:
        ask = "how many rows go when one person goes?"
        name = "a person is taken to have one row"
        yield TaskMistake(name, ask, "rows", replace(plan, rows_each=1))
    if plan.question in ("sum", "sums", "mean", *GROUPED, *CHOICES):
        ask = "what should happen to the noise when one person can change the answer by more?"
        yield _slip(plan, "unit sensitivity", "the sensitivity is ignored", ask, "relation")
    if plan.question in ("sums", *GROUPED):
        ask = "one person changes several numbers at once: by how much together?"
        name = "the sensitivity is that of one number alone"
        yield _slip(plan, "one entry", name, ask, "relation")
    if plan.question in ("sums", *GROUPED) and plan.noise in (*GAUSSIAN, "laplace"):
        right, wrong = ("L2", "L1") if plan.noise in GAUSSIAN else ("L1", "L2")
        ask = f"which norm of the change does {_NAMES[plan.noise]} noise need?"
        name = f"the {wrong} sensitivity stands where the {right} sensitivity must"
        yield _slip(plan, "other norm", name, ask, "relation")


def _of_split(plan: Plan) -> Iterator[TaskMistake]:
    kind = plan.split[0]
    if kind != "whole":
        ask = "what is the privacy loss of all releases together?"
        yield _slip(plan, "whole budget", "the whole budget is spent on each part", ask, "split")
    if kind in ("share", "two"):
        ask = "which part of the budget goes where?"
        yield _slip(plan, "other share", "the shares are the wrong way round", ask, "split")
    if kind in ("equal", "each"):
        ask = "does a smaller budget mean more noise, or less?"
        name = "the budget is multiplied by the number of releases"
        yield _slip(plan, "other share", name, ask, "split")
    if plan.noise == "gaussian" and kind != "whole":
        ask = "epsilon is shared; what about delta?"
        yield _slip(plan, "whole delta", "delta is not shared", ask, "split")


_NAMES = {
    "laplace": "Laplace",
    "discrete_laplace": "discrete Laplace",
    "gaussian": "Gaussian",
    "gaussian_rho": "Gaussian",
}


def _of_noise(plan: Plan) -> Iterator[TaskMistake]:
    local, chooses = plan.question == "answer", plan.noise in CHOICES
    what = "rho" if plan.noise == "gaussian_rho" else "epsilon"
    ask = "what should happen when less privacy may be lost?"
    yield _slip(plan, "budget ignored", f"{what} is ignored", ask, "noise")
    if local:
        yield from _of_response(plan)
    elif chooses:
        ask = "how can anybody's data be hidden if the best candidate always wins?"
        yield _slip(plan, "no noise", "the best candidate always wins", ask, "noise")
    else:
        ask = "where is a random number drawn, and is it added to the answer?"
        yield _slip(plan, "no noise", "no noise is added", ask, "noise")
        ask = "which parameters make the noise larger, and which make it smaller?"
        yield _slip(plan, "upside down", "the scale is upside down", ask, "noise")
    if plan.noise in _NAMES and plan.noise != "discrete_laplace":
        other = "Laplace" if plan.noise in GAUSSIAN else "Gaussian"
        ask = f"which law does the task ask for, and what does numpy call it? Not {other}."
        name = f"{other} noise is added in place of {_NAMES[plan.noise]} noise"
        if plan.question != "mean":
            yield _slip(plan, "other shape", name, ask, "noise")
    yield from _of_formula(plan)


def _of_formula(plan: Plan) -> Iterator[TaskMistake]:
    if plan.noise in (*GAUSSIAN, *CHOICES):
        ask = "which factor 2 stands in the formula of the task?"
        yield _slip(plan, "two missing", "a factor 2 is missing", ask, "noise")
    if plan.noise == "gaussian":
        ask = "what should happen to the noise when delta is smaller?"
        yield _slip(plan, "delta ignored", "delta is ignored", ask, "noise")
    if plan.noise in GAUSSIAN:
        ask = "is numpy's `scale` the variance, or its root?"
        name = "the variance is used as the standard deviation"
        yield _slip(plan, "variance", name, ask, "noise")
    if plan.question == "mean":
        ask = "may the number of people be used without noise?"
        yield _slip(plan, "exact count", "the exact count is used", ask, "split")


def _of_response(plan: Plan) -> Iterator[TaskMistake]:
    ask = "who can deny anything if the answer is always honest?"
    yield _slip(plan, "no noise", "the answer is always honest", ask, "noise")
    ask = "should the honest answer come more often than another one, or less?"
    yield _slip(plan, "upside down", "lies come as often as the truth should", ask, "noise")
    ask = "with which probability must the honest answer come at this epsilon?"
    yield _slip(plan, "two coins", "a coin decides whether to be honest", ask, "noise")
    ask = "how many answers are there besides the honest one?"
    yield _slip(plan, "two answers", "the formula for two answers is used", ask, "noise")
    ask = "may a lie happen to be the truth?"
    name = "a lie may be the honest answer again"
    yield _slip(plan, "drawn among all", name, ask, "noise")


def _of_after(plan: Plan) -> Iterator[TaskMistake]:
    words = {
        "clamp": ("negative answers are kept", "may a count or a sum be below 0?"),
        "tens": ("the answer is not rounded", "which multiples does the task ask for?"),
        "per_row": ("the answer is not divided", "by what is the noisy number divided?"),
        "bounds": ("the mean is not cut to its bounds", "may a mean lie outside the bounds?"),
    }
    if plan.after == "none":
        return
    yield _slip(plan, "no step", *words[plan.after], "after")
    if plan.after == "tens":
        ask = "what happens first, and what to its result?"
        name = "what comes after the noise is done before it"
        yield _slip(plan, "before the noise", name, ask, "after")
    if plan.after == "clamp":
        ask = "should -3 become 3, or 0?"
        yield _slip(plan, "sign lost", "the sign of the answer is lost", ask, "after")
    if plan.after == "tens":
        ask = "to which ten does 18 go?"
        yield _slip(plan, "rounded down", "the answer is rounded down", ask, "after")
        ask = "are tens asked for, or ones?"
        yield _slip(plan, "whole numbers", "the answer is rounded to whole numbers", ask, "after")


@dataclass(frozen=True)
class Essence:
    """What a plan's law is made of, at two tables and budgets.

    Attributes:
      kind: what is drawn, and what is done with it.
      exact: the exact answers.
      scales: of the noise.
    """

    kind: tuple
    exact: tuple[float, ...]
    scales: tuple[float, ...]

    def near(self, other: Essence) -> bool:
        """Say whether it takes thousands of draws to tell two laws apart, or cannot be done."""
        if (self.kind, self.exact) != (other.kind, other.exact):
            return False
        pairs = zip(self.scales, other.scales, strict=True)
        return all(abs(np.log(one / another)) < _NEAR for one, another in pairs)


def essence_of(plan: Plan) -> Essence:
    """Return what decides a plan's law: plans with one essence have one law."""
    kind = (
        plan.question,
        plan.noise,
        plan.after if plan.slip != "no step" else "none",
        plan.columns if plan.question in (*GROUPED, "most_common", "answer") else (),
        plan.slip if plan.slip in _SHAPED and plan.question != "answer" else "",
    )
    exact_parts, scale_parts = [], []
    for given in _PROBES:
        exact_parts += _exact_part(plan, given)
        if plan.question != "answer" and plan.slip != "no noise":
            scale_parts += np.round(scales(plan, given), 9).tolist()
    return Essence(kind, tuple(exact_parts), tuple(scale_parts))


def _exact_part(plan: Plan, given: dict) -> list[float]:
    """Return the exact numbers of a table of its own; of one person's answer the chances."""
    if plan.question == "answer":
        name = plan.condition[0] if plan.condition else plan.columns[0]
        values = GROUPS.get(name) or range(100)
        found = [answer_laws(plan, {**given, "value": value})[0] for value in values]
        return np.round([list(law.probabilities.values()) for law in found], 6).ravel().tolist()
    table = dict(_probe(int(1000 * given["epsilon"])))
    if plan.condition and plan.condition[1] != "==":
        column = table[plan.condition[0]].copy()
        column[: _ROWS // 5] = plan.condition[2]
        table[plan.condition[0]] = column
    return np.round(exact(plan, table), 6).tolist()


@cache
def _probe(seed: int) -> dict[str, np.ndarray]:
    """Return a table with every column."""
    table = drawn((*NUMBERS, *GROUPS), None, _ROWS, np.random.default_rng(seed))
    return {name: np.array(column) for name, column in table.items()}
