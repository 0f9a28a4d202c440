"""What the study runs: small tasks, each of which can be done in any process and at any time."""

import math
import time
from dataclasses import dataclass

import numpy as np
from best_course import ACCEPTED, BLUNDERS
from wrong_answers import ZOO, fragments

from autograder import check
from autograder.check import claim as claim_module
from autograder.check.claim import StatisticalClaim
from autograder.check.claims import CLAIMS
from autograder.check.effort import LONG, SHORT, at_length
from autograder.check.judge import ALPHA, Setting, decide
from study.nulls import NULLS, highest
from ville.trial import Trial

WRONG_RUNS = 4  # each; about 10,000 in all
RIGHT_RUNS = 8  # each; over 3,500 in all
LAW_CHUNKS = 2  # each of LAW_CHUNK runs
KIND_RUNS = 200
SLOW_RUNS = 20
LAW_CHUNK = 250
NULL_CHUNKS = 40  # each of LAW_CHUNK runs; over 100,000 runs in all
POWER_RUNS = 200
POWER_DRAWS = (100, 1_000, 10_000, 100_000)
LEVELS = (10, 100, 1_000, 10_000)
SLOW_SECONDS = {"50 µs a call": 50e-6, "1 ms a call": 1e-3}


@dataclass(frozen=True)
class Task:
    """One piece of the study: `kind` says how, `name` and `number` what, `runs` how often."""

    kind: str
    name: str
    number: int
    runs: int

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.name}/{self.number}/{self.runs}"


def parts_with_chance(name: str) -> list[StatisticalClaim]:
    """Return what a claim says about laws: itself, or some of its parts, or nothing."""
    parts = getattr(CLAIMS[name], "parts", [CLAIMS[name]])
    return [part for part in parts if isinstance(part, StatisticalClaim)]


def all_tasks() -> list[Task]:
    """Return the whole study, the quick parts first."""
    random = [name for name in CLAIMS if parts_with_chance(name)]
    return [
        *(Task("wrong", n, k, WRONG_RUNS) for n in CLAIMS for k in range(len(ZOO.all_wrong(n)))),
        *(Task("blunder", str(k), k, KIND_RUNS) for k in range(len(BLUNDERS))),
        *(Task("accepted", str(k), k, KIND_RUNS) for k in range(len(ACCEPTED))),
        *(Task("slow", label, 0, SLOW_RUNS) for label in SLOW_SECONDS),
        *(Task("power", str(draws), 0, POWER_RUNS) for draws in POWER_DRAWS),
        *(Task("right", n, k, RIGHT_RUNS) for n in CLAIMS for k in range(len(ZOO.right[n]))),
        *(Task("graded", n, k, 1) for n in CLAIMS for k in range(len(ZOO.right[n]))),
        *(Task("null", n, k, LAW_CHUNK) for n in NULLS for k in range(NULL_CHUNKS)),
        *(Task("law", n, k, LAW_CHUNK) for n in random for k in range(LAW_CHUNKS)),
    ]


def done(task: Task) -> dict:
    """Do a task and return what was found, as plain data."""
    found = _DO[task.kind](task)
    return {"key": task.key, "kind": task.kind, "name": task.name, "number": task.number, **found}


def _failure(name: str, answer, length) -> str:
    """Return what a look of this length says; "" if the answer passes."""
    try:
        with at_length(name, length):
            CLAIMS[name].check(answer)
    except check.CheckFailure as failure:
        return str(failure)
    return ""


def _judged(name: str, answer, runs: int, lengths: tuple = (SHORT,)) -> dict:
    """Run a check many times: how often it failed, what it said, how long the first look took.

    An answer that a look passes gets the next one of `lengths`; `at_once` counts who needed none.
    """
    said, milliseconds, heights, at_once = [], [], [], 0

    def recording(*given, **options):
        verdict = decide(*given, **options)
        heights.append(verdict.largest)
        return verdict

    kept, claim_module.decide = claim_module.decide, recording
    try:
        for _ in range(runs):
            start = time.process_time()
            found = _failure(name, answer, lengths[0])
            milliseconds.append(1e3 * (time.process_time() - start))
            at_once += bool(found)
            for length in lengths[1:]:
                found = found or _failure(name, answer, length)
            said += [found] if found else []
    finally:
        claim_module.decide = kept
    times = {"milliseconds": milliseconds, "heights": heights}
    return {"runs": runs, "said": said, "at_once": at_once, **times}


def _summary(found: dict, words: str = "") -> dict:
    """Return the figures of a task in few numbers, with one sentence to read."""
    said = found["said"]
    return {
        "runs": found["runs"],
        "failed": len(said),
        "at_once": found["at_once"],
        "named": sum(words in each for each in said),
        "milliseconds": float(np.median(found["milliseconds"])),
        "largest": max(found["heights"], default=-math.inf),
        "beyond": _beyond(found["heights"]),
        "judged": len(found["heights"]),
        "example": said[0] if said else "",
    }


def _wrong(task: Task) -> dict:
    answer, words = ZOO.all_wrong(task.name)[task.number]
    found = _judged(task.name, answer, task.runs, (SHORT, LONG))
    # Only the right name counts here, where a check may take one mistake for another.
    return _summary(found, fragments(words)[0])


def _right(task: Task) -> dict:
    return _summary(_judged(task.name, ZOO.right[task.name][task.number], task.runs))


def _graded(task: Task) -> dict:
    """Judge a right answer as where points are given: more is asked of it than by a short look."""
    return _summary(_judged(task.name, ZOO.right[task.name][task.number], task.runs, (LONG,)))


def _of_the_best_course(answers) -> dict:
    def do(task: Task) -> dict:
        label, name, answer = answers[task.number]
        return {**_summary(_judged(name, answer, task.runs)), "label": label, "exercise": name}

    return do


def _slow(task: Task) -> dict:
    """Time the check of a right answer that takes its time."""
    wait = SLOW_SECONDS[task.name]

    def answer(value, *, sensitivity, epsilon, rng=None):
        until = time.process_time() + wait
        while time.process_time() < until:
            pass
        return value + np.random.laplace(scale=sensitivity / epsilon)  # noqa: NPY002

    return _summary(_judged("laplace_mechanism", answer, task.runs))


def _law(task: Task) -> dict:
    """Judge cells that are drawn from the claim's own law, without any function."""
    heights, failed, generator = [], 0, np.random.default_rng()
    parts = parts_with_chance(task.name)
    for run in range(task.runs):
        trial = _of_cells(parts[run % len(parts)].trial(generator))
        verdict = decide(trial, _cells_drawn(trial, generator))
        failed += not verdict.passed
        heights.append(verdict.largest)
    return _heights(heights, failed)


def _null(task: Task) -> dict:
    """Judge draws of the law itself by all of `ville`'s evidence."""
    heights = highest(task.name, task.runs)
    return _heights(heights, sum(height >= -math.log(ALPHA) for height in heights))


def _heights(heights: list[float], failed: int) -> dict:
    return {
        "runs": len(heights),
        "failed": failed,
        "largest": max(heights),
        "beyond": _beyond(heights),
    }


def _beyond(heights: list[float]) -> list[int]:
    """Return how many runs reached each of the levels."""
    return [sum(height >= math.log(level) for height in heights) for level in LEVELS]


def _of_cells(trial: Trial) -> Trial:
    """Return the trial for answers that are cells already, one for each row of a setting."""

    def setting(of: Setting) -> Setting:
        rows = np.arange(len(of.rows))
        return Setting(
            of.parameters,
            of.rows,
            lambda cells: (np.tile(rows, len(cells)), cells.astype(int).ravel()),
        )

    return Trial([setting(each) for each in trial.settings], trial.catalogue, trial.families)


def _cells_drawn(trial: Trial, generator: np.random.Generator):
    levels = [[np.cumsum(row)[:-1] for row in setting.rows] for setting in trial.settings]

    def draw(place: int, number: int) -> np.ndarray:
        columns = [np.searchsorted(each, generator.random(number)) for each in levels[place]]
        return np.column_stack(columns)

    return draw


def _power(task: Task) -> dict:
    """Find the smallest scale error that is found, in half and in 99 of 100 runs, by bisection."""
    draws = int(task.name)
    return {
        "runs": task.runs,
        "draws": draws,
        "median": _smallest_factor(draws, 0.5, task.runs),
        "nearly always": _smallest_factor(draws, 0.99, task.runs),
    }


def _smallest_factor(draws: int, share: float, runs: int) -> float:
    low, high = 0.0, math.log(20.0)
    for _ in range(9):
        middle = (low + high) / 2
        found = sum(_evidence(math.exp(middle), draws) >= -math.log(ALPHA) for _ in range(runs))
        low, high = (low, middle) if found >= share * runs else (middle, high)
    return math.exp(high)


def _evidence(factor: float, draws: int) -> float:
    """Return the evidence after this many draws of Laplace noise that is too wide by a factor."""
    generator = np.random.default_rng()
    trial = CLAIMS["laplace_mechanism"].trial(generator)
    evidence, each = trial.mixture(), draws // len(trial.settings)
    for place, setting in enumerate(trial.settings):
        given = setting.parameters
        scale = factor * given["sensitivity"] / given["epsilon"]
        rows, cells = setting.sort(given["value"] + generator.laplace(scale=scale, size=each))
        evidence.observe(trial.first_rows()[place] + rows, cells)
    return evidence.log_total()


_DO = {
    "wrong": _wrong,
    "right": _right,
    "graded": _graded,
    "blunder": _of_the_best_course(BLUNDERS),
    "accepted": _of_the_best_course(ACCEPTED),
    "slow": _slow,
    "law": _law,
    "null": _null,
    "power": _power,
}
