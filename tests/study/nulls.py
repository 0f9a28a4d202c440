"""Draws of the law itself, judged by the whole of `ville`: how often does its evidence grow?

A task of kind "law" draws cells. Here the draws are numbers, words and vectors, so that repeats,
dependence and entries are bet on too, as they are when code is judged; and audits of true claims.
"""

import math
from collections.abc import Callable

import numpy as np

import ville
from ville import laws

DRAWS, AUDIT_DRAWS = 1_000, 4_000
_SHARES = {"a": 0.2, "b": 0.3, "c": 0.5}


Rng = np.random.Generator


def _geometric_difference(rng: Rng, n: int) -> np.ndarray:
    success = -math.expm1(-1 / 3)
    return rng.geometric(success, n) - rng.geometric(success, n)


def _mixed(rng: Rng, n: int) -> np.ndarray:
    return np.where(rng.random(n) < 0.2, 7.0, rng.normal(size=n))


_FOLLOWS: dict[str, tuple[Callable, object]] = {
    "Laplace": (lambda rng, n: rng.laplace(scale=3, size=n), laws.laplace(3)),
    "Gaussian": (lambda rng, n: rng.normal(scale=2, size=n), laws.gaussian(2)),
    "uniform": (lambda rng, n: rng.uniform(-1, 2, n), laws.uniform(-1, 2)),
    "Laplace in 32 bits": (lambda rng, n: rng.laplace(size=n).astype(np.float32), laws.laplace(1)),
    "clamped Laplace": (
        lambda rng, n: np.maximum(rng.laplace(size=n), 0),
        laws.clamped(laws.laplace(1), 0),
    ),
    "a point and a Gaussian": (
        _mixed,
        laws.mixture([laws.point(7), laws.gaussian(1)], [0.2, 0.8]),
    ),
    "discrete Laplace": (_geometric_difference, laws.discrete_laplace(3)),
    "geometric": (lambda rng, n: rng.geometric(0.3, n), laws.geometric(0.3)),
    "three words": (
        lambda rng, n: rng.choice(list(_SHARES), n, p=list(_SHARES.values())),
        laws.categorical(_SHARES),
    ),
    "three Laplace entries": (lambda rng, n: rng.laplace(size=(n, 3)), [laws.laplace(1)] * 3),
}


def _followed(draws: Callable, law: object) -> Callable[[Rng], float]:
    def height(rng: Rng) -> float:
        result = ville.follows(lambda n: draws(rng, n), law, max_draws=DRAWS)
        return max(reached for _, reached in result.path)

    return height


def _audited(rng: Rng) -> float:
    """Audit Laplace noise of scale 1 at its true epsilon; return the evidence at the end."""
    return ville.audit(
        lambda n: rng.laplace(size=n),
        lambda n: rng.laplace(size=n) + 1,
        epsilon=1.0,
        max_draws=AUDIT_DRAWS,
    ).log_evidence


# Name -> a function that judges fresh draws of the law and returns the largest log evidence.
NULLS: dict[str, Callable[[Rng], float]] = {
    **{name: _followed(*pair) for name, pair in _FOLLOWS.items()},
    "audit of a true claim": _audited,
}


def highest(name: str, runs: int) -> list[float]:
    """Return the largest log evidence of each of some runs on draws of the law itself."""
    rng = np.random.default_rng()  # of this task: processes that were forked share no numbers
    return [NULLS[name](rng) for _ in range(runs)]
