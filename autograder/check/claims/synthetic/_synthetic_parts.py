"""The parts that the claims about rows from pairs of columns share: what marginals cost, and leaks.

How many of the first column's values come, at a small epsilon, tells the noise of its one-way
marginal: a value comes if its count is above 0 once the noisy counts are made at least 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.claims.synthetic._leaks import LeakClaim
from autograder.check.judge import ALPHA
from autograder.check.outcomes import OutcomeClaim, OutcomeMistake

__all__ = ["LARGEST_SCALE", "SIZE", "VALUES", "budget_part", "kept_law", "leak_part"]

# One person has each of so many values of the first column, and the noise of a right answer has
# such a scale: there an answer tells about 0.3 nats about noise of half the scale, 0.5 about a
# third, and 0.4 keep a third apart from a ninth, with which next to all answers are equal.
VALUES = 4
_SCALES = (0.66, 0.74)
LARGEST_SCALE = 0.75
# So many rows show every value that has a share.
SIZE = 1000


@lru_cache(maxsize=256)
def kept_law(count: int, values: int, scale: float) -> tuple[float, ...]:
    """Return how likely 1, 2, ... and all values come, if so many people have each of them.

    The counts have discrete Laplace noise of this scale. They are made the nearest that are at
    least 0 and have the same total, or equal if that is not above 0 (Duchi et al. 2008). A value
    comes if its share is above 0. Of m values that are kept the smallest share is 1 / (m * total),
    so among `SIZE` rows one is missed with probability below exp(-SIZE / (m * total)), in all below
    1e-12. The sums leave out less than 1e-14.
    """
    reach = int(36 * scale) + 2
    counts = np.arange(-reach, reach + 1) + count
    weights = np.exp(-np.abs(counts - count) / scale) if scale else (counts == count).astype(float)
    weights /= weights.sum()
    law = [0.0] * values
    for kept in range(1, values):
        for level in range(reach // kept + 1):
            low = counts <= level
            at_once = math.comb(values, kept) * weights[~low].sum() ** kept
            law[kept - 1] += at_once * _lost(weights[low], counts[0], values - kept, level, kept)
    law[-1] = 1 - sum(law)
    return tuple(map(float, law))


def _lost(weights: np.ndarray, first: int, lost: int, level: int, kept: int) -> float:
    """Return the probability that `lost` counts, each at most `level`, are those set to 0.

    The counts that are kept pay for them: all are lowered by -(the sum of the lost) / kept. That is
    between `level` and the next whole number, so that a count is lost if it is at most `level`.
    """
    sums = np.ones(1)
    for _ in range(lost):
        sums = np.convolve(sums, weights)
    places = -np.arange(level * kept, (level + 1) * kept) - lost * first
    return float(sums[places[(places >= 0) & (places < len(sums))]].sum())


def _settings(generator: np.random.Generator, *, kinds: int) -> list[dict]:
    """Return three settings whose noise is as wide as it should be for a share of 1 / kinds."""
    settings = []
    for others, neighbors in (((2, 2), "replace_one"), ((2,), "replace_one"), ((2,), "add_remove")):
        cells = np.eye(math.prod(others), dtype=int)
        counts = generator.choice(cells, VALUES).reshape(VALUES, *others)
        setting = {"counts": counts.tolist(), "neighbors": neighbors}
        epsilon = _moved(setting) * kinds * counts.ndim / generator.uniform(*_SCALES)
        seed = int(generator.integers(2**32))
        settings.append(setting | {"epsilon": round(epsilon, 2), "size": SIZE, "seed": seed})
    return settings


def _moved(parameters: dict) -> int:
    return 1 if parameters["neighbors"] == "add_remove" else 2


def _law(parts: Callable[[int], int], moved: Callable[[dict], int] = _moved):
    """Return the law when a one-way count gets epsilon / parts(columns)."""

    def law(parameters: dict) -> dict:
        columns = np.ndim(parameters["counts"])
        scale = moved(parameters) * parts(columns) / parameters["epsilon"]
        return dict(enumerate(kept_law(1, VALUES, round(scale, 12)), start=1))

    return law


_SPLIT = "how many marginals are bought in all, and which part of epsilon may each cost?"


def _mistakes(kinds: int) -> tuple[OutcomeMistake, ...]:
    """Return what the one-way counts may cost instead of epsilon / (kinds * columns) each."""
    return (
        OutcomeMistake("every marginal gets all of epsilon", _law(lambda columns: 1), _SPLIT),
        OutcomeMistake(
            f"every marginal gets epsilon / {kinds}", _law(lambda columns: kinds), _SPLIT
        ),
        OutcomeMistake(
            "all of epsilon goes to the one-way marginals", _law(lambda columns: columns), _SPLIT
        ),
        OutcomeMistake(
            "replace_one is treated as add_remove",
            _law(lambda columns: kinds * columns, moved=lambda parameters: 1),
            "how many counts of one marginal move when a row is replaced?",
        ),
    )


def budget_part(name: str, *, kinds: int, share: str) -> OutcomeClaim:
    """Return the claim that the one-way marginals share 1 / kinds of epsilon, in equal parts."""
    return OutcomeClaim(
        name=name,
        established=f"the one-way marginals get {share} of epsilon together",
        parameters=lambda generator: _settings(generator, kinds=kinds),
        arguments=rows.arguments,
        law=_law(lambda columns: kinds * columns),
        outcome=rows.values_seen,
        say=lambda seen: f"{seen} of the {VALUES} values of the first column",
        mistakes=_mistakes(kinds),
        situation=lambda p: (
            f"{np.ndim(p['counts'])} columns, epsilon {p['epsilon']}, {p['neighbors']}"
        ),
        level=0.7 * ALPHA,
    )


def leak_part(name: str) -> LeakClaim:
    """Return the claim that neither a pair of values nor the number of rows gives one away."""
    return LeakClaim(
        name=name,
        established="no person is given away",
        pairs=rows.leaks,
        arguments=rows.arguments,
        read=rows.happened,
        situation=lambda p: f"two columns, {int(np.sum(p['counts']))} rows, epsilon 0.5",
        level=0.2 * ALPHA,
    )
