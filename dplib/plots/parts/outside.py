"""How many dots lie outside a picture: what is not seen is said."""

import numpy as np
from matplotlib.axes import Axes

from dplib.plots.parts.style import BEHIND_WORDS

_MARGIN = 0.14  # of the axis, at each end: room for an arrow and two digits
_KEY = "◁ ▷ outside"


def leave_margins(ax: Axes, window: tuple[float, float]) -> None:
    """Let the x axis, whose scale is set, go on at both ends of the window.

    No dot lies there: it is the place of the words of `count_outside`.
    """
    scale = ax.xaxis.get_transform()
    low, high = scale.transform(np.array(window, float))
    margin = (high - low) * _MARGIN / (1 - 2 * _MARGIN)
    ax.set_xlim(*scale.inverted().transform(np.array([low - margin, high + margin])))


def count_outside(
    ax: Axes, places, window: tuple[float, float], *, height: float, key: bool = True
) -> None:
    """Write at both ends of a row how many places lie beyond, if any do, and above what it is.

    Args:
      ax: Axes that show the window.
      places: of the dots of the row, shape (n,).
      window: the ends of the x axis, or what lies between its margins.
      height: of the words, on the y axis.
      key: whether there is room above for what the arrows mean.
    """
    below, above = int(np.sum(places < window[0])), int(np.sum(places > window[1]))
    look = {"va": "center", "fontsize": "small", "in_layout": False, "bbox": BEHIND_WORDS}
    beside = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points"}
    if below:
        ax.annotate(f"◁ {below}", (0, height), (2, 0), ha="left", **beside, **look)
    if above:
        ax.annotate(f"{above} ▷", (1, height), (-1, 0), ha="right", **beside, **look)
    if key and (below or above):
        ax.set_title(_KEY, loc="right", fontsize="small")
