"""`make semester`: make 200 submissions, grade them as an instructor does, and hold every score
against what is known of it. The exit status is 1 if one differs."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from places import ROOT
from rich.console import Console

from semester.chapters import CHAPTERS, chapter
from semester.conclude import conclude
from semester.hand_in import make
from semester.plan import plan as plan_semester
from semester.plan import planted
from semester.run import graded, hand_out_and_in


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a semester; return the exit status."""
    options = _parser().parse_args(arguments)
    console, start = Console(width=120), time.monotonic()
    names = options.chapter or CHAPTERS
    plan = plan_semester(
        [chapter(name) for name in names],
        students=options.students,
        each=options.each,
        hostile=options.hostile,
        seed=options.seed,
    )
    course = make(options.folder.resolve(), names)
    hand_out_and_in(course, planted(plan) if options.plant else plan, names, console)
    classes = graded(course, names, workers=options.workers, console=console)
    return conclude(plan, classes, course, seconds=time.monotonic() - start, console=console)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="semester", description=__doc__)
    parser.add_argument("--students", type=int, default=25, help="how many (default: 25)")
    parser.add_argument("--each", type=int, default=8, help="chapters of each (default: 8)")
    parser.add_argument("--chapter", action="append", help="only these (default: all)")
    parser.add_argument(
        "--hostile", type=float, default=0.17, help="share of hostile submissions (default: 0.17)"
    )
    parser.add_argument("--seed", type=int, default=2027, help="of abilities and answers")
    parser.add_argument(
        "--workers", type=int, default=2, help="notebooks at the same time (default: 2)"
    )
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "semester", help="where it takes place"
    )
    parser.add_argument(
        "--plant",
        action="store_true",
        help="hand in a wrong answer in place of a right one, and see that it is noticed",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
