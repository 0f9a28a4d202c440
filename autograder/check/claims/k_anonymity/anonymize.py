"""A k-anonymous table of 1,000 rows that loses little: scored on what it loses."""

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.deidentification._tables import (
    as_table,
    cells,
    frame,
    listed,
    raise_unless_columns,
)
from autograder.check.door import fresh_generator
from autograder.check.result import Result
from autograder.check.words import counted, number

QUASI_IDENTIFIERS = ("Age", "Education-Num", "Hours per week")
# Columns that stay as they are: one of text, and one of numbers.
_OTHERS = ("Occupation", "Capital Gain")

# Each halving of the loss between these two earns the same part of the points. Cutting all numbers
# to tens and suppressing the rest loses 0.28, cutting at medians 0.062, dplib's search 0.051.
NOTHING, ALL = 0.48, 0.06


def share_of(loss: float) -> float:
    """Return the part of the points that a loss earns: none from NOTHING on, all up to ALL."""
    earned = math.log(NOTHING / max(loss, ALL)) / math.log(NOTHING / ALL)
    return min(max(earned, 0.0), 1.0)


def loss_of(exact: np.ndarray, shown: np.ndarray, widths: np.ndarray, people: int) -> float:
    """Return the mean loss, over people and columns, of rows shown in place of the exact ones.

    A number loses the width of what its group stands for, as a share of the column's public width.
    A row that is left out loses everything, and so does a missing number (NaN).
    """
    if not len(shown):
        return 1.0
    filled = np.where(np.isnan(shown), np.inf, shown)
    groups = np.unique(filled, axis=0, return_inverse=True)[1].reshape(-1)
    lowest, highest = np.full((2, groups.max() + 1, len(widths)), [[[np.inf]], [[-np.inf]]])
    np.minimum.at(lowest, groups, np.fmin(exact, shown))
    np.maximum.at(highest, groups, np.fmax(exact, shown))
    # Xu et al. (2006), the normalized certainty penalty.
    lost = np.minimum((highest - lowest)[groups] / widths, 1)
    lost = np.where(np.isnan(shown), 1, lost)
    return float((lost.mean(axis=1).sum() + people - len(shown)) / people)


@functools.cache
def _people() -> Any:
    # Imported here: a notebook that does not check this need not wait for the data.
    from dplib.data import load_adult

    return load_adult()[[*QUASI_IDENTIFIERS, *_OTHERS]].astype({_OTHERS[0]: object})


def _widths() -> np.ndarray:
    """Return the public widths of the columns."""
    from dplib.data import DOMAINS

    return np.array([np.ptp(DOMAINS[name]) for name in QUASI_IDENTIFIERS], dtype=float)


def _cases(generator: np.random.Generator) -> Iterator[dict]:
    """Return 1,000 people of the census at k = 5, which is scored, and fewer at another k."""
    sizes = [(1_000, 5), (int(generator.integers(100, 200)), int(generator.integers(7, 12)))]
    least = int(generator.integers(3, 8))
    sizes += [(least, least), (int(generator.integers(20, 45)), least), (90, 30), (2 * least, 2)]
    for size, k in sizes:
        chosen = _people().iloc[generator.choice(len(_people()), size, replace=False)]
        columns = {name: chosen[name].tolist() for name in chosen.columns}
        table = {"columns": columns, "labels": chosen.index.tolist()}
        yield {"table": table, "k": k}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {"quasi_identifiers": list(QUASI_IDENTIFIERS), "k": parameters["k"]}
    return (frame(parameters["table"]),), keywords


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return for each row its place in the table that came in, and the numbers that it shows."""
    table, before = as_table(answer), frame(parameters["table"])
    raise_unless_columns(list(table.columns), list(before.columns))
    if not table.index.is_unique:
        raise BadAnswer(
            "a row is there twice",
            seen=f"{len(table)} rows have {table.index.nunique()} different labels",
            ask="which step gives a row more than once? Each person may be published once, or not."
            if len(table) > len(before)
            else "which label does each row have in the table that comes in? Keep it.",
        )
    places = before.index.get_indexer(table.index)
    if (places < 0).any():
        raise BadAnswer(
            "a row has a label that the table does not have",
            seen=f"the label {str(table.index[places < 0][0])!r} is new",
            ask="whose row is that? May a row be published that nobody in the table has?"
            if len(table) > len(before)
            else "which line makes new labels (`reset_index`, `concat`)? Keep those that come in.",
        )
    for name in _OTHERS:
        if not np.array_equal(cells(table[name]), cells(before[name])[places]):
            raise BadAnswer(
                "a column that is no quasi-identifier is changed",
                seen=f"{name!r} is not what it was, for the same labels",
                ask="which columns may change? Or did the rows change places while their labels "
                "stayed?",
            )
    return np.column_stack([places, _shown(table)])


def _shown(table: Any) -> np.ndarray:
    """Return the quasi-identifiers as floats, NaN where one is missing."""
    try:
        shown = table[list(QUASI_IDENTIFIERS)].to_numpy(float, na_value=np.nan)
    except (TypeError, ValueError):
        raise BadAnswer(
            "a quasi-identifier holds no numbers",
            seen=f"the columns {listed(QUASI_IDENTIFIERS)} must hold numbers",
            ask="which one number can stand for a group: its middle, its mean, its lower end?",
        ) from None
    if np.isinf(shown).any():
        raise BadAnswer(
            "a number is infinite",
            ask="which step divides by zero? An unknown number is missing, not infinite.",
        )
    return shown


@dataclass(frozen=True, kw_only=True)
class _AnonymityClaim(Claim):
    """A table must be k-anonymous; the share of the points falls with what it loses."""

    cases: Callable[[np.random.Generator], list[dict]] = _cases

    def _judge(self, open_door: OpenDoor) -> Result:
        cases = list(self.cases(fresh_generator()))
        with open_door(cases) as door:
            given = [door.call(place) for place in range(len(cases))]
            for place in range(len(cases)):
                door.raise_if_written(place)
        for rows, parameters in zip(given, cases, strict=True):
            _raise_unless_k_anonymous(rows[:, 1:], parameters)
        return self._scored(given[0], cases[0])

    def _scored(self, rows: np.ndarray, parameters: dict) -> Result:
        exact = frame(parameters["table"])[list(QUASI_IDENTIFIERS)].to_numpy(float)
        places = rows[:, 0].astype(int)
        loss = loss_of(exact[places], rows[:, 1:], _widths(), len(exact))
        share = share_of(loss)
        established = (
            f"{parameters['k']}-anonymous, loss {number(loss)} on {len(exact):,} rows: "
            f"{share:.0%} of the points so far ({NOTHING} earns none, {ALL} all)"
        )
        return Result(self.name, established, len(exact), share=share)


_TRY = "does `k_anonymity` of your table say k or more? Try it on fewer rows, too."


def _raise_unless_k_anonymous(shown: np.ndarray, parameters: dict) -> None:
    if not len(shown):
        return  # everybody is left out, which is safe and worth nothing
    filled, k = np.where(np.isnan(shown), np.inf, shown), parameters["k"]
    sizes = np.unique(filled, axis=0, return_counts=True)[1]
    if sizes.min() < k:
        alone = int(sizes[sizes < k].sum())
        problem, ask = "the table is not k-anonymous", _TRY
        if all(np.unique(column, return_counts=True)[1].min() >= k for column in filled.T):
            problem += ", although each of its columns alone is"
            ask = "the attacker knows all of these columns at once: which rows still look alike?"
        elif np.isnan(shown).any():
            ask += " It misses numbers: are yours put beside the labels of their rows?"
        elif sizes.min() > 1:
            ask = "which number decides in your code how small a group may be: is it k? "
            ask += "And where does the last group begin?"
        raise BadAnswer(
            problem,
            seen=f"its smallest group has {counted(int(sizes.min()), 'row')}, and "
            f"{alone:,} of {len(shown):,} rows are in a group below k",
            ask=ask,
            parameters=parameters,
        )


CLAIM = _AnonymityClaim(
    name="anonymize",
    about=(
        "Check `anonymize(table, *, quasi_identifiers, k)`: k-anonymous, scored on its loss.\n\n"
        "The answer keeps labels and columns of the rows that stay; the quasi-identifiers hold\n"
        "numbers. `dplib.information_loss` with the public bounds is the loss, on 1,000 rows at\n"
        f"k = 5. A loss of {NOTHING} or more earns nothing, {ALL} or less everything; in between\n"
        "each halving of the loss earns a third. A table that is not k-anonymous fails."
    ),
    established="k-anonymous",
    arguments=_arguments,
    read=_read,
    situation=lambda p: f"{len(p['table']['labels']):,} rows, k = {p['k']}",
)
