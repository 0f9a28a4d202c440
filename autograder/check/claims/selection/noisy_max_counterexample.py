"""Break it: report noisy max with half of the noise, for scores that are not monotone."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, parts_of
from autograder.check.claims.selection._lists import (
    MARGIN,
    numbers_of,
    raise_unless_neighbors,
    short_of,
    whole_of,
)
from autograder.check.claims.selection._noise import Noise, winner_law
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

# The quadrature's error bound holds for so many candidates. So far apart, in units of the noise,
# the task lets scores lie; what lies much further below the best wins with probability below 1e-29,
# and counts as if it lay there. The winner may not: it has to win on both lists.
_MOST = 8
_WIDEST = 60.0
_CLAMP = 70.0


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return five values of epsilon, from strong privacy to weak, with sensitivities and sizes.

    No pair of lists fits them all: a sensitivity is far below another.
    """
    ranges = ((0.1, 0.3), (0.3, 0.7), (0.7, 1.2), (1.2, 3.0), (3.2, 4.5))
    sizes = [2, 3, *generator.integers(4, _MOST + 1, 3).tolist()]
    units = generator.permutation([0.03, 0.4, 1, 7, 60]) * generator.uniform(0.8, 1.2)
    return [
        {
            "epsilon": round(generator.uniform(*each), 3),
            "sensitivity": float(f"{unit:.2g}"),
            "size": int(size),
        }
        for each, unit, size in zip(ranges, units, generator.permutation(sizes), strict=True)
    ]


def _verify(p: dict, answer: Any) -> None:
    """Raise BadAnswer unless the answer is a counterexample at this epsilon."""
    epsilon, (scores, neighbor, place) = (
        p["epsilon"],
        parts_of(answer, "3 values", "scores, neighbor_scores, winner"),
    )
    size, unit = p["size"], p["sensitivity"]
    scores = _in_units(scores, "scores", size, unit)
    neighbor = _in_units(neighbor, "neighbor_scores", size, unit)
    raise_unless_neighbors(scores, neighbor, "scores", unit=unit)
    place = whole_of(place, "winner", size=len(scores))
    pair = np.array(scores), np.array(neighbor)
    behind = max((each.max() - each[place]) * epsilon for each in pair)
    if behind > _WIDEST + 2 * epsilon:
        raise BadAnswer(
            "this candidate wins too rarely to compute with",
            seen=f"it is {number(behind)} scales of the noise behind the best; the task allows "
            f"{_WIDEST:g}",
            ask="are there scores nearer to each other that show it?",
        )
    one, other = (law[place] for law in _laws(pair, epsilon))
    if math.log(one / other) <= epsilon + MARGIN:
        raise _another_candidate(pair, epsilon, place) or _not_enough(
            epsilon, one, other, pair[0] - pair[1]
        )


def _laws(pair: tuple[np.ndarray, np.ndarray], epsilon: float) -> list[np.ndarray]:
    """Return how likely each candidate wins, with either list."""
    near = [np.maximum(each - each.max(), -_CLAMP / epsilon) for each in pair]
    # All terms of the quadrature are positive, and its error is relative to the largest of them: a
    # rare winner's ratio is as exact as another's (test_laws_selection.py compares).
    return [winner_law(tuple(each), Noise(1 / epsilon)) for each in near]


def _another_candidate(
    pair: tuple[np.ndarray, np.ndarray], epsilon: float, place: int
) -> BadAnswer | None:
    """Return the words for lists that do refute the statement, by another candidate."""
    behind = np.max([each.max() - each for each in pair], axis=0) * epsilon
    one, other = _laws(pair, epsilon)
    shown = (np.log(one / other) > epsilon + MARGIN) & (behind <= _WIDEST)
    if not shown.any():
        return None
    return BadAnswer(
        "with these scores another candidate shows it",
        seen=f"you named candidate {place}, counted from 0; candidate {int(np.argmax(shown))} "
        "wins more than exp(epsilon) times as often",
        ask="whose wins does the change favor most, and is your index counted from 0?",
    )


def _in_units(given: Any, name: str, size: int, unit: float) -> list[float]:
    """Return a list of scores in units of the sensitivity, or raise BadAnswer."""
    return [each / unit for each in numbers_of(given, name, least=size, most=size)]


def _not_enough(epsilon: float, one: float, other: float, moves: np.ndarray) -> BadAnswer:
    """Return the words for an outcome whose ratio does not exceed exp(epsilon)."""
    seen = (
        f"it wins with probability {number(one)}, and {number(other)} on the neighbor: "
        f"{short_of(one / other, epsilon)}"
    )
    if math.log(other / one) > epsilon + MARGIN:
        problem = "the two tables are the wrong way round"
        ask = "on which table does this candidate win more often? That one comes first."
    elif np.all(moves >= 0) or np.all(moves <= 0):
        problem = "all scores that move do so in the same direction"
        ask = "for such scores the smaller noise is enough. Which change is worse for a gap?"
    elif one < other:
        problem = "this candidate wins more often on the neighbor"
        ask = "whose score must rise, and whose must fall, for a candidate to win more often?"
    elif math.exp(epsilon) * other >= 1:
        problem = "this candidate wins too often on the neighbor"
        ask = "may any probability be exp(epsilon) times as large as that one?"
    else:
        problem = "the gap between the scores does not change by enough"
        ask = "by how much can a gap change, if both its scores may move by the sensitivity?"
    return BadAnswer(problem, seen=seen, ask=ask)


CLAIM = CounterexampleClaim(
    about=(
        "Check `noisy_max_counterexample(epsilon, *, sensitivity, size)`: scores for which\n"
        "Lap(sensitivity / epsilon) leaks.\n\n"
        "The function returns (scores, neighbor_scores, winner): `size` scores each, on two\n"
        "neighbors, none moving by more than the sensitivity, and the index of a candidate that\n"
        "wins more than exp(epsilon) times as often with the first scores."
    ),
    established="this winner is likelier by more than exp(epsilon)",
    cases=_cases,
    arguments=lambda p: ((p["epsilon"],), {key: p[key] for key in ("sensitivity", "size")}),
    verify=_verify,
    situation=lambda p: (
        f"epsilon {p['epsilon']}, sensitivity {p['sensitivity']:g}, {p['size']} candidates"
    ),
)
