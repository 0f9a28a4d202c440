"""Figures of clipping and of means: what a bound costs and saves, and what centering saves."""

import math
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.curves import (
    FIRST,
    SECOND,
    THIRD,
    Curve,
    draw_bars,
    draw_curves,
    plain_ticks,
)
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import GREY, ORANGE, SKY, describe_axes
from dplib.sensitivity import sum_sensitivity

_BINS = 40
_LEAST = 0.05  # the lower end of the axis of errors, in percent


def clipping_errors(values, *, bounds, epsilon: float) -> tuple:
    """Return bias, noise and total error of a private sum for each upper clipping bound.

    Args:
      values: one number of at least 0 a person, shape (n,), with a sum above 0.
      bounds: upper bounds, > 0, in the units of the values, a number or shape (m,); the lower bound
        is 0.
      epsilon: privacy cost of the sum, > 0, without unit; neighbors: add_remove.

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
    ax: Axes,
    values,
    *,
    bound: float,
    highest: float,
    epsilon: float,
    unit: str,
    scale: Literal["log", "linear"] = "log",
) -> Axes:
    """Draw bias, noise and total error of a private sum against the clipping bound.

    Args:
      ax: Axes to draw on.
      values, epsilon: as in `clipping_errors`.
      bound: the upper clipping bound that is marked, > 0, in the units of the values.
      highest: the end of the axis, same units, at least `bound`.
      unit: the name of these units.
      scale: of the axis of errors. A linear one shows how flat a minimum is that stays large.

    Returns:
      `ax`, with the errors in percent of the exact sum; the values that the bound cuts are to the
      right of it, hatched.

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
    if scale not in ("log", "linear"):
        raise ValueError(f"scale must be 'log' or 'linear', got {scale!r}")
    draw_curves(ax, curves, places=end * np.linspace(0.01, 1, 100), at=bound)
    ax.set_yscale(scale)
    ax.axvspan(bound, end, facecolor="none", edgecolor=GREY, hatch="//", linewidth=0)
    ax.set(xlim=(0, 1.03 * end), ylim=(_LEAST, 130) if scale == "log" else (0, 105))
    for line in ax.lines:
        # A mark below the axis would stand outside of the figure, and the layout make room for it.
        if scale == "log" and np.max(line.get_ydata()) < _LEAST:
            line.set_visible(False)
    ax.xaxis.set_major_formatter("{x:,.10g}")
    plain_ticks(ax.yaxis)
    return describe_axes(
        ax,
        x=f"clipping bound ({unit}); cut values are hatched",
        y="error of the sum (% of the sum)",
    )


def draw_clipped_values(ax: Axes, values, *, bound: float, highest: float, unit: str) -> Axes:
    """Draw how many people have which value once a bound has cut them: a pile at a wall.

    Args:
      ax: Axes to draw on.
      values: one number of at least 0 a person, shape (n,). People with 0 are not drawn: the bound
        changes nothing for them.
      bound: the upper clipping bound, > 0, in the units of the values.
      highest: the end of the axis, same units, at least `bound`.
      unit: the name of these units.

    Returns:
      `ax`, with the values below the bound, the pile of all who are cut (it may reach out of the
      picture; its number stands on it), and what they had before (dashed).

    Raises:
      ValueError: an argument is out of range.
    """
    exact, wall = _nonnegative(values), _validate.positive("bound", bound)
    if wall > _validate.positive("highest", highest):
        raise ValueError(f"bound must be at most {highest!r}, got {bound!r}")
    exact = exact[exact > 0]
    edges = np.linspace(0, highest, _BINS + 1)
    before = np.histogram(np.minimum(exact, highest), edges)[0]
    kept = np.histogram(exact[exact <= wall], edges)[0]
    piled, top = int((exact > wall).sum()), 1.5 * before.max()
    ax.stairs(before, edges, color="#000000", linestyle="--", linewidth=1)
    ax.stairs(kept, edges, fill=True, color=SKY)
    width = highest / _BINS
    draw_bars(ax, [wall - width / 2], [min(piled, top)], width=width, color=ORANGE)
    ax.axvline(wall, color=ORANGE, linewidth=1.5)
    side = {"ha": "right", "xytext": (-8, -2)} if wall > highest / 2 else {"xytext": (8, -2)}
    words = f"{piled:,} cut"
    ax.annotate(words, (wall, top), textcoords="offset points", va="top", color=ORANGE, **side)
    ax.set(xlim=(0, highest), ylim=(0, top))
    ax.locator_params(nbins=3)
    ax.xaxis.set_major_formatter("{x:,.10g}")
    ax.yaxis.set_major_formatter("{x:,.10g}")
    return describe_axes(ax, x=f"value ({unit})", y="people")


def draw_clipping_parts(
    ax: Axes,
    values,
    *,
    bound: float,
    epsilon: float,
    scale: Literal["log", "linear"] = "log",
) -> Axes:
    """Draw bias, noise and total error of a private sum at one bound, as dots on one scale.

    Args:
      ax: Axes to draw on.
      values, epsilon: as in `clipping_errors`.
      bound: the upper clipping bound, > 0, in the units of the values.
      scale: of the axis. A linear one shows differences between errors that are all large.

    Returns:
      `ax`, with a row for each, in percent of the exact sum; below the end of a logarithmic scale a
      dot is hollow.

    Raises:
      ValueError: an argument is out of range.
    """
    parts = clipping_errors(values, bounds=bound, epsilon=epsilon)
    if scale not in ("log", "linear"):
        raise ValueError(f"scale must be 'log' or 'linear', got {scale!r}")
    least = _LEAST if scale == "log" else 0
    names = ("lost", "noise", "total")
    rows = name_rows(ax, names)
    for part, row, look in zip(parts, rows, (SECOND, THIRD, FIRST), strict=True):
        seen = part >= least
        face = look.color if seen else "#ffffff"
        dot = {"color": look.color, "markersize": 10, "markerfacecolor": face, "clip_on": False}
        ax.plot([max(part, least)], [row], look.marker, **dot)
    ax.set(xscale=scale, xlim=(_LEAST / 2, 200) if least else (-4, 104))
    ax.set_xticks([0.1, 1, 10, 100] if least else [0, 50, 100])
    plain_ticks(ax.xaxis)
    return describe_axes(ax, x="% of the sum", y="error")


def mean_error(values, *, lower, upper, center: float, share, epsilon: float):
    """Return the standard deviation of a noisy mean: a noisy sum over a noisy count.

    Args:
      values: one finite number a person, shape (n,); each is clipped into [lower, upper].
      lower, upper: public bounds, in the units of the values, lower < upper.
      center: the public number that each value is measured from, same units; 0 for `private_mean`,
        the middle of the bounds for `centered_mean`.
      share: the part of epsilon that the sum gets, strictly between 0 and 1, a number or an array.
      epsilon: privacy cost of sum and count together, > 0; neighbors: add_remove.

    Returns:
      The deviation in the units of the values, to first order: for many people.

    Raises:
      ValueError: an argument is out of range.

    Source: the variance of Laplace noise, twice its squared scale; the derivative of a quotient.
    """
    low, high = _validate.interval(lower, upper)
    rows = np.clip(_validate.vector("values", values), low, high)
    part, loss = _validate.finite_array("share", share), _validate.positive("epsilon", epsilon)
    if ((part <= 0) | (part >= 1)).any():
        raise ValueError(f"share must lie between 0 and 1, got {share!r}")
    reach = sum_sensitivity(low - center, high - center, neighbors="add_remove")
    # (total + x) / (n + y) moves by x / n - y * mean / n.
    of_sum, of_count = reach / part, abs(rows.mean() - center) / (1 - part)
    return _validate.like_input(math.sqrt(2) * np.hypot(of_sum, of_count) / (loss * len(rows)))


def draw_mean_errors(ax: Axes, values, *, lower, upper, epsilon: float, unit: str) -> Axes:
    """Draw the error of a noisy mean, centered or not, against the share of epsilon for the sum.

    Args:
      ax: Axes to draw on.
      values, lower, upper, epsilon: as in `mean_error`.
      unit: the name of the units of the values.

    Returns:
      `ax`, with a line for each of the two means.

    Raises:
      ValueError: an argument is out of range.
    """
    low, high = _validate.interval(lower, upper)
    law = {"lower": low, "upper": high, "epsilon": epsilon}

    def error(center):
        return lambda part: mean_error(values, center=center, share=part, **law)

    curves = [
        Curve("from 0", error(0.0), SECOND),
        Curve("from the middle", error((low + high) / 2), FIRST),
    ]
    draw_curves(ax, curves, places=np.linspace(0.1, 0.95, 86), at=0.5)
    ax.set_ylim(bottom=0)
    return describe_axes(ax, x="share of ε for the sum", y=f"error of the mean ({unit})")


def show_mean_errors(values, *, lower, upper, epsilon: float, unit: str) -> Figure:
    """Return the figure of `draw_mean_errors`, with its description."""
    law = {"lower": lower, "upper": upper, "share": 0.5, "epsilon": epsilon}
    errors = [mean_error(values, center=each, **law) for each in (0, (lower + upper) / 2)]
    figure, axes = described_figure(
        f"With half of epsilon for the sum the mean is off by {errors[0]:.2g} {unit} when values "
        f"are measured from 0, and by {errors[1]:.2g} when they are measured from the middle."
    )
    draw_mean_errors(axes, values, lower=lower, upper=upper, epsilon=epsilon, unit=unit)
    return figure
