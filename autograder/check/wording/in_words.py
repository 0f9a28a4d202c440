"""Words for a function, for the arguments of a call, and for two values that differ."""

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.check.wording.where import all_of_them, each_is
from autograder.check.words import counted

_MOST = 12  # entries that are listed in full
_FIRST = 3  # of more than those
_LONGEST = 100
_WIDTH = 92  # of a line of help
# Answers whose error is at most this part of the value are told that they are nearly right.
_NEARLY = 0.01
_BY_HAND = "compute this one by hand, step by step: which step of your code is different?"
_OF_YOUR_OWN = "work out a small input of your own by hand: which step of your code is different?"
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
_FEWEST = 3  # inputs that show one factor, or one difference
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_TABLE = 12, 6, 300  # of a table that is shown
# Words of a list, a table or an array that are not all of it.
_NOT_IN_FULL = r"\band [\d,]+ more\b|\b[\d,]+ rows\b(?! \()|\bof shape\b"


def arguments_in_words(given: Mapping[str, Any]) -> str:
    """Return the arguments of a call, for example "error 12.5, probability 0.9"."""
    return ", ".join(f"{name} {_in_words(value)}" for name, value in given.items())


def _in_words(value: Any) -> str:
    if hasattr(value, "columns"):
        return _table(value)
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    if isinstance(value, np.ndarray) and value.ndim > 1:
        return f"of shape {value.shape}"
    if isinstance(value, list | tuple | np.ndarray):
        return _listed(value)
    if hasattr(value, "index") and hasattr(value, "to_numpy"):  # a column of a table
        return _listed(list(value)) + _labels(value.index)
    return _entry(value)


def _table(table: Any) -> str:
    """Return a small table column by column, as it is typed in; of a large one, its size."""
    size = f"of {counted(len(table), 'row')}" + _labels(table.index)
    if len(table) > _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        return size
    columns = ", ".join(f"{name}: {_listed(list(table[name]))}" for name in table.columns)
    return f"{size} ({columns})" if len(columns) <= _LONGEST_TABLE else size


def _labels(index: Any) -> str:
    """Return the labels of rows that are not simply numbered, all of them if some come twice."""
    labels = list(index)
    if labels == list(range(len(labels))):
        return ""
    if len(set(labels)) < len(labels) <= _MOST:
        return f" with the index {_listed(labels)}"
    first = ", ".join(str(label) for label in labels[:_FIRST])
    return f" with the index {first}, ..."


def _listed(values: Sequence) -> str:
    shown = values if len(values) <= _MOST else values[:_FIRST]
    # No comma in a number that stands between commas.
    words = ", ".join(str(int(each)) if _is_whole(each) else _entry(each) for each in shown)
    return f"[{words}]" + (
        f" and {len(values) - len(shown)} more" if len(shown) < len(values) else ""
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _entry(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if _is_whole(value):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return f"{value:.10g}"
    if isinstance(value, str):
        plain = value.strip() == value and value and not set(value) & set(",;:[]()")
        words = str(value) if plain else f'"{value}"'
    else:
        words = " ".join(repr(value).split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 3] + "..."


def asked_of(situation: str, ask: str, instead: str = "") -> str:
    """Return the question for a wrong value: nobody computes by hand what is not shown in full.

    `instead` is asked where the value itself is too much work.
    """
    if ask == _BY_HAND and instead:
        return instead
    if ask != _BY_HAND or not re.search(_NOT_IN_FULL, situation):
        return ask
    return _OF_YOUR_OWN


def with_edge(name: str, situation: str) -> str:
    """Return a situation after what is special about it; not where that is all that it says."""
    parts = name.split(", ")
    if len(parts) > 1 and all(part.removesuffix(".0") in situation for part in parts):
        return situation
    return f"{name.removesuffix('.0')}: {situation}"


def side_by_side(wanted: Any, came: Any, given: Mapping[str, Any]) -> str:
    """Return the right value and the given one; of an array, the first entry that differs."""
    if np.shape(wanted) != np.shape(came):
        return f"the shape should be {np.shape(wanted)}, yours is {np.shape(came)}"
    if not np.shape(wanted):
        return "the answer should be {}, yours is {}".format(*_told_apart(wanted, came))
    differing = ~np.isclose(came, wanted, rtol=1e-6, atol=1e-12)
    place = tuple(int(k) for k in np.argwhere(differing)[0]) if differing.any() else (0,)
    name = ", ".join(map(str, place))
    pair = _told_apart(np.asarray(wanted)[place], np.asarray(came)[place])
    return f"entry {name} should be {pair[0]}, yours is {pair[1]}"


def how_wrong(
    came: Sequence,
    wanted: Sequence,
    cases: Sequence[Mapping[str, Any]],
    wrong: Sequence[int],
    *,
    numbers: bool = True,
) -> tuple[str, str]:
    """Return the problem of wrong values, and a question.

    Args:
      came, wanted: the answer's value and the right one at every input.
      cases: the inputs.
      wrong: the places of the inputs where the two differ.
      numbers: whether the values are numbers to a student, or stand for something else.
    """
    pairs, inputs = [(came[k], wanted[k]) for k in wrong], len(cases)
    off = max(_relative(came, wanted) for came, wanted in pairs)
    where = f"at {len(pairs)} of {counted(inputs, 'input')}"
    if off <= _NEARLY:
        others = ", and right at the others" if len(pairs) < inputs else ""
        problem = f"the value is nearly right {where}{others}: off by at most {100 * off:.1g} %"
        return problem, _PRECISELY
    if any(np.shape(came) != np.shape(wanted) for came, wanted in pairs):
        if all(np.shape(came)[1:] == np.shape(wanted)[1:] != () for came, wanted in pairs):
            return f"rows are missing, or too many, {where}", _ROWS
        return f"the shape is wrong {where}", _SHAPE
    pattern = _pattern(pairs)
    if numbers and not pattern:
        pattern = each_is(*zip(*pairs, strict=True), [cases[k] for k in wrong])
    words, ask = pattern or all_of_them(cases, wrong) or ("", _BY_HAND)
    return f"the value is wrong {where}{words and ': '}{words}", ask


def _pattern(pairs: Sequence[tuple[Any, Any]]) -> tuple[str, str] | None:
    """Return the words for numbers that are wrong in one and the same way; else None."""
    came, wanted = (
        np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in values])
        for values in zip(*pairs, strict=True)
    )
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


def short(value: Any) -> str:
    """Return a number, or the shape of an array."""
    return f"{value:g}" if not np.shape(value) else f"an array of shape {np.shape(value)}"


def one_then_other(first: Any, second: Any) -> str:
    """Return two values in words; of two arrays of one shape, the first entries that differ."""
    if not np.shape(first) or np.shape(first) != np.shape(second):
        return f"{short(first)}, then {short(second)}"
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    place = tuple(int(k) for k in np.argwhere(~np.isclose(first, second, equal_nan=True))[0])
    name = ", ".join(map(str, place))
    return f"{first[place]:g} at entry {name}, then {second[place]:g}"


def _told_apart(wanted: float, came: float) -> tuple[str, str]:
    """Return two numbers with enough digits to show that they differ."""
    for digits in range(4, 17):
        pair = f"{wanted:.{digits}g}", f"{came:.{digits}g}"
        if pair[0] != pair[1]:
            break
    return pair


def first_paragraph(reference: Callable) -> str:
    """Return the docstring's first paragraph, as the middle of a sentence."""
    words = " ".join(_docstring(reference).partition("\n\n")[0].split()).rstrip(".")
    return words[:1].lower() + words[1:]


def _docstring(reference: Callable) -> str:
    docstring = inspect.getdoc(reference)
    if not docstring:
        raise ValueError("a right answer must have a docstring: `help` shows it to students")
    return docstring


def help_of(reference: Callable) -> str:
    """Return the text of `help`: the signature, and the docstring as one sentence and the rest."""
    signature = inspect.signature(reference)
    bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    signature = signature.replace(parameters=bare, return_annotation=signature.empty)
    called = reference.__name__ + str(signature).replace("'", '"')
    first = f"Check `{called}`: {first_paragraph(reference)}."
    rest = _docstring(reference).partition("\n\n")[2]
    return "\n".join(textwrap.wrap(first, _WIDTH)) + (f"\n\n{rest}" if rest else "")
