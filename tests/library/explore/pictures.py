"""What the tests of sliders ask of a picture."""

import re

__all__ = ["drawn", "is_transparent"]

INKS = re.compile(r"(?:fill|stroke): ([^;\"]+)")


def drawn(picture: str) -> str:
    """Return an SVG element without the names of its parts, which are new at each drawing."""
    return re.sub(r"\bp[0-9a-f]{8}-(?=\d+\b)", "", picture)


def is_transparent(picture: str) -> bool:
    """Say whether nothing is painted behind the axes, and black is the page's own ink."""
    inks = INKS.findall(picture)
    return "#000000" not in inks and "#ffffff" not in inks and "currentColor" in inks
