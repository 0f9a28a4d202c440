"""Propose-test-release of a median: the exact law of a release that a noisy test may withhold."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from autograder.check.claims.local_sensitivity._rows import median_sensitivity, tables_away
from autograder.check.designed import columns, each_edge
from ville.distributions import Distribution as Law
from ville.distributions import laplace

# Returns how often the test passes, from a setting's parameters.
Passing = Callable[[dict], float]


def draw_parameters(generator: np.random.Generator) -> list[dict]:
    """Return eight settings at which the test passes in 12 to 88 % of the calls.

    Numbers of rows are odd and even. Rows lie outside the domain, on both sides: without clipping
    dangerous tables are nearer. In two the median itself lies outside, once above and once below,
    the bound equals the local sensitivity of nearer tables, and epsilon is larger. In the next only
    tables without any of the rows are above the bound, in the last the table itself is.
    """
    pairs = zip((-1.4, -0.8, 0.8, 1.4), generator.permutation([0, 1, 0, 1]), strict=True)
    inside = [_one_setting(generator, lead, odd) for lead, odd in pairs]
    return [
        *inside,
        _median_outside(generator, odd=1),
        _mirrored(_median_outside(generator, odd=0)),
        _all_replaced(generator, int(generator.choice([5, 7, 9])), lead=0.8),
        _above_the_bound(generator),
    ]


def designed_parameters(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings whose rows have structure, bounds that nothing breaks, and edges."""
    ends = 0.5, int(generator.integers(40, 90)) + 0.5
    for name, values in columns(generator, lower=ends[0], upper=ends[1], least=1).items():
        rows = values[:120].tolist()
        bound = median_sensitivity(rows, min(5, len(rows) // 2), *ends) or 1.0
        yield name, _tested(generator, rows, 0.9 * bound, ends, lead=0.7)
    yield "200 rows to a table above the bound", _all_replaced(generator, 201, lead=-0.8)
    base = _one_setting(generator, lead=0.8, odd=1)
    unkind = {"values": [1.0, 5.0, 30.0, 35.0, 36.0, 39.0], "lower": 0, "upper": 40, "distance": 0}
    unkind = {**base, **unkind, "bound": 0.5, "epsilon": 0.8, "delta": 0.3}
    yield "a table above the bound", unkind
    kind = {"bound": 5.0, "epsilon": 8.0, "distance": tables_away(unkind["values"], 5.0, 0, 40)}
    yield "a table at distance 0, a large epsilon", {**unkind, **kind}
    for times, rows in ((1, len(base["values"])), (1, 3), (3, len(base["values"]))):
        safe = {"bound": times * (base["upper"] - base["lower"]), "distance": math.inf}
        name = "a bound that no table is above"
        # However few the rows are, the distance is infinite.
        yield name, {**base, **safe, "values": base["values"][:rows]}
    yield from each_edge(base, generator, "epsilon", "delta")


def _one_setting(generator: np.random.Generator, lead: float, odd: int) -> dict:
    half, lower = int(generator.integers(17, 19)), int(generator.integers(10, 40))
    width, distance = int(generator.integers(60, 200)), int(generator.integers(11, 13))
    # Most rows are crowded below the upper end, so the bound is small. A few are far below: the
    # mean is elsewhere. Those above the domain spread so far that it matters whether they count.
    far = generator.uniform(-0.3, 0.2, 4)
    crowd = generator.uniform(0.9, 1.0, half)
    above = generator.uniform(1.02, 1.3, half - 4 + int(odd))
    places = generator.permutation(np.concatenate([far, crowd, above]))
    rows = np.round(lower + width * places, 1).tolist()
    ends = lower, lower + width
    steps = [median_sensitivity(rows, edits, *ends) for edits in (distance - 1, distance)]
    if steps[1] < 1.02 * steps[0]:
        return _one_setting(generator, lead, odd)
    # Well between two steps, so that no rounding decides about the distance.
    bound = float(f"{sum(steps) / 2:.6g}")
    return _tested(generator, rows, bound, ends, lead)


def _median_outside(generator: np.random.Generator, odd: int) -> dict:
    """Return a setting of whole numbers with most rows far above the domain."""
    half, lower = int(generator.integers(17, 19)), int(generator.integers(10, 40))
    width, distance = int(generator.integers(60, 200)), 6
    ends = lower, lower + width
    far = generator.integers(lower - width, lower, 4)
    # Two rows at each place below the upper end: two distances have the same local sensitivity.
    below = generator.integers(1, 4) * (1 + np.arange(half - 5 + odd) // 2)
    above = lower + generator.integers(3 * width, 6 * width, half + 1)
    rows = generator.permutation(np.concatenate([far, ends[1] - below, above])).tolist()
    bound = median_sensitivity(rows, distance - 1, *ends)
    return _tested(generator, rows, bound, ends, lead=-0.8)


def _all_replaced(generator: np.random.Generator, size: int, lead: float) -> dict:
    """Return a setting of rows near the middle: while one of them stays, no gap is the domain.

    Their number is odd. An even number reaches both ends one row earlier.
    """
    lower = int(generator.integers(10, 40))
    width = int(generator.integers(60, 200))
    rows = np.round(lower + width * generator.uniform(0.42, 0.58, size), 1).tolist()
    bound = float(f"{width * generator.uniform(0.8, 0.95):.3g}")
    return _tested(generator, rows, bound, (lower, lower + width), lead)


def _above_the_bound(generator: np.random.Generator) -> dict:
    """Return a setting at distance 0: a right test passes with probability delta."""
    lower, width = int(generator.integers(10, 40)), int(generator.integers(60, 200))
    places = np.concatenate([generator.uniform(0.1, 0.2, 3), generator.uniform(0.7, 0.9, 4)])
    rows = np.round(lower + width * generator.permutation(places), 1).tolist()
    found = _tested(generator, rows, round(width * generator.uniform(0.05, 0.1), 2),
                    (lower, lower + width), lead=0.0)  # fmt: skip
    return {**found, "epsilon": round(generator.uniform(0.4, 0.9), 2), "delta": 0.3}


def _tested(
    generator: np.random.Generator,
    rows: list[float],
    bound: float,
    ends: tuple[float, float],
    lead: float,
) -> dict:
    """Return these rows with an epsilon and a delta at which the test is open."""
    distance = tables_away(rows, bound, *ends)
    # epsilon * threshold of 3 to 6: there ln(2/delta) / 2, ln(1/delta) and ln(1/(2 delta)) differ.
    near = 1.0 if not 0 < distance < math.inf else distance
    epsilon = round(generator.uniform(3.2, 5.5) / near, 2)
    delta = float(f"{math.exp(-epsilon * near - lead) / 2:.3g}")
    return {
        "values": rows,
        "bound": bound,
        "lower": ends[0],
        "upper": ends[1],
        "epsilon": epsilon,
        "delta": delta,
        "distance": distance,
    }


def _mirrored(p: dict) -> dict:
    """Return the setting with above and below exchanged."""
    total = p["lower"] + p["upper"]
    return {**p, "values": [total - row for row in p["values"]]}


def exact_median(p: dict) -> float:
    """Return the median of the clipped rows."""
    return float(np.median(np.clip(p["values"], p["lower"], p["upper"])))


def true_distance(p: dict) -> float:
    """Return the number of replaced rows to a table above the bound."""
    return p["distance"]


def true_threshold(p: dict) -> float:
    """Return what a noisy distance must exceed."""
    # Laplace noise of scale 1 / epsilon alone exceeds it with probability delta.
    return math.log(1 / (2 * p["delta"])) / p["epsilon"]


def passing(
    distance: Callable[[dict], float] = true_distance,
    threshold: Callable[[dict], float] = true_threshold,
    scale: Callable[[dict], float] = lambda p: 1 / p["epsilon"],
) -> Passing:
    """Return how often distance + Laplace noise exceeds the threshold."""

    def share(p: dict) -> float:
        missing = (threshold(p) - distance(p)) / scale(p)
        # Dwork & Roth (2014), fact 3.7, on one side.
        tail = math.exp(-abs(missing)) / 2
        return tail if missing > 0 else 1 - tail

    return share


def releases(
    share: Passing | None = None, noise: Callable[[dict], Law] | None = None
) -> Callable[[dict], Law]:
    """Return the law of (answer - exact median), where an answer that is withheld is infinite."""
    share, noise = share or passing(), noise or (lambda p: laplace(p["bound"] / p["epsilon"]))

    def law_at(p: dict) -> Law:
        passes, release = share(p), noise(p)
        return lambda x: passes * release(x)

    return law_at


def one_draw_for_both(p: dict) -> Law:
    """Return the law when the draw that passed the test is also the noise of the release."""
    missing = p["epsilon"] * (true_threshold(p) - true_distance(p))
    unit = laplace(1.0)
    least = float(unit(np.array(missing)))
    return lambda x: np.maximum(unit(x * p["epsilon"] / p["bound"]) - least, 0.0)
