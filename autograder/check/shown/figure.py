"""The figure beside a verdict: the answers against the law that they should follow."""

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from autograder.check.result import somebody_reads

# As in `dplib.plots`: what is yours is orange, the law a dashed line in the page's ink.
_ANSWERS = {"fill": "#D55E00", "fill-opacity": "0.7"}
_LAW = {"stroke": "currentColor", "stroke-width": "2", "stroke-dasharray": "5 3", "fill": "none"}
_WIDTH, _HEIGHT, _EDGE = 560, 210, 12
_TOP, _BASE = 34, 176  # of the bars
# Of the choices: a row's height, the room for its name and for its number.
_ROW, _NAMES, _NUMBERS = 24, 240, 56
_MOST_ROWS, _LONGEST_NAME = 8, 32
# The page's ink on the page's paper; alone, in a feedback page, black on white.
_STYLE = {
    "max-width": "100%",
    "height": "auto",
    "display": "block",
    "background": "var(--jp-layout-color0,var(--pst-color-background,#fff))",
}


# Lists of pictures that wait until it is known whether they are to be shown, the innermost last.
_held: list[list] = []


@dataclass(frozen=True)
class Picture:
    """A picture as SVG, what it shows in words, and where it was seen: the situation."""

    svg: str
    words: str
    caption: str

    def show(self) -> None:
        """Show it in a notebook: as a part of the page, and alone where a grader runs it."""
        if _held:
            _held[-1].append(self)
            return
        from IPython.display import display

        kind = "text/html" if somebody_reads() else "image/svg+xml"
        data = {kind: self.svg, "text/plain": self.words}
        display(data, metadata={kind: {"alt": self.words}}, raw=True)


@contextlib.contextmanager
def held() -> Iterator[list[Picture]]:
    """Yield the list of the pictures that would have been shown meanwhile."""
    _held.append([])
    try:
        yield _held[-1]
    finally:
        _held.pop()


def of_answers(answers, *, law, exact, scale, whole, caption) -> Picture | None:
    """Return a histogram of the answers with the law.

    There is none if no answer is a number: a mechanism that always refuses has no histogram.
    """
    if not np.isfinite(answers).any():
        return None
    words = (
        f"Histogram of {len(answers):,} of your answers. {caption}: the dashed line is the law "
        f"that they should follow, around {exact:g} with scale {scale:.3g}."
    )
    edges = _bins(answers - exact, scale, whole)
    inside = answers[np.isfinite(answers)] - exact
    shares = np.histogram(inside, edges)[0] / len(answers)
    expected = np.diff(law(edges))
    picture = _paper(_HEIGHT, words)
    _legend(picture)
    places = np.interp(edges, edges[[0, -1]], [_EDGE, _WIDTH - _EDGE])
    tallest = max(shares.max(), expected.max())
    _path(picture, _stairs(places, shares / tallest) + "Z", **_ANSWERS)
    _path(picture, _stairs(places, expected / tallest), **_LAW)
    _axis(picture, exact + edges[0], exact + edges[-1])
    return Picture(ElementTree.tostring(picture, "unicode"), words, caption)


def of_choices(shares: Mapping[str, float], law: Mapping[str, float], *, caption) -> Picture:
    """Return how often each outcome came, and how often it should: the likeliest ones.

    Args:
      shares: of the answers, by the outcome's name.
      law: the outcomes' probabilities, by the same names.
      caption: the situation in words.
    """
    rows = sorted(law, key=lambda name: -max(law[name], shares[name]))[:_MOST_ROWS]
    rows = [name for name in law if name in rows]
    listed = ", ".join(f"{name} {100 * shares[name]:.3g} %" for name in rows)
    words = f"How often your answers came at {caption}: {listed}. The dashed marks are the law."
    picture = _paper(_TOP + _ROW * len(rows) + _EDGE, words)
    _legend(picture)
    longest = max(max(law[name], shares[name]) for name in rows)
    room = (_WIDTH - _EDGE - _NAMES - _NUMBERS) / longest
    for place, name in enumerate(rows):
        top = _TOP + _ROW * place
        _text(picture, _NAMES - 8, top + 16, _cut(name), "end")
        _path(picture, _bar(_NAMES, top + 4, shares[name] * room, _ROW - 8), **_ANSWERS)
        share = f"{100 * shares[name]:.3g} %"
        _text(picture, _WIDTH - _EDGE, top + 16, share, "end")
        mark = f"M{_NAMES + law[name] * room:.1f} {top}v{_ROW}"
        _path(picture, mark, **_LAW)
    return Picture(ElementTree.tostring(picture, "unicode"), words, caption)


def _paper(height: float, words: str) -> ElementTree.Element:
    size = {"width": str(_WIDTH), "height": f"{height:g}", "viewBox": f"0 0 {_WIDTH} {height:g}"}
    return ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "role": "img",
            "aria-label": words,
            "fill": "currentColor",
            "font-family": "'DejaVu Sans',Verdana,sans-serif",
            "font-size": "13",
            "style": ";".join(f"{name}:{value}" for name, value in _STYLE.items()),
            **size,
        },
    )


def _legend(picture: ElementTree.Element) -> None:
    _path(picture, _bar(_EDGE, 7, 14, 12), **_ANSWERS)
    _text(picture, _EDGE + 20, 18, "your answers, their share")
    _path(picture, f"M{_WIDTH / 2} 13h28", **_LAW)
    _text(picture, _WIDTH / 2 + 34, 18, "the law")


def _axis(picture: ElementTree.Element, low: float, high: float) -> None:
    """Draw the axis of the answers, with a few round numbers."""
    _path(picture, f"M{_EDGE} {_BASE}H{_WIDTH - _EDGE}", stroke="currentColor")
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(each for each in (1, 2, 5, 10) if (high - low) / (step * each) <= 6)
    for count in range(math.ceil(low / step), math.floor(high / step) + 1):
        place = float(np.interp(count * step, [low, high], [_EDGE, _WIDTH - _EDGE]))
        _path(picture, f"M{place:.1f} {_BASE}v5", stroke="currentColor")
        if 30 < place < _WIDTH - 30:  # else the number would be cut off
            _text(picture, place, _BASE + 20, f"{count * step:,.10g}", "middle")


def _stairs(places: np.ndarray, heights: np.ndarray) -> str:
    """Return the outline of bars whose heights are shares of the highest."""
    tops = _BASE - heights * (_BASE - _TOP)
    pairs = zip(tops, places[1:], strict=True)
    rising = "".join(f"V{top:.1f}H{right:.1f}" for top, right in pairs)
    return f"M{places[0]:.1f} {_BASE}{rising}V{_BASE}"


def _bar(left: float, top: float, width: float, height: float) -> str:
    return f"M{left:g} {top:g}h{width:.1f}v{height:g}h{-width:.1f}Z"


def _path(picture: ElementTree.Element, line: str, **looks: str) -> None:
    ElementTree.SubElement(picture, "path", {"d": line, **looks})


def _text(picture: ElementTree.Element, x: float, y: float, text: str, anchor="start") -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:g}", "text-anchor": anchor}
    ElementTree.SubElement(picture, "text", place).text = text


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _bins(noise, scale, whole) -> np.ndarray:
    """Return edges that show the law, and most of the answers if they lie elsewhere."""
    low, high = np.quantile(noise[np.isfinite(noise)], [0.02, 0.98])
    low, high = min(low, -5 * scale), max(high, 5 * scale)
    if not whole:
        return np.linspace(low, high, 41)
    step = max(1, round((high - low) / 40))
    return np.arange(np.floor(low), np.ceil(high) + 2 * step, step) - 0.5
