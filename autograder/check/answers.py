"""Reads an answer's results as numbers, or says why they cannot be read."""

import contextlib
import math
import re
import sys
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.words import counted

# What Python says when a call does not fit a function's parameters.
_MISFIT = re.compile(
    r"\(\) (got (an unexpected|some|multiple)|missing \d+ required|takes .*argument)"
)

# How numpy shows its own numbers in a list.
_NUMPY = re.compile(r"np\.(?:u?int|float|bool|str)\d*_?\(([^()]*)\)")
# What has a value and nothing beside it; and where the classes of other values come from.
_BARE = {float, int, bool, str, type(None), np.float64, np.int64, np.bool_}
_LIBRARIES = {*sys.stdlib_module_names, "numpy", "pandas", "scipy", "dplib", "ville", "autograder"}
_FEW = 4


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


def stopped(error: BaseException, function: Callable) -> BadAnswer:
    """Return the words for an answer that stops with an error."""
    words = " ".join(str(error).split())[:160]
    problem = f"it stops with {type(error).__name__}"
    ask = "call it yourself with such an input, and read the last line of the error."
    if isinstance(error, NameError):
        problem = "it uses a name that is not there"
        ask = "is it misspelled, or made in a cell that has not been run?"
    elif _does_not_fit(error, getattr(function, "__name__", "")):
        problem = "it cannot be called as the task says"
        ask = "what stands in the exercise, in the line that begins with def? Use its parameters."
    seen = f"{type(error).__name__}: {words}" if words else ""
    return BadAnswer(problem, seen=seen, ask=ask)


def _does_not_fit(error: BaseException, name: str) -> bool:
    """Say whether a call does not fit the parameters of the function of this name."""
    words = str(error)
    mine = isinstance(error, TypeError) and words.startswith(f"{name}()")
    return mine and bool(_MISFIT.search(words))


def as_read(read: Callable[[Any], Any], answer: Any) -> Any:
    """Return what a claim reads in an answer's result.

    Raises:
      BadAnswer: the result is of a kind that the claim does not expect: whatever reading it does.
    """
    try:
        return read(answer)
    except (BadAnswer, MemoryError):
        raise
    except Exception:
        raise BadAnswer(
            "the result cannot be read",
            seen=f"it returned {shortened(answer)}, a {type(answer).__name__}",
            ask="what does the task say the function returns?",
        ) from None


def raise_if_laden(answer: Any) -> None:
    """Raise BadAnswer if a value of the result carries more than can be read in it.

    An object of a class of one's own that is a number, an array or a table may have attributes
    beside its value, and pandas' objects have `attrs`. A function that gives noisy values to those
    who read them may give the exact ones to those who look there.
    """
    if type(answer) in _BARE:
        return
    if isinstance(answer, tuple | list):  # a named tuple, too
        for each in answer[:_FEW]:
            raise_if_laden(each)
        return
    kind = type(answer)
    own = kind.__module__.partition(".")[0] not in _LIBRARIES and len(kind.__mro__) > 2
    if own or getattr(answer, "attrs", None):
        raise BadAnswer(
            "the answer carries more than its value",
            seen=f"its value is a {kind.__name__}" if own else "something stands in its `attrs`",
            ask="who gets the answer gets all of it: what do they learn beside the value?",
        )


def parts_of(answer: Any, what: str, names: str, *, arrays: bool = False, ask: str = "") -> list:
    """Return the values of a tuple or list that has one for each of the names, or raise BadAnswer.

    Args:
      answer: what came back.
      what: what is wanted, in words: "two laws".
      names: as they stand behind `return`: "first, second".
      arrays: whether an array will do.
      ask: the question for another number of values, if it is not about `return`.
    """
    kinds = (tuple, list, np.ndarray) if arrays else (tuple, list)
    parts = list(answer) if isinstance(answer, kinds) else None
    if parts is not None and len(parts) == names.count(",") + 1:
        raise_if_none(parts, names)
        return parts
    came = type(answer).__name__ if parts is None else counted(len(parts), "value")
    raise BadAnswer(
        f"{what} are wanted: {names}",
        seen="it returned nothing" if answer is None else f"it returned {came}",
        ask=ask or f"does your function end in `return {names}`?",
    )


def raise_if_none(parts: list, names: str) -> None:
    """Raise BadAnswer if one of the values, whose names stand behind `return`, is None."""
    for part, name in zip(parts, names.split(", "), strict=True):
        if part is None:
            raise BadAnswer(
                f"`{name}` is None",
                seen=f"it returned {parts!r:.80}",
                ask="in which case does your code make no value of it?",
            )


def as_number(answer: Any, parameters: dict | None = None) -> float:
    """Return the answer as a float, or raise BadAnswer with what is wrong with it."""
    if type(answer) is not float:
        answer = _unpacked(answer)
    if answer - answer != 0:
        raise BadAnswer(
            "the answer is not a finite number",
            seen=f"it returned {shortened(answer)}",
            ask="which step divides by zero, or takes the logarithm of zero?",
        )
    return answer


def as_whole_number(answer: Any, parameters: dict | None = None) -> float:
    """Return the answer as a float that is a whole number, or raise BadAnswer."""
    read = as_number(answer)
    if read != round(read):
        raise BadAnswer(
            "the answer is not a whole number",
            seen=f"it returned {shortened(answer)}",
            ask="which step of your code leaves the whole numbers? And which number is asked for?",
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
        return _as_float(answer)
    # An array, a list or a Series; a list whose rows differ in length is no array.
    several = False
    with contextlib.suppress(Exception):
        # A masked number is none, and would be read as what lies under the mask.
        array = np.asarray(None if np.ma.is_masked(answer) else answer)
        if array.size == 1 and array.dtype.kind in "iuf":
            return float(array.reshape(-1)[0])
        several = array.size != 1 and array.dtype.kind in "iufb"
        if several:
            shape = array.shape
    if several:
        raise BadAnswer(
            "one number is wanted",
            seen=f"it returned {math.prod(shape)} numbers, of shape {shape}",
            ask="one answer is one number: which line makes several?",
        )
    raise BadAnswer(
        "one number is wanted",
        seen=f"it returned {shortened(answer)}, a {type(answer).__name__}",
        ask="what does the task say the function returns?",
    )


def _as_float(answer: Real) -> float:
    try:
        return float(answer)
    except OverflowError:
        raise BadAnswer(
            "the answer is too large a number",
            seen="no float is larger than 1.8e308",
            ask="which step multiplies again and again, or takes exp of a large number?",
        ) from None


def shortened(answer: Any) -> str:
    """Return a result in at most 60 characters, even if it cannot be shown."""
    try:
        words = _NUMPY.sub(r"\1", " ".join(repr(answer).split()))
    except Exception:
        return "what cannot be shown"
    if len(words) <= 60:
        return words
    # No number is cut in two, where there is a place before it.
    begun = words[:57].rpartition(", ")[0] or words[:57]
    return f"{begun}, ..." if begun != words[:57] else f"{begun}..."


def same_arguments(one: Any, other: Any) -> bool:
    """Say whether two arguments are equal, tables and arrays included. Functions always are."""
    if callable(one):
        return True
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same_arguments, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            same_arguments(one[key], other[key]) for key in one
        )
    if hasattr(one, "equals"):
        # A table: `equals` does not compare the names of rows, nor what stands beside the table.
        beside = bool(one.attrs) == bool(other.attrs)
        return beside and one.equals(other) and one.index.equals(other.index)
    return type(one) is type(other) and np.array_equal(one, other)
