"""Figures of synthetic data: ranges answered from it, and its marginals beside the real ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.curves import FIRST, SECOND, THIRD, Curve, draw_curves, plain_ticks
from dplib.plots.parts.named_rows import name_rows, ticks_in_steps
from dplib.plots.parts.style import BLACK, GREY, ORANGE, add_legend, describe_axes
from dplib.synthetic import exact_counts, private_marginal, synthesize

__all__ = ["draw_marginals", "draw_range_shares", "range_shares"]


def range_shares(
    values: pd.Series, *, categories, inside, epsilon: float, runs: int = 40, rng=None
) -> pd.DataFrame:
    """Return how far off ranges of each width are, in per cent of the people in them.

    Every range of that width counts: the sum of the sizes of the errors over all of them is divided
    by the sum of the exact answers.

    Args:
      values: Series of shape (n,), n >= 1, one value a person.
      categories: the public categories in order; a range holds neighboring ones.
      inside: the first and the last category that a range may hold.
      epsilon: of one synthetic table, and of one direct answer, > 0, without unit.
      runs: number of synthetic tables, a whole number of at least 1.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      DataFrame indexed by width from 1: "synthetic", from rows of `synthesize`, measured; "direct",
      one answer of the Laplace mechanism, whose mean absolute error is 1 / epsilon; "split", the
      same if epsilon is shared by all ranges of this width.

    Raises:
      ValueError: an argument is out of range.
    """
    if not isinstance(values, pd.Series) or values.empty:
        raise ValueError(f"values must be a Series with at least one row, got {values!r}")
    law = {"categories": {"value": categories}, "epsilon": epsilon}
    table = pd.DataFrame({"value": values.to_numpy()})
    exact, generator = exact_counts(table, law["categories"]), _validate.generator(rng)
    part = _part(list(categories), inside)
    released = []
    for _ in range(_validate.whole("runs", runs)):
        rows = synthesize(private_marginal(table, **law, rng=generator), rng=generator)
        released.append(exact_counts(rows, law["categories"]))
    off, exact = (np.array(released) - exact)[:, part], exact[part]
    widths = np.arange(1, len(exact) + 1)
    people, missed = (
        np.array([_window_sizes(counts, width) for width in widths]) for counts in (exact, off)
    )
    ranges = len(exact) + 1 - widths
    direct = 100 / epsilon * ranges / people
    found = {"synthetic": 100 * missed / people, "direct": direct, "split": ranges * direct}
    return pd.DataFrame(found, index=pd.Index(widths, name="width"))


def _part(categories: list, inside) -> slice:
    """Return the places from the first to the last of the two categories; ValueError otherwise."""
    try:
        first, last = (categories.index(each) for each in inside)
    except (TypeError, ValueError):
        first, last = 1, 0
    if first > last:
        raise ValueError(f"inside must be a first and a last of the categories, got {inside!r}")
    return slice(first, last + 1)


def _window_sizes(counts: np.ndarray, width: int) -> float:
    """Return the sum of |counts summed over a window| over all windows, averaged over rows."""
    before = np.insert(np.cumsum(counts, axis=-1), 0, 0, axis=-1)
    return np.abs(before[..., width:] - before[..., :-width]).sum(axis=-1).mean()


def draw_range_shares(ax: Axes, shares: pd.DataFrame, *, width: int, x: str) -> Axes:
    """Draw how far off ranges are, against their width.

    Args:
      ax: Axes to draw on.
      shares: as `range_shares` returns it.
      width: the one that is marked, in its index.
      x: what the x axis measures, with its unit.

    Returns:
      `ax`, both scales logarithmic, with a line for the synthetic rows (solid) and the direct
      answers.

    Raises:
      ValueError: shares has no such columns, or width is not in its index.
    """
    names = ["synthetic", "direct", "split"]
    if not isinstance(shares, pd.DataFrame) or list(shares.columns) != names:
        raise ValueError(f"shares must be a DataFrame with the columns {names}, got {shares!r}")
    if width not in shares.index:
        raise ValueError(f"width must be in the index of shares, got {width!r}")
    places = shares.index.to_numpy(dtype=float)

    def height(name):
        return lambda place: np.interp(place, places, shares[name])

    looks = {"synthetic": FIRST, "direct": SECOND, "split": THIRD}
    labels = {"synthetic": "synthetic", "direct": "one direct", "split": "all direct"}
    curves = [Curve(labels[name], height(name), looks[name]) for name in names]
    ax.set(xscale="log", yscale="log")
    draw_curves(ax, curves, places=places, at=width)
    ticks_in_steps(ax.xaxis)
    plain_ticks(ax.yaxis)
    return describe_axes(ax, x=x, y="error (% of the people in the range)")


def draw_marginals(ax: Axes, real: pd.Series, synthetic: pd.Series, *, y: str) -> Axes:
    """Draw the counts of a real and of a synthetic table side by side, a row for each category.

    Args:
      ax: Axes to draw on.
      real, synthetic: Series of counts of at least 0, with the same index, the categories.
      y: what the rows are.

    Returns:
      `ax`, people on a scale that is logarithmic from 1 on, with a hollow diamond for each real
      count and a dot for each synthetic one.

    Raises:
      ValueError: the counts are out of range, or their indices differ.
    """
    counts = [_counts("real", real), _counts("synthetic", synthetic)]
    if not real.index.equals(synthetic.index):
        raise ValueError(f"synthetic must have the index of real, got {synthetic.index!r}")
    rows = name_rows(ax, real.index)
    ax.hlines(rows, *counts, color=GREY, linewidth=2, zorder=1)
    diamond = {"markerfacecolor": "none", "markersize": 9, "markeredgewidth": 1.5}
    ax.plot(counts[0], rows, "D", color=BLACK, label="real", clip_on=False, **diamond)
    ax.plot(counts[1], rows, "o", color=ORANGE, label="synthetic", clip_on=False, markersize=6)
    ax.set_xscale("symlog", linthresh=1, linscale=0.3)
    ax.set(xlim=(0, 5e4))
    ax.set_xticks([0, 10, 1000], ["0", "10", "1,000"])
    add_legend(ax)
    return describe_axes(ax, x="people", y=y)


def _counts(name: str, value) -> np.ndarray:
    if not isinstance(value, pd.Series):
        raise ValueError(f"{name} must be a Series, got {type(value).__name__}")
    counts = _validate.finite_array(name, value)
    if (counts < 0).any():
        raise ValueError(f"{name} must hold counts of at least 0, got {value!r}")
    return counts
