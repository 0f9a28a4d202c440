"""The exponential mechanism: a candidate with probability ~ exp(epsilon * score / (2 * sens.))."""

import math

import numpy as np

from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection import _settings as settings
from autograder.check.claims.selection._factors import exponent_mistakes
from autograder.check.claims.selection._noise import Noise, step
from autograder.check.claims.selection._selection import by_weights
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

# Sensitivity, epsilon, monotone, and where the exponents lie: beyond 709 a weight is infinite,
# below -745 it is 0. In the first two settings scores and sensitivity are scaled together, and
# epsilon with the gaps.
_SETTINGS = (
    ((2.2, 4.0), (0.3, 0.6), False, (-12, 12)),
    ((0.02, 0.04), (1.6, 2.4), False, (-12, 12)),
    ((2.5, 5.0), (1.7, 2.6), True, (-12, 12)),
    ((1.4, 2.0), (0.5, 0.8), False, (1500, 4000)),
    ((2.2, 3.5), (0.4, 0.7), True, (-4000, -1500)),
)
# Here all candidates but one are unlikely: together they are about one answer in 19.
_UNLIKELY = ((1.3, 1.9), (0.6, 0.8), False, (-12, 12))
# Here 299 candidates are nearly eight steps behind: together they are about one answer in 9. Or 30
# are nearer.
_MANY = ((1.3, 1.9), (0.6, 0.8), True, (-12, 12))
# Here one candidate hardly leads 299 others.
_CROWD = ((0.6, 0.9), (1.1, 1.5), False, (-12, 12))
# Here the two best are equal, and so are two others.
_TIES = ((1.3, 1.9), (0.05, 0.1), False, (-12, 12))


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return ten settings.

    At the fourth and the fifth exp(epsilon * score) is no float, or 0. Then all candidates but one
    are unlikely; then there are many, three times; and at the last there are ties. In two of the
    first and where 30 candidates are near, report noisy max shows best.
    """
    usual = np.array([0, -1.1, -2.0, -2.3, -2.6]) + generator.uniform(-0.15, 0.15, 5)
    seven_behind = settings.seven_behind(generator)
    first = (usual, seven_behind, seven_behind, usual, usual)
    chosen = [
        *zip(first, _SETTINGS, strict=True),
        (settings.unlikely_gaps(generator), _UNLIKELY),
        (settings.many_gaps(299, generator.uniform(7.65, 7.75)), _MANY),
        (settings.many_gaps(30, generator.uniform(2.8, 3.3)), _MANY),
        (settings.crowd_gaps(generator), _CROWD),
        (np.array([0, 0, -1.2, -1.2]), _TIES),
    ]
    return [
        settings.drawn(generator, generator.permutation(gaps), ranges) for gaps, ranges in chosen
    ]


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return settings at the edges; and one in which most are so far behind that they never come.

    A mean of the scores is far from all of them.
    """
    gaps = np.append([0, -0.7, -1.5], generator.uniform(-4_000, -3_000, 9))
    ranges = ((1.0, 1.0), (0.7, 0.7), False, (-12, 12))
    apart = settings.drawn(generator, generator.permutation(gaps), ranges)
    named = ("scores that lie thousands of steps apart", apart)
    return [*settings.at_the_edges(generator, far=10.1), named]


def _exponents(p: dict, scores=None) -> np.ndarray:
    # McSherry & Talwar (2007); the 2 is not needed for monotone scores.
    scores = np.array(p["scores"] if scores is None else scores)
    return scores / step(p)


def _law(p: dict) -> dict:
    return by_weights(p, _exponents(p))


def _times(factor):
    """Return the law when the exponents are multiplied by what `factor` gives."""
    return lambda p: by_weights(p, _exponents(p) * factor(p))


def _proportional(p: dict) -> dict:
    weights = np.array(p["scores"]) - min(p["scores"])
    return dict(zip(p["candidates"], (weights / weights.sum()).tolist(), strict=True))


def _permute_and_flip(p: dict) -> dict:
    # Exponential noise gives the law of permute-and-flip (Ding et al. 2021).
    return selection.winner(p, Noise(1.0, "exponential"), _exponents(p))


_FACTOR = "what can happen to the other scores when the chosen one's score rises?"
_MORE = "what should happen to the probabilities when one person can change a score by more?"
_LESS = "does a larger epsilon make the best candidate more likely, or less?"
_CHANCE = "where does your code draw a random number, and how likely should each candidate be?"

_MISTAKES = (
    *exponent_mistakes(
        _times,
        factor=_FACTOR,
        together="what can one person do to the sum of the weights, if all scores move the same "
        "way?",
        more=_MORE,
        less=_LESS,
    ),
    Mistake(
        "bad candidates are likelier than good ones",
        _times(lambda p: -1),
        "is a high score good or bad here? Which sign must the exponent have?",
    ),
    Mistake(
        "the best candidate always wins",
        lambda p: selection.always(p, int(np.argmax(p["scores"]))),
        _CHANCE,
        seen="the best candidate should not come every time: that tells what its score is",
    ),
    Mistake(
        "all candidates are about equally likely",
        selection.evenly,
        "are the scores used at all, or divided by something large?",
    ),
    Mistake("the chances are proportional to the scores", _proportional, _CHANCE),
    Mistake(
        "the weights are powers of 2, not of e",
        _times(lambda p: math.log(2)),
        "the task's weights are exp(...): of which number is that a power?",
    ),
    selection.striking_out(_exponents, by_weights),
    selection.sure_winner(_law),
    selection.now_and_then_exact(_law),
    Mistake(
        "extreme exponents are cut off",
        lambda p: selection.evenly(p) if p["extreme"] else _law(p),
        "if all exponents are cut to one number, what is left of the scores?",
    ),
    Mistake(
        "Laplace noise of half the scale is added",
        lambda p: selection.winner(p, Noise(0.5), _exponents(p)),
        "which law of noise gives the probabilities of the task? It is not Laplace's.",
    ),
    Mistake(
        "Laplace noise is added: this is report noisy max",
        lambda p: selection.winner(p, Noise(1.0), _exponents(p)),
        "which law of noise gives the probabilities of the docstring? It is not Laplace's.",
    ),
    Mistake(
        "this is the law of permute-and-flip",
        _permute_and_flip,
        "if you reject candidates: may one come up again? If you add noise: of which law?",
    ),
    *selection.normalised_mistakes(lambda p, scores: by_weights(p, _exponents(p, scores))),
    *selection.unsafe_mistakes(_law),
)

CLAIM = OutcomeClaim(
    about=(
        "Check `exponential_mechanism(candidates, scores, *, sensitivity, epsilon, "
        "monotone=False)`: one candidate, chosen by chance, a good one likelier."
    ),
    established="the right probabilities, for few candidates and many, for any scores",
    parameters=_parameters,
    designed=_designed,
    law=selection.pooled(_law),
    **selection.USUAL,
    ask_first="is each weight made of its own score, of epsilon, and of the given sensitivity?",
    least_rate=0.0021,
    least_long_rate=0.002,
    mistakes=selection.all_pooled(_MISTAKES),
)
