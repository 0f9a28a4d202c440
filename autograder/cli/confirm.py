"""Whether to write what a command has shown."""

import argparse
import sys


def confirmed(options: argparse.Namespace) -> bool:
    """Tell whether to write: by an option, or by an answer at the terminal."""
    if options.yes or not sys.stdin.isatty():
        return options.yes
    return input("Write this? [y/N] ").strip().lower() in ("y", "yes")


def wanted(options: argparse.Namespace) -> bool:
    """Tell whether to write; if not, say that nothing was written, and how it is."""
    if not confirmed(options):
        print("Nothing was written. With --yes it is.")
        return False
    return True
