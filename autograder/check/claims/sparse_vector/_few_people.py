"""The automatic mean of a few people, whose noisy count often falls below 1.

The task leaves two things open: a count below 1 may be taken for 1, and a mean outside [0, b] may
be moved to the nearer end. So right answers have one of four laws. Whoever puts the true number of
people in the place of a low count follows none of them.
"""

from collections.abc import Callable, Iterator

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.sensitivity._ratio_law import NoisyRatio
from autograder.check.mistakes import Mistake
from autograder.check.several import EitherClaim
from autograder.check.signature import taking
from ville.cells import LEVELS
from ville.distributions import Distribution as Law
from ville.distributions import clamped

_LEAST_CELL = 1e-4
_INSIDE = np.linspace(0, 1, 22)[1:-1]
_PLACES = np.geomspace(1e-4, 1e5, 4000)
_PLACES = np.concatenate([-_PLACES[::-1], _PLACES])


def few_people(name: str, level: float) -> EitherClaim:
    """Return the claim that a mean of few people follows one of the four laws."""
    ways = [(1.0, True), (1.0, False), (None, True), (None, False)]
    return EitherClaim(ways=[_way(name, level, least, moved) for least, moved in ways])


def _way(name: str, level: float, least: float | None, moved: bool) -> AdditiveClaim:
    """Return the claim for answers that take `least` for lower counts, `moved` into [0, b]."""

    return AdditiveClaim(
        name=name,
        law_name="noisy mean's",
        established="few people get a noisy count, too",
        parameters=_parameters,
        arguments=taking("values, *, candidates, epsilon", values=np.array, candidates=list),
        exact=lambda p: p["middle"],
        scale=lambda p: p["candidates"][0],
        law_at=lambda p: _law(p, least, moved=moved),
        edges=_edges_inside if moved else lambda p: _edges(p, least),
        ends=lambda p: (0.0, *p["candidates"]) if moved else (),
        mistakes=_mistakes(least, moved),
        situation=lambda p: (
            f"{len(p['values'])} values, the only candidate is {p['candidates'][0]:g}, "
            f"epsilon {p['epsilon']:g}"
        ),
        level=level,
    )


def _mistakes(least: float | None, moved: bool) -> tuple[Mistake, ...]:
    """Return what else may become of a low count; the means then stay, or are moved."""

    def with_sign_lost(p: dict) -> Law:
        return _law(p, least, moved=moved, below=NoisyRatio.below_without_sign)

    def drawn_again(p: dict) -> Law:
        return _law(p, least, moved=moved, below=NoisyRatio.below_if_drawn_again)

    def of_true_number(p: dict) -> Law:
        return _law(p, least or 0.0, moved=moved, instead=float(len(p["values"])))

    return (
        Mistake(
            "the true number of people takes its place where the noisy count is low",
            of_true_number,
            "who may know how many people there are? What else could a count below 1 become?",
        ),
        Mistake(
            "a negative noisy count becomes positive",
            with_sign_lost,
            "what stands below the fraction where the noisy count is -3?",
        ),
        Mistake(
            "a noisy count that is low is drawn again",
            drawn_again,
            "whoever draws until a count is large enough tells how large the true one is: what "
            "else could a low count become?",
        ),
    )


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return three tables with one candidate, which is always the bound.

    Of the first no count falls below 1, and no mean leaves [0, b]: with probability below 1e-10.
    """
    for people, epsilons in ((400, (0.9, 1.2)), (5, (0.45, 0.6)), (8, (0.2, 0.3))):
        bound = round(generator.uniform(3, 9), 1)
        values = np.round(bound * generator.uniform(0.6, 0.8, people), 2)
        yield {
            "values": values.tolist(),
            "candidates": [bound],
            "epsilon": round(generator.uniform(*epsilons), 2),
            "middle": float(values.mean()),
        }


def _law(
    p: dict,
    least: float | None,
    *,
    moved: bool,
    instead: float | None = None,
    below: Callable = NoisyRatio.below,
) -> Law:
    """Return the law of (answer - exact mean); `below` gives the ratio's law."""
    bound, scale = p["candidates"][0], 3 / p["epsilon"]
    ratio = NoisyRatio(
        total=sum(p["values"]),
        total_scale=scale * bound,
        count=len(p["values"]),
        count_scale=scale,
        least=least,
        instead=instead,
    )

    def law(noise: np.ndarray) -> np.ndarray:
        return below(ratio, p["middle"] + np.asarray(noise, dtype=float))

    return clamped(law, -p["middle"], bound - p["middle"]) if moved else law


def _edges(p: dict, least: float | None) -> np.ndarray:
    """Return quantiles of the law, but none at an end of [0, b], where wrong answers pile up."""
    places = p["candidates"][0] * _PLACES
    levels = np.maximum.accumulate(_law(p, least, moved=False)(places))
    return np.unique(np.interp(LEVELS, levels, places))


def _edges_inside(p: dict) -> np.ndarray:
    """Return places inside (0, b), on either side of which a mean moved to an end stays.

    None that would leave a cell all but empty.
    """
    places = p["candidates"][0] * np.concatenate([[1e-6], _INSIDE, [1 - 1e-6]]) - p["middle"]
    return with_filled_cells(places, _law(p, 1.0, moved=True))


def with_filled_cells(places: np.ndarray, law: Law) -> np.ndarray:
    """Return the ascending places without those that would leave a cell all but empty."""
    kept, last = [], 0.0
    for place, level in zip(places, law(places), strict=True):
        if min(level - last, 1 - level) >= _LEAST_CELL:
            kept.append(place)
            last = level
    return np.array(kept)
