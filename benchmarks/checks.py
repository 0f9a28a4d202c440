"""How soon a check finds a wrong scale, how long it takes, beside tests that are as careful.

Run: python benchmarks/checks.py (--quick: without the times of every exercise)

The best test is the likelihood ratio test that knows the family and the factor: none needs fewer
draws.

The peer is scipy.stats.kstest at level 1e-9 with one sample, as a notebook's test cell would do it:
it has to fix the number of draws beforehand, here the least with which it finds a scale that is 1.2
times too large in nine of ten runs. It judges one setting and names no mistake.
"""

import math
import sys
import time
from functools import partial
from statistics import median

import numpy as np
from _figures import ROOT, figure, seconds
from laws import FACTORS, MOST_TIMES_BEST, best_draws
from scipy import stats

from autograder import check
from autograder.check.claim import StatisticalClaim
from autograder.check.claims import CLAIMS
from autograder.check.judge import decide
from ville.process import Process

sys.path.append(str(ROOT / "tests"))
from wrong_answers import ZOO, failure

FACTOR = 1.2
LEVEL = 1e-9
PASS_TARGET, REJECT_TARGET = 150.0, 5.0
SLOW = {"50us": (50e-6, 500.0), "1ms": (1e-3, 1_500.0)}


def milliseconds(function, *given, repeats: int = 1) -> float:
    """Return how long a call takes, in median."""
    return 1e3 * median(seconds(lambda: function(*given), repeats=repeats))


def times(name: str) -> tuple[list[float], list[float]]:
    """Return the times to pass every right answer, and to reject every wrong one.

    A few wrong ones pass a short look now and then: then a long one is counted, too.
    """
    passing = [milliseconds(getattr(check, name), answer) for answer in ZOO.right[name]]
    failing = [milliseconds(failure, name, answer) for answer, _ in ZOO.all_wrong(name)]
    return passing, failing


def slow_answer(value, *, sensitivity, epsilon, seconds):
    """A right answer that takes its time."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass
    return laplace_answer(value, sensitivity=sensitivity, epsilon=epsilon)


def laplace_answer(value, *, sensitivity, epsilon, factor=1.0):
    """The plainest right answer, or one whose scale is wrong by a factor."""
    return value + np.random.laplace(0, factor * sensitivity / epsilon)  # noqa: NPY002


def laplace_draws(trial, factor: float, generator, place: int, number: int) -> np.ndarray:
    """Return answers of one setting whose scale is wrong by a factor."""
    given = trial.settings[place].parameters
    scale = factor * given["sensitivity"] / given["epsilon"]
    return given["value"] + generator.laplace(scale=scale, size=number)


def judge_draws(factor: float = FACTOR, runs: int = 100) -> float:
    """Return how many draws the judge needs to find a scale that is wrong by a factor, in median.

    A run that passes needs more than there are: infinitely many.
    """
    generator, needed = np.random.default_rng(), []
    for _ in range(runs):
        trial = CLAIMS["laplace_mechanism"].trial(generator)
        verdict = decide(trial, partial(laplace_draws, trial, factor, generator))
        needed.append(math.inf if verdict.passed else verdict.decided_after)
    return median(needed)


def draws_a_second(batch: int, rounds: int = 40) -> float:
    """Return how many ready draws the judge weighs in a second of work, with a look a round."""
    generator = np.random.default_rng()
    trial = CLAIMS["laplace_mechanism"].trial(generator)
    places = range(len(trial.settings))
    ready = [laplace_draws(trial, 1.0, generator, place, batch) for place in places]
    process, start = Process(trial), time.process_time()
    for _ in range(rounds):
        for place in places:
            # Moved a little: the same draws again would be repeats.
            ready[place] = np.nextafter(ready[place], math.inf)
            process.take(place, ready[place])
        process.look()
    return process.draws / (time.process_time() - start)


def detection() -> float:
    """Print how soon wrong scales are found; return the largest ratio to the best test."""
    print(f"draws until a check rejects a Laplace scale that is off at {LEVEL:g}, in median")
    print(f"{'factor':>8} {'check':>8} {'best test':>10}")
    ratios = []
    for factor in FACTORS:
        ours, best = judge_draws(factor), best_draws(factor)
        ratios.append(ours / best)
        print(f"{factor:8} {ours:8,.0f} {best:10,.0f} ({ours / best:.2f} × the best test's)")
    for batch in (100, 500, 50_000):
        million = draws_a_second(batch) / 1e6
        print(f"draws judged a second, {batch:,} a setting and look: {million:.2f} million")
    return max(ratios)


def peer_draws(runs: int = 40) -> int:
    """Return how many draws kstest needs to find it in nine of ten runs."""
    generator = np.random.default_rng()
    draws = 1_000
    while True:
        samples = generator.laplace(scale=FACTOR, size=(runs, draws))
        found = sum(stats.kstest(sample, "laplace").pvalue < LEVEL for sample in samples)
        if found >= 0.9 * runs:
            return draws
        draws = int(draws * 1.15)


def peer(draws: int, factor: float = 1.0) -> bool:
    """Return whether kstest rejects an answer, called as a check calls it."""
    values = [
        laplace_answer(17.3, sensitivity=4.1, epsilon=0.3, factor=factor) for _ in range(draws)
    ]
    law = stats.laplace(17.3, 4.1 / 0.3)
    return bool(stats.kstest(values, law.cdf).pvalue < LEVEL)


def every_exercise() -> tuple[float, float]:
    """Print the times by exercise; return the medians over the answers to random ones."""
    every_pass, every_rejection = [], []
    print(f"{'exercise':34} {'pass, median ms':>16} {'reject, median ms':>18}")
    for name in CLAIMS:
        passing, failing = times(name)
        print(f"{name:34} {median(passing):16.1f} {median(failing):18.1f}")
        if any(
            isinstance(p, StatisticalClaim) for p in getattr(CLAIMS[name], "parts", [CLAIMS[name]])
        ):
            every_pass += passing
            every_rejection += failing
    return median(every_pass), median(every_rejection)


def main() -> None:
    ratio = detection()
    if "--quick" not in sys.argv:
        passing, rejecting = every_exercise()
        figure("check_pass_ms", passing, PASS_TARGET)
        figure("check_reject_ms", rejecting, REJECT_TARGET)
    plain = milliseconds(check.laplace_mechanism, laplace_answer, repeats=20)
    draws = peer_draws()
    beside = milliseconds(peer, draws, repeats=20)
    ours = judge_draws()
    print(f"\nto find a scale {FACTOR} times too large: {ours:,.0f} draws, in median;")
    print(f"kstest at {LEVEL:g}: {draws:,} draws, {draws / ours:.1f} times as many")
    print(f"np.random.laplace passes in {plain:.0f} ms, on 20,000 draws at four settings;")
    print(f"kstest on its draws takes {beside:.0f} ms at one setting, whether right or wrong")
    for label, (takes, most) in SLOW.items():
        answer = partial(slow_answer, seconds=takes)
        spent = milliseconds(check.laplace_mechanism, answer, repeats=5)
        figure(f"check_{label}_a_call_pass_ms", spent, most)
    figure("check_draws_times_best", ratio, MOST_TIMES_BEST)


if __name__ == "__main__":
    main()
