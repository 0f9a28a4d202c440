"""The long proof of practice tasks: right answers pass, every generated mistake fails by its name.

    python -m practice.proof --tasks 1000
    python -m practice.proof --laws 100000

Each task is judged once and its result is kept in build/practice/, so it may be stopped, and goes
on where it was. The last lines are the figures of docs/practice.md.
"""

import argparse
import dataclasses
import json
import time
import warnings
from collections import Counter

import numpy as np
from places import ROOT

from autograder.check.judge import Setting
from autograder.check.result import CheckFailure
from autograder.practice.draw import LEVELS, drawn_plan
from autograder.practice.program import STYLES, program
from autograder.practice.task_claim import claim_of
from autograder.practice.task_mistakes import mistakes
from autograder.practice.task_plan import Plan
from autograder.practice.task_words import describe
from ville.process import Process

FOLDER = ROOT / "build" / "practice"
OF_EACH = 200  # checks of one law
RIGHT = ""  # the name of what an answer without a mistake is told


def plan_of(seed: int) -> Plan:
    """Return the task of a seed; the levels take turns."""
    return drawn_plan(1 + seed % len(LEVELS), np.random.default_rng([seed, 22]))


def answer(plan: Plan, style: str = STYLES[0]):
    """Return the answer with a plan's slip as a function."""
    space: dict = {}
    exec(program(plan, style=style), space)
    return space["release"]


def said(claim, function) -> str:
    """Return the mistake that a check names; RIGHT for a pass."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            claim.check(function)
        except CheckFailure as failure:
            return failure.problem
    return RIGHT


def judged(seed: int) -> dict:
    """Judge both right styles of a task and all its mistakes."""
    started = time.process_time()
    plan = plan_of(seed)
    describe(plan, "release", np.random.default_rng(seed))
    made = time.process_time() - started
    known = mistakes(plan)
    claim = claim_of(plan, known)
    return {
        "seed": seed,
        "plan": plan.text(),
        "level": plan.level,
        "seconds_to_make": made,
        "blind": claim.blind_spots(),
        "right": {style: said(claim, answer(plan, style)) for style in STYLES},
        "wrong": {each.name: said(claim, answer(each.plan)) for each in known},
        "seconds": time.process_time() - started,
    }


def summary(found: list[dict]) -> str:
    """Return the figures in words."""
    failed = [each for each in found if any(each["right"].values())]
    pairs = [(name, came) for each in found for name, came in each["wrong"].items()]
    passed = [name for name, came in pairs if came == RIGHT]
    named = sum(name == came for name, came in pairs)
    made = np.array([each["seconds_to_make"] for each in found])
    confused = Counter((name, came) for name, came in pairs if name != came)
    lines = [
        f"{len(found)} tasks, of which {len({each['plan'] for each in found})} differ",
        f"{len(failed)} right answers of {len(STYLES) * len(found)} failed",
        f"{len(passed)} of {len(pairs)} wrong answers passed; {named} ({named / len(pairs):.2%}) "
        "were named rightly",
        f"{sum(bool(each['blind']) for each in found)} tasks with a mistake that no setting shows",
        f"to make a task: median {1e3 * np.median(made):.0f} ms, 99 in 100 within "
        f"{1e3 * np.quantile(made, 0.99):.0f} ms of CPU time",
        *(
            f"  {count} × {name!r} was told {came!r}"
            for (name, came), count in confused.most_common(25)
        ),
    ]
    return "\n".join(lines)


def alarms(seed: int, checks: int) -> list[float]:
    """Return the largest evidence, in nats, of checks whose answers follow the law.

    Draws of the law's own cells are weighed as an answer's are, in four looks.
    """
    plan, generator = plan_of(seed), np.random.default_rng([seed, 5])
    trial = claim_of(plan, mistakes(plan)).trial(generator)
    given = [_of_cells(setting) for setting in trial.settings]
    trial = dataclasses.replace(trial, settings=given)
    found = []
    for _ in range(checks):
        process = Process(trial)
        for number in (4, 16, 60, 120):
            for place, setting in enumerate(given):
                draws = [
                    generator.choice(len(row), number, p=row / row.sum()) for row in setting.rows
                ]
                process.take(place, np.column_stack(draws))
            process.look()
        found.append(process.largest)
    return found


def _of_cells(setting: Setting) -> Setting:
    """Return a setting whose draws are cells already."""

    def sort(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.tile(np.arange(cells.shape[1]), len(cells)), cells.ravel()

    return dataclasses.replace(setting, sort=sort)


def studied_laws(checks: int, seconds: float) -> str:
    """Check draws of the laws themselves, from where it stopped; return the figures in words."""
    path, started = FOLDER / "laws.jsonl", time.process_time()
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    with path.open("a") as file:
        for seed in range(len(found), checks // OF_EACH):
            if time.process_time() - started > seconds:
                break
            found.append(alarms(seed, OF_EACH))
            file.write(json.dumps(found[-1]) + "\n")
            file.flush()
    heights = np.concatenate([*map(np.array, found), []])
    above = ", ".join(f"{np.mean(heights > np.log(e)):.2g} above {e:g}" for e in (20, 100, 1000))
    failed = int(np.sum(heights >= np.log(1e9)))
    return (
        f"{len(heights)} checks of draws of {len(found)} laws: {failed} false alarms; largest "
        f"e-value {np.exp(heights.max(initial=0)):.3g}; shares {above}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--laws", type=int, default=0, metavar="CHECKS", help="only these")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of CPU, then stop")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if options.laws:
        print(studied_laws(options.laws, options.seconds))
        return
    started, path = time.process_time(), FOLDER / "tasks.jsonl"
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {each["seed"] for each in found}
    with path.open("a") as file:
        for seed in (seed for seed in range(options.tasks) if seed not in done):
            if time.process_time() - started > options.seconds:
                break
            found.append(judged(seed))
            file.write(json.dumps(found[-1]) + "\n")
            file.flush()
    print(summary(found))


if __name__ == "__main__":
    main()
