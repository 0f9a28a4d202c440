"""Certificates that a privacy claim is false: bets on events that two neighbors tell apart.

For (epsilon, delta) and any event, P(event) - exp(epsilon) * Q(event) - delta is at most 0. So a
bet that pays (event on the one side) - exp(epsilon) * (event on the other) - delta loses on average
if the claim holds. Bets on events that were chosen from earlier draws make 1 a supermartingale:
the claim is refuted, at any time, once it has become 1 / alpha (Ville 1939).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ville.draws import Draws, numbers_of, sampler_of
from ville.require import finite, level, positive, whole

_CUTS = np.linspace(0.002, 0.998, 80)
_MOST_VALUES = 40
# Shares of the largest bet that can never lose all.
_STAKES = np.array([0.03, 0.06, 0.12, 0.25, 0.5, 0.75, 0.95])
_GRID = 400  # steps of the certified bound
_LARGEST_LOSS = 12.0
_FIRST_BATCH, _LARGEST_BATCH, _GROWTH = 200, 100_000, 0.5
_LARGEST_NUMBER = float(np.finfo(float).max)
_FEWEST = 8  # draws of both sides: some to choose an event, some to bet on it
_KEPT = 50_000  # draws a side from which events are chosen


@dataclass(frozen=True)
class Event:
    """An event: entry `column` of a draw lies in [low, high); `swapped`: on the neighbor's side."""

    swapped: bool
    column: int
    low: float
    high: float

    def __str__(self) -> str:
        entry = f"entry {self.column} of the draw" if self.column else "the draw"
        if self.low > _LARGEST_NUMBER / 1e6:
            return f"{entry} is no finite number"
        if self.high <= np.nextafter(self.low, math.inf):
            return f"{entry} is {self.low:.6g}"
        if math.isinf(self.low):
            return f"{entry} lies below {self.high:.4g}"
        return f"{entry} is at least {self.low:.4g}"

    def holds(self, side: np.ndarray) -> np.ndarray:
        """Say for each draw, of shape (n, columns), whether the event came."""
        column = side[:, self.column]
        return (column >= self.low) & (column < self.high)


@dataclass(frozen=True)
class Certificate:
    """The result of an audit.

    Attributes:
      refuted: whether the claim is false; at most with probability alpha if it is true.
      epsilon: the claimed one, and `delta` likewise.
      epsilon_at_least: a bound on the true epsilon for this delta, too large with probability at
        most alpha; 0.0 if nothing was certified.
      draws: of both sides together.
      log_evidence: the log of the wealth that bets against the claim have made of 1.
      event: the last event that was bet on, in words.
      alpha: the largest probability of a false alarm.
    """

    refuted: bool
    epsilon: float
    delta: float
    epsilon_at_least: float
    draws: int
    log_evidence: float
    event: str
    alpha: float

    def __bool__(self) -> bool:
        """Say whether the claim stands, as a result of `follows` says of a law."""
        return not self.refuted

    def __str__(self) -> str:
        claim = f"epsilon={self.epsilon:g}" + (f", delta={self.delta:g}" if self.delta else "")
        if not self.refuted:
            return f"{claim}: {self.draws:,} draws certify no more than {self.epsilon_at_least:.3g}"
        return (
            f"{claim} is false: epsilon is at least {self.epsilon_at_least:.3g} "
            f"({self.draws:,} draws; {self.event}; wrong with probability {self.alpha:.2g} at most)"
        )


class Audit:
    """Bets against one claim, while draws come in.

    Attributes:
      draws: how many were given, of both sides together.
      event: the event that is bet on next; None before any draw.
      promised: the loss that this event promises, as a bound that is right 98 times in 100.
    """

    def __init__(self, *, epsilon: float, delta: float = 0.0):
        """Take the claim: epsilon at least 0, delta in [0, 1)."""
        finite("epsilon", epsilon)
        finite("delta", delta)
        if epsilon < 0 or not 0 <= delta < 1:
            raise ValueError(f"epsilon, delta must be at least 0, got {epsilon!r}, {delta!r}")
        self._epsilon, self._delta = epsilon, delta
        # The claim itself, and the other losses that may be certified.
        steps = np.linspace(0, _LARGEST_LOSS, _GRID + 1)
        self._losses = np.unique(np.append(steps, epsilon))
        self._log_wealth = np.zeros((len(self._losses), len(_STAKES)))
        self.draws, self.event, self.promised = 0, None, -math.inf

    def choose(self, first: np.ndarray, second: np.ndarray) -> None:
        """Choose the event to bet on from draws that are never bet on, on either side."""
        self.draws += len(first) + len(second)
        self.promised, self.event = _best_event([_columns(first), _columns(second)], self._delta)

    def bet(self, first: np.ndarray, second: np.ndarray) -> tuple[int, int]:
        """Bet on fresh draws, as many on either side; return how often the event came on each."""
        if self.event is None or len(first) != len(second):
            raise ValueError(f"choose an event first; {len(first)} and {len(second)} draws came")
        self.draws += len(first) + len(second)
        sides = [self.event.holds(_columns(side)) for side in (first, second)]
        one, other = sides[::-1] if self.event.swapped else sides
        most = np.exp(self._losses)[:, None] + self._delta  # the largest bet is its inverse
        for came in (0, 1):
            for elsewhere in (0, 1):
                count = int(np.sum((one == came) & (other == elsewhere)))
                paid = (came - self._delta - (most - self._delta) * elsewhere) / most
                self._log_wealth += count * np.log1p(_STAKES * paid)
        return int(one.sum()), int(other.sum())

    def log_evidence(self) -> float:
        """Return the log of the evidence against the claim: a supermartingale if it is true."""
        place = int(np.searchsorted(self._losses, self._epsilon))
        return float(self._by_loss()[place])

    def epsilon_at_least(self, alpha: float) -> float:
        """Return a bound on the true epsilon; it is ever too large with probability <= alpha."""
        # All smaller losses must be refuted too: then the first one that is true was.
        refuted = self._by_loss() >= -math.log(alpha)
        steps = int(np.argmin(refuted)) if not refuted.all() else len(refuted)
        return float(self._losses[steps - 1]) if steps else 0.0

    def _by_loss(self) -> np.ndarray:
        return np.logaddexp.reduce(self._log_wealth, axis=1) - math.log(len(_STAKES))


def audit(
    draws: Draws,
    neighbor_draws: Draws,
    *,
    epsilon: float,
    delta: float = 0.0,
    alpha: float = 1e-9,
    max_draws: int = 200_000,
) -> Certificate:
    """Try to certify that a mechanism is not (epsilon, delta)-differentially private.

    A certificate proves too much loss. A missing certificate proves nothing: if the law of the
    draws is known, `ville.follows` detects far more.

    Args:
      draws: n -> n independent draws on a data set: numbers, of shape (n,) or (n, columns). Or the
        draws themselves: then as many of them are judged as there are on both sides.
      neighbor_draws: the same on a neighboring data set.
      epsilon, delta: the claim.
      alpha: a true claim is refuted with probability at most this.
      max_draws: how many draws are made at most, of both sides together.

    Raises:
      ValueError: an argument is out of range, or the draws are no numbers.
    """
    level("alpha", alpha)
    whole("max_draws", max_draws)
    if max_draws < _FEWEST:
        raise ValueError(f"max_draws must be at least {_FEWEST}, got {max_draws!r}")
    sides, max_draws = _samplers({"draws": draws, "neighbor_draws": neighbor_draws}, max_draws)
    bets = Audit(epsilon=epsilon, delta=delta)
    seen = _from_both(sides, min(_FIRST_BATCH, int(max_draws) // 4))
    bets.choose(*seen)
    while bets.log_evidence() < -math.log(alpha) and bets.draws < max_draws - 1:
        wanted = min(max(_FIRST_BATCH, int(_GROWTH * bets.draws / 2)), _LARGEST_BATCH)
        number = min(wanted, int(max_draws - bets.draws) // 2)
        fresh = _from_both(sides, number)
        bets.bet(*fresh)
        seen = [np.concatenate(pair)[-_KEPT:] for pair in zip(seen, fresh, strict=True)]
        before = bets.draws
        bets.choose(*seen)
        bets.draws = before
    return Certificate(
        bets.log_evidence() >= -math.log(alpha),
        epsilon,
        delta,
        bets.epsilon_at_least(alpha),
        bets.draws,
        bets.log_evidence(),
        str(bets.event),
        alpha,
    )


def certified_epsilon(first, second, draws: int, *, delta: float = 0.0, level: float = 1e-9):
    """Return a lower bound on epsilon from how often one event came on either side.

    Args:
      first, second: how often the event came, of `draws` independent draws each (or arrays). It
        was chosen before them.
      draws: the number of draws on each side, at least 1.
      delta: of the promise, in [0, 1).
      level: the bound is too large with probability at most this.

    Returns:
      ln((p - delta) / q), for a lower bound p of the first probability and an upper bound q of the
      second, each at level / 2 (Clopper & Pearson 1934); -inf where p does not exceed delta.
    """
    from scipy.special import betainccinv, betaincinv

    positive("draws", draws)
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    # Clopper & Pearson (1934): quantiles of beta laws.
    with np.errstate(all="ignore"):
        low = np.where(first > 0, betaincinv(first, draws - first + 1, level / 2), 0.0)
        high = betainccinv(second + 1, np.maximum(draws - second, 1e-300), level / 2)
        high = np.where(second >= draws, 1.0, high)
        loss = np.log(np.maximum(low - delta, 0.0)) - np.log(high)
    return loss if loss.ndim else float(loss)


def _samplers(given: dict[str, Any], max_draws: int) -> tuple[dict[str, Callable], int]:
    """Return a sampler for each side, and how many draws they have together at most.

    Raises:
      ValueError: a side is neither a sampler nor enough draws.
    """
    sides = {}
    for name, draws in given.items():
        sides[name], there = sampler_of(draws, several=False)
        if there is not None and 2 * there < _FEWEST:
            raise ValueError(f"{name} must hold at least {_FEWEST // 2} draws, got {there}")
        max_draws = min(max_draws, 2 * there) if there is not None else max_draws
    return sides, max_draws


def _from_both(sides: dict[str, Callable[[int], Any]], number: int) -> list[np.ndarray]:
    """Return so many draws of each side.

    Raises:
      ValueError: a side gives other than so many rows of numbers.
    """
    found = []
    for name, sampler in sides.items():
        made = numbers_of(sampler(number), name=name)
        if len(made) != number:
            raise ValueError(
                f"{name} must give {number} draws when asked for them, got {len(made)}"
            )
        found.append(_columns(made))
    if found[0].shape != found[1].shape:
        raise ValueError(f"draws and neighbor_draws must have as many columns, got {found}")
    return found


def _columns(draws: Any) -> np.ndarray:
    """Return draws as rows. NaN and infinity count as the largest number: one may see them, too.

    What is computed from draws alone loses no more privacy than they do.
    """
    draws = np.nan_to_num(np.asarray(draws, dtype=float), nan=_LARGEST_NUMBER)
    return draws.reshape(len(draws), -1)


def _best_event(sides: list[np.ndarray], delta: float) -> tuple[float, Event]:
    """Return the loss that the most promising event promises, and that event."""
    best: tuple[float, Event] = (-math.inf, Event(False, 0, 0.0, math.inf))
    number = len(sides[0])
    for column in range(sides[0].shape[1]):
        lows, highs = _intervals(np.concatenate([side[:, column] for side in sides]))
        counts = []
        for side in sides:
            ordered = np.sort(side[:, column])
            below = [np.searchsorted(ordered, ends, side="left") for ends in (lows, highs)]
            counts.append(below[1] - below[0])
        for swapped in (False, True):
            pair = counts[::-1] if swapped else counts
            losses = certified_epsilon(*pair, number, delta=delta, level=0.02)
            place = int(np.argmax(losses))
            if losses[place] > best[0]:
                event = Event(swapped, column, float(lows[place]), float(highs[place]))
                best = float(losses[place]), event
    return best


def _intervals(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of half-lines, and of single values where there are few of them."""
    different = np.unique(values)
    if len(different) <= _MOST_VALUES:
        cuts, single = different, different
    else:
        cuts, single = np.unique(np.quantile(values, _CUTS)), different[:0]
    ends = np.full(len(cuts), math.inf)
    lows = np.concatenate([cuts, -ends, single])
    return lows, np.concatenate([ends, cuts, np.nextafter(single, math.inf)])
