"""A slider with one picture for each stop. All are drawn at once; the browser switches them."""

import base64
import functools
import os
from collections.abc import Callable, Sequence

import ipywidgets as widgets
from matplotlib.axes import Axes

from dplib import _validate
from dplib.explore.parts.canvas import HEIGHT, WIDTH, Canvas
from dplib.explore.parts.page import PageSlider
from dplib.explore.parts.progress import Progress
from dplib.explore.parts.slider_name import FIGURE, named
from dplib.explore.parts.words import label
from dplib.plots.parts.ink import captioned, described

PACE = 500  # milliseconds at a stop while a slider plays
# 0.01 to 10 on a logarithmic scale, ten stops for each power of ten.
EPSILONS = tuple(float(f"{10 ** (k / 10):.2g}") for k in range(-20, 11))


def stop_slider(
    name: str,
    stops: Sequence[float],
    start: float,
    written: Callable[[float], str] = label,
) -> widgets.SelectionSlider:
    """Return a slider whose `index` counts the stops from 0; each stop is `written` beside it."""
    return widgets.SelectionSlider(
        options=[(written(stop), place) for place, stop in enumerate(stops)],
        index=list(stops).index(start),
        description=name,
        tooltip=name,
        layout=widgets.Layout(width="100%", max_width=f"{WIDTH}px"),
        style={"description_width": "initial"},
    )


class SliderFigure(widgets.VBox):
    """A slider above a picture and its sentence, joined in the browser.

    Attributes:
      slider: the slider; its `index` counts the stops from 0, also while a reader drags it.
      pages: the pages, one for each stop; its `selected_index` is the page shown.
      stops: the values of the slider.
    """

    def __init__(
        self,
        pictures: Sequence[str],
        captions: Sequence[str],
        *,
        stops: Sequence[float],
        start: float,
        name: str,
        written: Callable[[float], str],
        png: Callable[[float], bytes],
        play: bool = False,
    ) -> None:
        self.stops, self._pictures, self._captions = tuple(stops), pictures, captions
        self._png = png
        self.slider = stop_slider(name, self.stops, start, written)
        pages = [
            captioned(picture, text, width=WIDTH)
            for picture, text in zip(pictures, captions, strict=True)
        ]
        first = widgets.HTML(pages[0])
        # One layout and one style for all pages: each of its own would be 60 more messages.
        shared = {"layout": first.layout, "style": first.style}
        others = [widgets.HTML(page, **shared) for page in pages[1:]]
        self.pages = widgets.Stack([first, *others], selected_index=self.slider.index)
        # This link lives in the browser: a drag waits for no kernel.
        widgets.jslink((self.slider, "index"), (self.pages, "selected_index"))
        player = [_player(self.slider)] if play else []
        parts = [self.slider, *player, self.pages, widgets.HTML(named(name))]
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
    def index(self) -> int:
        """The place of the stop shown, from 0."""
        return self.pages.selected_index

    @property
    def picture(self) -> str:
        """The picture shown, as an SVG element."""
        return self._pictures[self.index]

    @property
    def png(self) -> bytes:
        """The picture shown, as a PNG on white: it is drawn anew."""
        return self._png(self.stops[self.index])

    @property
    def caption(self) -> str:
        """The sentence shown below the picture."""
        return self._captions[self.index]

    def _repr_mimebundle_(self, **kwargs):
        """Return the living figure, with a picture and words for a page that cannot show it."""
        data = super()._repr_mimebundle_(**kwargs)
        data["image/png"] = base64.b64encode(self.png).decode()
        data["text/plain"] = self.caption
        return data, {"image/png": {"width": WIDTH, "height": HEIGHT, "alt": self.caption}}


def explore_frames(
    draw: Callable[[Sequence[Axes], float], object],
    caption: Callable[[float], str],
    *,
    stops: Sequence[float] = EPSILONS,
    start: float = 1.0,
    name: str = "ε",
    written: Callable[[float], str] = label,
    panels: Sequence[float] = (1,),
    play: bool = False,
) -> SliderFigure | PageSlider:
    """Return a figure with a slider: one picture and one sentence for each stop.

    All pictures are drawn now. Moving the slider only shows another of them, so it needs no kernel:
    it works as fast as the browser draws, and in a saved page too.

    Args:
      draw: function of the figure's axes (one for each panel) and a stop; it draws on empty axes.
      caption: function of a stop: one plain sentence, shown below the picture and as its alt text.
      stops: values of the slider in the order shown, at least one, all different.
      start: the stop shown first.
      name: what the slider sets, written beside it.
      written: function of a stop: how it is written beside the slider and in a page's address.
      panels: relative widths of the panels, from left to right.
      play: whether a button moves the slider by itself. On a page without a kernel there always is
        one.

    Raises:
      ValueError: stops are empty, not finite or repeated, or start is not one of them.
    """
    stops = tuple(_validate.finite_array("stops", stops).tolist())
    if len(set(stops)) < len(stops):
        raise ValueError(f"stops must all be different, got {stops!r}")
    if start not in stops:
        raise ValueError(f"start must be one of stops, got {start!r}")
    stops = drawn_stops(stops, start)
    canvas = Canvas(panels, steady=True)
    frames = draw_frames(canvas, draw, caption, stops)
    pictures, captions = zip(*frames, strict=True)
    shown = {"stops": stops, "start": start, "name": name, "written": written}
    if os.environ.get("DPLIB_STATIC"):
        return PageSlider(pictures, captions, **shown)
    png = functools.partial(_png, canvas, draw)
    return SliderFigure(pictures, captions, **shown, png=png, play=play)


def _player(slider: widgets.SelectionSlider) -> widgets.Play:
    """Return buttons that move the slider from stop to stop, in the browser."""
    last = len(slider.options) - 1
    player = widgets.Play(
        value=slider.index, max=last, interval=PACE, show_repeat=False, playing=False
    )
    widgets.jslink((player, "value"), (slider, "index"))
    return player


def drawn_stops(stops: Sequence[float], start: float) -> tuple[float, ...]:
    """Return the stops that are drawn: all, or the first view alone when a notebook is graded.

    nbgrader runs a notebook with this variable set; nobody is there to move the slider.
    """
    return (start,) if os.environ.get("NBGRADER_EXECUTION") else tuple(stops)


def draw_frames(
    canvas: Canvas,
    draw: Callable[[Sequence[Axes], float], object],
    caption: Callable[[float], str],
    stops: Sequence[float],
) -> list[tuple[str, str]]:
    """Return one SVG picture and its sentence for each stop, with the axes in the same place."""
    frames = []
    for stop in Progress("Drawing", stops):
        picture = canvas.svg(lambda axes, stop=stop: draw(axes, stop))
        words = caption(stop)  # after its picture, which it may be about
        frames.append((described(picture, words), words))
    return frames


def _png(canvas: Canvas, draw: Callable, stop: float) -> bytes:
    """Return the picture of one stop, for a page that shows no widgets."""
    return canvas.png(lambda axes: draw(axes, stop))
