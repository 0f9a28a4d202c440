"""A ledger of privacy losses: it adds up, and refuses the release that would overspend."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.composition._guarantees import as_epsilon, guarantee
from autograder.check.claims.composition._ledgers import (
    PrivacyLedger,
    in_turn,
    read,
    run,
    show,
    situation,
)
from autograder.check.claims.composition._wrong_ledgers import (
    Closes,
    ClosesAfterOthers,
    CountsTheRefused,
    CutsDown,
    KeepsTheLastOfALabel,
    RefusesInSilence,
    SharesOneAccount,
    WritesOthersDown,
    accepting,
    refusing_if,
)
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims

NAME = "privacy_ledger"
_NO_ROUNDING = 1e-5  # of the budget: what is above it is spent


def of_ledgers(**more) -> FunctionClaim:
    """Return a claim about what happens to releases that are asked for one after another."""
    given = {"name": NAME, "library": "PrivacyLedger", "use": run, "situation": situation}
    return FunctionClaim(PrivacyLedger, **given, **more)


SCRIPTS = of_ledgers(read=read, show=show, in_turn=in_turn, absolute=1e-9)


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


@SCRIPTS.designed
def long(rng):
    """Many steps, and budgets that are small or large."""
    tiny = float(f"{10 ** rng.uniform(-3.5, -2.5):.2g}")  # less than a hundred-thousandth
    for budget in (tiny, 2, 1_000, 400_000):
        excess = budget * rng.uniform(1.5e-5, 3e-5)
        over = [(0, budget + excess), (0, budget * 0.75), (0, budget * 0.25 + excess)]
        yield "a budget of another size", script([budget], over)
    step = int(rng.integers(2, 6))
    yield "more than 100 releases", script([120 * step], [(0, step)] * 122)
    yield "a release of the whole budget", script([700], [(0, 700), (0, 1)])
    # Off by a rounding before anything is added up: 3 * 0.1 and 1 - 0.9 are no decimals.
    whole, product = product_that_rounds_up(rng)
    spent = {"steps": [(0, guarantee(product)), (0, guarantee(whole / 10))]}
    yield "an epsilon that was computed", {"budgets": [guarantee(whole)], **spent}
    part = int(rng.choice([8, 9]))  # 1 - 0.8 is below 0.2, 1 - 0.9 below 0.1
    left = {"budgets": [guarantee(1 - part / 10)], "steps": [(0, guarantee((10 - part) / 10))]}
    yield "a budget that was computed", left


def script(
    budgets: list[int], steps: list[tuple[int, float]], neighbors: str = "add_remove"
) -> dict:
    def of(thousandths: float) -> Any:
        return guarantee(float(f"{thousandths / 1000:.9g}"), neighbors)  # short to read

    return {
        "budgets": [of(budget) for budget in budgets],
        "steps": [(ledger, of(thousandths)) for ledger, thousandths in steps],
    }


def decimals_that_round_up(rng: np.random.Generator) -> tuple[int, int]:
    """Return two numbers of thousandths whose sum, in floats, exceeds the float of their sum."""
    while True:
        one, other = (int(each) * 10 for each in rng.integers(10, 60, 2))
        if one / 1000 + other / 1000 > (one + other) / 1000:
            return one, other


def product_that_rounds_up(rng: np.random.Generator) -> tuple[float, float]:
    """Return a decimal, and a product that exceeds it as a float: 0.3 and 3 * 0.1."""
    while True:
        times, hundredths = map(int, rng.integers(3, 60, 2))
        if times * (hundredths / 100) > times * hundredths / 100:
            return times * hundredths / 100, times * (hundredths / 100)


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
    "the sum is rounded to two decimals before it is compared",
    "of a sum that is too large, how much does your rounding take away?",
    refusing_if(
        lambda ledger, epsilon: round(ledger.total() + epsilon, 2) > round(ledger.budget, 2)
    ),
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
    "of the releases with one label only the last counts",
    "under what do you keep a release? May two of them have the same label, or none?",
    KeepsTheLastOfALabel,
)
SCRIPTS.mistake(
    "all ledgers share one account",
    "is the list made once for the class, or once for each ledger?",
    SharesOneAccount,
)


NEIGHBORS = of_ledgers(read=read, show=show, in_turn=in_turn, absolute=1e-9)


@NEIGHBORS.inputs
def other_neighbors(rng):
    """A release for other neighbors: the first of all, and between two that are accepted."""
    for own, others in (("add_remove", "replace_one"), ("replace_one", "add_remove")):
        for place in (0, 1):
            parts = [(0, int(each)) for each in rng.integers(50, 300, 3)]
            given = script([1000], [*parts, (0, 950)], own)
            given["steps"][place] = 0, guarantee(parts[place][1] / 1000, others)
            yield given


for price, times in {"": 1, ", and booked at twice its epsilon": 2}.items():
    NEIGHBORS.mistake(
        f"a release for other neighbors is accepted{price}",
        "what would the sum of the two promise, and for which pairs of tables?",
        accepting(times),
    )
NEIGHBORS.mistake(
    "a release for other neighbors is refused, and counted",
    "what has to be looked at before the release is written down?",
    WritesOthersDown,
)
NEIGHBORS.mistake(
    "after a release for other neighbors everything is refused",
    "a refused release leaves the ledger as it was: was it written down before it was refused?",
    ClosesAfterOthers,
)


def read_crumbs(record: list[list[Any]], given: dict) -> float:
    """Return 0: after the whole budget a crumb may be refused, or accepted and counted.

    However many there are, what they cost together is no rounding error any more.
    """
    before, crumb = 0.0, given["steps"][1][1].epsilon
    for refused, spent, _ in record:
        after = as_epsilon(spent, "`spent`")
        if not refused and after <= before:
            raise BadAnswer(
                "an accepted release is not written down in full",
                seen=f"after the whole budget, {crumb:.3g} was accepted, and `spent` stayed",
                ask="how often may somebody spend that much, if `spent` does not grow?",
            )
        before = after
    if before > given["budgets"][0].epsilon * (1 + _NO_ROUNDING):
        raise BadAnswer(
            "a little more than the budget may be spent again and again",
            seen=f"after the whole budget, {crumb:.3g} was accepted {len(record) - 1} times",
            ask="what is compared with the budget: the new release, or all of them together?",
        )
    return 0.0


CRUMBS = of_ledgers(read=read_crumbs)


@CRUMBS.inputs
def crumbs(rng):
    for budget in (2, 1_000, 400_000):
        yield script([budget], [(0, budget), (0, budget * 4e-10)])
    yield script([700], [(0, 700), *[(0, 700 * rng.uniform(7e-7, 9e-7))] * 20])


CLAIM = SeveralClaims(
    name=NAME,
    about=SCRIPTS.about,
    library="PrivacyLedger",
    established="it adds up, refuses what would overspend and keeps its state: right in all",
    parts=(SCRIPTS, NEIGHBORS, CRUMBS),
)
