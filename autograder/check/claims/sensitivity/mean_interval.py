"""An interval for the mean of a population, from a noisy mean of a sample: two errors together."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.sensitivity._coverage import (
    MissesBet,
    as_intervals,
    earned,
    named_by_width,
    widths_of,
)
from autograder.check.door import fresh_generator
from autograder.check.effort import Stopwatch, effort
from autograder.check.elsewhere import in_turn
from autograder.check.judge import ALPHA
from autograder.check.result import Result
from autograder.check.words import SURE, number, percent

# So much more often than 1 - level an interval may miss: the normal law is not quite that of the
# mean, and the deviation is noisy. Right styles use 0.01 of it at most (tests/wrong_answers).
FORGIVEN = 0.02
_SPARE = 1.2  # times the shortest width earns all points
# At each population: a batch, the most runs of a short and of a long look, and the least, after
# which a look ends with so many times its usual work.
_BATCH, _SHORT_RUNS, _LONG_RUNS = 100, 1_000, 3_000
_LEAST_RUNS, _MORE_WORK = 300, 4
_WIDTHS_ALIKE = 0.12  # of a mistake told by its mean width: the deviation may be guessed otherwise


def shortest_reach(error: float, scale: float, level: float) -> float:
    """Return the reach h with Pr[|normal + Laplace| <= h] = level.

    The normal error has deviation `error`, the Laplace noise has the given scale. The tail of
    their sum beyond t, in closed form, is solved for t.
    """

    def beyond(t: float) -> float:
        half = error**2 / (2 * scale**2)
        up = math.exp(min(700, half - t / scale)) * norm.cdf(t / error - error / scale) / 2
        down = math.exp(min(700, half + t / scale)) * norm.sf(t / error + error / scale) / 2
        return norm.sf(t / error) + up - down

    return brentq(lambda t: 2 * beyond(t) - (1 - level), 0, 40 * (error + scale))


@dataclass(frozen=True)
class _Population:
    """People's values between -reach and reach: their law, its mean and deviation."""

    draw: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
    mean: float
    deviation: float


def _even(reach: float) -> _Population:
    """Every value is as likely."""
    return _Population(
        lambda rng, shape: rng.uniform(-reach, reach, shape), 0.0, reach / math.sqrt(3)
    )


def _lopsided(reach: float) -> _Population:
    """Few have the largest value, all others the smallest."""
    few = 0.08
    return _Population(
        lambda rng, shape: np.where(rng.random(shape) < few, reach, -reach),
        (2 * few - 1) * reach,
        2 * reach * math.sqrt(few * (1 - few)),
    )


def _narrow(reach: float) -> _Population:
    """All have nearly the same value, away from the middle."""
    width = 0.17 * reach
    return _Population(
        lambda rng, shape: 0.3 * reach + width * rng.uniform(-1, 1, shape),
        0.3 * reach,
        width / math.sqrt(3),
    )


def _settings(generator: np.random.Generator) -> Iterator[dict]:
    """Return settings where sampling decides, where noise does, where both do; and other levels."""
    for kind, people, epsilon, level in (
        (_even, 900, 1.0, 0.8),
        (_even, 400, 0.1, 0.8),
        (_even, 200, 0.3, 0.8),
        (_lopsided, 800, 0.5, 0.8),
        (_even, 300, 0.25, 0.6),
        (_narrow, 500, 1.0, 0.9),
    ):
        reach = float(generator.integers(10, 90))
        people = int(people * generator.uniform(0.9, 1.1))
        given = {"population": kind(reach), "people": people, "reach": reach, "level": level}
        yield {
            **given,
            "mean_scale": 2 * reach / people / (0.8 * epsilon),
            "square_scale": reach**2 / people / (0.2 * epsilon),
        }


def _errors(given: dict, slack: float = 0.0) -> tuple[float, float]:
    """Return the deviation of a mean of so many people, and the scale of its noise.

    With slack the people's variance is taken larger by so many scales of the noisy square, and no
    larger than it can be.
    """
    variance = given["population"].deviation ** 2 + (slack and slack * given["square_scale"])
    variance = min(variance, given["reach"] ** 2)
    return math.sqrt(variance / given["people"]), given["mean_scale"]


def _two_sided(level: float) -> float:
    return norm.ppf((1 + level) / 2)


def _tail(level: float) -> float:
    return math.log(1 / (1 - level))


_ELSEWHERE = (
    "the interval does not lie around the noisy mean",
    "where is the population's mean likely to be?",
)
_NOISE = "the county has added noise to the mean: how far does that reach at this level?"
_SAMPLING = (
    "other people could have been drawn: how far off is the mean of a sample, without noise?"
)
_SIDES = "the interval may miss on either side: how often on each?"
_JOIN = "both errors are there at once: what is the reach of their sum?"
# Mistakes by the reach that they give, from (sampling error, scale, level).
_MISTAKES = (
    (lambda s, b, c: 0.0, "the interval has no width", _JOIN),
    (lambda s, b, c: _two_sided(c) * s, "the noise is forgotten", _NOISE),
    (lambda s, b, c: s, "the noise is forgotten, and the level", _NOISE),
    (lambda s, b, c: b * _tail(c), "sampling is forgotten", _SAMPLING),
    (lambda s, b, c: _two_sided(c) * math.sqrt(2) * b, "sampling is forgotten", _SAMPLING),
    (lambda s, b, c: b, "sampling is forgotten, and the level", _SAMPLING),
    (
        lambda s, b, c: norm.ppf(c) * math.hypot(s, math.sqrt(2) * b),
        "each side alone may miss as often as both together",
        _SIDES,
    ),
    (
        lambda s, b, c: shortest_reach(s, b, 2 * c - 1),
        "each side alone may miss as often as both together",
        _SIDES,
    ),
    (lambda s, b, c: shortest_reach(s, b, c) / 2, "the width is taken for the reach", _SIDES),
    (
        lambda s, b, c: max(_two_sided(c) * s, b * _tail(c)),
        "only the larger of the two errors counts",
        _JOIN,
    ),
    (
        lambda s, b, c: _two_sided(c) * math.hypot(s, b),
        "the scale of the noise is taken for its deviation",
        "which deviation does Laplace noise of scale b have (section 3)?",
    ),
    (
        lambda s, b, c: math.hypot(s, math.sqrt(2) * b),
        "the level is ignored: the reach is one deviation",
        "which multiple of a deviation is exceeded as often as the level allows?",
    ),
)


_PUBLIC = ("people", "reach", "mean_scale", "square_scale", "level")


_SLACKS = (0.0, 1.0, 2.0, 3.0, math.inf)


@dataclass
class _Seen:
    """What came at one population so far."""

    given: dict
    bet: MissesBet
    width: float = 0.0
    around: bool = True

    @property
    def mean_width(self) -> float:
        return self.width / self.bet.runs

    def take(self, released: list[tuple[float, float]], ends: np.ndarray) -> None:
        """Take in the intervals around some releases."""
        means, exact = np.array(released)[:, 0], self.given["population"].mean
        self.width += float(widths_of(ends).sum())
        self.around &= bool(((ends[:, 0] <= means) & (means <= ends[:, 1])).mean() > 0.5)
        self.bet.see((exact < ends[:, 0]) | (exact > ends[:, 1]))


@dataclass(frozen=True, kw_only=True)
class _MeanClaim(Claim):
    """Samples are drawn, released and handed over until the bets refute, or enough have come."""

    def _judge(self, open_door: OpenDoor) -> Result:
        rng, asked = fresh_generator(), []
        seen = [_Seen(given, MissesBet(1 - given["level"] + FORGIVEN)) for given in _settings(rng)]
        against = math.log(len(seen) / (ALPHA * effort().level))
        with open_door(asked) as door:
            watch = door.stopwatch()
            while not _enough(seen[0].bet.runs, watch):
                for each in seen:
                    released = _released(each.given, rng)
                    asked.append({**each.given, "released": released})
                    each.take(released, door.call(len(asked) - 1))
                refuted = [each for each in seen if each.bet.log_evidence() >= against]
                if refuted:
                    raise _missing(seen, max(refuted, key=lambda each: each.bet.log_evidence()))
        return self._scored(seen)

    def _scored(self, seen: list[_Seen]) -> Result:
        ratios = [each.mean_width / (_SPARE * _shortest_width(each.given)) for each in seen]
        share, note = earned(ratios, [self.situation(each.given) for each in seen])
        words = f"{self.established}: not refuted at {len(seen)} populations"
        return Result(self.name, words, sum(each.bet.runs for each in seen), note, share)


def _enough(runs: int, watch: Stopwatch) -> bool:
    """Say whether a look ends: when it does decides nothing, as bets hold whenever one stops."""
    length = effort()
    if runs >= _LEAST_RUNS and watch.worked() >= _MORE_WORK * length.work:
        return True
    return runs >= (_LONG_RUNS if length.long else _SHORT_RUNS) or length.over(watch)


def _shortest_width(given: dict) -> float:
    return 2 * shortest_reach(*_errors(given), given["level"])


def _released(given: dict, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return noisy means, and noisy means of squares, of some samples."""
    values = given["population"].draw(rng, (_BATCH, given["people"]))
    means = values.mean(axis=1) + rng.laplace(scale=given["mean_scale"], size=_BATCH)
    squares = (values**2).mean(axis=1) + rng.laplace(scale=given["square_scale"], size=_BATCH)
    return list(zip(means.tolist(), squares.tolist(), strict=True))


def _missing(seen: list[_Seen], worst: _Seen) -> BadAnswer:
    """Return the words for an interval that misses too often, by its mistake if that is known."""
    known = [
        ([2 * reach(*_errors(each.given, slack), each.given["level"]) for each in seen], name, ask)
        for reach, name, ask in _MISTAKES
        for slack in _SLACKS
    ]
    named = named_by_width([each.mean_width for each in seen], known, like=_WIDTHS_ALIKE)
    if not worst.around:
        named = _ELSEWHERE
    problem, ask = named or ("the interval misses the population's mean too often", _JOIN)
    return BadAnswer(
        problem,
        seen=f"it missed in {worst.bet.misses} of {worst.bet.runs} releases, and "
        f"{percent(1 - worst.given['level'])} may miss",
        ask=ask,
        parameters=worst.given,
        sure=SURE,
    )


CLAIM = _MeanClaim(
    name="mean_interval",
    repeats=False,  # one long look is enough
    about=(
        "Check `mean_interval(mean, square, *, people, reach, mean_scale, square_scale, level)`:\n"
        "an interval for the mean of a population, from two releases about a sample of it.\n\n"
        "`mean` and `square` are the sample's mean value and mean square, with Laplace noise of\n"
        "these scales; values lie between -reach and reach. The function returns (low, high). It\n"
        f"may miss in a share of 1 - level + {FORGIVEN:g} of all releases. `Result.share` falls\n"
        f"with its width: {_SPARE:g} times the shortest earns all."
    ),
    established="it holds the population's mean as often as it must",
    arguments=lambda given: ((given["released"],), {key: given[key] for key in _PUBLIC}),
    situation=lambda given: (
        f"{given['people']} people, values up to {given['reach']:g} from the middle, noise of "
        f"scale {number(given['mean_scale'])}, level {given['level']:g}"
    ),
    use=in_turn,
    read=as_intervals,
)
