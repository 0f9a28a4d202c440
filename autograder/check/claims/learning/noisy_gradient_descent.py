"""Noisy gradient descent: rows' gradients clipped, added up, made noisy, divided by a noisy count.

Three claims on one answer. Where noise is negligible, theta must be that of clipped gradient
descent. Where gradients do not depend on theta, the law of theta is exact. And among few people
their true number must not come in where the noisy one is below 1.
"""

import math
from collections.abc import Iterator

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.learning._descent_noise import (
    NOISE_MISTAKES,
    deviation_of,
    exact_of,
    pull_of,
    right_law,
    scale_of,
)
from autograder.check.claims.learning._descent_path import PATH
from autograder.check.claims.learning._descent_people import PEOPLE
from autograder.check.claims.learning._training import labelled_rows, weights_of
from autograder.check.designed import at_edges
from autograder.check.judge import ALPHA
from autograder.check.several import SeveralClaims
from autograder.check.signature import taking
from ville.cells import gaussian_edges

# One round from theta = 0: along each column, and across all columns. The first has a small
# epsilon: where it is large, formulas for rho differ less. At the last nobody has anything in the
# column, so that the sum of the gradients is 0 there; in the others opposite rows cancel.
_ONE_ROUND = (
    ((1.0, 0.0, 0.0), (0.4, 0.6), (0.5, 0.8)),
    ((0.0, 1.0, 0.0), (0.7, 0.9), (5.0, 7.0)),
    ((0.0, 0.0, 1.0), (1.1, 1.6), (1.5, 2.5)),
    ((1.0, 1.0, 1.0), (2.0, 3.0), (5.0, 7.0)),
    ((0.0, 1.0, 0.0), (0.7, 0.9), (1.5, 2.5)),
)


_arguments = taking(
    "rows, labels, *, iterations, clipping_bound, epsilon, delta, learning_rate",
    rows=np.array,
    labels=lambda labels: np.array(labels, dtype=float),
)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return five settings of one round, and two of several with all gradients clipped."""
    for place, (direction, bounds, epsilons) in enumerate(_ONE_ROUND, start=1):
        people = int(generator.integers(60, 80)) * (3 if epsilons[0] < 1 else 1)
        rows, labels = labelled_rows(generator, people=people, columns=3, size=1.0)
        if place == len(_ONE_ROUND):
            half = [[first, 0.0, last] for first, _, last in rows[: people // 2]]
            rows, labels = 2 * half, [1] * len(half) + [-1] * len(half)
        yield _setting(generator, rows, labels, direction, 1, bounds, (0.5, 1.5), epsilons)
    for iterations, across in ((int(generator.integers(8, 24)), False), (3, True)):
        rows, labels, direction = _all_clipped(generator, across)
        yield _setting(generator, rows, labels, direction, iterations, (1.4, 1.9), (1e-6, 2e-6))


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return settings of one round with one number at an edge, and one of many rounds.

    Each has people enough for the law: their number is 12 deviations of its noise or more.
    """
    large, larger = sorted(at_edges("epsilon", generator, but=["below 0.05"]))
    (tiny,) = at_edges("delta", generator, but=["above 0.01"])
    little = round(generator.uniform(0.025, 0.045), 3)
    named = [
        (name, _at_edge(generator, people=people, columns=columns, **given))
        for name, people, columns, given in (
            (f"epsilon {large}", 30, 3, {"epsilon": large}),
            (f"epsilon {larger}", 30, 3, {"epsilon": larger}),
            (f"epsilon {little}", 2_000, 3, {"epsilon": little, "delta": 0.15}),
            ("a delta below 1e-9", 60, 3, {"delta": tiny}),
            ("few people", 5, 3, {"epsilon": larger}),
            ("one column, a large bound", 60, 1, {"clipping_bound": 150.0}),
            ("many columns", 60, 25, {}),
            ("a small bound", 60, 3, {"clipping_bound": 0.02}),
            ("learning_rate not given", 60, 3, {"learning_rate": 1.0}),
        )
    ]
    named[-1][1]["not_given"] = ["learning_rate"]
    return [*named, ("more than 100 iterations", _of_many_rounds(generator))]


def _of_many_rounds(generator: np.random.Generator) -> dict:
    rows, labels, direction = _all_clipped(generator, False)
    rounds = int(generator.integers(101, 130))
    return _setting(generator, rows, labels, direction, rounds, (1.4, 1.9), (1e-6, 2e-6))


def _at_edge(generator: np.random.Generator, *, people: int, columns: int, **given) -> dict:
    rows, labels = labelled_rows(generator, people=people, columns=columns, size=1.0)
    direction = [1.0] * columns
    setting = _setting(generator, rows, labels, direction, 1, (0.4, 0.9), (0.5, 1.5)) | given
    return setting | {"pull": pull_of(setting)}


def _setting(
    generator, rows, labels, direction, iterations, bounds, rates, epsilons=(5.0, 7.0)
) -> dict:
    setting = {
        "rows": rows,
        "labels": labels,
        "direction": (np.array(direction) / np.linalg.norm(direction)).tolist(),
        "iterations": iterations,
        "clipping_bound": round(generator.uniform(*bounds), 2),
        "epsilon": round(generator.uniform(*epsilons), 2),
        "delta": round(generator.uniform(0.02, 0.05), 4),
        "learning_rate": float(f"{generator.uniform(*rates):.2g}"),
    }
    return setting | {"pull": pull_of(setting)}


def _all_clipped(generator: np.random.Generator, across: bool) -> tuple[list, list, list]:
    """Return long rows that pull one way, their labels, and that direction or one across it.

    With a learning rate of 2e-6 theta stays below 1e-3, so a row's score is below 0.1 and its
    gradient at least 0.47 times as long as the row, 8 or more: above the bound, for any noise.
    """
    people = int(generator.integers(150, 180))
    way = np.array([1.0, 1.0, -1.0]) / math.sqrt(3)
    rows = way + generator.normal(size=(people, 3)) * 0.25
    rows *= generator.uniform(25, 40, size=(people, 1))
    labels = np.full(people, 1)
    labels[: people // 10] = -1
    # Along the way the noise of the count shows most; across it, that of the gradients.
    direction = np.array([2.0, -1.0, 1.0]) if across else way
    return np.round(rows, 2).tolist(), labels.tolist(), direction.tolist()


def _read(answer, p: dict) -> float:
    """Return theta along the direction, in units of the noise in one round's sum of gradients."""
    theta = weights_of(answer, len(p["rows"][0]))
    unit = p["learning_rate"] * math.sqrt(p["iterations"]) / len(p["labels"])
    return float(theta @ p["direction"]) / unit


def _situation(p: dict) -> str:
    noise = deviation_of(p) * p["clipping_bound"]
    return (
        f"{len(p['labels'])} rows, iterations {p['iterations']}, "
        f"clipping_bound {p['clipping_bound']}, epsilon {p['epsilon']:g}, delta {p['delta']}, "
        f"learning_rate {p['learning_rate']}; "
        "theta along one direction, in units in which independent noise of all rounds together has "
        f"a deviation of {noise:.3g}"
    )


_NOISE = AdditiveClaim(
    name=PATH.name,
    established="Gaussian noise on each sum and on the count, at the right price",
    law_name="Gaussian",
    parameters=_parameters,
    designed=_designed,
    edge_work=0.04,
    arguments=_arguments,
    exact=exact_of,
    scale=scale_of,
    law_at=right_law,
    edges=lambda p: gaussian_edges() * scale_of(p),
    looks_like=lambda noise: float(np.sqrt(np.mean(noise**2))),
    mistakes=NOISE_MISTAKES,
    read=_read,
    situation=_situation,
    level=ALPHA - PEOPLE.level,
)


CLAIM = SeveralClaims(
    name=PATH.name,
    about=(
        "Check `noisy_gradient_descent(X, y, *, iterations, clipping_bound, epsilon, delta,\n"
        "learning_rate)`: gradients clipped row by row, Gaussian noise on each sum and on the\n"
        "count, one budget shared evenly by all of them."
    ),
    established="gradients clipped row by row, and Gaussian noise whose rhos add up to the budget",
    parts=(PATH, _NOISE, PEOPLE),
)
