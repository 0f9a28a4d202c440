"""Ranges of cells: how fast, against PyWavelets, and how exact, against the published figures.

Run: python benchmarks/ranges.py

One thread for matrix products: the search and the optimum are timed as on one core.
"""

import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pywt
from _figures import figure, seconds

from dplib.ranges import haar_transform, range_error, strategy_error
from dplib.ranges.strategies import optimal_strategy_zcdp, p_identity_strategy

RANGES = 10**6
POWERS = range(10, 25, 2)
# McKenna et al.'s form of strategy, optimised; and the optimum under concentrated privacy.
P_IDENTITY, OPTIMUM = 60.54, 12.3558


def nanoseconds_per_range() -> float:
    """Return how long one of a million random ranges takes at 2**30 cells."""
    rng = np.random.default_rng(0)
    left, right = np.sort(rng.integers(1, 2**30, (2, RANGES), endpoint=True), axis=0)
    taken = seconds(lambda: range_error(left, right, size=2**30), repeats=7)
    return min(taken) / RANGES * 1e9


def haar_ratio(power: int) -> float:
    """Return our time over PyWavelets' for all levels at 2**power cells, in turns."""
    counts = np.random.default_rng(0).normal(size=2**power)
    repeats = max(3, min(300, 2**23 >> power))
    ours, theirs = np.inf, np.inf
    for _ in range(3):
        theirs = min(theirs, *seconds(lambda: pywt.wavedec(counts, "haar"), repeats=repeats))
        ours = min(ours, *seconds(lambda: haar_transform(counts), repeats=repeats))
    print(f"Haar transform, 2**{power:<2}  ours {ours * 1e6:9.0f} us   pywt {theirs * 1e6:9.0f} us")
    return ours / theirs


def timed_error(name: str, make, noise: str) -> float:
    """Return C of a strategy for 1024 cells."""
    start = time.perf_counter()
    strategy = make(1024)
    taken = time.perf_counter() - start
    error = strategy_error(strategy, noise=noise)
    print(f"{name}: C = {error:.4f}, found in {taken:.1f} s")
    return error


def main() -> None:
    """Measure all, then print the verdicts."""
    ranges = nanoseconds_per_range()
    haar = {power: haar_ratio(power) for power in POWERS}
    pure = timed_error("p-Identity, pure privacy", p_identity_strategy, "laplace") / P_IDENTITY
    zcdp = timed_error("optimum, zCDP", optimal_strategy_zcdp, "gaussian") / OPTIMUM
    figure("range_error_ns", ranges, 200)
    for power, ratio in haar.items():
        figure(f"haar_transform_2_{power}", ratio, 1)
    figure("range_error_pure", pure, 1.05)
    figure("range_error_zcdp", zcdp, 1.01, form=".6f")


if __name__ == "__main__":
    main()
