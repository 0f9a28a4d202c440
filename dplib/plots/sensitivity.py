"""Figure of clipping: the error that a bound costs and saves."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.curves import FIRST, SECOND, THIRD, Curve, draw_curves, plain_ticks
from dplib.plots.parts.style import GREY, describe_axes
from dplib.sensitivity import sum_sensitivity

__all__ = ["clipping_errors", "draw_clipping_errors"]

_LEAST = 0.05  # the lower end of the axis of errors, in percent


def clipping_errors(values, *, bounds, epsilon: float) -> tuple:
    """Return bias, noise and total error of a private sum for each upper clipping bound.

    Args:
      values: one number of at least 0 a person, shape (n,), with a sum above 0.
      bounds: upper bounds, > 0, in the units of the values, a number or shape (m,); the lower bound
        is 0.
      epsilon: privacy loss of the sum, > 0, without unit; neighbors: add_remove.

    Returns:
      Three arrays of the shape of `bounds`, in percent of the exact sum: what clipping takes away,
      the standard deviation of the noise, and the root of the sum of their squares.

    Raises:
      ValueError: an argument is out of range.

    Source: the variance of Laplace noise, twice its squared scale; bias and noise add in squares.
    """
    exact, limits = _nonnegative(values), _validate.finite_array("bounds", bounds)
    if (limits <= 0).any():
        raise ValueError(f"bounds must be positive, got {bounds!r}")
    # The sum of min(value, b): all of the values below b, and b for each of the others.
    ordered = np.sort(exact)
    below = np.searchsorted(ordered, limits, side="right")
    sums = np.append(0.0, np.cumsum(ordered))
    total = sums[-1]
    bias = total - sums[below] - limits * (len(ordered) - below)
    moved = [sum_sensitivity(0, limit, neighbors="add_remove") for limit in limits.flat]
    scale = np.reshape(moved, limits.shape) / _validate.positive("epsilon", epsilon)
    noise = math.sqrt(2) * scale
    return tuple(100 * part / total for part in (bias, noise, np.hypot(bias, noise)))


def _nonnegative(values) -> np.ndarray:
    exact = _validate.finite_array("values", values)
    if exact.ndim != 1 or (exact < 0).any() or exact.sum() <= 0:
        raise ValueError(f"values must be of shape (n,), at least 0 and not all 0, got {values!r}")
    return exact


def draw_clipping_errors(
    ax: Axes, values, *, bound: float, highest: float, epsilon: float, unit: str
) -> Axes:
    """Draw bias, noise and total error of a private sum against the clipping bound.

    Args:
      ax: Axes to draw on.
      values, epsilon: as in `clipping_errors`.
      bound: the upper clipping bound that is marked, > 0, in the units of the values.
      highest: the end of the axis, same units, at least `bound`.
      unit: the name of these units.

    Returns:
      `ax`, with the errors in percent of the exact sum on a logarithmic scale; the values that the
      bound cuts are to the right of it, hatched.

    Raises:
      ValueError: an argument is out of range.
    """
    bound, end = _validate.positive("bound", bound), _validate.positive("highest", highest)
    if bound > end:
        raise ValueError(f"bound must be at most {highest!r}, got {bound!r}")

    def part(which):
        return lambda place: clipping_errors(values, bounds=place, epsilon=epsilon)[which]

    curves = [
        Curve("total error", part(2), FIRST),
        Curve("cut off (bias)", part(0), SECOND),
        Curve("noise", part(1), THIRD),
    ]
    ax.set_yscale("log")
    ax.axvspan(bound, end, facecolor="none", edgecolor=GREY, hatch="//", linewidth=0, alpha=0.3)
    draw_curves(ax, curves, places=end * np.linspace(0.01, 1, 100), at=bound)
    ax.set(xlim=(0, end), ylim=(_LEAST, 130))
    for line in ax.lines:
        # A mark below the axis would stand outside of the figure, and the layout make room for it.
        if np.max(line.get_ydata()) < _LEAST:
            line.set_visible(False)
    ax.xaxis.set_major_formatter("{x:,.10g}")
    plain_ticks(ax.yaxis)
    return describe_axes(
        ax,
        x=f"clipping bound ({unit}); cut values are hatched",
        y="error of the sum (% of the sum)",
    )
