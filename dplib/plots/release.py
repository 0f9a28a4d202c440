"""The figure of a release: each published value with its interval, beside the truth."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLACK, ORANGE, add_legend, describe_axes


def draw_intervals(ax: Axes, table, *, exact, labels, x: str) -> Axes:
    """Draw each published value with its interval, and the true one.

    Args:
      ax: Axes to draw on.
      table: value, lower and upper end of each cell, shape (n, 3).
      exact: the true cells, shape (n,).
      labels: a list of n words, one for each cell.
      x: what is counted, with its unit.

    Returns:
      `ax`, with one row for each cell, the first one at the top.

    Raises:
      ValueError: an argument is out of range.
    """
    table, true = _validate.matrix("table", table), _validate.vector("exact", exact)
    if table.shape[1] != 3:
        raise ValueError(f"table must have shape (n, 3), got {table.shape}")
    if true.shape != (len(table),):
        raise ValueError(f"exact must have shape ({len(table)},), got {true.shape}")
    if not isinstance(labels, list | tuple) or len(labels) != len(table):
        raise ValueError(f"labels must be a list of {len(table)} words, got {labels!r}")
    rows = np.arange(len(table))
    value, low, high = table.T
    ax.hlines(rows, low, high, color=ORANGE, linewidth=2)
    ax.plot(value, rows, "o", color=ORANGE, label="released, with its interval")
    ax.plot(true, rows, "|", color=BLACK, markersize=11, markeredgewidth=1.5, label="truth")
    ax.set_yticks(rows, [str(each) for each in labels])
    ax.set(ylim=(len(table) - 0.4, -0.6), xlim=(0, None))
    ax.xaxis.set_major_formatter("{x:,.10g}")
    add_legend(ax, columns=2)
    return describe_axes(ax, x=x, y="cell")


def covered(table, exact) -> int:
    """Return how many cells lie in their interval.

    Args:
      table, exact: as in `draw_intervals`.

    Raises:
      ValueError: an argument is out of range.
    """
    _, low, high = _validate.matrix("table", table).T
    true = _validate.vector("exact", exact)
    return int(np.sum((low <= true) & (true <= high)))


def show_intervals(table, *, exact, labels, x: str) -> Figure:
    """Return the figure of `draw_intervals`, with its description."""
    inside = covered(table, exact)
    figure, axes = described_figure(
        f"Each of {len(labels)} released values with its interval, beside the truth: {inside} of "
        f"the {len(labels)} intervals hold it.",
        height=60 + 24 * len(labels),
    )
    draw_intervals(axes, table, exact=exact, labels=labels, x=x)
    return figure
