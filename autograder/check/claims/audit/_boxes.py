"""Black boxes that answer a count: honest ones of many kinds, and liars."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograder.check.remade_argument import RemadeArgument

# How many draws are made at once: a call must be quick.
_CHUNK = 512


@dataclass(frozen=True)
class Kind:
    """One way to answer a count.

    Args:
      words: what it does, for a sentence.
      draw: (generator, size) to random numbers.
      answer: count and one of these numbers to the answer.
      loss: its epsilon for the counts 0 and 1, exactly.
    """

    words: str
    draw: Callable
    answer: Callable[[int, float], float]
    loss: float

    @property
    def lies(self) -> bool:
        """Say whether it breaks the promise: epsilon is 1."""
        return self.loss > 1


def _laplace(scale: float) -> Callable:
    return lambda generator, size: generator.laplace(scale=scale, size=size)


def _whole(rate: float) -> Callable:
    """Discrete Laplace noise: the difference of two geometric draws (Ghosh et al. 2009)."""
    return lambda generator, size: np.subtract(
        *generator.geometric(-math.expm1(-rate), size=(2, size))
    ).astype(float)


def _uniform(generator, size: int) -> np.ndarray:
    return generator.uniform(size=size)


def _exponential(generator, size: int) -> np.ndarray:
    return generator.exponential(size=size)


def _plus(count: int, noise: float) -> float:
    return count + noise


def _coin(truth: float) -> Callable[[int, float], float]:
    """Tell whether anyone is counted, truly with this probability."""
    return lambda count, level: float((count > 0) == (level < truth))


def _sometimes(count: int, level: float) -> float:
    """Add noise of scale 1 in six calls of ten, none in the others."""
    if level < 0.4:
        return float(count)
    # What is left of the level is uniform again: the inverse of the Laplace law.
    centred = (level - 0.4) / 0.6 - 0.5
    return count - math.copysign(math.log1p(-2 * abs(centred)), centred)


def _seldom(more: float, silence: float) -> Callable[[int, float], float]:
    """Tell the count, and so much more, in 1 answer of 4; tell nothing in the others."""
    return lambda count, level: float(count + more) if level < 0.25 else silence


def _tells(of_count: int, word: float) -> Callable[[int, float], float]:
    """Say a word in 1 answer of 4 that only this count gets, and 0.5 in all others."""
    return lambda count, level: word if count == of_count and level < 0.25 else 0.5


_TRUTH = math.e / (1 + math.e)
_RATE = 2.2

KINDS = {
    "laplace": Kind("adds Laplace noise of scale 1", _laplace(1), _plus, 1.0),
    "whole": Kind("adds whole Laplace noise", _whole(1.0), _plus, 1.0),
    "generous": Kind("adds Laplace noise of scale 2", _laplace(2), _plus, 0.5),
    "biased": Kind("answers 3 too much", _laplace(1), lambda count, x: count + 3 + x, 1.0),
    "clamped": Kind(
        "cuts its answers off below -1 and above 2",
        _laplace(1),
        lambda count, x: min(max(count + x, -1.0), 2.0),
        1.0,
    ),
    "constant": Kind("always answers 0.5", _uniform, lambda count, x: 0.5, 0.0),
    "coin": Kind("tells the truth in 73 answers of 100", _uniform, _coin(_TRUTH), 1.0),
    "half": Kind("adds Laplace noise of scale 1/2", _laplace(0.5), _plus, 2.0),
    "whole half": Kind("adds too little whole noise", _whole(_RATE), _plus, _RATE),
    "upward": Kind("never answers less than the count", _exponential, _plus, math.inf),
    "downward": Kind(
        "never answers more than the count", _exponential, lambda count, x: count - x, math.inf
    ),
    "careless": Kind(
        "adds no noise to the count 0",
        _laplace(1),
        lambda count, x: count + x if count else 0.0,
        math.inf,
    ),
    # The answer 0 comes for the count 0 only. (At 1 and above, the loss that is seen is 1.8.)
    "sometimes": Kind("adds no noise in 4 answers of 10", _uniform, _sometimes, math.inf),
    # Few answers tell: the two laws differ by less than those of honest boxes do.
    "secretive": Kind("tells the count in 1 answer of 4", _uniform, _seldom(0, 0.5), math.inf),
    "boastful": Kind(
        "tells the count and 2 more in 1 answer of 4", _uniform, _seldom(2, -1.0), math.inf
    ),
    # One event tells, one way round. By all others the loss is ln(1 / 0.75) = 0.29 at most.
    "low word": Kind(
        "answers -1 to the count 0 in 1 answer of 4, else 0.5", _uniform, _tells(0, -1.0), math.inf
    ),
    "high word": Kind(
        "answers 2 to the count 1 in 1 answer of 4, else 0.5", _uniform, _tells(1, 2.0), math.inf
    ),
    "loaded coin": Kind(
        "tells the truth in 95 answers of 100", _uniform, _coin(0.95), math.log(0.95 / 0.05)
    ),
}


class Box(RemadeArgument):
    """A black box of one kind: a function of a count."""

    def __init__(self, kind: str, seed: int):
        self.__kind, self.__generator = KINDS[kind], np.random.default_rng(seed)
        self.__ready: list[float] = []

    def __call__(self, count: int) -> float:
        if not self.__ready:
            self.__ready.extend(self.__kind.draw(self.__generator, _CHUNK).tolist())
        return self.__kind.answer(count, self.__ready.pop())
