"""The answers that a person reads, and the table for their points.

The points go into nbgrader's gradebook, where formgrader puts them too.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook, MissingEntry
from nbgrader.utils import is_grade, is_solution, is_task

from autograder.course_folders import csv_table
from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.groups import groups
from autograder.graded_notebook import marks
from autograder.marked_cells import mark_on
from autograder.nbgrader import class_list
from autograder.nbgrader.by_hand import renew_penalties
from autograder.printable import cut, first_line, in_spreadsheet
from autograder.problem import Problem

_COLUMNS = ["student", "name", "notebook", "question", "most", "points", "comment"]
_LONGEST = 20_000  # characters of an answer
_BESIDE = "(from the student's own cell beside it; the answer's own cell is untouched)"


@dataclass(frozen=True)
class WrittenAnswer:
    """One student's text."""

    student: str
    name: str
    text: str
    points: float | None
    comment: str
    again: bool = False  # the points are from before the text was graded anew
    silent: bool = False  # nothing was written: the gradebook has 0 points

    @property
    def waits(self) -> bool:
        """Tell whether a person is to read it."""
        return (self.points is None and not self.silent) or self.again


@dataclass(frozen=True)
class Question:
    """One question that a person reads.

    Attributes:
      asked: the text over it.
      rubric: the instructor's own answer, with what each point is for.
      cells: of its notebook: they may carry pictures.
      folder: of its notebook.
    """

    notebook: str
    cell: str
    most: float
    asked: str
    rubric: str
    answers: tuple[WrittenAnswer, ...] = ()
    cells: tuple[NotebookNode, ...] = ()
    folder: Path | None = None


def questions(course: Course, chapter: str) -> Iterator[Question]:
    """Yield what a person reads of a chapter, as the notebooks in source/ have it.

    Raises:
      Problem: one of them cannot be read.
    """
    for path in course.source_notebooks(chapter):
        before = ""
        try:
            cells = nbformat.read(path, as_version=4).cells
        except (ValueError, AttributeError, KeyError) as error:
            raise Problem(f"{path} is no notebook: {first_line(str(error))}") from error
        for cell in cells:
            if (is_grade(cell) and is_solution(cell)) or is_task(cell):
                mark = cell.metadata.nbgrader
                which = (path.stem, mark.grade_id, mark.points)
                yield Question(*which, before, cell.source, cells=tuple(cells), folder=path.parent)
            elif cell.cell_type == "markdown":
                before = cell.source


def answers_of(
    course: Course,
    gradebook: Gradebook,
    chapter: str,
    asked: Question,
    people: Mapping[str, class_list.Called],
) -> Iterator[WrittenAnswer]:
    """Yield everybody's answer to a question, those that wait first."""
    found = []
    once = course.left_out | groups(course, chapter).followers  # a group's work is read once
    for submission in gradebook.assignment_submissions(chapter):
        student = submission.student_id
        if student in once:
            continue
        which = (asked.cell, asked.notebook, chapter, student)
        path = course.folder("autograded", student, chapter) / f"{asked.notebook}.ipynb"
        try:
            grade, comment = gradebook.find_grade(*which), gradebook.find_comment(*which)
            notebook = opened(path)
            text, silent = answer_text(notebook, asked.cell), _is_silent(notebook, grade)
        except (MissingEntry, OSError, ValueError, KeyError, TypeError):
            continue
        said = comment.manual_comment or ""
        name = people[student].name
        points = grade.manual_score
        again = points is not None and grade.needs_manual_grade
        found.append(WrittenAnswer(student, name, text, points, said, again, silent))
    yield from sorted(found, key=lambda each: (not each.waits, each.student))


def opened(path: Path) -> NotebookNode:
    """Return a graded notebook as its file has it: unchecked, but each source is one text.

    Raises:
      OSError, ValueError, KeyError, TypeError: it cannot be read.
    """
    notebook = nbformat.from_dict(json.loads(path.read_text("utf-8")))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def _is_silent(notebook: NotebookNode, grade: Grade) -> bool:
    """Tell whether nothing was written, neither in the answer's cell nor beside it."""
    if grade.auto_score is None or grade.manual_score is not None:
        return False
    return grade.name not in marks.beside(notebook)


def answer_text(notebook: NotebookNode, name: str) -> str:
    """Return a student's text in a graded notebook; for a task, that of the cells after it."""
    found: list[str] | None = None
    own = marks.beside(notebook)
    if name in own:
        return f"{_BESIDE}\n\n{own[name]}"
    for cell in notebook["cells"]:
        mark = mark_on(cell)
        if mark.get("grade_id") == name:
            found = [] if mark.get("task") else [cell["source"]]
            if not mark.get("task"):
                break
        elif found is not None and mark.get("grade_id"):
            break
        elif found is not None:
            found.append(cell["source"])
    if found is None:
        return "(the cell with the answer is missing)"
    return cut("\n\n".join(found), _LONGEST, 1_000)


def table(questions: list[Question]) -> str:
    """Return the table for points and comments, as CSV."""
    target = io.StringIO(newline="")
    rows = csv.writer(target)
    rows.writerow(_COLUMNS)
    for each in questions:
        for answer in each.answers:
            points = "" if answer.waits or answer.silent else f"{answer.points:g}"
            words = (answer.student, answer.name, each.notebook, each.cell)
            said = _one_line(answer.comment)
            rows.writerow([*map(in_spreadsheet, words), f"{each.most:g}", points, said])
    return target.getvalue()


def _one_line(comment: str | None) -> str:
    """Return a comment as it stands in the table."""
    return in_spreadsheet(" ".join((comment or "").split()))


def give_points(chapter: str, *, root: Path, path: Path) -> int:
    """Write a filled table into the gradebook, all of it at once; return how many answers.

    What a line leaves empty stays as the gradebook has it; without points it still waits for them.

    Raises:
      GradingError: the table cannot be read, or lines are wrong; then nothing is written.
    """
    rows = _filled(path)
    course = Course(root)
    wrong, written = [], 0
    with course.environment(), course.gradebook() as gradebook:
        for number, row in rows:
            if not row["points"] and not row["comment"]:
                continue
            try:
                _give(gradebook, chapter, row)
                written += 1
            except (MissingEntry, KeyError, ValueError, TypeError) as error:
                wrong.append(f"line {number}: {cut(str(error), 200)}")
        if wrong or not written:
            gradebook.db.rollback()
            said = wrong[:10] or ["no line has points"]
            raise GradingError(f"{path}: nothing was written.\n  " + "\n  ".join(said))
        gradebook.db.commit()
    with course.environment():
        renew_penalties(course, chapter)
    return written


def _filled(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the lines of a filled table by the names of their columns, with their numbers.

    Raises:
      GradingError: it cannot be read, or is another table.
    """
    header, rows = csv_table.read(path)
    columns = [column.strip() for column in header]
    missing = [name for name in _COLUMNS if name not in (*columns, "name", "most")]
    if missing:
        there = cut(", ".join(columns), 200)
        raise GradingError(f"{path}: no column {', '.join(missing)}; there are {there}")
    return [
        (number, dict.fromkeys(columns, "") | dict(zip(columns, map(str.strip, row), strict=False)))
        for number, row in rows
    ]


def refuse_to_lose(chapter: str, path: Path, questions: list[Question]) -> None:
    """Refuse to write over a table that a person has filled in, and nobody has taken in.

    Raises:
      GradingError: what is in the table is not in the gradebook, or it is another table.
    """
    if not path.exists():
        return
    waiting = {
        (answer.student, each.notebook, each.cell): answer
        for each in questions
        for answer in each.answers
        if answer.waits or answer.silent
    }
    for number, row in _filled(path):
        which = (row["student"].removeprefix("'"), row["notebook"], row["question"])
        if which in waiting and _is_more(row, waiting[which]):
            raise GradingError(
                f"{path} has points or words that are not in the gradebook (line {number}). "
                f"Write them: autograder read {chapter} --points {path}\nOr move the table away."
            )


def _is_more(row: dict[str, str], answer: WrittenAnswer) -> bool:
    """Tell whether a line has points or words that the gradebook has not."""
    try:
        new_points = bool(row["points"]) and _number(row["points"]) != answer.points
    except ValueError:  # it is no number: a person must correct it, so it is not lost
        new_points = True
    return new_points or (bool(row["comment"]) and not _is_known(row["comment"], answer.comment))


def _is_known(comment: str, known: str | None) -> bool:
    """Tell whether a table's comment is the gradebook's, but for its spaces and lines."""
    words, those = (each.removeprefix("'").split() for each in (comment, _one_line(known)))
    return words == those


def _number(points: str) -> float:
    return float(points.replace(",", "."))


def _give(gradebook: Gradebook, chapter: str, row: dict[str, str]) -> None:
    """Write one line's points and comment, without a commit.

    Raises:
      MissingEntry, KeyError, ValueError, TypeError: the line is wrong.
    """
    which = (row["question"], row["notebook"], chapter, row["student"].removeprefix("'"))
    grade, comment = gradebook.find_grade(*which), gradebook.find_comment(*which)
    # An empty field removes nothing: somebody may have written in formgrader since.
    if row["comment"] and not _is_known(row["comment"], comment.manual_comment):
        comment.manual_comment = row["comment"].removeprefix("'")
    if not row["points"]:
        return
    points = _number(row["points"])
    if not 0 <= points <= grade.max_score:
        raise ValueError(f"{points:g} points for {row['question']}, of {grade.max_score:g}")
    grade.manual_score, grade.needs_manual_grade = points, False
