"""A task to practice with: its text, its check, and an answer."""

import operator
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.effort import EXAM, at_length
from autograder.check.result import CheckFailure, Result
from autograder.practice.draw import LEVELS, drawn_plan
from autograder.practice.memory import Memory
from autograder.practice.program import program
from autograder.practice.task_claim import claim_of
from autograder.practice.task_mistakes import mistakes
from autograder.practice.task_plan import Plan
from autograder.practice.task_words import describe

_SEEDS = 1_000_000
_LOOKED_AT = 6  # new tasks of which the one with most of what was missed is given
_WORDS = 7  # makes the chance of the words another one than that of the parts


class _Shown(str):
    """A text that a notebook shows as Markdown."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


class Task:
    """One task. A notebook shows its text.

    Attributes:
      plan: its parts.
      text: what is asked, as Markdown.
    """

    def __init__(self, plan: Plan, seed: int, memory: Memory):
        self.plan, self._seed, self._memory = plan, seed, memory
        self.text = describe(plan, "release", np.random.default_rng([seed, _WORDS]))
        self._passed, self._asked = False, 0

    def __repr__(self) -> str:
        return f"{self.text}\n\n{self._again()}"

    def _repr_markdown_(self) -> str:
        return f"{self.text}\n\n*Level {self.plan.level}. The same task again: `{self._again()}`*"

    def _again(self) -> str:
        return f"practice.new(level={self.plan.level}, seed={self._seed})"

    def check(self, release: Callable[..., Any]) -> Result:
        """Return what was established about an answer, or raise CheckFailure with what is wrong.

        Args:
          release: the function that the task asks for.

        Raises:
          CheckFailure: the answer does not follow the law that the task asks for.
          ValueError: release is no function.
        """
        if not callable(release):
            raise ValueError(f"release must be a function, got {release!r:.60}")
        known = mistakes(self.plan)
        try:
            result = claim_of(self.plan, known).check(release)
        except CheckFailure as failure:
            for mistake in known:
                if mistake.name == failure.problem:
                    self._memory.miss(mistake.part)
            raise
        self._passed = True
        self._memory.passes(self.plan)
        return result

    def solution(self) -> str:
        """Return an answer, after a pass or when asked for twice."""
        self._asked += 1
        if not self._passed and self._asked < 2:
            return _Shown("Try it first: `task.check(release)`. Asked again, this shows an answer.")
        return _Shown(f"```python\n{program(self.plan)}```")


def new(level: int | None = None, seed: int | None = None) -> Task:
    """Return a new task.

    Args:
      level: 1 one noisy count, 2 several counts and a budget that is shared, 3 sums and means of
        clipped values, 4 Gaussian noise, 5 a choice among candidates, 6 one person's own answer.
        None begins at 1 and goes up.
      seed: the number that a task shows, to have the same one again; None for a new one, in which
        parts that were missed come back sooner.

    Raises:
      ValueError: level or seed is none.
    """
    memory = Memory()
    if seed is not None:
        number = _whole(seed)
        if level is None:
            level = 1 + number % len(LEVELS)
        return Task(drawn_plan(level, np.random.default_rng(number)), number, memory)
    level = memory.level() if level is None else level
    seeds = [secrets.randbelow(_SEEDS) for _ in range(_LOOKED_AT if memory.missed else 1)]
    plans = [drawn_plan(level, np.random.default_rng(each)) for each in seeds]
    best = max(range(len(seeds)), key=lambda place: memory.weight(plans[place]))
    return Task(plans[best], seeds[best], memory)


def _whole(seed: Any) -> int:
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"seed must be a whole number from 0 on, as a task shows it, got {seed!r}")
    return number


def judge(text: str, function: Callable[..., Any], name: str) -> Result:
    """Return what was established about an exam's answer, or raise CheckFailure.

    Args:
      text: the plan of the task, from the instructor's side.
      function: the answer.
      name: of the answer, for the words.

    Raises:
      CheckFailure: the answer does not follow the law that the task asks for.
      ValueError: text is no plan.
    """
    plan = Plan.read(text)
    with at_length(name, EXAM):
        return claim_of(plan, mistakes(plan), name).check(function)
