"""The chapters in a folder, and what of each has passed."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.progress.kept import kept

CHECKED = re.compile(r"\bcheck\.(\w+)\(")
_HEADING = re.compile(r"^# +(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Chapter:
    """A chapter and its checked exercises.

    Attributes:
      name: of its folder and its notebook.
      title: as the notebook opens.
      shares: of the points of each exercise, in order; 0 where its check has not passed.
    """

    name: str
    title: str
    shares: tuple[float, ...]

    @property
    def passed(self) -> int:
        """How many exercises have passed, whole or in part."""
        return sum(share > 0 for share in self.shares)

    @property
    def share(self) -> float:
        """The part of the chapter that has passed."""
        return sum(self.shares) / len(self.shares)

    def __str__(self) -> str:
        return f"{self.passed} of {len(self.shares)} exercises"


def chapters(folder: Path) -> list[Chapter]:
    """Return the chapters with exercises in a folder, such as release/, in order."""
    found = (chapter(each) for each in sorted(folder.glob("*/")))
    return [each for each in found if each]


def chapter(folder: Path) -> Chapter | None:
    """Return the chapter whose notebook lies in a folder; None if none with exercises does."""
    name = folder.resolve().name
    try:
        cells = json.loads((folder / f"{name}.ipynb").read_text("utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        exercises = list(dict.fromkeys(_exercises(cells, sources)))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if not exercises:
        return None
    heading = _HEADING.search("\n".join(sources))
    done = kept(folder)
    shares = tuple(done.get(each, 0.0) for each in exercises)
    return Chapter(name, heading[1] if heading else name, shares)


def _exercises(cells: list[Mapping], sources: list[str]) -> Iterator[str]:
    """Yield the checks that a chapter's test cells call."""
    for cell, source in zip(cells, sources, strict=True):
        if (cell["metadata"].get("nbgrader") or {}).get("grade"):
            yield from CHECKED.findall(source)
