"""Which of several laws some draws look like: likelihoods on cells that the draws themselves make.

One half of the draws makes the cells, the other half is counted in them. So the likelihood ratio of
two laws is above R with probability at most 1 / R if the draws follow the lower one.
"""

from collections.abc import Sequence

import numpy as np

from ville.law import Impossible, Law
from ville.outcomes import Choice

_CELLS = 24
_FLOOR = 1e-12
_TIES = 3  # so many equal draws do not come from a continuous law


def log_likelihoods(draws: np.ndarray, candidates: Sequence[Sequence[Law | Choice]]) -> np.ndarray:
    """Return the log likelihood of draws under each candidate; -inf if it never gives them.

    Args:
      draws: numbers of shape (n, entries); for a choice the outcomes, of shape (n, 1).
      candidates: for each a law for every entry.
    """
    return np.array([_of_entries(draws, laws) for laws in candidates])


def _of_entries(draws: np.ndarray, laws: Sequence[Law | Choice]) -> float:
    if len(laws) != draws.shape[1]:
        return -np.inf
    return sum(_of_one(draws[:, place], law) for place, law in enumerate(laws))


def _of_one(draws: np.ndarray, law: Law | Choice) -> float:
    if isinstance(law, Choice):
        chances = [law.probabilities.get(each, 0.0) for each in draws.tolist()[1::2]]
        return float(np.sum(np.log(np.maximum(chances, _FLOOR))))
    draws = draws.astype(float)
    if _never(draws, law):
        return -np.inf
    made, counted = draws[::2], draws[1::2]
    places = np.unique(made)
    middles = (places[1:] + places[:-1]) / 2
    step = max(1, len(middles) // _CELLS)
    borders = middles[step // 2 :: step]
    chances = np.diff(np.concatenate([[0.0], law.cdf(borders), [1.0]]))
    cells = np.searchsorted(borders, counted)
    return float(np.sum(np.log(np.maximum(chances, _FLOOR))[cells]))


def _never(draws: np.ndarray, law: Law) -> bool:
    """Say whether a law never gives draws like these."""
    try:
        law.refuse_impossible(draws)
    except Impossible:
        return True
    if law.lattice:
        return False
    away = draws[~np.isin(draws, list(law.atoms))]
    return bool(len(away)) and int(np.unique(away, return_counts=True)[1].max()) >= _TIES
