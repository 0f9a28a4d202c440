"""How many of some people toss a given side, each with a coin of their own."""

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy


def binomial(people: int, chance: float) -> np.ndarray:
    """Return the probability of each number from 0 to `people`.

    `scipy.stats` has it too, and takes a second of a student's processor to import.
    """
    k = np.arange(people + 1)
    ways = -gammaln(k + 1) - gammaln(people - k + 1)
    law = np.exp(gammaln(people + 1) + ways + xlogy(k, chance) + xlog1py(people - k, -chance))
    return law / law.sum()  # which is 1 but for the last digits of gammaln
