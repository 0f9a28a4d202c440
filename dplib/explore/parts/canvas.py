"""One figure that is drawn on again and again, which is faster than a new one each time."""

from collections.abc import Callable, Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib.plots.parts.ink import INK, picture_svg, png
from dplib.plots.parts.pen import axis_state, keep, legend_state

WIDTH, HEIGHT = 560, 270  # as shown, in pixels of a web page
# Shown at 380 pixels, a width of 560 shrinks these letters to 9 points. The fixed place of the
# title, in INK, saves matplotlib a search for a free one on every stop.
_SETTINGS = {**INK, "font.size": 13}


class Canvas:
    """A figure's axes, emptied before each drawing.

    Args:
      panels: relative widths of the panels, from left to right.
      steady: whether the axes stay where the first drawing puts them; else each drawing is laid
        out anew, which takes twice the time.
    """

    def __init__(self, panels: Sequence[float], *, steady: bool) -> None:
        self._steady = steady
        with matplotlib.rc_context(_SETTINGS):
            self._figure = Figure((WIDTH / 100, HEIGHT / 100), layout="constrained")
            split = {"width_ratios": panels, "squeeze": False}
            self._axes = self._figure.subplots(1, len(panels), **split)[0]
        if steady:
            for axis in [axis for ax in self._axes for axis in (ax.xaxis, ax.yaxis)]:
                keep(axis, axis_state, {})
        self._legends: list[dict[str, str]] = [{} for _ in self._axes]
        self._furniture = [set(ax.get_children()) for ax in self._axes]

    def svg(self, draw: Callable[[Sequence[Axes]], object]) -> str:
        """Return what `draw` draws on the empty axes, as an SVG element."""
        with matplotlib.rc_context(_SETTINGS):
            self._draw(draw)
            picture = picture_svg(self._figure, width=WIDTH)
        if self._steady:
            self._figure.set_layout_engine("none")
        return picture

    def png(self, draw: Callable[[Sequence[Axes]], object] | None = None) -> bytes:
        """Return what `draw` draws, or what was drawn last, as a PNG on white."""
        with matplotlib.rc_context(_SETTINGS):
            if draw is not None:
                self._draw(draw)
            return png(self._figure)

    def _draw(self, draw: Callable[[Sequence[Axes]], object]) -> None:
        for ax, furniture in zip(self._axes, self._furniture, strict=True):
            _clear(ax, furniture)
        draw(self._axes)
        if self._steady:
            for ax, pieces in zip(self._axes, self._legends, strict=True):
                if legend := ax.get_legend():
                    keep(legend, legend_state, pieces)


def _clear(ax: Axes, furniture: set) -> None:
    """Take away what was drawn and keep the axes themselves: ten times faster than ax.clear()."""
    for artist in set(ax.get_children()) - furniture:
        artist.remove()
    ax.containers.clear()  # bars are kept there too, and a legend would name them again
    ax.set_title("", loc="right")  # which only some drawings have
    ax.relim()
    ax.set_prop_cycle(None)
