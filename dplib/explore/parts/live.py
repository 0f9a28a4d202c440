"""A figure that the kernel draws anew at each move of its sliders, for example with fresh noise."""

import base64
import os
from collections.abc import Callable, Sequence

import ipywidgets as widgets

from dplib.explore.parts.canvas import HEIGHT, WIDTH, Canvas
from dplib.explore.parts.frames import SliderFigure, explore_frames, stop_slider
from dplib.explore.parts.page import PageSlider
from dplib.explore.parts.slider_name import FIGURE, named
from dplib.plots.parts.ink import captioned, described

Slider = tuple[str, Sequence[float], float]  # what it sets, its stops, the first one


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
        self._canvas = Canvas(panels, steady=not again)
        self.sliders = [stop_slider(*each) for each in sliders]
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
        picture = described(picture, self.caption)
        self.page.value = captioned(picture, self.caption, width=WIDTH)

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
) -> LiveFigure | SliderFigure | PageSlider:
    """Return a figure that draws itself anew at each move, for fresh noise or several sliders.

    What has one stop only gets no slider. Where one slider is left and no noise is fresh, all is
    drawn beforehand, as by `explore_frames`. On a page without a kernel (DPLIB_STATIC is set while
    it is made) the figure is drawn beforehand at every stop of its first slider, so that it moves
    there too; the others stay where they start.

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
    one = not again and all(len(stops) == 1 for _, stops, _ in sliders[1:])
    if one or os.environ.get("DPLIB_STATIC"):
        return _beforehand(draw, caption, sliders, panels)
    return LiveFigure(draw, caption, sliders=sliders, panels=panels, again=again)


def held(name: str, value: float | None, stops: Sequence[float], start: float) -> Slider:
    """Return a slider for what `value` leaves open, or that value alone."""
    return (name, stops, start) if value is None else (name, (value,), value)


def _beforehand(
    draw: Callable[..., object],
    caption: Callable[..., str],
    sliders: Sequence[Slider],
    panels: Sequence[float],
) -> SliderFigure | PageSlider:
    """Return the figure drawn at each stop of its first slider."""
    (name, stops, start), *others = sliders
    held = [first for _, _, first in others]
    return explore_frames(
        lambda axes, stop: draw(axes, stop, *held),
        lambda stop: caption(stop, *held),
        stops=stops,
        start=start,
        name=name,
        panels=panels,
    )


def _box(slider: widgets.SelectionSlider) -> widgets.VBox:
    """Return the slider in a box of its own, in which a screen reader hears its name."""
    box = widgets.VBox([slider, widgets.HTML(named(slider.description))])
    return box.add_class(FIGURE)
