"""A slider for a page without a kernel: a native control, and its pictures packed small.

`deploy/site/static/slider.js` brings it to life. Without that script the first picture is there.
"""

import base64
import gzip
import html
import json
import re
from collections.abc import Callable, Sequence

from dplib.explore.parts.canvas import WIDTH
from dplib.plots.parts.ink import unbroken

# A stop stands in the page's address, where a Greek letter would be a row of signs.
_LETTERS = {"ε": "epsilon", "δ": "delta", "ρ": "rho", "σ": "sigma", "α": "alpha", "β": "beta"}


class PageSlider:
    """A native slider and a button that moves it by itself, above a picture and its sentence.

    Attributes:
      stops: the values of the slider.
      index: the place of the stop shown first.
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
    ) -> None:
        self.stops, self.index, self.name = tuple(stops), list(stops).index(start), name
        self._labels = [written(stop) for stop in self.stops]
        self.pictures, self.captions = tuple(pictures), tuple(captions)

    @property
    def caption(self) -> str:
        """The sentence shown first below the picture."""
        return self.captions[self.index]

    def __repr__(self) -> str:
        return self.caption

    def _repr_html_(self) -> str:
        shown, last = html.escape(self._labels[self.index]), len(self._labels) - 1
        packed = _packed([self._labels, self.pictures, [unbroken(each) for each in self.captions]])
        name, key = html.escape(self.name), html.escape(_key(self.name))
        return (
            f'<figure class="dplib-slider" data-key="{key}" data-frames="{packed}" '
            f'style="margin:0;max-width:{WIDTH}px">'
            f'<div class="dplib-stop" hidden><span>{name} = <output>{shown}</output>'
            f'</span><button type="button">Play</button><input type="range" min="0" '
            f'max="{last}" step="1" value="{self.index}" aria-label="{name}" '
            f'aria-valuetext="{name} = {shown}"></div>'
            f'<div class="dplib-picture">{self.pictures[self.index]}</div>'
            f'<figcaption aria-live="polite">{html.escape(unbroken(self.caption))}</figcaption>'
            "</figure>"
        )


def _key(name: str) -> str:
    words = "".join(_LETTERS.get(letter, letter) for letter in name)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "stop"


def _packed(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # The pictures of one slider are nearly the same: packed they take a twentieth.
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
