"""Exact laws of noisy comparisons: who is highest after noise, and where a threshold is reached.

Probabilities are integrals over one noisy number, by Gauss and Legendre's rule with 24 nodes on
panels between all places where the integrand bends. For Laplace noise and m <= 8 candidates the
integrand is on each panel a sum of exponentials, with rates k <= m and weights that add up to less
than 1.5**m (unit: the finest scale). On a panel of four scales the rule's error term,
L**49 * 24!**4 / (49 * 48!**3) * (the 48th derivative), is then below 1e-15. The panels of the tails
double, 4, 4, 8, 16, ... scales wide: there exp(-k * distance) makes up for the width. Beyond 44
scales less than exp(-44) is left. tests/check/laws/test_laws_selection.py has the comparisons.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.special import ndtr

_NODES = 24
_PANEL = 4.0
_REACH = 44.0
_FEW = 8  # candidates for which the bound above holds; for more the panels are finer


@dataclass(frozen=True)
class Noise:
    """Noise of one law: `kind` is "laplace", "exponential", "gumbel", "gaussian" or "uniform".

    `scale` is the scale, the standard deviation of a Gaussian, or half the width of uniform noise.
    Exponential noise is never negative. Scale 0 is no noise.
    """

    scale: float
    kind: str = "laplace"

    @property
    def bends(self) -> tuple[float, ...]:
        """Where the law is not smooth."""
        return (-self.scale, self.scale) if self.kind == "uniform" else (0.0,)

    def times(self, factor: float) -> "Noise":
        return Noise(self.scale * factor, self.kind)

    def density(self, x: np.ndarray) -> np.ndarray:
        """Return the density at x; the scale must be positive."""
        z = x / self.scale
        if self.kind == "laplace":
            return np.exp(-np.abs(z)) / (2 * self.scale)
        if self.kind == "exponential":
            return np.where(z >= 0, np.exp(-np.maximum(z, 0)), 0.0) / self.scale
        if self.kind == "gumbel":
            z = np.maximum(z, -6.0)
            return np.exp(-z - np.exp(-z)) / self.scale
        if self.kind == "gaussian":
            return np.exp(-z * z / 2) / (math.sqrt(2 * math.pi) * self.scale)
        return np.where(np.abs(z) <= 1, 0.5 / self.scale, 0.0)

    def below(self, x: np.ndarray) -> np.ndarray:
        """Return Pr(noise < x)."""
        if not self.scale:
            return np.where(x > 0, 1.0, 0.0)
        z = x / self.scale
        if self.kind == "laplace":
            tail = np.exp(-np.abs(z)) / 2
            return np.where(z > 0, 1 - tail, tail)
        if self.kind == "exponential":
            return -np.expm1(-np.maximum(z, 0))
        if self.kind == "gumbel":
            return np.exp(-np.exp(-np.maximum(z, -6.0)))
        if self.kind == "gaussian":
            return ndtr(z)
        return np.clip((z + 1) / 2, 0, 1)

    def above(self, x: np.ndarray) -> np.ndarray:
        """Return Pr(noise >= x), small ones as exactly as large ones for Laplace noise."""
        if self.scale and self.kind == "laplace":
            return self.below(-x)
        return 1 - self.below(x)


NO_NOISE = Noise(0.0)


@cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    places, weights = np.polynomial.legendre.leggauss(_NODES)
    return (places + 1) / 2, weights / 2


def nodes_between(points: Sequence[float], scales: Sequence[float]) -> tuple[np.ndarray, ...]:
    """Return nodes and weights for a function that bends at `points` and decays on `scales`."""
    positive = [scale for scale in scales if scale > 0]
    reach, widest = _REACH * max(positive), _PANEL * min(positive)
    inner = np.unique(points)
    gaps = np.diff(inner)
    pieces = np.ceil(gaps / widest).astype(int)
    # Every gap is cut into equal panels; the panels of the tails double.
    number = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    within = np.repeat(inner[:-1], pieces) + number * np.repeat(gaps / pieces, pieces)
    steps = widest * 2.0 ** np.arange(math.ceil(math.log2(reach / widest)))
    tail = np.append(steps, reach)
    edges = np.concatenate([inner[0] - tail[::-1], within, inner[-1:], inner[-1] + tail])
    widths, (places, weights) = np.diff(edges)[:, None], _rule()
    return (edges[:-1, None] + widths * places).ravel(), (widths * weights).ravel()


def step(p: dict) -> float:
    """Return the score that is one step of the exponent, and the scale of noise on each score."""
    return (1 if p["monotone"] else 2) * p["sensitivity"] / p["epsilon"]


@lru_cache(maxsize=512)
def winner_law(scores: tuple[float, ...], noise: Noise) -> np.ndarray:
    """Return how likely each score is to be the highest after independent noise."""
    places = np.array(scores)
    if not noise.scale:
        return np.eye(len(places))[int(np.argmax(places))]
    points = [score + bend for score in set(scores) for bend in noise.bends]
    if len(scores) > _FEW:
        # The highest of many rises within a scale or two, somewhere above the scores.
        points += np.arange(min(scores), max(scores) + 16 * noise.scale, noise.scale / 2).tolist()
    nodes, weights = nodes_between(points, [noise.scale])
    # Equal scores have equal chances: of many candidates only a few differ.
    unlike, which, number = np.unique(places, return_inverse=True, return_counts=True)
    distances = nodes - unlike[:, None]
    # One wins with the noisy score z if all the others are below z.
    below = noise.below(distances)
    groups, rivals = below ** number[:, None], below ** (number[:, None] - 1)
    ones = np.ones((1, len(nodes)))
    before = np.cumprod(np.concatenate([ones, groups[:-1]]), axis=0)
    after = np.cumprod(np.concatenate([ones, groups[:0:-1]]), axis=0)[::-1]
    law = (noise.density(distances) * rivals * before * after) @ weights
    return _summing_to_one(law[which])


def comparison(offsets: Sequence[float], threshold: Noise, answer: Noise) -> tuple:
    """Return weights of noisy thresholds, and each answer's chance to be below or above them.

    `offsets` are the answers minus the threshold. The chances have shape (answers, nodes).
    """
    places = np.array(offsets)
    nodes, weights = np.zeros(1), np.ones(1)
    if threshold.scale:
        unlike = set(offsets)
        points = [*threshold.bends, *(place + bend for place in unlike for bend in answer.bends)]
        nodes, weights = nodes_between(points, [threshold.scale, answer.scale])
        weights = weights * threshold.density(nodes)
    # Equal answers have equal chances: of many answers only a few differ.
    unlike, which = np.unique(places, return_inverse=True)
    distances = nodes - unlike[:, None]
    return weights, answer.below(distances)[which], answer.above(distances)[which]


@lru_cache(maxsize=512)
def stop_law(offsets: tuple[float, ...], threshold: Noise, answer: Noise) -> np.ndarray:
    """Return how likely each answer is to be the first above one noisy threshold; last: none is."""
    weights, below, above = comparison(offsets, threshold, answer)
    ones = np.ones((1, len(weights)))
    passed = np.cumprod(np.concatenate([ones, below]), axis=0)
    return _summing_to_one(np.concatenate([passed[:-1] * above, passed[-1:]]) @ weights)


def chance_above(offset: float, threshold: Noise, answer: Noise) -> float:
    """Return how likely one answer is above a noisy threshold."""
    return float(stop_law((float(offset),), threshold, answer)[0])


def _summing_to_one(law: np.ndarray) -> np.ndarray:
    """Take off the rounding error of a law's sum."""
    total = law.sum()
    if abs(total - 1) > 1e-9:
        raise ArithmeticError(f"a law sums to {total}")
    result = law / total
    result.flags.writeable = False
    return result
