"""Figures of trees over cells: the nodes that a range reads, and the error of ranges."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dplib import _validate
from dplib.plots.parts.curves import draw_bars
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLACK, BLUE, GREY, ORANGE, add_legend, describe_axes
from dplib.ranges.cells import ends, power_of_two


def draw_nodes(
    ax: Axes,
    lit: Mapping[tuple[int, int], float],
    *,
    size: int,
    inside,
    unit: str = "cell",
    smallest: int = 1,
    verb: str = "reads",
    written: Mapping[tuple[int, int], str] | None = None,
    total: tuple[float, str] | None = None,
) -> Axes:
    """Draw a binary tree over cells, with some of its nodes lit, above the cells of a range.

    Args:
      ax: Axes to draw on.
      lit: {(first cell, last cell): how strongly, above 0, at most 1}, nodes of the tree.
      size: number of cells, a power of two.
      inside: the first and the last cell of the range, from 1, both included.
      unit: what a cell is, in the singular.
      smallest: of how many cells the smallest nodes are, a power of two.
      verb: what the range does to the nodes that are lit.
      written: {(first cell, last cell): what stands in this node}, or None.
      total: of what is above the tree and no node of it, how strongly, and what stands in it.

    Returns:
      `ax`, with a row of boxes for each level, the largest node on top, and the cells at the foot.

    Raises:
      ValueError: size is not a power of two, or inside does not fit.
    """
    cells = power_of_two("size", size)
    before, until = ends(*inside, cells)
    lowest = power_of_two("smallest", smallest).bit_length() - 1
    for level in range(lowest, cells.bit_length()):
        firsts = np.arange(1, cells + 1, 2**level)
        strengths = [lit.get((first, first + 2**level - 1), 0) for first in firsts.tolist()]
        _draw_boxes(ax, firsts, strengths, width=2**level, middle=level - lowest + 1)
    top = cells.bit_length() - lowest
    if total is not None:
        top += 1.2
        _draw_boxes(ax, np.array([1]), total[:1], width=cells, middle=top)
        _write(ax, (cells + 1) / 2, top, total[1])
    for (first, last), words in (written or {}).items():
        _write(ax, (first + last) / 2, (last - first + 1).bit_length() - lowest, words)
    colours = [BLUE if before < cell <= until else "none" for cell in range(1, cells + 1)]
    box = {"width": 0.88, "bottom": -0.6, "edgecolor": BLUE}
    draw_bars(ax, np.arange(1, cells + 1) - 0.44, 0.8, facecolor=colours, **box)
    ax.set(xlim=(0.3, cells + 0.7), ylim=(-0.8, top + 0.6), yticks=[])
    ax.spines["left"].set_visible(False)
    return describe_axes(ax, x=unit, y=f"nodes it {verb} (orange), {unit}s it adds (blue)")


def _draw_boxes(ax: Axes, firsts: np.ndarray, strengths, *, width: int, middle: float) -> None:
    """Draw a row of boxes from these cells on, each as strong as it is lit."""
    colours = [(*to_rgb(ORANGE), 0.2 + 0.8 * each) if each else "none" for each in strengths]
    box = {"width": width - 0.12, "bottom": middle - 0.4, "edgecolor": GREY}
    draw_bars(ax, firsts - 0.44, 0.8, facecolor=colours, **box)


def _write(ax: Axes, place: float, height: float, words: str) -> None:
    ax.text(place, height, words, ha="center", va="center", fontsize="small")


def whole_nodes(cells: int, splits: Sequence[int]) -> list[int]:
    """Return how many nodes of each level below the root make up the first cells of a tree.

    Args:
      cells: how many cells are added, at least 1 and fewer than the tree has.
      splits: into how many parts a node of each level splits, from the root down.

    Raises:
      ValueError: cells is out of range.
    """
    size = math.prod(splits)
    if _validate.whole("cells", cells) >= size:
        raise ValueError(f"cells must be fewer than {size}, got {cells!r}")
    found, rest = [], int(cells)
    for parts in splits:
        size //= parts
        whole, rest = divmod(rest, size)
        found.append(whole)
    return found


def draw_node_noise(ax: Axes, *, nodes: int, noise: float, flat: float, reach: float) -> Axes:
    """Draw the noise of nodes that are added: a square as wide as that of their sum, in parts.

    Variances add up, and so do areas: the part of a node has the area of its noise, squared.

    Args:
      ax: Axes to draw on.
      nodes: how many are added, at least 1.
      noise: standard deviation of one node, > 0, in people.
      flat: standard deviation of the same sum under flat noise, > 0, in people.
      reach: the end of both axes, > 0, in people.

    Returns:
      `ax`, with the square, cut into one part for each node, and that of flat noise dashed.

    Raises:
      ValueError: an argument is out of range.
    """
    count, each = _validate.whole("nodes", nodes), _validate.positive("noise", noise)
    dashed, end = _validate.positive("flat", flat), _validate.positive("reach", reach)
    side, rows = each * math.sqrt(count), round(math.sqrt(count))
    draw_bars(ax, 0, [side], width=side, color=BLUE)
    # The seams are the page's own colour: white becomes it. They are thinner than their parts.
    seam = {"color": "#ffffff", "linewidth": min(1.5, each / 6)}
    top, (fewest, longer) = 0.0, divmod(count, rows)
    for number, parts in ((longer, fewest + 1), (rows - longer, fewest)):
        height = side * parts / count  # so each part has the same area
        ax.vlines(side / parts * np.arange(1, parts), top, top + number * height, **seam)
        ax.hlines(top + height * np.arange(1, number + 1), 0, side, **seam)
        top += number * height
    look = {"facecolor": "none", "edgecolor": BLACK, "linestyle": "--", "linewidth": 2}
    ax.add_patch(Rectangle((0, 0), dashed, dashed, zorder=3, **look))
    ax.set(xlim=(0, end), ylim=(0, end), yticks=[])
    ax.set_aspect("equal", anchor="SW")
    named = "1 node" if count == 1 else f"{count:,} nodes"
    return describe_axes(ax, x="off by (people)", y=f"{named}; dashed: flat")


def show_range_errors(theory, simulated) -> Figure:
    """Return a figure of simulated mean squared errors beside those of the theory.

    Args:
      theory, simulated: mean squared errors of the same ranges, shape (n,).

    Raises:
      ValueError: the shapes differ, or a number is not finite.
    """
    exact = _validate.finite_array("theory", theory)
    seen = _validate.finite_array("simulated", simulated)
    if exact.ndim != 1 or exact.shape != seen.shape:
        raise ValueError(f"simulated must have the shape {exact.shape}, got {seen.shape}")
    order = np.argsort(exact)
    figure, axes = described_figure(
        f"{len(exact)} ranges in the order of their error: dots from simulated releases scatter "
        "around the line of the theory."
    )
    axes.plot(exact[order], color=BLACK, linestyle="--", linewidth=2, label="theory")
    axes.plot(seen[order], "o", color=ORANGE, markersize=4, label="releases")
    add_legend(axes)
    describe_axes(axes, x="range, in order of its error", y="mean squared error (people²)")
    return figure
