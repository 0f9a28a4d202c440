"""Squares that fill from the bottom, row by row."""

import numpy as np
from matplotlib.axes import Axes

from dplib.plots.parts.curves import draw_bars
from dplib.plots.parts.style import BLACK, GREY


def fill_squares(ax: Axes, filled: float, *, across: int, rows: int, color: str) -> None:
    """Fill as many squares from the bottom, the last one in part; at most all of them."""
    draw_bars(ax, [0], [rows], width=across, color=GREY, alpha=0.25)
    full, rest = divmod(min(filled, across * rows), across)
    draw_bars(ax, [0, 0], [full, 1], width=[across, rest], bottom=[0, full], color=color)
    # The seams are the page's own colour: white becomes it. They reach beyond the filled squares.
    seam = {"color": "#ffffff", "linewidth": 1}
    ax.vlines(np.arange(1, across), 0, rows, **seam)
    ax.hlines(np.arange(1, rows), 0, across, **seam)
    ax.set(xlim=(0, across), ylim=(0, rows), xticks=[], yticks=[])


def mark_squares(ax: Axes, marked: float, *, across: int) -> None:
    """Draw dashed where so many squares would end: a stair, as squares are filled row by row."""
    full, rest = divmod(round(marked, 9), across)  # a whole row is whole, however it was summed
    above = full + (rest > 0)
    stair = [0, rest, rest, across], [above, above, full, full]
    ax.plot(*stair, color=BLACK, linestyle="--", linewidth=2)
