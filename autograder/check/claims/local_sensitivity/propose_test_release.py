"""Propose-test-release for a median: the right test, the right noise, or None."""

import math
from typing import Any

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.local_sensitivity._passing_mistakes import CLIPPED, PASSING_MISTAKES
from autograder.check.claims.local_sensitivity._rows import median_sensitivity
from autograder.check.claims.local_sensitivity._tested_release import (
    designed_parameters,
    draw_parameters,
    exact_median,
    one_draw_for_both,
    passing,
    releases,
    true_distance,
    true_threshold,
)
from autograder.check.mistakes import Mistake
from autograder.check.signature import taking
from ville.cells import laplace_edges
from ville.distributions import gaussian, laplace, uniform

# Where the cells of released numbers end; beyond lies the cell of those that are withheld.
_WITHHELD = 1e300


def _read(answer: Any, parameters: dict) -> float:
    """Return the released number; infinity for None, which says that the test failed."""
    if answer is None:
        return math.inf
    if isinstance(answer, float) and math.isnan(answer):
        raise BadAnswer(
            "the answer is not a number",
            seen="it returned nan",
            ask="what does the task say it returns when the test fails?",
        )
    return as_number(answer)


def _scale(p: dict) -> float:
    return p["bound"] / p["epsilon"]


def _ends(p: dict) -> tuple[float, float]:
    return p["lower"], p["upper"]


def _local(p: dict) -> float:
    return median_sensitivity(p["values"], 0, *_ends(p))


def _width(p: dict) -> float:
    return p["upper"] - p["lower"]


def _with_scale(scale):
    return releases(noise=lambda p: laplace(scale(p)))


def _zero_for_none(p: dict):
    law, share = releases()(p), passing()(p)
    return lambda x: law(x) + (1 - share) * (x >= -exact_median(p))


def _split(p: dict) -> float:
    return passing()({**p, "epsilon": p["epsilon"] / 2})


_EPSILONS = "test and release spend epsilon each: what does the whole cost, and what has each?"

_RELEASE_MISTAKES = (
    Mistake(
        "the noise of the release is that of the local sensitivity",
        _with_scale(lambda p: _local(p) / p["epsilon"]),
        "who sees the spread of your answers learns the local sensitivity: which number is public?",
    ),
    Mistake(
        "the noise of the release is that of the worst table",
        _with_scale(lambda p: _width(p) / p["epsilon"]),
        "what was the test for, if the noise does not get smaller?",
    ),
    Mistake(
        "epsilon is ignored in the release",
        _with_scale(lambda p: p["bound"]),
        "what should happen to the noise when less privacy may be lost?",
    ),
    Mistake(
        "epsilon multiplies in the release",
        _with_scale(lambda p: p["bound"] * p["epsilon"]),
        "does a larger epsilon mean more privacy or less?",
    ),
    Mistake(
        "the bound is ignored in the release",
        _with_scale(lambda p: 1 / p["epsilon"]),
        "by how much can one row move the median, if the test was right to pass?",
    ),
    Mistake("the release has half of epsilon", _with_scale(lambda p: 2 * _scale(p)), _EPSILONS),
    Mistake(
        "the noise of the release is half of what it must be",
        _with_scale(lambda p: _scale(p) / 2),
        "which scale do the bound and epsilon ask for? Which number has your code in their place?",
    ),
    Mistake(
        "epsilon is split between test and release",
        releases(_split, lambda p: laplace(2 * _scale(p))),
        _EPSILONS,
        "None comes back too often or too seldom, and the numbers spread twice as far",
    ),
    Mistake(
        "the release has no noise",
        releases(noise=lambda p: uniform(-1e-6, 1e-6)),
        "is the median of a well-behaved table no secret?",
        "the exact median comes back",
    ),
    Mistake(
        "one draw of noise serves the test and the release",
        one_draw_for_both,
        "a draw that passed the test is no longer centred: how many draws are needed?",
    ),
    Mistake(
        "the noise of the release is Gaussian",
        releases(noise=lambda p: gaussian(_scale(p))),
        "which law does a release by the Laplace mechanism follow?",
    ),
    Mistake(
        "the noise of the release is never negative",
        releases(noise=lambda p: lambda x: -np.expm1(-np.maximum(x, 0) / _scale(p))),
        "on which side of the exact answer may the noisy one lie?",
    ),
    Mistake(
        "the mean is released, not the median",
        releases(
            noise=lambda p: laplace(
                _scale(p), float(np.mean(np.clip(p["values"], *_ends(p)))) - exact_median(p)
            )
        ),
        "of which number was the sensitivity proposed?",
    ),
    Mistake(
        "the median is not clipped",
        releases(
            noise=lambda p: laplace(_scale(p), float(np.median(p["values"])) - exact_median(p))
        ),
        CLIPPED,
        "where the middle rows lie outside the domain, so do the answers",
    ),
    Mistake(
        "the median is missing",
        releases(noise=lambda p: laplace(_scale(p), -exact_median(p))),
        "to what is the noise added?",
    ),
    Mistake(
        "0 comes back when the test fails",
        _zero_for_none,
        "may a reader take 0 for a median? What does the task say comes back?",
        "0 came back, where None must",
    ),
)

CLAIM = AdditiveClaim(
    about=(
        "Check `propose_test_release(values, *, bound, lower, upper, epsilon, delta)`: the\n"
        "median with noise for the proposed bound if a private test passes, else None."
    ),
    established="passes as often as it must, the noise of the proposed bound, None otherwise",
    law_name="Laplace",
    parameters=draw_parameters,
    designed=designed_parameters,
    arguments=taking("values, *, bound, lower, upper, epsilon, delta", values=np.array),
    read=_read,
    exact=exact_median,
    scale=_scale,
    law_at=releases(),
    edges=lambda p: np.append(laplace_edges() * _scale(p), _WITHHELD),
    mistakes=(*PASSING_MISTAKES, *_RELEASE_MISTAKES),
    situation=lambda p: (
        f"{len(p['values'])} rows at distance {true_distance(p):.0f}, bound {p['bound']:.3g}, "
        f"epsilon {p['epsilon']}, delta {p['delta']:.3g} (threshold {true_threshold(p):.2f})"
    ),
)
