"""A slider with one picture for each stop. All are drawn at once; the browser switches them."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Callable, Sequence

import ipywidgets as widgets
import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from dplib import _validate
from dplib.explore.parts.progress import Progress
from dplib.explore.parts.slider_name import FIGURE, named

__all__ = ["EPSILONS", "SliderFigure", "draw_frames", "drawn_stops", "explore_frames"]

# 0.01 to 10 on a logarithmic scale, ten stops for each power of ten.
EPSILONS = tuple(float(f"{10 ** (k / 10):.2g}") for k in range(-20, 11))

WIDTH, HEIGHT = 560, 270  # as shown, in pixels of a web page
# Shown at 380 pixels, a width of 560 shrinks these letters to 9 points. The fixed place of the
# title saves matplotlib a search for a free one on every stop.
FONT = {"font.size": 13, "axes.titley": 1.0}
_SHARPNESS = 1.5  # drawn with more dots than shown, for screens with fine dots
_COLOURS = 64  # a figure of lines has few colours, and a palette makes the file much smaller


class SliderFigure(widgets.VBox):
    """A slider above a picture and its sentence, joined in the browser.

    Attributes:
      slider: the slider; its `index` counts the stops from 0, also while a reader drags it.
      pages: the pages, one for each stop; its `selected_index` is the page shown.
      stops: the values of the slider.
    """

    def __init__(
        self,
        pictures: Sequence[bytes],
        captions: Sequence[str],
        *,
        stops: Sequence[float],
        start: float,
        name: str,
    ) -> None:
        self.stops, self._pictures, self._captions = tuple(stops), pictures, captions
        index = self.stops.index(start)
        self.slider = widgets.SelectionSlider(
            options=[(f"{stop:g}", place) for place, stop in enumerate(self.stops)],
            index=index,
            description=name,
            tooltip=name,
            layout=widgets.Layout(width="100%", max_width=f"{WIDTH}px"),
            style={"description_width": "initial"},
        )
        pages = [_page(picture, text) for picture, text in zip(pictures, captions, strict=True)]
        first = widgets.HTML(pages[0])
        # One layout and one style for all pages: each of its own would be 60 more messages.
        shared = {"layout": first.layout, "style": first.style}
        others = [widgets.HTML(page, **shared) for page in pages[1:]]
        self.pages = widgets.Stack([first, *others], selected_index=index)
        # This link lives in the browser: a drag waits for no kernel.
        widgets.jslink((self.slider, "index"), (self.pages, "selected_index"))
        parts = [self.slider, self.pages, widgets.HTML(named(name))]
        super().__init__(parts, layout=widgets.Layout(max_width="100%"))
        self.add_class(FIGURE)

    def show(self, stop: float) -> None:
        """Move the slider to `stop` and show its page, also where there is no browser.

        Raises:
          ValueError: stop is not one of the stops.
        """
        if stop not in self.stops:
            raise ValueError(f"stop must be one of {self.stops!r}, got {stop!r}")
        self.slider.index = self.pages.selected_index = self.stops.index(stop)

    @property
    def picture(self) -> bytes:
        """The picture shown, as a PNG."""
        return self._pictures[self.pages.selected_index]

    @property
    def caption(self) -> str:
        """The sentence shown below the picture."""
        return self._captions[self.pages.selected_index]

    def _repr_mimebundle_(self, **kwargs):
        """Return the living figure, with a picture and words for a page that cannot show it."""
        data = super()._repr_mimebundle_(**kwargs)
        data["image/png"] = base64.b64encode(self.picture).decode()
        data["text/plain"] = self.caption
        return data, {"image/png": {"width": WIDTH, "height": HEIGHT, "alt": self.caption}}


def _page(picture: bytes, text: str) -> str:
    """Return the HTML of one page; it shrinks with its column and never grows beyond full size."""
    words, data = html.escape(text), base64.b64encode(picture).decode()
    return (
        '<figure style="margin:0">'
        f'<img alt="{words}" src="data:image/png;base64,{data}" width="{WIDTH}" height="{HEIGHT}" '
        # Decoded before it is shown: else the browser may paint an empty frame first.
        'decoding="sync" style="max-width:100%;height:auto;border-radius:4px">'
        f'<figcaption aria-live="polite" style="max-width:{WIDTH}px;line-height:1.5">{words}'
        "</figcaption></figure>"
    )


def explore_frames(
    draw: Callable[[Sequence[Axes], float], object],
    caption: Callable[[float], str],
    *,
    stops: Sequence[float] = EPSILONS,
    start: float = 1.0,
    name: str = "ε",
    panels: Sequence[float] = (1,),
) -> SliderFigure:
    """Return a figure with a slider: one picture and one sentence for each stop.

    All pictures are drawn now. Moving the slider only shows another of them, so it needs no kernel:
    it works as fast as the browser draws, and in a saved page too.

    Args:
      draw: function of the figure's axes (one for each panel) and a stop; it draws on empty axes.
      caption: function of a stop: one plain sentence, shown below the picture and as its alt text.
      stops: values of the slider in the order shown, at least one, all different.
      start: the stop shown first.
      name: what the slider sets, written beside it.
      panels: relative widths of the panels, from left to right.

    Raises:
      ValueError: stops are empty, not finite or repeated, or start is not one of them.
    """
    stops = tuple(_validate.finite_array("stops", stops).tolist())
    if len(set(stops)) < len(stops):
        raise ValueError(f"stops must all be different, got {stops!r}")
    if start not in stops:
        raise ValueError(f"start must be one of stops, got {start!r}")
    stops = drawn_stops(stops, start)
    pictures = draw_frames(draw, stops, panels=panels)
    captions = [caption(stop) for stop in stops]
    return SliderFigure(pictures, captions, stops=stops, start=start, name=name)


def drawn_stops(stops: Sequence[float], start: float) -> tuple[float, ...]:
    """Return the stops that are drawn: all, or the first view alone when a notebook is graded.

    nbgrader runs a notebook with this variable set; nobody is there to move the slider.
    """
    return (start,) if os.environ.get("NBGRADER_EXECUTION") else tuple(stops)


def draw_frames(
    draw: Callable[[Sequence[Axes], float], object],
    stops: Sequence[float],
    *,
    panels: Sequence[float] = (1,),
) -> list[bytes]:
    """Return one PNG for each stop, all with the axes in the same place."""
    with matplotlib.rc_context(FONT):
        figure = Figure((WIDTH / 100, HEIGHT / 100), dpi=100 * _SHARPNESS, layout="constrained")
        canvas = FigureCanvasAgg(figure)
        axes = figure.subplots(1, len(panels), width_ratios=panels, squeeze=False)[0]
        furniture = [set(ax.get_children()) for ax in axes]
        pictures = []
        for stop in Progress("Drawing", stops):
            for ax, keep in zip(axes, furniture, strict=True):
                clear(ax, keep)
            draw(axes, stop)
            canvas.draw()
            if not pictures:
                # Laid out once, on the first stop; else the axes would jump from stop to stop.
                figure.set_layout_engine("none")
            pictures.append(_png(np.asarray(canvas.buffer_rgba())))
        return pictures


def clear(ax: Axes, furniture: set) -> None:
    """Take away what was drawn and keep the axes themselves: ten times faster than ax.clear()."""
    for artist in set(ax.get_children()) - furniture:
        artist.remove()
    ax.containers.clear()  # bars are kept there too, and a legend would name them again
    ax.relim()
    ax.set_prop_cycle(None)


def _png(pixels: np.ndarray) -> bytes:
    """Return the pixels, of shape (height, width, 4), as a PNG with a palette."""
    picture = Image.fromarray(pixels).convert("RGB")
    small = picture.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # The octree makes white a shade darker, which shows on a white page.
    small.putpalette([255 if level >= 252 else level for level in small.getpalette()])
    file = io.BytesIO()
    small.save(file, format="PNG")
    return file.getvalue()
