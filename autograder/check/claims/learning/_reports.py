"""What the claims on the local model share: laws of several bits, and how answers are read."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number, shortened


def independent_bits(chances: Sequence[float]) -> dict[tuple, float]:
    """Return the law of bits drawn one by one, from the chance of a 1 at each place."""
    return {
        bits: math.prod(
            chance if bit else 1 - chance for bit, chance in zip(bits, chances, strict=True)
        )
        for bits in everything(len(chances))
    }


def joined_bits(chances: Sequence[float]) -> dict[tuple, float]:
    """Return the law of bits that one uniform draw decides: a bit is 1 below its chance."""
    cuts = sorted({0.0, 1.0, *chances})
    law = dict.fromkeys(everything(len(chances)), 0.0)
    for low, high in itertools.pairwise(cuts):
        law[tuple(int(low < chance) for chance in chances)] += high - low
    return law


def everything(places: int) -> list[tuple]:
    """Return all lists of so many bits."""
    return list(itertools.product((0, 1), repeat=places))


def repeats_after(bits: np.ndarray) -> int:
    """Return the least period that 100 bits or more confirm; 0 if there is none.

    Bits that are nearly all the same repeat by chance: more of them must then confirm a period.
    Independent bits have one with probability below about 1e-12.
    """
    share = bits.mean()
    alike = share**2 + (1 - share) ** 2  # two independent bits agree with this probability
    least = max(100, math.log(1e-12 / len(bits)) / math.log(alike)) if alike < 1 else len(bits)
    told = bits.astype(bool).tobytes()
    place = told.find(told[:64], 1)
    while 0 < place <= len(told) - least:
        if told[place:] == told[:-place]:
            return place
        place = told.find(told[:64], place + 1)
    return 0


def bits_of_shape(answer: Any, shape: tuple[int, ...], what: str) -> tuple:
    """Return the bits of an answer in the order of its rows, or raise BadAnswer."""
    return tuple(bit_array(answer, shape, what).astype(int).tolist())


def bit_array(answer: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return the bits of an answer, row after row, as truth values; or raise BadAnswer."""
    array = array_of_shape(answer, shape, what, "truth values, or of 1 and 0")
    ones = array == 1
    if not (ones | (array == 0)).all():
        raise BadAnswer(
            f"{what} must be true or false, or 1 and 0",
            seen=f"it returned {shortened(answer)}",
            ask="which values may a single report have?",
        )
    if array.dtype.kind == "f" and np.signbit(array[~ones]).any():
        raise BadAnswer(
            f"{what} have zeros with a sign",
            seen="it returned -0.0, which equals 0.0, and yet they can be told apart",
            ask="which line makes a zero negative, and for which people?",
        )
    return ones.ravel()


def whole_numbers_of_shape(answer: Any, shape: tuple[int, ...], what: str) -> tuple:
    """Return the whole numbers of an answer, or raise BadAnswer."""
    return tuple(whole_array(answer, shape, what).astype(int).tolist())


def whole_array(answer: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return the whole numbers of an answer, row after row, or raise BadAnswer."""
    array = array_of_shape(answer, shape, what)
    if array.dtype.kind == "b" or not (array == np.round(array)).all():
        raise BadAnswer(
            f"{what} must be whole numbers",
            seen=f"it returned {shortened(answer)}",
            ask="what stands for a category in a report?",
        )
    return array.ravel()


def numbers_of_shape(answer: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return an array of finite floats, or raise BadAnswer."""
    array = array_of_shape(answer, shape, what).astype(float)
    if not np.isfinite(array).all():
        raise BadAnswer(
            f"{what} must be finite numbers",
            seen=f"it returned {shortened(answer)}",
            ask="which step divides by zero, or overflows?",
        )
    return array


def array_of_shape(
    answer: Any, shape: tuple[int, ...], what: str, entries: str = "numbers"
) -> np.ndarray:
    """Return the answer as an array of numbers of this shape (None: any length), or BadAnswer."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    array = as_array(answer, what, entries)
    if array.ndim != len(shape) or any(
        wanted not in (None, came) for wanted, came in zip(shape, array.shape, strict=True)
    ):
        raise BadAnswer(
            f"{what} have another shape",
            seen=f"the shape should be {_said(shape)}, yours is {array.shape}",
            ask="what does the task say about the shape? Print yours for a small input.",
        )
    return array


def as_array(answer: Any, what: str, entries: str = "numbers") -> np.ndarray:
    """Return any array, list, Series or table of numbers as an array, or raise BadAnswer."""
    try:
        array = np.asarray(answer)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.dtype.kind == "O":
        # A table whose columns differ in kind, for example truth values and numbers.
        try:
            array = array.astype(float)
        except (TypeError, ValueError):
            array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise BadAnswer(
            f"{what} must be an array of {entries}",
            seen=f"it returned {shortened(answer)}, a {type(answer).__name__}",
            ask="what does the task say the function returns?",
        )
    return array


def two_numbers(answer: Any, what: str) -> np.ndarray:
    """Return the two numbers of an answer such as `return p, q`, or raise BadAnswer."""
    parts = list(answer) if isinstance(answer, tuple | list | np.ndarray) else None
    if parts is None or len(parts) != 2:
        raise BadAnswer(
            f"two numbers are wanted: {what}",
            seen="it returned nothing" if answer is None else f"it returned {shortened(answer)}",
            ask=f"does your function end in `return {what}`?",
        )
    return np.array([as_number(part) for part in parts])


def solved(ones, people, p, q):
    """Return the estimate that a category gets from the number of reports that support it."""
    # Wang, Blocki, Li & Jha (2017): E[support] = c * p + (n - c) * q, solved for c.
    return (ones - people * q) / (p - q)


def few_people(generator: np.random.Generator) -> int:
    """Return a number of people from 40 to 300: small and large ones are as likely."""
    return round(math.exp(generator.uniform(math.log(40), math.log(300))))


def _said(shape: tuple) -> str:
    words = ", ".join("any" if each is None else str(each) for each in shape)
    return f"({words},)" if len(shape) == 1 else f"({words})"
