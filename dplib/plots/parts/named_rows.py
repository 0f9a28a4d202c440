"""Rows with a name each, and the numbers of a logarithmic axis."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from dplib.plots.parts.curves import plain_ticks

_LARGE = 7  # names of more rows would touch in large letters


def name_rows(ax: Axes, names) -> np.ndarray:
    """Give each name a row, the first one at the top; return the heights of the rows."""
    rows = -np.arange(len(names))
    ax.set_yticks(rows, list(names))
    ax.tick_params(axis="y", length=0, labelsize="medium" if len(names) <= _LARGE else "small")
    ax.set_ylim(rows[-1] - 0.6, 0.6)
    return rows


def ticks_in_steps(axis) -> None:
    """Write 1, 2, 5, 10, 20 on a logarithmic axis, and no small ticks."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_locator(LogLocator(subs=(1,)))
    plain_ticks(axis)
