"""The commands for the files of Canvas and Moodle: collect, and return."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from autograder.cli.authoring import CHAPTER, command
from autograder.cli.confirm import output, wanted
from autograder.cli.status import ANYWAY, DONE, LOOK, NOT_DONE
from autograder.gradebook_io import SYSTEMS
from autograder.printable import named, printable
from autograder.problem import Problem


def add(commands: argparse._SubParsersAction) -> None:
    """Add the commands to the parser of `autograder`."""
    words = "sort the zip of all submissions into submitted/, after a look"
    one = command(commands, "collect", collect, words)
    one.add_argument("system", choices=SYSTEMS, help="which of the two made the zip")
    one.add_argument("file", type=Path, help="the zip, or its folder if it was unpacked")
    one.add_argument("chapter", nargs="?", help=f"{CHAPTER} (default: as the notebooks are called)")
    one.add_argument(
        "--timezone", metavar="ZONE", help="of the times in the zip, as Europe/Oslo (default: here)"
    )
    one.add_argument(
        "--whose",
        action="append",
        default=[],
        type=_whose,
        metavar="NUMBER=STUDENT",
        help="who sent a file whose name does not say it; may be given several times",
    )
    one.add_argument(
        "--replace",
        action="append",
        default=[],
        metavar="STUDENT",
        help="take this one's work also where it is not known to be newer than what is there",
    )
    one.add_argument("--yes", action="store_true", help="write without asking")
    _add_return(commands)


def _add_return(commands: argparse._SubParsersAction) -> None:
    words = "put the feedback pages into one zip that Canvas or Moodle gives to the students"
    one = command(commands, "return", give_back, words)
    one.add_argument("system", choices=SYSTEMS, help="which of the two")
    one.add_argument("chapter", help=CHAPTER)
    one.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="default: reports/CHAPTER-SYSTEM.zip"
    )
    one.add_argument("--anyway", action="store_true", help=ANYWAY)


def _whose(text: str) -> tuple[str, str]:
    number, _, student = text.partition("=")
    if not number.isdigit() or not student:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 1234567=STUDENT")
    return number, student


def _refuse_two_owners(whose: Sequence[tuple[str, str]]) -> None:
    """Raise Problem if one number is said to be two students'."""
    owners: dict[str, set[str]] = {}
    for number, student in whose:
        owners.setdefault(number, set()).add(student)
    for number, students in owners.items():
        if len(students) > 1:
            names = " and ".join(sorted(students))
            raise Problem(f"--whose gives {number} to {names}: name one of them")


def collect(options: argparse.Namespace) -> int:
    """Show what a zip holds, and write it."""
    from autograder.lms.collect import collect

    _refuse_two_owners(options.whose)
    found = collect(
        options.system,
        options.file.resolve(),
        root=options.root,
        chapter=options.chapter,
        timezone=options.timezone,
        whose=dict(options.whose),
        replace=options.replace,
    )
    print(printable(found, lines=True))
    if not found.handed_in or not wanted(options):
        return NOT_DONE
    kept = found.write()
    print(f"Written: {len(found.lines) - len(kept) - len(found.failed)} submissions.")
    for student, why in found.failed.items():
        print(f"NOT WRITTEN: {printable(found.called[student])}: {printable(why)}")
    reasons = {True: "newer than the zip's", False: "not known to be older than the zip's"}
    for older, reason in reasons.items():
        names = [each for each in kept if found.standings[each].older == older]
        if names:
            print(f"Not replaced, as it is {reason}: {printable(', '.join(names))}")
    print(f"Next: autograder grade {found.chapter}")
    return LOOK if found.refused or kept or found.failed else DONE


def give_back(options: argparse.Namespace) -> int:
    """Write the zip of feedback pages."""
    from autograder.lms.give_back import give_back
    from autograder.nbgrader.stale import mend

    name = f"{options.chapter}-{options.system}.zip"
    path = output(options, options.root / "reports" / name)
    how = {"root": options.root, "path": path.resolve(), "anyway": options.anyway}
    done = give_back(options.system, options.chapter, **how)
    print(f"{path}: the pages of {len(done.students)} students")
    if done.renewed:
        renewed = printable(", ".join(done.renewed))
        print(f"Made anew, as points or comments have changed since: {renewed}")
    for line in done.left:
        print(f"not in it: {printable(line)}")
    if done.older:
        print(f"Of work before, as newer work is not graded: {printable(', '.join(done.older))}")
        print(f"Grade it first: autograder grade {options.chapter}")
    for line in done.refused:
        print(f"Of work before, as newer work cannot be graded: {printable(line)}")
    if done.stale:
        print(mend(options.chapter, done.stale))
    if done.unread:
        print(f"Not yet read by a person: {len(done.unread)} ({named(done.unread)}).")
    return LOOK if done.left or done.older or done.refused or done.stale else DONE
