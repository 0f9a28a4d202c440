"""Values of which many lie outside of the bounds, for claims about clipped means."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from autograder.check.designed import columns, each_edge

# What shows most, and so comes every time.
_ALWAYS = (
    "no rows",
    "one row, far outside",
    "all below",
    "all above",
    "nothing to clip",
    "whole numbers",
    "many rows",
    "one far row among many",
)


def draw_parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return six settings.

    Many people, so that hardly any answer is clipped (probability below 1e-7 in the first setting);
    bounds of both signs; a noisy count that often falls below 1: of many people, where it matters
    what it then counts as, and of few, with much noise, and of one person with little. Last a few
    people at one end, and so little noise that a rounded count would nearly always be exact.
    """
    for lower, width, rows, epsilons in (
        ((26, 30), (8, 10), (220, 260), (1.6, 2.4)),
        ((-12, -8), (64, 70), (60, 90), (1.6, 2.4)),
        ((-44, -40), (30, 36), (24, 30), (0.05, 0.07)),
        ((20, 25), (3, 5), (2, 5), (0.25, 0.4)),
    ):
        low = round(generator.uniform(*lower), 1)
        yield {
            "lower": low,
            "upper": round(low + generator.uniform(*width), 1),
            "epsilon": round(generator.uniform(*epsilons), 2),
            "rows": int(generator.integers(*rows)),
            "seed": int(generator.integers(2**32)),
        }
    yield _one_person(generator)
    low, width = round(generator.uniform(-4, 4), 1), round(generator.uniform(10, 14), 1)
    few = {"lower": low, "upper": round(low + width, 1), "rows": int(generator.integers(4, 7))}
    values = generator.uniform(few["upper"] + 1, few["upper"] + 40, few["rows"]).round(1)
    epsilon = round(generator.uniform(15, 18), 1)
    yield {**few, "epsilon": epsilon, "values": values}


def _one_person(generator: np.random.Generator) -> dict:
    """Return a setting with a noisy count between 0 and 1 half of the time, and seldom below 0."""
    low, width = round(generator.uniform(-34, -30), 1), round(generator.uniform(3, 5), 1)
    values = np.array([low + width * generator.uniform(0.1, 0.3)]).round(2)
    epsilon = round(generator.uniform(6.0, 8.0), 2)
    bounds = {"lower": low, "upper": round(low + width, 1)}
    return {**bounds, "epsilon": epsilon, "rows": 1, "values": values}


def designed_parameters(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings whose values have structure, whose bounds are 0, and edges of epsilon."""
    for name, low, high, values in zeros_outside(generator):
        given = {"lower": low, "upper": high, "epsilon": 0.8, "values": values}
        yield name, {**given, "rows": len(values)}
    for low, high in ((-4.5, 20.5), (0.0, 12.5)):
        bounds = {"lower": low, "upper": high, "epsilon": 0.8}
        for name, values in structured(generator, low, high):
            yield name, {**bounds, "values": values, "rows": len(values)}
    # The middle is no whole number; and the number of many people matters, far from the middle.
    odd, rows = {"lower": 0, "upper": 3, "epsilon": 0.8}, int(generator.integers(1_001, 1_500))
    for name, values in (
        ("ends of an odd distance", np.array([1.0, 2, 2, 3])),
        ("many rows near an end", np.full(rows, 2.8)),
    ):
        yield name, {**odd, "values": values, "rows": len(values)}
    values = np.array([3.5, -90.0, 70.0, 12.0, 7.25, 1.0])
    ordinary = {"lower": -4.5, "upper": 20.5, "values": values, "rows": len(values)}
    yield from each_edge(ordinary, generator, "epsilon")
    # Here a rounded count shows: nearly always it is the exact one. And a middle by a root.
    little = {"lower": 0, "upper": 12.5, "epsilon": 12.0, "values": np.full(3, 12.5), "rows": 3}
    wide = {"lower": 0.5, "upper": 40.0, "epsilon": 0.8, "rows": 60}
    values = generator.uniform(25, 38, 60).round(1)
    yield "little noise, and all at an end", little
    yield "bounds far apart, both above 0", {**wide, "values": values}


def zeros_outside(generator: np.random.Generator) -> list[tuple[str, float, float, np.ndarray]]:
    """Return a name, bounds on one side of 0, and values of which many are 0, and so clipped."""
    low, high = round(generator.uniform(3, 9), 1), round(generator.uniform(12, 30), 1)
    inside = generator.uniform(low, high, 5).round(2)
    values = generator.permutation([*inside, *[0.0] * int(generator.integers(30, 50))])
    return [
        ("zeros below the bounds", low, high, values),
        ("zeros above the bounds", -high, -low, 0.0 - values),
    ]


def structured(generator: np.random.Generator, lower: float, upper: float) -> list:
    """Return the columns in which clipping shows most, and another one, with their names."""
    found = columns(generator, lower=lower, upper=upper)
    # Less than a hundredth of the rows: who cuts the values at their own quantiles loses it.
    found["one far row among many"] = np.append(np.full(300, lower), upper + 1.5)
    others = generator.permutation([name for name in found if name not in _ALWAYS])
    return [(name, found[name]) for name in (*_ALWAYS, *others[:1].tolist())]


def values_of(parameters: dict) -> np.ndarray:
    if "values" in parameters:
        return parameters["values"]
    return _drawn(*(parameters[name] for name in ("lower", "upper", "rows", "seed")))


@lru_cache(maxsize=64)
def _drawn(lower: float, upper: float, rows: int, seed: int) -> np.ndarray:
    """Return values of which some lie below the bounds, and more above them.

    Of many rows most lie above: far from the middle the noise of the count shows.
    """
    generator, width = np.random.default_rng(seed), upper - lower
    least, most = (0.1, 0.3) if rows >= 60 else (0.2, 0.75)
    places = generator.permutation(rows) / rows
    inside = generator.uniform(lower, upper, rows)
    below = lower - width * generator.uniform(0.5, 1.5, rows)
    above = upper + width * generator.uniform(1.5, 2.5, rows)
    return np.where(places < least, below, np.where(places >= most, above, inside)).round(1)
