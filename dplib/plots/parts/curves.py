"""Curves with a mark at the place where a slider stands, and bars."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from dplib import _validate
from dplib.plots.parts.style import BLACK, BLUE, DEEP_SKY, GREY, ORANGE, PINK, add_legend


class Look(NamedTuple):
    """How a curve looks: two curves of a figure differ in all three."""

    color: str
    line: str | tuple
    marker: str


# Solid for what is released, dashed for the truth or what one compares with.
FIRST, SECOND = Look(ORANGE, "-", "o"), Look(BLUE, "-.", "s")
THIRD, REFERENCE = Look(DEEP_SKY, ":", "^"), Look(BLACK, "--", "D")
FOURTH = Look(PINK, (0, (6, 1.5, 1, 1.5, 1, 1.5)), "v")  # long dashes with two dots between


class Curve(NamedTuple):
    """A name, a function from the place (a number or an array) to the height, and a look."""

    label: str
    height: Callable
    look: Look


def draw_curves(ax: Axes, curves: Sequence[Curve], *, places, at: float) -> Axes:
    """Draw the curves over `places`, shape (n,), with a mark on each at the place `at`.

    One curve alone needs no legend: the label of its axis names it. Nothing is drawn before all
    heights are known: one may be refused.
    """
    heights = [(height(places), height(at)) for _, height, _ in curves]
    ax.axvline(at, color=GREY, linewidth=1, zorder=0)
    # The mark of a later curve is smaller: three in one place are seen.
    sizes = np.linspace(12, 8, len(curves))
    for (label, _, look), (along, marked), size in zip(curves, heights, sizes, strict=True):
        ax.plot(
            places,
            np.broadcast_to(along, np.shape(places)),
            color=look.color,
            linestyle=look.line,
            linewidth=2.5 if look.line == ":" else 2,
            marker=look.marker,
            markevery=[],  # the mark itself comes next; here it is for the legend
            markersize=7,
            label=label,
        )
        # A rim in the page's own colour, white: a mark that lies on another is seen.
        rim = {"markeredgecolor": "#ffffff", "markeredgewidth": 1, "clip_on": False}
        ax.plot([at], [marked], look.marker, color=look.color, markersize=size, **rim)
    if len(places) > 1:  # one place has no width
        ax.set_xlim(np.min(places), np.max(places))
    return add_legend(ax) if len(curves) > 1 else ax


def draw_bars(ax: Axes, left, height, *, width, bottom=0, **look) -> PolyCollection:
    """Draw one bar for each place `left`, shape (n,), as one artist, and return it.

    `Axes.bar` makes an artist for each bar, and a container that stays when they are removed.
    """
    left, low, width, height = np.broadcast_arrays(left, bottom, width, height)
    right, top = left + width, low + height
    corners = [(left, low), (left, top), (right, top), (right, low)]
    bars = PolyCollection(np.moveaxis(np.array(corners, float), 2, 0), **look)
    return ax.add_collection(bars)


def plain_ticks(axis) -> None:
    """Write the numbers of an axis as 0.1 and 1,000, not as powers; leave out the small ticks."""
    axis.set_major_formatter("{x:,.10g}")
    axis.set_minor_formatter("")


def percents(name: str, shares) -> np.ndarray:
    """Return a Series of shares in per cent; raise ValueError unless all are between 0 and 1."""
    if not isinstance(shares, pd.Series):
        raise ValueError(f"{name} must be a Series, got {type(shares).__name__}")
    values = _validate.finite_array(name, shares)
    if (values < 0).any() or (values > 1).any():
        raise ValueError(f"{name} must be between 0 and 1, got {values!r}")
    return 100 * values
