"""Wrong answers and right styles for every exercise, one file a chapter, as data for tests.

Each file has WRONG[exercise], a list of (answer, fragment of the sentence that must come), and
RIGHT[exercise], a list of answers. Where two mistakes look alike to a check there are several
fragments, the right name first.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autograder import check

__all__ = ["ZOO", "Zoo", "fragments", "sentence"]


@dataclass(frozen=True)
class Zoo:
    """All answers by exercise; `chapter` says from which file."""

    wrong: dict[str, list[tuple[Callable, str | tuple[str, ...]]]] = field(default_factory=dict)
    right: dict[str, list[Callable]] = field(default_factory=dict)
    chapter: dict[str, str] = field(default_factory=dict)

    def add(self, path: Path) -> None:
        """Take in one file."""
        answers = runpy.run_path(str(path))
        if answers["WRONG"].keys() != answers["RIGHT"].keys():
            raise ValueError(f"{path.name}: WRONG and RIGHT name different exercises")
        for name in answers["WRONG"]:
            self.wrong[name], self.right[name] = answers["WRONG"][name], answers["RIGHT"][name]
            self.chapter[name] = path.stem


ZOO = Zoo()
for _path in sorted(Path(__file__).parent.glob("[0-9]*.py")):
    ZOO.add(_path)


def fragments(words: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the fragments of which one must come, the right name first."""
    return (words,) if isinstance(words, str) else words


def sentence(name: str, answer: Callable) -> str:
    """Return what the check says about an answer; fail the test if it passes."""
    with pytest.raises(check.CheckFailure) as failure:
        getattr(check, name)(answer)
    return str(failure.value)
