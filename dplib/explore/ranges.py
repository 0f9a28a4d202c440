"""Sliders of the chapter on range queries."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure, explore_live, held
from dplib.explore.parts.words import amount, counted
from dplib.plots.parts.style import rounded
from dplib.plots.ranges.errors import (
    LABELS,
    SIZES,
    draw_range_clouds,
    node_noise,
    simulated_answers,
    strategy_range_error,
    tree_branching,
)
from dplib.plots.ranges.trees import draw_node_noise, draw_nodes, whole_nodes
from dplib.ranges import haar_restore
from dplib.ranges.cells import power_of_two

EPSILONS = (0.5, 1, 2, 4)
REACH = 500  # people: nearly all answers of all strategies, at every stop, and epsilon from 0.5


def explore_range_size(
    *, width: int | None = None, epsilon: float | None = 1
) -> SliderFigure | LiveFigure:
    """Show how exactly four strategies answer ranges, with a slider for the number of cells.

    Args:
      width: number of cells in the range, from 1 to 1024; None for the mean over all ranges.
      epsilon: privacy cost of the whole release, > 0, without unit; neighbors: add_remove. None: it
        has a slider too.

    Raises:
      ValueError: an argument is out of range.
    """
    if epsilon is not None:
        epsilon = _validate.positive("epsilon", epsilon)
    if width is not None and _validate.whole("width", width) > 1024:
        raise ValueError(f"width must be at most 1024, got {width!r}")
    stops = [size for size in SIZES if size >= (width or 1)]

    def draw(axes, size, own):
        # One window for all stops of both sliders: the errors move, and not the axis.
        reach = REACH if epsilon is None else REACH / epsilon
        _draw_clouds(axes[0], reach, epsilon=own, width=width, size=int(size))

    def caption(size, own):
        what = "all ranges" if width is None else f"ranges of {width:g} cells"
        law = {"epsilon": own, "width": width, "size": int(size)}
        return f"Over {what} of N = {size:,g} cells, {_say(law)}."

    sliders = [("N", stops, 1024), held("ε", epsilon, EPSILONS, 1)]
    return explore_live(draw, caption, sliders=sliders, again=False)


def explore_range_width(*, size: int = 1024, epsilon: float = 1) -> SliderFigure:
    """Show how exactly four strategies answer ranges, with a slider for the width of the range.

    Args:
      size: number of cells, a power of two from 2 to 4096.
      epsilon: privacy cost of the whole release, > 0, without unit; neighbors: add_remove.

    Raises:
      ValueError: an argument is out of range.
    """
    if size not in SIZES:
        raise ValueError(f"size must be one of {SIZES}, got {size!r}")
    law = {"epsilon": _validate.positive("epsilon", epsilon), "size": int(size)}
    stops = [2**power for power in range(size.bit_length())]

    def draw(axes, width):
        _draw_clouds(axes[0], REACH / epsilon, **law, width=int(width))

    def caption(width):
        what = _say(law | {"width": int(width)})
        return f"Over ranges of {counted(width, 'cell')} of N = {size:,}, {what}."

    slider = {"stops": stops, "start": stops[len(stops) // 2], "name": "width"}
    return explore_frames(draw, caption, **slider)


def _draw_clouds(ax: Axes, reach: float, **law) -> None:
    """Draw simulated answers of each strategy."""
    # The same random numbers for each stop, so that the eye sees one thing change.
    answers = {
        name: simulated_answers(strategy=name, **law, rng=np.random.default_rng(15))
        for name in LABELS
    }
    errors = {name: strategy_range_error(strategy=name, **law) for name in LABELS}
    draw_range_clouds(ax, answers, errors, reach=reach)


def _say(law: dict) -> str:
    errors = {name: strategy_range_error(strategy=name, **law) for name in LABELS}
    best = min(errors, key=errors.get)
    written = [f"{LABELS[name]} {amount(errors[name])}" for name in LABELS]
    return (
        f"the root mean squared error is {', '.join(written[:-1])} and {written[-1]} "
        f"people (ε = {law['epsilon']:g}): {LABELS[best]} is best"
    )


def explore_branching(*, size: int = 4096, epsilon: float = 1) -> SliderFigure:
    """Show the error of Boost over all ranges, with a slider for the parts of its nodes.

    Left: the nodes that make up one range, a third of the cells, each as a square of its noise.
    Right: how far off fifty ranges are.

    Args:
      size: number of cells, a power of two from 4 to 4096.
      epsilon: privacy cost of the whole release, > 0, without unit; neighbors: add_remove.

    Raises:
      ValueError: an argument is out of range.
    """
    if size not in SIZES[1:]:
        raise ValueError(f"size must be one of {SIZES[1:]}, got {size!r}")
    law = {"size": int(size), "epsilon": _validate.positive("epsilon", epsilon)}
    power = int(size).bit_length() - 1
    # A tree whose top splits into a few parts only spends a level on little: it is left out.
    stops = [2**each for each in range(1, power + 1) if 2 * (power % each or each) >= each]
    cells = int(size) // 3  # of each node that is opened, about a third of the parts
    flat = strategy_range_error(**law, strategy="flat", width=cells)
    sums = {parts: _summed(cells, tree_branching(parts, size=size), law) for parts in stops}
    reach = 1.05 * max(each.together for each in sums.values())

    @functools.cache
    def errors(parts):
        return {name: strategy_range_error(**law, **one) for name, one in _ways(parts, size)}

    def draw(axes, parts):
        seen = {name: _simulated(**law, **one) for name, one in _ways(parts, size)}
        nodes, noise, _ = sums[parts]
        draw_node_noise(axes[0], nodes=nodes, noise=noise, flat=flat, reach=reach)
        axes[0].set_xlabel("one range:\noff by (people)", loc="left")
        draw_range_clouds(axes[1], seen, errors(parts), reach=REACH / epsilon)
        axes[1].set_xlabel("all ranges: off by\n(people, steps × 10)")

    def caption(parts):
        given = f"With {_say_split(parts, size)} parts the first {cells:,} of {size:,} cells are"
        boost = amount(errors(parts)["boost"], digits=3)
        return f"{given} {sums[parts]}. Over all ranges Boost is off by {boost} (ε = {epsilon:g})."

    slider = {"stops": stops, "start": max(each for each in stops if each <= 16), "name": "parts"}
    return explore_frames(draw, caption, **slider, panels=(1, 1))


def _say_split(parts: float, size: int) -> str:
    """Return into how many parts nodes split: fewer at the top where levels are left over."""
    top = tree_branching(parts, size=size)[0]
    return f"{parts:,g}" if top == parts else f"{top:g}, then {parts:,g}"


class _Summed(NamedTuple):
    """How many nodes are added, and the standard deviations of each and of their sum."""

    nodes: int
    noise: float
    together: float

    def __str__(self) -> str:
        nodes = counted(self.nodes, "node")
        return (
            f"made of {nodes}, each off by {amount(self.noise)} people (a part of the square), "
            f"their sum by {amount(self.together)}"
        )


def _summed(cells: int, splits: Sequence[int], law: dict) -> _Summed:
    """Return what makes up the first cells of a tree that splits so."""
    nodes = sum(whole_nodes(cells, splits))
    noise = node_noise(**law, strategy="boost", branching=splits)
    return _Summed(nodes, noise, noise * nodes**0.5)  # variances add up


@functools.lru_cache(16)  # two of the three are asked for at each stop
def _simulated(**law) -> np.ndarray:
    # The same random numbers for each stop, so that the eye sees one thing change.
    return simulated_answers(**law, rng=np.random.default_rng(15))


def _ways(parts: float, size: int):
    """Return Boost with nodes of so many parts, Privelet and flat noise: names and arguments."""
    tree = {"strategy": "boost", "branching": tree_branching(int(parts), size=size)}
    return [("boost", tree), *((name, {"strategy": name}) for name in ("privelet", "flat"))]


def explore_range_nodes(*, left: int = 3, size: int = 16) -> SliderFigure:
    """Show which Haar nodes a range cuts, with a slider for its last cell.

    Args:
      left: the first cell of the range, from 1.
      size: number of cells, a power of two from 2 to 64.

    Raises:
      ValueError: an argument is out of range.
    """
    cells = power_of_two("size", size)
    if not 2 <= cells <= 64:
        raise ValueError(f"size must lie between 2 and 64, got {size!r}")
    first = _validate.whole("left", left)
    if first > cells:
        raise ValueError(f"left must be at most size = {cells}, got {left!r}")

    def weights(right):
        return _node_weights(first, int(right), cells)

    def draw(axes, right):
        _draw_cut(axes[0], *weights(right), size=cells, inside=(first, int(right)))

    def caption(right):
        lit, total = weights(right)
        alone = right == first
        range_cuts = f"Cell {first} alone cuts" if alone else f"The cells {first} to {right:g} cut"
        if not lit:
            return f"{range_cuts} no node unevenly; the total adds {total:.3f} to the coefficient."
        named = ", ".join(f"{start}–{end}" for start, end in lit)
        return (
            f"{range_cuts} {counted(len(lit), 'node')} of {cells - 1} unevenly: {named}. "
            f"{'They add' if len(lit) > 1 else 'It adds'} "
            f"{sum(lit.values()):.3f} to the coefficient, and the total adds {total:.3f}."
        )

    stops = range(first, cells + 1)
    start = min(cells, first + 8)
    return explore_frames(draw, caption, stops=stops, start=start, name="last cell")


def _draw_cut(ax: Axes, weights: dict, total: float, *, size: int, inside) -> None:
    """Draw the nodes that a range cuts and the total, stronger where they add more, in numbers."""
    lit = {node: weight**0.5 for node, weight in weights.items()}
    whole = total**0.5, f"total  {rounded(total, 3)}"
    # In a larger tree the smallest nodes have no room for a number.
    words = {node: rounded(each, 3) for node, each in weights.items() if size < 32}
    look = {"smallest": 2, "verb": "cuts unevenly", "written": words, "total": whole}
    draw_nodes(ax, lit, size=size, inside=inside, **look)


def _node_weights(left: int, right: int, size: int) -> tuple[dict[tuple[int, int], float], float]:
    """Return what each node that the range cuts adds to its coefficient, and what the total adds.

    A node is named by its first and last cell.
    """
    squares = haar_restore(size)[left - 1 : right].sum(axis=0) ** 2
    found = {}
    for node in range(1, size):
        depth = node.bit_length() - 1
        width = size >> depth
        start = (node - 2**depth) * width
        if squares[node] > 1e-12:
            found[start + 1, start + width] = float(squares[node])
    return found, float(squares[0])
