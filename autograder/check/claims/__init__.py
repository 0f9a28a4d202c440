"""The claims, one module each, named as the exercise: law, settings, catalogue with its sentences.

A folder holds the claims of one topic. A new exercise is one new file there with a `CLAIM`; nothing
else has to know of it. A module whose name begins with _ is shared by claims.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from autograder.check.claim import Claim


class _Claims(Mapping[str, Claim]):
    """The claims by name, each loaded when it is first asked for: a notebook needs only a few."""

    def __init__(self):
        files = sorted(Path(__file__).parent.glob("*/[!_]*.py"), key=lambda path: path.stem)
        self._topics = {path.stem: path.parent.name for path in files}

    def __getitem__(self, name: str) -> Claim:
        return import_module(f"{__name__}.{self._topics[name]}.{name}").CLAIM

    def topic(self, name: str) -> str:
        """Return the topic of an exercise: the folder that its claim lies in."""
        return self._topics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._topics)

    def __len__(self) -> int:
        return len(self._topics)


CLAIMS = _Claims()
