"""Figures of crowds: how large they are, what is left of the table, who is left out."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from dplib import _validate
from dplib.plots.parts.curves import (
    REFERENCE,
    SECOND,
    THIRD,
    plain_ticks,
)
from dplib.plots.parts.style import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    add_legend,
    describe_axes,
    rounded,
)

PEOPLE = 330  # dots: more would hide each other


def draw_crowds(
    ax: Axes, table: pd.DataFrame, *, depths: Mapping[str, int], name: str = "you"
) -> Axes:
    """Draw people of a generalised table of two columns, and the group of the first of them.

    Args:
      ax: Axes to draw on.
      table: DataFrame with at least one row, one row a person, already generalised; whole numbers
        of at least 0. The window ends at 100 and at 20.
      depths: for two columns of numbers, to which power of ten each was truncated; the first one
        is drawn from left to right.
      name: of the person in the first row.

    Returns:
      `ax`, with a dot for every person, or for some hundreds of them, anywhere in the group: where
      in it, the table does not say. The first person's group is shaded, and an orange diamond
      stands on each of the smallest groups.

    Raises:
      ValueError: depths does not name two columns of table, or table has no rows or other values.
    """
    if not isinstance(table, pd.DataFrame) or table.empty:
        raise ValueError("table must be a DataFrame with at least one row")
    if not isinstance(depths, Mapping) or len(depths) != 2 or not set(depths) <= set(table):
        raise ValueError(f"depths must name two columns of table, got {depths!r}")
    columns = list(depths)
    units = np.array([10 ** _validate.whole("depths", each, least=0) for each in depths.values()])
    if ((numbers := _validate.integer_array("table", table[columns])) < 0).any():
        raise ValueError(f"table must hold numbers of at least 0, got {numbers.min()}")
    rng = np.random.default_rng(2)  # each stays at the same place of a group, however large it is
    some = rng.permutation(len(numbers))[:PEOPLE]
    dots = numbers[some] + rng.random((len(some), 2)) * units
    ax.plot(*dots.T, "o", color=GREY, markersize=2.5, linestyle="", label="people")
    _shade_group(ax, numbers, units, name)
    groups, sizes = np.unique(numbers, axis=0, return_counts=True)
    smallest = groups[sizes == sizes.min()] + units / 2
    look = {"color": ORANGE, "markeredgecolor": BLACK, "markersize": 7, "label": "fewest"}
    ax.plot(*smallest.T, "D", linestyle="", **look)
    ax.set(xlim=(0, 100), ylim=(0, 22))
    add_legend(ax)
    return describe_axes(ax, x=f"{columns[0]} (years)", y=f"{columns[1]} (level)")


def _shade_group(ax: Axes, numbers: np.ndarray, units: np.ndarray, name: str) -> None:
    """Shade the group of the first person, and say how many others are in it."""
    left, bottom = numbers[0]
    width, height = units
    look = {"facecolor": SKY, "alpha": 0.6, "edgecolor": BLACK, "linewidth": 1.5, "zorder": 3}
    ax.add_patch(Rectangle((left, bottom), width, height, **look))
    others = np.count_nonzero((numbers == numbers[0]).all(axis=1)) - 1
    # The line begins below the words, wherever the group is.
    line = {"arrowstyle": "-", "color": BLACK, "relpos": (0.5, 0), "shrinkA": 0, "shrinkB": 0}
    ax.annotate(
        f"{name} + {others:,}",
        (left + width / 2, min(bottom + height, 20)),
        (0.02, 0.98),
        textcoords="axes fraction",
        va="top",
        arrowprops=line,
    )


def draw_information_against_k(ax: Axes, points: pd.DataFrame, *, chosen: tuple) -> Axes:
    """Draw k against the information that is left, for the depths of two columns.

    Args:
      ax: Axes to draw on.
      points: a row for each pair of depths, with the columns "k" (at least 1) and "information"
        (the share that is left, between 0 and 1), indexed by the two depths; the first index is
        the one that the reader changes.
      chosen: the pair of depths that is marked.

    Returns:
      `ax`, with a line for each step (10**depth) of the second column, which is written at its
      foot, and a disc at the chosen point.

    Raises:
      ValueError: points lacks a column, or chosen is not in its index.
    """
    if not isinstance(points, pd.DataFrame) or not {"k", "information"} <= set(points):
        raise ValueError("points must be a DataFrame with the columns k and information")
    if not isinstance(chosen, tuple) or chosen not in points.index:
        raise ValueError(f"chosen must be a pair of depths in points, got {chosen!r}")
    beside = {"textcoords": "offset points"}
    ax.annotate("steps of", (2, 1), (0, -9), va="top", **beside)
    for (depth, line), look in zip(
        points.groupby(level=1), (SECOND, THIRD, REFERENCE), strict=False
    ):
        style = {"color": look.color, "linestyle": look.line, "marker": look.marker}
        style["linewidth"] = 2.5 if depth == chosen[1] else 1.5
        places = 100 * line["information"]
        ax.plot(places, line["k"], fillstyle="none", label=f"{10**depth}", **style)
        foot = places[line["k"].idxmin()], line["k"].min()
        ax.annotate(f"{10**depth}", foot, (0, -9), va="top", ha="center", **beside)
    at = points.loc[chosen]
    ax.plot(
        [100 * at["information"]],
        [at["k"]],
        "o",
        color=ORANGE,
        markersize=11,
        zorder=3,
        clip_on=False,
    )
    ax.set_yscale("log")
    ax.set(xlim=(0, 105), ylim=(0.05, 2 * points["k"].max()))
    plain_ticks(ax.yaxis)
    return describe_axes(ax, x="information left (%)", y="k (people)")


def draw_suppressed_people(ax: Axes, sizes, *, k: int, largest: int, way: str) -> Axes:
    """Draw a hundred people over the size of their group, and which of them are left out.

    Args:
      ax: Axes to draw on.
      sizes: for each person, how many people are in the same group, shape (n,), whole, at least 1.
      k: smallest group that is kept, a whole number of at least 1.
      largest: the end of the axis, a whole number of at least 2: larger groups stand there.
      way: how the table was generalised, in a few words.

    Returns:
      `ax`, on a logarithmic scale, with a dot for each hundredth of the people: filled if they are
      kept, a cross if not; k is dashed, and the share of all who are left out stands above.

    Raises:
      ValueError: an argument is out of range.
    """
    sizes = _validate.integer_array("sizes", sizes)
    if sizes.ndim != 1 or not sizes.size or (sizes < 1).any():
        raise ValueError(f"sizes must be of shape (n,) and at least 1, got {sizes!r}")
    limit, end = _validate.whole("k", k), _validate.whole("largest", largest, least=2)
    ordered = np.sort(sizes)
    people = ordered[((np.arange(100) + 0.5) / 100 * len(ordered)).astype(int)]
    x, y = _stacked(np.minimum(people, end), limit)
    lost = people < limit
    look = {"linestyle": "", "markersize": 5}
    ax.plot(x[~lost], y[~lost], "o", color=BLUE, label="kept", **look)
    ax.plot(x[lost], y[lost], "x", color=ORANGE, label="suppressed", **look)
    ax.axvline(limit, color=BLACK, linewidth=1.5, linestyle="--", label="k")
    beside = {"textcoords": "offset points", "va": "top", "in_layout": False}
    side = {"ha": "right", "xytext": (-4, 0)} if limit > 64 else {"xytext": (4, 0)}
    ax.annotate(f"k = {limit}", (limit, 25), **side, **beside)
    ax.set_xscale("log")
    ax.set(xlim=(0.9, 2.2 * end), ylim=(-1, 25), yticks=[])
    plain_ticks(ax.xaxis)
    share = 100 * np.mean(sizes < limit)
    return describe_axes(ax, x=f"group size\n{way}", y=f"{rounded(share)} % go (×)")


def _stacked(sizes: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Return places of dots: in columns from each power of two to the next, and cut at the limit.

    Args:
      sizes: of the group of each dot, in order, at least 1.
      limit: whoever is in a smaller group stands left of it, everybody else right of it.
    """
    column = 2.0 ** np.floor(np.log2(sizes))
    left = np.where(sizes >= limit, np.maximum(column, limit), column)
    right = np.where(sizes < limit, np.minimum(2 * column, limit), 2 * column)
    # They stand above one another, in rows of two where two have room.
    place, wide = np.arange(len(sizes)) - np.searchsorted(left, left), right > 1.6 * left
    part = np.where(wide, 0.3 + 0.4 * (place % 2), 0.5)
    return left * (right / left) ** part, np.where(wide, place // 2, place)
