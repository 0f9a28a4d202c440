"""A median with Cauchy noise for its smooth sensitivity: private without a delta."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.local_sensitivity._rows import clipped, median_sensitivity
from autograder.check.designed import columns, each_edge
from autograder.check.mistakes import Mistake
from autograder.check.signature import taking
from ville.cells import edges_of
from ville.distributions import Distribution as Law
from ville.distributions import clamped, gaussian, laplace, point


def cauchy(scale: float, center: float = 0.0) -> Law:
    """Cauchy noise: density 1 / (pi * scale * (1 + (x - center)² / scale²))."""
    return lambda x: 0.5 + np.arctan((x - center) / scale) / math.pi


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return six settings: odd and even, epsilon below and above 1, far tables that count.

    The mean lies elsewhere than the median. Some rows are outside the domain; in the first and the
    fourth setting so are most, once above and once below, and with them the median. In the last two
    epsilon is so small that the tables without any of the rows decide: they are few, or many.
    """
    sides = generator.permutation([-1, 1])
    for size, epsilons, side in (
        (9, (0.3, 0.6), sides[0]),
        (12, (0.3, 0.6), 0),
        (15, (1.6, 2.4), 0),
        (20, (1.6, 2.4), sides[1]),
    ):
        places = generator.permutation(_places(generator, size, side))
        yield _setting(generator, places, round(generator.uniform(*epsilons), 2))
    for size in (int(generator.choice([3, 5])), int(generator.choice([25, 27, 29]))):
        # While one of these rows stays, no gap is the domain; an odd number shows it.
        near = generator.uniform(0.45, 0.55, size)
        epsilon = float(f"{generator.uniform(0.1, 0.2) / size:.2g}")
        yield _setting(generator, near, epsilon)


def _setting(generator: np.random.Generator, places: np.ndarray, epsilon: float) -> dict:
    """Return rows at these places of a domain, which is from 0 to 1 there."""
    lower, width = int(generator.integers(10, 60)), int(generator.integers(60, 200))
    rows = np.round(lower + width * places, 1).tolist()
    return {"values": rows, "lower": lower, "upper": lower + width, "epsilon": epsilon}


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings whose rows have structure, and edges of epsilon.

    No scale is so small that floats could not show the noise.
    """
    lower, upper = -4.5, int(generator.integers(40, 90)) + 0.5
    base = {"lower": lower, "upper": upper, "epsilon": 0.6}
    found = columns(generator, lower=lower, upper=upper, least=1)
    for name, values in found.items():
        yield name, {**base, "values": values[:120]}
    zeros = "more zeros than others"
    yield f"{zeros}, less noise", {**base, "values": found[zeros], "epsilon": 6.0}
    apart = {"values": np.array([-2.0, 3.0, 36.0, 37.0]), "epsilon": 20.0}
    yield "two middle rows, far apart", {**base, **apart}
    rows = np.array([-2.0, 13.8, 14.0, 14.1, 36.0])  # kind here, and unkind one row away
    yield from each_edge({**base, "values": rows}, generator, "epsilon")


def _places(generator: np.random.Generator, size: int, side: int) -> np.ndarray:
    """Return where the rows lie in a domain from 0 to 1, the median on this side of it."""
    if not side:
        places = generator.uniform(0.15, 0.3, size)
        places[: size // 3] = generator.uniform(0.85, 1.4, size // 3)
        return places
    # One more row inside, and the local sensitivity would be 0.
    outside = size // 2 + 1
    places = generator.uniform(0.6, 0.8, size)
    places[:outside] = generator.uniform(3, 6, outside)
    return places if side > 0 else 1 - places


def _rows(p: dict) -> list[float]:
    return clipped(p["values"], p["lower"], p["upper"])


def _median(p: dict) -> float:
    return float(np.median(_rows(p)))


def _read(answer: Any, p: dict) -> float:
    """Return the answer; raise BadAnswer for an end of the domain, to which one was clipped.

    Noise makes one certain float with probability below 1e-12. Where the median is that end, the
    noise may be missing.
    """
    came = as_number(answer)
    if came in (p["lower"], p["upper"]) and came != _median(p):
        raise BadAnswer(
            "an answer is exactly an end of the domain",
            seen=f"it returned {came:g}; the median is {_median(p):g}",
            ask="is the noisy answer clipped? By the task it is the median plus noise, wherever "
            "that lies.",
        )
    return came


def _smooth(p: dict, beta: float, left: int = 0) -> float:
    """Return the smooth sensitivity of the median; of tables in which so many rows are left."""
    # Nissim, Raskhodnikova & Smith (2007), on the median.
    found = _sensitivities(tuple(p["values"]), p["lower"], p["upper"])
    found = found[: len(found) - left]
    return float(np.max(np.exp(-beta * np.arange(len(found))) * found))


@lru_cache(maxsize=64)
def _sensitivities(values: tuple[float, ...], lower: float, upper: float) -> np.ndarray:
    """Return the local sensitivity at each distance: every mistake asks for the same ones."""
    return np.array([median_sensitivity(values, k, lower, upper) for k in range(len(values) + 1)])


def _scale(p: dict) -> float:
    # Half of epsilon for a centre that moves by S, half for a scale that changes by exp(beta).
    return 2 * _smooth(p, p["epsilon"] / 2) / p["epsilon"]


def _with(beta: Callable[[dict], float], factor: Callable[[dict], float]) -> Callable:
    """Return the law for another beta, and a scale of factor * S."""
    return lambda p: cauchy(factor(p) * _smooth(p, beta(p)))


def _of(law: Callable[[float], Law]) -> Callable:
    return lambda p: law(_scale(p))


def _half(p: dict) -> float:
    return p["epsilon"] / 2


def _twice(p: dict) -> float:
    return 2 / p["epsilon"]


def _within(law: Law, reach: float) -> Law:
    """Return the law of draws that are made again until they lie within `reach` of 0."""
    low, high = law(np.array([-reach, reach]))
    return lambda x: np.clip((law(x) - low) / (high - low), 0, 1)


def _around_the_mean(p: dict) -> Law:
    return cauchy(_scale(p), float(np.mean(_rows(p))) - _median(p))


_CENTER = "the centre moves by S at most: how many scales may that be, at half of epsilon?"
_STRETCH = "the scale changes by exp(beta) at most: which beta costs half of epsilon?"
_THIN = "the tails are too thin: very large noise comes too seldom"
_LAW = "which law has the density 1 / (pi * (1 + z²))? What does numpy call it?"

_MISTAKES = (
    Mistake("beta is epsilon", _with(lambda p: p["epsilon"], _twice), _STRETCH),
    Mistake("beta is epsilon / 4", _with(lambda p: p["epsilon"] / 4, _twice), _STRETCH),
    Mistake("beta is epsilon / 6", _with(lambda p: p["epsilon"] / 6, _twice), _STRETCH),
    Mistake(
        "beta is that of Laplace noise with a delta",
        _with(lambda p: math.log1p(p["epsilon"] / (2 * math.log(1e9))), _twice),
        "that beta pays for the tails of Laplace noise: are those of this noise as thin?",
    ),
    Mistake("the scale is S / epsilon", _with(_half, lambda p: 1 / p["epsilon"]), _CENTER),
    Mistake("the scale is 4 * S / epsilon", _with(_half, lambda p: 4 / p["epsilon"]), _CENTER),
    Mistake(
        "all of epsilon is spent twice",
        _with(lambda p: p["epsilon"], lambda p: 1 / p["epsilon"]),
        "centre and scale both change between neighbors: what do they cost together?",
    ),
    Mistake(
        "epsilon is split as in the general theorem: epsilon / 6 each",
        _with(lambda p: p["epsilon"] / 6, lambda p: 6 / p["epsilon"]),
        "that is private too: does a Cauchy law need more than half of epsilon for each change?",
    ),
    Mistake(
        "beta is ln(1 + epsilon / 2)",
        _with(lambda p: math.log1p(p["epsilon"] / 2), _twice),
        _STRETCH,
    ),
    Mistake("epsilon is left out of the scale", _with(_half, lambda p: 2.0), _CENTER),
    Mistake("epsilon multiplies the scale", _with(_half, lambda p: 2 * p["epsilon"]), _CENTER),
    Mistake(
        "the noise is that of the local sensitivity",
        lambda p: cauchy(_twice(p) * median_sensitivity(p["values"], 0, p["lower"], p["upper"])),
        "what does the size of your noise tell an attacker?",
    ),
    Mistake(
        "the noise is that of the worst table",
        lambda p: cauchy(
            _twice(p) * median_sensitivity(p["values"], len(p["values"]), p["lower"], p["upper"])
        ),
        "how much less do distant tables count?",
    ),
    Mistake(
        "the tables in which all rows are replaced are left out",
        lambda p: cauchy(_twice(p) * _smooth(p, _half(p), left=1)),
        "how many rows may be replaced at most: all of them, or all but one?",
    ),
    Mistake(
        "the tails are thinner than they must be, as those of Laplace noise",
        _of(laplace),
        _LAW,
        _THIN,
    ),
    Mistake(
        "the tails are thinner than they must be, as those of Gaussian noise",
        _of(gaussian),
        _LAW,
        _THIN,
    ),
    Mistake(
        "no noise is larger than its scale",
        _of(lambda scale: lambda x: np.clip(0.5 + 2 * np.arctan(x / scale) / math.pi, 0, 1)),
        "half of all noise is larger: between which two angles do you draw that of a tangent?",
    ),
    Mistake(
        "S is computed with the ends of the data, not of the domain",
        lambda p: cauchy(_scale({**p, "lower": min(p["values"]), "upper": max(p["values"])})),
        "who may know the smallest and the largest value of the data?",
    ),
    Mistake(
        "the noise is never negative",
        _of(lambda scale: lambda x: 2 * np.arctan(np.maximum(x, 0) / scale) / math.pi),
        "on which side of the median may the answer lie?",
    ),
    Mistake(
        "noise far out is drawn again",
        _of(lambda scale: _within(cauchy(scale), 50 * scale)),
        "what does your code do with noise that lies far out? Which neighbor could not give it?",
        _THIN,
    ),
    Mistake("there is no noise", lambda p: point(0.0), "where is a random number drawn?"),
    Mistake(
        "the mean is released, not the median",
        _around_the_mean,
        "of which number is S the smooth sensitivity?",
    ),
    Mistake(
        "the median is not clipped",
        lambda p: cauchy(_scale(p), float(np.median(p["values"])) - _median(p)),
        "what happens to a row outside the domain, before anything else?",
        "where the middle rows lie outside the domain, so do the answers",
    ),
    Mistake(
        "the median is missing",
        lambda p: cauchy(_scale(p), -_median(p)),
        "to what is the noise added?",
    ),
    Mistake(
        "the answer is clipped to the domain",
        lambda p: clamped(cauchy(_scale(p)), p["lower"] - _median(p), p["upper"] - _median(p)),
        "that is private too, and it is not what the task asks for: where do the answers pile up?",
    ),
)

CLAIM = AdditiveClaim(
    about=(
        "Check `pure_smooth_median(values, *, lower, upper, epsilon)`: the median with Cauchy\n"
        "noise for its smooth sensitivity, epsilon-private without a delta."
    ),
    established="Cauchy noise around the median, of the scale that the proof asks for",
    law_name="Cauchy",
    parameters=_parameters,
    designed=_designed,
    arguments=taking("values, *, lower, upper, epsilon", values=np.array),
    read=_read,
    exact=_median,
    scale=_scale,
    law=cauchy,
    edges=lambda p: edges_of(cauchy(_scale(p)), scale=_scale(p)),
    # Half of the draws are within one scale of the centre.
    looks_like=lambda noise: float(np.median(np.abs(noise))),
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"{len(p['values'])} rows, domain [{p['lower']}, {p['upper']}], epsilon {p['epsilon']}"
    ),
)
