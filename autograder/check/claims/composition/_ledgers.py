"""What is done with a ledger, and what is read of it."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.composition._guarantees import as_epsilon, guarantee

# What a step is recorded as: whether it was refused, what is spent after it, and what `spend`
# returned (this, when it returned nothing that can be read because it was refused).
NOTHING = -1.0


class PrivacyLedger:
    """What was spent, and what may still be.

    `spend(guarantee, label)` returns what all releases cost together, or raises ValueError;
    `spent` is that sum, None before the first release. Guarantees are `dplib.PureDP`.
    """

    def __init__(self, budget):
        self.budget, self.neighbors, self.parts = budget.epsilon, budget.neighbors, []

    @property
    def spent(self):
        return guarantee(self.total(), self.neighbors) if self.parts else None

    def total(self):
        return math.fsum(self.parts)

    def over(self, epsilon):
        """Say whether one more release would overspend, by more than a rounding."""
        return self.total() + epsilon > self.budget * (1 + 1e-9)

    def spend(self, cost, label=""):
        if cost.neighbors != self.neighbors or self.over(cost.epsilon):
            raise ValueError(label)
        self.parts.append(cost.epsilon)
        return self.spent


def run(ledger_class: Callable, budgets: Sequence, steps: Sequence) -> list[list[Any]]:
    """Return, for each step: whether it was refused, `spent` after it, what `spend` returned."""
    ledgers = [ledger_class(budget) for budget in budgets]
    record = []
    for place, cost in steps:
        try:
            label = () if len(record) % 3 == 2 else ("a question",)  # it may be left out
            refused, total = 0.0, ledgers[place].spend(cost, *label)
        except NotImplementedError:
            raise
        except ValueError:
            refused, total = 1.0, None
        record.append([refused, ledgers[place].spent, total])
    return record


def read(record: list[list[Any]], given: dict) -> np.ndarray:
    """Return the record as numbers, or raise BadAnswer."""
    rows, before = [], [0.0] * len(given["budgets"])
    for (place, cost), (refused, spent, total) in zip(given["steps"], record, strict=True):
        neighbors = given["budgets"][place].neighbors
        if cost.neighbors != neighbors and getattr(spent, "neighbors", "") == cost.neighbors:
            raise _accepted_for_others(cost, neighbors)
        if refused and not before[place] and isinstance(spent, int | float):
            raise BadAnswer(
                "before the first release `spent` is not None",
                seen=f"it is {spent:g}, and the one that was asked for is refused",
                ask="what does the task say that `spent` is then?",
            )
        after = 0.0 if spent is None else _sum(spent, neighbors)
        # Silence about a refusal: nothing was written down, and nothing that counts came back.
        silent = not refused and math.isclose(after, before[place]) and not total
        returned = NOTHING if refused or silent else as_epsilon(total, "`spend`")
        rows.append([refused, after, returned])
        before[place] = after
    return np.array(rows)


def _accepted_for_others(cost: Any, neighbors: str) -> BadAnswer:
    return BadAnswer(
        "a release for other neighbors is accepted",
        seen=f"the budget is for {neighbors}: spend({_said(cost, neighbors)}) should be refused "
        "with a ValueError, yours raises none",
        ask="which line compares the neighbors of a release with the budget's, at the first "
        "release, too?",
    )


def _sum(spent: Any, neighbors: str) -> float:
    """Return the epsilon of `spent`, or raise BadAnswer if it is for other neighbors."""
    epsilon = as_epsilon(spent, "`spent`")
    if spent.neighbors != neighbors:
        raise BadAnswer(
            "the sum is for other neighbors than its parts",
            seen=f"the budget and its releases are for {neighbors}, `spent` is for "
            f"{spent.neighbors}",
            ask="which neighbors does `PureDP(epsilon)` stand for, if none are named?",
        )
    return epsilon


def in_turn(first: np.ndarray, second: np.ndarray, given: dict) -> tuple[str, str]:
    """Return what became of the first step that went another way in another run, in words."""
    place, words = _first_apart(first, second, given)
    one, other = (
        "refused" if row[0] else f"accepted, with {row[1]:g} spent"
        for row in (first[place], second[place])
    )
    return words + one, other


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return the first step that went another way, in words."""
    place, words = _first_apart(wanted, came, given)
    if wanted[place, 0] != came[place, 0]:
        if wanted[place, 0]:
            return f"{words}should be refused with a ValueError, yours raises none"
        return f"{words}should be accepted, yours refuses it"
    if not np.isclose(wanted[place, 1], came[place, 1]):
        return f"{words}should leave {wanted[place, 1]:g} spent, yours says {came[place, 1]:g}"
    return f"{words}should return {wanted[place, 2]:g}, yours returns {came[place, 2]:g}"


def _first_apart(one: np.ndarray, other: np.ndarray, given: dict) -> tuple[int, str]:
    """Return the place of the first step in which two records differ, and the step in words."""
    place = int(np.argmax(np.any(~np.isclose(one, other, rtol=1e-6, atol=1e-9), axis=1)))
    ledger, cost = given["steps"][place]
    neighbors = given["budgets"][ledger].neighbors
    earlier = [_said(each, neighbors) for which, each in given["steps"][:place] if which == ledger]
    words = f"after {', '.join(earlier)}, " if earlier else ""
    return place, f"{words}spend({_said(cost, neighbors)}) "


def _said(cost, neighbors: str) -> str:
    """Return a guarantee in words, with its neighbors if they are not these."""
    others = f" for {cost.neighbors}" if cost.neighbors != neighbors else ""
    words = f"{cost.epsilon:.9g}"
    # What differs in its last bits only is shown whole: a sum of floats may be refused for them.
    off = abs(float(words) - cost.epsilon)
    return (repr(float(cost.epsilon)) if 0 < off < 1e-12 * cost.epsilon else words) + others


def situation(given: dict) -> str:
    return f"budget {' and '.join(_said(each, 'add_remove') for each in given['budgets'])}"
