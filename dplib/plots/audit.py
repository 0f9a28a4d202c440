"""Figures of audits: what more and more runs certify, and what floating-point numbers give away."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.floating_point import reachable_from
from dplib.plots.parts.curves import FIRST, SECOND, THIRD, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLACK, BLUE, ORANGE, add_legend, describe_axes

__all__ = ["draw_certified_bounds", "draw_float_gaps", "show_float_gaps"]


def draw_certified_bounds(
    ax: Axes,
    samples: Sequence[int],
    bounds: Mapping[str, Sequence[float]],
    *,
    claim: float,
    largest: int,
) -> Axes:
    """Draw the lower bounds on epsilon that audits certify, against their number of runs.

    Args:
      ax: Axes to draw on.
      samples: runs of each audit on each input, shape (n,), >= 2, increasing.
      bounds: {name of a mechanism: its certified bounds, shape (n,)}, at most three.
      claim: the epsilon that the mechanisms claim, > 0, without unit.
      largest: the end of the axis, a whole number of at least the last of `samples`.

    Returns:
      `ax`, x on a logarithmic scale, with a line for each mechanism, its last bound marked, and the
      claim dashed.

    Raises:
      ValueError: an argument is out of range.
    """
    runs, end = _validate.finite_array("samples", samples), _validate.whole("largest", largest)
    if runs.ndim != 1 or runs[0] < 2 or (np.diff(runs) <= 0).any() or runs[-1] > end:
        raise ValueError(f"samples must increase, from 2 to at most {end}, got {samples!r}")
    stated = _validate.positive("claim", claim)
    if not 1 <= len(bounds) <= 3:
        raise ValueError(f"bounds must be of one to three mechanisms, got {bounds!r}")
    for (name, values), look in zip(bounds.items(), (SECOND, FIRST, THIRD), strict=False):
        found = _validate.finite_array("bounds", values)
        if found.shape != runs.shape:
            raise ValueError(f"bounds must be one for each of samples, got {values!r}")
        style = {"color": look.color, "marker": look.marker, "markersize": 5, "clip_on": False}
        ax.plot(runs, found, linestyle=look.line, linewidth=2, label=name, **style)
        ax.plot(runs[-1:], found[-1:], look.marker, color=look.color, markersize=10, clip_on=False)
    ax.axhline(stated, color=BLACK, linewidth=1.5, linestyle="--", label="claim")
    ax.set(xscale="log", xlim=(runs[0], max(end, 2 * runs[0])), ylim=(0, 2.2 * stated))
    plain_ticks(ax.xaxis)
    add_legend(ax)
    return describe_axes(ax, x="runs on each input", y="certified lower bound on ε (no unit)")


def draw_float_gaps(
    ax: Axes,
    *,
    output: float = 0.3,
    steps: int = 100,
    values: Sequence[float] = (0, 1),
    sensitivity: float = 1,
    epsilon: float = 1,
) -> Axes:
    """Draw which double-precision numbers next to `output` each of two inputs can give.

    Args:
      ax: Axes to draw on.
      output: the first double-precision number of the window.
      steps: how many neighboring double-precision numbers are looked at, a whole number > 0.
      values: the two exact answers.
      sensitivity, epsilon: as in `laplace_mechanism`, > 0.

    Returns:
      `ax`, with one row of ticks for each input; where both inputs can give an output, a black line
      through both rows.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2012), section 4.
    """
    first = np.float64(_validate.number("output", output))
    if steps != int(_validate.positive("steps", steps)):
        raise ValueError(f"steps must be a whole number, got {steps!r}")
    pair = _validate.finite_array("values", values)
    if pair.shape != (2,):
        raise ValueError(f"values must be two numbers, got {values!r}")
    # The bits of a double, read as a whole number, count the doubles one by one.
    place = np.arange(int(steps))
    doubles = (first.view(np.int64) + place).view(np.float64)
    law = {"sensitivity": sensitivity, "epsilon": epsilon}
    upper, lower = (reachable_from(doubles, value=each, **law) for each in pair)
    ax.vlines(place[upper], 0.55, 1, color=BLUE, linewidth=2)
    ax.vlines(place[lower], 0, 0.45, color=ORANGE, linewidth=2)
    both = upper & lower
    ax.vlines(place[both], -0.05, 1.05, color=BLACK, linewidth=2, label="from both")
    ax.plot(place[both], np.full(both.sum(), 0.5), "D", color=BLACK, markersize=5)
    ax.set(xlim=(-1, steps), ylim=(-0.1, 1.1))
    ax.set_yticks([0.775, 0.225], [f"from {each:g}" for each in pair])
    ax.tick_params(axis="y", length=0)
    # Always: in a slider the room for it must not come and go.
    add_legend(ax)
    # The gap between doubles is a power of two.
    step = math.frexp(float(np.spacing(first)))[1] - 1
    return describe_axes(
        ax,
        x=f"double-precision numbers from {output:g}, in steps of $2^{{{step}}}$",
        y="outputs that are possible",
    )


def show_float_gaps() -> Figure:
    """Return the described figure of `draw_float_gaps` for the counts 0 and 1 at epsilon 1."""
    figure, axes = described_figure(
        "Two rows of marks: of the numbers reached from 0 and from 1, hardly one is the same.",
        height=2,
    )
    draw_float_gaps(axes)
    return figure
