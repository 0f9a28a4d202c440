"""Values of which many lie outside of the bounds, for claims about clipped means."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

__all__ = ["draw_parameters", "values_of"]


def draw_parameters(generator: np.random.Generator) -> list[dict]:
    """Return five settings.

    Many people, so that hardly any answer is clipped (probability below 1e-7 in the first setting);
    bounds of both signs; so few people that the noisy count often falls below 1, with much noise
    and, in the last setting, with little.
    """
    settings = []
    for lower, width, rows, epsilons in (
        ((26, 30), (8, 10), (220, 260), (1.6, 2.4)),
        ((-40, -36), (64, 70), (60, 90), (1.6, 2.4)),
        ((-44, -40), (30, 36), (30, 40), (0.4, 0.6)),
        ((20, 25), (3, 5), (2, 5), (0.25, 0.4)),
        ((-34, -30), (3, 5), (1, 3), (2.0, 3.0)),
    ):
        low = round(generator.uniform(*lower), 1)
        settings.append(
            {
                "lower": low,
                "upper": round(low + generator.uniform(*width), 1),
                "epsilon": round(generator.uniform(*epsilons), 2),
                "rows": int(generator.integers(*rows)),
                "seed": int(generator.integers(2**32)),
            }
        )
    return settings


def values_of(parameters: dict) -> np.ndarray:
    return _drawn(*(parameters[name] for name in ("lower", "upper", "rows", "seed")))


@lru_cache(maxsize=64)
def _drawn(lower: float, upper: float, rows: int, seed: int) -> np.ndarray:
    """Return values of which a fifth lies below the bounds, a quarter above them."""
    generator, width = np.random.default_rng(seed), upper - lower
    places = generator.permutation(rows) / rows
    inside = generator.uniform(lower, upper, rows)
    below = lower - width * generator.uniform(0.5, 1.5, rows)
    above = upper + width * generator.uniform(1.5, 2.5, rows)
    return np.where(places < 0.2, below, np.where(places >= 0.75, above, inside)).round(1)
