"""What else could have been asked of the same draws: two tests of a law, and an auditor.

Each of them has to fix its number of draws first. Here each gets the best number of a ladder, after
the fact: nobody could have chosen it so well.
"""

from collections.abc import Callable

import numpy as np
from scipy import stats

from ville.certificate import certified_epsilon
from ville.law import Impossible, Law

_FIRST, _STEP = 20, 1.15
_LEAST_EXPECTED = 5.0
_MOST_CUTS = 60
_CHOOSING = 0.02


def kolmogorov_smirnov_draws(draws: np.ndarray, law: object, alpha: float) -> int | None:
    """Return the least number of draws at which Kolmogorov-Smirnov rejects; None if at none."""
    if not isinstance(law, Law):
        return None
    return _least(len(draws), lambda n: _kolmogorov_smirnov(draws[:n], law) < alpha)


def chi_squared_draws(draws: np.ndarray, law: object, alpha: float) -> int | None:
    """Return the same for the chi-squared test on `ville`'s cells, rare ones joined."""
    cells = law.cells()
    shares = cells.probabilities(law)
    try:
        sorted_draws = cells.sort(draws)
    except Impossible:
        return None
    return _least(len(draws), lambda n: _chi_squared(sorted_draws[:n], shares) < alpha)


def auditor_draws(
    draws: np.ndarray, neighbors: np.ndarray, *, epsilon: float, delta: float, alpha: float
) -> int | None:
    """Return the least number of draws, of both sides, at which an auditor refutes epsilon.

    It chooses an event on the first half and counts it on the second (Clopper & Pearson 1934).
    """
    most = min(len(draws), len(neighbors))

    def refuted(n: int) -> bool:
        return _certified(draws[:n], neighbors[:n], delta, alpha) > epsilon

    found = _least(most, refuted)
    return None if found is None else 2 * found


def _least(most: int, decides: Callable[[int], bool]) -> int | None:
    number = float(_FIRST)
    while number <= most:
        if decides(int(number)):
            return int(number)
        number *= _STEP
    return None


def _kolmogorov_smirnov(draws: np.ndarray, law: Law) -> float:
    # At each value that came and right below it. Where values have a probability of their own the
    # test errs on the side of the law.
    values, counts = np.unique(draws, return_counts=True)
    levels, reached = law.cdf(values), np.cumsum(counts) / len(draws)
    below = reached - counts / len(draws), levels - _masses(values, law)
    far = np.maximum(np.abs(reached - levels), np.abs(below[0] - below[1]))
    return float(stats.kstwo.sf(far.max(), len(draws)))


def _masses(values: np.ndarray, law: Law) -> np.ndarray:
    if law.lattice:
        return np.array([law.mass(float(value)) for value in values])
    return sum(
        (mass * (values == place) for place, mass in law.atoms.items()), np.zeros(len(values))
    )


def _chi_squared(cells: np.ndarray, shares: np.ndarray) -> float:
    counts, expected = np.bincount(cells, minlength=len(shares)), shares * len(cells)
    common = expected >= _LEAST_EXPECTED
    rare = [counts[~common].sum()], [expected[~common].sum()]
    counts, expected = (
        np.append(a[common], b) for a, b in zip((counts, expected), rare, strict=True)
    )
    kept = expected >= _LEAST_EXPECTED
    if kept.sum() < 2:
        return 1.0
    statistic = np.sum((counts[kept] - expected[kept]) ** 2 / expected[kept])
    return float(stats.chi2.sf(statistic, kept.sum() - 1))


def _certified(draws: np.ndarray, neighbors: np.ndarray, delta: float, alpha: float) -> float:
    """Return a lower bound on epsilon from the second half, by an event of the first."""
    half = len(draws) // 2
    events = list(_events(np.concatenate([draws[:half], neighbors[:half]])))
    one, other = (
        np.array([holds(side[:half]).sum() for holds in events]) for side in (draws, neighbors)
    )
    ways = ((one, other), (other, one))
    # The event that would show most, as a bound that is right 98 times in 100.
    promised = [certified_epsilon(*way, half, delta=delta, level=_CHOOSING) for way in ways]
    swapped = int(np.max(promised[1]) > np.max(promised[0]))
    best = events[int(np.argmax(promised[swapped]))]
    counts = [int(best(side[half : 2 * half]).sum()) for side in (draws, neighbors)]
    first, second = counts[::-1] if swapped else counts
    return float(certified_epsilon(first, second, half, delta=delta, level=alpha))


def _events(values: np.ndarray):
    """Yield half-lines, and single values where there are few, as functions of draws."""
    different = np.unique(values)
    few = len(different) <= _MOST_CUTS
    cuts = different if few else np.quantile(values, np.linspace(0.005, 0.995, _MOST_CUTS))
    for cut in cuts:
        yield lambda draws, cut=cut: draws < cut
        yield lambda draws, cut=cut: draws >= cut
        if few:
            yield lambda draws, cut=cut: draws == cut
