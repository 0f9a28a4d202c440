"""Chapters with what of them has passed: tiles in a notebook, lines in a terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from autograder.progress.chapters import Chapter, chapters

_BAR = 10  # signs of a line's bar
_NONE = "No chapter lies beside this notebook."
_ON_A_PAGE = "In JupyterLab, sixteen tiles stand here, and fill as your checks pass."
_GRID = "display:grid;grid-template-columns:repeat(auto-fill,minmax(11em,1fr));gap:0.6em"
_TILE = (
    "display:flex;flex-direction:column;gap:0.3em;padding:0.6em;border-radius:6px;"
    "border:1px solid #8a8f98;line-height:1.3"
)
_LEFT = "margin-top:auto;height:8px;border-radius:4px;border:1px solid #8a8f98;overflow:hidden"
_DONE = "height:100%;background:#009e73;width:{:.0%}"


def tiles(folder: str | Path = "..") -> Tiles:
    """Return a tile for each chapter, filled with what passed on this machine.

    Args:
      folder: where the chapters' folders are; by default beside the notebook's own.

    Raises:
      ValueError: there is no such folder.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(f"folder must be a folder of chapters, got {str(folder)!r}")
    return Tiles(chapters(path), path.as_posix())


class Tiles:
    """The tiles of chapters, as a notebook shows them; `folder` is where they lie."""

    def __init__(self, found: Sequence[Chapter], folder: str) -> None:
        self.chapters, self._folder = tuple(found), folder

    def __repr__(self) -> str:
        if os.environ.get("DPLIB_STATIC"):
            return _ON_A_PAGE
        return printed(self.chapters) or _NONE

    def _repr_html_(self) -> str | None:
        """Return the tiles; a page without a kernel and a grader are given words alone."""
        nobody = {"DPLIB_STATIC", "NBGRADER_EXECUTION"} & os.environ.keys()
        if nobody or not self.chapters:
            return None
        whole = ElementTree.Element("nav", {"aria-label": "your progress"})
        total = sum(each.passed for each in self.chapters)
        every = sum(len(each.shares) for each in self.chapters)
        words = f"Passed on this machine: {total} of {every} exercises."
        ElementTree.SubElement(whole, "p").text = words
        grid = ElementTree.SubElement(whole, "div", style=_GRID)
        for each in self.chapters:
            _tile(grid, each, f"{self._folder}/{each.name}/{each.name}.ipynb")
        return ElementTree.tostring(whole, "unicode", method="html")


def _tile(grid: ElementTree.Element, chapter: Chapter, address: str) -> None:
    tile = ElementTree.SubElement(grid, "div", style=_TILE)
    # JupyterLab opens the chapter beside this page.
    ElementTree.SubElement(tile, "a", href=address).text = chapter.title
    # Said in words beside the bar, which is for the eye alone.
    done = "✓ " if chapter.share == 1 else ""
    ElementTree.SubElement(tile, "span").text = f"{done}{chapter}"
    left = ElementTree.SubElement(tile, "div", {"style": _LEFT, "aria-hidden": "true"})
    ElementTree.SubElement(left, "div", style=_DONE.format(chapter.share))


def printed(found: Sequence[Chapter]) -> str:
    """Return a line for each chapter; "" for none."""
    longest = max((len(each.title) for each in found), default=0)
    return "\n".join(
        f"{each.title:{longest}}  [{'#' * round(_BAR * each.share):{_BAR}}]  {each}"
        for each in found
    )
