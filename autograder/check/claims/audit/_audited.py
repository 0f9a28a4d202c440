"""Mechanisms with a known loss, to try an audit on."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.remade_argument import RemadeArgument

# How many outputs are drawn at once: a call must be quick.
_CHUNK = 64


# The question where an interval is so short that what it counts did not all happen.
COUNTED = "with how many independent {runs} is the interval computed, and how many were there?"


class Audited(RemadeArgument):
    """A mechanism on one of two inputs: counts its calls, and knows no other input."""

    def __init__(self, parameters: dict):
        """Take the parameters "kind", "first", "second", "seed" and those of the kind."""
        self.calls = [0, 0]
        self._sides = {parameters["first"]: 0, parameters["second"]: 1}
        generator = np.random.default_rng(parameters["seed"])
        self._sources = [_source(parameters, side, generator) for side in (0, 1)]
        self._ready: list[list[float]] = [[], []]

    def __call__(self, data: Any) -> float:
        """Return one output for one of the two inputs."""
        try:
            side = self._sides[data]
        except (KeyError, TypeError):  # an array cannot be looked up
            raise BadAnswer(
                "the mechanism is called with another input",
                seen=f"it was called with {data!r:.60}",
                ask="on which two inputs should it run?",
            ) from None
        self.calls[side] += 1
        if not self._ready[side]:
            self._ready[side] = self._sources[side](_CHUNK).tolist()
        return self._ready[side].pop()


def _source(parameters: dict, side: int, generator) -> Callable[[int], np.ndarray]:
    """Return what draws outputs for one of the two inputs."""
    kind = parameters["kind"]
    if kind == "noise only":
        return lambda size: generator.normal(size=size)
    if kind == "shifted":
        center = parameters["distance"] * side
        return lambda size: generator.laplace(center, 1, size=size)
    if kind == "calm":
        return _Calm(_shares(parameters)[side])
    shares = _shares(parameters)[side]
    outputs = np.array(parameters["outputs"], dtype=float)
    return lambda size: generator.choice(outputs, p=shares, size=size)


def _shares(parameters: dict) -> list[list[float]]:
    return [parameters["first_shares"], parameters["second_shares"]]


class _Calm:
    """Outputs 0, 1, ... without chance, each about as often as it should, early and late alike."""

    def __init__(self, shares: list[float]):
        self._levels, self._number = np.cumsum(shares), 0

    def __call__(self, size: int) -> np.ndarray:
        # The fractional parts of k * golden ratio fill [0, 1) evenly (Weyl 1916).
        places = (np.arange(self._number, self._number + size) * (math.sqrt(5) - 1) / 2) % 1
        self._number += size
        return np.minimum(np.searchsorted(self._levels, places), len(self._levels) - 1).astype(
            float
        )


def loss_of(parameters: dict) -> float:
    """Return the smallest epsilon with which the mechanism keeps its delta, exactly."""
    kind = parameters["kind"]
    if kind == "noise only":
        return 0.0
    if kind == "shifted":
        return parameters["distance"]
    shares = [np.array(each) for each in _shares(parameters)]
    return max(_one_way(*shares, parameters["delta"]), _one_way(*shares[::-1], parameters["delta"]))


def _one_way(likely: np.ndarray, rare: np.ndarray, delta: float) -> float:
    """Return ln of the largest (p(S) - delta) / q(S) over the sets S of outputs, at least 0."""
    best = 0.0
    for code in range(1, 2 ** len(likely)):
        chosen = [bool(code >> k & 1) for k in range(len(likely))]
        above, below = likely[chosen].sum() - delta, rare[chosen].sum()
        if above > below * math.exp(best):
            best = math.inf if below == 0 else math.log(above / below)
    return best
