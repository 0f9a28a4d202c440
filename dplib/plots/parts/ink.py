"""A figure as SVG in the page's own ink: sharp at any zoom, on a light page and on a dark one.

matplotlib draws black on nothing; black becomes the colour of the text around the picture, white
the colour of the page behind it. What a page does not need is left out: the picture is a third as
long.
"""

import html
import io
import re
import uuid

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from dplib.plots.parts.pen import Pen

# For a figure when it is made: nothing is painted behind it.
INK = {"figure.facecolor": "none", "axes.facecolor": "none", "axes.titley": 1.0}
# The page behind a picture: JupyterLab's name for it, the site's name, or white.
PAPER = "var(--jp-layout-color0,var(--pst-color-background,#fff))"

_LETTERS = "'DejaVu Sans',Verdana,sans-serif"
_LEFT_OUT = re.compile(
    r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>|<defs>\s*</defs>", re.DOTALL
)
_PLACES = re.compile(r' (?:d|x|y|width|height|transform|points)="[^"]*"')
_USED = re.compile(r'(?<=href="#)[\w-]+|(?<=url\(#)[\w-]+')
_DOTS = re.compile(r"<g((?: clip-path=\"[^\"]*\")?)>((?:<use [^>]*/>){2,})</g>")
_NUMBER = re.compile(r"-?\d+\.\d+")
_SHARPNESS = 150  # dots per inch of a PNG


def picture_svg(figure: Figure, *, width: float) -> str:
    """Return the figure as an SVG element that is as wide as its column, and at most `width`.

    Args:
      figure: a figure made with the settings INK.
      width: in pixels of a web page, > 0.
    """
    # A label as text is small, and a reader can search for it.
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        return _element(Pen.drawn(figure), width)


def described(picture: str, words: str) -> str:
    """Return the SVG element with `words` for readers who cannot see it."""
    return picture.replace("<svg", f'<svg role="img" aria-label="{html.escape(words)}"', 1)


def unbroken(sentence: str) -> str:
    """Return the sentence with no place for a new line inside "1e-5" and before "%"."""
    return re.sub(
        r"(?<=\de)-(?=\d)", "-\N{WORD JOINER}", sentence.replace(" %", "\N{NO-BREAK SPACE}%")
    )


def captioned(picture: str, caption: str, *, width: float) -> str:
    """Return HTML of a described picture above its caption, at most `width` pixels wide."""
    return (
        f'<figure style="margin:0;max-width:{width:g}px">{picture}'
        f'<figcaption aria-live="polite" style="line-height:1.5">{html.escape(unbroken(caption))}'
        "</figcaption></figure>"
    )


def png(figure: Figure) -> bytes:
    """Return the figure as a PNG on white paper, for what shows no SVG."""
    file, dpi, ink = io.BytesIO(), figure.dpi, figure.get_facecolor()
    canvas, paper = figure.canvas, FigureCanvasAgg(figure)
    figure.set(dpi=_SHARPNESS, facecolor="white")
    # `savefig` would draw it twice, the first time for its layout alone.
    paper.print_png(file)
    figure.set(dpi=dpi, facecolor=ink)
    figure.set_canvas(canvas)
    return file.getvalue()


def _element(text: str, width: float) -> str:
    start = text.index("<svg")
    end = text.index(">", start)
    box = re.search(r'viewBox="[^"]*"', text[start:end])[0]
    head = (
        f'<svg {box} fill="currentColor" '
        f'font-family="{_LETTERS}" stroke-linejoin="round" '
        f'style="width:100%;max-width:{width:g}px;height:auto;display:block"'
    )
    return head + _short(text[end:])


def _short(text: str) -> str:
    """Return the same picture in fewer letters."""
    text = _LEFT_OUT.sub("", text)
    text = _renamed(text)
    text = re.sub(r"font-family: 'DejaVu Sans',[^;\"]*;? ?", "", text).replace("xlink:href", "href")
    text = text.replace("#000000", "currentColor").replace("#ffffff", PAPER)
    text = _PLACES.sub(lambda found: _NUMBER.sub(_rounded, found[0]), text)
    text = re.sub(r" ?\n", " ", text)
    text = re.sub(r"(?<=>) +(?=<)", "", text)
    return _DOTS.sub(_of_one_style, text).replace(' transform="rotate(-0 0 0)"', "")


def _of_one_style(group: re.Match) -> str:
    """Return a group of dots with their style written once, if they have the same one."""
    styles = set(re.findall(r' style="[^"]*"', group[2]))
    if len(styles) != 1:
        return group[0]
    (style,) = styles
    return f"<g{group[1]}{style}>{group[2].replace(style, '')}</g>"


def _renamed(text: str) -> str:
    """Return the picture with short names for the parts that it uses by name, and no others.

    Pictures on one page must not take each other's parts for their own: each has new names.
    """
    used = dict.fromkeys(_USED.findall(text))
    picture = f"p{uuid.uuid4().hex[:8]}-"
    names = {name: f"{picture}{place}" for place, name in enumerate(used)}
    text = re.sub(
        r' id="([\w.-]+)"',
        lambda found: f' id="{names[found[1]]}"' if found[1] in names else "",
        text,
    )
    return _USED.sub(lambda found: names[found[0]], text)


def _rounded(number: re.Match) -> str:
    """Return a number to a tenth: a seventh of a pixel, as shown."""
    return f"{float(number[0]):.1f}".removesuffix(".0")
