"""A release, judged by its quality: what it costs a person, how near it is, what its intervals say.

The rows lie behind a meter in the judge's process, and questions are plain words, so an answer
sees noisy sums alone. It runs on five counties: the class's own, and four that are drawn at each
judging, which no figures from elsewhere can fit.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.release._ask import Ask
from autograder.check.claims.release._attacker import most_success, success
from autograder.check.claims.release._publication import Publication
from autograder.check.claims.release._targets import Target
from autograder.check.door import fresh_generator
from autograder.check.result import Result
from autograder.check.words import number
from dplib.release.visits import clean_visits, make_visits

# Of 80 points: the bill that a person pays, the values, their intervals.
_PROMISE, _ACCURACY, _INTERVALS = 10, 45, 25
_ALL = _PROMISE + _ACCURACY + _INTERVALS
# What stays of the points where a person pays more than the budget.
_BROKEN = 0.1
# Shares of cells that lie in their interval, and mean widths relative to the mean cell: without
# points, and with all of them.
_COVERED, _WIDTHS = (0.6, 0.85), (1.5, 0.15)
_CENT = 0.005
SEED_VARIABLE, DEFAULT_SEED = "COURSE_SEED", 18


def class_seed() -> int:
    """Return the seed of the class's own county: a setting of the course."""
    given = os.environ.get(SEED_VARIABLE, "")
    return int(given) if given.isdecimal() else DEFAULT_SEED


@lru_cache(maxsize=6)
def _county(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a county's rows, and the same cleaned."""
    # What a notebook draws with this number, as its example, is another county.
    table = make_visits([seed, 1])
    return table, clean_visits(table)


@dataclass(frozen=True)
class Quality:
    """How good one run is: shares of the points, and what they follow from.

    Attributes:
      accuracy, intervals: shares, 0 to 1.
      errors: of each table, relative to its mean cell.
      covered: the share of cells that lie in their interval.
      width: the intervals' mean width, relative to the mean cell of their table.
    """

    accuracy: float
    intervals: float
    errors: Mapping[str, float]
    covered: float
    width: float


def quality(
    publication: Publication, exact: Mapping[str, np.ndarray], targets: Mapping[str, Target]
) -> Quality:
    """Return how near the values are, and how much their intervals say."""
    points, errors, covered, widths = 0.0, {}, [], []
    for name, target in targets.items():
        value, low, high = publication[name].T
        errors[name] = float(np.abs(value - exact[name]).mean() / exact[name].mean())
        points += target.points * target.share(errors[name])
        covered.append(np.mean((low <= exact[name]) & (exact[name] <= high)))
        widths.append((high - low).mean() / exact[name].mean())
    # Each table counts the same, and a very wide one at most as much as one without points.
    share, width = float(np.mean(covered)), float(np.mean(np.minimum(widths, _WIDTHS[0])))
    worst, best = _COVERED
    narrow = np.log(_WIDTHS[0] / max(width, 1e-12)) / np.log(_WIDTHS[0] / _WIDTHS[1])
    intervals = np.clip((share - worst) / (best - worst), 0, 1) * np.clip(narrow, 0, 1)
    return Quality(points / _ACCURACY, float(intervals), errors, share, width)


@dataclass(frozen=True, kw_only=True)
class ReleaseClaim(Claim):
    """A publication that is made through a meter, and scored.

    Args:
      targets: the tables that it holds.
      budget: {"epsilon": …} or {"rho": …}: what all looks may cost one person.
    """

    targets: Mapping[str, Target]
    budget: Mapping[str, float]

    def cases(self, generator: np.random.Generator) -> list[dict]:
        """Return five counties: the class's own, and four that are drawn now."""
        drawn = [int(each) for each in generator.integers(2**63, size=9)]
        return [
            {"seed": seed, "budget": dict(self.budget), "noise": noise, "asks": []}
            for seed, noise in zip((class_seed(), *drawn[:4]), drawn[4:], strict=True)
        ]

    def _judge(self, open_door: OpenDoor) -> Result:
        cases = self.cases(fresh_generator())
        found: list[Quality] = []
        with open_door(cases) as door:
            for place, case in enumerate(cases):
                publication = door.call(place)
                door.inspect(place)
                exact = self.exact(case)
                _raise_if_exact(publication, exact, case)
                found.append(quality(publication, exact, self.targets))
                if place == 0:
                    promise = _promise(case)
            note = "your function prints, which is hidden here" if door.printed else ""
        kept, words = promise
        accuracy, intervals = (
            float(np.mean([getattr(each, part) for each in found]))
            for part in ("accuracy", "intervals")
        )
        points = _ACCURACY * accuracy + _INTERVALS * intervals
        # In whole points, as the words say them.
        points = round(points + _PROMISE if kept else _BROKEN * points)
        _raise_if_nothing(points, found)
        said = f"{points} of {_ALL}: {words}; {_in_words(found, accuracy, intervals)}"
        notes = "; ".join(filter(None, (said, note)))
        return Result(self.name, self.established, len(cases), notes, points / _ALL)

    def exact(self, case: dict) -> dict[str, np.ndarray]:
        """Return the true tables of a county."""
        tidy = _county(case["seed"])[1]
        return {name: target.exact(tidy) for name, target in self.targets.items()}


def arguments(p: dict) -> tuple[tuple, dict]:
    """Return a new meter over a case's county, and its budget."""
    p["asks"][:] = [Ask(_county(p["seed"])[0], p["budget"], p["noise"])]
    return (p["asks"][0],), dict(p["budget"])


def inspect(positional: tuple, keywords: dict) -> None:
    """Raise what the meter refused, also where the answer has caught it."""
    if positional[0].refused:
        raise positional[0].refused


def _promise(case: dict) -> tuple[bool, str]:
    """Return whether a person pays the budget at most, for at least one look; and words."""
    meter, table = case["asks"][0].meter, _county(case["seed"])[0]
    if not meter.looks:
        return False, "nothing was asked, so these are figures from elsewhere"
    right, most = success(meter, table), most_success(meter)
    attack = f"an attack is right about the heaviest visitors in {right:.0%} of cases"
    name, bill = "rho" if meter.concentrated else "epsilon", number(meter.spent_by_person)
    kept = meter.spent_by_person <= meter.budget * (1 + 1e-9)
    if kept:
        return True, f"a person pays {name} {bill}, and {attack} ({most:.0%} would be the limit)"
    return False, (
        f"the unit is a {meter.unit}, so a person pays {name} {bill} and not "
        f"{number(meter.budget)}: {attack}, and a tenth of the points is left"
    )


def _in_words(found: list[Quality], accuracy: float, intervals: float) -> str:
    errors = ", ".join(
        f"{name} {np.mean([each.errors[name] for each in found]):.1%}" for name in found[0].errors
    )
    covered, width = (
        np.mean([getattr(each, part) for each in found]) for part in ("covered", "width")
    )
    return (
        f"accuracy {_ACCURACY * accuracy:.0f} of {_ACCURACY} (mean errors: {errors}); intervals "
        f"{_INTERVALS * intervals:.0f} of {_INTERVALS} ({covered:.0%} hold the truth, their mean "
        f"width is {width:.0%} of a cell)"
    )


def _raise_if_exact(publication: Publication, exact: Mapping[str, np.ndarray], case: dict) -> None:
    """Raise BadAnswer if sums of dollars are right to the cent.

    Noise whose scale is a thousand dollars, as it is where no large bias remains, gives four such
    sums with probability below 1e-20; counts may be right by chance, and are not asked.
    """
    for name, true in exact.items():
        dollars = np.any(true != np.round(true))
        if dollars and np.all(np.abs(publication[name][:, 0] - true) <= _CENT):
            raise BadAnswer(
                "exact figures are published",
                seen=f"{name}: every value is right to the cent",
                ask="from where does your function know them? Only what `ask` gives is paid for.",
                parameters=case,
            )


def _raise_if_nothing(points: float, found: list[Quality]) -> None:
    if points < 1:
        errors = found[0].errors
        worst = max(errors, key=errors.get)
        raise BadAnswer(
            "the tables say nothing about the county",
            seen=f"{worst}: the mean error is {errors[worst]:.0%} of the mean cell",
            ask="what is the noise of each look beside the numbers that you want to know?",
        )
