"""The colours, axes and legend of every figure. All readers can tell the colours apart."""

import math

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.transforms import ScaledTranslation

# Okabe & Ito (2008), "Color universal design": safe for the common kinds of colour blindness.
# A figure never tells things apart by colour alone: line style or shape differs too.
# Black is the page's ink, dashed for the truth or the law. Orange is what is released, and what is
# yours; blue is what it is compared with, sky what is allowed or lies behind, green what has
# passed. Checks, guesses and the site's pages say the same: a test reads the colours here.
BLACK, BLUE, ORANGE, SKY, GREY = "#000000", "#0072B2", "#D55E00", "#56B4E9", "#808080"
GREEN, PINK = "#009E73", "#CC79A7"
# The sky of lines and small marks: SKY itself is for surfaces, too pale for a line on white.
DEEP_SKY = "#3A96CE"
# The box of words, in white, the page's own colour: no line and no dot strikes them.
BEHIND_WORDS = {"facecolor": "#ffffff", "edgecolor": "none", "pad": 0.5}


def describe_axes(ax: Axes, *, x: str, y: str) -> Axes:
    """Say what both axes measure, and in which units; leave no frame that carries no number.

    The label of the y axis stands level, above the axis: it reads faster so, and leaves the width
    to the data on a narrow screen.
    """
    ax.set_xlabel(x)
    ax.set_title(y, loc="left", fontsize="medium")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def rounded(number: float, digits: int = 2) -> str:
    """Write a number with so many leading digits, and without a power of ten."""
    return f"{float(f'{number:.{digits}g}'):,.10g}"


def in_digits(number: float, digits: int) -> str:
    """Write a number above 0 with so many leading digits, and its last zeros: 2.90 beside 2.89."""
    value = float(f"{number:.{digits}g}")
    return f"{value:,.{max(0, digits - 1 - math.floor(math.log10(value)))}f}"


def of_hundred(number: float) -> str:
    """Write a number from 0 to 100, in two digits of what it is away from 0 and from 100."""
    gap = min(number, 100 - number)
    if gap <= 0:
        return f"{number:,.0f}"
    if gap < 0.01:
        return "< 0.01" if number < 50 else "> 99.99"
    return f"{number:.{max(0, 1 - math.floor(math.log10(gap)))}f}"


def add_legend(ax: Axes, *, columns: int = 3) -> Axes:
    """Name the lines in one row above the axes and its y label, where no line can run through."""
    points = FontProperties(size="medium").get_size_in_points()
    above = ax.transAxes + ScaledTranslation(0, 1.5 * points / 72, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        bbox_transform=above,
        ncols=columns,
        frameon=False,
        borderaxespad=0,
        borderpad=0.2,
        handlelength=1.5,
        handletextpad=0.4,
        columnspacing=1.0,
    )
    return ax
