"""A ledger of privacy losses: it adds up, and refuses the release that would overspend."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.check.claims.composition._guarantees import as_epsilon, guarantee
from autograder.check.door import BadAnswer
from autograder.check.several import SeveralClaims
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

# What a step is recorded as: whether it was refused, what is spent after it, and what `spend`
# returned (this, when it returned nothing that can be read because it was refused).
_NOTHING = -1.0


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six scripts, each for one way to go wrong: see the comments.

    A step is the place of a ledger, and the epsilon that it is asked to spend. Decimals are exact:
    `_step` counts in thousandths.
    """
    one, other = _decimals_that_round_up(generator)
    tenth = int(generator.integers(1, 5)) * 50
    start, small = int(generator.integers(300, 450)), int(generator.integers(20, 90))
    return [
        # Two decimals whose floating-point sum is above their exact sum, and then nothing is left.
        _script([one + other], [(0, one), (0, other), (0, 10)]),
        # Refused, and then something smaller that fits; twice.
        _script([start + 400], [(0, start), (0, 401 + small), (0, 300), (0, 101), (0, small)]),
        # Too much by more than a hundred-thousandth of the budget, less than a ten-thousandth.
        _script([start + 500], [(0, start), (0, 500 * (1 + 4e-5)), (0, 500)]),
        # More than the budget at once; then two ledgers side by side.
        _script([700, 900], [(0, 701), (1, 600), (0, 500), (1, 200), (0, 250), (1, 150)]),
        # Ten equal steps fit exactly, the eleventh does not.
        _script([10 * tenth], [(0, tenth)] * 11),
        _script([1000], [(0, 150), (0, 700), (0, 350), (0, 100), (0, 60)]),
    ]


def _script(budgets: list[int], steps: list[tuple[int, float]]) -> dict:
    return {
        "budgets": [budget / 1000 for budget in budgets],
        "steps": [[ledger, thousandths / 1000] for ledger, thousandths in steps],
    }


def _decimals_that_round_up(generator: np.random.Generator) -> tuple[int, int]:
    """Return two numbers of thousandths whose sum, in floats, exceeds the float of their sum."""
    while True:
        one, other = (int(each) * 10 for each in generator.integers(10, 60, 2))
        if one / 1000 + other / 1000 > (one + other) / 1000:
            return one, other


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    budgets = [guarantee(budget) for budget in parameters["budgets"]]
    neighbors = parameters.get("neighbors", "add_remove")
    steps = [(ledger, guarantee(epsilon, neighbors)) for ledger, epsilon in parameters["steps"]]
    return (budgets, steps), {}


def _run(ledger_class: Callable, budgets: Sequence, steps: Sequence) -> list[list[Any]]:
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


def _read(record: list[list[Any]], parameters: dict) -> np.ndarray:
    """Return the record as numbers, or raise BadAnswer."""
    rows, before = [], [0.0] * len(parameters["budgets"])
    for (place, _), (refused, spent, total) in zip(parameters["steps"], record, strict=True):
        after = 0.0 if spent is None else as_epsilon(spent, "`spent`")
        # Silence about a refusal: nothing was written down, and nothing that counts came back.
        silent = not refused and math.isclose(after, before[place]) and not total
        returned = _NOTHING if refused or silent else as_epsilon(total, "`spend`")
        rows.append([refused, after, returned])
        before[place] = after
    return np.array(rows)


class _Account:
    """A ledger in plain numbers, for the reference and its mistakes."""

    def __init__(self, budget: float):
        self.budget, self.parts, self.closed = budget, [], False

    def spent(self) -> float:
        return math.fsum(self.parts)

    def over(self, epsilon: float) -> bool:
        """Say whether one more release would overspend, by more than a rounding."""
        return self.spent() + epsilon > self.budget * (1 + 1e-9)

    def book(self, epsilon: float) -> tuple[float, float]:
        self.parts.append(epsilon)
        return 0.0, self.spent()


# Takes an account and the next epsilon; returns (refused, returned).
_Rule = Callable[[_Account, float], tuple[float, float]]


def _refuse_if(over: Callable[[_Account, float], bool]) -> _Rule:
    def rule(account: _Account, epsilon: float) -> tuple[float, float]:
        return (1.0, _NOTHING) if over(account, epsilon) else account.book(epsilon)

    return rule


def _by(rule: _Rule, *, shared: bool = False, spent=_Account.spent) -> Callable[[dict], np.ndarray]:
    """Return the record of a ledger that follows a rule."""

    def value(parameters: dict) -> np.ndarray:
        accounts = [_Account(budget) for budget in parameters["budgets"]]
        if shared:
            for account in accounts:
                account.parts = accounts[0].parts
        rows = []
        for place, epsilon in parameters["steps"]:
            refused, returned = rule(accounts[place], epsilon)
            total = spent(accounts[place])
            rows.append([refused, total, returned if returned == _NOTHING else total])
        return np.array(rows)

    return value


def _booked_anyway(account: _Account, epsilon: float) -> tuple[float, float]:
    over = account.over(epsilon)
    account.book(epsilon)
    return (1.0, _NOTHING) if over else (0.0, account.spent())


def _closed_for_good(account: _Account, epsilon: float) -> tuple[float, float]:
    account.closed = account.closed or account.over(epsilon)
    return (1.0, _NOTHING) if account.closed else account.book(epsilon)


def _cut_down(account: _Account, epsilon: float) -> tuple[float, float]:
    left = account.budget - account.spent()
    return account.book(min(epsilon, left)) if left > 1e-12 else (1.0, _NOTHING)


def _in_silence(account: _Account, epsilon: float) -> tuple[float, float]:
    return (0.0, _NOTHING) if account.over(epsilon) else account.book(epsilon)


def _largest(account: _Account) -> float:
    return max(account.parts, default=0.0)


def _latest(account: _Account) -> float:
    return account.parts[-1] if account.parts else 0.0


_BEFORE = "what has to be compared with the budget before the release is written down?"
_REFUSED = "a refused release is not made: what does it cost?"
_EXACT = "may the whole budget be spent? And what does Python say to 0.1 + 0.2 <= 0.3?"

_MISTAKES = (
    ValueMistake("it never refuses", _by(_Account.book), _BEFORE),
    ValueMistake("a refused release is counted", _by(_booked_anyway), _REFUSED),
    ValueMistake("after one refusal everything is refused", _by(_closed_for_good), _REFUSED),
    ValueMistake(
        "it refuses without raising an error",
        _by(_in_silence),
        "how does the caller of `spend` learn that the release must not be made?",
    ),
    ValueMistake(
        "a release is cut down to what is left",
        _by(_cut_down),
        "which noise will the release have, and what does that noise cost?",
    ),
    ValueMistake(
        "the last bit of the budget cannot be spent",
        _by(_refuse_if(lambda a, e: a.spent() + e >= a.budget * (1 - 1e-9))),
        _EXACT,
    ),
    ValueMistake(
        "a rounding error counts as overspending",
        _by(_refuse_if(lambda a, e: sum([*a.parts, e]) > a.budget)),
        _EXACT,
    ),
    ValueMistake(
        "a small overspending is allowed",
        _by(_refuse_if(lambda a, e: a.spent() + e > a.budget * (1 + 1e-4))),
        "how large can a rounding error be, and how much do you let through?",
    ),
    ValueMistake(
        "only the new release is compared with the budget",
        _by(_refuse_if(lambda a, e: e > a.budget * (1 + 1e-9))),
        _BEFORE,
    ),
    ValueMistake(
        "the new release is left out of the comparison",
        _by(_refuse_if(lambda a, e: a.spent() >= a.budget * (1 - 1e-9))),
        _BEFORE,
    ),
    ValueMistake(
        "it refuses one release too late",
        _by(_refuse_if(lambda a, e: a.spent() > a.budget * (1 + 1e-9))),
        _BEFORE,
    ),
    ValueMistake(
        "the largest release counts, not the sum",
        _by(_refuse_if(lambda a, e: max([*a.parts, e]) > a.budget * (1 + 1e-9)), spent=_largest),
        "the releases are about the same people: which composition is that?",
    ),
    ValueMistake(
        "only the latest release is kept",
        _by(_refuse_if(lambda a, e: e > a.budget * (1 + 1e-9)), spent=_latest),
        "what happens to the earlier releases when you write down the next one?",
    ),
    ValueMistake(
        "all ledgers share one account",
        _by(_refuse_if(_Account.over), shared=True),
        "is the list made once for the class, or once for each ledger?",
    ),
)


def _show(wanted: np.ndarray, came: np.ndarray, parameters: dict) -> str:
    """Return the first step that went another way, in words."""
    place = int(np.argmax(np.any(~np.isclose(wanted, came, rtol=1e-6, atol=1e-9), axis=1)))
    ledger, epsilon = parameters["steps"][place]
    earlier = [f"{cost:g}" for which, cost in parameters["steps"][:place] if which == ledger]
    words = f"after {', '.join(earlier)}, " if earlier else ""
    words += f"spend({epsilon:.9g}) "
    if wanted[place, 0] != came[place, 0]:
        if wanted[place, 0]:
            return f"{words}should be refused with a ValueError, yours raises none"
        return f"{words}should be accepted, yours refuses it"
    if not np.isclose(wanted[place, 1], came[place, 1]):
        return f"{words}should leave {wanted[place, 1]:g} spent, yours says {came[place, 1]:g}"
    return f"{words}should return {wanted[place, 2]:g}, yours returns {came[place, 2]:g}"


def _situation(parameters: dict) -> str:
    budgets = " and ".join(f"{budget:g}" for budget in parameters["budgets"])
    return f"budget {budgets}"


def _other_neighbors(generator: np.random.Generator) -> list[dict]:
    cost = round(float(generator.uniform(0.1, 0.5)), 2)
    return [{"budgets": [1.0], "steps": [[0, cost]], "neighbors": "replace_one"}]


def _read_refusal(record: list[list[Any]], parameters: dict) -> float:
    refused, spent, _ = record[0]
    if not refused or spent is not None:
        raise BadAnswer(
            "a release for other neighbors is accepted",
            seen="the budget is for add_remove, the release for replace_one",
            ask="what would the sum of the two promise, and for which pairs of tables?",
        )
    return refused


_SCRIPTS = ValuesClaim(
    name="privacy_ledger",
    library="PrivacyLedger",
    established="it refuses what would overspend, and nothing else",
    cases=_cases,
    arguments=_arguments,
    use=_run,
    read=_read,
    expected=_by(_refuse_if(_Account.over)),
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=_situation,
    show=_show,
)
_NEIGHBORS = ValuesClaim(
    name="privacy_ledger",
    library="PrivacyLedger",
    established="other neighbors are refused",
    cases=_other_neighbors,
    arguments=_arguments,
    use=_run,
    read=_read_refusal,
    expected=lambda parameters: 1.0,
    mistakes=(),
    situation=_situation,
)

CLAIM = SeveralClaims(
    name="privacy_ledger",
    about=(
        "Check `PrivacyLedger(budget)`, a class: what was spent, and what may still be.\n\n"
        "`spend(guarantee, label)` returns what all releases cost together, or raises ValueError;\n"
        "`spent` is that sum, None before the first release. Guarantees are `dplib.PureDP`."
    ),
    library="PrivacyLedger",
    established="it adds up, refuses what would overspend and keeps its state: right in 7 scripts",
    parts=(_SCRIPTS, _NEIGHBORS),
)
