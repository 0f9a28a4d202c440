"""How well colours stand out, as WCAG 2.2 defines it, and what of a figure is too faint."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex, to_rgba

PAGES = ["#ffffff", "#111111"]  # JupyterLab's, light and dark
LEAST = 3  # of what carries meaning: 1.4.11
_INK = {"#000000", "#ffffff"}  # they become the page's own


def channels(colour: str) -> np.ndarray:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def luminance(colour: str) -> float:
    given = channels(colour)
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def faint(ax: Axes) -> list[str]:
    """Return the inks of lines and marks that stand out too little on a light or a dark page."""
    inks = {ink for ink in _inks(ax) if to_hex(ink) not in _INK and ink[3] > 0}
    return [
        to_hex(ink, keep_alpha=True)
        for ink in sorted(inks)
        if min(contrast(_painted(ink, page), page) for page in PAGES) < LEAST
    ]


def _painted(ink, page: str) -> str:
    """Return the colour that a half transparent ink makes on a page."""
    return to_hex(ink[3] * np.array(ink[:3]) + (1 - ink[3]) * channels(page))


def _inks(ax: Axes) -> list[tuple]:
    found = []
    for line in ax.lines:
        fill = line.get_markerfacecolor()
        mark = line.get_markeredgecolor() if fill == "none" else fill
        marked = line.get_marker() not in ("None", None, "")
        parts = [mark] * marked + [line.get_color()] * (line.get_linestyle() != "None")
        found += [to_rgba(part, line.get_alpha()) for part in parts if str(part) != "none"]
    for drawn in ax.collections:
        hollow = not len(drawn.get_facecolor()) or isinstance(drawn, LineCollection)
        found += [tuple(each) for each in drawn.get_edgecolor()] if hollow else []
    for patch in ax.patches:
        found += [patch.get_edgecolor()] if patch.get_facecolor()[3] == 0 else []
    return found
