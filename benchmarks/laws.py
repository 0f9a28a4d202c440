"""How soon ville finds a wrong law, how fast it judges, how often it is wrong about right draws.

Run: python benchmarks/laws.py

The peers: the likelihood ratio test that knows the family and the factor (no test needs fewer
draws), and scipy.stats.kstest at the same level. It has to fix the number of draws beforehand; here
the least with which it finds the factor in half of the runs.
"""

import math
import subprocess
import sys
import time
from statistics import median

import numpy as np
from _figures import figure, seconds
from scipy import stats

import ville
from ville import laws

LEVEL = 1e-9
FACTORS = (2.0, 1.41, 1.2, 1.1)
MOST_TIMES_BEST, MOST_IMPORT, LEAST_SPEED, MOST_ENTRIES_SECONDS = 1.6, 0.15, 5.0, 2.0
RUNS, RIGHT_RUNS, SPEED_DRAWS = 100, 2_000, 4_000_000

RNG = np.random.default_rng()


def ville_draws(factor: float) -> float:
    """Return how many draws ville needs to reject a Laplace scale that is off, in median."""
    found = []
    for _ in range(RUNS):
        result = ville.follows(
            lambda n: RNG.laplace(scale=factor, size=n), laws.laplace(1.0), max_draws=100_000
        )
        bar = math.log(1 / LEVEL)
        found.append(next((n for n, height in result.path if height >= bar), math.inf))
    return median(found)


def best_draws(factor: float) -> float:
    """Return the same for the test that knows the factor: Wald's, with its whole evidence on it."""
    steps = RNG.laplace(scale=factor, size=(RUNS, int(200 / (factor - 1) ** 2)))
    # The log likelihood ratio of the two scales at each draw.
    heights = np.cumsum(np.abs(steps) * (1 - 1 / factor) - math.log(factor), axis=1)
    return float(np.median(np.argmax(heights >= math.log(1 / LEVEL), axis=1) + 1))


def kstest_draws(factor: float) -> int:
    """Return how many draws kstest needs to find it in half of the runs."""
    draws = 50
    while True:
        samples = RNG.laplace(scale=factor, size=(20, draws))
        if median(stats.kstest(sample, "laplace").pvalue for sample in samples) < LEVEL:
            return draws
        draws = int(draws * 1.1)


def speed() -> tuple[float, float]:
    """Return millions of draws judged a second, and how many times as fast kstest is judged."""
    draws = RNG.laplace(size=SPEED_DRAWS)
    how = {"repeats": 3, "clock": time.process_time}
    ours = min(seconds(lambda: ville.follows(draws, laws.laplace(1.0)), **how))
    peer = min(seconds(lambda: stats.kstest(draws, "laplace"), **how))
    return SPEED_DRAWS / ours / 1e6, peer / ours


def many_entries() -> tuple[float, float]:
    """Return the seconds for 10,000 draws of 100 entries, and those of kstest, entry by entry."""
    draws, law = RNG.laplace(size=(10_000, 100)), laws.laplace(1.0)
    how = {"repeats": 3, "clock": time.process_time}
    ours = seconds(lambda: ville.follows(draws, [law] * 100, max_draws=len(draws)), **how)
    peer = seconds(lambda: [stats.kstest(each, "laplace") for each in draws.T], **how)
    return min(ours), min(peer)


def import_seconds() -> float:
    """Return what `import ville` takes beyond numpy, in processor seconds of fresh processes."""
    code = (
        "import numpy, time; start = time.process_time(); import ville; "
        "print(time.process_time() - start)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        for _ in range(7)
    ]
    return min(float(run.stdout) for run in runs)


def false_alarms() -> tuple[int, float]:
    """Return how many runs of right draws fail, and the largest e-value among them, as a log."""
    right = {
        laws.laplace(1.0): lambda n: RNG.laplace(size=n),
        laws.gaussian(1.0): lambda n: RNG.normal(size=n),
        laws.geometric(0.4): lambda n: RNG.geometric(0.4, n),
        laws.clamped(laws.laplace(1.0), 0.0): lambda n: np.maximum(RNG.laplace(size=n), 0.0),
    }
    results = [
        ville.follows(draws, law, max_draws=1_000)
        for law, draws in right.items()
        for _ in range(RIGHT_RUNS // len(right))
    ]
    return sum(not each for each in results), max(h for each in results for _, h in each.path)


def main() -> None:
    print(f"draws until a Laplace scale that is off is rejected at {LEVEL:g}, in median")
    print(f"{'factor':>8} {'ville':>8} {'best test':>10} {'kstest':>8}")
    ratios = []
    for factor in FACTORS:
        ours, best, peer = ville_draws(factor), best_draws(factor), kstest_draws(factor)
        ratios.append(ours / best)
        print(f"{factor:8} {ours:8,.0f} {best:10,.0f} {peer:8,} ({peer / ours:.1f} × ville's)")
    failed, largest = false_alarms()
    print(f"{RIGHT_RUNS:,} runs of right draws: {failed} failed, largest log e-value {largest:.1f}")
    millions, times = speed()
    print(f"{millions:.1f} million draws a second, {times:.1f} × as fast as kstest")
    entries, by_entry = many_entries()
    print(
        f"10,000 draws of 100 entries: {entries:.1f} s, dependence among them; kstest, one by one"
    )
    print(f"and blind to it: {by_entry:.1f} s")
    figure("ville_draws_times_best", max(ratios), MOST_TIMES_BEST)
    figure("ville_million_draws_a_second", millions, LEAST_SPEED, least=True)
    figure("ville_hundred_entries_seconds", entries, MOST_ENTRIES_SECONDS)
    figure("ville_import_seconds", import_seconds(), MOST_IMPORT)
    figure("ville_false_alarms", failed, 0)


if __name__ == "__main__":
    main()
