"""Figures of synthetic data: ranges answered from it, and its marginals beside the real ones."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.clouds import SHARES, draw_cloud
from dplib.plots.parts.curves import FIRST, SECOND, THIRD
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import (
    BEHIND_WORDS,
    BLACK,
    GREY,
    ORANGE,
    add_legend,
    describe_axes,
    in_digits,
)
from dplib.synthetic import exact_counts, noisy_counts, row_count, shares, spread

_ZERO = 2e-5  # per cent: where errors of 0 stand on a logarithmic axis


def released_errors(
    values: pd.Series, *, categories, inside, epsilon: float, runs: int = 40, rng=None
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many people are in each category, and how far off synthetic tables are.

    Args:
      values: Series of shape (n,), n >= 1, one value a person.
      categories: the public categories in order.
      inside: the first and the last category that are looked at.
      epsilon: of one synthetic table, > 0, without unit.
      runs: number of synthetic tables, a whole number of at least 1.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The exact counts, shape (m,), and the errors of the tables' counts, shape (runs, m).

    Raises:
      ValueError: an argument is out of range.
    """
    if not isinstance(values, pd.Series) or values.empty:
        raise ValueError(f"values must be a Series with at least one row, got {values!r}")
    table = pd.DataFrame({"value": values.to_numpy()})
    exact, generator = exact_counts(table, {"value": categories}), _validate.generator(rng)
    part = _part(list(categories), inside)
    released = []
    # As private_marginal and synthesize, which would read the table again in each run.
    for _ in range(_validate.whole("runs", runs)):
        noisy = noisy_counts(exact, epsilon=epsilon, neighbors="add_remove", rng=generator)
        rows = spread(shares(noisy), row_count(None, noisy.sum()), generator)
        released.append(np.bincount(rows, minlength=len(exact)))
    return exact[part], (np.array(released) - exact)[:, part]


def _part(categories: list, inside) -> slice:
    """Return the places from the first to the last of the two categories; ValueError otherwise."""
    try:
        first, last = (categories.index(each) for each in inside)
    except (TypeError, ValueError):
        first, last = 1, 0
    if first > last:
        raise ValueError(f"inside must be a first and a last of the categories, got {inside!r}")
    return slice(first, last + 1)


def range_errors(exact, errors, *, width: int, epsilon: float) -> pd.DataFrame:
    """Return how far off ranges of one width are, in per cent of the people in them on average.

    Args:
      exact, errors: as `released_errors` returns them; a range holds neighboring categories.
      width: categories in a range, a whole number of at least 1 and at most all.
      epsilon: of one synthetic table, and of one direct answer, > 0, without unit.

    Returns:
      DataFrame of sizes of errors: "synthetic", from the tables, one for each table and range;
      "direct", one answer of the Laplace mechanism, as many that share its law evenly; "split", the
      same if epsilon is shared by all ranges of this width.

    Raises:
      ValueError: an argument is out of range.
    """
    counts, off = _validate.vector("exact", exact), _validate.matrix("errors", errors)
    if off.shape[1:] != counts.shape:
        raise ValueError(f"errors must have shape (runs, {len(counts)}), got {off.shape}")
    if _validate.whole("width", width) > len(counts):
        raise ValueError(f"width must be at most {len(counts)}, got {width!r}")
    people = _window_sums(counts, width).mean()
    missed = np.abs(_window_sums(off, width)).ravel()
    ranges = len(counts) + 1 - width
    # Dwork & Roth (2014), definition 3.3: the size of the noise is exponential, its mean 1/epsilon.
    steps = (np.arange(missed.size) + 0.5) / missed.size
    direct = -np.log(1 - steps) / _validate.positive("epsilon", epsilon)
    found = {"synthetic": missed, "direct": direct, "split": ranges * direct}
    return 100 * pd.DataFrame(found) / people


def _window_sums(counts: np.ndarray, width: int) -> np.ndarray:
    before = np.insert(np.cumsum(counts, axis=-1), 0, 0, axis=-1)
    return before[..., width:] - before[..., :-width]


def draw_range_errors(ax: Axes, errors: pd.DataFrame) -> Axes:
    """Draw how far off answers to ranges are, from synthetic rows and directly: dots for each.

    Args:
      ax: Axes to draw on.
      errors: as `range_errors` returns it.

    Returns:
      `ax`, on a logarithmic scale, with fifty dots in a row for each way, and its mean as a line
      with its number. Errors of 0 have no place on it: they have a column of their own at the left.

    Raises:
      ValueError: errors has no such columns, or holds other values.
    """
    names = ["synthetic", "direct", "split"]
    if not isinstance(errors, pd.DataFrame) or list(errors.columns) != names:
        raise ValueError(f"errors must be a DataFrame with the columns {names}, got {errors!r}")
    if (sizes := _validate.finite_array("errors", errors)).min() < 0:
        raise ValueError(f"errors must be at least 0, got {sizes.min()}")
    labels = ["from the rows", "one direct", "all direct"]
    rows = name_rows(ax, labels)
    for row, label, column, look in zip(rows, labels, names, (FIRST, SECOND, THIRD), strict=True):
        places = np.quantile(errors[column], SHARES)
        draw_cloud(ax, np.where(places == 0, _ZERO, places), row, look, label, height=0.5)
        mean = errors[column].mean()
        ax.plot([mean, mean], [row - 0.4, row + 0.4], color=BLACK, linewidth=2)
        words = f"{in_digits(mean, 2) if mean else 0} %"
        # Above its row, where the one above has no dots.
        beside = {"textcoords": "offset points", "in_layout": False, "bbox": BEHIND_WORDS}
        ax.annotate(words, (mean, row + 0.32), (4, 0), **beside)
    ax.set(xscale="log", xlim=(_ZERO / 2, 200), ylim=(-2.5, 0.8))
    ax.set_xticks([_ZERO, 1e-3, 0.1, 10], ["0", "0.001", "0.1", "10"])
    ax.set_xticks([], minor=True)
    return describe_axes(ax, x="error (% of the people in the range)", y="answers")


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
