"""Who hands in what: abilities, difficulties, and the dice between them."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from wrong_answers import ZOO

from semester.chapters import Chapter
from semester.cheats import CHEATS, Cheat

EMPTY = 0.3  # of the answers that are not right, this share is left as it was


@dataclass(frozen=True)
class Given:
    """What a student made of one exercise: how is "right", "wrong" or "empty"."""

    how: str
    number: int = 0


@dataclass(frozen=True)
class Work:
    """One submission, and all that is true of it.

    Attributes:
      given: by exercise.
      cheat: what it does beside answering; None for honest work.
      where: the exercise in which it does that.
    """

    student: str
    chapter: Chapter
    given: dict[str, Given]
    cheat: Cheat | None = None
    where: str = ""


@dataclass(frozen=True)
class Semester:
    """The whole plan.

    Attributes:
      ability: by student; 0 is the average, 1 a standard deviation more.
      difficulty: by exercise, on the same scale.
      works: every submission.
    """

    ability: dict[str, float]
    difficulty: dict[str, float]
    works: tuple[Work, ...]

    def chance(self, student: str, exercise: str) -> float:
        """Return the probability that the student answers the exercise rightly.

        Source: Rasch (1960), Probabilistic models for some intelligence and attainment tests.
        """
        return 1 / (1 + math.exp(self.difficulty[exercise] - self.ability[student]))


def plan(
    chapters: Sequence[Chapter], *, students: int, each: int, hostile: float, seed: int
) -> Semester:
    """Throw the dice: each student hands in `each` chapters, from where the one before ended.

    Args:
      hostile: the share of submissions that attack the grader.
    """
    rng = np.random.default_rng(seed)
    names = [f"student{number:02}" for number in range(students)]
    ability = dict(zip(names, rng.normal(0.3, 1.3, students).tolist(), strict=True))
    exercises = [one for chapter in chapters for one in chapter.exercises]
    difficulty = {one.name: _difficulty(one.cells.values(), rng) for one in exercises}
    semester = Semester(ability, difficulty, ())
    works = [
        _work(semester, name, chapters[(each * number + k) % len(chapters)], rng)
        for number, name in enumerate(names)
        for k in range(each)
    ]
    # First each chapter has points to steal; then come the others.
    thieves, others = ([one for one in CHEATS if one.steals is steals] for steals in (True, False))
    for turn in range(round(hostile * len(works))):
        round_, place = divmod(turn, len(chapters))
        cheat = (
            others[(turn - len(chapters)) % len(others)] if round_ else thieves[turn % len(thieves)]
        )
        _attack(works, chapters[place], cheat, rng)
    return Semester(ability, difficulty, tuple(works))


def _attack(works: list[Work], chapter: Chapter, cheat: Cheat, rng) -> None:
    """Make one of the chapter's honest submissions hostile."""
    honest = [k for k, one in enumerate(works) if one.chapter is chapter and not one.cheat]
    place = int(rng.choice(honest))
    works[place] = _hostile(works[place], cheat, rng)


def planted(semester: Semester) -> Semester:
    """Return the plan with one right answer made wrong: whoever compares must find it."""
    place, exercise = next(
        (place, exercise)
        for place, work in enumerate(semester.works)
        for exercise in work.chapter.exercises
        if not work.cheat and work.given[exercise.name].how == "right" and not exercise.scored
    )
    works = list(semester.works)
    given = {**works[place].given, exercise.name: Given("wrong")}
    works[place] = dataclasses.replace(works[place], given=given)
    return dataclasses.replace(semester, works=tuple(works))


def _difficulty(points, rng) -> float:
    """Return a difficulty: what gives more points is harder, more or less."""
    return float(1.2 * (np.mean(list(points)) - 2) + rng.normal(0, 0.6))


def _work(semester: Semester, student: str, chapter: Chapter, rng) -> Work:
    given = {}
    for exercise in chapter.exercises:
        right = rng.random() < semester.chance(student, exercise.name)
        left = rng.random() < EMPTY
        given[exercise.name] = _given(
            "right" if right else "empty" if left else "wrong", exercise, rng
        )
    return Work(student, chapter, given)


def _given(how: str, exercise, rng) -> Given:
    known = {"right": ZOO.right, "wrong": ZOO.wrong}.get(how)
    return Given(how, int(rng.integers(len(known[exercise.name]))) if known else 0)


def _hostile(work: Work, cheat: Cheat, rng) -> Work:
    """Return the work with an attack in it: over wrong answers only, if it is to earn points."""
    exercises = work.chapter.exercises
    where = exercises[-1] if cheat.ends else exercises[int(rng.integers(len(exercises)))]
    spoiled = exercises if cheat.steals else [where] if cheat.code else []
    wrong = {one.name: _given("wrong", one, rng) for one in spoiled}
    first = exercises[0].name if cheat.steals else where.name
    return Work(work.student, work.chapter, {**work.given, **wrong}, cheat, first)
