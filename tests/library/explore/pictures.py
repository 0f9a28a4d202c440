"""What the tests of sliders ask of a picture."""

import io
import re

import numpy as np
from PIL import Image

INKS = re.compile(r"(?:fill|stroke): ([^;\"]+)")


def drawn(picture: str) -> str:
    """Return an SVG element without the names of its parts, which are new at each drawing."""
    return re.sub(r"\bp[0-9a-f]{8}-(?=\d+\b)", "", picture)


def is_transparent(picture: str) -> bool:
    """Say whether nothing is painted behind the axes, and black is the page's own ink."""
    inks = INKS.findall(picture)
    return "#000000" not in inks and "#ffffff" not in inks and "currentColor" in inks


def is_cut_off(png: bytes) -> bool:
    """Say whether there is ink on an edge of the picture, as of a word that goes on beyond it."""
    with Image.open(io.BytesIO(png)) as picture:
        levels = np.asarray(picture.convert("L"))
    return any((edge < 255).any() for edge in (levels[0], levels[-1], levels[:, 0], levels[:, -1]))
