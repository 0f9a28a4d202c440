"""Figures of range queries: how exact each strategy is, with theory over simulation."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.clouds import SHARES, draw_sizes
from dplib.plots.parts.curves import FIRST, FOURTH, REFERENCE, SECOND
from dplib.plots.parts.style import describe_axes, rounded
from dplib.ranges import (
    answer_ranges,
    average_range_error,
    range_error,
    range_sensitivity,
    release_ranges,
    release_tree,
    tree_answers,
)

LOOKS = {
    "flat": REFERENCE,
    "binary": FOURTH,
    "boost": SECOND,
    "privelet": FIRST,
}
LABELS = {"flat": "flat", "binary": "tree", "boost": "Boost", "privelet": "Privelet"}
SIZES = tuple(2**power for power in range(1, 13))
_SPAN = 1500  # how many times the least error on the axis the largest one is


def strategy_range_error(
    *, size: int, strategy: str, epsilon: float, width: int | None = None, branching=2
) -> float:
    """Return the root of the mean squared error of ranges, in people (add_remove).

    Args:
      size, strategy, branching: as in `range_error`.
      epsilon: privacy cost of the whole release, > 0, without unit.
      width: number of cells in the range, from 1 to `size`: the mean is over all its places; None
        for the mean over all ranges.

    Returns:
      The error for the discrete Laplace noise of `release_ranges` and `release_tree`.

    Raises:
      ValueError: an argument is out of range.

    Source: as `range_error`; the variance is that of Ghosh, Roughgarden & Sundararajan (2009).
    """
    scheme = {"size": size, "strategy": strategy, "branching": branching}
    noise = node_noise(**scheme, epsilon=epsilon)
    if width is None:
        return math.sqrt(average_range_error(**scheme)) * noise
    left = _places(size, width)
    return math.sqrt(np.mean(range_error(left, left + width - 1, **scheme))) * noise


def node_noise(*, size: int, strategy: str, epsilon: float, branching=2) -> float:
    """Return the standard deviation of each noisy number of a strategy, in people (add_remove).

    Args:
      size, strategy, branching, epsilon: as in `strategy_range_error`.

    Raises:
      ValueError: an argument is out of range.
    """
    sensitivity = range_sensitivity(size=size, strategy=strategy, branching=branching)
    ratio = _validate.positive("epsilon", epsilon) / sensitivity
    # Of `discrete_laplace`: 2 q / (1 - q)^2 with q = exp(-epsilon / sensitivity).
    return math.sqrt(2 * math.exp(-ratio)) / -math.expm1(-ratio)


def _places(size: int, width: int) -> np.ndarray:
    """Return the first cells of all ranges of this width; ValueError unless they fit."""
    cells = _validate.whole("size", size)
    if _validate.whole("width", width) > cells:
        raise ValueError(f"width must be at most size = {cells}, got {width!r}")
    return np.arange(1, cells - int(width) + 2)


def simulated_answers(
    *,
    size: int,
    strategy: str,
    epsilon: float,
    width: int | None = None,
    branching=2,
    runs: int | None = None,
    rng=None,
) -> np.ndarray:
    """Return how far off ranges are in many releases, in people: shape (releases, ranges).

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
        return tree_answers(release_tree(exact, **law), *ends.T)
    counts = release_ranges(exact, strategy=strategy, branching=branching, **law)
    return answer_ranges(counts, *ends.T)


def draw_range_clouds(
    ax: Axes, answers: Mapping[str, np.ndarray], errors: Mapping[str, float], *, reach: float
) -> Axes:
    """Draw how far off simulated ranges are, a cloud for each strategy, on a logarithmic scale.

    Args:
      ax: Axes to draw on.
      answers: {strategy: `simulated_answers`}.
      errors: {strategy: root of its mean squared error, > 0, in people}, written beside the name.
      reach: the end of the axis, > 0, in people.

    Returns:
      `ax`, with 50 dots for each strategy, spread evenly over the sizes of its errors, and a line
      at the error. How many dots are too close to 0 for the axis stands at its start.

    Raises:
      ValueError: errors are not of known strategies, or not positive, or reach is not.
    """
    least = _validate.positive("reach", reach) / _SPAN
    for name, error in errors.items():
        if name not in LOOKS:
            raise ValueError(f"errors must be of some of {list(LOOKS)}, got {name!r}")
        _validate.positive("errors", error)
    # No number is longer than "20.3": a longer one would be cut off at another stop.
    digits = {name: 3 if error >= 1 else 2 for name, error in errors.items()}
    names = {name: f"{LABELS[name]}  {rounded(errors[name], digits[name])}" for name in errors}
    sizes = {names[name]: np.quantile(np.abs(answers[name]), SHARES) for name in errors}
    looks = [LOOKS[name] for name in errors]
    marks = {"looks": looks, "typical": list(errors.values()), "written": False}
    draw_sizes(ax, sizes, window=(least, reach), **marks)
    label = "off by (people, steps × 10); line: the error"
    return describe_axes(ax, x=label, y="50 answers (◁ less)")


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
