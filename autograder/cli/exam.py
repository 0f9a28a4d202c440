"""The commands for an exam in which each student has tasks of their own."""

import argparse
import re
from pathlib import Path

from autograder.cli import grading
from autograder.cli.authoring import command
from autograder.cli.status import DONE
from autograder.problem import Problem

_NAME = "its name, for example final"


def add(commands: argparse._SubParsersAction) -> None:
    """Add `exam new` and `exam grade` to the parser of `autograder`."""
    words = "an exam with tasks of their own for each student: `exam new`, `exam grade`"
    parser = commands.add_parser("exam", help=words, description=f"{words[0].upper()}{words[1:]}.")
    steps = parser.add_subparsers(required=True, metavar="STEP")
    words = "make an exam, or add students to one: its key, its assignment, everybody's notebook"
    one = command(steps, "new", new, words)
    one.set_defaults(doing="make the exam")
    one.add_argument("exam", help=_NAME)
    one.add_argument(
        "--students", type=Path, required=True, metavar="FILE", help="a class list, as for `roster`"
    )
    one.add_argument("--id", metavar="COLUMN", help="as for `roster`")
    one.add_argument("--tasks", type=int, metavar="N", help="for each student (default: 4)")
    one.add_argument(
        "--levels", type=_levels, metavar="A-B", help="from 1 to 6, as 2-4 or 3,5 (default: 2-4)"
    )
    one.add_argument("--points", type=float, metavar="N", help="of each task (default: 5)")
    words = "grade submitted/STUDENT/EXAM/*.ipynb, each by the student's own tasks"
    one = command(steps, "grade", grade, words)
    one.set_defaults(doing="grade the exam")
    one.add_argument("chapter", metavar="exam", help=_NAME)
    grading.add_whom_and_how(one)


def _levels(text: str) -> list[int]:
    found = re.fullmatch(r"(\d)-(\d)", text)
    if found and int(found[1]) <= int(found[2]):
        return list(range(int(found[1]), int(found[2]) + 1))
    if re.fullmatch(r"\d(,\d)*", text):
        return sorted({int(each) for each in text.split(",")})
    raise argparse.ArgumentTypeError(f"{text} is no range of levels, such as 2-4")


def new(options: argparse.Namespace) -> int:
    """Make an exam, or add students to it."""
    from autograder.course_folders.course import Course
    from autograder.exam.new import new

    Course(options.root)  # it refuses a folder that is no course
    made = new(
        options.exam,
        root=options.root,
        students=options.students.resolve(),
        tasks_of_each=options.tasks,
        levels=options.levels,
        points=options.points,
        id_column=options.id,
    )
    key, number = made.key, len(made.key.slots)
    parts = ", ".join(f"level {level} with {parts} parts" for level, parts in key.slots)
    print(f"{len(made.added)} students added, {len(key.students)} in all; {number} tasks: {parts}.")
    print(f"Give each student their own folder of {made.handouts}{'/'}STUDENT.")
    print(f"Keep {made.path} to yourself, and a copy: it draws everybody's tasks.")
    print(f"Then: autograder exam grade {key.exam}")
    return DONE


def grade(options: argparse.Namespace) -> int:
    """Grade an exam."""
    from autograder.exam.key import exists, path_of

    if not exists(options.root, options.chapter):
        path = path_of(options.root, options.chapter)
        raise Problem(
            f"{path} is missing, so nobody's tasks are known.\n"
            f"To make an exam: autograder exam new {options.chapter} --students FILE"
        )
    return grading.grade(options)
