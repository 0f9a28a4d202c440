"""An interval for a count that was released with whole noise: its coverage is exact."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.sensitivity._coverage import (
    as_intervals,
    earned,
    named_by_width,
    widths_of,
)
from autograder.check.door import fresh_generator
from autograder.check.elsewhere import in_turn
from autograder.check.result import Result
from autograder.check.words import percent

_TAIL = 1e-6  # of the noise: it counts as covered
_ROUNDING = 1e-9
_SPARE = 2.0  # a person more on either side is not too wide


def reach_of(epsilon: float, level: float) -> int:
    """Return the least h with Pr[|noise| <= h] >= level.

    With q = exp(-epsilon) it is 1 - 2 q**(h + 1) / (1 + q): Ghosh, Roughgarden & Sundararajan
    (2009), the geometric mechanism.
    """
    q = math.exp(-epsilon)
    return max(0, math.ceil(math.log((1 - level) * (1 + q) / 2) / -epsilon - 1))


def _as_if_one_side(epsilon: float, level: float) -> float:
    return reach_of(epsilon, 2 * level - 1)


def _as_if_normal(epsilon: float, level: float) -> float:
    from scipy.stats import norm

    return norm.ppf((1 + level) / 2) * math.sqrt(2) / epsilon


_ELSEWHERE = (
    "the interval does not lie around the noisy count",
    "where is the exact count likely to be?",
)
_LEVEL = "how often may the interval miss, on both sides together?"
_WHOLE = (
    "noise of -h, ..., h is to be likely enough: add up the probabilities of these whole numbers"
)
# Mistakes by the reach that they give; a reach may be rounded, as long as all are.
_MISTAKES = (
    (
        lambda e, c: 0.0,
        "the noise is forgotten",
        "how far may the released count be from the true?",
    ),
    (lambda e, c: 1 / e, "the reach is the scale of the noise", _LEVEL),
    (_as_if_one_side, "each side alone may miss as often as both together", _LEVEL),
    (
        lambda e, c: math.log(1 / (1 - c)) / e,
        "the reach is that of Laplace noise which is not whole",
        _WHOLE,
    ),
    (
        lambda e, c: math.log(1 / (2 * (1 - c))) / e,
        "each side alone may miss as often as both together",
        _LEVEL,
    ),
    (lambda e, c: math.log(1 / c) / e, "the level is taken for what may be missed", _LEVEL),
    (
        lambda e, c: math.log(1 / (1 - c)) * e,
        "epsilon multiplies the reach",
        "what does a smaller epsilon do to the noise?",
    ),
    (
        lambda e, c: reach_of(e, c) - 1,
        "the reach is one person short",
        "noise of -h, ..., h: which power of q is the first that lies outside?",
    ),
    (
        lambda e, c: reach_of(e, c) / 2,
        "the width is taken for the reach",
        "the interval goes from noisy - h to noisy + h: how wide is it?",
    ),
    (_as_if_normal, "the noise is taken to be normal", _WHOLE),
    (
        lambda e, c: _as_if_normal(e, c) / math.sqrt(2),
        "the noise is taken to be normal, its scale for its deviation",
        _WHOLE,
    ),
)


def _settings(generator: np.random.Generator) -> Iterator[dict]:
    """Return settings at which the formula of noise that is not whole falls short, and others.

    The exact count is so large that no noisy one is below 0, but for the last: it is small.
    """
    short = 0
    while short < 3:
        given = _drawn(generator, int(generator.integers(400, 900)))
        if math.floor(math.log(1 / (1 - given["level"])) / given["epsilon"]) < _reach(given):
            short += 1
            yield given
    yield _drawn(generator, int(generator.integers(400, 900)))
    yield {**_drawn(generator, 700), "level": 0.5}
    yield _drawn(generator, 2)


def _drawn(generator: np.random.Generator, count: int) -> dict:
    level = round(generator.uniform(0.8, 0.97), 3)
    return {"count": count, "epsilon": round(generator.uniform(0.12, 0.7), 2), "level": level}


def _reach(given: dict) -> int:
    return reach_of(given["epsilon"], given["level"])


def _noise(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Return what the noise can be, but for its tails, and with which probabilities."""
    far = math.ceil(math.log(1 / _TAIL) / epsilon)
    each = np.arange(-far, far + 1)
    return each, math.tanh(epsilon / 2) * np.exp(-epsilon * np.abs(each))


def _arguments(given: dict) -> tuple[tuple, dict]:
    noise, _ = _noise(given["epsilon"])
    released = [(int(given["count"] + each),) for each in noise]
    return (released,), {"epsilon": given["epsilon"], "level": given["level"]}


@dataclass(frozen=True, kw_only=True)
class _CountClaim(Claim):
    """The answer is asked for its interval at every noisy count: nothing is left to chance."""

    def _judge(self, open_door: OpenDoor) -> Result:
        settings = list(_settings(fresh_generator()))
        with open_door(settings) as door:
            came = [door.call(place) for place in range(len(settings))]
        chances = [_noise(given["epsilon"])[1] for given in settings]
        widths = [
            float((chance * widths_of(ends)).sum() / chance.sum())
            for ends, chance in zip(came, chances, strict=True)
        ]
        for given, ends, chance in zip(settings, came, chances, strict=True):
            inside = (ends[:, 0] <= given["count"]) & (given["count"] <= ends[:, 1])
            covered = float(1 - chance[~inside].sum())
            if covered < given["level"] - _ROUNDING:
                raise _missing(given, covered, settings, came)
        ratios = [
            max(width, 1e-9) / (2 * _reach(given) + _SPARE)
            for width, given in zip(widths, settings, strict=True)
        ]
        share, note = earned(ratios, [self.situation(given) for given in settings])
        calls = sum(map(len, came))
        words = f"{self.established}, exactly, at {len(settings)} settings"
        return Result(self.name, words, calls, note, share)


def _missing(given: dict, covered: float, settings: list[dict], came: list) -> BadAnswer:
    """Return the words for an interval that covers too seldom, by its mistake if that is known."""
    # Where the count is small, an end may be cut off at 0.
    reaches = [widths_of(ends).max() / 2 for ends in came]
    asked = [(each["epsilon"], each["level"]) for each in settings]
    known = [
        (2 * np.array([max(turn(reach(*each)), 0) for each in asked]), name, ask)
        for reach, name, ask in _MISTAKES
        for turn in (float, math.floor, round, math.ceil)
    ]
    noisy = np.array([each for (each,) in _arguments(given)[0][0]])
    ends = came[settings.index(given)]
    if ((ends[:, 0] <= noisy) & (noisy <= ends[:, 1])).mean() < 0.5:
        named = _ELSEWHERE
    else:
        named = named_by_width(2 * np.array(reaches), known, like=1e-6)
    problem, ask = named or ("the interval misses the exact count too often", _LEVEL)
    return BadAnswer(
        problem,
        seen=f"over all noise that can come it holds the exact count in {percent(covered)}",
        ask=ask,
        parameters=given,
    )


CLAIM = _CountClaim(
    name="count_interval",
    about=(
        "Check `count_interval(noisy, *, epsilon, level)`: an interval for an exact count.\n\n"
        "The count was released with whole noise of epsilon (discrete Laplace). The function\n"
        "returns (low, high), ends included. It is asked at every noisy count that can come, so\n"
        "its coverage is exact: it must be `level` or more. `Result.share` falls with its width."
    ),
    established="it holds the exact count as often as it must",
    arguments=_arguments,
    situation=lambda given: f"epsilon {given['epsilon']:g}, level {given['level']:g}",
    use=in_turn,
    read=as_intervals,
)
