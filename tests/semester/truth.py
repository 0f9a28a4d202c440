"""What each submission must get: from the plan and the source notebooks alone."""

import functools

from wrong_answers import ZOO

from autograder import check
from semester.chapters import Exercise
from semester.plan import Given, Work

CHANCE = 0.2  # of a scored exercise: what docs/security.md puts down to chance
_RUNS = 3


def truth(work: Work) -> dict[str, tuple[float, float]]:
    """Return, for each test cell, the least and the most that it must give."""
    return {
        cell: _points(exercise, work.given[exercise.name], most)
        for exercise in work.chapter.exercises
        for cell, most in exercise.cells.items()
    }


def _points(exercise: Exercise, given: Given, most: float) -> tuple[float, float]:
    if given.how != "right":
        return 0.0, 0.0
    if not exercise.scored:
        return most, most
    least, best = _shares(exercise.name, given.number)
    return max(0.0, least - CHANCE) * most, min(1.0, best + CHANCE) * most


@functools.cache
def _shares(exercise: str, number: int) -> tuple[float, float]:
    """Return the least and the largest share that a right answer got in a few runs."""
    answer = ZOO.right[exercise][number]
    shares = [getattr(check, exercise)(answer).share for _ in range(_RUNS)]
    return min(shares), max(shares)
