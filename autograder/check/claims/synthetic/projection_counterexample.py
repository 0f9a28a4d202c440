"""Break it: "principal components, then noise for each row's own change" is not private."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.synthetic._matrices import as_array
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number, numbers_apart

_MOST_ROWS = 10_000
# Rows may be this much longer than the radius, for rounding.
_LENGTH = 1e-9
# The two largest eigenvalues must differ by this share of the largest: an eigenvector is then
# known to about 1e-16 / 1e-4, far better than the margin asked for below.
_GAP = 1e-4
_MARGIN = 1e-6


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six cases: from a loss that is a little too large to one that is absurd."""
    factors = ((1.5, 2.5), (2.5, 4.0), (4.0, 7.0), (7.0, 12.0), (12.0, 25.0), (25.0, 60.0))
    return [
        {
            "radius": round(generator.uniform(0.5, 5.0), 2),
            "epsilon": round(generator.uniform(0.2, 2.0), 2),
            "factor": round(generator.uniform(*each), 1),
        }
        for each in factors
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    radius, epsilon = parameters["radius"], parameters["epsilon"]
    return (), {"radius": radius, "epsilon": epsilon, "loss": _wanted(parameters)}


def _wanted(parameters: dict) -> float:
    return round(parameters["factor"] * parameters["epsilon"], 6)


def _main_direction(rows: np.ndarray) -> np.ndarray:
    """Return the eigenvector of the largest eigenvalue of the sum of x times its transpose."""
    values, vectors = np.linalg.eigh(rows.T @ rows)
    if len(values) > 1 and values[-1] - values[-2] < _GAP * values[-1]:
        raise BadAnswer(
            "a table has no single main direction",
            seen=f"the two largest eigenvalues are {number(values[-1])} and {number(values[-2])}",
            ask="can one more row break the tie?",
        )
    return vectors[:, -1]


def privacy_loss(rows: np.ndarray, neighbor: np.ndarray, *, radius, epsilon) -> float:
    """Return the largest log ratio of the two releases' densities, for the kinder choice of signs.

    Each projection gets Laplace noise of scale 2 * radius / epsilon, so the log ratio reaches the
    L1 distance of the projections over that scale (Dwork & Roth 2014, theorem 3.6). The sign of a
    main direction is nobody's choice: the smaller of the two distances counts.
    """
    one, other = rows @ _main_direction(rows), neighbor @ _main_direction(neighbor)
    distance = min(np.abs(one - other).sum(), np.abs(one + other).sum())
    return float(distance * epsilon / (2 * radius))


def _read(answer: Any, parameters: dict) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(answer, tuple | list | np.ndarray) or len(answer) != 2:
        raise BadAnswer(
            "two tables are wanted: rows, neighbor_rows",
            seen="it returned nothing" if answer is None else f"it returned {_short(answer)}",
            ask="does your function end in `return rows, neighbor_rows`?",
        )
    rows, neighbor = (as_array(each, 2, "table of numbers") for each in answer)
    if rows.shape != neighbor.shape:
        raise BadAnswer(
            "the two tables are not neighbors",
            seen=f"they have the shapes {rows.shape} and {neighbor.shape}",
            ask="the neighbors are replace_one: what do two such tables have in common?",
        )
    return rows, neighbor


def _short(answer: Any) -> str:
    return f"{len(answer)} values" if hasattr(answer, "__len__") else f"a {type(answer).__name__}"


def _verify(parameters: dict, tables: tuple[np.ndarray, np.ndarray]) -> None:
    """Raise BadAnswer unless the two tables are neighbors that the release tells apart."""
    rows, neighbor = tables
    _raise_unless_neighbors(rows, neighbor)
    _raise_unless_inside(np.concatenate([rows, neighbor]), parameters["radius"])
    loss = privacy_loss(rows, neighbor, radius=parameters["radius"], epsilon=parameters["epsilon"])
    if loss < _wanted(parameters) * (1 + _MARGIN):
        raise _short_rows(tables, loss, parameters) or _not_enough(loss, parameters)


def _raise_unless_neighbors(rows: np.ndarray, neighbor: np.ndarray) -> None:
    changed = int((rows != neighbor).any(axis=1).sum())
    if changed != 1:
        raise BadAnswer(
            "the two tables are not neighbors",
            seen=f"they differ in {changed} rows, in one they may",
            ask="the neighbors are replace_one: how many people are changed?",
        )
    if len(rows) > _MOST_ROWS:
        raise BadAnswer(
            "the tables have too many rows",
            seen=f"they have {len(rows):,} rows, at most {_MOST_ROWS:,} are allowed",
            ask="how far does each row move when the main direction turns?",
        )


def _raise_unless_inside(rows: np.ndarray, radius: float) -> None:
    longest = float(np.linalg.norm(rows, axis=1).max())
    if longest > radius * (1 + _LENGTH):
        raise BadAnswer(
            "a row is longer than the radius",
            seen=f"the longest row has length {number(longest)}, the radius is {number(radius)}",
            ask="the rows are clipped before the projection: how long may they be?",
        )


def _short_rows(tables: tuple, loss: float, parameters: dict) -> BadAnswer | None:
    """Return the words for tables that would do if their rows were as long as they may be."""
    longest = float(np.linalg.norm(np.concatenate(tables), axis=1).max())
    # The loss grows with the rows; no main direction turns.
    enough = _wanted(parameters) * (1 + _MARGIN)
    if not 0 < loss < enough <= loss * parameters["radius"] / longest:
        return None
    return BadAnswer(
        "the rows are shorter than the radius: the loss is too small for that alone",
        seen=f"no row is longer than {number(longest)}, and {number(parameters['radius'])} is "
        f"allowed; the loss is {number(loss)}, {number(_wanted(parameters))} is asked for",
        ask="what does the length of the rows do to the loss?",
    )


def _not_enough(loss: float, parameters: dict) -> BadAnswer:
    if loss <= parameters["epsilon"] * (1 + _MARGIN):
        problem = "the release keeps its promise on these tables"
        ask = "how many rows move when one changed row turns the main direction?"
    else:
        problem = "the loss is above epsilon, but not as large as is asked for"
        ask = "what happens to the loss when more rows turn with the main direction?"
    came, wanted = numbers_apart(loss, _wanted(parameters))
    return BadAnswer(
        problem,
        seen=f"the loss on these tables is {came}, more than {wanted} is asked for, and "
        f"{number(parameters['epsilon'])} is promised",
        ask=ask,
    )


CLAIM = CounterexampleClaim(
    about=(
        "Check `projection_counterexample(*, radius, epsilon, loss)`: two neighboring tables.\n\n"
        "The function returns (rows, neighbor_rows), arrays of shape (n, d) that differ in one\n"
        "row, no row longer than radius. Both are projected on their own main direction; every\n"
        "projection gets Laplace noise of scale 2 * radius / epsilon. The true privacy loss must\n"
        "exceed `loss` by a millionth of it, whichever signs the two directions have."
    ),
    established="one changed row turns the direction of all: the loss is larger than asked for",
    cases=_cases,
    arguments=_arguments,
    read=_read,
    verify=_verify,
    situation=lambda p: f"radius {p['radius']}, epsilon {p['epsilon']}, loss {_wanted(p)}",
)
