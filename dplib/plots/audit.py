"""Figure of an audit: what more and more runs certify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.curves import FIRST, SECOND, THIRD, plain_ticks
from dplib.plots.style import BLACK, add_legend, describe_axes

__all__ = ["draw_certified_bounds"]


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
