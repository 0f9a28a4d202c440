"""The worth of a pass: the smallest departures that its number of draws would have shown.

At a departure the mean counts of the cells are known, and so are the mean and the variance of each
part's log likelihood ratio. A departure is found if, after all draws, the 1 % quantile of one part
with its weight is above 1 / alpha. The evidence may reach it earlier, and the parts add up: both
only help.
"""

import contextlib
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ville.bets.rare import rare_bets
from ville.evidence import Evidence
from ville.law import Law
from ville.process import REPEATS
from ville.trial import Trial

# The 1 % quantile of the Gaussian law, which sums of many draws nearly follow.
_QUANTILE = 2.3263478740408408
_FEW = 6  # cells of which every part is looked at
_LARGEST = 20.0
_RowsAt = Callable[[float], Sequence[np.ndarray] | None]
_PRECISION = 1e-3  # of the size found


@dataclass(frozen=True)
class Worth:
    """The smallest departures that are found in 99 of 100 runs; None if none can be found.

    Attributes:
      wider, narrower: factors of the scale, above and below 1; None also for laws without a scale.
      higher, lower: shifts, in the law's units.
      total_variation: the probability that has moved from some cells to the others, whichever: of
      more than a few, from one half to the other. Differences inside a cell stay unseen.
      rare: the share of draws that are all but impossible under the law; None for a choice.
      coarse: whether a float stands for so much of some law that little of it can be judged.
    """

    wider: float | None = None
    narrower: float | None = None
    higher: float | None = None
    lower: float | None = None
    total_variation: float | None = None
    rare: float | None = None
    coarse: bool = False

    def __str__(self) -> str:
        said = []
        if self.wider and self.narrower:
            said.append(f"a scale off by a factor {self.wider:.3g} or {self.narrower:.3g}")
        if self.higher and self.lower:
            said.append(f"a shift by {self.higher:.2g} or {self.lower:.2g}")
        if self.total_variation:
            said.append(f"a total variation of {self.total_variation:.2g} between its cells")
        if self.rare:
            said.append(f"draws that are all but impossible, once in {1 / self.rare:,.0f}")
        note = " At some places floats are coarser than the law: no more is judged."
        note = note if self.coarse else ""
        if not said:
            return f"So few draws find no departure in 99 of 100 runs.{note}"
        return f"Found in 99 of 100 runs: {', '.join(said)}.{note}"


def worth(trial: Trial, laws: Sequence, draws: int, alpha: float) -> Worth:
    """Return the smallest departures that `draws` draws show at level alpha.

    Args:
      trial: the claim at its settings.
      laws: the law and the cells of each row.
      draws: their number, spread evenly over the settings.
      alpha: the largest probability of a false alarm.
    """

    def smallest(
        rows_at: Callable[[float], list[np.ndarray] | None], largest: float
    ) -> float | None:
        return smallest_found(trial, rows_at, draws, alpha, largest)

    variation = variation_found(trial, draws, alpha)
    if not all(isinstance(law, Law) for law, _ in laws):
        return Worth(total_variation=variation)

    def stretched(step: float) -> list[np.ndarray] | None:
        with contextlib.suppress(ValueError):  # of a truncated law there may be nothing left
            return [cells.probabilities(law.at_scale(math.exp(step))) for law, cells in laws]
        return None

    def moved(shift: float) -> list[np.ndarray]:
        return [cells.probabilities(_between(law, shift)) for law, cells in laws]

    farthest = _LARGEST * max(law.middle_and_size()[1] for law, _ in laws)
    wider = smallest(stretched, math.log(_LARGEST))
    narrower = smallest(lambda step: stretched(-step), math.log(_LARGEST))
    higher, lower = smallest(moved, farthest), smallest(lambda shift: moved(-shift), farthest)
    return Worth(
        wider and math.exp(wider),
        narrower and math.exp(-narrower),
        higher,
        lower and -lower,
        variation,
        rare_found(trial, draws, alpha),
        any(cells.coarse for _, cells in laws),
    )


def rare_found(trial: Trial, draws: int, alpha: float) -> float | None:
    """Return the smallest share of all but impossible draws that is found, in any one row."""
    from scipy.special import gammaincinv  # here, because importing it takes a while

    rare = rare_bets(trial.null(), trial.events, certain=True)
    if not rare or draws < len(trial.settings):
        return None
    each, bar = draws // len(trial.settings), -math.log(alpha) - math.log(REPEATS)
    shares = [0.0]
    for first, behind in itertools.pairwise(rare.starts):
        if first == behind:
            continue
        event = first + int(np.argmin(rare.chances[first:behind]))
        counts, most = np.zeros(len(rare)), np.full(len(trial.events), float(each))
        while rare.log_value_at(counts, most) < bar and counts[event] < each:
            counts[event] += max(1, counts[event] // 8)
        # So many of them or more come in 99 of 100 runs, by the Poisson law.
        shares.append(float(gammaincinv(counts[event], 0.99)) / each)
    return max(shares) if 0 < max(shares) < 0.5 else None


def smallest_found(
    trial: Trial,
    rows_at: _RowsAt,
    draws: int,
    alpha: float,
    largest: float = 1.0,
) -> float | None:
    """Return the smallest departure that draws show in 99 of 100 runs; None if none is found.

    Args:
      trial: the claim at its settings.
      rows_at: the laws of the cells by row, at a departure of some size; at 0 they are the claim's.
        None if there are none of this size.
      draws: their number, spread evenly over the settings.
      alpha: the largest probability of a false alarm.
      largest: sizes above it are not looked at.
    """
    mixture = trial.mixture()
    while (rows := rows_at(largest)) is None and largest > _PRECISION:
        largest /= 2
    if rows is None:
        return None
    return _smallest(lambda size: margin(trial, rows_at(size), draws, alpha, mixture), largest)


def margin(
    trial: Trial,
    rows: Sequence[np.ndarray],
    draws: int,
    alpha: float,
    mixture: Evidence | None = None,
) -> float:
    """Return how far above log(1 / alpha) the evidence is in 99 of 100 runs; at 0 it just rejects.

    `rows` are the laws of the draws' cells, `mixture` is the trial's, to make it only once.
    """
    each = draws / len(trial.settings)
    lost = each * float(trial.slack_by_setting().sum())
    shares = np.concatenate(rows)
    starts = np.cumsum([0, *map(len, rows[:-1])])
    # One draw that the law never gives is enough.
    never = float(shares[np.concatenate(trial.null()) == 0].sum())
    best = math.inf if each * never >= math.log(100) else -math.inf
    for weighted in (mixture or trial.mixture()).parts:
        if not hasattr(weighted.part, "slopes"):
            continue
        values = weighted.part.log_values_at(each * shares)
        slopes, bends = weighted.part.slopes(each * shares), weighted.part.bends(each * shares)
        # Second-order moments of the counts: each row is a multinomial draw of its own.
        mean = np.add.reduceat(shares * slopes, starts, axis=1)
        variance = each * (np.sum(shares * slopes**2, axis=1) - np.sum(mean**2, axis=1))
        gained = bends * (each * shares * (1 - shares))
        values = values + gained.sum(axis=1) / 2
        spread = np.sqrt(np.maximum(variance, 0.0) + np.sum(gained**2, axis=1) / 2)
        logs = values - _QUANTILE * spread + math.log(weighted.weight / len(values))
        best = max(best, float(np.max(logs)))
    return best - lost + math.log(alpha)


def _smallest(margin_at: Callable[[float], float], largest: float) -> float | None:
    """Return the smallest size with a margin of 0, to a part in a thousand; None if none is."""
    low, high = largest * 1e-6, largest
    floor, at_high = margin_at(low), margin_at(high)
    if at_high < 0:
        return None
    at_low, step = floor, 0
    while high > low * math.exp(_PRECISION):
        middle, step = _on_the_line((low, at_low), (high, at_high), floor), step + 1
        # Whatever the margins are, every sixth step takes half of what is left.
        if middle is None or step % 6 == 0:
            middle = math.sqrt(low * high)
        at_middle = margin_at(middle)
        if at_middle >= 0:
            high, at_high = middle, at_middle
        else:
            low, at_low = middle, at_middle
    return high


def _on_the_line(low: tuple[float, float], high: tuple[float, float], floor: float) -> float | None:
    """Return where the margin is about 0, inside an interval; None where margins do not tell.

    A margin grows from its floor about as the square of the size, so its root is nearly straight.
    """
    if not (floor < 0 and math.isfinite(floor) and math.isfinite(high[1])):
        return None
    heights = [math.sqrt(max(at - floor, 0)) for _, at in (low, high)]
    share = (math.sqrt(-floor) - heights[0]) / (heights[1] - heights[0])
    middle = low[0] + share * (high[0] - low[0])
    near = math.exp(_PRECISION / 2)
    return min(max(middle, low[0] * near), high[0] / near)


def variation_found(trial: Trial, draws: int, alpha: float) -> float | None:
    """Return the smallest total variation that is found, whichever cells have given to the others.

    Of more than a few cells, halves stand for all: a rarer part that gives as much is seen sooner.
    """
    null, mixture = trial.null(), trial.mixture()
    if max(map(len, null)) == 1:
        return None
    splits = [[_half(row, k) for row in null] for k in (0, 1)]
    if len({len(row) for row in null}) == 1 and len(null[0]) <= _FEW:
        masks = itertools.product((False, True), repeat=len(null[0]))
        splits = [[np.array(mask)] * len(null) for mask in masks if any(mask) and not all(mask)]

    def margin_at(split: list[np.ndarray], size: float) -> float:
        pairs = list(zip(null, split, strict=True))
        # Who has less cannot give so much.
        if any(not 0 < size <= row[giving].sum() < 1 for row, giving in pairs):
            return math.inf
        rows = [_moved_from(row, giving, size) for row, giving in pairs]
        return margin(trial, rows, draws, alpha, mixture)

    ways = [_smallest(lambda size, split=split: margin_at(split, size), 0.49) for split in splits]
    return max(ways) if ways and all(ways) else None


def _half(row: np.ndarray, which: int) -> np.ndarray:
    """Return which cells are in one half, 0 or 1, of the probability."""
    half = np.zeros(len(row), dtype=bool)
    weights = [0.0, 0.0]
    for cell in np.argsort(-row, kind="stable"):
        lighter = int(weights[1] < weights[0])
        half[cell] = lighter == which
        weights[lighter] += row[cell]
    return half


def _moved_from(row: np.ndarray, giving: np.ndarray, size: float) -> np.ndarray:
    """Return a law where some cells have given probability to the others."""
    weight = row[giving].sum()
    return row * np.where(giving, 1 - size / weight, 1 + size / (1 - weight))


def _between(law: Law, shift: float) -> Law:
    """Return a law moved by a shift; on a lattice, by its steps and by the rest at random."""
    if law.lattice is None:
        return law.moved(shift)
    steps = shift / law.lattice.step
    below, rest = math.floor(steps), steps - math.floor(steps)
    one, other = (law.moved(place * law.lattice.step) for place in (below, below + 1))
    return replace(law, smooth=lambda x: (1 - rest) * one.smooth(x) + rest * other.smooth(x))
