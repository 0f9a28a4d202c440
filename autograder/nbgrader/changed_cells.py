"""Exercises that came or went after students were graded: the gradebook follows source/.

nbgrader refuses such a chapter, and would have all of its grades removed. Here the cells that went
leave the gradebook with their points, and those that came are asked of a student from the next
grading on. Dates, points by hand on other cells and penalties stay.
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from autograder.course_folders.course import Course, GradingError
from autograder.marked_cells import cell_name, grade_id
from autograder.nbgrader.gradebook_copy import copy_database, database
from autograder.printable import first_line, named
from autograder.releases import Earlier, flagged

_KINDS = {"grade": GradeCell, "solution": SolutionCell, "task": TaskCell, "source": SourceCell}
_HAVE_POINTS = ("grade", "task")
_LISTED = 8  # cells

Cells = Mapping[str, Mapping[str, NotebookNode]]  # by kind and name


@dataclass(frozen=True)
class Changed:
    """What came and went in one notebook whose submissions are in the gradebook.

    Attributes:
      before: the names of all cells before.
      came, went: names of cells by kind.
    """

    notebook: str
    before: frozenset[str]
    came: Cells
    went: Mapping[str, frozenset[str]]

    def points(self, cells: Mapping[str, Iterable[str]], *, several: bool) -> list[str]:
        """Return the names of those cells that give points."""
        names = {name for kind in _HAVE_POINTS for name in cells[kind]}
        return [cell_name(self.notebook, name, several=several) for name in sorted(names)]


def changed(course: Course, chapter: str) -> list[Changed]:
    """Return what source/ has otherwise than the gradebook, where somebody has been graded."""
    found = []
    with course.gradebook() as gradebook:
        for path in course.source_notebooks(chapter):
            try:
                notebook = gradebook.find_notebook(path.stem, chapter)
            except MissingEntry:
                continue
            if not gradebook.db.query(SubmittedNotebook).filter_by(notebook_id=notebook.id).count():
                continue
            now, then = _in_source(path), _in_gradebook(notebook)
            came = {
                kind: {name: cell for name, cell in cells.items() if name not in then[kind]}
                for kind, cells in now.items()
            }
            went = {kind: names - now[kind].keys() for kind, names in then.items()}
            if any(came.values()) or any(went.values()):
                found.append(Changed(path.stem, _flagged(then), came, went))
    return found


def meaning(root: Path, chapters: Iterable[str]) -> Iterator[str]:
    """Yield what the cells that came and went mean for students who are graded already."""
    course = Course(root)
    with course.environment():
        for chapter in chapters:
            found = changed(course, chapter)
            came, went = _named(found)
            if came or went:
                what = [f"new: {named(came, _LISTED)}"] * bool(came)
                what += [f"gone: {named(went, _LISTED)}"] * bool(went)
                yield (
                    f"{chapter} is graded already for some ({'; '.join(what)}). "
                    f"autograder grade {chapter} --again shows their new sums, and asks. What is "
                    "gone leaves all sums at the next grading; dates and other points stay."
                )


def _named(found: Sequence[Changed]) -> tuple[list[str], list[str]]:
    """Return the names of the cells with points that came, and that went."""
    several = len(found) > 1
    return tuple(
        [name for each in found for name in each.points(cells(each), several=several)]
        for cells in (lambda each: each.came, lambda each: each.went)
    )


def _in_source(path: Path) -> Cells:
    # Not by nbformat, which takes a tenth of a second to look at each cell: nbgrader does later.
    cells = [cell for cell in _cells(path) if grade_id(cell)]
    tests = {"grade": is_grade, "solution": is_solution, "task": is_task}
    found = {
        kind: {grade_id(cell): cell for cell in cells if test(cell)} for kind, test in tests.items()
    }
    others = {grade_id(cell): cell for cell in cells if is_locked(cell)}
    return found | {"source": found["grade"] | found["solution"] | found["task"] | others}


def _cells(path: Path) -> list[NotebookNode]:
    try:
        return nbformat.from_dict(json.loads(path.read_bytes())).cells
    except (ValueError, AttributeError) as error:
        raise GradingError(f"{path} is no notebook: {first_line(str(error))}") from error


def _in_gradebook(notebook: Notebook) -> dict[str, frozenset[str]]:
    return {
        kind: frozenset(cell.name for cell in getattr(notebook, f"{kind}_cells")) for kind in _KINDS
    }


def _flagged(cells: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the names and flags of a notebook's cells."""
    marks = (
        {"grade_id": name} | {kind: name in names for kind, names in cells.items()}
        for name in cells["source"]
    )
    return frozenset(flagged({"metadata": {"nbgrader": mark}}) for mark in marks)


def follow(course: Course, chapter: str, found: Sequence[Changed]) -> list[str]:
    """Give the gradebook the cells that came, and take those that went; return what to say of it.

    The gradebook as it was is kept if points or comments by hand went.
    """
    if not course.is_trial:
        with contextlib.suppress(OSError):
            for each in found:
                Earlier(course.root, chapter).add_cells(each.notebook, each.before)
    with course.gradebook() as gradebook:
        kept = _keep(course, gradebook, chapter, found)
        for each in found:
            _take(gradebook, chapter, each)
            _give(gradebook, chapter, each)
        gradebook.db.commit()
    return list(_lines(chapter, found, kept))


def _lines(chapter: str, found: Sequence[Changed], kept: Path | None) -> Iterator[str]:
    came, went = _named(found)
    again = f"autograder grade {chapter} --again"
    if came:
        yield (
            f"New in {chapter} since the grading: {named(came, _LISTED)}. Who is graded already is "
            f"not asked for it until: {again}"
        )
    if went:
        yield f"Gone from {chapter} since the grading, and from the sums: {named(went, _LISTED)}"
    if kept:
        yield f"Points or comments by hand were among it: the gradebook as it was is {kept}"


def _rows(gradebook: Gradebook, chapter: str, each: Changed) -> Iterator[Grade | Comment]:
    """Yield the students' grades and comments of the cells that went."""
    notebook = gradebook.find_notebook(each.notebook, chapter)
    for kind in ("grade", "solution", "task"):
        names = each.went[kind]
        cells = [cell for cell in getattr(notebook, f"{kind}_cells") if cell.name in names]
        for cell in cells:
            for table in (Grade, Comment):
                yield from gradebook.db.query(table).filter_by(cell_id=cell.id)


def _keep(
    course: Course, gradebook: Gradebook, chapter: str, found: Iterable[Changed]
) -> Path | None:
    """Copy the gradebook if a person's points or words would go; return the copy."""
    rows = [row for each in found for row in _rows(gradebook, chapter, each)]
    by_hand = [
        row
        for row in rows
        if (row.manual_score is not None if isinstance(row, Grade) else row.manual_comment)
    ]
    if not by_hand:
        return None
    here = database(course)
    copy = here.with_name(f"{here.name}-{chapter}-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    copy_database(here, copy)
    return copy


def _take(gradebook: Gradebook, chapter: str, each: Changed) -> None:
    """Remove the cells that went, and the students' rows of them; without a commit."""
    for row in list(_rows(gradebook, chapter, each)):
        gradebook.db.delete(row)
    gradebook.db.flush()
    notebook = gradebook.find_notebook(each.notebook, chapter)
    for kind in _KINDS:
        for cell in list(getattr(notebook, f"{kind}_cells")):
            if cell.name in each.went[kind]:
                gradebook.db.delete(cell)
    gradebook.db.flush()
    gradebook.db.expire_all()


def _give(gradebook: Gradebook, chapter: str, each: Changed) -> None:
    """Add the cells that came: nbgrader fills them in from source/, which it then takes."""
    which = (each.notebook, chapter)
    for name, cell in each.came["grade"].items():
        most = float(cell.metadata.nbgrader.points)
        gradebook.add_grade_cell(name, *which, max_score=most, cell_type=cell.cell_type)
    for name, cell in each.came["task"].items():
        most = float(cell.metadata.nbgrader.points)
        gradebook.add_task_cell(name, *which, max_score=most, cell_type=cell.cell_type)
    for name in each.came["solution"]:
        gradebook.add_solution_cell(name, *which)
    for name, cell in each.came["source"].items():
        gradebook.add_source_cell(
            name,
            *which,
            cell_type=cell.cell_type,
            locked=is_locked(cell),
            source="".join(cell.source),
        )


_WANTED = {Grade: (GradeCell, TaskCell), Comment: (SolutionCell, TaskCell)}


def somebody_lacks(gradebook: Gradebook, chapter: str) -> bool:
    """Tell whether a submission was begun before a cell of the chapter came."""
    here = gradebook.db.query(SubmittedNotebook.id).join(Notebook).join(Assignment)
    here = here.filter(Assignment.name == chapter)
    return any(
        here.join(table, table.notebook_id == SubmittedNotebook.id).count()
        < sum(here.join(kind, kind.notebook_id == Notebook.id).count() for kind in kinds)
        for table, kinds in _WANTED.items()
    )


def ask(gradebook: Gradebook, chapter: str, student: str) -> None:
    """Give a student's submission a place for the points of each cell; without a commit."""
    for each in gradebook.find_submission(chapter, student).notebooks:
        for table, kinds in _WANTED.items():
            rows = gradebook.db.query(table).filter_by(notebook_id=each.id)
            has = {row.cell_id for row in rows}
            cells = [
                cell
                for kind in kinds
                for cell in gradebook.db.query(kind).filter_by(notebook_id=each.notebook_id)
            ]
            for cell in cells:
                if cell.id not in has:
                    gradebook.db.add(table(cell_id=cell.id, notebook_id=each.id))
    gradebook.db.flush()
