"""A budget cut in slices, and clouds: a dot for each release that may come."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.curves import FIRST, SECOND, Look, draw_bars, plain_ticks
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.outside import count_outside
from dplib.plots.parts.style import BLACK, BLUE, ORANGE, describe_axes, rounded

DOTS = 50  # of a cloud: each stands for a fiftieth of all releases
SHARES = (np.arange(DOTS) + 0.5) / DOTS  # of the releases below each dot
_GOLDEN = 0.618034  # spreads dots evenly over the height of their row
_LINES = 100  # slices that can be told apart


def laplace_dots(scale: float, count: int = DOTS) -> np.ndarray:
    """Return `count` places that share a Laplace law of this scale around 0 evenly."""
    return LaplaceLaw(0, scale).ppf((np.arange(count) + 0.5) / count)


def spread(row: float, count: int, height: float = 0.7) -> np.ndarray:
    """Return heights of the dots of a cloud, over the height of its row."""
    return row + height * (np.arange(count) * _GOLDEN % 1 - 0.5)


def draw_cloud(ax: Axes, places, row: float, look: Look, label: str, *, size=5, height=0.7) -> None:
    """Draw a dot of this size at each place, over the height of a row."""
    # A rim in the page's own colour, white, parts dots that overlap; pale ones would be lost.
    rim = {"markeredgecolor": "#ffffff", "markeredgewidth": 0.5}
    dots = {"markersize": size, "linestyle": "", "color": look.color, **rim}
    ax.plot(places, spread(row, len(places), height), look.marker, label=label, **dots)


def draw_budget(ax: Axes, slices: Sequence[float]) -> Axes:
    """Draw a budget as one bar, cut in slices from the bottom; the first slice is orange.

    Args:
      ax: Axes to draw on.
      slices: epsilon of each answer, all > 0, shape (n,).

    Returns:
      `ax`, from 0 to the sum of the slices.

    Raises:
      ValueError: a slice is not positive, or there is none.
    """
    sizes = _validate.finite_array("slices", slices)
    if sizes.ndim != 1 or (sizes <= 0).any():
        raise ValueError(f"slices must be positive, of shape (n,), got {slices!r}")
    others = sizes[1:] if len(sizes) <= _LINES else np.array([sizes[1:].sum()])
    bottoms = sizes[0] + np.concatenate([[0], np.cumsum(others)[:-1]])[: len(others)]
    # The seams are the page's own colour: white becomes it.
    # A seam is thinner than the slice that it borders.
    thin = min(1.5, 50 * float(sizes.min() / sizes.sum()))
    seam = {"edgecolor": "#ffffff", "linewidth": thin}
    draw_bars(ax, 0, sizes[:1], width=1, bottom=0, facecolor=ORANGE, **seam)
    if len(others):
        # More slices than can be told apart: a hatch says that there are some.
        hatch = {} if len(sizes) <= _LINES else {"hatch": "-" * 7, "linewidth": 0}
        draw_bars(ax, 0, others, width=1, bottom=bottoms, facecolor=BLUE, **seam | hatch)
    ax.set(xlim=(-0.1, 1.1), ylim=(0, float(sizes.sum())))
    ax.set_xticks([])
    ax.set_yticks([0, float(sizes.sum())], ["0", f"{sizes.sum():.3g}"])
    return describe_axes(ax, x="", y="budget (ε)")


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
    ax.axvline(0, color="#000000", linestyle="--", linewidth=1, zorder=0)
    for (name, places), row in zip(clouds.items(), rows, strict=True):
        # The names stand at the rows; a look is named once.
        known = any(each.get_marker() == looks[name].marker for each in ax.lines)
        draw_cloud(ax, places, row, looks[name], f"_{name}" if known else name, size=4)
        count_outside(ax, places, (-end, end), height=row)
    ax.set_xlim(-end, end)
    ax.locator_params(axis="x", nbins=5)
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
    """Draw clouds of sizes, on a logarithmic scale.

    Args:
      ax: Axes to draw on.
      clouds: {name: how large each is}, shape (n,) each; from the top row to the bottom row.
      window: the ends of the axis, > 0. At the ends of a row stands how many lie outside.
      looks: for each cloud how its dots look.
      typical: for each cloud the size that is marked.
      written: whether it is written beside the mark, too, where there are two clouds.
    """
    rows = name_rows(ax, list(clouds))
    for (name, sizes), row, look in zip(clouds.items(), rows, looks, strict=True):
        draw_cloud(ax, sizes, row, look, name)
        count_outside(ax, sizes, window, height=row)
    for row, size in zip(rows, typical, strict=False):
        ax.plot([size, size], [row - 0.45, row + 0.45], color=BLACK, linewidth=2)
    paper = {"facecolor": "#ffffff", "edgecolor": "none", "pad": 0.5}  # no line strikes a number
    beside = {"textcoords": "offset points", "in_layout": False, "bbox": paper}
    sides = ((0.4, "bottom"), (-0.4, "top")) if written else ()
    for row, size, (at, side) in zip(rows, typical, sides, strict=False):
        ax.annotate(rounded(size), (size, row + at), (4, 0), va=side, **beside)
    ax.set(xscale="log", xlim=window, ylim=(rows[-1] - 0.7, 0.7))
    plain_ticks(ax.xaxis)
