"""Statistical tests that the suite shares. Each states how often it fails on a right answer."""

from __future__ import annotations

import numpy as np
from scipy import stats

FALSE_ALARM = 1e-9


def follows(draws, cdf) -> bool:
    """Say whether `draws` may come from the law with distribution function `cdf`.

    False for draws that do follow it with probability at most FALSE_ALARM: the inequality of
    Dvoretzky, Kiefer & Wolfowitz with the constant of Massart (1990), valid for every law
    (continuous or discrete) and every number of independent draws.
    """
    ordered = np.sort(np.asarray(draws, dtype=float))
    count = len(ordered)
    places = np.unique(ordered)
    share = np.searchsorted(ordered, places, side="right") / count
    share_below = np.searchsorted(ordered, places, side="left") / count
    # The law just below each place: equal to the law at it, except where the law has a step.
    below = cdf(np.nextafter(places, -np.inf))
    distance = max(np.abs(share - cdf(places)).max(), np.abs(share_below - below).max())
    return bool(distance <= np.sqrt(np.log(2 / FALSE_ALARM) / (2 * count)))


def certified_epsilon(hits: int, neighbor_hits: int, count: int) -> float:
    """Return a lower bound on epsilon from how often one event happened on each of two neighbors.

    The bound exceeds the true epsilon with probability at most FALSE_ALARM: two exact bounds of
    Clopper & Pearson (1934), each at half of it. `count` draws were made on each neighbor, and the
    event was chosen before them.
    """
    level = FALSE_ALARM / 2
    low = stats.beta.ppf(level, hits, count - hits + 1) if hits else 0.0
    high = stats.beta.isf(level, neighbor_hits + 1, count - neighbor_hits)
    return float(np.log(low / high)) if low > 0 else -np.inf
