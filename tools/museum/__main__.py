"""Make docs/museum.md: install each release, draw, judge. `make museum` runs it.

What is installed already is not installed again. What cannot be installed is named, loudly, and
the exit status is 1; the page is written all the same, and says so too.
"""

import argparse
import sys
from pathlib import Path

from tools.museum.environments import Pythons
from tools.museum.exhibits import EXHIBITS, NEWEST, Mechanism
from tools.museum.judging import Found, judged
from tools.museum.page import page

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "museum"
PAGE = ROOT / "docs" / "museum.md"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="museum", description=__doc__)
    parser.add_argument("--only", default="", help="what has this in its name; writes no page")
    parser.add_argument("--python", action="append", default=[], help="a Python to use")
    parser.add_argument("--kept", action="store_true", help="judge the draws of the last time")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [
        each
        for each in (*EXHIBITS, *NEWEST)
        if options.only in f"{each.environment} {each.sampler}"
    ]
    if not wanted:
        parser.error(f"nothing has {options.only!r} in its name")
    pythons = Pythons(options.python)
    found = [
        (each, _told(each, judged(each, FOLDER, pythons, kept=options.kept))) for each in wanted
    ]
    if not options.only:
        PAGE.write_text(page(found), "utf-8")
        print(f"written: {PAGE.relative_to(ROOT)}")
    return int(any(isinstance(each, str) for _, each in found))


def _told(shown: Mechanism, found: Found | str) -> Found | str:
    name = f"{shown.environment} {shown.sampler}"
    if isinstance(found, str):
        print(f"NOT JUDGED HERE: {name}: {found}", flush=True)
    elif found.result:
        print(f"{name}: passed, {found.made:,} draws", flush=True)
    else:
        print(f"{name}: REJECTED after {found.rejected_after:,} draws", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
