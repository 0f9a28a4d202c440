"""Figures of audits: what runs certify, and what floating-point numbers give away."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.audit import AuditResult
from dplib.audit.events import at_least, at_most
from dplib.floating_point import reachable_from
from dplib.plots.parts.curves import FIRST, SECOND, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import BLACK, BLUE, ORANGE, SKY, add_legend, describe_axes, rounded


def draw_audits(
    ax: Axes, audits: Mapping[str, AuditResult], *, claim: float, confidence: float = 1 - 1e-9
) -> Axes:
    """Draw how often each input gives the event of an audit, as far as is sure, and the gap.

    Args:
      ax: Axes to draw on.
      audits: {name of a mechanism: what an audit of it with delta 0 found}, at least one.
      claim: the epsilon that the mechanisms claim, > 0, without unit.
      confidence: of the audits, strictly between 0 and 1.

    Returns:
      `ax`, on a logarithmic scale, with two intervals for each mechanism. The gap between them is
      the epsilon that is certified. The claim allows the shaded width.

    Raises:
      ValueError: an argument is out of range.

    Source: Clopper & Pearson (1934), as in `epsilon_lower_bound`.
    """
    stated = _validate.positive("claim", claim)
    if not isinstance(audits, Mapping) or not audits:
        raise ValueError(f"audits must hold at least one audit, got {audits!r}")
    if not all(isinstance(audit, AuditResult) for audit in audits.values()):
        raise ValueError(f"audits must hold results of epsilon_lower_bound, got {audits!r}")
    level = (1 - _validate.probability("confidence", confidence)) / 2
    for row, audit in zip(name_rows(ax, list(audits)), audits.values(), strict=True):
        hits = sorted(audit.hits, reverse=True)
        low = at_least(np.array(hits), audit.draws, level)
        high = at_most(np.array(hits), audit.draws, level)
        allowed = [high[1], min(high[1] * math.exp(stated), 1)]
        ax.fill_betweenx([row - 0.36, row + 0.36], *allowed, color=SKY, alpha=0.35, linewidth=0)
        for look, shift, place in zip((FIRST, SECOND), (0.2, -0.2), (0, 1), strict=True):
            bar = {"color": look.color, "solid_capstyle": "butt"}
            ax.plot([max(low[place], 1e-9), high[place]], [row + shift] * 2, linewidth=3, **bar)
            seen = {"color": look.color, "markersize": 7}
            ax.plot([hits[place] / audit.draws], [row + shift], look.marker, **seen)
        _point_at_gap(ax, audit.epsilon, high[1], low[0], row)
    for look, label in ((FIRST, "likelier input"), (SECOND, "the other")):
        style = {"color": look.color, "linewidth": 3, "marker": look.marker, "markersize": 7}
        ax.plot([], [], label=label, **style)
    ax.fill_between([], [], color=SKY, alpha=0.35, label="allowed")
    ax.set(xscale="log", xlim=(0.005, 1.5))
    plain_ticks(ax.xaxis)
    add_legend(ax)
    return describe_axes(ax, x="share of runs with the event", y="mechanism")


def _point_at_gap(ax: Axes, epsilon: float, left: float, right: float, row: float) -> None:
    """Draw the gap between two intervals, if there is one, and write what it certifies."""
    if epsilon > 0:
        arrow = {"arrowstyle": "|-|,widthA=0.3,widthB=0.3", "shrinkA": 0, "shrinkB": 0}
        look = {"arrowprops": arrow | {"color": BLACK}, "in_layout": False}
        ax.annotate("", (right, row), (left, row), **look)
    words = f"ε ≥ {rounded(epsilon)}" if epsilon > 0 else "the bars overlap: nothing is certified"
    ax.text(0.0055, row, words, va="center")


# Written so, an exponent needs no formula: setting one costs more than the rest of its picture.
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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
    label = "from both" if both.any() else "from both: none"
    ax.vlines(place[both], -0.05, 1.05, color=BLACK, linewidth=2, label=label)
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
        x=f"double-precision numbers from {output:g}, in steps of 2{str(step).translate(_RAISED)}",
        y="outputs that are possible",
    )


def show_float_gaps() -> Figure:
    """Return the described figure of `draw_float_gaps` for the counts 0 and 1 at epsilon 1."""
    figure, axes = described_figure(
        "Two rows of marks: of the numbers reached from 0 and from 1, hardly one is the same.",
        height=200,
    )
    draw_float_gaps(axes)
    return figure
