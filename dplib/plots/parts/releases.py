"""Figures of a function's own releases, beside the law that they should follow."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from dplib import _validate
from dplib.plots.parts.clouds import spread
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import BLACK, GREY, ORANGE, add_legend, describe_axes

_BINS = 60
_FEW = 100  # releases: fewer are dots
_STEP = math.sqrt(10)  # from one window to the next
_LEFT_OUT = 0.005  # of the law, on each side
_FILL = 0.7  # of a surface, as in the figure of a check: the law is seen on it


def draw_releases(ax: Axes, releases, law, *, x: str, ghost=None, name: str = "yours") -> Axes:
    """Draw releases and the density that they should follow.

    Args:
      ax: Axes to draw on.
      releases: what a mechanism gave, shape (n,); those outside the window are not seen. Empty for
        none.
      law: one of `dplib.plots.parts.laws`, or a symmetric and frozen distribution of scipy.
      x: what a release is, with its unit, in parentheses.
      ghost: a name and another law to compare with, if any; drawn where its middle is in view.
      name: of the releases.

    Returns:
      `ax`, with the line "the law" and the releases: steps, or below 100 of them a dot for each,
      at any height below the line. Laws that are nearly as wide have the same window, so that the
      eye sees which is wider.
    """
    centre, reach = law.median(), float(law.ppf(1 - _LEFT_OUT) - law.median())
    window = _STEP ** math.ceil(math.log(reach, _STEP))
    low, high = centre - window, centre + window
    _draw_seen(ax, np.asarray(releases, dtype=float), law, np.linspace(low, high, _BINS + 1), name)
    places = _places(law, low, high)
    look = {"color": BLACK, "linestyle": "--", "linewidth": 2}
    ax.plot(places, law.pdf(places), label="the law", **look)
    if ghost is not None and low < ghost[1].median() < high:
        places = _places(ghost[1], low, high)
        look = {"color": GREY, "linestyle": ":", "linewidth": 2, "zorder": 1}
        ax.plot(places, ghost[1].pdf(places), label=ghost[0], **look)
    # The narrowest law of this window is as high as the axis allows.
    highest = float(law.pdf(centre)) * reach / window * _STEP
    ax.set(xlim=(low, high), ylim=(0, 1.3 * highest))
    # A number near an end would be cut off.
    inner = MaxNLocator(4).tick_values(low, high)
    ax.set_xticks([place for place in inner if abs(place - centre) < 0.85 * window])
    # In full: an offset in a corner is hard to read.
    ax.xaxis.set_major_formatter(lambda place, _: f"{place:,.10g}")
    ax.set_yticks([])  # the area counts, not the height; and the labels would be cut off
    return add_legend(describe_axes(ax, x=x, y="density"))


def _places(law, low: float, high: float) -> np.ndarray:
    """Return where a curve is drawn: close to the peak of a narrow law too."""
    near = law.ppf(np.linspace(_LEFT_OUT, 1 - _LEFT_OUT, 101))
    places = np.concatenate([np.linspace(low, high, 101), near, [law.median()]])
    return np.unique(places[(places >= low) & (places <= high)])


def _draw_seen(ax: Axes, releases: np.ndarray, law, edges: np.ndarray, name: str) -> None:
    """Draw releases, as dots where they are few."""
    if len(releases) >= _FEW:
        # Divided by all releases: where many lie outside, the steps stay below the law.
        heights = np.histogram(releases, edges)[0] / (len(releases) * (edges[1] - edges[0]))
        ax.stairs(heights, edges, fill=True, color=ORANGE, alpha=_FILL, label=name)
    elif len(releases):
        # Dots of the law fill the area below its line evenly.
        heights = law.pdf(releases) * spread(0.5, len(releases))
        ax.plot(releases, heights, "o", color=ORANGE, markersize=5, label=name)


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
    if len(choices):
        shares = [sum(choice == outcome for choice in choices) / len(choices) for outcome in law]
        ax.barh(rows, shares, height=0.6, color=ORANGE, alpha=_FILL, label="yours")
    ax.plot(chances, rows, "D", color=BLACK, markersize=5, clip_on=False, label="the law")
    ax.set_xlim(0, 1.05)
    return add_legend(describe_axes(ax, x="share of releases", y=""))
