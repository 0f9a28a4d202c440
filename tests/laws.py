"""Statistical tests that the suite shares. Each states how often it fails on a right answer."""

import itertools
import math

import numpy as np
from scipy import stats

import ville

FALSE_ALARM = 1e-9


def follows(draws, cdf) -> bool:
    """Say whether independent `draws` may come from the law with distribution function `cdf`.

    False for draws that do follow it with probability at most FALSE_ALARM (`ville.follows`). The
    law is one of whole numbers if all draws are whole, and continuous otherwise.
    """
    draws = np.asarray(draws, dtype=float).ravel()
    whole = bool(np.all(draws == np.rint(draws)))
    return bool(ville.follows(draws, ville.laws.from_cdf(cdf, whole=whole), alpha=FALSE_ALARM))


def discrete_laplace_cdf(rate):
    """Return the distribution function of whole Laplace noise of scale 1 / rate."""
    return lambda place: stats.dlaplace.cdf(np.floor(place), rate)


def discrete_gaussian_cdf(variance):
    """Return the distribution function of whole Gaussian noise, variance 400 at most."""
    numbers = np.arange(-200, 201)
    weights = np.exp(-(numbers**2) / (2 * variance))
    shares = np.cumsum(weights) / weights.sum()
    return lambda place: shares[np.clip(np.floor(place).astype(int) + 200, 0, 400)]


def steps(law):
    """Return the distribution function of an index with these probabilities."""
    total = np.concatenate([[0], np.minimum(np.cumsum(law), 1)])
    return lambda place: total[np.clip(np.floor(place) + 1, 0, len(law)).astype(int)]


def certified_epsilon(hits: int, neighbor_hits: int, count: int) -> float:
    """Return a lower bound on epsilon from how often one event happened on each of two neighbors.

    The bound exceeds the true epsilon with probability at most FALSE_ALARM. `count` draws were made
    on each neighbor, and the event was chosen before them.
    """
    return ville.certified_epsilon(hits, neighbor_hits, count, level=FALSE_ALARM)


def expected_evidence(make_mixture, sequence, null) -> float:
    """Return the exact mean of the evidence after answers at the settings of `sequence`."""
    total = 0.0
    for cells in itertools.product(*(range(len(null[setting])) for setting in sequence)):
        evidence = make_mixture()
        probability = 1.0
        for setting, cell in zip(sequence, cells, strict=True):
            evidence.observe(np.array([setting]), np.array([cell]))
            probability *= null[setting][cell]
        total += probability * math.exp(evidence.log_total())
    return total
