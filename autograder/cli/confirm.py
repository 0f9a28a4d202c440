"""Whether to write what a command has shown, and where."""

import argparse
import sys
from pathlib import Path

from autograder.problem import Problem


def confirmed(options: argparse.Namespace) -> bool:
    """Tell whether to write: by an option, or by an answer at the terminal."""
    if options.yes or not sys.stdin.isatty():
        return options.yes
    return input("Write this? [y/N] ").strip().lower() in ("y", "yes")


def wanted(options: argparse.Namespace) -> bool:
    """Tell whether to write; if not, say that nothing was written, and how it would be."""
    if not confirmed(options):
        print("Nothing was written. At a terminal you are asked; --yes writes without asking.")
        return False
    return True


def output(options: argparse.Namespace, default: Path) -> Path:
    """Return the file to write. Only the default's folder is made: another one was mistyped."""
    if options.output and not options.output.resolve().parent.is_dir():
        raise Problem(f"there is no folder {options.output.parent} for {options.output.name}")
    return options.output or default
