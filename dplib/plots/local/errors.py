"""Figures of the local model: its error beside the central one's, and what p and q buy."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from dplib import _validate
from dplib.local import direct_probabilities
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND, Curve, draw_curves, plain_ticks
from dplib.plots.parts.style import BLACK, GREY, ORANGE, add_legend, describe_axes
from dplib.survey import estimate_variance, optimal_unary_probabilities, unary_epsilon

__all__ = [
    "draw_errors_by_epsilon",
    "draw_errors_by_people",
    "draw_unary_epsilon",
    "draw_unary_errors",
    "local_and_central_error",
    "unary_errors",
]


def local_and_central_error(*, people: int, epsilon: float) -> tuple[float, float]:
    """Return the standard error of a count by randomized response, and by the Laplace mechanism.

    Args:
      people: number of people asked, a whole number of at least 1.
      epsilon: privacy loss of each person, from 1e-6 to 30, without unit.

    Returns:
      Two standard deviations, in people: local, central. Neither depends on the true count.

    Raises:
      ValueError: an argument is out of range.

    Source: Warner (1965); Dwork & Roth (2014), definition 3.2, variance 2 * scale^2.
    """
    p, q = direct_probabilities(domain_size=2, epsilon=epsilon)
    local = math.sqrt(estimate_variance(0, people=people, p=p, q=q))
    return local, math.sqrt(2) / _validate.positive("epsilon", epsilon)


def _error_curves(errors) -> list[Curve]:
    def height(which):
        return np.vectorize(lambda place: errors(place)[which], otypes=[float])

    return [
        Curve("local", height(0), FIRST),
        Curve("central", height(1), SECOND),
    ]


def draw_errors_by_epsilon(ax: Axes, *, epsilon: float, people: int) -> Axes:
    """Draw the standard error of a local and of a central count against epsilon.

    Args:
      ax: Axes to draw on.
      epsilon: the one that is marked, from 0.01 to 10.
      people: as in `local_and_central_error`.

    Returns:
      `ax`, both scales logarithmic, with a line for each model, and the number of people dashed: an
      error as large says nothing.

    Raises:
      ValueError: an argument is out of range.
    """
    if not 0.01 <= _validate.positive("epsilon", epsilon) <= 10:
        raise ValueError(f"epsilon must lie between 0.01 and 10, got {epsilon!r}")
    people = _validate.whole("people", people)
    curves = _error_curves(lambda place: local_and_central_error(people=people, epsilon=place))
    curves.append(Curve("people asked", lambda place: 0 * place + people, REFERENCE))
    ax.set(xscale="log", yscale="log")
    draw_curves(ax, curves, places=np.geomspace(0.01, 10, 61), at=epsilon)
    return _describe_errors(ax, "ε (no unit)")


def draw_errors_by_people(ax: Axes, *, people: int, epsilon: float, largest: int = 10**6) -> Axes:
    """Draw the standard error of a local and of a central count against the number of people.

    Args:
      ax: Axes to draw on.
      people: the number that is marked, a whole number from 1 to `largest`.
      epsilon: as in `local_and_central_error`.
      largest: the end of the axis, a whole number above 1.

    Returns:
      `ax`, as `draw_errors_by_epsilon`.

    Raises:
      ValueError: an argument is out of range.
    """
    end = _validate.whole("largest", largest, least=2)
    if _validate.whole("people", people) > end:
        raise ValueError(f"people must be at most {end}, got {people!r}")
    curves = _error_curves(lambda place: local_and_central_error(people=place, epsilon=epsilon))
    curves.append(Curve("people asked", lambda place: 1.0 * place, REFERENCE))
    ax.set(xscale="log", yscale="log")
    places = np.unique(np.geomspace(1, end, 61).round()).astype(int)
    draw_curves(ax, curves, places=places, at=int(people))
    ax.xaxis.set_major_locator(LogLocator(base=100))
    return _describe_errors(ax, "people asked")


def _describe_errors(ax: Axes, x: str) -> Axes:
    plain_ticks(ax.xaxis)
    plain_ticks(ax.yaxis)
    return describe_axes(ax, x=x, y="standard error of a count (people)")


def unary_errors(p: float, *, q: float, people: int) -> tuple[float, float]:
    """Return the standard error of unary encoding, and the least one for the same epsilon.

    Args:
      p: probability that a 1 stays 1, strictly between q and 1.
      q: probability that a 0 becomes 1, strictly between 0 and p.
      people: number of people asked, a whole number of at least 1.

    Returns:
      Two standard deviations of the count of a category that nobody has, in people: with p and q,
      and with the p and q of optimal unary encoding.

    Raises:
      ValueError: an argument is out of range.

    Source: Wang, Blocki, Li & Jha (2017).
    """
    best_p, best_q = optimal_unary_probabilities(epsilon=unary_epsilon(p, q))
    chosen = estimate_variance(0, people=people, p=p, q=q)
    return math.sqrt(chosen), math.sqrt(estimate_variance(0, people=people, p=best_p, q=best_q))


def draw_unary_epsilon(ax: Axes, *, p: float, q: float) -> Axes:
    """Draw the epsilon of unary encoding against p.

    Args:
      ax: Axes to draw on.
      p: the one that is marked, strictly between q and 1.
      q: as in `unary_errors`.

    Returns:
      `ax`, with the line and the marked place.

    Raises:
      ValueError: an argument is out of range.
    """
    height = unary_epsilon(p, q)
    places = _between(q)
    ax.axvline(p, color=GREY, linewidth=1, zorder=0)
    ax.plot(places, [unary_epsilon(place, q) for place in places], color=ORANGE, linewidth=2)
    ax.plot([p], [height], "o", color=ORANGE, markersize=9, clip_on=False)
    ax.set(xlim=(q, 1), ylim=(0, None))
    return describe_axes(ax, x="p (a 1 stays 1)", y="ε (no unit)")


def draw_unary_errors(ax: Axes, *, p: float, q: float, people: int) -> Axes:
    """Draw the standard error of unary encoding against p, and the least one at the same epsilon.

    Args:
      ax: Axes to draw on.
      p, q, people: as in `unary_errors`; p is marked.

    Returns:
      `ax`, y on a logarithmic scale, with the line "p and q" (solid) and "best" (dashed).

    Raises:
      ValueError: an argument is out of range.
    """
    places = _between(q)
    chosen, best = np.transpose([unary_errors(place, q=q, people=people) for place in places])
    marked = unary_errors(p, q=q, people=people)
    ax.axvline(p, color=GREY, linewidth=1, zorder=0)
    ax.plot(places, chosen, color=ORANGE, linewidth=2, label="p and q")
    ax.plot(places, best, color=BLACK, linewidth=1.5, linestyle="--", label="best for this ε")
    ax.plot([p], [marked[0]], "o", color=ORANGE, markersize=9, clip_on=False)
    ax.plot([p], [marked[1]], "D", color=BLACK, markersize=7, clip_on=False)
    ax.set(xlim=(q, 1), yscale="log")
    plain_ticks(ax.yaxis)
    add_legend(ax)
    return describe_axes(ax, x="p (a 1 stays 1)", y="standard error (people)")


def _between(q: float) -> np.ndarray:
    """Return values of p above q; the ends, where epsilon or the error is without bound, are out.

    ValueError unless q lies strictly between 0 and 1.
    """
    low = _validate.probability("q", q)
    return low + (1 - low) * np.linspace(0.04, 0.98, 61)
