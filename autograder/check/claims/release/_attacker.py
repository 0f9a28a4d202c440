"""An attack on a release: was the person with the most rows in the table?

The attacker knows everybody else's rows, and sees all noisy answers, which say at least as much as
what was made from them. They decide by the likelihood of the answers with the person and without.
"""

import math

import numpy as np
import pandas as pd
from scipy.stats import norm

from dplib.release.meter import MeteredVisits, unit_sums

_HEAVIEST, _DRAWS, _SEED = 8, 4_000, 18


def success(meter: MeteredVisits, table: pd.DataFrame) -> float:
    """Return how often the attack is right, of persons who are in the table every other time.

    The most of the eight persons with most rows; 0.5 is a coin's. With Laplace noise it is the mean
    of 4,000 draws from a fixed seed.
    """
    heaviest = table["person"].value_counts().index[:_HEAVIEST]
    return max((_success(meter, table[table["person"] == each]) for each in heaviest), default=0.5)


def most_success(meter: MeteredVisits) -> float:
    """Return how often any attack can be right if the bill for a person is the budget."""
    if meter.concentrated:
        # Pinsker's inequality: a divergence of rho bounds the distance of the two laws.
        return min(1.0, 0.5 + math.sqrt(meter.budget / 2) / 2)
    return 1 / (1 + math.exp(-meter.budget))


def _success(meter: MeteredVisits, rows: pd.DataFrame) -> float:
    shifts = [_shift(look, rows, meter) / look["scale"] for look in meter.looks]
    shift = np.concatenate([*shifts, np.zeros(1)])
    if meter.concentrated:
        return float(norm.cdf(np.linalg.norm(shift) / 2))
    noise = np.random.default_rng(_SEED).laplace(size=(_DRAWS, len(shift)))
    # Without the person the answers are the noise alone, in units of its scale.
    losses = (np.abs(noise) - np.abs(noise - shift)).sum(axis=1)
    # By symmetry the attack errs as often with the person as without.
    return float(np.mean(losses < 0) + np.mean(losses == 0) / 2)


def _shift(look: dict, rows: pd.DataFrame, meter: MeteredVisits) -> np.ndarray:
    """Return how far the person moves the exact answer of a look."""
    names = {name: look[name] for name in ("cells", "each")}
    sums = unit_sums(rows, look["by"], look["value"], unit=meter.unit, **names)
    norms = np.linalg.norm(sums, ord=2 if meter.concentrated else 1, axis=1, keepdims=True)
    return (sums * np.minimum(1, look["bound"] / np.maximum(norms, look["bound"]))).sum(axis=0)
