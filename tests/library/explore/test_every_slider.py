"""What holds for every slider, as far as it can be seen without a browser."""

import html
import itertools

import pytest
from contrast import faint
from matplotlib.backends.backend_agg import FigureCanvasAgg
from pictures import drawn, is_cut_off, is_transparent
from sliders import SLIDERS, built, caption

from dplib.plots.parts.ink import unbroken

# Every slider is drawn at every stop, once for all these files.
pytestmark = pytest.mark.long

MEGABYTE = 1_000_000
# What few may be: drawn with room for the widest labels of all stops.
WIDER = {"float_window", "neighbors", "best_chance"}


@pytest.fixture(params=SLIDERS)
def name(request):
    return request.param


@pytest.fixture
def figure(name):
    return built(name)


def test_every_stop_has_a_picture_of_its_own_and_its_sentence(figure, name):
    seen = []
    for stop, page in zip(figure.stops, figure.pages.children, strict=True):
        figure.show(stop)
        assert figure.pages.selected_index == figure.slider.index
        # The page holds this picture and, twice, this sentence: below it, and as its description.
        assert figure.picture in page.value
        assert f'aria-label="{html.escape(figure.caption)}"' in figure.picture
        assert f">{html.escape(unbroken(figure.caption))}</figcaption>" in page.value
        seen.append(drawn(figure.picture))
        assert figure.caption == caption(name, stop)  # told without a picture too
    fewest = 3 if name == "generalization" else 7
    assert fewest <= len(figure.stops) == len(figure.slider.options) <= 31
    assert len(set(seen)) == len(seen)


def test_a_figure_stays_small_and_in_the_ink_of_its_page(figure):
    assert sum(len(page.value) for page in figure.pages.children) < 0.8 * MEGABYTE
    assert is_transparent(figure.picture)


def test_nothing_is_cut_off_at_the_edges(name, figure):
    for stop in (figure.stops[0], SLIDERS[name][1], figure.stops[-1]):
        figure.show(stop)
        assert not is_cut_off(figure.png)


def test_lines_and_small_marks_stand_out_on_a_light_page_and_on_a_dark_one(name, figure):
    for stop in (figure.stops[0], SLIDERS[name][1], figure.stops[-1]):
        figure.show(stop)
        assert figure.png  # draws it
        assert [faint(ax) for ax in figure._png.args[0]._figure.axes if faint(ax)] == []


def test_the_titles_of_panels_do_not_touch(name, figure):
    figure.show(SLIDERS[name][1])
    assert figure.png  # draws it
    drawing = figure._png.args[0]._figure
    renderer = FigureCanvasAgg(drawing).get_renderer()
    boxes = [ax._left_title.get_window_extent(renderer) for ax in drawing.axes]
    room = drawing.get_size_inches()[0] * drawing.dpi / 100
    assert all(left.x1 + room < right.x0 for left, right in itertools.pairwise(boxes))
    assert boxes[-1].x1 < drawing.bbox.x1


def test_one_picture_is_drawn_where_nobody_looks(name, monkeypatch):
    """It is the first view, the same as the living figure shows untouched."""
    # First, and without the variable: it is kept for other tests, whichever run in this process.
    living = built(name)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    build, first = SLIDERS[name]
    alone = build()
    assert alone.stops == (first,) and len(alone.pages.children) == 1
    living.show(first)
    assert alone.caption == living.caption
    assert drawn(alone.picture) == drawn(living.picture) or name in WIDER
