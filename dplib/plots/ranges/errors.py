"""Figures of range queries: how exact each strategy is, with theory over simulation."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from dplib import _validate
from dplib.plots.parts.curves import (
    FIRST,
    REFERENCE,
    SECOND,
    Curve,
    Look,
    draw_curves,
    plain_ticks,
)
from dplib.plots.parts.named_rows import draw_values, ticks_in_steps
from dplib.plots.parts.style import describe_axes
from dplib.ranges import (
    answer_ranges,
    average_range_error,
    range_error,
    range_sensitivity,
    release_ranges,
    release_tree,
    tree_answers,
)

__all__ = [
    "draw_branching_errors",
    "draw_size_errors",
    "draw_strategy_values",
    "draw_width_errors",
    "simulated_error",
    "strategy_range_error",
    "tree_branching",
]

# A fourth line: one more colour of Okabe & Ito (2008), long dashes with two dots between.
LOOKS = {
    "flat": REFERENCE,
    "binary": Look("#CC79A7", (0, (6, 1.5, 1, 1.5, 1, 1.5)), "v"),
    "boost": SECOND,
    "privelet": FIRST,
}
LABELS = {"flat": "flat", "binary": "tree", "boost": "Boost", "privelet": "Privelet"}
SIZES = tuple(2**power for power in range(1, 13))


def strategy_range_error(
    *, size: int, strategy: str, epsilon: float, width: int | None = None, branching=2
) -> float:
    """Return the root of the mean squared error of ranges, in people (add_remove).

    Args:
      size, strategy, branching: as in `range_error`.
      epsilon: privacy loss of the whole release, > 0, without unit.
      width: number of cells in the range, from 1 to `size`: the mean is over all its places; None
        for the mean over all ranges.

    Returns:
      The error for the discrete Laplace noise of `release_ranges` and `release_tree`.

    Raises:
      ValueError: an argument is out of range.

    Source: as `range_error`; the variance is that of Ghosh, Roughgarden & Sundararajan (2009).
    """
    scheme = {"size": size, "strategy": strategy, "branching": branching}
    variance = _noise_variance(range_sensitivity(**scheme), _validate.positive("epsilon", epsilon))
    if width is None:
        return math.sqrt(average_range_error(**scheme) * variance)
    left = _places(size, width)
    return math.sqrt(np.mean(range_error(left, left + width - 1, **scheme)) * variance)


def _noise_variance(sensitivity: float, epsilon: float) -> float:
    """Return the variance of `discrete_laplace`: 2 q / (1 - q)^2 with q = exp(-epsilon / Δ)."""
    ratio = epsilon / sensitivity
    return 2 * math.exp(-ratio) / math.expm1(-ratio) ** 2


def _places(size: int, width: int) -> np.ndarray:
    """Return the first cells of all ranges of this width; ValueError unless they fit."""
    cells = _validate.whole("size", size)
    if _validate.whole("width", width) > cells:
        raise ValueError(f"width must be at most size = {cells}, got {width!r}")
    return np.arange(1, cells - int(width) + 2)


def simulated_error(
    *,
    size: int,
    strategy: str,
    epsilon: float,
    width: int | None = None,
    branching=2,
    runs: int | None = None,
    rng=None,
) -> float:
    """Return the root of the mean squared error of ranges that was seen in many releases.

    The exact counts are all 0: the noise does not depend on them.

    Args:
      size, strategy, epsilon, width, branching: as in `strategy_range_error`.
      runs: number of releases, a whole number of at least 1 (None: fewer for more cells); 400
        ranges are asked of each.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Raises:
      ValueError: an argument is out of range.
    """
    generator, cells = _validate.generator(rng), _validate.whole("size", size)
    usual = min(200, max(50, 100_000 // cells))
    runs = usual if runs is None else _validate.whole("runs", runs)
    if width is None:
        ends = np.sort(generator.integers(1, size + 2, size=(400, 2)), axis=1)
        # Two different places between cells: every range is equally likely.
        ends = ends[ends[:, 0] < ends[:, 1]] - [0, 1]
    else:
        left = generator.choice(_places(size, width), size=400)
        ends = np.stack([left, left + width - 1], axis=1)
    exact = np.zeros((runs, size), int)
    law = {"epsilon": epsilon, "rng": generator}
    if strategy == "binary":
        trees = (release_tree(row, **law) for row in exact)
        answers = np.array([tree_answers(tree, *ends.T) for tree in trees])
    else:
        counts = release_ranges(exact, strategy=strategy, branching=branching, **law)
        answers = answer_ranges(counts, *ends.T)
    return math.sqrt(np.mean(answers**2))


def draw_size_errors(
    ax: Axes,
    *,
    size: int,
    epsilon: float,
    width: int | None = None,
) -> Axes:
    """Draw the error of each strategy against the number of cells.

    Args:
      ax: Axes to draw on.
      size: the number that is marked: 2, 4, 8 up to 4096, and at least `width`.
      epsilon, width: as in `strategy_range_error`.

    Returns:
      `ax`, both scales logarithmic, with a line for each strategy:
      the root of its mean squared error.

    Raises:
      ValueError: an argument is out of range.
    """
    sizes = [each for each in SIZES if each >= (width or 1)]
    if size not in sizes:
        raise ValueError(f"size must be one of {sizes}, got {size!r}")
    law = {"epsilon": epsilon, "width": width}
    ax.set_xscale("log", base=2)
    _draw_strategies(ax, "size", sizes, at=size, **law)
    ax.set_xticks(sizes[::3])
    return _describe(ax, "cells N")


def draw_width_errors(
    ax: Axes,
    *,
    width: int,
    size: int,
    epsilon: float,
) -> Axes:
    """Draw the error of each strategy against the number of cells in the range.

    Args:
      ax: Axes to draw on.
      width: the number that is marked, from 1 to `size`.
      size: number of cells, a power of two of at least 2.
      epsilon: as in `strategy_range_error`.

    Returns:
      `ax`, both scales logarithmic, with a line for each strategy:
      the root of its mean squared error.

    Raises:
      ValueError: an argument is out of range.
    """
    _places(size, width)
    widths = np.unique(np.append(np.geomspace(1, size, 25).round(), width)).astype(int)
    law = {"epsilon": epsilon, "size": size}
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(numticks=9))
    _draw_strategies(ax, "width", widths.tolist(), at=width, **law)
    return _describe(ax, "cells in the range")


def _draw_strategies(ax: Axes, parameter, places, *, at, **law) -> None:
    """Draw a line for each strategy over the places, and a ring for what was simulated."""

    def height(strategy):
        errors = [_cached_error(strategy=strategy, **{parameter: each}, **law) for each in places]
        return lambda place: np.interp(place, places, errors)

    curves = [Curve(LABELS[name], height(name), look) for name, look in LOOKS.items()]
    ax.set_yscale("log")
    draw_curves(ax, curves, places=places, at=at)
    ax.get_legend().remove()  # `draw_strategy_values` names the lines


@functools.lru_cache(maxsize=4096)  # a slider asks for the same lines at each of its stops
def _cached_error(**law) -> float:
    return strategy_range_error(**law)


def _describe(ax: Axes, x: str) -> Axes:
    plain_ticks(ax.xaxis)
    ticks_in_steps(ax.yaxis)
    return describe_axes(ax, x=x, y="error (people)")


def draw_strategy_values(
    ax: Axes,
    errors: Mapping[str, float],
    *,
    simulated: Mapping[str, float] | None = None,
) -> Axes:
    """Draw the errors of some strategies at one place, theory and simulation, a row for each.

    Args:
      ax: Axes to draw on.
      errors: {strategy: root of its mean squared error, > 0, in people}.
      simulated: the same from simulation, drawn as white dots.

    Returns:
      `ax`, on a logarithmic scale, with each strategy's line and mark of the other figures.

    Raises:
      ValueError: errors are not of known strategies, or not positive.
    """
    for name, error in errors.items():
        if name not in LOOKS:
            raise ValueError(f"errors must be of some of {list(LOOKS)}, got {name!r}")
        _validate.positive("errors", error)
    values = {LABELS[name]: error for name, error in errors.items()}
    looks = {LABELS[name]: look for name, look in LOOKS.items()}
    seen = {LABELS[name]: error for name, error in (simulated or {}).items()}
    return draw_values(ax, values, looks, simulated=seen, x="error (people)", y="○ simulated")


def tree_branching(branching: int, *, size: int) -> tuple[int, ...]:
    """Return how a tree splits, from the top: as often as possible into `branching` parts.

    Args:
      branching: a power of two from 2 to `size`.
      size: number of cells, a power of two of at least 2. What is left is split at the top.

    Raises:
      ValueError: an argument is out of range.
    """
    cells, parts = _validate.whole("size", size, least=2), _validate.whole("branching", branching)
    if cells & (cells - 1):
        raise ValueError(f"size must be a power of two, got {size!r}")
    if parts & (parts - 1) or not 2 <= parts <= cells:
        raise ValueError(f"branching must be a power of two from 2 to {cells}, got {branching!r}")
    levels = []
    while cells > 1:
        levels.insert(0, min(parts, cells))
        cells //= levels[0]
    return tuple(levels)


def draw_branching_errors(ax: Axes, *, branching: int, size: int, epsilon: float) -> Axes:
    """Draw the error of Boost over all ranges against the parts into which its nodes split.

    Args:
      ax: Axes to draw on.
      branching: the number that is marked, as in `tree_branching`.
      size: number of cells, a power of two of at least 4.
      epsilon: as in `strategy_range_error`.

    Returns:
      `ax`, both scales logarithmic, with a line for Boost, and for Privelet and flat noise (dashed)
      beside it.

    Raises:
      ValueError: an argument is out of range.
    """
    tree_branching(branching, size=size)
    law = {"size": size, "epsilon": epsilon}
    places = [2**power for power in range(1, int(size).bit_length())]
    boost = [
        _cached_error(strategy="boost", branching=tree_branching(each, size=size), **law)
        for each in places
    ]
    flat, haar = (_cached_error(strategy=name, **law) for name in ("flat", "privelet"))
    curves = [
        Curve("Boost", lambda place: np.interp(place, places, boost), LOOKS["boost"]),
        Curve("Privelet", lambda place: 0.0 * place + haar, LOOKS["privelet"]),
        Curve("flat", lambda place: 0.0 * place + flat, LOOKS["flat"]),
    ]
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    draw_curves(ax, curves, places=np.array(places), at=branching)
    ax.get_legend().remove()  # `draw_strategy_values` names the lines
    ax.set_xticks(places[::3])
    return _describe(ax, "parts of a node")
