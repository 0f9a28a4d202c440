"""Figures of local sensitivity: how it grows with distance, and propose-test-release."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from dplib import _validate
from dplib.local_sensitivity import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    passing_probability,
)
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND, Curve, draw_curves, plain_ticks
from dplib.plots.parts.style import BLACK, describe_axes

__all__ = [
    "draw_passing_rate",
    "draw_proposed_error",
    "draw_sensitivity_at_distance",
    "passing_rate",
]


def passing_rate(values, *, bound: float, lower, upper, epsilon: float, delta: float) -> float:
    """Return how likely the test of `propose_test_release` passes for these values (add_remove).

    It depends on the data, so it is for studying the mechanism, and not itself private. Arguments
    and errors are those of `propose_test_release`.
    """
    limits = {"bound": bound, "lower": lower, "upper": upper}
    distance = distance_to_high_sensitivity(values, **limits)
    return passing_probability(distance, epsilon=epsilon, delta=delta)


def draw_passing_rate(ax: Axes, bounds, rates, *, bound: float, local: float, unit: str) -> Axes:
    """Draw how often propose-test-release passes its test, against the proposed bound.

    Args:
      ax: Axes to draw on.
      bounds: shape (m,), > 0 and increasing, in the units of the values.
      rates: shape (m,): how often the test passes for each, between 0 and 1 (see `passing_rate`).
      bound: the bound that is marked, within `bounds`.
      local: the local sensitivity of the values, in their units, > 0.
      unit: the name of these units.

    Returns:
      `ax`, with the rate in percent (solid) and the local sensitivity (dashed).

    Raises:
      ValueError: an argument is out of range.
    """
    places = _places(bounds, bound)
    heights = _validate.finite_array("rates", rates)
    if heights.shape != places.shape or (heights < 0).any() or (heights > 1).any():
        raise ValueError(f"rates must be {len(places)} numbers from 0 to 1, got {rates!r}")
    rate = Curve("rate", lambda place: np.interp(place, places, 100 * heights), FIRST)
    sensitivity = _validate.positive("local", local)
    ax.axvline(sensitivity, color=BLACK, linewidth=1.5, linestyle="--", label="sensitivity")
    draw_curves(ax, [rate], places=places, at=bound)
    ax.set_ylim(-4, 104)
    ax.xaxis.set_major_locator(MaxNLocator(3))
    return describe_axes(ax, x=f"bound ({unit})", y="test passes (%)")


def draw_proposed_error(
    ax: Axes, bounds, *, bound: float, epsilon: float, other: float, unit: str
) -> Axes:
    """Draw the mean error of propose-test-release when it passes, against the proposed bound.

    Args:
      ax: Axes to draw on.
      bounds, bound, unit: as in `draw_passing_rate`.
      epsilon: privacy loss of the release, > 0, without unit.
      other: the mean error of another mechanism to compare with, in the units of the values, > 0.

    Returns:
      `ax`, with the mean error, bound / epsilon (solid), and the other one (dashed).

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), definition 3.2: the mean absolute value of Laplace noise.
    """
    loss, other = _validate.positive("epsilon", epsilon), _validate.positive("other", other)
    places = _places(bounds, bound)
    curves = [
        Curve("PTR", lambda place: place / loss, FIRST),
        Curve("mean", lambda place: other, REFERENCE),
    ]
    draw_curves(ax, curves, places=places, at=bound)
    ax.set_ylim(0, 1.1 * max(places[-1] / loss, other))
    ax.xaxis.set_major_locator(MaxNLocator(3))
    return describe_axes(ax, x=f"bound ({unit})", y=f"mean error ({unit})")


def _places(bounds, bound) -> np.ndarray:
    """Return the bounds as an array; raise ValueError unless they increase around `bound`."""
    places = _validate.finite_array("bounds", bounds)
    if places.ndim != 1 or places[0] <= 0 or (np.diff(places) <= 0).any():
        raise ValueError(f"bounds must be positive and increase, in shape (m,), got {bounds!r}")
    if not places[0] <= _validate.number("bound", bound) <= places[-1]:
        raise ValueError(f"bound must be within bounds, got {bound!r}")
    return places


def draw_sensitivity_at_distance(
    ax: Axes, values, *, distance: int, lower, upper, unit: str
) -> Axes:
    """Draw the largest local sensitivity of the clipped mean against the distance in rows.

    Args:
      ax: Axes to draw on.
      values, lower, upper: as in `local_sensitivity_at_distance`, for add_remove.
      distance: the number of edits that is marked, a whole number from 0 to the number of rows.
      unit: the name of the units of the values.

    Returns:
      `ax`, the y axis logarithmic, with the sensitivity (solid), the bound
      (upper - lower) / (n - distance), and the global sensitivity (dashed).

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    here = local_sensitivity_at_distance(values, distance=0, **limits)
    size, width = len(values), upper - lower
    if _validate.whole("distance", distance, least=0) > size:
        raise ValueError(f"distance must be at most {size}, got {distance!r}")

    def local(edits):
        steps = np.asarray(edits, int)
        return local_sensitivity_at_distance(values, distance=steps, **limits)

    curves = [
        Curve("these data", local, FIRST),
        # At the last row the bound is infinite; half of the width is above every sensitivity.
        Curve("range / rows left", lambda edits: width / np.maximum(size - edits, 2), SECOND),
        Curve("global", lambda edits: width / 2, REFERENCE),
    ]
    ax.set_yscale("log")
    places = np.unique(np.append(size * np.linspace(0, 1, 101), size - np.geomspace(1, size, 60)))
    draw_curves(ax, curves, places=places.round(), at=distance)
    ax.set_ylim(0.5 * here, width)
    ax.xaxis.set_major_formatter("{x:,.0f}")
    plain_ticks(ax.yaxis)
    return describe_axes(ax, x="distance (rows added or removed)", y=f"local sensitivity ({unit})")
