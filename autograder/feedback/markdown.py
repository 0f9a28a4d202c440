"""Converts Markdown, mathematics and raw HTML to HTML that is self-contained and harmless.

No tag is left open, nothing runs, nothing is fetched: a picture is inside the page or left out.
Mathematics becomes MathML, which browsers show without a library.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

import bleach
from docutils.utils.math.latex2mathml import tex2mathml
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.feedback.pictures import Pictures
from autograder.feedback.pieces import piece

_TAGS = """
a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure
h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup
table tbody td tfoot th thead tr u ul var
"""
_PLAIN_ATTRIBUTES = ("alt", "colspan", "open", "rowspan", "scope", "start", "title")
_LINK = re.compile(r"https?://|mailto:|#")
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml)[;,]")
_HIGHLIGHT = re.compile(r"highlight|[a-z][a-z0-9]{0,2}")  # the classes of coloured code
_NAMELESS = re.compile(r"<img(?![^>]* alt=)")
_NAMED = '<img alt="A picture without a description"'
_DROPPED = re.compile(r"<(style|script)\b.*?(</\1\s*>|\Z)", re.S | re.I)


def _allowed(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return tag == "a" and bool(_LINK.match(value))
    if name == "src":
        return tag == "img" and bool(_PICTURE.match(value))
    if name == "class":
        return tag in ("div", "span") and bool(_HIGHLIGHT.fullmatch(value))
    if name in ("width", "height"):
        return tag == "img" and value.isdecimal()
    return name in _PLAIN_ATTRIBUTES


_CLEANER = bleach.Cleaner(
    tags=frozenset(_TAGS.split()),
    attributes=_allowed,
    protocols=frozenset({"http", "https", "mailto", "data"}),
    strip=True,
)


@lru_cache(1024)  # students share nearly all of a chapter's text and tables
def clean(html: str) -> str:
    """Return HTML from a notebook without what could break the page, run, or be fetched."""
    return _NAMELESS.sub(_NAMED, _CLEANER.clean(_DROPPED.sub("", html)))


# Commands that the converter does not know, and commands with the same meaning.
_TEX = (
    (re.compile(r"\\dots(?![A-Za-z])"), r"\\ldots "),
    (re.compile(r"\\[bB]igg?[lrm]?(?![A-Za-z])"), ""),
)


_BETWEEN = re.compile(r">\s+<")


@lru_cache(4096)
def formula(tex: str, *, block: bool = False) -> str:
    """Return a formula as MathML, or its source as code if it cannot be converted."""
    tex = tex.strip()
    known = tex
    for pattern, replacement in _TEX:
        known = pattern.sub(replacement, known)
    try:
        made = tex2mathml(known, as_block=block)
    except Exception:  # a student may write anything between two dollar signs
        return piece("code", tex)
    made = _BETWEEN.sub("><", made)
    return piece("formula", Markup(made)) if block else made


# While the text is cleaned, formulas are kept apart: characters that no text needs mark them.
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACE = re.compile(f"{_OPEN}([0-9]{{1,9}}){_CLOSE}")


class _Renderer(IPythonRenderer):
    """Renders Markdown as nbconvert does, with formulas and pictures set aside."""

    def __init__(self, pictures: Pictures, attachments: Mapping):
        super().__init__(escape=False, exclude_anchor_links=True, attachments=dict(attachments))
        self.pictures, self.embed_images = pictures, pictures.folder is not None
        self.formulas: list[str] = []

    def block_math(self, body: str) -> str:
        return self._aside(formula(body, block=True))

    def inline_math(self, body: str) -> str:
        return self._aside(formula(body))

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def _aside(self, made: str) -> str:
        self.formulas.append(made)
        return f"{_OPEN}{len(self.formulas) - 1}{_CLOSE}"

    def put_back(self, html: str) -> str:
        """Put the formulas back. A student may have written a number without a formula."""
        known = dict(enumerate(self.formulas))
        return _PLACE.sub(lambda found: known.get(int(found[1]), ""), html)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return super().image(_PLACE.sub("", text), url, title)  # no formula in an attribute

    def _embed_image_or_attachment(self, src: str) -> str:
        if src.startswith(_ATTACHED):
            return self.pictures.attached(self.attachments.get(src.removeprefix(_ATTACHED)))
        return self.pictures.of_file(src) or src

    def _src_to_base64(self, src: str) -> str | None:
        return self.pictures.of_file(src)


_ATTACHED = "attachment:"


def markdown(source: str, *, pictures: Pictures | None = None, attachments: Mapping = ()) -> str:
    """Return Markdown as HTML.

    Args:
      pictures: those of the page, which puts them in at the end; None leaves files out.
      attachments: the pictures that the cell carries, as in a notebook's file.
    """
    if attachments or "![" in source or "<img" in source.lower():
        return _rendered(source, pictures or Pictures(), attachments)
    return _shared(source)


@lru_cache(1024)
def _shared(source: str) -> str:
    return _rendered(source, Pictures(), {})


def _rendered(source: str, pictures: Pictures, attachments: Mapping) -> str:
    source = source.replace(_OPEN, "").replace(_CLOSE, "")
    renderer = _Renderer(pictures, attachments)
    return renderer.put_back(clean(MarkdownWithMath(renderer=renderer).render(source)))
