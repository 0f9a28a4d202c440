"""Figure of what floating-point numbers give away; it draws on the given Axes and returns it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.floating_point import reachable_from
from dplib.plots.described import described_figure
from dplib.plots.style import BLACK, BLUE, ORANGE, add_legend, describe_axes

__all__ = ["draw_float_gaps", "show_float_gaps"]


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
