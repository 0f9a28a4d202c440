"""Draws one figure as SVG again and again, and does not do twice what has not changed."""

import functools
import io
from collections.abc import Callable

from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.textpath import text_to_path

_POINTS = 72  # to the inch: the unit of an SVG
_LOOKS = ["color", "linestyle", "linewidth", "marker", "markersize", "markerfacecolor"]
_LOOKS += ["markeredgecolor", "facecolor", "edgecolor", "hatch", "alpha"]


class Pen(RendererSVG):
    """Writes a figure as SVG.

    Most of matplotlib's time goes to its axes, and most sliders leave them as they are. So what an
    axis or a legend wrote is kept, see `keep`; and so is the size of each text.

    Args:
      figure: the figure; its dots per inch are 72 while it is drawn.
    """

    def __init__(self, figure: Figure) -> None:
        self._stream = io.StringIO()
        width, height = figure.get_size_inches() * _POINTS
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        super().__init__(width, height, self._stream, metadata=metadata)
        self._text2path = text_to_path  # one for all pens: it remembers the formulas that it read

    @classmethod
    def drawn(cls, figure: Figure) -> str:
        """Return the figure as an SVG file."""
        pen, dpi, canvas = cls(figure), figure.dpi, figure.canvas
        # Its layout measures texts with the renderer of the canvas.
        FigureCanvasBase(figure).get_renderer = lambda: pen
        figure.dpi = _POINTS
        figure.draw(pen)
        figure.dpi = dpi
        figure.set_canvas(canvas)
        pen.finalize()
        return pen._stream.getvalue()

    def get_text_width_height_descent(self, s, prop, ismath):
        """Return the size of a text."""
        return _text_size(s, prop.copy(), ismath)

    def open_group(self, s, gid=None):
        """Begin a group, which needs no name; but a legend can be left out of a small picture."""
        self.writer.start("g", attrib={"class": "legend"} if s == "legend" else {})

    def draw_markers(self, gc, *args, **kwargs):
        """Write marks that all look the same: matplotlib asks for the looks of each."""
        self._get_style = functools.cache(super()._get_style)
        super().draw_markers(gc, *args, **kwargs)
        del self._get_style

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


def keep(artist: Artist, state: Callable[[Artist], str], pieces: dict[str, str]) -> None:
    """Let a pen copy the artist where `pieces` have what it wrote in the same state."""
    draw = artist.draw

    def draw_or_copy(renderer):
        if not isinstance(renderer, Pen):
            draw(renderer)
        elif (now := state(artist)) in pieces:
            renderer.copy(pieces[now])
        elif "url(#" not in (piece := renderer.piece(draw)):  # what it refers to is elsewhere
            pieces[now] = piece

    artist.draw = draw_or_copy


def axis_state(axis: Axis) -> str:
    """Return what the looks of an axis, its ticks, numbers and label, depend on."""
    shown = []
    for each in (axis.major, axis.minor):
        places = each.locator()
        at = axis.get_transform().transform(places)
        shown += [at.tolist(), each.formatter.format_ticks(places), each.formatter.get_offset()]
    params = [axis.get_tick_params(which) for which in ("major", "minor")]
    words = axis.label.get_text(), axis.label.get_fontsize(), axis.label.get_color()
    view = axis.get_transform().transform(axis.get_view_interval())
    return repr((shown, params, words, view.tolist(), axis.get_visible()))


def legend_state(legend: Legend) -> str:
    """Return what the looks of a legend depend on."""
    words = [(text.get_text(), text.get_fontsize()) for text in legend.get_texts()]
    looks = [
        (type(each), [getattr(each, f"get_{look}", str)() for look in _LOOKS])
        for each in legend.legend_handles
    ]
    return repr((words, looks, legend.get_bbox_to_anchor().bounds))
