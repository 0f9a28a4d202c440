"""Report noisy max: the candidate whose score is highest after Laplace noise.

Gumbel noise of the same scale, which is the exponential mechanism and as private, is hard to tell
from Laplace noise: by 0.004 nats an answer at best with eight candidates, by 0.002 with two, and by
0.007 with any number.
"""

import math
from functools import partial

import numpy as np

from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection import _settings as settings
from autograder.check.claims.selection._factors import GAP, LESS, MORE, noisy_max_mistakes
from autograder.check.claims.selection._noise import Noise, step
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

# Sensitivity, epsilon, monotone, and where the scores lie, in units of the noise. In the first two
# settings scores and sensitivity are scaled together, and epsilon with the gaps.
_SETTINGS = (
    ((2.2, 4.0), (0.3, 0.6), False, (-12, 12)),
    ((0.02, 0.04), (1.6, 2.4), False, (-12, 12)),
    ((2.5, 5.0), (1.7, 2.6), True, (-12, 12)),
    ((2.2, 3.5), (0.4, 0.7), True, (1500, 4000)),
)
# Here all candidates but one are unlikely: together they are about one answer in 17.
_UNLIKELY = ((1.3, 1.9), (0.6, 0.8), False, (-12, 12))
# Here 149 candidates are far behind, one of which wins in about one answer in 12; or 30 are nearer,
# where Gumbel noise shows best; or one hardly leads 299 others. And here are two.
_MANY = ((1.3, 1.9), (0.6, 0.8), True, (-12, 12))
_CROWD = ((0.6, 0.9), (1.1, 1.5), False, (-12, 12))
_TWO = ((1.3, 1.9), (0.05, 0.1), False, (-12, 12))


# So far ahead of 2,999 others the best still loses in about one answer of nine.
_FAR = 10.3


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return nine settings: five with the larger noise, four with monotone scores.

    In every other one of the first four, one candidate leads seven others. At the fifth all
    candidates but one are unlikely; then there are many, three times; and then two.
    """
    usual = np.array([0, -0.9, -2.4, -2.8, -3.2]) + generator.uniform(-0.15, 0.15, 5)
    chosen = [
        *zip([usual, settings.seven_behind(generator)] * 2, _SETTINGS, strict=True),
        (settings.unlikely_gaps(generator), _UNLIKELY),
        (settings.many_gaps(149, generator.uniform(8.3, 8.6)), _MANY),
        (settings.many_gaps(30, generator.uniform(2.8, 3.3)), _MANY),
        (settings.crowd_gaps(generator), _CROWD),
        (np.array([0, generator.uniform(-3.8, -3.2)]), _TWO),
    ]
    return [
        settings.drawn(generator, generator.permutation(gaps), ranges) for gaps, ranges in chosen
    ]


def _scale(p: dict) -> float:
    # Dwork & Roth (2014), claim 3.9, for monotone scores; twice that for any others.
    return step(p)


def _law(p: dict) -> dict:
    return selection.winner(p, Noise(_scale(p)))


def _with(scale, kind: str = "laplace"):
    """Return the law with noise of the scale that a setting's parameters give."""
    return lambda p: selection.winner(p, Noise(scale(p), kind))


def _times(factor):
    """Return the law when the scale is multiplied by what `factor` gives."""
    return _with(lambda p: _scale(p) * factor(p))


def _among_kept(p: dict, exponents: np.ndarray) -> dict:
    """Return the law when some candidates are out: those whose exponent is -inf."""
    kept = np.flatnonzero(np.isfinite(exponents))
    inside = {"candidates": [p["candidates"][place] for place in kept]}
    return selection.winner(inside, Noise(1.0), exponents[kept])


def _drawn_again(p: dict) -> dict:
    """Return the law when a second draw follows where the best candidate is not chosen."""
    law, best = _law(p), p["candidates"][int(np.argmax(p["scores"]))]
    again = 1 - law[best]
    return {each: again * law[each] + (1 - again) * (each == best) for each in law}


_SHAPE = "which law does the task ask for, and what does numpy call it?"

_MISTAKES = (
    *noisy_max_mistakes(_times),
    Mistake("the noise is doubled", _times(lambda p: 2), GAP),
    Mistake(
        "the scale is taken for the standard deviation",
        _times(lambda p: math.sqrt(0.5)),
        "the standard deviation of Laplace noise is sqrt(2) times its scale: which one is asked?",
    ),
    Mistake("the sensitivity divides the noise", _times(lambda p: 1 / p["sensitivity"] ** 2), MORE),
    Mistake("epsilon is squared", _times(lambda p: 1 / p["epsilon"]), LESS),
    Mistake(
        "epsilon is divided among the candidates",
        _times(lambda p: len(p["scores"])),
        "how many of the noisy scores are published?",
    ),
    Mistake(
        "the best candidate always wins",
        _with(lambda p: 0.0),
        "does every candidate get noise of its own?",
        seen="the best candidate should not come every time; noise shared by all changes nothing",
    ),
    Mistake(
        "all candidates are about equally likely",
        selection.evenly,
        "are the scores used at all, or is the noise far larger than it should be?",
    ),
    Mistake(
        "the lowest noisy score wins",
        lambda p: selection.winner(p, Noise(_scale(p)), -np.array(p["scores"])),
        "is a high score good or bad here?",
    ),
    Mistake("the noise is never negative", _with(_scale, "exponential"), _SHAPE),
    Mistake("the noise is Gaussian, not Laplace", _with(_scale, "gaussian"), _SHAPE),
    Mistake(
        "the noise is Gumbel's: this is the exponential mechanism", _with(_scale, "gumbel"), _SHAPE
    ),
    Mistake("the noise is spread evenly", _with(_scale, "uniform"), _SHAPE),
    selection.striking_out(lambda p: np.array(p["scores"]) / _scale(p), _among_kept),
    Mistake(
        "it is drawn again where the best candidate is not chosen",
        _drawn_again,
        "who may know which candidate has the best score without noise?",
    ),
    selection.sure_winner(_law),
    selection.now_and_then_exact(_law),
    *selection.normalised_mistakes(lambda p, scores: selection.winner(p, Noise(_scale(p)), scores)),
)


CLAIM = OutcomeClaim(
    about=(
        "Check `report_noisy_max(candidates, scores, *, sensitivity, epsilon, monotone=False)`: "
        "the candidate whose score is highest after Laplace noise."
    ),
    established="highest after Laplace noise of the right scale, monotone or not",
    parameters=_parameters,
    designed=partial(settings.at_the_edges, far=_FAR),
    law=selection.pooled(_law),
    **selection.USUAL,
    mistakes=selection.all_pooled(_MISTAKES),
    ask_first="is each score used as it is, with a draw of its own?",
    least_rate=0.0022,
    least_long_rate=0.002,
)
