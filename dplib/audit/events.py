"""Events: sets of outputs, and the search for one that tells two inputs apart."""

import functools
import math
from dataclasses import dataclass

import numpy as np

#: Another condition on the output must raise the bound by this factor: a smaller gain is chance.
GAIN = 1.05
#: Up to so many draws the bounds for every number of hits are worked out once and kept.
TABLE_DRAWS = 5_000


@dataclass(frozen=True)
class Condition:
    """One comparison of one entry of the output with a value.

    Args:
      entry: place of the entry; 0 for an output that is one number.
      relation: "<=", ">=" or "==".
      value: what the entry is compared with.
    """

    entry: int
    relation: str
    value: float

    def holds(self, outputs: np.ndarray) -> np.ndarray:
        """Return a truth value for each output, from an array of shape (n, entries)."""
        column = outputs[:, self.entry]
        if self.relation == "==":
            return column == self.value
        return column <= self.value if self.relation == "<=" else column >= self.value


@dataclass(frozen=True)
class Event:
    """A set of outputs: those that meet every condition. Call it with an output to ask."""

    conditions: tuple[Condition, ...] = ()

    def holds(self, outputs: np.ndarray) -> np.ndarray:
        """Return a truth value for each output, from an array of shape (n, entries)."""
        met = (condition.holds(outputs) for condition in self.conditions)
        return np.logical_and.reduce([np.ones(len(outputs), dtype=bool), *met])

    def __call__(self, output) -> bool:
        """Say whether one output of the mechanism is in the event."""
        return bool(self.holds(as_rows([output]))[0])

    def __str__(self) -> str:
        parts = (f"output[{c.entry}] {c.relation} {c.value:.6g}" for c in self.conditions)
        return " and ".join(parts) or "any output"


def as_rows(outputs: list) -> np.ndarray:
    """Return outputs as an array of shape (n, entries), with infinity for None and NaN."""
    try:
        rows = np.asarray(outputs, dtype=float)
    except (OverflowError, TypeError, ValueError):
        rows = np.empty(0)
    if rows.size == 0:
        raise ValueError(
            f"mechanism must return numbers, always of the same shape, got {outputs[0]!r} first"
        )
    rows = rows.reshape(len(outputs), -1)
    return np.where(np.isnan(rows), np.inf, rows)


def epsilon_bound(hits, draws, rare_hits, rare_draws, delta, level):
    """Return ln((p - delta) / q) for the smallest p and the largest q that the counts allow."""
    # Definition of (epsilon, delta): p <= exp(epsilon) * q + delta for every event.
    likely = np.maximum(at_least(hits, draws, level) - delta, 1e-300)
    return np.log(likely / at_most(rare_hits, rare_draws, level))


def at_least(hits, draws, level):
    """Return a lower bound on a probability that is wrong with probability at most `level`."""
    # An audit asks for thousands of bounds: with few draws, one table answers them all.
    if np.ndim(hits) and draws <= TABLE_DRAWS:
        return _bounds_by_hits(draws, level)[hits]
    return _clopper_pearson(np.asarray(hits), draws, level)


@functools.lru_cache(maxsize=16)
def _bounds_by_hits(draws, level) -> np.ndarray:
    return _clopper_pearson(np.arange(draws + 1), draws, level)


def _clopper_pearson(hits, draws, level):
    from scipy.special import betaincinv

    # Clopper & Pearson (1934), through the quantiles of the beta distribution.
    return np.where(hits > 0, betaincinv(np.maximum(hits, 1), draws - hits + 1, level), 0.0)


def at_most(hits, draws, level):
    """Return an upper bound on a probability that is wrong with probability at most `level`."""
    return 1 - at_least(draws - np.asarray(hits), draws, level)


def best_event(likely, rare, delta, level) -> tuple[float, Event]:
    """Add conditions, the best one first, for as long as the bound grows."""
    best, event = 0.0, Event()
    sizes = len(likely), len(rare)
    while True:
        inside = likely[event.holds(likely)], rare[event.holds(rare)]
        options = [
            _best_condition(entry, inside, sizes, delta, level) for entry in range(likely.shape[1])
        ]
        bound, condition = max(options, key=lambda option: option[0])
        if not bound > GAIN * best:
            return best, event
        best, event = bound, Event((*event.conditions, condition))


def _best_condition(entry, inside, sizes, delta, level) -> tuple[float, Condition]:
    """Return the comparison of one entry that gives the highest bound, and that bound."""
    columns = [np.sort(outputs[:, entry]) for outputs in inside]
    values = _grid(np.sort(np.concatenate(columns)))
    below, strictly = (
        [np.searchsorted(column, values, side=side) for column in columns]
        for side in ("right", "left")
    )
    counts = {
        "<=": below,
        ">=": [len(column) - less for column, less in zip(columns, strictly, strict=True)],
        "==": [upto - less for upto, less in zip(below, strictly, strict=True)],
    }
    best = -math.inf, None
    for relation, (hits, rare_hits) in counts.items():
        bounds = epsilon_bound(hits, sizes[0], rare_hits, sizes[1], delta, level)
        place = int(bounds.argmax())
        best = max(
            best,
            (float(bounds[place]), Condition(entry, relation, float(values[place]))),
            key=lambda option: option[0],
        )
    return best


def _grid(ordered: np.ndarray) -> np.ndarray:
    """Return at most about a thousand of the sorted values: evenly spread, more at both ends."""
    last = len(ordered) - 1
    ends = np.geomspace(1, last + 1, 200) - 1
    places = np.concatenate((np.linspace(0, last, 600), ends, last - ends)).astype(int)
    return np.unique(ordered[places])
