"""Words for a function, for the arguments of a call, and for two values that differ."""

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.check.words import counted

_MOST = 12  # entries that are listed in full
_FIRST = 3  # of more than those
_LONGEST = 100
_WIDTH = 92  # of a line of help
BY_HAND = "compute this one by hand, step by step: which step of your code is different?"
_OF_YOUR_OWN = "work out a small input of your own by hand: which step of your code is different?"
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_TABLE = 12, 6, 300  # of a table that is shown
# Words of a list, a table or an array that are not all of it.
_NOT_IN_FULL = r"\band [\d,]+ more\b|\b[\d,]+ rows\b(?! \()|\bof shape\b"


def arguments_in_words(given: Mapping[str, Any]) -> str:
    """Return the arguments of a call, for example "error 12.5, probability 0.9"."""
    return ", ".join(f"{name} {in_words(value)}" for name, value in given.items())


def in_words(value: Any) -> str:
    """Return an argument: in full if it is small, else how large it is and how it begins."""
    if hasattr(value, "columns"):
        return _table(value)
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    if isinstance(value, np.ndarray) and value.ndim > 1:
        few = value.ndim == 2 and value.size <= _MOST
        return f"[{', '.join(map(_listed, value))}]" if few else f"of shape {value.shape}"
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
    return f" with the index {first}" + (", ..." if len(labels) > _FIRST else "")


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


def in_full(situation: str) -> bool:
    """Say whether an input in words is all of it."""
    return not re.search(_NOT_IN_FULL, situation)


def asked_of(situation: str, ask: str, instead: str = "") -> str:
    """Return the question for a wrong value: nobody computes by hand what is not shown in full.

    `instead` is asked where the value itself is too much work.
    """
    if ask == BY_HAND and instead:
        return instead
    if ask != BY_HAND or in_full(situation):
        return ask
    return _OF_YOUR_OWN


def to_show(wrong: Sequence[tuple[Any, Any, Any, str]]) -> tuple[Any, Any, Any, str]:
    """Return the wrong value to show: one that should be infinite, then one shown in full.

    Args:
      wrong: of each the input, what came, what was wanted, and the input in words.
    """

    def late(value: tuple[Any, Any, Any, str]) -> tuple[bool, bool]:
        _, came, wanted, situation = value
        endless = _is_infinite(wanted) and not _is_infinite(came)
        return not endless, not in_full(situation)

    return min(wrong, key=late)


def _is_infinite(value: Any) -> bool:
    return bool(np.isinf(np.asarray(value, dtype=float)).any())


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
    name, pair = _first_pair(wanted, came, differing)
    return f"entry {name} should be {pair[0]}, yours is {pair[1]}"


def short(value: Any) -> str:
    """Return a number, or the shape of an array."""
    return f"{value:g}" if not np.shape(value) else f"an array of shape {np.shape(value)}"


def in_turn(first: Any, second: Any, given: Mapping) -> tuple[str, str]:
    """Return two values in words; of two arrays of one shape, the first entries that differ."""
    if np.shape(first) != np.shape(second):
        return short(first), short(second)
    if not np.shape(first):
        return _told_apart(first, second)
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    differing = (first != second) & ~(np.isnan(first) & np.isnan(second))
    name, pair = _first_pair(first, second, differing)
    return pair[0], f"{pair[1]} at entry {name}"


def _first_pair(one: Any, other: Any, differing: np.ndarray) -> tuple[str, tuple[str, str]]:
    """Return the first entry that differs, by its place and both numbers; the first if none."""
    place = np.unravel_index(int(np.argmax(differing)), np.shape(one))
    pair = _told_apart(np.asarray(one)[place], np.asarray(other)[place])
    return ", ".join(map(str, place)), pair


def _told_apart(wanted: float, came: float) -> tuple[str, str]:
    """Return two numbers with enough digits to show that they differ."""
    for digits in range(4, 18):
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
