"""A figure that the kernel draws anew at each move of its sliders, for example with fresh noise."""

from __future__ import annotations

import base64
import html
import io
import os
import uuid
from collections.abc import Callable, Sequence

import ipywidgets as widgets
import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from dplib.explore.parts.frames import FONT, HEIGHT, WIDTH, SliderFigure, clear, explore_frames
from dplib.explore.parts.slider_name import FIGURE, named

__all__ = ["LiveFigure", "explore_live"]

Slider = tuple[str, Sequence[float], float]  # what it sets, its stops, the first one
# A label as text is small, and a reader can search for it.
_SVG = {**FONT, "svg.fonttype": "none"}
_PNG_DPI = 150
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


class LiveFigure(widgets.VBox):
    """Sliders above a picture and its sentence, made anew by the kernel at each move.

    Attributes:
      sliders: one or more; each `index` counts its stops from 0.
      again: the button that draws once more at the same stops.
      page: the picture and its sentence.
      caption: the sentence.
    """

    def __init__(
        self,
        draw: Callable[..., object],
        caption: Callable[..., str],
        *,
        sliders: Sequence[Slider],
        panels: Sequence[float] = (1,),
        again: bool = True,
    ) -> None:
        self._draw, self._caption, self.caption = draw, caption, ""
        self._stops = [tuple(stops) for _, stops, _ in sliders]
        self._canvas = _Canvas(panels, steady=not again)
        self.sliders = [_slider(*each) for each in sliders]
        self.page = widgets.HTML()
        self.again = widgets.Button(description="Draw again", tooltip="the same stops, new noise")
        self.again.on_click(lambda _: self.refresh())
        below = [self.page, self.again] if again else [self.page]
        for slider in self.sliders:
            slider.observe(lambda _: self.refresh(), "index")
        boxes = [_box(slider) for slider in self.sliders]
        super().__init__([*boxes, *below], layout={"max_width": "100%"})
        self.refresh()

    def refresh(self) -> None:
        """Draw at the stops where the sliders stand."""
        places = zip(self._stops, self.sliders, strict=True)
        here = [stops[slider.index] for stops, slider in places]
        picture = self._canvas.svg(lambda axes: self._draw(axes, *here))
        self.caption = self._caption(*here)
        words = html.escape(self.caption)
        self.page.value = (
            f'<figure style="margin:0"><div role="img" aria-label="{words}" '
            f'style="max-width:{WIDTH}px">{picture}</div>'
            f'<figcaption aria-live="polite" style="max-width:{WIDTH}px;line-height:1.5">{words}'
            "</figcaption></figure>"
        )

    def _repr_mimebundle_(self, **kwargs):
        """Return the living figure, with a picture and words for a page that cannot show it."""
        data = super()._repr_mimebundle_(**kwargs)
        data["image/png"] = base64.b64encode(self._canvas.png()).decode()
        data["text/plain"] = self.caption
        return data, {"image/png": {"width": WIDTH, "height": HEIGHT, "alt": self.caption}}


def explore_live(
    draw: Callable[..., object],
    caption: Callable[..., str],
    *,
    sliders: Sequence[Slider],
    panels: Sequence[float] = (1,),
    again: bool = True,
) -> LiveFigure | SliderFigure:
    """Return a figure that draws itself anew at each move, for fresh noise or several sliders.

    On a page without a kernel (DPLIB_STATIC is set while it is made) the figure is drawn beforehand
    at every stop of its first slider, so that it moves there too; the others stay where they start.

    Args:
      draw: function of the axes (one for each panel) and of one stop for each slider.
      caption: function of the same stops, called after `draw`: one plain sentence.
      sliders: for each: what it sets, its stops, and the stop shown first.
      panels: relative widths of the panels, from left to right.
      again: whether there is a button to draw once more at the same stops, for fresh noise. Without
        it the axes stay where the first stop puts them.

    Raises:
      ValueError: the first stop of a slider is none of its stops.
    """
    for name, stops, start in sliders:
        if start not in stops:
            raise ValueError(f"sliders: {name} must start at one of {tuple(stops)!r}, got {start}")
    if os.environ.get("DPLIB_STATIC"):
        return _beforehand(draw, caption, sliders, panels)
    return LiveFigure(draw, caption, sliders=sliders, panels=panels, again=again)


def _beforehand(
    draw: Callable[..., object],
    caption: Callable[..., str],
    sliders: Sequence[Slider],
    panels: Sequence[float],
) -> SliderFigure:
    """Return the figure drawn at each stop of its first slider."""
    (name, stops, start), *others = sliders
    held = [first for _, _, first in others]
    said: dict[float, str] = {}

    def draw_and_say(axes, stop):
        draw(axes, stop, *held)
        said[stop] = caption(stop, *held)  # now: it is about what has just been drawn

    return explore_frames(
        draw_and_say, said.__getitem__, stops=stops, start=start, name=name, panels=panels
    )


class _Canvas:
    """One figure that is drawn on again and again, which is faster than a new one each time."""

    def __init__(self, panels: Sequence[float], *, steady: bool) -> None:
        self._steady = steady
        # Pictures on one page must not take each other's parts for their own.
        self._style = {**_SVG, "svg.hashsalt": uuid.uuid4().hex}
        with matplotlib.rc_context(self._style):
            size = (WIDTH / 100, HEIGHT / 100)
            self._figure = Figure(size, dpi=72, layout="constrained")
            FigureCanvasSVG(self._figure)
            split = {"width_ratios": panels, "squeeze": False}
            self._axes = self._figure.subplots(1, len(panels), **split)[0]
        self._furniture = [set(ax.get_children()) for ax in self._axes]

    def svg(self, draw: Callable[[Sequence[Axes]], object]) -> str:
        """Return what `draw` draws on the empty axes, as SVG that is as wide as its column."""
        with matplotlib.rc_context(self._style):
            for ax, keep in zip(self._axes, self._furniture, strict=True):
                clear(ax, keep)
            draw(self._axes)
            file = io.StringIO()
            # Straight from the canvas: savefig would draw everything twice.
            self._figure.canvas.print_svg(file, metadata=_NO_METADATA)
            if self._steady:  # laid out once, on the first stop: that takes half of the time
                self._figure.set_layout_engine("none")
        text = file.getvalue()
        start = text.index("<svg")
        end = text.index(">", start)
        box = f'viewBox="0 0 {0.72 * WIDTH:g} {0.72 * HEIGHT:g}"'
        style = "width:100%;height:auto;display:block;border-radius:4px"
        space = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg"'
        return f'<svg {space} {box} style="{style}"{text[end:]}'

    def png(self) -> bytes:
        """Return what was drawn last."""
        file = io.BytesIO()
        with matplotlib.rc_context(self._style):
            self._figure.savefig(file, format="png", dpi=_PNG_DPI)
        return file.getvalue()


def _slider(name: str, stops: Sequence[float], start: float) -> widgets.SelectionSlider:
    return widgets.SelectionSlider(
        options=[(f"{stop:g}", place) for place, stop in enumerate(stops)],
        index=list(stops).index(start),
        description=name,
        tooltip=name,
        layout=widgets.Layout(width="100%", max_width=f"{WIDTH}px"),
        style={"description_width": "initial"},
    )


def _box(slider: widgets.SelectionSlider) -> widgets.VBox:
    """Return the slider in a box of its own, in which a screen reader hears its name."""
    box = widgets.VBox([slider, widgets.HTML(named(slider.description))])
    return box.add_class(FIGURE)
