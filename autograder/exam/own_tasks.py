"""Gives each submission of an exam its student's own tests, and takes them out again.

nbgrader's tests are the same for everybody, so they hold a place: before a submission runs, each
test gets the plan of its student's task, from the instructor's key. The answers' process never sees
it: the tests run in another one.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from autograder.exam import key as keys
from autograder.exam import notebook, tasks
from autograder.execution.job import Done, Job
from autograder.marked_cells import grade_id
from autograder.practice.task_plan import Plan


class Own:
    """The tasks of an exam's students.

    Args:
      root: the course's folder.
      exam: its name.

    Raises:
      GradingError: its key is damaged.
    """

    def __init__(self, root: Path, exam: str):
        self._key = keys.read(root, exam)

    def refuse_without_tasks(self, student: str) -> None:
        """Refuse a student whom this exam does not judge, before anything is begun.

        Raises:
          UnreadableError: the student has no tasks; it says how to add one.
        """
        if student not in self._plans:
            tasks.plans_of(self._key, student)

    def job(self, job: Job, student: str) -> Job:
        """Return a job with the tests of a student who has tasks in this exam."""
        plans = self._plans[student]
        tests = {notebook.test_name(k): notebook.test_text(k, plan) for k, plan in enumerate(plans)}
        both = tests | notebook.solutions(plans)
        return dataclasses.replace(
            job,
            notebooks={name: _replaced(text, tests) for name, text in job.notebooks.items()},
            instructors={name: _replaced(text, both) for name, text in job.instructors.items()},
            questions={name: self._questions(student) for name in job.notebooks},
            own_tests=True,
            notes=(*job.notes, *self._notes(job, student)),
        )

    def done(self, done: Done) -> Done:
        """Return a job's result with everybody's tests again, and with whose tasks answers fit."""
        slots = range(len(self._key.slots))
        tests = {notebook.test_name(k): notebook.held_text(k) for k in slots}
        fits = [words for each in done.answers.values() for words in _fits(each)]
        return dataclasses.replace(
            done,
            notebooks={name: _replaced(text, tests) for name, text in done.notebooks.items()},
            notes=(*done.notes, *fits),
        )

    @cached_property
    def _plans(self) -> dict[str, list[Plan]]:
        return {student: tasks.plans_of(self._key, student) for student in self._key.students}

    def _questions(self, student: str) -> dict[str, str]:
        """Return what to ask about an answer that fails: whose task it fits."""
        found = {}
        for place, own in enumerate(self._plans[student]):
            others = {n: each[place].text() for n, each in self._plans.items() if n != student}
            name = notebook.answer_name(place)
            call = f"practice.fits({name}, {own.text()!r}, {others!r})"
            found[notebook.test_name(place)] = call
        return found

    def _notes(self, job: Job, student: str) -> list[str]:
        """Return what was handed in that is not this student's notebook of this exam."""
        found, judged = [], f"it is judged by the tasks of {student}"
        for name, text in job.notebooks.items():
            mark = json.loads(text)["metadata"].get(notebook.MARK)
            given = mark.get("mark") if isinstance(mark, dict) else None
            owner = self._key.student_of(given) if given else student
            if not owner:
                found.append(f"{name}.ipynb was not handed out in this exam; {judged}")
            elif owner != student:
                found.append(f"{name}.ipynb is the one that was handed out to {owner}; {judged}")
            if isinstance(mark, dict) and not mark.keys() <= {"exam", "mark"}:
                found.append(f"{name}.ipynb brings parameters of its own: they are not read")
        keys_of_exams = [path for path in job.files if Path(path).suffix == ".json"]
        if keys_of_exams:
            found.append(f"{', '.join(sorted(keys_of_exams)[:3])} was handed in: it is not read")
        return found


def _fits(answers: Mapping[str, str]) -> Iterator[str]:
    """Yield in words whose tasks answers fit."""
    for test, student in answers.items():
        if student:
            yield (
                f"{test.removesuffix('_test')} fits the task of {student}: 10^9 times better than "
                "the own task, its known mistakes, and anybody else's task. Why, this cannot say"
            )


def _replaced(text: str, sources: Mapping[str, str]) -> str:
    """Return a notebook with other texts in some of its cells."""
    made = json.loads(text)
    for cell in made["cells"]:
        name = grade_id(cell)
        if name in sources:
            cell["source"] = sources[name]
    return json.dumps(made, ensure_ascii=False)
