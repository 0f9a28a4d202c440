"""The command for the class list: roster."""

import argparse
from pathlib import Path

from autograder.cli.authoring import command
from autograder.cli.confirm import wanted
from autograder.cli.status import DONE, NOT_DONE
from autograder.printable import printable
from autograder.problem import Problem


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the parser of `autograder`."""
    words = (
        "write a class list (CSV of Canvas, Moodle or nbgrader) into the gradebook, after a look"
    )
    one = command(commands, "roster", roster, words)
    one.add_argument("file", type=Path, nargs="?", help="the CSV file")
    one.add_argument(
        "--id",
        metavar="COLUMN",
        help="the column that students' folders in submitted/ are called by",
    )
    one.add_argument("--yes", action="store_true", help="write without asking; nobody is removed")
    one.add_argument("--undo", action="store_true", help="take the last import back, after a look")


def roster(options: argparse.Namespace) -> int:
    """Compare a class list with the gradebook, and write it."""
    if options.undo:
        return _undo(options)
    if options.file is None:
        raise Problem("name the class list: autograder roster FILE.csv")
    from autograder.gradebook_io.roster import roster

    changes = roster(options.file.resolve(), root=options.root, id_column=options.id)
    print(printable(changes, lines=True))
    if changes.new or changes.changed:
        if not wanted(options):
            return NOT_DONE
        changes.write()
        print("Written.")
    return DONE


def _undo(options: argparse.Namespace) -> int:
    from autograder.nbgrader.class_list import undo

    found = undo(options.root)
    print("Without the last class list:")
    for line in found.said or ["nothing changes"]:
        print(printable(f"  {line}"))
    if wanted(options):
        found.write()
        print("Written.")
        return DONE
    return NOT_DONE
