"""How long a check takes, beside a Kolmogorov-Smirnov test that is as careful.

Run: python benchmarks/checks.py

The peer is scipy.stats.kstest at level 1e-9 with one sample, as a notebook's test cell would do it:
it has to fix the number of draws beforehand, here the least with which it finds a scale that is 1.2
times too large in nine of ten runs. It judges one setting and names no mistake.
"""

from __future__ import annotations

import runpy
import time
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from scipy import stats

from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.judge import decide

ANSWERS = Path(__file__).parents[1] / "tests" / "wrong_answers" / "03_laplace.py"
REPEATS = 3
FACTOR = 1.2
LEVEL = 1e-9


def milliseconds(action) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def rejected(name: str, answer) -> None:
    """Run a check that must fail."""
    try:
        getattr(check, name)(answer)
    except check.CheckFailure:
        return
    raise SystemExit(f"a wrong answer passed {name}")


def times(name: str, answers: dict) -> tuple[list[float], list[float]]:
    """Return the times to pass every right answer, and to reject every wrong one."""
    right, wrong = answers["RIGHT"][name], answers["WRONG"][name]
    passing = [
        milliseconds(lambda answer=answer: getattr(check, name)(answer))
        for answer in right
        for _ in range(REPEATS)
    ]
    failing = [
        milliseconds(lambda answer=answer: rejected(name, answer))
        for answer, _ in wrong
        for _ in range(REPEATS)
    ]
    return passing, failing


def laplace_answer(value, *, sensitivity, epsilon, factor=1.0):
    """The plainest right answer, or one whose scale is wrong by a factor."""
    return value + np.random.laplace(0, factor * sensitivity / epsilon)  # noqa: NPY002


def judge_draws(runs: int = 200) -> float:
    """Return how many draws the judge needs to find a scale that is wrong by FACTOR, in median."""
    generator = np.random.default_rng()

    def draw(trial, place, number):
        given = trial.settings[place].parameters
        scale = FACTOR * given["sensitivity"] / given["epsilon"]
        return given["value"] + generator.laplace(scale=scale, size=number)

    trials = (CLAIMS["laplace_mechanism"].trial(generator) for _ in range(runs))
    return median(decide(trial, partial(draw, trial)).decided_after for trial in trials)


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


def main() -> None:
    answers = runpy.run_path(str(ANSWERS))
    every_pass, every_rejection = [], []
    print(f"{'claim':30} {'pass, median ms':>16} {'reject, median ms':>18}")
    for name in CLAIMS:
        passing, failing = times(name, answers)
        print(f"{name:30} {median(passing):16.1f} {median(failing):18.1f}")
        # The three with chance: the others take a millisecond.
        if median(passing) > 10:
            every_pass += passing
            every_rejection += failing
    plain = median(milliseconds(lambda: check.laplace_mechanism(laplace_answer)) for _ in range(20))
    draws = peer_draws()
    beside = median(milliseconds(lambda: peer(draws)) for _ in range(20))
    print(f"\nto find a scale {FACTOR} times too large: {judge_draws():,.0f} draws, in median;")
    print(f"kstest at {LEVEL:g}: {draws:,} draws, {draws / judge_draws():.1f} times as many")
    print(f"np.random.laplace passes in {plain:.0f} ms, on 20,000 draws at four settings;")
    print(f"kstest on its draws takes {beside:.0f} ms at one setting, whether right or wrong")
    print(f"pass_ms={median(every_pass):.1f} reject_ms={median(every_rejection):.1f}")


if __name__ == "__main__":
    main()
