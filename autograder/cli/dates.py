"""The command for the dates of chapters: dates."""

import argparse

from autograder.cli.authoring import CHAPTER, command
from autograder.cli.status import DONE
from autograder.printable import printable
from autograder.problem import Problem


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the parser of `autograder`."""
    one = command(commands, "dates", dates, "show until when work is in time, or set it")
    one.add_argument("chapter", nargs="?", help=f"{CHAPTER} (default: show all)")
    one.add_argument(
        "until", nargs="?", help='"2027-03-01 23:59 Europe/Oslo"; without a zone it is UTC'
    )
    one.add_argument("--none", action="store_true", help="the chapter has no date any more")


def dates(options: argparse.Namespace) -> int:
    """Set a date, and show all."""
    from autograder.nbgrader import dates
    from autograder.nbgrader.terms import SHOWN
    from autograder.nbgrader.zoned_time import names_a_zone, time_of

    if options.chapter:
        if bool(options.until) == options.none:
            raise Problem('say until when: "2027-03-01 23:59 UTC", or --none')
        try:
            until = time_of(options.until) if options.until else None
        except ValueError as error:
            raise Problem(str(error)) from error
        if until and names_a_zone(options.until):
            print(printable(f"{options.until.strip()} is {until:{SHOWN}}."))
        if dates.write(options.root, options.chapter, until):
            again = f"`autograder grade {options.chapter} --again`"
            print(printable(f"Who is graded already keeps the old date until {again}."))
    found = dates.read(options.root)
    width = max(map(len, found.until), default=0)
    for chapter, until in found.until.items():
        print(printable(f"{chapter:<{width}}  {until}"))
    print(printable(f"Without a date: {', '.join(found.without) or 'none'}"))
    for name in found.unknown:
        print(printable(f"No chapter, and in the gradebook: {name}. To remove it:"))
        print(printable(f"  nbgrader db assignment remove {name}"))
    return DONE
