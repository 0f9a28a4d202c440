"""A passed check as a small card, and what a screen reader is told of a failed one."""

from typing import Any
from xml.etree import ElementTree

_CARD = "border-left:4px solid #009e73;padding:0.2em 0 0.2em 0.8em;max-width:580px;line-height:1.5"
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
# JupyterLab breaks the words of an error anywhere; these are sentences.
_WHOLE_WORDS = ".jp-RenderedText pre { word-break: normal; overflow-wrap: anywhere }"
# An exercise without an answer is no error: the lines that IPython prints next are not on red.
_UNANSWERED = "unanswered"
_NOT_RED = (
    f".jp-OutputArea-child:has(.{_UNANSWERED}) + .jp-OutputArea-child .jp-RenderedText "
    "{ background: none; border-left: 4px solid #8a8f98; padding-left: 0.8em }"
)
_PICTURE = "PICTURE"  # stands for the SVG, which is text already


def card(result: Any) -> str:
    """Return a passed check in HTML: what was established, what that is worth, and its picture.

    Args:
      result: the `Result`.
    """
    whole = ElementTree.Element("div", style=_CARD)
    # What is announced as soon as it comes; a picture has words of its own.
    status = _inside(whole, "div", role="status")
    head = _inside(status, "div")
    _inside(head, "strong", "✓ ")
    _inside(head, "code", result.exercise).tail = f": {result.established}"
    for words in (result.worth, result.notes):
        if words:
            _inside(status, "div", _sentence(words))
    if result.share < 1:
        words = f"progress: {result.share:.0%} of the points"
        _inside(status, "progress", value=f"{result.share:.3f}", **{"aria-label": words})
    if result.chapter:
        dots = "".join("●" if share else "○" for share in result.chapter.shares)
        line = _inside(status, "div")
        _inside(
            line, "span", dots, **{"aria-hidden": "true"}
        ).tail = f" {result.chapter} of this chapter"
    if result.picture:
        _inside(whole, "div", _PICTURE, style="margin-top:0.4em")
        _inside(whole, "div", _sentence(result.picture.caption), style="font-size:0.9em")
    made = ElementTree.tostring(whole, "unicode", method="html")
    return made.replace(_PICTURE, result.picture.svg) if result.picture else made


def announced(words: str, *, unanswered: bool = False) -> str:
    """Return HTML that a screen reader reads out, and that takes no room on the page.

    Args:
      words: of a failed check, which are read out at once.
      unanswered: whether there is no answer yet. Then they wait for their turn, and what IPython
        shows of the failure below is grey.
    """
    whole = ElementTree.Element("div")
    _inside(whole, "style", _WHOLE_WORDS + (_NOT_RED if unanswered else ""))
    role = {"role": "status", "class": _UNANSWERED} if unanswered else {"role": "alert"}
    _inside(whole, "div", words, style=_HIDDEN, **role)
    return ElementTree.tostring(whole, "unicode", method="html")


def _inside(parent: ElementTree.Element, tag: str, text: str = "", **attributes: str):
    child = ElementTree.SubElement(parent, tag, attributes)
    child.text = text
    return child


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}".rstrip(".") + "."
