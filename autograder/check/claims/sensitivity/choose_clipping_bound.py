"""A clipping bound chosen from noisy counts: the first one with a large enough share below it."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.composition._noisy_counts import scale_of
from autograder.check.claims.sensitivity._candidate_counts import (
    arguments,
    designed_parameters,
    draw_parameters,
    numbers,
)
from autograder.check.claims.sensitivity._first_share import first_share, first_share_of
from autograder.check.mistakes import Mistake, mistakes_by
from autograder.check.outcomes import OutcomeClaim

# Draws for the laws of a few mistakes: an alternative need not be exact, the claim's law is.
_DRAWS = 4000


def _labelled(law: Sequence[float], parameters: dict) -> dict[float, float]:
    return dict(zip(map(float, parameters["candidates"]), map(float, law), strict=True))


def _law(parameters: dict) -> dict[float, float]:
    given = parameters["counts"], scale_of(parameters), parameters["share"]
    return _labelled(first_share(*given), parameters)


def _outcome(answer: Any, parameters: dict) -> float:
    """Return the candidate that came back, or raise BadAnswer."""
    if isinstance(answer, float) and math.isinf(answer):
        raise BadAnswer(
            "it returns a bound that is not among the candidates",
            seen=f"it returned {answer}; the candidates are "
            f"{', '.join(map(str, parameters['candidates']))}",
            ask="which line puts infinity into a list? Is it the caller's list?",
        )
    bound = as_number(answer)
    for candidate in parameters["candidates"]:
        if abs(bound - candidate) <= 1e-6 * abs(candidate):
            return float(candidate)
    is_place = bound in range(len(parameters["candidates"]))
    raise BadAnswer(
        "it returns a bound that is not among the candidates",
        seen=f"it returned {bound:g}; the candidates are "
        f"{', '.join(map(str, parameters['candidates']))}",
        ask="which candidate is at that place?"
        if is_place
        else "which numbers are public, and which are read off the data?",
    )


def _of(law: Callable[[dict], Sequence[float]]) -> Callable[[dict], dict[float, float]]:
    return lambda parameters: _labelled(law(parameters), parameters)


def _with_scale(scale: Callable[[dict], float]) -> Callable[[dict], dict[float, float]]:
    return _of(lambda p: first_share(p["counts"], scale(p), p["share"]))


@cache
def _noise() -> tuple[np.ndarray, np.ndarray]:
    """Return draws that never change: Laplace of scale 1 and normal, for four intervals each."""
    generator = np.random.default_rng(20)
    return generator.laplace(size=(_DRAWS, 4)), generator.normal(size=(_DRAWS, 4))


def _choice(sums: np.ndarray, least: Any) -> list[float]:
    """Return how often each bound is the first whose sum is at least as large as it must be."""
    enough = sums[:, :3] >= np.reshape(least, (-1, 1))
    enough[:, 2] = True
    return (np.bincount(enough.argmax(axis=1), minlength=3) / len(sums)).tolist()


def _drawn(change: Callable[[np.ndarray, dict], tuple]) -> Callable[[dict], dict[float, float]]:
    """Return the law of a mistake by drawing.

    `change` takes noisy counts, and gives the sum up to each bound and what it is compared with.
    """

    def law(parameters: dict) -> list[float]:
        noisy = np.array(parameters["counts"]) + scale_of(parameters) * _noise()[0]
        return _choice(*change(noisy, parameters))

    return _of(law)


def _summed(noisy: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    return noisy.cumsum(axis=1), share * noisy.sum(axis=1)


def _bisected(noisy: np.ndarray, p: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums as a binary search sees them: below a second that is too small, none."""
    sums, least = _summed(noisy, p["share"])
    sums[sums[:, 1] < least, 0] = -np.inf
    return sums, least


def _first_where_none(parameters: dict) -> list[float]:
    """Return the law when no candidate has the share, and the first one is returned."""
    noisy = np.array(parameters["counts"]) + scale_of(parameters) * _noise()[0]
    sums, least = _summed(noisy, parameters["share"])
    # `argmax` of nothing but False is 0.
    places = (sums[:, :3] >= least[:, None]).argmax(axis=1)
    return (np.bincount(places, minlength=3) / len(places)).tolist()


def _gaussian(parameters: dict) -> list[float]:
    noisy = np.array(parameters["counts"]) + scale_of(parameters) * _noise()[1]
    return _choice(*_summed(noisy, parameters["share"]))


def _same_noise(parameters: dict) -> list[float]:
    noisy = np.array(parameters["counts"]) + scale_of(parameters) * _noise()[0][:, :1]
    return _choice(*_summed(noisy, parameters["share"]))


def _without_noise(parameters: dict) -> list[float]:
    counts = np.array([parameters["counts"]], dtype=float)
    return _choice(*_summed(counts, parameters["share"]))


def _open_above(parameters: dict) -> Sequence[float]:
    """Return the law when a value on a candidate is counted above it."""
    moved = np.array([*parameters["ends"], 0])
    counts = np.array(parameters["counts"]) - moved + np.roll(moved, 1)
    return first_share(counts, scale_of(parameters), parameters["share"])


def _only_above_0(parameters: dict) -> Sequence[float]:
    """Return the law when the first interval begins above 0."""
    counts = np.array(parameters["counts"])
    counts[0] -= (numbers(parameters) <= 0).sum()
    return first_share(counts, scale_of(parameters), parameters["share"])


def _each_sum_noisy(parameters: dict) -> tuple:
    """Return the law when every sum gets a noise of its own, as if one person moved one sum."""
    sums = np.cumsum(parameters["counts"]) + scale_of(parameters) * _noise()[0]
    return _choice(sums, parameters["share"] * sums[:, 3])


def _shifted(step: int) -> Callable[[dict], dict[float, float]]:
    """Return the law when the neighbor of the right candidate is returned."""

    def law(parameters: dict) -> list[float]:
        shifted = [0.0, 0.0, 0.0]
        for place, probability in enumerate(_law(parameters).values()):
            shifted[min(max(place + step, 0), 2)] += probability
        return shifted

    return _of(law)


_NEIGHBORS = "how many intervals change their count when a row is added? And when one is replaced?"
_PARALLEL = "in how many intervals is one person? Who else pays for the others?"
_EPSILON = "does a larger epsilon mean more privacy or less, and so less noise or more?"
_FIRST = "is the noisy share up to this candidate already large enough? And up to the one before?"
_REACHED = "up to which candidate do the noisy counts reach the share for the first time?"
_MISTAKES = (
    Mistake("no noise is added", _of(_without_noise), "what does an attacker learn from it?"),
    Mistake(
        "the exact number of people is used",
        _of(lambda p: first_share_of(p["counts"], scale_of(p), p["share"] * sum(p["counts"]))),
        "who may know how many people there are? Under add_remove, is that public?",
    ),
    Mistake(
        "every sum gets noise of its own, as if one person moved one sum only",
        _of(_each_sum_noisy),
        "how many of the sums does a person in the first interval move?",
    ),
    *mistakes_by(
        _with_scale,
        {
            "epsilon is divided among the intervals": (lambda p: 4 * scale_of(p), _PARALLEL),
            "epsilon is divided among the candidates": (lambda p: 3 * scale_of(p), _PARALLEL),
            "replace_one is treated as add_remove": lambda p: 1 / p["epsilon"],
            "add_remove is treated as replace_one": lambda p: 2 / p["epsilon"],
            "the noise is doubled": lambda p: 2 * scale_of(p),
            "the noise is halved": lambda p: scale_of(p) / 2,
            "epsilon is ignored": (lambda p: scale_of(p) * p["epsilon"], _EPSILON),
            "epsilon multiplies instead of divides": (
                lambda p: scale_of(p) * p["epsilon"] ** 2,
                _EPSILON,
            ),
        },
        _NEIGHBORS,
    ),
    Mistake(
        "the noise is Gaussian, not Laplace",
        _of(_gaussian),
        "which law has the density exp(-|x| / scale) / (2 * scale), and what does numpy call it?",
    ),
    Mistake(
        "all intervals get the same noise",
        _of(_same_noise),
        "how many draws of noise do four counts need?",
    ),
    Mistake(
        "people above the last candidate are not counted",
        _of(lambda p: first_share(p["counts"][:3], scale_of(p), p["share"])),
        "are those people part of all people?",
    ),
    Mistake(
        "a value on a candidate is counted above it",
        _of(_open_above),
        "does a person with exactly this value respect the bound?",
    ),
    Mistake(
        "people at 0 or below are in no interval",
        _of(_only_above_0),
        "where does the first interval begin?",
    ),
    Mistake("the candidate below is returned", _shifted(-1), _FIRST),
    Mistake("the candidate above is returned", _shifted(1), _FIRST),
    Mistake(
        "the first candidate is returned nearly always",
        _of(lambda p: first_share(p["counts"], scale_of(p), 1 - p["share"])),
        "of 100 people, how many may be above the bound when `share` is 0.99?",
    ),
    Mistake(
        "the argument `share` is not used, 0.99 is",
        _of(lambda p: first_share(p["counts"], scale_of(p), 0.99)),
        "which number does the caller choose?",
    ),
    Mistake(
        "each interval is looked at alone, not all people up to the bound",
        _drawn(lambda noisy, p: (noisy, p["share"] * noisy.sum(axis=1))),
        "are the people of the first interval below the second bound, too?",
    ),
    Mistake(
        "a candidate is passed over where a later sum is too small",
        _drawn(_bisected),
        "which sums does your code look at, as searchsorted and bisect do, which need rising ones?",
    ),
    Mistake(
        "the total has noise of its own, other than that of the sums",
        _drawn(lambda noisy, p: (noisy.cumsum(axis=1), p["share"] * noisy[::-1].sum(axis=1))),
        "do the total and the sums come from the same noisy counts?",
    ),
    Mistake(
        "the sums begin with the second interval",
        _drawn(
            lambda noisy, p: (
                noisy.cumsum(axis=1)[:, 1:] - noisy[:, :1],
                p["share"] * noisy.sum(axis=1),
            )
        ),
        "whose people are in the sum up to the first candidate?",
    ),
    Mistake(
        "negative noisy counts become 0 first",
        _drawn(lambda noisy, p: _summed(np.maximum(noisy, 0), p["share"])),
        "that costs nothing, but it is another rule: what does it do to the sums on average?",
    ),
    Mistake("the first candidate is returned always", _of(lambda p: (1.0, 0.0, 0.0)), _REACHED),
    Mistake(
        "where no candidate has the share, the first is returned",
        _of(_first_where_none),
        "which place does `argmax` give when nothing is true? And which does the task want?",
    ),
    Mistake("the last candidate is returned always", _of(lambda p: (0.0, 0.0, 1.0)), _REACHED),
)

CLAIM = OutcomeClaim(
    about=(
        'Check `choose_clipping_bound(values, *, candidates, epsilon, neighbors="add_remove",\n'
        "share=0.99)`: the first candidate with at least `share` of the noisy counts up to it."
    ),
    established="the first candidate with the noisy share, noise of its own for each interval",
    parameters=draw_parameters,
    designed=designed_parameters,
    outside=("epsilon above 10",),
    arguments=arguments,
    law=_law,
    outcome=_outcome,
    say=lambda candidate: f"the bound {candidate:g}",
    mistakes=_MISTAKES,
    # A choice among three says little each time; these settings refute every mistake at 0.01.
    least_rate=0.008,
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {p['neighbors']}, share {p['share']}, candidates "
        f"{', '.join(map(str, p['candidates']))} with {', '.join(map(str, p['counts']))} people in "
        "the intervals"
    ),
    ask_first="does your code count as many people in each interval as are shown here?",
)
