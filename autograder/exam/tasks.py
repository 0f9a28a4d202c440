"""Each student's tasks, drawn from an exam's key: equally hard, and no two with one law."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from autograder.course_folders.course import GradingError
from autograder.course_folders.submitted_files import UnreadableError
from autograder.exam.key import Key
from autograder.practice.draw import LEVELS, drawn_plan
from autograder.practice.task_mistakes import essence_of
from autograder.practice.task_plan import Plan

_TRIED = 40  # plans that show which numbers of parts a level has
_MOST_PASSED_OVER = 200


def slots_of(levels: Sequence[int], tasks: int, seed: int) -> list[tuple[int, int]]:
    """Return for each task its level and the number of its parts.

    Args:
      levels: they take turns, from the lowest to the highest.
      tasks: how many, >= 1.
      seed: decides nothing but which number of parts is the most common one of a level.

    Raises:
      GradingError: levels or tasks are none.
    """
    if tasks < 1:
        raise GradingError(f"an exam has at least one task, not {tasks}")
    unknown = [level for level in levels if level not in LEVELS]
    if unknown or not levels:
        known = f"{min(LEVELS)} to {max(LEVELS)}"
        raise GradingError(f"levels are {known}, not {', '.join(map(str, unknown)) or 'none'}")
    generator, usual = np.random.default_rng(seed % 2**63), {}
    for level in set(levels):
        found = Counter(drawn_plan(level, generator).parts() for _ in range(_TRIED))
        usual[level] = found.most_common(1)[0][0]
    chosen = sorted(levels[place % len(levels)] for place in range(tasks))
    return [(level, usual[level]) for level in chosen]


def plans_of(key: Key, student: str) -> list[Plan]:
    """Return a student's tasks, as they were drawn when the exam was made.

    Raises:
      UnreadableError: the student has none in this exam.
      GradingError: the key holds a task that this version of the grammar does not have.
    """
    if student not in key.students:
        raise UnreadableError(
            f"{student} has no tasks in {key.exam}: nothing is judged. To add students: "
            f"autograder exam new {key.exam} --students FILE"
        )
    try:
        return [Plan.read(text) for text in key.students[student]]
    except ValueError as error:
        raise GradingError(f"the key of {key.exam} has no task for {student}: {error}") from error


def _plan(key: Key, student: str, task: int, passed_over: int) -> Plan:
    seed = key.seed("task", student, task, passed_over)
    return drawn_plan(key.slots[task][0], np.random.default_rng(seed), key.slots[task][1])


def with_students(key: Key, names: Iterable[str]) -> Key:
    """Return the key with more students; the tasks of those who are there stay as they are.

    Raises:
      GradingError: a level has too few tasks for so many students.
    """
    students = dict(key.students)
    taken = {
        (task, essence_of(plan))
        for student in students
        for task, plan in enumerate(plans_of(key, student))
    }
    for student in sorted(set(names) - students.keys()):
        free = [_first_free(key, student, task, taken) for task in range(len(key.slots))]
        students[student] = [plan.text() for plan in free]
    return dataclasses.replace(key, students=students)


def _first_free(key: Key, student: str, task: int, taken: set) -> Plan:
    for passed_over in range(_MOST_PASSED_OVER):
        plan = _plan(key, student, task, passed_over)
        if (task, essence_of(plan)) not in taken:
            taken.add((task, essence_of(plan)))
            return plan
    level, parts = key.slots[task]
    raise GradingError(f"level {level} has too few tasks of {parts} parts for so many students")
