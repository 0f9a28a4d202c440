"""`ask` of the check: a meter of the library, which stays on the judge's side of the door.

Questions are plain words, and answers are noisy numbers: no row crosses. What the meter refuses is
kept, so that an answer which catches the error is judged all the same.
"""

from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.words import number
from dplib.ledger import BudgetExceededError
from dplib.release.meter import CLOSED, MeteredVisits, RunEndedError

_MOST_LOOKS = 200


class Ask:
    """`ask` for one run of an answer.

    Args:
      table: the rows.
      budget: {"epsilon": …} or {"rho": …}.
      seed: of the noise, drawn by the judge.

    Attributes:
      meter: the library's meter, with the rows in it.
      refused: the first BadAnswer that was raised, also where the answer has caught it.
    """

    def __init__(self, table: pd.DataFrame, budget: dict[str, float], seed: int):
        self.meter = MeteredVisits(table, **budget, rng=np.random.default_rng(seed))
        self.refused: BadAnswer | None = None

    def __deepcopy__(self, memo: dict) -> "Ask":
        """Return this one: a copy would keep the rows where an answer may search for them."""
        return self

    def __call__(self, by: Any, **how: Any) -> np.ndarray:
        """Return the noisy sums, as `MeteredVisits.ask` does."""
        try:
            return self._answered(by, how)
        except BadAnswer as bad:
            self.refused = self.refused or bad
            raise

    def _answered(self, by: Any, how: dict) -> np.ndarray:
        _raise_if_no_sum(how)
        if len(self.meter.looks) >= _MOST_LOOKS:
            raise BadAnswer(
                f"more than {_MOST_LOOKS} looks",
                ask="how large is the noise of each, if so many share the budget?",
            )
        try:
            return self.meter.ask(by, **how)
        except BudgetExceededError as refused:
            raise _overspent(self.meter, refused) from None
        except RunEndedError:
            raise BadAnswer(
                "a question stops at somebody's row: the run ends, and nothing is published",
                seen="where it stops, and at what, is not said: that would be an answer without "
                "noise, and without a bill",
                ask="which values may stand in the columns that you use: can one be missing, or "
                "absurd? `missing(...)` and `within(...)` take every value.",
            ) from None
        except (ValueError, TypeError) as error:
            raise _not_a_question(by, how, error) from None


def _raise_if_no_sum(how: dict) -> None:
    if how.get("each") in ("max", "min", "maximum", "minimum"):
        raise BadAnswer(
            "an exact maximum is no answer that noise can hide",
            seen=f"each={how['each']!r}: one row decides it alone",
            ask="which sum or count says nearly the same: how many are above a public bound?",
        )
    if how.get("bound") is None:
        raise BadAnswer(
            "a look has no bound",
            seen="without `bound` one unit can move the sum as far as it likes",
            ask="what should one unit add to all cells together, at most?",
        )


def _overspent(meter: MeteredVisits, refused: Exception) -> BadAnswer:
    return BadAnswer(
        "the meter refuses: the bill would be larger than the budget",
        seen=f"look {len(meter.looks) + 1}: {refused}; {number(meter.spent)} is spent",
        ask="what do all looks cost together, also those that you throw away?",
    )


def _not_a_question(by: Any, how: dict, error: Exception) -> BadAnswer:
    words = " ".join(str(error).split())[:200]
    closed = next((name for name in CLOSED if words.startswith(f"`{name}` must not")), None)
    if closed:
        return BadAnswer(
            f"the column `{closed}` must not be used",
            seen=words,
            ask="what does the data dictionary say of this column, and whom does it name?",
        )
    if words.startswith("unit was"):
        return BadAnswer(
            "two looks have different units",
            seen=words,
            ask="for whom is the promise of the whole release made?",
        )
    return BadAnswer(
        "the meter cannot take this question",
        seen=words,
        ask="what does the task say about `ask`: which arguments, which names in an expression?",
    )
