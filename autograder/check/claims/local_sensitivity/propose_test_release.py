"""Propose-test-release for a median: the right test, the right noise, or None."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.check.additive import AdditiveClaim, Mistake
from autograder.check.claims.local_sensitivity._rows import (
    median_sensitivity,
    outermost_sensitivity,
    tables_away,
)
from autograder.check.claims.local_sensitivity._tested_release import (
    draw_parameters,
    exact_median,
    one_draw_for_both,
    passing,
    releases,
    true_distance,
    true_threshold,
)
from autograder.check.door import BadAnswer, as_number
from ville.cells import laplace_edges
from ville.distributions import gaussian, laplace, uniform

__all__ = ["CLAIM"]

# Where the cells of released numbers end; beyond lies the cell of those that are withheld.
_WITHHELD = 1e300


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    names = ("bound", "lower", "upper", "epsilon", "delta")
    return (np.array(parameters["values"]),), {name: parameters[name] for name in names}


def _read(answer: Any, parameters: dict) -> float:
    """Return the released number; infinity for None, which says that the test failed."""
    if answer is None:
        return math.inf
    if isinstance(answer, float) and math.isnan(answer):
        raise BadAnswer(
            "the answer is not a number",
            seen="it returned nan",
            ask="what does the docstring say it returns when the test fails?",
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


def _with_threshold(threshold):
    return releases(passing(threshold=threshold))


def _with_distance(distance):
    return releases(passing(distance))


def _not_halved(p: dict) -> float:
    """Return the distance as if a middle row moved the median by its own move."""
    share = 1 if len(p["values"]) % 2 else 2
    return tables_away(p["values"], p["bound"] / share, *_ends(p))


def _by_the_outermost(p: dict) -> float:
    return tables_away(p["values"], p["bound"], *_ends(p), outermost_sensitivity)


def _at_the_bound(p: dict) -> float:
    """Return the distance as if a sensitivity equal to the bound were above it."""
    return tables_away(p["values"], math.nextafter(p["bound"], 0), *_ends(p))


def _of_unclipped_rows(p: dict) -> float:
    """Return the distance as if the domain held all rows."""
    low, high = min(p["lower"], *p["values"]), max(p["upper"], *p["values"])
    return tables_away(p["values"], p["bound"], low, high)


def _with_scale(scale):
    return releases(noise=lambda p: laplace(scale(p)))


def _zero_for_none(p: dict):
    law, share = releases()(p), passing()(p)
    return lambda x: law(x) + (1 - share) * (x >= -exact_median(p))


def _split(p: dict) -> float:
    return passing()({**p, "epsilon": p["epsilon"] / 2})


_NONE = "None comes back too often or too rarely"
_TAIL = "which number does Laplace noise of scale 1 / epsilon exceed with probability delta?"
_EPSILONS = "test and release spend epsilon each: what does the whole cost, and what has each?"
_WASTE = (
    "your promise holds, and None comes more often than it must: does the noise alone exceed your "
    "threshold with probability delta, or with less?"
)
_GAPS = "which rows may stand on the two sides of the gap beside the median?"
_CLIPPED = "what happens to a row outside the domain, before anything else?"

_TEST_MISTAKES = (
    Mistake(
        "the threshold is ln(2/delta) / (2*epsilon)",
        _with_threshold(lambda p: math.log(2 / p["delta"]) / (2 * p["epsilon"])),
        "at distance 0 the test must pass with probability delta: how often does yours?",
        _NONE,
    ),
    Mistake(
        "the threshold ln(1/delta) / epsilon is private, and wasteful",
        _with_threshold(lambda p: math.log(1 / p["delta"]) / p["epsilon"]),
        _WASTE,
        _NONE,
    ),
    Mistake(
        "the threshold ln(2/delta) / epsilon is private, and wasteful",
        _with_threshold(lambda p: math.log(2 / p["delta"]) / p["epsilon"]),
        _WASTE,
        _NONE,
    ),
    Mistake(
        "the threshold is ln(1/(2*delta)) without epsilon",
        _with_threshold(lambda p: math.log(1 / (2 * p["delta"]))),
        _TAIL,
        _NONE,
    ),
    Mistake(
        "the test has no noise",
        releases(lambda p: float(true_distance(p) > true_threshold(p))),
        "the distance is a number about the data: may the test look at it without noise?",
        "at these rows either None or a number comes every time",
    ),
    Mistake(
        "there is no test",
        releases(lambda p: 1.0),
        "what happens to the guarantee if the proposed bound is too small?",
        "None never comes back",
    ),
    Mistake(
        "it never releases",
        releases(lambda p: 0.0),
        "on which side of the threshold is a distance that is large enough?",
        "None comes back every time",
    ),
    Mistake(
        "the test is upside down",
        releases(lambda p: 1 - passing()(p)),
        "is a table far from high sensitivity a good one to release, or a bad one?",
        _NONE,
    ),
    Mistake(
        "the noise of the test has scale 1",
        releases(passing(scale=lambda p: 1.0)),
        "the distance has sensitivity 1: which scale does epsilon ask for?",
        _NONE,
    ),
    Mistake(
        "the noise of the test is doubled",
        releases(passing(scale=lambda p: 2 / p["epsilon"])),
        "one row moves the distance by how much? And how much epsilon has the test?",
        _NONE,
    ),
    Mistake(
        "the noise of the test has scale bound / epsilon",
        releases(passing(scale=_scale)),
        "what is the sensitivity of the distance?",
        _NONE,
    ),
    Mistake(
        "the distance is one too large",
        _with_distance(lambda p: true_distance(p) + 1),
        _GAPS,
        _NONE,
    ),
    Mistake(
        "the distance is one too small",
        _with_distance(lambda p: true_distance(p) - 1),
        _GAPS,
        _NONE,
    ),
    Mistake(
        "a local sensitivity equal to the bound counts as above it",
        _with_distance(_at_the_bound),
        "is noise for the bound too little where the local sensitivity equals the bound?",
        "None comes back too often where tables reach the bound exactly",
    ),
    Mistake("only the outermost two gaps are looked at", _with_distance(_by_the_outermost), _GAPS),
    Mistake(
        "the half for an even number of rows is missing",
        _with_distance(_not_halved),
        "the median of an even number of rows is a mean of two: how many of the two move?",
        _NONE,
    ),
    Mistake(
        "the distance is that of the rows unclipped",
        _with_distance(_of_unclipped_rows),
        _CLIPPED,
        _NONE,
    ),
    Mistake(
        "the test passes too often",
        _with_threshold(lambda p: true_threshold(p) - 0.47 / p["epsilon"]),
        _TAIL,
        "None comes back too seldom",
    ),
    Mistake(
        "the test passes too seldom",
        _with_threshold(lambda p: true_threshold(p) + 0.47 / p["epsilon"]),
        _TAIL,
        "None comes back too often",
    ),
)

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
    Mistake("the release has twice epsilon", _with_scale(lambda p: _scale(p) / 2), _EPSILONS),
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
        _CLIPPED,
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
        "may a reader take 0 for a median? What does the docstring say comes back?",
        "0 came back, where None must",
    ),
)

CLAIM = AdditiveClaim(
    name="propose_test_release",
    about=(
        "Check `propose_test_release(values, *, bound, lower, upper, epsilon, delta)`: the\n"
        "median with noise for the proposed bound if a private test passes, else None."
    ),
    established="passes as often as it must, the noise of the proposed bound, None otherwise",
    law_name="Laplace",
    parameters=draw_parameters,
    arguments=_arguments,
    read=_read,
    exact=exact_median,
    scale=_scale,
    law_at=releases(),
    edges=lambda p: np.append(laplace_edges() * _scale(p), _WITHHELD),
    looks_like=lambda noise: float(np.mean(np.abs(noise))),
    mistakes=(*_TEST_MISTAKES, *_RELEASE_MISTAKES),
    situation=lambda p: (
        f"{len(p['values'])} rows at distance {true_distance(p):.0f}, bound {p['bound']:.3g}, "
        f"epsilon {p['epsilon']}, delta {p['delta']:.3g} (threshold {true_threshold(p):.2f})"
    ),
)
