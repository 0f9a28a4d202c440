"""What a slider keeps from one stop to the next is what it would draw again."""

import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from dplib import explore
from dplib.data import load_adult
from dplib.explore.parts import canvas
from dplib.plots.parts.ink import picture_svg

SLIDERS = {
    "one panel with a legend": lambda: explore.explore_posterior(),
    "two panels, and axes that move": lambda: explore.explore_neighbors(),
    "logarithmic axes": lambda: explore.explore_dimension(),
    "rows with names": lambda: explore.explore_marginals(load_adult().head(2000)),
    "many dots": lambda: explore.explore_answers(),
}


def spelled_out(picture: str) -> str:
    """Return the picture with each part that it uses by name in the place of the name."""
    clips = dict(re.findall(r'<clipPath id="([^"]*)">(.*?)</clipPath>', picture))
    marks = dict(re.findall(r'<path id="([^"]*)"([^>]*>)', picture))
    hatches = dict(re.findall(r'<pattern id="([^"]*)"(.*?)</pattern>', picture))
    names = re.findall(r' id="([^"]*)"', picture)
    assert len(names) == len(set(names)) == len(clips) + len(marks) + len(hatches)
    picture = re.sub(r"<defs>.*?</defs>", "", picture)
    parts = clips | hatches
    picture = re.sub(r"url\(#([^)]*)\)", lambda found: parts[found[1]], picture)
    return re.sub(r'href="#([^"]*)"', lambda found: marks[found[1]], picture)


@pytest.mark.long
@pytest.mark.parametrize("make", SLIDERS.values(), ids=SLIDERS)
def test_what_is_kept_is_what_would_be_drawn(make, monkeypatch):
    kept = make()._pictures
    monkeypatch.setattr(canvas, "keep", lambda *_: None)
    drawn = make()._pictures
    assert [*map(spelled_out, kept)] == [*map(spelled_out, drawn)]


def test_a_legend_and_an_axis_that_change_are_drawn_anew():
    board = canvas.Canvas([1], steady=True)

    def draw(axes, color, label, end):
        axes[0].plot([0, 1], [0, 1], color=color, label=label)
        axes[0].set(xlim=(0, end), xlabel=f"up to {end}")
        axes[0].legend()

    looks = [("red", "a", 1), ("red", "a", 1), ("blue", "a", 1), ("red", "b", 2)]
    pictures = [board.svg(lambda axes, look=look: draw(axes, *look)) for look in looks]
    first, again, blue, other = map(spelled_out, pictures)
    assert first == again
    assert blue.count("#0000ff") == 2 and "#ff0000" not in blue  # the line, and in the legend
    assert ">b<" in other and ">a<" not in other and "up to 2" in other


def test_a_figure_is_laid_out_and_keeps_its_canvas_and_resolution():
    figure = Figure(layout="constrained", dpi=90)
    ax = figure.subplots()
    ax.plot(np.arange(3))
    before, canvas_before = ax.get_position().bounds, figure.canvas
    assert "<svg" in picture_svg(figure, width=100)
    assert figure.canvas is canvas_before and figure.dpi == 90
    assert ax.get_position().bounds != before
