"""A figure that carries its own description, for readers who cannot see it."""

import base64

import matplotlib
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.ink import INK, described, picture_svg, png

# With these dots per inch a letter of 10 points is as large as one of a slider.
_WIDTH, _SHARPNESS = 560, 130


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


def described_figure(description: str, *, height: float = 270):
    """Return a figure for a notebook and the axes to draw on.

    Args:
      description: what the picture shows, in one or two plain sentences.
      height: as shown, in pixels of a web page, > 0; the width is 560, as of a slider.

    Returns:
      The figure, to be the last line of its cell, and its Axes.

    Raises:
      ValueError: description is empty, or height is out of range.
    """
    if not isinstance(description, str) or not description.strip():
        raise ValueError(f"description must say what the picture shows, got {description!r}")
    size = (_WIDTH / _SHARPNESS, _validate.positive("height", height) / _SHARPNESS)
    with matplotlib.rc_context(INK):
        figure = DescribedFigure(figsize=size, dpi=_SHARPNESS, layout="constrained")
        figure.description = description
        return figure, figure.subplots()
