"""Figures of a function's own releases, beside the law that they should follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import BLUE, ORANGE, SKY, add_legend, describe_axes

__all__ = ["draw_choices", "draw_releases"]

_BINS = 40
_ROOM = 130  # points, for the names of all rows together
_LEFT_OUT = 0.005  # of the law, on each side


def draw_releases(ax: Axes, releases, law, *, x: str) -> Axes:
    """Draw a histogram of releases and the density that they should follow.

    Args:
      ax: Axes to draw on.
      releases: what a mechanism gave, shape (n,); those outside the window are not seen. Empty for
        none.
      law: a continuous distribution of scipy, frozen.
      x: what a release is, with its unit, in parentheses.

    Returns:
      `ax`, with the steps "yours" and the line "the law".
    """
    low, high = law.ppf(_LEFT_OUT), law.ppf(1 - _LEFT_OUT)
    edges = np.linspace(low, high, _BINS + 1)
    places = np.union1d(np.linspace(low, high, 201), [law.median()])
    if len(releases):
        # Divided by all releases: where many lie outside, the steps stay below the law.
        heights = np.histogram(releases, edges)[0] / (len(releases) * (edges[1] - edges[0]))
        ax.stairs(heights, edges, fill=True, color=SKY, alpha=0.7, label="yours")
    ax.plot(places, law.pdf(places), color=ORANGE, linewidth=2, label="the law")
    ax.set_xlim(low, high)
    ax.set_ylim(0, 1.6 * float(law.pdf(law.median())))
    ax.locator_params(axis="x", nbins=4)
    # In full: an offset in a corner is hard to read.
    ax.xaxis.set_major_formatter(lambda place, _: f"{place:,.10g}")
    ax.set_yticks([])  # the area counts, not the height; and the labels would be cut off
    return add_legend(describe_axes(ax, x=x, y="density"))


def draw_choices(ax: Axes, choices: Sequence, law: Mapping) -> Axes:
    """Draw how often each outcome was chosen, and how often it should be.

    Args:
      ax: Axes to draw on.
      choices: what a mechanism chose, one outcome each; what the law does not know is not seen.
      law: outcome: probability, from the top row to the bottom row.

    Returns:
      `ax`, with the bars "yours" and the diamonds "the law".

    Raises:
      ValueError: the law is empty, or a probability is out of range.
    """
    chances = _validate.finite_array("law", list(law.values()))
    rows = name_rows(ax, [str(outcome) for outcome in law])
    ax.tick_params(axis="y", labelsize=min(11, _ROOM / len(law)))
    if len(choices):
        shares = [sum(choice == outcome for choice in choices) / len(choices) for outcome in law]
        ax.barh(rows, shares, height=0.6, color=SKY, label="yours")
    ax.plot(chances, rows, "D", color=BLUE, markersize=5, label="the law")
    ax.set_xlim(0, max(0.05, 1.15 * float(chances.max())))
    return add_legend(describe_axes(ax, x="share of releases", y=""))
