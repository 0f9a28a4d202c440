"""Whose programs or questions an answer is about."""

import hashlib
from typing import Any

from autograder.check.answers import BadAnswer, shortened
from autograder.check.leaks.fixed_chance import FixedChance

EXAMPLE = "karrie trusslove"  # whose tasks the text shows; nobody answers in that name


def plain(name: str) -> str:
    """Return a name without what does not matter: capital letters and blanks around words."""
    return " ".join(name.casefold().split())


def chance_of(name: str) -> FixedChance:
    """Return the chance that a name has: the same at every call, everywhere."""
    return FixedChance(int.from_bytes(hashlib.sha256(plain(name).encode()).digest()))


def raise_unless_named(name: Any) -> None:
    """Raise BadAnswer if what stands in the name's place is none."""
    if not isinstance(name, str) or not name.strip():
        raise BadAnswer(
            "your name is missing",
            seen=f"the first of the four is {shortened(name)}",
            ask="with which name did you draw your tasks? It comes first.",
        )
