"""Measures all attacks on both graders, and writes down what was seen.

Run as `python everything.py FOLDER COURSE`, with a course that `class_under_attack` has made.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import nbgrader_record
import runs
from attack import Measured
from battery import BATTERY, GROUPS

# Here it can matter who runs the grader. The other attacks aim at the sanitiser and the second
# opinion, which know nothing of it.
_WHO_MATTERS = (
    "The files that are handed in",
    "Odd, and harmless",
    "The machine, the course, and the others",
    "Too much of everything",
    "The grader's own process, and its pages",
)
AS_ROOT = [attack.name for title in _WHO_MATTERS for attack in GROUPS[title]]


def main(folder: Path, made: Path, names: Sequence[str], *, plain: bool = True) -> None:
    """Measure these attacks on copies of a course; write `plain.json` (if wished) and `ours.json`.

    What plain nbgrader does is not measured again where the record of it holds.
    """
    attacks, port = [BATTERY[name] for name in names], runs.free_port()
    if plain:
        known = nbgrader_record.read() or runs.plain(made, folder / "plain", attacks, port)
        known.write(folder / "plain.json")
    runs.ours(made, folder / "ours", attacks, port).write(folder / "ours.json")


def read(folder: Path) -> tuple[Measured, Measured]:
    """Return what was written."""
    return Measured.read(folder / "plain.json"), Measured.read(folder / "ours.json")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), list(BATTERY))
