"""The commands for a class: roster, grading, reports, feedback and exports."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from autograder.cli.authoring import CHAPTER, command
from autograder.printable import printable
from autograder.problem import Problem


def add(commands: argparse._SubParsersAction) -> None:
    """Add the commands to the parser of `autograder`."""
    _add_roster(commands)
    _add_grade(commands)
    one = command(
        commands,
        "report",
        report,
        "write reports/CHAPTER.html and .csv: how the class did, from the gradebook",
    )
    one.add_argument("chapter", help=f"{CHAPTER}; grade it first")
    _add_export(commands)
    command(commands, "grade-demo", grade_demo, "make a small class in demo/ and grade it")


def _add_roster(commands) -> None:
    words = (
        "write a class list (CSV of Canvas, Moodle or nbgrader) into the gradebook, after a look"
    )
    one = command(commands, "roster", roster, words)
    one.add_argument("file", type=Path, help="the CSV file")
    one.add_argument(
        "--id",
        metavar="COLUMN",
        help="the column that students' folders in submitted/ are called by",
    )
    one.add_argument("--yes", action="store_true", help="write without asking; nobody is removed")


def _add_grade(commands) -> None:
    one = command(commands, "grade", grade, "grade submitted/STUDENT/CHAPTER/*.ipynb")
    one.add_argument("chapter", help=CHAPTER)
    add_whom_and_how(one)


def add_whom_and_how(one: argparse.ArgumentParser) -> None:
    """Add the options of `grade` that say whom to grade, and how."""
    one.add_argument("--student", action="append", help="only this one (may be repeated)")
    one.add_argument("--force", action="store_true", help="grade again what has been graded")
    one.add_argument(
        "--again",
        action="store_true",
        help="grade all in a copy, and say which scores would change, and why, before writing them",
    )
    one.add_argument("--yes", action="store_true", help="with --again: write without asking")
    _add_how(one)


def _add_how(one: argparse.ArgumentParser) -> None:
    """Add the options of `grade` that say how to grade."""
    one.add_argument(
        "--workers", type=_count, metavar="N", help="notebooks at the same time (default: cores)"
    )
    one.add_argument(
        "--cluster", metavar="ADDRESS", help="run on this Dask cluster, for example tcp://host:8786"
    )
    one.add_argument(
        "--no-second-opinion",
        dest="second_opinion",
        action="store_false",
        help="do not judge answers again where student code cannot reach; half the time",
    )
    one.add_argument(
        "--uncontained",
        dest="contained",
        action="store_false",
        help="let students' code do whatever you may do: only for code that you trust",
    )
    one.add_argument(
        "--verify",
        type=_count,
        metavar="N",
        help="grade N of them with plain nbgrader too, and say where it differs",
    )


def _add_export(commands) -> None:
    one = command(
        commands, "export", export, "write the grades to a file for Canvas or Moodle to import"
    )
    one.add_argument("system", choices=["canvas", "moodle"], help="which of the two")
    one.add_argument("chapter", nargs="*", help=f"only these, {CHAPTER} (default: all)")
    one.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="default: reports/canvas.csv (moodle.csv)"
    )
    one.add_argument(
        "--missing",
        choices=["empty", "zero"],
        help="what to write where nothing was handed in (default: empty)",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 on")
    return int(text)


def roster(options: argparse.Namespace) -> bool:
    """Compare a class list with the gradebook, and write it."""
    from autograder.gradebook_io.roster import roster

    path, how = options.file.resolve(), {"root": options.root, "id_column": options.id}
    changes = roster(path, **how, write=False)
    print(printable(changes, lines=True))
    if changes.new or changes.changed:
        if _confirmed(options):
            roster(path, **how, write=True)
            print("Written.")
        else:
            print("Nothing was written. With --yes it is.")
    return False


def grade(options: argparse.Namespace) -> bool:
    """Grade a chapter."""
    if options.again:
        return _grade_again(options)
    if options.yes:
        raise Problem("--yes goes with --again")
    from autograder.grading import grade

    outcomes = grade(
        options.chapter,
        root=options.root,
        students=options.student,
        force=options.force,
        workers=options.workers,
        second_opinion=options.second_opinion,
        contained=options.contained,
        cluster=options.cluster,
        verify=options.verify or 0,
    )
    return not all(outcome.graded and not outcome.differs for outcome in outcomes)


def _grade_again(options: argparse.Namespace) -> bool:
    from autograder.grading.chapter import Options
    from autograder.regrade.preview import again

    how = Options(
        workers=options.workers or os.cpu_count() or 1,
        second_opinion=options.second_opinion,
        contained=options.contained,
        cluster=options.cluster,
    )
    again(
        options.chapter,
        root=options.root,
        students=options.student,
        options=how,
        confirm=lambda: _confirmed(options),
    )
    return False


def _confirmed(options: argparse.Namespace) -> bool:
    """Tell whether to write: by an option, or by an answer at the terminal."""
    if options.yes or not sys.stdin.isatty():
        return options.yes
    return input("Write this? [y/N] ").strip().lower() in ("y", "yes")


def report(options: argparse.Namespace) -> bool:
    """Write the instructor's page and table."""
    from autograder.report.write import report

    for path in report(options.chapter, root=options.root):
        print(path)
    return False


def export(options: argparse.Namespace) -> bool:
    """Write the grades for another system."""
    from autograder.gradebook_io.exports import export

    path = options.output or options.root / "reports" / f"{options.system}.csv"
    settings = {} if options.missing is None else {"missing": options.missing}
    grades = export(
        options.system,
        root=options.root,
        chapters=tuple(options.chapter),
        path=path.resolve(),
        **settings,
    )
    print(f"{path}: {len(grades.students)} students, {', '.join(grades.chapters)}")
    waiting = sum(grade.waits for grade in grades.grades.values())
    if waiting:
        print(f"To be read by a person: {waiting}. Until then, what is not graded counts 0.")
    print("The scores are nbgrader's. `autograder report CHAPTER` flags those that are in doubt.")
    return False


def grade_demo(options: argparse.Namespace) -> int:
    """Grade the demo class."""
    from autograder.grading.demo import run

    return run(options.root)
