"""Figures of choosing: how likely each candidate is, and what the gap to the second best does."""

from typing import Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.curves import FIRST, SECOND, draw_bars
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.squares import fill_squares
from dplib.plots.parts.style import GREY, ORANGE, SKY, describe_axes, of_hundred
from dplib.selection import permute_and_flip_probabilities, selection_probabilities

# Darts, the same at every epsilon: what changes is whose piece they hit.
_DARTS = 100 * (np.arange(1, 51) * 0.618034 % 1)


def draw_selection_probabilities(
    ax: Axes,
    scores: pd.Series,
    *,
    epsilon: float,
    sensitivity: float = 1,
    monotone: bool = True,
    shown: int = 6,
) -> Axes:
    """Draw fifty darts thrown at a line that the candidates share: each chooses where it lands.

    Args:
      ax: Axes to draw on.
      scores: Series of one score for each candidate, shape (m,), indexed by their names.
      epsilon, sensitivity, monotone: as in `selection_probabilities`.
      shown: how many candidates get a row of their own, the best ones; the others share one.

    Returns:
      `ax`, with each candidate's piece of the line in a row of its own, its chance at the right, in
      per cent, its score beside the name, and the darts in the rows of the pieces that they hit.

    Raises:
      ValueError: an argument is out of range.

    Source: McSherry & Talwar (2007).
    """
    if not isinstance(scores, pd.Series):
        raise ValueError(f"scores must be a Series, got {type(scores).__name__}")
    shown = _validate.whole("shown", shown)
    law = {"epsilon": epsilon, "sensitivity": sensitivity, "monotone": monotone}
    chances = 100 * pd.Series(selection_probabilities(scores, **law), index=scores.index)
    best = scores.sort_values(ascending=False).index[:shown]
    names, heights = [f"{name}  {scores[name]:,.10g}" for name in best], list(chances[best])
    if len(scores) > shown:
        names.append(f"the other {len(scores) - shown}")
        heights.append(chances.drop(best).sum())
    rows, heights = name_rows(ax, names), np.array(heights)
    ends = np.cumsum(heights)
    draw_bars(ax, ends - heights, 0.7, width=heights, bottom=rows - 0.35, color=SKY)
    hit = np.minimum(np.searchsorted(ends, _DARTS), len(rows) - 1)
    levels = rows[hit] + 0.5 * (np.arange(len(_DARTS)) / len(_DARTS) - 0.5)
    ax.plot(_DARTS, levels, "o", color=ORANGE, markersize=4, label="darts")
    for row, chance in zip(rows, heights, strict=True):
        ax.text(104, row, f"{of_hundred(chance)} %", va="center")
    ax.set_xlim(0, 142)
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.xaxis.set_major_formatter("{x:.0f} %")
    return describe_axes(ax, x="where fifty darts land", y="candidate and score (people)")


def best_chances(gap, *, candidates: int, epsilon: float, sensitivity: float = 1) -> tuple:
    """Return the chance of the best candidate when all others lie `gap` below it.

    Args:
      gap: between the best score and all others, >= 0, a number or shape (n,), units of the score.
      candidates: their number m, a whole number of at least 2.
      epsilon, sensitivity: as in `exponential_mechanism`; the scores need not be monotone.

    Returns:
      Two numbers or arrays: exponential mechanism, permute-and-flip.

    Raises:
      ValueError: an argument is out of range.

    Source: McSherry & Talwar (2007); McKenna & Sheldon (2020).
    """
    gaps = _validate.finite_array("gap", gap)
    if (gaps < 0).any():
        raise ValueError(f"gap must be at least 0, got {gap!r}")
    m = _validate.whole("candidates", candidates, least=2)
    law = {"epsilon": epsilon, "sensitivity": sensitivity}
    chances = [
        [chance(np.append(0, np.full(m - 1, -each)), **law)[0] for each in gaps.flat]
        for chance in (selection_probabilities, permute_and_flip_probabilities)
    ]
    return tuple(_validate.like_input(np.reshape(each, gaps.shape)) for each in chances)


def draw_gap(ax: Axes, *, gap: float, candidates: int = 16, largest: float = 200) -> Axes:
    """Draw the scores of the candidates: the best one, and all others, which are alike.

    Args:
      ax: Axes to draw on.
      gap: how far the best is ahead, from 0 to `largest`, in units of the scores.
      candidates: their number, a whole number of at least 2.
      largest: the end of the axis, > 0.

    Returns:
      `ax`, with a bar and a diamond for the best, and a circle for each other one.

    Raises:
      ValueError: an argument is out of range.
    """
    end, others = _validate.positive("largest", largest), _others(candidates)
    if not 0 <= _validate.number("gap", gap) <= end:
        raise ValueError(f"gap must lie between 0 and {largest!r}, got {gap!r}")
    look = {"markerfacecolor": "none", "markeredgecolor": GREY, "markersize": 6, "linestyle": ""}
    ax.plot(np.zeros(others), -1 - np.arange(others), "o", label="others", clip_on=False, **look)
    ax.plot([0, gap], [0, 0], color=ORANGE, linewidth=3)
    ax.plot([gap], [0], "D", color=ORANGE, markersize=9, label="the best", clip_on=False)
    ax.set(xlim=(0, 1.05 * end), ylim=(-others - 0.7, 1.2), yticks=[])
    ax.locator_params(axis="x", nbins=3)
    named = f"1 ahead of {others}" if gap > 0 else f"{others + 1} alike"
    return describe_axes(ax, x="ahead by (people)", y=named)


def draw_best_chance(
    ax: Axes,
    *,
    mechanism: Literal["exponential", "permute-and-flip"],
    gap: float,
    candidates: int = 16,
    epsilon: float = 0.1,
    sensitivity: float = 1,
) -> Axes:
    """Draw a hundred choices of a mechanism: how many of them are the best candidate.

    Args:
      ax: Axes to draw on.
      mechanism: which of the two.
      gap, candidates, epsilon, sensitivity: as in `best_chances`.

    Returns:
      `ax`, with a hundred squares, of which so many are filled, and their share above.

    Raises:
      ValueError: an argument is out of range.
    """
    looks = {"exponential": SECOND, "permute-and-flip": FIRST}
    if mechanism not in looks:
        raise ValueError(f"mechanism must be one of {list(looks)}, got {mechanism!r}")
    law = {"candidates": candidates, "epsilon": epsilon, "sensitivity": sensitivity}
    chances = dict(zip(looks, best_chances(gap, **law), strict=True))
    found = 100 * chances[mechanism]
    fill_squares(ax, found, across=10, rows=10, color=looks[mechanism].color)
    return describe_axes(ax, x=mechanism, y=f"{of_hundred(found)} of 100")


def _others(candidates) -> int:
    return _validate.whole("candidates", candidates, least=2) - 1
