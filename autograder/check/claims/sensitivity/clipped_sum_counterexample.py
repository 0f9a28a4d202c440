"""Break it: a sum of values in [lower, upper] moves by more than upper - lower."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.counterexample import CounterexampleClaim
from autograder.check.door import BadAnswer
from autograder.check.words import number

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return [60, 70], two other intervals above 0, and two below."""
    cases = [{"lower": 60, "upper": 70}]
    for sign in (1, 1, -1, -1):
        near = int(generator.integers(20, 90))
        ends = sorted([sign * near, sign * (near + int(generator.integers(2, near // 2)))])
        cases.append({"lower": ends[0], "upper": ends[1]})
    return cases


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the two columns are neighbors whose clipped sums are far apart."""
    columns = _read(answer)
    one, other = (Counter(column) for column in columns)
    _raise_unless_neighbors((one - other).total(), (other - one).total())
    lower, upper = parameters["lower"], parameters["upper"]
    # Fractions hold every float exactly, so nothing is rounded here.
    sums = [sum(min(max(value, lower), upper) for value in column) for column in columns]
    moved = abs(sums[1] - sums[0])
    if moved <= upper - lower:
        raise BadAnswer(
            "the sum does not move far enough",
            seen=f"the clipped sums are {number(float(sums[0]))} and {number(float(sums[1]))}: "
            f"{number(float(moved))} apart, and more than {upper - lower} is wanted",
            ask="by how much does a sum change when a whole row comes or goes?",
        )


def _raise_unless_neighbors(removed: int, added: int) -> None:
    """Raise BadAnswer unless one person more or less makes the difference."""
    if removed + added == 1:
        return
    problem = "the two columns are not neighbors"
    seen = f"{removed} values are gone and {added} are new"
    ask = "here neighbors differ by one row, more or less: how many rows did you change?"
    if removed + added == 0:
        problem = "the two columns are the same"
    elif removed == added == 1:
        seen = "one value is replaced by another: that is replace_one, and here it is add_remove"
        ask = "for which kind of neighbors is upper - lower right, and for which is it not?"
    raise BadAnswer(problem, seen=seen, ask=ask)


def _read(answer: Any) -> list[list[Fraction]]:
    """Return both columns as exact fractions, or raise BadAnswer."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        came = "nothing" if answer is None else f"a {type(answer).__name__}"
        raise BadAnswer(
            "two columns are wanted: values and neighbor",
            seen=f"it returned {came}",
            ask="does your function end in `return values, neighbor`?",
        )
    return [_column(each) for each in answer]


def _column(values: Any) -> list[Fraction]:
    if isinstance(values, str | dict) or not np.iterable(values):
        raise BadAnswer(
            "a column of numbers is wanted",
            seen=f"you gave a {type(values).__name__}",
            ask="is each of the two a list with one number for each person?",
        )
    column = list(values)
    for value in column:
        if not isinstance(value, Real) or isinstance(value, bool) or not np.isfinite(float(value)):
            raise BadAnswer(
                "a value is not a finite number",
                seen=f"you gave {str(value)[:40]!r}",
                ask="which numbers can stand in the column?",
            )
    return [
        Fraction(value) if isinstance(value, int) else Fraction(float(value)) for value in column
    ]


CLAIM = CounterexampleClaim(
    name="clipped_sum_counterexample",
    about=(
        "Check `clipped_sum_counterexample(lower, upper)`: neighbors whose sums are far apart.\n\n"
        "The function returns (values, neighbor): two columns, one with one row more than the\n"
        "other, whose sums, with every value clipped to [lower, upper], differ by more than\n"
        "upper - lower."
    ),
    established="one person moves the clipped sum by more than upper - lower",
    cases=_cases,
    arguments=lambda parameters: ((parameters["lower"], parameters["upper"]), {}),
    verify=_verify,
    situation=lambda p: f"values in [{p['lower']}, {p['upper']}]",
)
