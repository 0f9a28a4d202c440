"""Which of several explanations of a departure is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Draws depend on each other if no law alone explains them within so many nats.
_DEPENDS = 8.0
# From this many nats on, a part explains a departure by itself.
SPEAKS = 12.0


@dataclass(frozen=True)
class Explanation:
    """The best explanation of the draws: the part's kind, the alternative's name, the setting."""

    kind: str
    name: str = ""
    setting: int = 0


def by_itself(parts: Sequence[Any], heights: Sequence[float], loudest: int) -> int:
    """Return the place of the best explanation, where one draw says nothing of the next.

    A wrong law shows in what follows what as well: dependence must explain much more than any law,
    and more than independent draws of the same shares would show by chance.
    """
    if parts[loudest].kind != "dependence":
        return loudest
    # Entries of one draw follow each other, too: what they have in common is told of them.
    within = [place for place, part in enumerate(parts) if part.kind == "entries"]
    if within and heights[within[0]] > SPEAKS:
        return within[0]
    laws = [place for place, part in enumerate(parts) if part.kind == "free"]
    best = max(laws, key=heights.__getitem__, default=loudest)
    near = heights[best] > heights[loudest] - _DEPENDS
    return best if near or parts[loudest].beyond_shares() < _DEPENDS else loudest
