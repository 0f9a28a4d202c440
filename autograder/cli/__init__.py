"""The command line, `autograder COMMAND`. A command imports its part only when it runs."""

import argparse
import difflib
import gc
import os
import sys
from pathlib import Path

from autograder.cli import authoring, dates, exam, grading, lms, reading, roster
from autograder.cli.status import NOT_DONE
from autograder.imports import import_quickly
from autograder.printable import printable
from autograder.problem import Problem

_DESCRIPTION = """\
Make the course, hand it out, grade a class.

  you write        build, adopt, new-chapter, new-exercise
  students get     bundle, publish, lab, progress
  you teach        roster, dates, collect, grade, exam, read, report,
                   similar, export, return, grade-demo

`autograder COMMAND --help` says more about one of them."""

# What a command does, where its name is no verb.
_DOING = {
    "new-chapter": "make the chapter",
    "new-exercise": "make the exercise",
    "lab": "open JupyterLab",
    "progress": "show the progress",
    "roster": "take the class list",
    "dates": "set the date",
    "similar": "compare the answers",
    "grade-demo": "grade the demo class",
}


class _Command(argparse.ArgumentParser):
    """The arguments of one command, in any order: a chapter may stand behind an option."""

    _in_halves = False

    def parse_known_args(self, args=None, namespace=None):
        """Return the arguments and what is not known."""
        if self._in_halves or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._in_halves = True  # before Python 3.12 the next line comes back here, twice
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._in_halves = False


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit status (`status.py`)."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and options.run is not authoring.lab:
        parser.error(_unknown(options.command, rest))
    options.rest = rest
    options.root = options.root.resolve()
    # Imports make many objects and throw none away; by its own rule Python looks for such at every
    # 700th, which is a tenth of a short command's time.
    gc.set_threshold(50_000)
    try:
        import_quickly()  # before the command's own part: all but a few of them read notebooks
        status = options.run(options)
        sys.stdout.flush()
        return status
    except Problem as error:
        _say_why(options, str(error))
        for line in _nearest(options):
            print(line, file=sys.stderr)
        return NOT_DONE
    except BrokenPipeError:  # the reader of what is printed has stopped, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_DONE
    except KeyboardInterrupt:  # the command has said so
        return 130
    except Exception as error:
        reason = _of_machine(error)
        if not reason:  # a mistake of ours: its traceback is needed
            raise
        _say_why(options, reason)
        return NOT_DONE


def _say_why(options: argparse.Namespace, reason: str) -> None:
    """Print why a command cannot do what it is for."""
    doing = getattr(options, "doing", _DOING.get(options.command, options.command))
    print(printable(f"cannot {doing}: {reason}", lines=True), file=sys.stderr)


def _unknown(command: str, rest: list[str]) -> str:
    """Return what to do about arguments that the command does not know."""
    said = f"unknown argument: {' '.join(rest)}; see autograder {command} --help"
    if any(each.partition("=")[0] == "--root" for each in rest):
        said = f"--root stands before the command: autograder --root FOLDER {command}"
    return said


def _of_machine(error: Exception) -> str:
    """Return in words what is wrong with a file, the disk or the gradebook; "" if it is neither."""
    # nbgrader passes the database's words on in errors of its own.
    theirs = ("sqlalchemy.", "nbgrader.")
    known = isinstance(error, OSError) or type(error).__module__.startswith(theirs)
    if known:
        from autograder.nbgrader.reasons import of_machine

        reason = of_machine(str(error))
        if reason:
            return reason
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograder",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--root", type=Path, default=Path.cwd(), help="the course's folder (default: this one)"
    )
    commands = parser.add_subparsers(
        required=True, metavar="COMMAND", dest="command", parser_class=_Command
    )
    authoring.add(commands)
    roster.add(commands)
    dates.add(commands)
    grading.add(commands)
    reading.add(commands)
    exam.add(commands)
    lms.add(commands)
    return parser


def _nearest(options: argparse.Namespace) -> list[str]:
    """Return a sentence for each unknown chapter name, if there are chapters: the names near it."""
    from autograder.authoring.chapter_list import in_course  # it reads notebooks

    given = getattr(options, "chapter", None) or []
    # Other courses call their assignments as they like, and so do exams.
    patterns = ("course/[0-9]*", "source/[!.]*/", "release/[!.]*/")
    known = sorted({path.stem for each in patterns for path in options.root.glob(each)})
    lines = []
    for name in [given] if isinstance(given, str) else given:
        if known and name not in known:
            near = _near(name, known)
            lines.append(
                f"Is {name} one of these? {', '.join(near)}"
                if near
                else f"There are these chapters: {', '.join(in_course(options.root, known))}"
            )
    return lines


def _near(name: str, known: list[str]) -> list[str]:
    """Return the names with these words, which may have got another number, else those with this
    number, else those that contain it or are spelled like it.
    """
    number, _, words = name.lower().partition("_")
    renumbered = [each for each in known if words and each.partition("_")[2] == words]
    same = [
        each
        for each in known
        if number.isdigit() and each.split("_")[0].lstrip("0") == number.lstrip("0")
    ]
    both = [each for each in renumbered if each in same]
    within = [each for each in known if (words or number) in each]
    found = both or renumbered or same or within
    return found or difflib.get_close_matches(name, known, n=3, cutoff=0.5)
