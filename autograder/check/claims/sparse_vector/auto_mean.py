"""The automatic mean: a third of epsilon each for the clipping bound, the sum and the count."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.sparse_vector._few_people import few_people, with_filled_cells
from autograder.check.claims.sparse_vector._mean_laws import clipped_sums, mean_law, one_draw_law
from autograder.check.judge import ALPHA
from autograder.check.mistakes import Mistake
from autograder.check.several import SeveralClaims
from autograder.check.signature import taking
from ville.cells import quantiles
from ville.distributions import Distribution as Law

# How many values exceed each candidate but the last, in units of 3 / epsilon.
_EXCEEDING = ((5.0, 4.0, 2.0, 0.0), (4.0, 2.5, 0.0))
# Edges of the cells around the mean that each bound gives, in units of its noise.
_EDGES = np.array([-5, -2.5, -1.2, -0.5, -0.15, 0.15, 0.5, 1.2, 2.5, 5])


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return two tables of 1,500 values below the first candidate, with a tail of some dozens.

    There are so many that neither the noisy mean leaves [0, b] nor the noisy count falls below 1:
    either has probability below exp(-40). Most values are large beside the first candidate, so that
    the count's noise matters; none is near the last, so that the largest value differs from it.
    """
    for exceeding, epsilons in zip(_EXCEEDING, ((0.9, 1.2), (1.9, 2.5)), strict=True):
        epsilon = round(generator.uniform(*epsilons), 2)
        bounds = np.cumsum(generator.integers(18, 30, len(exceeding))).astype(float)
        numbers = np.round(np.array(exceeding) * 3 / epsilon).astype(int)
        values = generator.uniform(0.7 * bounds[0], bounds[0], 1500).tolist()
        for place, inside in enumerate(-np.diff(numbers)):
            highest = (bounds[place] + bounds[place + 1]) / 2
            values += generator.uniform(bounds[place] + 2, highest, inside).tolist()
        p = {
            "values": np.round(generator.permutation(values), 1).tolist(),
            "candidates": bounds.tolist(),
            "epsilon": epsilon,
        }
        yield p | _middle_and_spread(mean_law(p))


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return four tables whose values differ by less than the noise, or not at all.

    Who moves the mean into the range of the values tells the smallest or the largest one. A smaller
    epsilon gets more people, so that the noisy mean still stays in [0, b].
    """
    for width, people, epsilons in (
        (0.0, 1500, (0.9, 1.2)),
        (0.1, 5000, (0.04, 0.048)),
        (0.0, 1500, (7, 10)),
        (0.1, 1500, (17, 40)),
    ):
        bounds = np.cumsum(generator.integers(18, 30, 4)).astype(float)
        epsilon = float(f"{generator.uniform(*epsilons):.3g}")
        noise = 3 * bounds[0] / (epsilon * people)
        values = bounds[0] * generator.uniform(0.7, 0.8) + noise * generator.uniform(
            0, width, people
        )
        p = {"values": values.tolist(), "candidates": bounds.tolist(), "epsilon": epsilon}
        name = "values close to each other" if width else "all values equal"
        yield name, p | _middle_and_spread(mean_law(p))
    yield from _at_an_end(generator)


def _at_an_end(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return two tables whose mean is an end of [0, b]: the noise leaves it every other time.

    A mean outside may be moved to the end, or stay. Who draws anew until it is inside is seen.
    """
    for name, part in (("all values 0", 0.0), ("all values above every candidate", 1.2)):
        bounds = np.cumsum(generator.integers(18, 30, 4)).astype(float)
        p = {"values": [part * bounds[-1]] * 1500, "candidates": bounds.tolist()}
        p["epsilon"] = round(generator.uniform(0.9, 1.2), 2)
        yield name, p | _middle_and_spread(mean_law(p))


def _middle_and_spread(law: Law) -> dict:
    """Return the median of a law, and about its mean distance from there."""
    first, median, last = quantiles(law, np.array([0.25, 0.5, 0.75]), reach=1e3).tolist()
    return {"middle": median, "spread": (last - first) / 1.4}


def _around(p: dict, law: Law) -> Law:
    return lambda x: law(x + p["middle"])


def _right_law(p: dict) -> Law:
    return _around(p, mean_law(p))


def _edges(p: dict) -> np.ndarray:
    """Return edges around each bound's mean, but none that would leave a cell all but empty.

    All are inside (0, b): on either side of them, a mean moved to an end of it stays.
    """
    number, bounds = len(p["values"]), np.array(p["candidates"])
    means, scales = clipped_sums(p) / number, 3 * bounds / p["epsilon"] / number
    edges = np.sort((means[:, None] + scales[:, None] * _EDGES).ravel())
    edges = edges[(edges > 0) & (edges < bounds[-1])]
    return with_filled_cells(edges, mean_law(p)) - p["middle"]


def _shared(*shares: float):
    """Return the law when the parts get these shares of epsilon."""
    return lambda p: _around(p, mean_law(p, shares=shares))


def _always(place: int):
    """Return the law when one candidate is always the bound."""
    return lambda p: _around(p, mean_law(p, chosen=np.eye(len(p["candidates"]))[place]))


def _those_inside(p: dict, *, all_counted: bool = False) -> Law:
    """Return the law when values above the bound are left out, of the sum or of both."""
    inside = np.array(p["values"]) <= np.array(p["candidates"])[:, None]
    sums = (inside * np.array(p["values"])).sum(axis=1)
    return _around(p, mean_law(p, sums=sums, numbers=None if all_counted else inside.sum(axis=1)))


def _of_the_maximum(p: dict) -> Law:
    first = np.eye(len(p["candidates"]))[0]
    sums = np.full(len(first), sum(p["values"]))
    unit = np.full(len(first), max(1e-9, *p["values"]))
    return _around(p, mean_law(p, chosen=first, sums=sums, unit=unit))


_THREE = "how many noisy numbers are released, and what do all of them cost together?"
_PARTS = "which part of epsilon does the task give to the bound, to the sum and to the count?"
_COUNT = "who knows the number of people? By how much does one person move it?"
_SUM = "by how much can one person move the sum of values clipped to [0, b]?"
_CHOSEN = "how many values lie above each candidate, and what does your choice make of that?"
_NOTHING = float("inf")

# For mistakes that leave the middle of the answers where it is.
_SPREAD = "the answers should lie within about {scale} of their middle, yours within {looks}"


def _of_spread(name: str, law, ask: str) -> Mistake:
    return Mistake(name, law, ask, seen=_SPREAD)


_MISTAKES = (
    _of_spread("epsilon is not divided at all", _shared(1, 1, 1), _THREE),
    _of_spread("bound and mean get half of epsilon each", _shared(1 / 2, 1 / 4, 1 / 4), _PARTS),
    _of_spread(
        "sum and count each get all that the bound leaves", _shared(1 / 3, 2 / 3, 2 / 3), _THREE
    ),
    Mistake("the bound gets all of epsilon", _shared(1, 1 / 3, 1 / 3), _THREE),
    _of_spread("bound and mean get all of epsilon each", _shared(1, 1 / 2, 1 / 2), _THREE),
    _of_spread("the mean gets a third of epsilon, not two", _shared(1 / 3, 1 / 6, 1 / 6), _THREE),
    _of_spread(
        "the count gets all of epsilon, and the sum a third", _shared(1 / 3, 1 / 3, 1), _THREE
    ),
    _of_spread("the exact number of people is used", _shared(1 / 3, 1 / 3, _NOTHING), _COUNT),
    _of_spread(
        "the exact number of people is used, the sum gets two thirds",
        _shared(1 / 3, 2 / 3, _NOTHING),
        _COUNT,
    ),
    _of_spread(
        "one draw of noise serves the sum and the count",
        lambda p: _around(p, one_draw_law(p)),
        "do the sum and the count each get a draw of their own?",
    ),
    _of_spread(
        "the sum gets the noise of a count",
        lambda p: _around(p, mean_law(p, unit=np.ones(len(p["candidates"])))),
        _SUM,
    ),
    _of_spread("sum and count get half of epsilon each", _shared(1 / 3, 1 / 2, 1 / 2), _THREE),
    Mistake(
        "the sum's noise is that of the largest candidate",
        lambda p: _around(p, mean_law(p, unit=np.full(len(p["candidates"]), p["candidates"][-1]))),
        _SUM,
        seen="the noise should be small where a small candidate is the bound",
    ),
    Mistake(
        "values are cut to whole numbers",
        lambda p: _around(p, mean_law(p, sums=clipped_sums(p | {"values": np.floor(p["values"])}))),
        "what does a value of 20.7 add to your sum?",
    ),
    Mistake(
        "the values are not clipped",
        lambda p: _around(p, mean_law(p, sums=np.full(len(p["candidates"]), sum(p["values"])))),
        "what can one very large value do to the sum? Is the noise large enough for that?",
    ),
    *(
        Mistake(name, law, "a value of 100 with the bound 30: what does it add to sum and count?")
        for name, law in (
            ("values above the bound are left out, not clipped", _those_inside),
            ("values above the bound count as 0", partial(_those_inside, all_counted=True)),
        )
    ),
    Mistake("the largest candidate is always the bound", _always(-1), _CHOSEN),
    Mistake("the smallest candidate is always the bound", _always(0), _CHOSEN),
    Mistake(
        "the largest value of the table is the bound",
        _of_the_maximum,
        "whose value is it, and what does the scale of the noise tell about it?",
    ),
    _of_spread(
        "epsilon is ignored",
        lambda p: _around(p, mean_law(p, shares=(1 / (3 * p["epsilon"]),) * 3)),
        "what should happen to the noise when less privacy may be lost?",
    ),
)

_ESTABLISHED = "a bound, a noisy sum and a noisy count, for a third of epsilon each"

_MANY_PEOPLE = AdditiveClaim(
    name="auto_mean",
    established=_ESTABLISHED,
    law_name="noisy mean's",
    parameters=_parameters,
    designed=_designed,
    arguments=taking("values, *, candidates, epsilon", values=np.array, candidates=list),
    exact=lambda p: p["middle"],
    scale=lambda p: p["spread"],
    law_at=_right_law,
    edges=_edges,
    ends=lambda p: (0.0, *p["candidates"]),
    least_rate=0.005,
    # A short look waits for the second rarest mistake, not for the rarest.
    least_short_rate=0.006,
    looks_like=lambda noise: float(np.subtract(*np.quantile(noise, [0.75, 0.25])) / 1.4),
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"{len(p['values'])} values, candidates "
        f"{', '.join(f'{each:g}' for each in p['candidates'])}, epsilon {p['epsilon']:g}"
    ),
    level=0.8 * ALPHA,
)

CLAIM = SeveralClaims(
    name="auto_mean",
    about="Check `auto_mean(values, *, candidates, epsilon)`: a mean that finds its bound.",
    established=_ESTABLISHED,
    parts=(_MANY_PEOPLE, few_people("auto_mean", 0.2 * ALPHA)),
)
