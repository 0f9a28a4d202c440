"""The table of a report, for a spreadsheet: one row a student."""

import csv
import io

from autograder.printable import cut, in_spreadsheet
from autograder.report.data import ClassData, Row

_HEADS = [
    "student",
    "name",
    "section",
    "score",
    "max_score",
    "late_penalty",
    "late",
    "needs_manual_grading",
]
_LONGEST = 400  # characters; longer than a folder's name can be


def csv_text(data: ClassData) -> str:
    """Return the table: the score before late penalties, the points of each cell.

    Cells are empty for students without a grade, and for points that a person has to give.
    """
    target = io.StringIO(newline="")
    writer = csv.writer(target)
    names = [cell.name for cell in data.cells]
    writer.writerow([*_HEADS, *map(_word, names), "flagged", "not_graded_because"])
    writer.writerows(_row(row, names) for row in data.rows)
    return target.getvalue()


def _row(row: Row, names: list[str]) -> list:
    marks = row.marks
    if marks is None:
        empty = len(_HEADS) - 3 + len(names) + 1
        return [*_who(row), *[""] * empty, _word(row.reason)]
    waits = "yes" if marks.waiting else "no"
    points = [_number(marks.points.get(name)) for name in names]
    numbers = map(_number, (marks.score, marks.max_score, marks.late_penalty))
    return [*_who(row), *numbers, _word(marks.lateness), waits, *points, _flagged(row), ""]


def _who(row: Row) -> list[str]:
    return [_word(row.student), _word(row.name), _word(row.section)]


def _flagged(row: Row) -> str:
    if row.findings is None:
        return ""
    return "yes" if row.findings.doubts or row.findings.copied else "no"


def _number(number: float | None) -> str:
    return "" if number is None else f"{number:.12g}"


def _word(word: str) -> str:
    """Return a word that no spreadsheet takes for a formula."""
    return in_spreadsheet(cut(word, _LONGEST))
