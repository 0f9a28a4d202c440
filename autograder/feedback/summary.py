"""The summary of a graded notebook: each exercise's points, mistakes and next question.

Data only: it is read from the cells that nbgrader has graded, and `page.py` lays it out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import is_grade, is_solution

from autograder.feedback.cells_as_html import comment_of, described, picture
from autograder.graded_notebook import stopped
from autograder.graded_notebook.marks import LATER, NO_CELL, beside, broken, read
from autograder.graded_notebook.sentences import (
    NO_ANSWER,
    errors_of,
    exercise_of,
    failure_of,
    text_of,
)
from autograder.marked_cells import gives_points, mark_on

_NO_ANSWER = "No response."  # nbgrader's own comment on an unchanged answer
_BY_HAND = "a person has given the points here"
NOT_YOURS = "this test itself is wrong: your teacher's own answer does not pass it either"
_BESIDE = "your words stand in a cell of your own beside this one: a person reads them there"
_TITLE = re.compile(r"^#{1,6} *(Exercise \d{1,9})([^\n]{0,300})", re.M)


@dataclass(frozen=True)
class Remark:
    """One mistake, found by one or several tests.

    Attributes:
      problem: in a few words; the check's own.
      details: the result, and how sure the check is: the check's own sentences.
      ask: the question that leads on; "" for none.
      picture: an <img>, or "".
      caption: its description, or "".
    """

    problem: str
    details: tuple[str, ...] = ()
    ask: str = ""
    picture: str = ""
    caption: str = ""


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise.

    Attributes:
      title: its name in words.
      cell: the position of its answer in the notebook.
      waits: whether a person still has points to give.
      comments: what a person wrote beside it.
    """

    title: str
    cell: int
    score: float
    points: float
    waits: bool
    remarks: tuple[Remark, ...]
    comments: tuple[str, ...]


def exercises(notebook: NotebookNode) -> list[ExerciseResult]:
    """Return the notebook's exercises, from top to bottom.

    The cells must hold scores, points and comments, as nbgrader's GetGrades puts them there.
    """
    answers = [mark_on(cell)["grade_id"] for cell in notebook.cells if is_solution(cell)]
    missing, later = (
        [str(name) for name in read(notebook).get(kind, ())] for kind in ("missing", "later")
    )
    gone = () if read(notebook).get("strange") else (Remark(NO_CELL),)  # else the page says it once
    answers += missing + later
    groups: dict[str, list[int]] = {}
    for position, cell in enumerate(notebook.cells):
        if is_solution(cell) or gives_points(cell):
            name = exercise_of(mark_on(cell)["grade_id"], answers)
            groups.setdefault(name, []).append(position)
    own, why = beside(notebook), stopped.answers(notebook)
    forgive(notebook)
    made = [_exercise(notebook, name, group, own, why) for name, group in groups.items()]
    absent = dict.fromkeys(missing, gone) | dict.fromkeys(later, (Remark(LATER),))
    made = [
        replace(each, remarks=absent[name]) if name in absent else each
        for name, each in zip(groups, made, strict=True)
    ]
    return [exercise for exercise in made if exercise.points or exercise.comments]


def forgive(notebook: NotebookNode) -> None:
    """Put a sentence in place of what a test says that the teacher's own answer does not pass."""
    wrong = broken(notebook)
    for cell in notebook.cells:
        if is_grade(cell) and cell.metadata.nbgrader.grade_id in wrong and _lost(cell):
            cell.outputs = [new_output("stream", text=f"✗ {NOT_YOURS}")]


def _lost(cell: NotebookNode) -> bool:
    mark = cell.metadata.nbgrader
    return (mark.get("score") or 0) < (mark.get("points") or 0)


def _exercise(
    notebook: NotebookNode,
    name: str,
    group: list[int],
    own: Mapping[str, str],
    why: Mapping[str, str],
) -> ExerciseResult:
    cells = [notebook.cells[position] for position in group]
    graded = [cell.metadata.nbgrader for cell in cells if gives_points(cell)]
    comments = [comment_of(cell.metadata.nbgrader) for cell in cells]
    remarks = _remarks(cells, why)
    if any(cell.metadata.nbgrader.grade_id in own for cell in cells):
        remarks = (*remarks, Remark(_BESIDE))
    elif _NO_ANSWER in comments and not remarks:
        remarks = (Remark(NO_ANSWER),)
    return ExerciseResult(
        title=_title(notebook.cells[: group[0]], name),
        cell=group[0],
        score=sum(mark.get("score") or 0 for mark in graded),
        points=sum(mark.get("points") or 0 for mark in graded),
        waits=any(mark.get("waits") for mark in graded),
        remarks=remarks,
        comments=tuple(comment for comment in comments if comment and comment != _NO_ANSWER),
    )


def _title(before: list[NotebookNode], name: str) -> str:
    """Return "Exercise 4: epsilon for error" from the heading over the answer, else the name."""
    texts = [cell.source for cell in before[-3:] if cell.cell_type == "markdown"]
    found = [match for text in texts for match in _TITLE.finditer(text)]
    if not found:
        return name.replace("_", " ")
    words = found[-1][2].strip(" ★")
    if words.endswith(")"):  # the points
        words = words[: words.rfind("(")].rstrip() if "(" in words else words
    words = re.sub(r"`([^`]*)`", lambda code: code[1].replace("_", " "), words)
    return f"{found[-1][1]}: {words}" if words else found[-1][1]


def _remarks(cells: list[NotebookNode], why: Mapping[str, str]) -> tuple[Remark, ...]:
    """Return the remarks of the tests that cost points, each once, in order.

    Args:
      why: by name of a test, why its answer's cell stopped.
    """
    found: dict[str, Remark] = {}
    for cell in cells:
        test = cell.cell_type == "code" and is_grade(cell) and not is_solution(cell)
        if test and _lost(cell):
            remark = _remark(cell, why.get(cell.metadata.nbgrader.grade_id))
            found.setdefault(remark.problem, remark)
    return tuple(found.values())


def _remark(cell: NotebookNode, why: str | None) -> Remark:
    failure, errors = failure_of(cell), errors_of(cell)
    if failure:
        drawn = [(made, described(output)) for output in cell.outputs if (made := picture(output))]
        return Remark(failure.problem, failure.details, failure.ask, *(drawn[-1] if drawn else ()))
    if errors:
        return Remark(why or stopped.in_words(errors))
    texts = [text_of(output.get("data", {}).get("text/plain")) for output in cell.outputs]
    printed = [text_of(output.get("text")) for output in cell.outputs]
    if f"✗ {NOT_YOURS}" in printed:
        return Remark(NOT_YOURS)
    if cell.metadata.nbgrader.get("by_hand"):  # a check that passed is no reason for less
        return Remark(_BY_HAND)
    passed = [text[1:].strip() for text in texts if text.startswith("✓")]
    return Remark(passed[0] if passed else _NO_WORDS)


_NO_WORDS = "a test gave fewer points without a word: see its output below"
