"""The semester itself: release, hand in, collect, grade, report, export."""

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograder.report.data import ClassData
from semester.files import collected, command
from semester.hand_in import exchange
from semester.plan import Semester

_EXPORTS = ("canvas", "moodle")


def hand_out_and_in(
    course: Path, semester: Semester, names: Sequence[str], console: Console
) -> None:
    """Release every chapter, let everybody hand in, and collect."""
    with exchange(course) as opened:
        for name in names:
            opened.release(name)
        console.print(f"{len(names)} chapters are released.", highlight=False)
        for work in semester.works:
            opened.hand_in(work, course.parent / "homes" / work.student)
        for name in names:
            opened.collect(name)
    hostile = sum(work.cheat is not None for work in semester.works)
    words = f"{len(semester.works)} submissions are collected, {hostile} of them hostile."
    console.print(words, highlight=False)


def graded(
    course: Path, names: Sequence[str], *, workers: int, console: Console
) -> list[ClassData]:
    """Grade every chapter, report on it, export; return what the reports are made from."""
    for name in names:
        start = time.monotonic()
        said = command(course, "grade", name, "--workers", str(workers))
        seconds = time.monotonic() - start
        (course.parent / f"grade_{name}.txt").write_text(said, "utf-8")
        command(course, "report", name)
        console.print(f"{name}: {seconds:.0f} s; {said.splitlines()[-1]}", highlight=False)
    for system in _EXPORTS:
        command(course, "export", system)
    return [collected(course, name) for name in names]
