"""Break it: chunks cut by position. One row leaves, and the mean of the answers leaps."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_whole_number, parts_of
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import counted, number

# The answer must move by more than this share of the interval, however many chunks there are.
_SHARE = Fraction(1, 4)


def _cases(generator: np.random.Generator) -> Iterator[dict]:
    """Return seven tables: few and many chunks, even and odd numbers, of three rows or more."""
    # Of three chunks no row moves more than one, a third of the mean: that refutes nothing.
    chunks = ((4, 5), (5, 6), (6, 7), (7, 9), (20, 21), (101, 150), (400, 700))
    for low, high in chunks:
        each = int(generator.integers(low, high))
        yield {"size": each * int(generator.integers(3, 9)), "chunks": each}


def mean_of_maxima(values: list[Fraction], rows: int) -> Fraction:
    """Return the mean of the chunks' maxima, clipped to [0, 1]; chunks are cut by position."""
    maxima = [max(values[start : start + rows]) for start in range(0, len(values), rows)]
    return sum(min(max(each, Fraction(0)), Fraction(1)) for each in maxima) / len(maxima)


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless one row that leaves moves the answer by more than a quarter."""
    size, chunks = parameters["size"], parameters["chunks"]
    values, place = [Fraction(each) for each in answer[0].tolist()], answer[1]
    rows = size // chunks
    # Without one of the rows, pieces of ceil((size - 1) / chunks) rows are still `rows` long.
    before = mean_of_maxima(values, rows)
    after = mean_of_maxima(values[:place] + values[place + 1 :], rows)
    moved = abs(after - before)
    if moved <= _SHARE:
        raise _not_enough(before, after, chunks, rows)


def _not_enough(before: Fraction, after: Fraction, chunks: int, rows: int) -> BadAnswer:
    """Return the words for a table that does not move the answer far enough."""
    moved = abs(after - before)
    seen = (
        f"chunks of {rows} rows; the mean of the maxima, each cut to [0, 1], is "
        f"{number(float(before))} with the row and "
        f"{number(float(after))} without it: it must move by more than 0.25"
    )
    if not moved:
        problem = "the answer does not move at all"
        ask = "which row crosses from each chunk into the one before it when this one leaves? "
        ask += "Is it larger than all that are there, and at most 1?"
    elif moved <= Fraction(1, chunks):
        problem = "the answer moves by no more than the stated bound"
        ask = "which chunks get other rows when this one leaves? How far does the maximum of each "
        ask += "move, and how far could it?"
    else:
        problem = "the answer moves by less than a quarter of the interval"
        ask = "can every second chunk gain a 1, while no chunk loses its own?"
    return BadAnswer(problem, seen=seen, ask=ask)


def _read(answer: Any, parameters: dict) -> tuple[np.ndarray, int]:
    """Return the values and the place of the row that leaves, or raise BadAnswer."""
    size = parameters["size"]
    parts = parts_of(answer, "two things", "values, place")
    values = _numbers(parts[0])
    if len(values) != size:
        raise BadAnswer(
            "the table has the wrong number of rows",
            seen=f"you gave {counted(len(values), 'row')}; {size} are wanted",
            ask="how many rows has the table before the row leaves?",
        )
    place = as_whole_number(parts[1])
    if not 0 <= place < size:
        raise BadAnswer(
            "no such row can leave",
            seen=f"you gave the place {place:g}; places go from 0 to {size - 1}",
            ask="which row leaves?",
        )
    return values, int(place)


def _numbers(values: Any) -> np.ndarray:
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        raise BadAnswer(
            "the values must be a list of numbers, one for each row",
            seen=f"the first of the two is of shape {array.shape}"
            if array.size
            else f"the first of the two is of type {type(values).__name__}",
            ask="which number does each row hold? And which of the two does the task name first?",
        )
    if not np.all(np.isfinite(array)):
        raise BadAnswer(
            "a value is not a finite number", ask="which step of your computation has no result?"
        )
    return array.astype(float)


CLAIM = CounterexampleClaim(
    about=(
        "Check `positional_chunks_counterexample(size, chunks)`: a table that refutes chunks cut\n"
        "by position.\n\n"
        "The function returns (values, place): `size` numbers and the place of a row. The table\n"
        "is cut by position into `chunks` pieces of equally many rows. Each answers with its\n"
        "maximum, clipped to [0, 1], and the answers are averaged. Without the row at `place`,\n"
        "cut in the same way, the mean must move by more than 1/4; 1 / chunks was promised."
    ),
    established="one row that leaves moves the mean by more than a quarter of the interval",
    cases=_cases,
    read=_read,
    verify=_verify,
    situation=lambda p: f"size {p['size']}, chunks {p['chunks']}",
)
