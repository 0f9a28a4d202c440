"""`autograder build | lab | grade | report | grade-demo`: one thin line to each part."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 it found or met a failure, 2 wrong use."""
    parser = _parser()
    known, rest = parser.parse_known_args(arguments)
    if rest and known.command is not _lab:
        parser.error(f"unknown argument: {' '.join(rest)}")
    known.rest = rest
    return known.command(known)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograder", description=__doc__)
    parser.add_argument(
        "--root", type=Path, default=Path.cwd(), help="the course's folder (default: this one)"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="make source/ and release/ from course/")
    build.add_argument("chapter", nargs="*", help="only these, for example 03_laplace")
    build.add_argument("--check", action="store_true", help="change nothing; fail if out of step")
    build.set_defaults(command=_build)
    lab = commands.add_parser(
        "lab", help="open JupyterLab on the release chapters; other options go to JupyterLab"
    )
    lab.set_defaults(command=_lab)
    grade = commands.add_parser("grade", help="grade submitted/STUDENT/CHAPTER/*.ipynb")
    grade.add_argument("chapter", help="for example 03_laplace")
    grade.add_argument("--student", action="append", help="only this one (may be repeated)")
    grade.add_argument("--force", action="store_true", help="grade again what has been graded")
    grade.set_defaults(command=_grade)
    report = commands.add_parser(
        "report", help="write reports/CHAPTER.html and .csv: how the class did, from the gradebook"
    )
    report.add_argument("chapter", help="for example 03_laplace; grade it first")
    report.set_defaults(command=_report)
    demo = commands.add_parser("grade-demo", help="make a small class in demo/ and grade it")
    demo.set_defaults(command=_demo)
    return parser


def _build(options: argparse.Namespace) -> int:
    from autograder.build import BuildError, build, differences

    try:
        if options.check:
            found = differences(options.root)
            for difference in found:
                print(difference)
            print(f"{len(found)} out of step" if found else "course, source and release agree")
            return bool(found)
        written = build(options.root, options.chapter)
        for path in written:
            print(path.relative_to(options.root))
        print(f"{len(written)} written")
    except BuildError as error:
        print(f"cannot build: {error}", file=sys.stderr)
        return 1
    return 0


def _lab(options: argparse.Namespace) -> int:
    from autograder.lab import run

    return run(options.root, options.rest)


def _grade(options: argparse.Namespace) -> int:
    from autograder.classroom import GradingError, grade

    try:
        outcomes = grade(
            options.chapter, root=options.root, students=options.student, force=options.force
        )
    except GradingError as error:
        print(f"cannot grade: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # grade has said so
        return 130
    return not all(outcome.graded for outcome in outcomes)


def _report(options: argparse.Namespace) -> int:
    from autograder.classroom import GradingError
    from autograder.classroom.report_class import report

    try:
        for path in report(options.chapter, root=options.root):
            print(path)
    except GradingError as error:
        print(f"cannot report: {error}", file=sys.stderr)
        return 1
    return 0


def _demo(options: argparse.Namespace) -> int:
    from autograder.classroom.demo import run

    return run(options.root)
