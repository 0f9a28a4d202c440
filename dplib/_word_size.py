"""In a browser a number of places has 32 bits, and numpy's `repeat` refuses 64-bit counts there.

Counts have 64 bits all the same: numpy's generators draw them so, and pandas counts so. An answer
that is right on every computer shall be right in a browser, so `repeat` takes counts that fit.
"""

import functools
from collections.abc import Callable

import numpy as np


def taking_counts(repeat: Callable, place: type) -> Callable:
    """Return `repeat` as a function that takes counts of any integer type.

    Args:
      repeat: numpy's function, or one with the same first two arguments.
      place: the integer type of numpy's places; counts that it cannot hold are given on as they
        are, and refused.
    """

    @functools.wraps(repeat)
    def repeat_any(a, repeats, *arguments, **keywords):
        counts = np.asarray(repeats)
        if counts.dtype.kind in "iu" and counts.dtype != place and counts.size:
            room = np.iinfo(place)
            if room.min <= counts.min() and counts.max() <= room.max:
                repeats = counts.astype(place)
        return repeat(a, repeats, *arguments, **keywords)

    return repeat_any


if np.iinfo(np.intp).bits < 64:
    np.repeat = taking_counts(np.repeat, np.intp)
