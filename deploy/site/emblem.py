"""Cuts a figure down to a small emblem without text."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

_BOX = re.compile(r'viewBox="([^"]+)"')
_UNSEEN = "fill: none"  # the ground of a figure, of its axes
_MARGIN = 6


def cut(picture: str) -> str:
    """Return the SVG element with the view cut to what it draws, letters and legends left out.

    Args:
      picture: as dplib/plots/parts/ink.py writes it: no part of it is moved as a whole.
    """
    view = _BOX.search(picture)
    drawn = list(_drawn(ElementTree.fromstring(picture))) if view else []
    if not drawn:
        return picture
    left, top, width, height = map(float, view[1].split())
    corners = np.concatenate(drawn)
    # What lies outside is cut off by the figure too.
    start = np.maximum(corners.min(axis=0) - _MARGIN, (left, top))
    end = np.minimum(corners.max(axis=0) + _MARGIN, (left + width, top + height))
    box = " ".join(f"{number:.1f}" for number in (*start, *(end - start)))
    return picture.replace(view[0], f'viewBox="{box}"', 1)


def _drawn(svg: ElementTree.Element) -> Iterator[np.ndarray]:
    """Yield the corners of each path, where it stands."""
    shapes = {each.get("id"): _corners(each) for each in svg.iterfind(".//defs/path")}
    waiting = [svg]
    while waiting:
        element = waiting.pop()
        if element.tag == "path" and element.get("style") != _UNSEEN:
            yield _corners(element)
        elif element.tag == "use":
            yield shapes[element.get("href")[1:]] + (
                float(element.get("x", 0)),
                float(element.get("y", 0)),
            )
        elif element.tag != "defs" and element.get("class") != "legend":
            waiting += element


def _corners(path: ElementTree.Element) -> np.ndarray:
    numbers = re.findall(r"-?\d+(?:\.\d+)?", path.get("d"))
    return np.array(numbers, dtype=float).reshape(-1, 2)
