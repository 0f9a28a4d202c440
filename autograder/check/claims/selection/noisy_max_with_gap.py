"""Report noisy max with the gap to the next one, which costs nothing more."""

import math
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection import _settings as settings
from autograder.check.claims.selection._choosing import choose, returned_nothing
from autograder.check.claims.selection._factors import noisy_max_mistakes
from autograder.check.claims.selection._noise import Noise, nodes_between, step, winner_law
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

# Sensitivity, epsilon, monotone. In the first two settings scores and sensitivity are scaled
# together, and epsilon with the gaps.
_SETTINGS = (
    ((2.2, 4.0), (0.3, 0.6), False),
    ((0.02, 0.04), (1.6, 2.4), False),
    ((2.5, 5.0), (1.7, 2.6), True),
    ((1.4, 2.0), (0.06, 0.1), True),
)
# Here one candidate hardly leads 299 others.
_CROWD = ((0.6, 0.9), (1.1, 1.5), False)
# Gaps are told apart at these places, in units of the noise.
_CUTS = (0.25, 0.7, 1.3, 2.2, 3.5)
_LARGE = 1e4

# So far ahead of 2,999 others the best still loses in about one answer of nine.
_FAR = 10.3


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return six settings: with much noise and little, monotone or not; then are two, then 300."""
    usual = np.array([0, -0.7, -1.6, -2.5]) + generator.uniform(-0.15, 0.15, 4)
    two = np.array([0, generator.uniform(-1.2, -0.8)])
    crowd = (settings.crowd_gaps(generator), _CROWD)
    chosen = [*((usual, setting) for setting in _SETTINGS), (two, _SETTINGS[0]), crowd]
    return [
        settings.drawn(generator, generator.permutation(gaps), (*ranges, (-9, 9)))
        for gaps, ranges in chosen
    ]


def _scale(p: dict) -> float:
    # Ding, Wang, Zhang & Kifer (2019): the noise of report noisy max.
    return step(p)


def _law(p: dict) -> dict:
    return _with_noise(p, Noise(_scale(p)))


def _with_noise(p: dict, noise: Noise, stretched: float = 1.0) -> dict:
    """Return the law of (candidate, place of the gap) with this noise; the gap may be stretched."""
    scores = np.array(p["scores"])
    cuts = tuple(cut * _scale(p) / stretched for cut in _CUTS)
    return _named(p, gap_law(tuple((scores - scores.max()).tolist()), noise, cuts))


def _named(p: dict, table: np.ndarray) -> dict:
    return {
        (candidate, place): chance
        for candidate, chances in zip(p["candidates"], table.tolist(), strict=True)
        for place, chance in enumerate(chances)
    }


@lru_cache(maxsize=512)
def gap_law(scores: tuple[float, ...], noise: Noise, cuts: tuple[float, ...]) -> np.ndarray:
    """Return how likely each score is the highest, with a gap between each two of the cuts."""
    wins = [winner_law(scores, noise)]
    # Equal scores have equal chances: of many candidates only a few differ.
    unlike, which, number = np.unique(scores, return_inverse=True, return_counts=True)
    rivals = number - np.eye(len(unlike), dtype=int)
    for cut in cuts:
        # One wins with the noisy score z, and by more than the cut, if the others are below z less
        # the cut. Both bends are bends of the integrand.
        points = [
            place + bend + shift for place in unlike for bend in noise.bends for shift in (0, cut)
        ]
        nodes, weights = nodes_between(points, [noise.scale])
        distances = nodes - unlike[:, None]
        below = noise.below(distances - cut)
        others = np.prod(below ** rivals[:, :, None], axis=1)
        wins.append(((noise.density(distances) * others) @ weights)[which])
    above = np.array([*wins, np.zeros(len(scores))]).T
    return np.maximum(above[:, :-1] - above[:, 1:], 0)


def _outcome(answer: Any, p: dict) -> Hashable:
    """Return the candidate and the place of its gap, or raise BadAnswer."""
    if answer is None:
        raise returned_nothing(p)
    parts = list(answer) if isinstance(answer, tuple | list | np.ndarray) else None
    if parts is None or len(parts) != 2:
        raise BadAnswer(
            "two things are wanted: the candidate and the gap",
            seen=f"it returned {' '.join(repr(answer).split())[:60]}",
            ask="does your function end in `return candidate, gap`?",
        )
    if isinstance(parts[1], Hashable) and parts[1] in p["candidates"]:
        raise BadAnswer(
            "the gap and the candidate are exchanged",
            seen=f"the second of the two is {parts[1]!r}",
            ask="which of the two does the task name first?",
        )
    candidate, gap = selection.candidate_of(parts[0], p), as_number(parts[1])
    lead = _exact_lead(candidate, p)
    # A right gap equals one float with probability below 1e-14, where no score is large.
    small = np.max(np.abs(p["scores"])) < _LARGE
    if (gap == lead and small) or (gap < 0 and math.isclose(gap, lead)):
        whole = ", or one that is rounded" if lead.is_integer() else ""
        problem = f"the gap is that of the exact scores{whole}"
        raise BadAnswer(problem, seen=f"it is {gap:.4g}", ask=_EXACT)
    if gap < 0:
        raise BadAnswer(
            "the gap is below 0",
            seen=f"it returned the gap {gap:.4g}",
            ask="whose noisy score is subtracted from whose, and is anything added then?",
        )
    return candidate, int(np.searchsorted(np.array(_CUTS) * _scale(p), gap))


def _pooled(law: Callable[[dict], dict]) -> Callable[[dict], dict]:
    """Return a law in which all but the best of many candidates are one, with the gap's place."""

    def function(p: dict) -> dict:
        chances: dict = {}
        named = selection.outcomes(p)
        for (candidate, place), chance in law(p).items():
            outcome = named[candidate], place
            chances[outcome] = chances.get(outcome, 0.0) + chance
        return chances

    return function


def _exact_lead(candidate: Hashable, p: dict) -> float:
    if candidate not in p["candidates"]:  # one of many, and not the best
        return math.nan
    place = p["candidates"].index(candidate)
    return p["scores"][place] - max(np.delete(p["scores"], place))


def _times(factor: Callable[[dict], float], stretched: Callable[[dict], float] = lambda p: 1.0):
    """Return the law when the scale of the noise is multiplied, and the gap is stretched."""
    return lambda p: _with_noise(p, Noise(_scale(p) * factor(p)), stretched(p))


def _exact_gap(p: dict) -> dict:
    """The winner is the noisy one; the gap is that of the exact scores to the next best."""
    scores, law = np.array(p["scores"]), {}
    for k, chance in enumerate(selection.winner(p, Noise(_scale(p))).values()):
        gap = abs(scores[k] - np.delete(scores, k).max())
        place = int(np.searchsorted(np.array(_CUTS) * _scale(p), gap))
        law[p["candidates"][k], place] = chance
    return law


def _gap_of_exact_ranks(p: dict) -> dict:
    """The winner is the noisy one; the gap is that of the two best exact scores."""
    second, first = sorted(p["scores"])[-2:]
    place = int(np.searchsorted(np.array(_CUTS) * _scale(p), first - second))
    winners = selection.winner(p, Noise(_scale(p)))
    return {(candidate, place): chance for candidate, chance in winners.items()}


def _fresh_gap(p: dict) -> dict:
    """The winner is the noisy one; the gap comes from a second draw of all the noise."""
    places = np.zeros(len(_CUTS) + 1)
    for (_, place), chance in _law(p).items():
        places[place] += chance
    winners = selection.winner(p, Noise(_scale(p)))
    return {
        (candidate, place): chance * share
        for candidate, chance in winners.items()
        for place, share in enumerate(places)
    }


def _exact_winner(p: dict) -> dict:
    """The best candidate, always, with the gap of the noisy scores."""
    best = p["candidates"][int(np.argmax(p["scores"]))]
    law: dict = {}
    for (_, place), chance in _law(p).items():
        law[best, place] = law.get((best, place), 0.0) + chance
    return law


_SAME = "the proof shifts the noise of the winner: of which noisy scores must the gap be, then?"
_EXACT = "who can compute the exact gap, and what does it tell? " + _SAME
_SHAPE = "which law does the task ask for, and what does numpy call it?"

_MISTAKES = (
    *noisy_max_mistakes(_times),
    Mistake(
        "half of epsilon is kept for the gap",
        _times(lambda p: 2),
        "what does the gap cost, by section 5?",
    ),
    Mistake("the gap is that of the exact scores", _exact_gap, _EXACT),
    Mistake("the gap is that of the two best exact scores", _gap_of_exact_ranks, _EXACT),
    Mistake("the gap comes from noise of its own", _fresh_gap, _SAME),
    Mistake(
        "the best candidate always wins",
        _exact_winner,
        "whose noisy score is the highest in this draw?",
    ),
    Mistake(
        "the gap is doubled",
        _times(lambda p: 1.0, lambda p: 2.0),
        "in which units are the scores, and in which is the gap?",
    ),
    Mistake(
        "the gap is counted in scales of the noise",
        _times(lambda p: 1.0, lambda p: 1 / _scale(p)),
        "in which units are the scores, and in which is the gap?",
    ),
    Mistake(
        "the noise is Gaussian, not Laplace",
        lambda p: _with_noise(p, Noise(_scale(p), "gaussian")),
        _SHAPE,
    ),
    Mistake(
        "the noise is never negative",
        lambda p: _with_noise(p, Noise(_scale(p), "exponential")),
        "does every candidate get noise? And " + _SHAPE,
    ),
)


def _say(outcome: Hashable) -> str:
    candidate, place = outcome
    if place == len(_CUTS):
        return f"{selection.said(candidate)} with a gap of more than {_CUTS[-1]:g} scales"
    gap = f"a gap of {(0, *_CUTS)[place]:g} to {_CUTS[place]:g} scales"
    return f"{selection.said(candidate)} with {gap}"


def _score_of(outcome: Hashable, p: dict) -> str:
    known = selection.score_of(outcome[0], p).strip(" ,")
    return f" ({known})" if known else ""


CLAIM = OutcomeClaim(
    about=(
        "Check `noisy_max_with_gap(candidates, scores, *, sensitivity, epsilon, monotone=False)`: "
        "the candidate that is highest after Laplace noise, and its gap to the next."
    ),
    established="the right winner with the right gap, monotone or not",
    parameters=_parameters,
    designed=partial(settings.at_the_edges, far=_FAR),
    arguments=selection.arguments,
    law=_pooled(_law),
    outcome=_outcome,
    say=_say,
    known_of=_score_of,
    holds_many=lambda outcome: selection.comes_many_times(outcome[0]),
    use=choose,
    mistakes=tuple(replace(each, law=_pooled(each.law)) for each in _MISTAKES),
    ask_first="is the gap that of the noisy scores that chose, from the highest to the next?",
    least_rate=0.011,
    situation=selection.situation,
)
