"""What `autograder grade`, `report` and `export` have left on the disk, read as a person would."""

import csv
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.course_folders.course import Course
from autograder.report.data import ClassData
from autograder.report.student_rows import collect
from semester.compare import Difference

_ROUNDING = 1e-3  # files for mark books keep four digits


def command(course: Path, *arguments: str) -> str:
    """Run `autograder` in the course's folder; return what it said.

    Raises:
      RuntimeError: it could not do it. (That someone could not be graded is no such error.)
    """
    given = [sys.executable, "-m", "autograder", "--root", str(course), *arguments]
    done = subprocess.run(given, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3) or done.stderr:
        raise RuntimeError(f"autograder {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


def collected(course: Path, chapter: str) -> ClassData:
    """Return what the report on a chapter is made from."""
    opened = Course(course)
    with opened.environment():
        return collect(opened, chapter)


def check_files(course: Path, classes: Sequence[ClassData]) -> list[Difference]:
    """Return where a written file has another score than the gradebook."""
    folder, found = course / "reports", []
    exports = [_canvas(folder / "canvas.csv"), _moodle(folder / "moodle.csv")]
    for each in classes:
        report = _report(folder / f"{each.chapter}.csv")
        for row in each.rows:
            must = row.marks.score if row.marks else None
            names = {"the report's table": report.get(row.student)}
            for name, read in zip(("canvas.csv", "moodle.csv"), exports, strict=True):
                names[name] = read.get((row.student, each.chapter))
            found += [
                Difference(row.student, each.chapter, "", f"{name} has {got}, not {must}")
                for name, got in names.items()
                if not _same(must, got)
            ]
    return found


def _same(must: float | None, got: float | None) -> bool:
    return must is got if must is None or got is None else abs(must - got) < _ROUNDING


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _number(text: str) -> float | None:
    return None if text in ("", "-") else float(text)


def _report(path: Path) -> dict[str, float | None]:
    return {row["student"]: _number(row["score"]) for row in _rows(path)}


def _canvas(path: Path) -> dict[tuple[str, str], float | None]:
    points, *rows = _rows(path)
    titles = {name.split(" (")[0]: name for name in list(points)[5:]}
    return {
        (row["SIS Login ID"], chapter): _number(row[title])
        for row in rows
        for chapter, title in titles.items()
    }


def _moodle(path: Path) -> dict[tuple[str, str], float | None]:
    rows = _rows(path)
    titles = [name for name in rows[0] if name.endswith(" (Real)")]
    return {
        (row["Username"], title.removesuffix(" (Real)").split(" (")[0]): _number(row[title])
        for row in rows
        for title in titles
    }
