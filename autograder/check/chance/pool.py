"""Finds an answer that makes its generators from few seeds: who tries them all knows the noise."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping
from types import FunctionType
from weakref import WeakKeyDictionary

import numpy as np

# So many seeds are looked at, and so many of them must have come before, among as many others.
# Of 2,000 seeds with 31 bits, four come again with probability below 1e-13.
_LOOKED_AT, _AGAIN, _DIFFERENT = 2_000, 4, 20
# Who makes more generators in a call makes one for each row, say, from the row's own label.
_IN_A_CALL = 3
# An exercise may be judged in several parts, all of which call one function.
_by_function: MutableMapping[Callable, "Seeds"] = WeakKeyDictionary()


def seeds_of(function: Callable) -> "Seeds":
    """Return the seeds that an answer has given to new generators so far."""
    # What stands for a function of another process would ask that one whether it is equal.
    if not isinstance(function, FunctionType):
        return Seeds()
    return _by_function.setdefault(function, Seeds())


class Seeds:
    """The whole numbers from which `np.random.default_rng` was called while it was watched.

    Seeds that come in two calls one after the other follow from the call's arguments. Other rules
    look at these.
    """

    def __init__(self) -> None:
        self._seen: list[int] = []
        self._call: list[int] = []
        self._before: list[int] = []

    @contextlib.contextmanager
    def watched(self) -> Iterator[Callable[[], None]]:
        """Note the seeds of new generators for a while; yield what to call after each answer."""
        make = np.random.default_rng

        def default_rng(seed=None):
            # What makes an answer's arguments, or reads its results, has seeds of its own.
            ours = sys._getframe(1).f_globals.get("__name__", "").startswith("autograder.")
            if isinstance(seed, int | np.integer) and not ours and len(self._call) <= _IN_A_CALL:
                self._call.append(int(seed))
            return make(seed)

        np.random.default_rng = default_rng
        try:
            yield self._next
        finally:
            np.random.default_rng = make

    def _next(self) -> None:
        few = 0 < len(self._call) <= _IN_A_CALL
        if few and self._call != self._before and len(self._seen) < _LOOKED_AT:
            self._seen += self._call
        self._before, self._call = self._call, []

    def again(self) -> str:
        """Return how many seeds came again, in words; "" if they are no sign of a small pool."""
        different = len(set(self._seen))
        again = len(self._seen) - different
        if again < _AGAIN or different < _DIFFERENT:
            return ""
        return f"of {len(self._seen):,} seeds that it gave to new generators, {again:,} came again"

    def each_comes(self) -> int:
        """Return how often each seed came, or nearly each; 0 if some come more often."""
        times = Counter(Counter(self._seen).values())
        often, seeds = times.most_common(1)[0]
        return often if seeds > 0.95 * times.total() else 0
