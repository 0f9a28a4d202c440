"""The font of the formulas: of STIX Two Math, the characters that the pages' formulas have."""

import html
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset

_FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)
_NOT_SHOWN = re.compile(r"<annotation.*?</annotation>|<[^>]+>", re.DOTALL)
_ALWAYS = "0123456789()[]{}|,.+-−=√"  # what a browser may draw by itself, or stretch


def characters(pages: Iterable[str]) -> set[str]:
    """Return the characters of all formulas in some pages, with their slanted forms.

    A browser writes a letter that stands alone in its slanted form.
    """
    shown = "".join(
        html.unescape(_NOT_SHOWN.sub("", formula))
        for page in pages
        for formula in _FORMULA.findall(page)
    )
    found = {*_ALWAYS, *shown}
    return found | {slanted for each in found for slanted in _slanted(each)}


def _slanted(character: str) -> Iterable[str]:
    """Yield the slanted letters whose plain form is this character."""
    return _SLANTED.get(character, ())


def _slanted_letters() -> dict[str, list[str]]:
    # The letters of mathematical alphabets; Planck's h has its place among the letterlike symbols.
    found: dict[str, list[str]] = {"h": ["\u210e"]}
    for code in range(0x1D434, 0x1D7CC):
        name = unicodedata.name(chr(code), "")
        if name.startswith("MATHEMATICAL ITALIC"):
            found.setdefault(unicodedata.normalize("NFKC", chr(code)), []).append(chr(code))
    return found


_SLANTED = _slanted_letters()


def write_math_font(whole: Path, pages: Iterable[str], target: Path) -> None:
    """Write the part of a font that the pages' formulas need, with its table of their layout.

    Args:
      whole: the font, with a MATH table.
      pages: their HTML.
      target: where the part goes, as WOFF.
    """
    options = subset.Options(flavor="woff", layout_features=["ssty"], notdef_outline=True)
    font = subset.load_font(str(whole), options)
    part = subset.Subsetter(options)
    part.populate(text="".join(characters(pages)))
    part.subset(font)
    target.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(target), options)
