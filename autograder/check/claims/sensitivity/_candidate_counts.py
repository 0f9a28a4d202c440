"""Tables for the choice of a clipping bound: how many people are between the candidates."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from autograder.check.claims.composition._noisy_counts import scale_of

# Neighbors, epsilon, share; the counts of the second to fourth interval in units of the noise, and
# how far the first falls short of its share, in the same units times the odds of the share. Chosen
# by search: small counts show what becomes of negative ones, large shares whose noise is in which
# sum, a nearly certain choice the tails of the noise.
_SETTINGS = (
    ("add_remove", (0.3, 0.4), (0.62, 0.7), ((1.0, 2.0), (5.0, 6.0), (5.0, 6.0)), (0.6, 1.4)),
    ("replace_one", (0.5, 0.7), (0.7, 0.75), ((1.5, 2.5), (0.0, 0.3), (1.5, 2.5)), (-3.3, -2.7)),
    ("add_remove", (0.3, 0.4), (0.92, 0.94), ((0.0, 0.2), (1.2, 1.5), (1.5, 2.0)), (0.4, 0.8)),
    ("replace_one", (1.5, 2.2), (0.8, 0.86), ((1.0, 2.0), (2.0, 3.0), (2.0, 3.0)), (0.6, 1.4)),
    ("add_remove", (1.5, 2.2), (0.9, 0.93), ((0.0, 0.3), (1.5, 2.5), (3.5, 4.5)), (0.6, 1.4)),
    ("replace_one", (0.5, 0.7), (0.92, 0.94), ((0.0, 0.2), (1.2, 1.5), (1.5, 2.0)), (0.4, 0.8)),
)


# All counts together are so many units or more. Then their noisy sum, with four times Laplace
# noise, is not above 0 in less than one answer in 100 million: so one may divide by it.
_LEAST_UNITS = 24


def draw_parameters(generator: np.random.Generator) -> list[dict]:
    """Return six settings with three candidates each, none of which is certain.

    `counts` are the people in the four intervals, `ends` how many of them sit on the candidate at
    an interval's upper end. Both kinds of neighbors, epsilon well below 1 and well above.
    """
    return [_large_enough(generator, *setting) for setting in _SETTINGS]


def _large_enough(generator: np.random.Generator, *setting) -> dict:
    while True:
        drawn = _drawn(generator, *setting)
        if sum(drawn["counts"]) >= _LEAST_UNITS * scale_of(drawn):
            return drawn


def _drawn(generator: np.random.Generator, neighbors, epsilons, shares, spans, short) -> dict:
    epsilon, share = (round(generator.uniform(*span), 2) for span in (epsilons, shares))
    scale = scale_of({"neighbors": neighbors, "epsilon": epsilon})
    rest = [round(scale * generator.uniform(*span)) for span in spans]
    below = share / (1 - share) * (sum(rest) - scale * generator.uniform(*short))
    counts = [max(3, round(below)), *rest]
    first = int(generator.integers(10, 60))
    return {
        "candidates": np.cumsum([first, *generator.integers(10, 40, 2)]).tolist(),
        "counts": counts,
        "ends": [counts[0] // 3, (counts[1] + 1) // 2, (counts[2] + 1) // 2],
        "share": share,
        "neighbors": neighbors,
        "epsilon": epsilon,
        "seed": int(generator.integers(2**32)),
    }


def designed_parameters(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings in which nobody is above a bound, tables of many rows, and small epsilons."""
    below_0 = int(generator.integers(-200, -110))
    for name, counts, epsilon, share in (
        ("candidates below 0", [12, 14, 10, 12], 0.6, 0.85),
        # The noise of the others decides, and a sum of more counts is often the smaller one.
        ("nobody is above the first candidate", [86, 0, 0, 0], 0.3, 0.975),
        ("nobody is above the second candidate", [32, 53, 0, 0], 0.3, 0.93),
        ("more than 1,000 rows", [900, 130, 110, 60], 0.021, 0.85),
        ("an epsilon above 5", [9, 1, 0, 0], 7.0, 0.85),
        ("an epsilon below 0.05", [450, 80, 60, 60], 0.04, 0.85),
        # Cut to whole numbers, those above a candidate equal it.
        ("values less than 1 above a candidate", [40, 30, 26, 0], 1.2, 0.85),
    ):
        first = below_0 if "below 0" in name else int(generator.integers(10, 60))
        ends = [counts[0] // 3, counts[1] // 2, counts[2] // 2]
        candidates = np.cumsum([first, *generator.integers(10, 40, 2)]).tolist()
        given = {"candidates": candidates, "counts": counts, "ends": ends, "share": share}
        more = {"neighbors": "add_remove", "epsilon": epsilon, "seed": abs(first)}
        more["near"] = "less than 1" in name
        yield name, {**given, **more}


def numbers(parameters: dict) -> np.ndarray:
    """Return numbers in random order, some of them equal to a candidate, others to 0 or below."""
    generator, candidates = np.random.default_rng(parameters["seed"]), parameters["candidates"]
    edges = [min(candidates[0], 0) - 20, *candidates, candidates[-1] + 9]
    columns = [np.repeat(candidates, parameters["ends"])]
    inside = np.subtract(parameters["counts"], [*parameters["ends"], 0])
    for low, high, size in zip(edges[:-1], edges[1:], inside, strict=True):
        reach = 0.8 if parameters.get("near") else high - low
        columns.append(low + reach * generator.uniform(0.05, 0.95, size))
    columns[1][: inside[0] // 3] = min(candidates[0], 0)
    return generator.permutation(np.concatenate(columns).round(2))


def arguments(parameters: dict) -> tuple[tuple, dict]:
    column = numbers(parameters)
    keywords = {"candidates": list(parameters["candidates"])}
    keywords |= {name: parameters[name] for name in ("epsilon", "neighbors", "share")}
    return (pd.Series(column, index=np.arange(len(column)) // 2 + 100, name="pay"),), keywords
