"""The claims, one module each, named as the exercise: law, settings, catalogue with its sentences.

A new exercise is one new file here with a `CLAIM`; nothing else has to know of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from autograder.check.claim import Claim

__all__ = ["CLAIMS"]


class _Claims(Mapping[str, Claim]):
    """The claims by name, each loaded when it is first asked for: a notebook needs only a few."""

    def __init__(self):
        files = Path(__file__).parent.glob("[!_]*.py")
        self._names = sorted(path.stem for path in files)

    def __getitem__(self, name: str) -> Claim:
        if name not in self._names:
            raise KeyError(name)
        return import_module(f"{__name__}.{name}").CLAIM

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


CLAIMS: Mapping[str, Claim] = _Claims()
