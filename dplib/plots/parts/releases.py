"""Figures of a function's own releases, beside the law that they should follow."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.clouds import spread
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.outside import count_outside
from dplib.plots.parts.style import BLACK, GREY, ORANGE, add_legend, describe_axes

FEW = 100  # releases: fewer are dots, one on the other where they are near each other
_DOT, _HIGHEST = 1 / 6, 3  # times the law's peak: the most a dot is high, and all that is drawn
_BINS, _MANY = 60, 300  # half as many steps for fewer releases, which luck would make ragged
_SEEN = 50  # releases that are drawn where all of them stand close together
_NARROW = 2.5  # a ghost that is narrower by more is too high to be drawn beside its law
_LEFT_OUT = 0.005  # of the law, on each side
_STEPS = np.array([0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8])  # from the middle to a number
_FILL = 0.7  # of a surface, as in the figure of a check: the law is seen on it


def draw_releases(
    ax: Axes,
    releases,
    law,
    *,
    x: str,
    ghost=None,
    name: str = "yours",
    window: float | None = None,
    y: str = "density",
) -> Axes:
    """Draw releases and the density that they should follow.

    Args:
      ax: Axes to draw on.
      releases: what a mechanism gave, shape (n,); those outside the window are not seen. Empty for
        none.
      law: one of `dplib.plots.parts.laws`, or a symmetric and frozen distribution of scipy.
      x: what a release is, with its unit, in parentheses.
      ghost: a name and another law to compare with, if any; drawn where its middle is in view, and
        it is not so narrow that this law would look flat beside it.
      name: of the releases.
      window: how far the axis reaches to both sides of the law's middle, > 0; None: as far as
        nearly all of the law.
      y: what the height is.

    Returns:
      `ax`, with the line "the law" and the releases: steps, or below 100 of them a pile of dots in
      the place of each step. At the edges stands how many lie outside.
    """
    centre, reach = law.median(), law_reach(law)
    window = 1.1 * reach if window is None else _validate.positive("window", window)
    low, high = centre - window, centre + window
    seen = np.asarray(releases, dtype=float)
    bins = max(_BINS, round(24 * window / reach)) // (1 if len(seen) >= _MANY else 2)
    highest = float(law.pdf(centre))
    tallest = _draw_seen(ax, seen, np.linspace(low, high, bins + 1), highest, name)
    _draw_law(ax, law, (low, high), label="the law", color=BLACK, linestyle="--")
    if ghost is not None and _is_beside(ghost[1], highest, low, high):
        look = {"label": ghost[0], "color": GREY, "linestyle": ":", "zorder": 1}
        _draw_law(ax, ghost[1], (low, high), **look)
        highest = max(highest, float(ghost[1].pdf(ghost[1].median())) / 1.2)
    top = max(1.3 * highest, min(1.1 * tallest, _HIGHEST * highest))
    ax.set(xlim=(low, high), ylim=(0, top), yticks=[])  # the area counts, not the height
    count_outside(ax, seen, (low, high), height=1.1 * highest)
    _number_places(ax, centre, window)
    return add_legend(describe_axes(ax, x=x, y=y))


def law_reach(law) -> float:
    """Return how far nearly all of a symmetric law lies from its middle."""
    return float(law.ppf(1 - _LEFT_OUT) - law.median())


def _is_beside(ghost, highest: float, low: float, high: float) -> bool:
    peak = float(ghost.pdf(ghost.median()))
    return low < ghost.median() < high and peak < _NARROW * highest


def _draw_law(ax: Axes, law, ends: tuple[float, float], **look) -> None:
    places = _places(law, *ends)
    ax.plot(places, law.pdf(places), linewidth=2, **look)


def _number_places(ax: Axes, centre: float, window: float) -> None:
    """Write the middle below the axis in full, and how far it is to a place on each side."""
    # Near an end a number would be cut off, and near the middle two would touch.
    power = 10.0 ** math.floor(math.log10(0.8 * window))
    step = max(each for each in _STEPS * power if each < 0.8 * window)
    middle = _short(round(centre, 1 - math.floor(math.log10(step))))
    names = [f"\N{MINUS SIGN}{_short(step)}", middle, f"+{_short(step)}"]
    ax.set_xticks([centre - step, centre, centre + step], names)


def _short(number: float) -> str:
    return f"{number:,.10g}" if abs(number) < 1e6 else f"{number / 1e6:,.10g} million"


def _places(law, low: float, high: float) -> np.ndarray:
    """Return where a curve is drawn: close to the peak of a narrow law too."""
    near = law.ppf(np.linspace(_LEFT_OUT, 1 - _LEFT_OUT, 101))
    places = np.concatenate([np.linspace(low, high, 101), near, [law.median()]])
    return np.unique(places[(places >= low) & (places <= high)])


def _draw_seen(ax: Axes, releases: np.ndarray, edges: np.ndarray, peak: float, name: str) -> float:
    """Draw releases, as piles of dots where they are few; return how high the highest pile is."""
    # Divided by all releases: where many lie outside, what is drawn stays below the law.
    each = 1 / (max(len(releases), 1) * (edges[1] - edges[0]))
    counts = np.histogram(releases, edges)[0]
    if len(releases) >= FEW:
        ax.stairs(counts * each, edges, fill=True, color=ORANGE, alpha=_FILL, label=name)
        return float(counts.max() * each)
    each = min(each, _DOT * peak)
    steps = np.digitize(releases, edges)
    places = [np.sum(steps[:number] == step) for number, step in enumerate(steps)]
    if len(releases):
        heights = each * (np.array(places) + 0.5)
        ax.plot(releases, heights, "o", color=ORANGE, markersize=5, label=name)
    return float(counts.max() * each)


def draw_whole(ax: Axes, releases, *, truth: float, x: str, y: str) -> Axes:
    """Draw where releases lie on the way from 0 to the exact answer, which some of them miss.

    Args:
      ax: Axes to draw on.
      releases: what a mechanism gave, shape (n,); the first fifty are drawn.
      truth: the exact answer, > 0.
      x: what a release is, with its unit, in parentheses.
      y: what the exact answer is.

    Returns:
      `ax`, with a dot for each release and the exact answer dashed.

    Raises:
      ValueError: truth is not positive.
    """
    exact, seen = _validate.positive("truth", truth), np.asarray(releases, dtype=float)[:_SEEN]
    ax.plot(seen, spread(0, len(seen)), "o", color=ORANGE, markersize=4, label="_seen")
    ax.axvline(exact, color=BLACK, linestyle="--", linewidth=2, label="_exact")
    window = (0, 1.2 * exact)
    ax.set(xlim=window, ylim=(-0.5, 0.7), yticks=[])
    count_outside(ax, seen, window, height=0.6, key=False)  # the panel beside it has one
    ax.locator_params(axis="x", nbins=2)
    ax.xaxis.set_major_formatter("{x:,.10g}")
    return describe_axes(ax, x=x, y=y)


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
    ax.set_xlim(-0.03, 1.05)  # a diamond at 0 stands clear of its name
    ax.set_xticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    return add_legend(describe_axes(ax, x="share of releases", y="outcome"))
