"""What is written in a figure: where it stands, and that nothing strikes or hides it."""

import io
import itertools

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from dplib import plots
from dplib.plots.parts.clouds import draw_clouds
from dplib.plots.parts.curves import FIRST, SECOND, THIRD, Curve, draw_curves
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.releases import draw_releases
from dplib.plots.parts.style import BLUE, in_digits

pytestmark = pytest.mark.quick

PLACES, LOOKS = np.array([-50.0, -3, -1, 0, 2, 4, 30, 40, 70]), (FIRST, SECOND, THIRD)


@pytest.mark.parametrize("epsilon", [0.01, 1, 4, 5, 6.3, 7.9, 10])
def test_the_line_of_the_ratio_strikes_no_bound(epsilon):
    with matplotlib.rc_context({"font.size": 13}):  # as in a slider, beside a wider panel
        ax = Figure(figsize=(2.4, 2.7), layout="constrained").subplots()
        plots.draw_neighbor_ratio(ax, count_without=17449, epsilon=epsilon)
        ax.figure.savefig(io.BytesIO())
    rise = ax.transData.transform((17449, 1))[0]
    assert all(each.get_window_extent().x1 < rise for each in ax.texts)


@pytest.mark.parametrize(("epsilon", "expected"), [(0.1, "23 25 25 23"), (10, "48 48")])
def test_a_number_says_how_many_dots_hide_each_other(ax, epsilon, expected):
    plots.draw_posterior(ax, prior=0.5, epsilon=epsilon)
    numbers = [each.get_text() for each in ax.texts]
    assert " ".join(numbers) == expected
    first = next(each for each in ax.lines if each.get_label() == "_if counted")
    assert int(numbers[0 if epsilon > 1 else 1]) == np.sum(
        np.abs(first.get_xdata() - first.get_xdata().max()) < 0.6
    )


def test_beliefs_that_are_all_one_are_one_pile(ax):
    plots.draw_household_beliefs(ax, household=1, epsilon=0.1, prior=0.5)
    assert [each.get_text() for each in ax.texts] == ["23", "25", "50"]


def test_what_is_above_in_a_run_is_above_outside_the_axis_too(ax):
    answers = pd.Series({"a": 50, "b": 900, "c": 700, "d": 10})
    seen = [(-90.0, -80.0, False), (-80.0, -90.0, True), (5000.0, 6000.0, False), (6e3, 5e3, True)]
    run = pd.DataFrame(seen, columns=["answer", "threshold", "reported"], index=answers.index)
    look = {"threshold": 600, "count": 2, "window": (0, 1000)}
    plots.draw_answers_and_threshold(ax, answers, run=run, **look)
    arrows = [each for each in ax.lines if each.get_marker() in ("<", ">")]
    places = {
        (each.get_color() == BLUE, -round(row)): place
        for each in arrows
        for place, row in each.get_xydata()
    }
    for row, (_, _, reported) in enumerate(seen):
        assert (places[False, row] > places[True, row]) == reported


def test_what_the_arrows_are_is_written_where_there_are_some(ax):
    draw_clouds(ax, {"all": PLACES}, {"all": FIRST}, reach=10, x="off by (people)")
    assert ax.get_title(loc="right") == "◁ ▷ outside"
    other = Figure().subplots()
    draw_clouds(other, {"all": PLACES}, {"all": FIRST}, reach=100, x="off by (people)")
    assert other.get_title(loc="right") == ""


@pytest.mark.parametrize("scale", [0.013, 1, 7, 20, 350, 5e6])
@pytest.mark.parametrize("centre", [0, 38, 41.2345, 17450, 35_089_324])
def test_the_middle_and_the_way_to_both_sides_are_numbered(centre, scale):
    with matplotlib.rc_context({"font.size": 13}):  # as in a slider with a panel beside it
        ax = Figure(figsize=(3.3, 2.7), layout="constrained").subplots()
        draw_releases(ax, [], LaplaceLaw(centre, scale), x="answer (people)")
        ax.figure.savefig(io.BytesIO())
    low, middle, high = ax.get_xticks()
    assert middle == centre and high - middle == pytest.approx(middle - low)
    labels = ax.get_xticklabels()
    first, _, last = (each.get_text() for each in labels)
    assert first[1:] == last[1:] and first[0] == "−" and last[0] == "+"
    unit = 1e6 if last.endswith("million") else 1
    assert float(last.split()[0].replace(",", "")) * unit == pytest.approx(high - middle)
    boxes = [each.get_window_extent() for each in labels]
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))


def test_three_marks_in_one_place_are_seen(ax):
    curves = [Curve(name, lambda x: 0 * x, look) for name, look in zip("abc", LOOKS, strict=True)]
    draw_curves(ax, curves, places=np.arange(3.0), at=1)
    sizes = [each.get_markersize() for each in ax.lines if len(each.get_xdata()) == 1]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == 3


@pytest.mark.parametrize(("number", "words"), [(2.9, "2.90"), (14.02, "14.0"), (1563, "1,560")])
def test_numbers_of_a_row_have_as_many_digits(number, words):
    assert in_digits(number, 3) == words
