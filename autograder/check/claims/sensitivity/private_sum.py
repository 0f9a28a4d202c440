"""A private sum: values clipped to public bounds, and noise for what one person can move."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
import pandas as pd

from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.claims.laplace._nobody import ClaimWithNobody
from autograder.check.claims.sensitivity._clipped_values import structured, zeros_outside
from autograder.check.designed import each_edge
from autograder.check.mistakes import Mistake, mistakes_by, wrong_scales
from autograder.check.words import counted
from ville.distributions import gaussian, laplace


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return five settings: bounds above 0 as in [60, 70], from 0 on, below 0, and around 0.

    Both kinds of neighbors, epsilon well below 1 and well above. Of the values a few lie below the
    bounds and a few above.
    """
    for lower, upper, neighbors, epsilons in (
        ((55, 70), (6, 9), "add_remove", (6.0, 8.0)),
        ((55, 70), (6, 9), "replace_one", (0.2, 0.4)),
        ((-22, -18), (12, 14), "add_remove", (0.2, 0.4)),
        ((-9, -5), (30, 40), "add_remove", (5.0, 7.0)),
        ((-9, -5), (30, 40), "replace_one", (1.7, 3.0)),
    ):
        low = round(generator.uniform(*lower), 1)
        yield {
            "lower": low,
            "upper": round(low + generator.uniform(*upper), 1),
            "neighbors": neighbors,
            "epsilon": round(generator.uniform(*epsilons), 2),
            "below": int(generator.integers(3, 5)),
            "above": int(generator.integers(3, 5)),
            "inside": int(generator.integers(4, 7)),
            "seed": int(generator.integers(2**32)),
        }


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings whose values have structure, whose bounds are 0, and edges of epsilon."""
    base = {"neighbors": "add_remove", "epsilon": 6.0}
    for name, low, high, values in zeros_outside(generator):
        yield name, {**base, "lower": low, "upper": high, "values": values}
    for low, high in ((-4.5, 20.5), (0.0, 12.5), (-12.5, 0.0)):
        bounds = {**base, "lower": low, "upper": high}
        for name, values in structured(generator, low, high):
            neighbors = str(generator.choice(["add_remove", "replace_one"]))
            yield name, {**bounds, "values": values, "neighbors": neighbors}
    ordinary = {**base, "lower": -4.5, "upper": 20.5, "values": np.array([3.5, -90.0, 70.0, 12.0])}
    yield from each_edge(ordinary, generator, "epsilon")
    for low, high in ((0.0, 0.25), (0.0, 8_000.0), (-600.0, 0.0)):
        bounds = {"lower": low, "upper": high, "values": np.array([-9e4, 0.125, 9e4])}
        yield f"bounds {low} and {high}", {**ordinary, **bounds}
    many = generator.uniform(-6, 21, int(generator.integers(10_100, 10_400))).round(2)
    yield "more than 10,000 rows", {**ordinary, "values": many}


def _values(parameters: dict) -> np.ndarray:
    if "values" in parameters:
        return parameters["values"]
    return _drawn(
        *(parameters[name] for name in ("lower", "upper", "below", "above", "inside", "seed"))
    )


@lru_cache(maxsize=64)
def _drawn(lower, upper, below, above, inside, seed) -> np.ndarray:
    """Return the values of a setting: some below the bounds, some above, the others inside."""
    generator, width = np.random.default_rng(seed), upper - lower
    values = np.concatenate(
        [
            lower - width * generator.uniform(2.5, 3.5, below),
            upper + width * generator.uniform(5.0, 7.0, above),
            generator.uniform(lower, upper, inside),
        ]
    )
    return generator.permutation(values.round(1))


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    values = _values(parameters)
    keywords = {name: parameters[name] for name in ("lower", "upper", "epsilon")}
    if parameters["neighbors"] != "add_remove" or parameters["epsilon"] < 1:
        keywords["neighbors"] = parameters["neighbors"]
    index = np.arange(len(values)) // (2 if "values" in parameters else 1) + 100
    return (pd.Series(values, index=index, name="weight"),), keywords


def _width(parameters: dict) -> float:
    return parameters["upper"] - parameters["lower"]


def _farthest(parameters: dict) -> float:
    return max(abs(parameters["lower"]), abs(parameters["upper"]))


def _sensitivity(parameters: dict) -> float:
    return (_farthest if parameters["neighbors"] == "add_remove" else _width)(parameters)


def _scale(parameters: dict) -> float:
    return _sensitivity(parameters) / parameters["epsilon"]


def _exact(parameters: dict) -> float:
    return math.fsum(np.clip(_values(parameters), parameters["lower"], parameters["upper"]))


def _with_sensitivity(sensitivity: Callable[[dict], float]) -> Callable[[dict], Callable]:
    return lambda p: laplace(sensitivity(p) / p["epsilon"])


def _of_another_sum(total: Callable[[np.ndarray, dict], float]) -> Callable[[dict], Callable]:
    """Return the law of answers that add right noise to another sum."""
    return lambda p: laplace(_scale(p), total(_values(p), p) - _exact(p))


_ADDED = "by how much does a row with the value 70 move the sum when it is added? And replaced?"
_CLIPPED = "what happens to a value below `lower`, and to one above `upper`?"
_EPSILON = "does a larger epsilon mean more privacy or less, and so less noise or more?"
_MISTAKES = (
    *mistakes_by(
        _with_sensitivity,
        {
            "upper - lower is used for both kinds of neighbors": _width,
            # What is clipped reaches both bounds, and tells nothing of where the size is from.
            "the largest size, of a bound or of a value, is used for both kinds of neighbors": (
                _farthest,
                f"{_ADDED} And who may look at the largest value of the data?",
            ),
            "the two kinds of neighbors are exchanged": lambda p: (
                _width(p) + _farthest(p) - _sensitivity(p)
            ),
            "the upper bound is taken for the one of largest size": (
                lambda p: abs(p["upper"]) if p["neighbors"] == "add_remove" else _width(p),
                "which row moves the sum further when it is added: one at `lower`, or at `upper`?",
            ),
            "only the upper bound enters the sensitivity": (
                lambda p: abs(p["upper"]),
                "what does a row with the value -80 do to the sum?",
            ),
            "only the lower bound enters the sensitivity": (
                lambda p: abs(p["lower"]),
                "which row moves the sum furthest?",
            ),
            "the range of the data is used as the sensitivity": (
                lambda p: np.ptp(_values(p)),
                "who may look at the smallest and the largest value of the data?",
            ),
            "the largest value of the data is used as the sensitivity": (
                lambda p: np.abs(_values(p)).max(),
                "who may look at the largest value of the data?",
            ),
            "the sum is treated like a count": (
                lambda p: 1.0,
                "by how much does one row move a sum of its values?",
            ),
            "the sensitivity is that of a mean": (
                lambda p: _sensitivity(p) / len(_values(p)),
                "what is released, the sum or the mean?",
            ),
            "the number of rows multiplies the sensitivity": (
                lambda p: _sensitivity(p) * len(_values(p)),
                "how many rows can one person change?",
            ),
        },
        _ADDED,
    ),
    *mistakes_by(
        _of_another_sum,
        {
            "the values are not clipped": lambda values, p: values.sum(),
            "the values are clipped from above only": (
                lambda values, p: np.minimum(values, p["upper"]).sum(),
                "how far can a value of -1000 move your sum?",
            ),
            "the values are clipped from below only": (
                lambda values, p: np.maximum(values, p["lower"]).sum(),
                "how far can a value of 1000 move your sum?",
            ),
            "values outside the bounds are left out": lambda values, p: values[
                (values >= p["lower"]) & (values <= p["upper"])
            ].sum(),
            "values below `lower` count as 0": lambda values, p: np.where(
                values < p["lower"], 0, np.minimum(values, p["upper"])
            ).sum(),
            "the sum is clipped, not the values": (
                lambda values, p: np.clip(values.sum(), p["lower"], p["upper"]),
                "what is clipped: each value, or their sum?",
            ),
            "the mean is released, not the sum": (
                lambda values, p: np.clip(values, p["lower"], p["upper"]).mean(),
                "which of the two is asked for?",
            ),
            "the sum is missing": (lambda values, p: 0.0, "to what is the noise added?"),
        },
        _CLIPPED,
    ),
    Mistake(
        "every row gets noise of its own",
        lambda p: gaussian(math.sqrt(2 * len(_values(p))) * _scale(p)),
        "what is released, the rows or their sum? How often is noise needed?",
    ),
    *wrong_scales(
        laplace,
        {
            "epsilon is ignored": (_sensitivity, _EPSILON),
            "epsilon multiplies instead of divides": (
                lambda p: _sensitivity(p) * p["epsilon"],
                _EPSILON,
            ),
            "an epsilon above 1 counts as 1": lambda p: _sensitivity(p) / min(p["epsilon"], 1),
            "the noise is doubled": lambda p: 2 * _scale(p),
            "the noise is halved": lambda p: _scale(p) / 2,
        },
    ),
    *noise_mistakes(_scale, "sensitivity / epsilon"),
)

CLAIM = ClaimWithNobody(
    about=(
        'Check `private_sum(values, *, lower, upper, epsilon, neighbors="add_remove")`:\n'
        "the sum of the values, each clipped to [lower, upper], with Laplace noise."
    ),
    established="the clipped sum, with the noise that these neighbors ask for, independent draws",
    law_name="Laplace",
    parameters=_parameters,
    arguments=_arguments,
    exact=_exact,
    scale=_scale,
    law=laplace,
    mistakes=_MISTAKES,
    exponents={"epsilon": -1},
    designed=_designed,
    nobody=lambda p: {**p, "below": 0, "above": 0, "inside": 0},
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {p['neighbors']}, "
        f"{counted(len(_values(p)), 'value')} clipped to [{p['lower']:g}, {p['upper']:g}]"
    ),
)
