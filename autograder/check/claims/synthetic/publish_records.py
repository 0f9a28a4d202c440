"""Rows published one by one: the budget split over the attributes, noise of each row's own."""

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.claims.synthetic._published import (
    ROWS,
    ROWS_PAY,
    SPLIT,
    arguments,
    attributes,
    one_kind,
    parameters_of,
    read_numbers,
)
from autograder.check.claims.synthetic._published_order import ORDER
from autograder.check.claims.synthetic._published_words import (
    WORD_MISTAKES,
    right_words,
    word_places,
)
from autograder.check.judge import ALPHA
from autograder.check.mistakes import Mistake, mistakes_by, wrong_scales
from autograder.check.outcomes import OutcomeClaim
from autograder.check.several import SeveralClaims
from ville.distributions import clamped, laplace


def _by_entry(parameters: dict, of_column) -> np.ndarray:
    """Return one number for each published number, from its column's (lower, upper, values)."""
    pairs = zip(parameters["bounds"].values(), parameters["numbers"].values(), strict=True)
    return np.concatenate(
        [np.broadcast_to(of_column(low, up, np.array(values)), ROWS) for (low, up), values in pairs]
    )


def _exact(parameters: dict) -> np.ndarray:
    return _by_entry(parameters, lambda low, up, values: values.clip(low, up) / (up - low))


def _scale(parameters: dict) -> float:
    return attributes(parameters) / parameters["epsilon"]


def _scaled_by(of_column):
    """Return the laws when the width of a column's range is replaced by another number."""

    def laws(parameters: dict) -> list:
        factors = _by_entry(parameters, lambda low, up, v: of_column(low, up, v) / (up - low))
        return [laplace(_scale(parameters) * factor) for factor in factors.tolist()]

    return laws


def _clipped_by(clip):
    """Return the laws when a column's values are clipped as `clip(low, up, values)` does."""

    def laws(parameters: dict) -> list:
        raw = _by_entry(parameters, lambda low, up, values: clip(low, up, values) / (up - low))
        return [laplace(_scale(parameters), shift) for shift in (raw - _exact(parameters)).tolist()]

    return laws


def _clipped_after(parameters: dict) -> list:
    """Return the laws when the noisy number is clipped into the bounds."""
    ends = [
        _by_entry(parameters, lambda low, up, values, k=k: (low, up)[k] / (up - low))
        for k in (0, 1)
    ]
    exact, law = _exact(parameters), laplace(_scale(parameters))
    return [clamped(law, *pair) for pair in zip(ends[0] - exact, ends[1] - exact, strict=True)]


_RANGE = "how far can one person's number move, within its public range?"

_NUMBER_MISTAKES = (
    *wrong_scales(
        laplace,
        {
            "every attribute gets all of epsilon": lambda p: 1 / p["epsilon"],
            "epsilon is split over the numeric columns only": (
                lambda p: len(p["bounds"]) / p["epsilon"]
            ),
            "epsilon is split over all columns of the table": (
                lambda p: (attributes(p) + 2) / p["epsilon"],
                "which columns are published?",
            ),
            "epsilon is split over the rows, too": (lambda p: ROWS * _scale(p), ROWS_PAY),
            "epsilon is split over the rows, not over the attributes": (
                lambda p: ROWS / p["epsilon"],
                ROWS_PAY,
            ),
        },
        SPLIT,
    ),
    Mistake("the range is ignored", _scaled_by(lambda low, up, values: 1.0), _RANGE),
    Mistake(
        "upper is used as the width of the range", _scaled_by(lambda low, up, values: up), _RANGE
    ),
    Mistake(
        "the range is read off the data",
        _scaled_by(lambda low, up, values: values.max() - values.min()),
        "what does the scale of the noise tell about the tallest person?",
    ),
    *mistakes_by(
        _clipped_by,
        {
            "values out of bounds are not clipped": lambda low, up, values: values,
            "values below the range are not clipped": lambda low, up, values: values.clip(max=up),
            "values above the range are not clipped": lambda low, up, values: values.clip(min=low),
        },
        "how far can a person's number move if it need not lie in the range?",
    ),
    Mistake(
        "the noisy numbers are clipped",
        _clipped_after,
        "may a noisy number lie out of its range? And what does clipping do to its average?",
    ),
    *wrong_scales(
        laplace,
        {
            "the noise is doubled": (lambda p: 2 * _scale(p), _RANGE),
            "the noise is halved": (lambda p: _scale(p) / 2, _RANGE),
            "epsilon is ignored": lambda p: _scale(p) * p["epsilon"],
            "epsilon multiplies instead of divides": lambda p: _scale(p) * p["epsilon"] ** 2,
        },
    ),
    *noise_mistakes(_scale, "d * range / epsilon"),
)


def _situation(parameters: dict) -> str:
    return (
        f"{len(parameters['bounds'])} numeric and {len(parameters['categories'])} other columns, "
        f"epsilon {parameters['epsilon']}"
    )


def _of_numbers(parameters: dict) -> str:
    """Return a setting in words, for scales of noise over the width of the range."""
    return f"{_situation(parameters)}, numbers in units of upper - lower"


_SHARED = {
    "name": "publish_records",
    "parameters": parameters_of,
    "arguments": arguments,
    "level": ALPHA / 2,
}

CLAIM = SeveralClaims(
    name="publish_records",
    about=(
        "Check `publish_records(table, *, bounds=None, categories=None, epsilon)`: every row,\n"
        "with Laplace noise of scale d * (upper - lower) / epsilon on each number, and each of\n"
        "its categories kept or replaced with epsilon / d, for d attributes in all."
    ),
    established="numbers with Laplace noise, categories by randomized response, epsilon / d each",
    parts=(
        ORDER,
        AdditiveClaim(
            established="numbers",
            law_name="Laplace",
            read=read_numbers,
            exact=_exact,
            scale=_scale,
            law=laplace,
            mistakes=_NUMBER_MISTAKES,
            designed=one_kind("numbers"),
            situation=_of_numbers,
            **_SHARED,
        ),
        OutcomeClaim(
            established="categories",
            law=right_words,
            outcome=word_places,
            say=lambda outcome: f"category {outcome}",
            mistakes=WORD_MISTAKES,
            designed=one_kind("words"),
            situation=_situation,
            **_SHARED,
        ),
    ),
)
