"""Guarantees as values: dplib's own, made for a claim's arguments and read from its answers."""

from typing import Any

from autograder.check.answers import BadAnswer


def guarantee(epsilon: float, neighbors: str = "add_remove"):
    """Return a pure guarantee: what an answer is given."""
    # Imported here: checks without guarantees do without the library.
    from dplib import PureDP

    return PureDP(epsilon, neighbors)


def as_epsilon(answer: Any, what: str) -> float:
    """Return the epsilon of a pure guarantee, or raise BadAnswer; `what` names where it came."""
    from dplib import PureDP

    if answer is None:
        raise BadAnswer(
            f"{what} returns nothing",
            ask="what should come back: what is spent, or what is left? Does every path return it?",
        )
    if not isinstance(answer, PureDP):
        words = " ".join(repr(answer).split())[:60]
        raise BadAnswer(
            "a guarantee is wanted, a PureDP",
            seen=f"{what} gives {words}, of type {type(answer).__name__}",
            ask="which neighbors go with this number? `PureDP(epsilon, neighbors)` holds both.",
        )
    return float(answer.epsilon)
