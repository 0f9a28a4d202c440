"""The commands that make chapters and hand them to students."""

import argparse
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.cli.confirm import output
from autograder.cli.status import DONE, LOOK, NOT_DONE

CHAPTER = "for example 03_laplace"
_NEXT = "look for ✎ in these files and write your own, then `make build` and `make test`."


def add(commands: argparse._SubParsersAction) -> None:
    """Add the commands to the parser of `autograder`."""
    one = command(commands, "build", build, "make source/ and release/ from course/")
    add_chapters(one)
    one.add_argument("--check", action="store_true", help="change nothing; fail if out of step")
    one.add_argument(
        "--force", action="store_true", help="overwrite notebooks of source/ that were edited"
    )
    _add_adopt(commands)
    _add_bundle(commands)
    words = "open JupyterLab on the release chapters; other options go to JupyterLab"
    command(commands, "lab", lab, words)
    words = "say which exercises have passed on this machine, by chapter"
    one = command(commands, "progress", progress, words)
    one.add_argument(
        "folder", nargs="?", type=Path, help="where the chapters are (default: release/)"
    )
    one = command(commands, "new-chapter", new_chapter, "begin a chapter that builds and checks")
    one.add_argument("name", help="two digits and words, for example 18_shuffling")
    _add_any_number(one, "exercise", "names of its exercises (default: four to rename)")
    one = command(commands, "new-exercise", new_exercise, "add an exercise to a chapter")
    one.add_argument("chapter", help=CHAPTER)
    one.add_argument("name", help="the function that students write, for example noisy_count")
    one.add_argument(
        "--noise", action="store_true", help="its answers are random: begin with noise on a number"
    )


def _add_adopt(commands: argparse._SubParsersAction) -> None:
    one = command(
        commands, "adopt", adopt, "bring an edit of a notebook in source/ back to course/"
    )
    one.add_argument("chapter", help=CHAPTER)
    one.add_argument(
        "--force", action="store_true", help="take the notebook even if the text was edited too"
    )
    one.add_argument(
        "--untried", action="store_true", help="do not try the notebook's answers with its tests"
    )


def _add_bundle(commands: argparse._SubParsersAction) -> None:
    one = command(commands, "bundle", bundle, "make a zip file for students, without solutions")
    add_chapters(one)
    one.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the zip file to write (default: dist/privacy-workbook.zip)",
    )
    _add_open(one)
    one = command(
        commands, "publish", publish, "make the public repository: no answers, no history"
    )
    one.add_argument("folder", type=Path, help="new, empty, or made by this command before")
    add_chapters(one)
    words = "where it will be, https://…: for links to Colab and Binder that work from one notebook"
    one.add_argument("--address", default="", help=words)
    _add_open(one)


def add_chapters(one: argparse.ArgumentParser) -> None:
    """Let a command be about some chapters, or about all."""
    _add_any_number(one, "chapter", f"only these, {CHAPTER} (default: all)")


def _add_any_number(one: argparse.ArgumentParser, name: str, words: str) -> None:
    # Without a default argparse would call it required where another argument is missing.
    one.add_argument(name, nargs="*", default=[], help=words)


def _add_open(one: argparse.ArgumentParser) -> None:
    words = "with the library to read, and so with the functions that exercises ask for"
    one.add_argument("--open", action="store_true", help=words)


def command(
    commands: argparse._SubParsersAction,
    name: str,
    run: Callable[[argparse.Namespace], int],
    words: str,
) -> argparse.ArgumentParser:
    """Add one command, with the function that it runs and its help in a few words."""
    parser = commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.")
    parser.set_defaults(run=run)
    return parser


def build(options: argparse.Namespace) -> int:
    """Make source/ and release/, or say what is out of step."""
    from autograder.authoring.build import build, differences

    if options.check:
        found = differences(options.root)
        for difference in found:
            print(difference)
        print(f"{len(found)} out of step" if found else "course, source and release agree")
        return NOT_DONE if found else DONE
    written = build(options.root, options.chapter, force=options.force)
    _print_paths(options, written)
    print(f"{len(written)} written")
    _say_meaning(options.root, written)
    return DONE


def _say_meaning(root: Path, written: Iterable[Path]) -> None:
    """Say what the new notebooks mean for work that is graded, if any is."""
    chapters = sorted({each.parent.name for each in written if each.suffix == ".ipynb"})
    if chapters and (root / "gradebook.db").exists():
        from autograder.nbgrader.changed_cells import meaning

        for line in meaning(root, chapters):
            print(line)


def adopt(options: argparse.Namespace) -> int:
    """Bring an edit of source/ back to course/."""
    from autograder.authoring.adopt import adopt
    from autograder.authoring.headings import wrong_points

    if not options.untried:
        from autograder.grading.source_tried import refuse

        refuse(options.root, options.chapter)
    written = adopt(options.root, options.chapter, force=options.force)
    _print_paths(options, written)
    if not written:
        print("course/ says all that the notebook says: nothing to bring back")
    wrong = wrong_points(options.root, options.chapter)
    for line in wrong:
        print(line)
    return LOOK if wrong else DONE


def bundle(options: argparse.Namespace) -> int:
    """Make the zip file for students."""
    from autograder.authoring.bundle import bundle

    path = output(options, options.root / "dist" / "privacy-workbook.zip")
    names = bundle(options.root, path, options.chapter, open_library=options.open)
    print(f"{path}: {', '.join(names)} ({path.stat().st_size / 1e6:.1f} MB)")
    print("Its README.md tells students what to do. It holds no solution and no hidden test.")
    if not options.open:
        print("What exercises ask for is sealed in its library: docs/private-answers.md.")
    return DONE


def publish(options: argparse.Namespace) -> int:
    """Make the public repository."""
    from autograder.authoring.publish import publish

    folder = options.folder.resolve()
    how = {"open_library": options.open, "address": options.address}
    names = publish(options.root, folder, options.chapter, **how)
    print(f"{folder}: {', '.join(names)}; one commit, no answers")
    place = shlex.quote(str(folder))
    print(f"To send it: git -C {place} push --force {options.address or 'ADDRESS'} main")
    return DONE


def lab(options: argparse.Namespace) -> int:
    """Open JupyterLab."""
    from autograder.authoring.lab import run

    return run(options.root, options.rest)


def progress(options: argparse.Namespace) -> int:
    """Say how far a learner is."""
    from autograder.progress import chapters, printed

    folder = options.folder or options.root / "release"
    found = chapters(folder)
    print(printed(found) or f"No chapter lies in {folder}")
    return DONE if found else NOT_DONE


def new_chapter(options: argparse.Namespace) -> int:
    """Begin a chapter."""
    from autograder.authoring.scaffold import new_chapter

    _print_paths(options, new_chapter(options.root, options.name, options.exercise))
    rows = "course/README.md, course/00_start.md and docs/glossary.md"
    print(f"Next: {_NEXT} Give the chapter a row in {rows}.")
    return DONE


def new_exercise(options: argparse.Namespace) -> int:
    """Add an exercise."""
    from autograder.authoring.scaffold import new_exercise

    _print_paths(
        options, new_exercise(options.root, options.chapter, options.name, noise=options.noise)
    )
    print(f"Next: {_NEXT} Name the exercise in course/README.md, in its chapter's row.")
    return DONE


def _print_paths(options: argparse.Namespace, paths: list[Path]) -> None:
    for path in paths:
        print(f"{path.relative_to(options.root)}{'' if path.exists() else ' (removed)'}")
