"""The command for answers in words: read."""

import argparse
from pathlib import Path

from autograder.cli.authoring import CHAPTER, command
from autograder.cli.status import DONE
from autograder.problem import Problem

_HIGHEST = 65_535


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the parser of `autograder`."""
    words = "open a page to read the answers in words, with their rubric, and give points"
    one = command(commands, "read", read, words)
    one.add_argument("chapter", help=f"{CHAPTER}; grade it first")
    one.add_argument(
        "--table",
        action="store_true",
        help="write the answers to a page, and a table to fill in, in place of that",
    )
    one.add_argument(
        "--points", type=Path, metavar="FILE", help="write the filled table into the gradebook"
    )
    one.add_argument(
        "--no-browser", action="store_true", help="print the page's address, and open nothing"
    )
    one.add_argument(
        "--port", type=_port, metavar="N", help="of the page's address (default: the chapter's own)"
    )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _HIGHEST:
        raise argparse.ArgumentTypeError(f"{text} is no number from 0 to {_HIGHEST}")
    return int(text)


def read(options: argparse.Namespace) -> int:
    """Open the page for reading, write page and table, or take the points of a table."""
    if options.table and options.points:
        raise Problem("--table writes a table, and --points takes a filled one: choose one of them")
    if options.points:
        return _take(options)
    if options.table:
        return _write(options)
    from autograder.reading.in_browser import read_in_browser

    read_in_browser(
        options.chapter, root=options.root, port=options.port, show=not options.no_browser
    )
    return DONE


def _write(options: argparse.Namespace) -> int:
    from autograder.reading.reading_table import write_reading

    for path in write_reading(options.chapter, root=options.root):
        print(path)
    print("Fill in points and comments in the table, save it as CSV, and then:")
    print(f"autograder read {options.chapter} --points FILE")
    return DONE


def _take(options: argparse.Namespace) -> int:
    from autograder.gradebook_io.written_answers import give_points

    number = give_points(options.chapter, root=options.root, path=options.points.resolve())
    print(f"Points by hand are in the gradebook: {number}. The students' pages with them:")
    print(f"autograder grade {options.chapter}")
    return DONE
