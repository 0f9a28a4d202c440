"""A private second-moment matrix: rows shortened to a radius, and Laplace noise on the triangle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.check.additive import AdditiveClaim, Mistake
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.claims.synthetic._matrices import as_matrix
from autograder.check.door import BadAnswer
from autograder.check.mistakes import wrong_scales
from ville.distributions import laplace, laplace_average, laplace_sum

__all__ = ["CLAIM"]


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return four settings: two or three columns, both neighbors, epsilon small and large.

    One row is much longer than the radius, one is a little shorter, and the radius is not near 1.
    """
    settings = []
    for size, neighbors, epsilons in (
        (2, "add_remove", (0.3, 0.6)),
        (3, "replace_one", (0.3, 0.6)),
        (3, "add_remove", (2.0, 4.0)),
        (2, "replace_one", (2.0, 4.0)),
    ):
        radius = round(generator.uniform(2.2, 3.5), 2)
        rows = generator.normal(size=(int(generator.integers(5, 8)), size)) + 0.4
        lengths = np.linalg.norm(rows, axis=1)
        wanted = radius * generator.uniform(0.4, 0.95, len(rows))
        wanted[:2] = radius * np.array([4.0, 2.5])
        rows *= (wanted / lengths)[:, None]
        settings.append(
            {
                "rows": np.round(rows, 3).tolist(),
                "radius": radius,
                "neighbors": neighbors,
                "epsilon": round(generator.uniform(*epsilons), 2),
            }
        )
    return settings


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("radius", "epsilon")}
    if parameters["neighbors"] != "add_remove":
        keywords["neighbors"] = parameters["neighbors"]
    return (np.array(parameters["rows"]),), keywords


def _columns(parameters: dict) -> int:
    return len(parameters["rows"][0])


def _triangle(matrix: np.ndarray) -> np.ndarray:
    return matrix[np.triu_indices(len(matrix))]


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return the diagonal and what is above it, row by row."""
    matrix = as_matrix(answer, _columns(parameters))
    if np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max():
        raise BadAnswer(
            "the matrix is not symmetric",
            seen=f"entry 0, 1 is {matrix[0, 1]:.4g} and entry 1, 0 is {matrix[1, 0]:.4g}",
            ask="entry (i, j) and entry (j, i) are one number: how many draws does it need?",
        )
    return _triangle(matrix)


def _moments(rows: np.ndarray) -> np.ndarray:
    return _triangle(rows.T @ rows)


def _clipped(parameters: dict) -> np.ndarray:
    return _shortened(np.array(parameters["rows"]), parameters["radius"])


def _exact(parameters: dict) -> np.ndarray:
    return _moments(_clipped(parameters))


def _sensitivity(size: int, radius: float, neighbors: str) -> float:
    """Return how far one row moves the triangle in L1.

    Adding x: (|x|_1**2 + |x|_2**2) / 2 <= (d + 1) R**2 / 2. Replacing a row: the triangle of a
    symmetric matrix of Frobenius norm sqrt(2) R**2 sums to sqrt(d (d + 3)) / 2 times that at most.
    """
    if neighbors == "add_remove":
        return (size + 1) / 2 * radius**2
    return math.sqrt(size * (size + 3) / 2) * radius**2


def _scale(parameters: dict) -> float:
    given = _columns(parameters), parameters["radius"], parameters["neighbors"]
    return _sensitivity(*given) / parameters["epsilon"]


def _scale_with(neighbors: str):
    return lambda p: _sensitivity(_columns(p), p["radius"], neighbors) / p["epsilon"]


def _moved(rows_of):
    """Return the laws when the matrix is that of other rows."""
    return lambda p: [
        laplace(_scale(p), shift)
        for shift in (_moments(rows_of(np.array(p["rows"]), p["radius"])) - _exact(p)).tolist()
    ]


def _of_the_diagonal(on, beside):
    """Return the laws when the noise on the diagonal is not that beside it."""

    def laws(parameters: dict) -> list:
        size, scale = _columns(parameters), _scale(parameters)
        rows, columns = np.triu_indices(size)
        return [on(scale) if i == j else beside(scale) for i, j in zip(rows, columns, strict=True)]

    return laws


def _unit_length(rows: np.ndarray, radius: float) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) * radius


def _kept_inside(rows: np.ndarray, radius: float) -> np.ndarray:
    return rows * (np.linalg.norm(rows, axis=1, keepdims=True) <= radius)


def _l1_clipped(rows: np.ndarray, radius: float) -> np.ndarray:
    return rows * np.minimum(1, radius / np.abs(rows).sum(axis=1, keepdims=True))


def _shortened(rows: np.ndarray, radius: float) -> np.ndarray:
    return rows * np.minimum(1, radius / np.linalg.norm(rows, axis=1, keepdims=True))


def _centred(rows: np.ndarray, radius: float) -> np.ndarray:
    clipped = _shortened(rows, radius)
    return clipped - clipped.mean(axis=0)


_CLIP = "how long may a row be, in the L2 norm, and what happens to a longer one?"
_SENSITIVITY = "which entries of the triangle does one row move, and by how much together?"
_TRIANGLE = "entry (i, j) and entry (j, i) are one number: how many draws does it need?"
_EPSILON = "does a larger epsilon mean more privacy or less?"

_MISTAKES = (
    Mistake("the rows are not shortened", _moved(lambda rows, radius: rows), _CLIP),
    Mistake(
        "every entry of a row is clipped on its own",
        _moved(lambda rows, radius: rows.clip(-radius, radius)),
        "how long is the row (R, R) when each entry is within R?",
    ),
    Mistake("the rows are shortened in the L1 norm", _moved(_l1_clipped), _CLIP),
    Mistake(
        "short rows are made longer",
        _moved(_unit_length),
        "what should happen to a row that is shorter than the radius?",
    ),
    Mistake("long rows are dropped, not shortened", _moved(_kept_inside), _CLIP),
    Mistake(
        "the rows are centred by their own mean",
        _moved(_centred),
        "how many people does the mean of all rows depend on?",
    ),
    Mistake(
        "the matrix is divided by the number of rows",
        _moved(lambda rows, radius: _shortened(rows, radius) / math.sqrt(len(rows))),
        "under add_remove the number of rows is private: is a sum asked for, or a mean?",
    ),
    *wrong_scales(
        laplace,
        {
            "replace_one is treated as add_remove": _scale_with("add_remove"),
            "add_remove is treated as replace_one": _scale_with("replace_one"),
            "the L2 sensitivity is used": (
                lambda p: p["radius"] ** 2 / p["epsilon"],
                "one row moves many entries: what is the sum of how far it moves them?",
            ),
            "the radius is not squared": (
                lambda p: _scale(p) / p["radius"],
                "an entry is a product of two numbers: in which units is it?",
            ),
            "the sensitivity is ignored": lambda p: 1 / p["epsilon"],
            "epsilon is ignored": (lambda p: _scale(p) * p["epsilon"], _EPSILON),
            "epsilon multiplies instead of divides": (
                lambda p: _scale(p) * p["epsilon"] ** 2,
                "does a larger epsilon mean more privacy or less?",
            ),
            "each entry of the triangle is paid with all it can move by": (
                lambda p: _columns(p) * (_columns(p) + 1) / 2 * p["radius"] ** 2 / p["epsilon"],
                "can one row move every entry by R**2 at once?",
            ),
        },
        _SENSITIVITY,
    ),
    Mistake(
        "two draws are averaged beside the diagonal",
        _of_the_diagonal(laplace, laplace_average),
        _TRIANGLE,
    ),
    Mistake(
        "the noise is added to its own transpose",
        _of_the_diagonal(lambda scale: laplace(2 * scale), laplace_sum),
        _TRIANGLE,
    ),
    Mistake(
        "the noise on the diagonal is doubled",
        _of_the_diagonal(lambda scale: laplace(2 * scale), laplace),
        "how often does your code add the diagonal of the noise?",
    ),
    Mistake(
        "the diagonal gets no noise",
        _of_the_diagonal(lambda scale: laplace(1e-9 * scale), laplace),
        "what does a sum of squares tell about one person?",
    ),
    *wrong_scales(
        laplace,
        {
            "the noise is doubled": (lambda p: 2 * _scale(p), _SENSITIVITY),
            "the noise is halved": (lambda p: _scale(p) / 2, _SENSITIVITY),
        },
    ),
    *noise_mistakes(_scale, "sensitivity / epsilon"),
)


CLAIM = AdditiveClaim(
    name="private_covariance",
    about=(
        'Check `private_covariance(rows, *, radius, epsilon, neighbors="add_remove")`: the sum of\n'
        "x times its transpose, with Laplace noise. Nothing is asked about rho."
    ),
    established="rows shortened to the radius, Laplace noise on the triangle, symmetric",
    law_name="Laplace",
    parameters=_parameters,
    arguments=_arguments,
    read=_read,
    exact=_exact,
    scale=_scale,
    law=laplace,
    looks_like=lambda noise: float(np.mean(np.abs(noise))),
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"{_columns(p)} columns, radius {p['radius']}, epsilon {p['epsilon']}, {p['neighbors']}"
    ),
)
