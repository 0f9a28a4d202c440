"""The commands for a class: grading, reports, feedback and exports."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.cli.authoring import CHAPTER, add_chapters, command
from autograder.cli.confirm import confirmed, output
from autograder.cli.status import ANYWAY, DONE, LOOK, NOT_DONE
from autograder.gradebook_io import SYSTEMS
from autograder.printable import counted, named, printable
from autograder.problem import Problem

if TYPE_CHECKING:
    from autograder.grading.options import Options


def add(commands: argparse._SubParsersAction) -> None:
    """Add the commands to the parser of `autograder`."""
    _add_grade(commands)
    one = command(
        commands,
        "report",
        report,
        "write reports/CHAPTER.html and .csv: how the class did, from the gradebook",
    )
    one.add_argument("chapter", help=f"{CHAPTER}; grade it first")
    _add_export(commands)
    words = "find students whose answers are alike beyond what everybody was given"
    one = command(commands, "similar", similar, words)
    one.add_argument("chapter", help=CHAPTER)
    one.add_argument(
        "--export", type=Path, metavar="FOLDER", help="write all answers there, for JPlag or Dolos"
    )
    one.add_argument(
        "--with",
        dest="earlier",
        action="append",
        default=[],
        type=Path,
        metavar="FOLDER",
        help="compare with an earlier term's course, or its submitted/, too (may be repeated)",
    )
    command(commands, "grade-demo", grade_demo, "make a small class in demo/ and grade it")


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
        "--beside",
        dest="apart",
        action="store_false",
        help="run the tests beside the answers, which can change them there, as nbgrader does",
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
        help="grade N of them with nbgrader's own autograde too, and say where it differs; "
        "contained as before, or plain with --uncontained",
    )


def _add_export(commands) -> None:
    one = command(
        commands, "export", export, "write the grades to a file for Canvas or Moodle to import"
    )
    one.add_argument("system", choices=SYSTEMS, help="which of the two")
    add_chapters(one)
    one.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="default: reports/canvas.csv (moodle.csv)"
    )
    one.add_argument(
        "--missing",
        choices=["empty", "zero"],
        help="what to write where nothing was handed in (default: empty)",
    )
    one.add_argument("--anyway", action="store_true", help=ANYWAY)


_MOST_PAIRS = 20


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 on")
    return int(text)


def grade(options: argparse.Namespace) -> int:
    """Grade a chapter."""
    if options.again and options.verify:
        raise Problem("--verify compares a grading with nbgrader's: it does not go with --again")
    if options.again:
        return _grade_again(options)
    if options.yes:
        raise Problem("--yes goes with --again")
    from autograder.grading import grade

    outcomes = grade(
        options.chapter,
        root=options.root,
        options=_how(options),
        students=options.student,
        verify=options.verify or 0,
    )
    all_done = all(outcome.graded and not outcome.differs for outcome in outcomes)
    return DONE if all_done else LOOK


def _grade_again(options: argparse.Namespace) -> int:
    from autograder.regrade.preview import again

    asked = []

    def confirm() -> bool:
        asked.append(confirmed(options))
        return asked[0]

    ended = again(
        options.chapter,
        root=options.root,
        students=options.student,
        options=_how(options),
        confirm=confirm,
    )
    if not all(asked):
        return NOT_DONE
    return DONE if ended.all_graded else LOOK


def _how(options: argparse.Namespace) -> Options:
    """Return the options that say how to grade."""
    from autograder.grading.options import Options

    fields = ("force", "workers", "apart", "contained", "cluster")
    given = {name: getattr(options, name) for name in fields}
    return Options(**{name: value for name, value in given.items() if value is not None})


def report(options: argparse.Namespace) -> int:
    """Write the instructor's page and table."""
    from autograder.report.write import report

    for path in report(options.chapter, root=options.root):
        print(path)
    return DONE


def similar(options: argparse.Namespace) -> int:
    """Compare everybody's answers."""
    try:
        from autograder.similarity.pairs import similar
    except ImportError as error:
        raise Problem(f"it needs the package {error.name}: pip install {error.name}") from error

    export = options.export and options.export.resolve()
    earlier = [folder.resolve() for folder in options.earlier]
    found = similar(options.chapter, root=options.root, export=export, earlier=earlier)
    terms = f", with {counted(found.earlier, 'answer')} of earlier terms" if earlier else ""
    compared = "were compared, their code as well as their words"
    print(f"The answers of {found.students} students {compared}{terms}.")
    for pair in found.pairs[:_MOST_PAIRS]:
        names = printable(f"{pair.one} and {pair.other}")
        what = "own words are" if pair.kind == "words" else "own code is"
        print(f"  {names}: {100 * pair.share:.0f} % of the shorter one's {what} alike")
    if len(found.pairs) > _MOST_PAIRS:
        print(f"  and {len(found.pairs) - _MOST_PAIRS} pairs more, in the report")
    if not found.pairs:
        print("  No two are alike beyond what everybody was given, or many have written.")
    for student in found.unread:
        print(f"  not compared, as it cannot be read: {printable(student)}")
    if found.pairs:
        print("It proves nothing: ask both how their answer works.")
    print(f"Both texts, side by side: autograder report {options.chapter}")
    if export:
        _say_for_others(options.export)
    return DONE


def _say_for_others(export: Path) -> None:
    print(f"For JPlag: jplag -l python3 -bc given {export}/students")
    print(
        f"For Dolos: dolos run -l python -i {export}/given/given.py {export}/students/*/answers.py"
    )


def export(options: argparse.Namespace) -> int:
    """Write the grades for another system."""
    from autograder.gradebook_io.exports import export

    path = output(options, options.root / "reports" / f"{options.system}.csv")
    settings = {} if options.missing is None else {"missing": options.missing}
    grades = export(
        options.system,
        root=options.root,
        chapters=tuple(options.chapter),
        path=path.resolve(),
        anyway=options.anyway,
        **settings,
    )
    print(f"{path}: {len(grades.students)} students, {', '.join(grades.chapters)}")
    _say_what_is_in_doubt(grades)
    _say_who_waits(grades)
    print("`autograder report CHAPTER` flags the scores that are in doubt.")
    return LOOK if grades.ungraded or grades.older or grades.stale else DONE


def _say_what_is_in_doubt(grades) -> None:
    from autograder.nbgrader.class_list import said_unlisted
    from autograder.nbgrader.stale import mend

    for line in said_unlisted(grades.unlisted, "exported"):
        print(line)
    if grades.left_out:
        left_out = printable(", ".join(grades.left_out))
        print(f"Left out, as nobody has a grade for it (name it to have it): {left_out}")
    if grades.ungraded:
        ungraded = printable(", ".join(grades.ungraded))
        print(f"Handed in and not graded, here as if nothing had come: {ungraded}")
    if grades.older:
        older = printable(", ".join(grades.older))
        print(f"What is handed in now cannot be graded, these are older marks: {older}")
    for chapter, students in grades.stale.items():
        print(mend(chapter, students))


def _say_who_waits(grades) -> None:
    waiting = sorted(
        f"{chapter} of {who}" for (chapter, who), g in grades.grades.items() if g.waits
    )
    if waiting:
        print(f"To be read by a person: {len(waiting)} ({named(waiting)}).")
        print("Until then, what is not graded counts 0, and points by hand from before count.")


def grade_demo(options: argparse.Namespace) -> int:
    """Grade the demo class."""
    from autograder.course_folders.course import Course
    from autograder.demo.demo_class import run

    Course(options.root)  # it refuses a folder that is no course
    return run(options.root)
