"""Rows with a name each: the legend of the curves beside them, with the numbers at the mark."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from dplib.plots.parts.curves import Look, plain_ticks
from dplib.plots.parts.style import BLACK, describe_axes

__all__ = ["draw_values", "name_rows", "ticks_in_steps"]

# As in `amount` of the sentences: digits that count.
_DIGITS = 3


def name_rows(ax: Axes, names) -> np.ndarray:
    """Give each name a row, the first one at the top; return the heights of the rows."""
    rows = -np.arange(len(names))
    ax.set_yticks(rows, list(names))
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(rows[-1] - 0.6, 0.6)
    return rows


def ticks_in_steps(axis) -> None:
    """Write 1, 2, 5, 10, 20 on a logarithmic axis, and no small ticks."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_locator(LogLocator(subs=(1,)))
    plain_ticks(axis)


def draw_values(
    ax: Axes,
    values: Mapping[str, float],
    looks: Mapping[str, Look],
    *,
    x: str,
    y: str,
    simulated: Mapping[str, float] | None = None,
) -> Axes:
    """Draw the numbers of one place of the curves, a row for each, with the curve's own mark.

    Args:
      ax: Axes to draw on.
      values: {name: number > 0}.
      looks: {name: how its curve looks}.
      x, y: what the numbers are, with their unit, and where.
      simulated: {name: the number that was seen}, drawn as a small white dot.

    Returns:
      `ax`, numbers on a logarithmic scale, each also written in the name of its row.
    """
    low, high = min(values.values()), max(values.values())
    names = [f"{name}  {float(f'{each:.{_DIGITS}g}'):,.10g}" for name, each in values.items()]
    rows = name_rows(ax, names)
    for (name, value), row in zip(values.items(), rows, strict=True):
        look = looks[name]
        line = {"color": look.color, "linestyle": look.line, "linewidth": 2}
        ax.plot([low / 3, value], [row, row], **line)
        ax.plot([value], [row], look.marker, color=look.color, markersize=9, label=name)
    if simulated:
        dots = {"color": "white", "markeredgecolor": BLACK, "markersize": 5}
        seen = [simulated[name] for name in values]
        ax.plot(seen, rows, "o", label="simulated", zorder=5, **dots)
    ax.set(xscale="log", xlim=(low / 2, high * 2))
    # Two numbers fit below a narrow panel; the exact ones stand beside the names.
    steps = LogLocator(subs=(1, 2, 5)).tick_values(low / 2, high * 2)
    inside = steps[(steps >= low / 2) & (steps <= 1.3 * high)]
    ax.set_xticks(inside[:: -(-len(inside) // 2)])
    plain_ticks(ax.xaxis)
    return describe_axes(ax, x=x, y=y)
