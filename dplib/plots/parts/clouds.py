"""A budget cut in slices, and clouds: a dot for each release that may come."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from dplib import _validate
from dplib.plots.parts.curves import FIRST, SECOND, Look, draw_bars, plain_ticks
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.outside import count_outside, leave_margins
from dplib.plots.parts.style import BEHIND_WORDS, BLACK, BLUE, ORANGE, describe_axes, rounded

DOTS = 50  # of a cloud: each stands for a fiftieth of all releases
SHARES = (np.arange(DOTS) + 0.5) / DOTS  # of the releases below each dot
_GOLDEN = 0.618034  # spreads dots evenly over the height of their row


def laplace_dots(scale: float, count: int = DOTS) -> np.ndarray:
    """Return `count` places that share a Laplace law of this scale around 0 evenly."""
    return LaplaceLaw(0, scale).ppf((np.arange(count) + 0.5) / count)


def spread(row: float, count: int, height: float = 0.7) -> np.ndarray:
    """Return heights of the dots of a cloud, over the height of its row."""
    return row + height * (np.arange(count) * _GOLDEN % 1 - 0.5)


def draw_cloud(
    ax: Axes,
    places,
    row: float,
    look: Look,
    label: str,
    *,
    size: float = 5,
    height: float = 0.7,
    window: tuple[float, float] = (-np.inf, np.inf),
) -> None:
    """Draw a dot of this size at each place inside the window, over the height of a row."""
    # A rim in the page's own colour, white, parts dots that overlap; pale ones would be lost.
    rim = {"markeredgecolor": "#ffffff", "markeredgewidth": 0.5}
    dots = {"markersize": size, "linestyle": "", "color": look.color, **rim}
    dots["markevery"] = np.flatnonzero((places >= window[0]) & (places <= window[1])).tolist()
    ax.plot(places, spread(row, len(places), height), look.marker, label=label, **dots)


def draw_budget(ax: Axes, slices: Sequence[float], *, marked: int = 1) -> Axes:
    """Draw a budget as one bar, cut in slices from the bottom; the first ones are orange.

    Args:
      ax: Axes to draw on.
      slices: epsilon of each answer, all > 0, shape (n,); beyond a hundred nobody sees them apart.
      marked: how many slices are orange, a whole number of at least 1; the others are blue.

    Returns:
      `ax`, from 0 to the sum of the slices, whose number stands below.

    Raises:
      ValueError: a slice is not positive, or there is none, or marked is out of range.
    """
    sizes = _validate.finite_array("slices", slices)
    if sizes.ndim != 1 or (sizes <= 0).any():
        raise ValueError(f"slices must be positive, of shape (n,), got {slices!r}")
    first = _validate.whole("marked", marked)
    bottoms = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    # The seams are the page's own colour: white becomes it.
    # A seam is thinner than the slice that it borders.
    thin = min(1.5, 50 * float(sizes.min() / sizes.sum()))
    seam = {"edgecolor": "#ffffff", "linewidth": thin, "width": 1}
    draw_bars(ax, 0, sizes[:first], bottom=bottoms[:first], facecolor=ORANGE, **seam)
    if len(sizes) > first:
        draw_bars(ax, 0, sizes[first:], bottom=bottoms[first:], facecolor=BLUE, **seam)
    ax.set(xlim=(-0.1, 1.1), ylim=(0, float(sizes.sum())))
    ax.set_xticks([])
    ax.set_yticks([0, float(sizes.sum())], ["0", f"{sizes.sum():.3g}"])
    number = f"{len(sizes):,} slices" if len(sizes) > 1 else "1 slice"
    return describe_axes(ax, x=number, y="budget (ε)")


def draw_clouds(
    ax: Axes,
    clouds: Mapping[str, np.ndarray],
    looks: Mapping[str, Look],
    *,
    reach: float,
    x: str,
    y: str = "noise of",
) -> Axes:
    """Draw each cloud as dots in a row of its own, around a dashed line at 0.

    Args:
      ax: Axes to draw on.
      clouds: {name: how far off each release is}, shape (n,) each; from the top row to the bottom.
      looks: {name: how the dots look}.
      reach: the end of the axis on both sides, > 0.
      x: what is drawn, with its unit.
      y: what the rows are.

    Returns:
      `ax`; at the ends of a row stands how many of its dots lie outside.
    """
    rows, end = name_rows(ax, list(clouds)), _validate.positive("reach", reach)
    window = -end, end
    ax.axvline(0, color="#000000", linestyle="--", linewidth=1, zorder=0)
    for (name, places), row in zip(clouds.items(), rows, strict=True):
        # The names stand at the rows; a look is named once.
        known = any(each.get_marker() == looks[name].marker for each in ax.lines)
        label = f"_{name}" if known else name
        draw_cloud(ax, places, row, looks[name], label, size=4, window=window)
        count_outside(ax, places, window, height=row)
    leave_margins(ax, window)
    ax.locator_params(axis="x", nbins=5)
    ticks = ax.xaxis.get_major_locator().tick_values(*window)
    ax.set_xticks(ticks[np.abs(ticks) <= end])  # none in the margins
    ax.xaxis.set_major_formatter("{x:,.5g}")
    return describe_axes(ax, x=x, y=y)


def draw_sizes(
    ax: Axes,
    clouds: Mapping[str, np.ndarray],
    *,
    window: tuple[float, float],
    looks: Sequence[Look] = (FIRST, SECOND),
    typical: Sequence[float] = (),
    written: bool = True,
) -> None:
    """Draw clouds of sizes in a row each, on a logarithmic scale.

    Args:
      ax: Axes to draw on.
      clouds: {name: how large each is}, shape (n,) each; from the top row to the bottom.
      window: the ends of the axis, > 0. At the ends of a row stands how many lie outside.
      looks: for each cloud how its dots look.
      typical: for each cloud the size that is marked.
      written: whether it is written beside the mark, too.
    """
    rows = name_rows(ax, list(clouds))
    ax.set_xscale("log")
    for (name, sizes), row, look in zip(clouds.items(), rows, looks, strict=True):
        draw_cloud(ax, sizes, row, look, name, height=0.5, window=window)
        count_outside(ax, sizes, window, height=row)
    leave_margins(ax, window)
    beside = {"textcoords": "offset points", "in_layout": False, "bbox": BEHIND_WORDS}
    for row, size in zip(rows, typical, strict=False):
        ax.plot([size, size], [row - 0.4, row + 0.4], color=BLACK, linewidth=2)
        if written:  # above its row, where the next one has no dots
            ax.annotate(rounded(size), (size, row + 0.34), (4, 0), va="bottom", **beside)
    ax.set_ylim(rows[-1] - 0.55, 0.75)
    ax.xaxis.set_minor_locator(NullLocator())
    plain_ticks(ax.xaxis)
