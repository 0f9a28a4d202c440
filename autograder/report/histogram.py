"""The figure of a report: a histogram of the scores. Only this module uses matplotlib."""

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from autograder.printable import counted

# Stand-ins for the page's own colours: the figure follows it from light to dark.
_COLOURS = {"#010203": "var(--ink)", "#040506": "var(--bar)", "#070809": "var(--line)"}
_INK, _BAR, _LINE = _COLOURS
_SETTINGS = {
    "svg.hashsalt": "report",  # the same scores give the same page
    "font.size": 11,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_MOST_BARS = 31


@dataclass(frozen=True)
class Figure:
    """A drawing to stand in a page.

    Attributes:
      box: the `viewBox` of its SVG element.
      drawing: the element's content. It holds no student's text.
      words: its description.
    """

    box: str
    drawing: str
    words: str


def described_scores(scores: Sequence[float], most: float) -> str:
    """Return the figure's description."""
    what = f"{counted(len(scores), 'score')} out of {most:g} points"
    numbers = f"lowest {min(scores):.4g}, median {median(scores):.4g}, highest {max(scores):.4g}"
    return f"{what}: {numbers}."


def scores_figure(scores: Sequence[float], most: float) -> Figure:
    """Return a histogram of the scores.

    Args:
      scores: at least one.
      most: the points to be had.
    """
    # Not pyplot: nothing outlives the figure.
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Drawing
    from matplotlib.ticker import MaxNLocator

    target = io.StringIO()
    with rc_context(_SETTINGS):
        figure = Drawing(figsize=(4.6, 2.5), layout="constrained")
        axes = figure.subplots()
        axes.hist(scores, bin_edges(scores, most), color=_BAR, edgecolor="none", rwidth=0.88)
        axes.axvline(median(scores), color=_LINE, linestyle="--", linewidth=2)
        axes.set_xlabel(f"points (of {most:g})")
        axes.set_ylabel("students")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        figure.savefig(target, format="svg", transparent=True, metadata={"Date": None})
    return Figure(*_inner(target.getvalue()), described_scores(scores, most))


def bin_edges(scores: Sequence[float], most: float) -> list[float]:
    """Return the bars' edges: around each whole number of points, or of several points."""
    low, high = math.floor(min(0, *scores)), math.ceil(max(most, *scores))
    step = math.ceil((high - low + 1) / _MOST_BARS)
    bars = math.ceil((high - low + 1) / step)
    return [low - 0.5 + step * bar for bar in range(bars + 1)]


def _inner(text: str) -> tuple[str, str]:
    """Return the box of matplotlib's drawing and what is in it: no addresses, our colours."""
    text = text[text.index("<svg") : text.rindex("</svg>")]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    head, drawing = text.split(">", 1)
    for stand_in, colour in _COLOURS.items():
        drawing = drawing.replace(stand_in, colour)
    return re.search(r'viewBox="([^"]*)"', head)[1], drawing.strip()
