"""Draws one figure as SVG again and again, and does not do twice what has not changed."""

from __future__ import annotations

import functools
import io

from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.textpath import text_to_path

__all__ = ["Pen", "keep_axis"]

_POINTS = 72  # to the inch: the unit of an SVG


class Pen(RendererSVG):
    """Writes a figure whose layout is settled.

    Most of matplotlib's time goes to its axes, and most sliders leave them as they are. So what an
    axis wrote is kept, see `keep_axis`; and so is the size of each text.

    Args:
      figure: the figure; its dots per inch are 72 while it is drawn.
    """

    def __init__(self, figure: Figure) -> None:
        self._stream = io.StringIO()
        width, height = figure.get_size_inches() * _POINTS
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        super().__init__(width, height, self._stream, metadata=metadata)

    @classmethod
    def drawn(cls, figure: Figure) -> str:
        """Return the figure as an SVG file."""
        pen, dpi = cls(figure), figure.dpi
        figure.dpi = _POINTS
        figure.draw(pen)
        figure.dpi = dpi
        pen.finalize()
        return pen._stream.getvalue()

    def get_text_width_height_descent(self, s, prop, ismath):
        """Return the size of a text."""
        return _text_size(s, prop.copy(), ismath)

    def piece(self, draw) -> str:
        """Return what `draw` writes, which defines all marks that it uses."""
        self.writer.flush()
        known, self._markers = self._markers, {}
        start = self._stream.tell()
        draw(self)
        self.writer.flush()
        self._markers = known
        return self._stream.getvalue()[start:]

    def copy(self, piece: str) -> None:
        """Write a piece once more."""
        self.writer.flush()
        self._stream.write(piece)


@functools.lru_cache(4096)
def _text_size(text: str, font, ismath) -> tuple[float, float, float]:
    return text_to_path.get_text_width_height_descent(text, font, ismath)


def keep_axis(axis: Axis) -> None:
    """Let a pen copy the axis, its ticks, numbers and label, where it wrote the same before."""
    draw, pieces = axis.draw, {}

    def draw_or_copy(renderer):
        if not isinstance(renderer, Pen):
            return draw(renderer)
        state = _state(axis)
        if state not in pieces:
            pieces[state] = renderer.piece(draw)
        else:
            renderer.copy(pieces[state])
        return None

    axis.draw = draw_or_copy


def _state(axis: Axis) -> str:
    """Return what the looks of an axis depend on."""
    shown = []
    for each in (axis.major, axis.minor):
        places = each.locator()
        at = axis.get_transform().transform(places)
        shown += [at.tolist(), each.formatter.format_ticks(places), each.formatter.get_offset()]
    params = [axis.get_tick_params(which) for which in ("major", "minor")]
    words = axis.label.get_text(), axis.label.get_fontsize(), axis.label.get_color()
    view = axis.get_transform().transform(axis.get_view_interval())
    return repr((shown, params, words, view.tolist(), axis.get_visible()))
