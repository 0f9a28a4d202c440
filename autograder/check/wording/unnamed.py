"""Words for values without chance that are wrong, where no catalogued mistake explains them."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.check.designed import is_number
from autograder.check.signature import Given
from autograder.check.wording import changed_arguments, simpler_inputs
from autograder.check.wording.in_words import BY_HAND
from autograder.check.wording.optional import optional
from autograder.check.wording.what_came import (
    each_is,
    in_another_order,
    is_one_number,
    rounded_to,
)
from autograder.check.wording.where import all_of_them
from autograder.check.words import LOOKS, counted, number

# Answers whose error is at most this part of the value are told that they are nearly right.
_NEARLY = 0.01
_NEAR = "nearly right"
_SHAPE = "which step drops an axis, adds one, or leaves an entry out?"
_ROWS = "which row is missing, or too many, at this input? What is special about it?"
_PRECISELY = "which step rounds, stops too soon, or takes a number for nearly the same one?"
_NOT_INFINITE = (
    "what makes the right value infinite at this input, and what does your code do then?"
)
_INFINITE = "which step of your code gives infinity here, and can what it stands for happen?"
_SIGN = "which of two is taken from which, or where is a minus lost?"
_FACTOR = "which factor is missing in your formula, or there once too often?"
_TERM = "what is added, or left out, once too often? Do you count from 0 where 1 is meant?"
_ELSEWHERE = "follow your code at this input: which step is right only for an answer of {}?"
_FEWEST = 3  # inputs that show one factor, or one difference


def words_of_values(
    claim,
    open_door: Callable,
    cases: Sequence[Given],
    came: Sequence[Any],
    right: Sequence[Any],
    wrong: Sequence[int],
    shown: Given,
) -> tuple[str, str]:
    """Return the problem of wrong values, and a question.

    Args:
      claim: its reference gives the right value of an input; it says which values are the same.
      open_door: opens a door to the answer.
      cases: the inputs.
      came, right: the answer's value and the right one at every input.
      wrong: the places of the inputs where the two differ.
      shown: the wrong input that a student sees, one of the inputs or a smaller one.
    """
    where = f"at {len(wrong)} of {counted(len(cases), 'input')}"
    found = _words(claim, open_door, cases, came, right, wrong, shown)
    return found or (f"the value is wrong {where}", BY_HAND)


@optional
def _words(claim, open_door, cases, came, right, wrong, shown) -> tuple[str, str]:
    value = partial(claim.value, claim.reference)
    changed = changed_arguments.explaining(value, claim.close, cases, came, wrong[0])
    # One number at many inputs is what many a change gives by accident.
    constant = len(wrong) >= _FEWEST and _is_one_number([came[place] for place in wrong])
    if changed and (changed_arguments.UNUSED in changed[0] or not constant):
        return changed
    pairs = [(came[k], right[k]) for k in wrong]
    at_wrong = [cases[k] for k in wrong]
    problem, words = _how_wrong(pairs, len(cases), at_wrong, numbers=not claim.show)
    words = words or _where_right(right, wrong) or all_of_them(*_with(shown, cases, wrong))
    if words:
        ask = f" Or is it that {changed[0].removeprefix(LOOKS).strip()}?" if changed else ""
        return problem + (f": {words[0]}" if words[0] else ""), words[1] + ask
    if changed:
        return changed
    at_right = [case for place, case in enumerate(cases) if place not in wrong]
    if words := simpler_inputs.where_right(open_door, value, claim.close, at_wrong, at_right):
        return f"{problem}, and {words[0]}", words[1]
    return problem, _PRECISELY if _NEAR in problem else BY_HAND


def _is_one_number(values: Sequence[Any]) -> bool:
    return all(map(is_number, values)) and is_one_number(values)


def _with(
    shown: Given, cases: Sequence[Given], wrong: Sequence[int]
) -> tuple[list[Given], list[int]]:
    """Return the inputs and the wrong places, with the one shown if it is none of them."""
    if any(each is shown for each in cases):
        return list(cases), list(wrong)
    return [*cases, shown], [*wrong, len(cases)]


def _where_right(right: Sequence[Any], wrong: Sequence[int]) -> tuple[str, str] | None:
    """Return the one answer that all right inputs have, and no wrong one, with a question."""
    others = [right[place] for place in range(len(right)) if place not in wrong]
    if len(others) < 2 or not all(map(is_number, right)):
        return None
    if len(set(others)) > 1 or others[0] in [right[place] for place in wrong]:
        return None
    said = number(float(others[0]))
    return f"right only where the answer is {said}", _ELSEWHERE.format(said)


def _how_wrong(
    pairs: Sequence[tuple[Any, Any]], inputs: int, at_wrong: Sequence[Given], *, numbers: bool
) -> tuple[str, tuple[str, str] | None]:
    """Return the problem, and what the values show with a question.

    `numbers` says whether the values are numbers to a student, or stand for something else.
    """
    off = max(_relative(came, wanted) for came, wanted in pairs)
    where = f"at {len(pairs)} of {counted(inputs, 'input')}"
    if off <= _NEARLY:
        others = ", and right at the others" if len(pairs) < inputs else ""
        problem = f"the value is {_NEAR} {where}{others}"
        came, wanted = _joined(pairs)
        if numbers and len(came) > 1 and (rounded := rounded_to(came, wanted)):
            return problem, rounded
        return f"{problem}: off by at most {_rounded_up(100 * off):.1g} %", None
    if any(np.shape(came) != np.shape(wanted) for came, wanted in pairs):
        if all(np.shape(came)[1:] == np.shape(wanted)[1:] != () for came, wanted in pairs):
            return f"rows are missing, or too many, {where}", ("", _ROWS)
        return f"the shape is wrong {where}", ("", _SHAPE)
    came, wanted = zip(*pairs, strict=True)
    pattern = in_another_order(came, wanted) or _pattern(pairs)
    if numbers and not pattern:
        pattern = each_is(came, wanted, at_wrong)
    return f"the value is wrong {where}", pattern


def _rounded_up(number: float) -> float:
    """Return the next number of one digit: what is said to be the most must not be less."""
    unit = 10.0 ** np.floor(np.log10(number)) if number > 0 else 1.0
    return float(np.ceil(number / unit - 1e-9) * unit)


def _pattern(pairs: Sequence[tuple[Any, Any]]) -> tuple[str, str] | None:
    """Return the words for numbers that are wrong in one and the same way; else None."""
    came, wanted = _joined(pairs)
    # Zeros that are right say nothing about a factor.
    came, wanted = came[(came != 0) | (wanted != 0)], wanted[(came != 0) | (wanted != 0)]
    if not len(came):
        return None
    if np.isinf(wanted).all() and np.isfinite(came).all():
        return "it should be infinite, and is not", _NOT_INFINITE
    if np.isinf(came).all() and np.isfinite(wanted).all():
        return "it is infinite, and should not be", _INFINITE
    if len(came) < _FEWEST or np.ptp(wanted) == 0 or not np.isfinite([came, wanted]).all():
        return None
    factor = _common(came / wanted) if (wanted != 0).all() else 0.0
    if factor and abs(factor + 1) < 1e-6:
        return "it has the wrong sign", _SIGN
    if factor:
        return f"{factor:.6g} times what it should be", _FACTOR
    if shift := _common(came - wanted):
        return f"{abs(shift):.6g} too {'large' if shift > 0 else 'small'}", _TERM
    return None


def _joined(pairs: Sequence[tuple[Any, Any]]) -> Iterator[np.ndarray]:
    """Yield the numbers of all values that came, and those of the right ones."""
    for values in zip(*pairs, strict=True):
        yield np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in values])


def _common(numbers: np.ndarray) -> float:
    """Return the one number that all of these are, but for rounding; else 0."""
    middle = float(np.median(numbers))
    return middle if np.allclose(numbers, middle, rtol=1e-6, atol=0) else 0.0


def _relative(came: Any, wanted: Any) -> float:
    """Return the largest relative error; infinite where the two cannot be compared."""
    if np.shape(came) != np.shape(wanted):
        return np.inf
    came, wanted = np.asarray(came, dtype=float), np.asarray(wanted, dtype=float)
    different = ~(came == wanted)
    errors = np.abs(came - wanted)[different] / np.abs(wanted[different])
    return float(np.max(errors, initial=0.0)) if np.all(np.isfinite(errors)) else np.inf
