"""A figure that carries its own description, for readers who cannot see it."""

from __future__ import annotations

import base64

import matplotlib
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.ink import INK, described, picture_svg, png

__all__ = ["DescribedFigure", "described_figure"]


class DescribedFigure(Figure):
    """A matplotlib Figure whose picture in a notebook has a description (alt text)."""

    description = ""

    def _repr_mimebundle_(self, **kwargs):
        """Return the picture and its description."""
        width, height = (round(inches * self.dpi) for inches in self.get_size_inches())
        # JupyterLab shows a bare picture without its description; an element of the page keeps it.
        element = described(picture_svg(self, width=width), self.description)
        layout = self.get_layout_engine()
        self.set_layout_engine("none")  # the axes stay where the first picture has them
        picture = base64.b64encode(png(self)).decode()
        self.set_layout_engine(layout)
        data = {"text/html": element, "image/png": picture, "text/plain": self.description}
        return data, {"image/png": {"alt": self.description, "width": width, "height": height}}


def described_figure(description: str, *, panels: int = 1, height: float = 3.0):
    """Return a figure for a notebook and the axes to draw on.

    Args:
      description: what the picture shows, in one or two plain sentences.
      panels: number of axes below one another, at least 1.
      height: in inches, > 0; the width is 7 inches.

    Returns:
      The figure, to be the last line of its cell, and its Axes: one, or an array of shape
      (panels,).

    Raises:
      ValueError: description is empty, or panels or height is out of range.
    """
    if not isinstance(description, str) or not description.strip():
        raise ValueError(f"description must say what the picture shows, got {description!r}")
    if not isinstance(panels, int) or panels < 1:
        raise ValueError(f"panels must be a whole number of at least 1, got {panels!r}")
    size = (7.0, _validate.positive("height", height))
    with matplotlib.rc_context(INK):
        figure = DescribedFigure(figsize=size, dpi=90, layout="constrained")
        figure.description = description
        return figure, figure.subplots(panels, 1)
