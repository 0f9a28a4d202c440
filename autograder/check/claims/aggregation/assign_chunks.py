"""The chunk of each row: from its own label and the salt, evenly, the same at every call.

Nobody prescribes the hash. So the answer is called with rows removed, reordered and alone, and the
check looks at what must hold between these calls.
"""

import copy
import itertools
import random
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.chance.cells import at_its_beginning
from autograder.check.chance.replay import another_session, seeder
from autograder.check.claims.aggregation._evenness import (
    raise_if_digits_run_out,
    raise_if_first_chunks_come_more,
    raise_if_uneven,
)
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.wording.written_arguments import Written
from autograder.check.words import counted

_ROWS = 900
# Rows, and numbers of chunks, at which a hash with few values shows, or one that prefers some.
# The last ones: of the 65,536 values of two bytes some chunks get three, and others two.
_MANY_CHUNKS = {"many": (3_000, (300, 350, 400)), "very many": (3_000, (26_500, 27_000, 27_500))}
# Neither powers of 2 nor of 10: patterns in the labels are no help to a weak hash.
_CHUNKS = (5, 6, 7, 9, 11)
# With a power of 2, a salt in a linear checksum only gives the chunks other numbers.
_POWERS = (4, 8)
# Texts come first: Python's hash of a whole number is bad in ways that depend on the salt.
_PATTERNS = {
    "row names": "texts that differ in their last characters",
    "texts": "a Series with an index that does not begin at 0: texts with accents",
    "numbers": "whole numbers without a pattern, above 0 and below",
    "multiples": "an array: multiples of the number of chunks, and of a million",
}
_ALIKE = 40  # characters in which all texts of a pattern agree
_ACCENTS = str.maketrans("0123456789", "àáâãäéèêëü")


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four tables: labels that are whole numbers and texts, with a pattern and without."""
    chunks = generator.choice(_CHUNKS, len(_PATTERNS), replace=False)
    return [
        {
            "pattern": pattern,
            "chunks": int(each),
            "salt": int(generator.integers(1, 1000)),
            "seed": int(generator.integers(2**32)),
        }
        for pattern, each in zip(_PATTERNS, chunks, strict=True)
    ]


def _labels(parameters: dict) -> list:
    """Return the labels of a table, all different."""
    generator = np.random.default_rng(parameters["seed"])
    start = int(generator.integers(10**5, 10**6))
    if parameters["pattern"] == "numbers":
        return np.unique(generator.integers(-(10**9), 10**9, 2 * _ROWS + 9))[::2][:_ROWS].tolist()
    if parameters["pattern"] == "multiples":
        return [(start + place) * parameters["chunks"] * 10**6 for place in range(_ROWS)]
    alike = "".join(generator.choice(list("abcdefghijklmnopqrstuvwxyz"), _ALIKE))
    if parameters["pattern"] == "texts":
        return [f"{start + place} {alike}".translate(_ACCENTS) for place in range(_ROWS)]
    return [f"row {alike} {start + place}" for place in range(_ROWS)]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    labels = _labels(parameters)
    random.Random(parameters["seed"]).shuffle(labels)
    if parameters["pattern"] == "multiples":
        labels = np.array(labels)
    elif parameters["pattern"] == "texts":
        # Row names that are no positions.
        labels = pd.Series(labels, index=np.arange(_ROWS)[::-1] + 17)
    return (labels,), {"chunks": parameters["chunks"], "salt": parameters["salt"]}


def _taken(labels: Any, places: Sequence[int]) -> Any:
    """Return some of the labels, in the form in which they came."""
    if hasattr(labels, "iloc"):
        return labels.iloc[places]
    return labels[places] if hasattr(labels, "dtype") else [labels[place] for place in places]


def _use(function: Callable, labels: Any, *, chunks: int, salt: int) -> dict[str, Any]:
    """Call the answer with all rows and with some; return what came, and which rows were given."""
    order = np.random.default_rng(secrets.randbits(64)).permutation(_ROWS)
    tables = {
        "all": np.arange(_ROWS),
        "again": np.arange(_ROWS),
        "reordered": order,
        "fewer": np.sort(order[: _ROWS // 2]),
        "first gone": np.arange(1, _ROWS),
        "alone": order[:1],
    }
    given, kept = {"chunks": chunks, "salt": salt}, copy.deepcopy(labels)
    came = {
        name: (places, function(_taken(labels, places), **given)) for name, places in tables.items()
    }
    plain = labels.tolist() if hasattr(labels, "tolist") else np.array(labels)
    came["retyped"] = (tables["all"], function(plain, **given))
    came |= _by_salts(function, labels, chunks, salt)
    with another_session(function):
        came["session"] = (tables["all"], function(labels, **given))
    for name, later, other in (("forgotten", "again", salt), ("salted first", "salted", salt + 1)):
        with at_its_beginning(function) as known:
            first = function(labels, chunks=chunks, salt=other) if known else came[later][1]
        came[name] = (tables["all"], first)
    for name, (rows, numbers) in _MANY_CHUNKS.items():
        many, places = secrets.choice(numbers), np.arange(rows)
        came[name] = (places, function([f"{salt}-{each}" for each in places], chunks=many), many)
    came["reseeds"] = bool(seeder(function, lambda: function(labels, **given)))
    came["changes"] = not np.array_equal(np.asarray(kept), np.asarray(labels))
    return came


def _by_salts(function: Callable, labels: Any, chunks: int, salt: int) -> dict[str, tuple]:
    """Return what came with other salts, and with few chunks."""
    came, places = {}, np.arange(_ROWS)
    # The next salt; and one that agrees with it in its last digits and bits.
    for name, other in (("salted", salt + 1), ("far salted", salt + 7_680_000)):
        came[name] = (places, function(labels, chunks=chunks, salt=other))
    for power, other in itertools.product(_POWERS, (salt, salt + 1)):
        chosen = function(labels, chunks=power, salt=other)
        came[f"{power} by {other - salt}"] = (places, chosen, power)
    return came


def _read(answer: dict[str, Any], parameters: dict) -> dict[str, Any]:
    """Return what came with the chunks as whole numbers, or raise BadAnswer."""
    tables = {name: given for name, given in answer.items() if isinstance(given, tuple)}
    read = {
        name: (places, _chunks(given, len(places), (*chunks, parameters["chunks"])[0]))
        for name, (places, given, *chunks) in tables.items()
    }
    return {**answer, **read, "numbers": {name: tables[name][2] for name in _MANY_CHUNKS}}


def _verify(parameters: dict, answer: dict[str, Any]) -> None:
    """Raise BadAnswer unless what came from all calls fits together."""
    if answer["changes"]:
        raise Written
    whole = answer["all"][1]
    for name, problem, ask in _RULES:
        places, chunks = answer[name]
        _raise_if_moved(whole[places], chunks, problem, ask)
    raise_if_uneven(whole, parameters["chunks"])
    _raise_if_chunks_are_kept(whole, answer["salted"][1], answer["salted first"][1])
    for name in ("salted", "far salted"):
        _raise_if_salt_is_idle(whole, answer[name][1], parameters["chunks"])
    for power in _POWERS:
        _raise_if_salt_is_idle(answer[f"{power} by 0"][1], answer[f"{power} by 1"][1], power)
    for name, number in answer["numbers"].items():
        raise_if_digits_run_out(answer[name][1], number)
        raise_if_first_chunks_come_more(answer[name][1], number)
    if answer["reseeds"]:
        raise BadAnswer(
            "it sets the state of the global random generator",
            seen="after the call, that generator gives numbers that anybody can foresee",
            ask="which noise is drawn next, by whom? Make a generator of your own.",
        )


def _chunks(given: Any, rows: int, chunks: int) -> np.ndarray:
    """Return the chunks as whole numbers in range, one a row, or raise BadAnswer."""
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.shape != (rows,) or array.dtype.kind not in "iuf":
        came = f"an array of shape {array.shape}" if array.dtype.kind in "iuf" else None
        raise BadAnswer(
            "one chunk for each row is wanted",
            seen=f"it returned {came or _named(given)} for {counted(rows, 'row')}",
            ask="which number does your function give for the first row, and for the second?",
        )
    if not np.all(array == np.round(array)):
        raise BadAnswer(
            "a chunk is a whole number",
            seen=f"it returned {array[array != np.round(array)][0]:g}",
            ask="how do you get from a large whole number to one below `chunks`?",
        )
    low, high = array.min(), array.max()
    if low < 0 or high >= chunks:
        counting = low == 1 and high == chunks
        raise BadAnswer(
            "the chunks are counted from 1" if counting else "a chunk is out of range",
            seen=f"it returned chunks from {low:g} to {high:g}; 0 to {chunks - 1} are wanted",
            ask="which numbers may the remainder of a division by `chunks` be?",
        )
    return array.astype(np.intp)


def _named(given: Any) -> str:
    return "nothing" if given is None else f"a {type(given).__name__}"


_OTHERS = (
    "the chunk of a row depends on which other rows there are",
    "which line looks at all labels at once?",
)
_RULES = (
    (
        "again",
        "the same labels get other chunks at the next call",
        "which line draws a random number? What could take its place?",
    ),
    (
        "reordered",
        "the chunk of a row depends on its place in the table",
        "what does a row have that stays the same when the rows before it leave?",
    ),
    *((name, *_OTHERS) for name in ("fewer", "first gone", "alone")),
    (
        "retyped",
        "a list and an array of the same labels get different chunks",
        "`repr` of a label depends on its type, and `str` does not: what does your hash read?",
    ),
    (
        "session",
        "Python's hash of a text is another number in the next session",
        "which hash gives the same number on every machine? Look at the module hashlib.",
    ),
    (
        "forgotten",
        "the chunks depend on something that is drawn, or kept, in this session only",
        "what does your function find outside of itself, and what is there in the next session?",
    ),
)


def _raise_if_moved(before: np.ndarray, after: np.ndarray, problem: str, ask: str) -> None:
    moved = int(np.sum(before != after))
    if moved:
        rows = counted(len(before), "row")
        raise BadAnswer(problem, seen=f"{moved} of {rows} moved to another chunk", ask=ask)


def _raise_if_chunks_are_kept(before: np.ndarray, after: np.ndarray, first: np.ndarray) -> None:
    """Raise BadAnswer if a salt counts only where it is the first of the session."""
    if np.array_equal(before, after) and not np.array_equal(before, first):
        raise BadAnswer(
            "a label keeps the chunk of an earlier call, whatever the salt",
            seen="two salts gave the same chunk to each of 900 rows; the second, when it was asked "
            "for first, gave others",
            ask="what does your code keep from one call to the next? Does it know for which salt "
            "and which number of chunks?",
        )


def _raise_if_salt_is_idle(before: np.ndarray, after: np.ndarray, chunks: int) -> None:
    """Raise BadAnswer if another salt gives the same groups of rows: 5**-890 by chance.

    Of the chunks * chunks pairs (at most 121, for 900 rows) right answers leave out half with
    probability below 1e-100.
    """
    if np.array_equal(before, after):
        raise BadAnswer(
            "two salts give the same chunks",
            seen="two salts gave the same chunk to each of 900 rows",
            ask="how do the label and the salt, all of it, decide the chunk together? Or does your "
            "code keep a chunk from an earlier call?",
        )
    pairs = set(zip(before.tolist(), after.tolist(), strict=True))
    if len(pairs) < chunks * chunks / 2:
        raise BadAnswer(
            "another salt keeps too many rows together",
            seen=f"rows that share one of {chunks} chunks with one salt share one with another",
            ask="is the salt used before the hash, or after it? Or is it a checksum, or a product, "
            "of which a salt moves all values alike?",
        )


CLAIM = CounterexampleClaim(
    about=(
        "Check `assign_chunks(labels, *, chunks, salt=0)`: the chunk of each row, an array.\n\n"
        "Labels are a list, an array or a Series of whole numbers or of texts."
    ),
    established="a row's chunk depends on its own label and the salt only, chunks are even",
    cases=_cases,
    arguments=_arguments,
    use=_use,
    read=_read,
    verify=_verify,
    situation=lambda p: (
        f"{_ROWS} labels ({_PATTERNS[p['pattern']]}), chunks {p['chunks']}, salt {p['salt']}"
    ),
)
