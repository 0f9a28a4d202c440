"""Reads an answer's results as numbers, or says why they cannot be read."""

from __future__ import annotations

import contextlib
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["BadAnswer", "NotAnswered", "as_number", "as_whole_number", "near"]


class BadAnswer(Exception):
    """A result that breaks a rule: the problem, the result, a question, and the setting.

    `sure` says how sure the check is, if a right answer may break the rule by chance.
    """

    def __init__(
        self,
        problem: str,
        *,
        seen: str = "",
        ask: str = "",
        parameters: dict | None = None,
        sure: str = "",
    ):
        self.problem, self.seen, self.ask, self.parameters = problem, seen, ask, parameters
        self.sure = sure
        super().__init__(problem)


class NotAnswered(BadAnswer):
    """The exercise is unanswered: it is as it was handed out."""

    def __init__(self):
        super().__init__(
            "not answered yet",
            ask="replace `raise NotImplementedError` with your answer, then run this cell again.",
        )


def as_number(answer: Any, parameters: dict | None = None) -> float:
    """Return the answer as a float, or raise BadAnswer with what is wrong with it."""
    if type(answer) is not float:
        answer = _unpacked(answer)
    if answer - answer != 0:
        raise BadAnswer(
            "the answer is not a finite number",
            seen=f"it returned {answer!r}",
            ask="which step divides by zero, or takes the logarithm of zero?",
        )
    return answer


def as_whole_number(answer: Any, parameters: dict | None = None) -> float:
    """Return the answer as a float that is a whole number, or raise BadAnswer."""
    read = as_number(answer)
    if read != round(read):
        raise BadAnswer(
            "the answer is not a whole number",
            seen=f"it returned {answer!r}",
            ask="which law puts all its probability on whole numbers?",
        )
    return read


def near(came: Any, wanted: Any, *, relative: float, absolute: float) -> bool:
    """Say whether what came has the wanted shape, and differs by no more than is allowed."""
    if np.shape(came) != np.shape(wanted):
        return False
    wanted = np.asarray(wanted, dtype=float)
    off = np.abs(np.asarray(came, dtype=float) - wanted)
    same = np.isfinite(wanted) & (off <= relative * np.abs(wanted) + absolute)
    # Where infinity is wanted, only infinity is right.
    return bool(np.all(same | (np.asarray(came) == wanted)))


def _unpacked(answer: Any) -> float:
    """Return the one number in `answer`: a number, or an array that holds exactly one."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if isinstance(answer, Real) and not isinstance(answer, bool):
        return float(answer)
    # An array, a list or a Series; a list whose rows differ in length is no array.
    with contextlib.suppress(ValueError):
        array = np.asarray(answer)
        if array.size == 1 and array.dtype.kind in "iuf":
            return float(array.reshape(-1)[0])
        if array.size != 1 and array.dtype.kind in "iufb":
            raise BadAnswer(
                "one number is wanted",
                seen=f"it returned {array.size} numbers, of shape {array.shape}",
                ask="one answer is one number: which line makes several?",
            )
    raise BadAnswer(
        "one number is wanted",
        seen=f"it returned {_shortened(answer)}, a {type(answer).__name__}",
        ask="what does the docstring say the function returns?",
    )


def _shortened(answer: Any) -> str:
    words = " ".join(repr(answer).split())
    return words if len(words) <= 60 else words[:57] + "..."
