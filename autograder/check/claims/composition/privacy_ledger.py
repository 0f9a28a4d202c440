"""A ledger of privacy losses: it adds up, and refuses the release that would overspend."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.check.claims.composition._guarantees import as_epsilon, guarantee
from autograder.check.door import BadAnswer
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims

__all__ = ["CLAIM"]

# What a step is recorded as: whether it was refused, what is spent after it, and what `spend`
# returned (this, when it returned nothing that can be read because it was refused).
NOTHING = -1.0


class PrivacyLedger:
    """What was spent, and what may still be.

    `spend(guarantee, label)` returns what all releases cost together, or raises ValueError;
    `spent` is that sum, None before the first release. Guarantees are `dplib.PureDP`.
    """

    def __init__(self, budget):
        self.budget, self.parts = budget.epsilon, []

    @property
    def spent(self):
        return guarantee(self.total()) if self.parts else None

    def total(self):
        return math.fsum(self.parts)

    def over(self, epsilon):
        """Say whether one more release would overspend, by more than a rounding."""
        return self.total() + epsilon > self.budget * (1 + 1e-9)

    def spend(self, cost, label):
        if cost.neighbors != "add_remove" or self.over(cost.epsilon):
            raise ValueError(label)
        self.parts.append(cost.epsilon)
        return self.spent


def run(ledger_class: Callable, budgets: Sequence, steps: Sequence) -> list[list[Any]]:
    """Return, for each step: whether it was refused, `spent` after it, what `spend` returned."""
    ledgers = [ledger_class(budget) for budget in budgets]
    record = []
    for place, cost in steps:
        try:
            refused, total = 0.0, ledgers[place].spend(cost, "a question")
        except NotImplementedError:
            raise
        except ValueError:
            refused, total = 1.0, None
        record.append([refused, ledgers[place].spent, total])
    return record


def read(record: list[list[Any]], given: dict) -> np.ndarray:
    """Return the record as numbers, or raise BadAnswer."""
    rows, before = [], [0.0] * len(given["budgets"])
    for (place, _), (refused, spent, total) in zip(given["steps"], record, strict=True):
        after = 0.0 if spent is None else as_epsilon(spent, "`spent`")
        # Silence about a refusal: nothing was written down, and nothing that counts came back.
        silent = not refused and math.isclose(after, before[place]) and not total
        returned = NOTHING if refused or silent else as_epsilon(total, "`spend`")
        rows.append([refused, after, returned])
        before[place] = after
    return np.array(rows)


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return the first step that went another way, in words."""
    place = int(np.argmax(np.any(~np.isclose(wanted, came, rtol=1e-6, atol=1e-9), axis=1)))
    ledger, cost = given["steps"][place]
    earlier = [f"{each.epsilon:g}" for which, each in given["steps"][:place] if which == ledger]
    words = f"after {', '.join(earlier)}, " if earlier else ""
    words += f"spend({cost.epsilon:.9g}) "
    if wanted[place, 0] != came[place, 0]:
        if wanted[place, 0]:
            return f"{words}should be refused with a ValueError, yours raises none"
        return f"{words}should be accepted, yours refuses it"
    if not np.isclose(wanted[place, 1], came[place, 1]):
        return f"{words}should leave {wanted[place, 1]:g} spent, yours says {came[place, 1]:g}"
    return f"{words}should return {wanted[place, 2]:g}, yours returns {came[place, 2]:g}"


def situation(given: dict) -> str:
    return f"budget {' and '.join(f'{budget.epsilon:g}' for budget in given['budgets'])}"


NAME = "privacy_ledger"

SCRIPTS = FunctionClaim(
    PrivacyLedger,
    name=NAME,
    library="PrivacyLedger",
    use=run,
    read=read,
    absolute=1e-9,
    situation=situation,
    show=show,
)


@SCRIPTS.inputs
def six(rng):
    """Six scripts, each for one way to go wrong: see the comments.

    A step is the place of a ledger, and the thousandths of epsilon that it is asked to spend.
    """
    one, other = decimals_that_round_up(rng)
    tenth = int(rng.integers(1, 5)) * 50
    start, small = int(rng.integers(300, 450)), int(rng.integers(20, 90))
    # Two decimals whose floating-point sum is above their exact sum, and then nothing is left.
    yield script([one + other], [(0, one), (0, other), (0, 10)])
    # Refused, and then something smaller that fits; twice.
    yield script([start + 400], [(0, start), (0, 401 + small), (0, 300), (0, 101), (0, small)])
    # Too much by more than a hundred-thousandth of the budget, less than a ten-thousandth.
    yield script([start + 500], [(0, start), (0, 500 * (1 + 4e-5)), (0, 500)])
    # More than the budget at once; then two ledgers side by side.
    yield script([700, 900], [(0, 701), (1, 600), (0, 500), (1, 200), (0, 250), (1, 150)])
    # Ten equal steps fit exactly, the eleventh does not.
    yield script([10 * tenth], [(0, tenth)] * 11)
    yield script([1000], [(0, 150), (0, 700), (0, 350), (0, 100), (0, 60)])


def script(budgets: list[int], steps: list[tuple[int, float]]) -> dict:
    return {
        "budgets": [guarantee(budget / 1000) for budget in budgets],
        "steps": [(ledger, guarantee(thousandths / 1000)) for ledger, thousandths in steps],
    }


def decimals_that_round_up(rng: np.random.Generator) -> tuple[int, int]:
    """Return two numbers of thousandths whose sum, in floats, exceeds the float of their sum."""
    while True:
        one, other = (int(each) * 10 for each in rng.integers(10, 60, 2))
        if one / 1000 + other / 1000 > (one + other) / 1000:
            return one, other


def refusing_if(over, **members):
    """Return a ledger that refuses by another rule: over(ledger, epsilon)."""
    return type("Ledger", (PrivacyLedger,), {"over": over, **members})


class CountsTheRefused(PrivacyLedger):
    def spend(self, cost, label):
        over = self.over(cost.epsilon)
        self.parts.append(cost.epsilon)
        if over:
            raise ValueError(label)
        return self.spent


class Closes(PrivacyLedger):
    closed = False

    def over(self, epsilon):
        self.closed = self.closed or super().over(epsilon)
        return self.closed


class RefusesInSilence(PrivacyLedger):
    def spend(self, cost, label):
        return None if self.over(cost.epsilon) else super().spend(cost, label)


class CutsDown(PrivacyLedger):
    def spend(self, cost, label):
        left = self.budget - self.total()
        if left < 1e-12:
            raise ValueError(label)
        return super().spend(guarantee(min(cost.epsilon, left)), label)


class SharesOneAccount(PrivacyLedger):
    # One list for the ledgers of a script: they are made at once, then the steps follow.
    common, stepping = (), True

    def __init__(self, budget):
        super().__init__(budget)
        if SharesOneAccount.stepping:
            SharesOneAccount.common, SharesOneAccount.stepping = self.parts, False
        self.parts = SharesOneAccount.common

    def spend(self, cost, label):
        SharesOneAccount.stepping = True
        return super().spend(cost, label)


BEFORE = "what has to be compared with the budget before the release is written down?"
REFUSED = "a refused release is not made: what does it cost?"
EXACT = "may the whole budget be spent? And what does Python say to 0.1 + 0.2 <= 0.3?"

SCRIPTS.mistake("it never refuses", BEFORE, refusing_if(lambda ledger, epsilon: False))
SCRIPTS.mistake("a refused release is counted", REFUSED, CountsTheRefused)
SCRIPTS.mistake("after one refusal everything is refused", REFUSED, Closes)
SCRIPTS.mistake(
    "it refuses without raising an error",
    "how does the caller of `spend` learn that the release must not be made?",
    RefusesInSilence,
)
SCRIPTS.mistake(
    "a release is cut down to what is left",
    "which noise will the release have, and what does that noise cost?",
    CutsDown,
)
SCRIPTS.mistake(
    "the last bit of the budget cannot be spent",
    EXACT,
    refusing_if(lambda ledger, epsilon: ledger.total() + epsilon >= ledger.budget * (1 - 1e-9)),
)
SCRIPTS.mistake(
    "a rounding error counts as overspending",
    EXACT,
    refusing_if(lambda ledger, epsilon: sum([*ledger.parts, epsilon]) > ledger.budget),
)
SCRIPTS.mistake(
    "a small overspending is allowed",
    "how large can a rounding error be, and how much do you let through?",
    refusing_if(lambda ledger, epsilon: ledger.total() + epsilon > ledger.budget * (1 + 1e-4)),
)
SCRIPTS.mistake(
    "only the new release is compared with the budget",
    BEFORE,
    refusing_if(lambda ledger, epsilon: epsilon > ledger.budget * (1 + 1e-9)),
)
SCRIPTS.mistake(
    "the new release is left out of the comparison",
    BEFORE,
    refusing_if(lambda ledger, epsilon: ledger.total() >= ledger.budget * (1 - 1e-9)),
)
SCRIPTS.mistake(
    "it refuses one release too late",
    BEFORE,
    refusing_if(lambda ledger, epsilon: ledger.total() > ledger.budget * (1 + 1e-9)),
)
SCRIPTS.mistake(
    "the largest release counts, not the sum",
    "the releases are about the same people: which composition is that?",
    refusing_if(
        lambda ledger, epsilon: epsilon > ledger.budget * (1 + 1e-9),
        total=lambda ledger: max(ledger.parts),
    ),
)
SCRIPTS.mistake(
    "only the latest release is kept",
    "what happens to the earlier releases when you write down the next one?",
    refusing_if(
        lambda ledger, epsilon: epsilon > ledger.budget * (1 + 1e-9),
        total=lambda ledger: ledger.parts[-1],
    ),
)
SCRIPTS.mistake(
    "all ledgers share one account",
    "is the list made once for the class, or once for each ledger?",
    SharesOneAccount,
)


def read_refusal(record: list[list[Any]], given: dict) -> float:
    refused, spent, _ = record[0]
    if not refused or spent is not None:
        raise BadAnswer(
            "a release for other neighbors is accepted",
            seen="the budget is for add_remove, the release for replace_one",
            ask="what would the sum of the two promise, and for which pairs of tables?",
        )
    return refused


NEIGHBORS = FunctionClaim(
    PrivacyLedger,
    name=NAME,
    library="PrivacyLedger",
    use=run,
    read=read_refusal,
    situation=situation,
)


@NEIGHBORS.inputs
def other_neighbors(rng):
    cost = guarantee(round(float(rng.uniform(0.1, 0.5)), 2), "replace_one")
    return [{"budgets": [guarantee(1.0)], "steps": [(0, cost)]}]


CLAIM = SeveralClaims(
    name=NAME,
    about=SCRIPTS.about,
    library="PrivacyLedger",
    established="it adds up, refuses what would overspend and keeps its state: right in 7 scripts",
    parts=(SCRIPTS, NEIGHBORS),
)
