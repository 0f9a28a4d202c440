"""One vocabulary of colours: all that is drawn says what `dplib/plots/parts/style.py` says."""

import re

import numpy as np
import pytest
from contrast import LEAST, PAGES, channels, contrast, faint
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from places import ROOT
from scipy import stats

from autograder.check.shown import card, figure
from autograder.progress import shown
from dplib.guess import page
from dplib.guess.scale import Scale
from dplib.plots.parts import style
from dplib.plots.parts.releases import draw_choices, draw_releases
from ville import picture

pytestmark = pytest.mark.quick

COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
NAMED = [value for name, value in vars(style).items() if name.isupper()]
PALETTE = {value.lower() for value in NAMED if isinstance(value, str) and COLOUR.fullmatch(value)}
DRAWN = ["dplib", "ville", "autograder/check", "autograder/progress", "deploy/site"]
ENDINGS = {".py", ".css", ".js", ".svg", ".jinja"}
YOURS, PASSED = style.ORANGE.lower(), style.GREEN.lower()


def strangers(text: str) -> set[str]:
    """Colours of a text that are no greys and not of the palette."""
    found = {each.lower() for each in COLOUR.findall(text)} - PALETTE
    return {each for each in found if np.ptp(channels(each)) > 16 / 255}


@pytest.mark.parametrize("folder", DRAWN)
def test_every_colour_is_of_the_palette(folder):
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    assert {path.name: found for path in files if (found := strangers(path.read_text()))} == {}


def test_a_stranger_is_seen():
    assert strangers("fill: #E69F00; stroke: #D55E00; border: #8a8f98") == {"#e69f00"}


# Black is the page's own ink; SKY is for surfaces alone.
LINES = PALETTE - {style.BLACK, style.SKY.lower()}


@pytest.mark.parametrize("colour", sorted(LINES))
@pytest.mark.parametrize("paper", PAGES)
def test_a_line_is_seen_on_a_light_page_and_on_a_dark_one(colour, paper):
    assert contrast(colour, paper) >= LEAST
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


def test_a_pale_line_and_a_pale_mark_are_found():
    ax = Figure().subplots()
    ax.plot([0, 1], color=style.BLUE)
    ax.plot([0], "o", color=style.GREY)
    ax.plot([0], "o", markerfacecolor="none", markeredgecolor=style.ORANGE)
    ax.axvspan(0, 1, color=style.SKY, alpha=0.25, linewidth=0)
    assert faint(ax) == []
    ax.plot([0, 1], color=style.SKY)
    ax.plot([0], "o", color=style.BLUE, alpha=0.8)  # on a dark page it is too dark
    ax.vlines([0], 0, 1, color="#999999")
    ax.axvspan(0, 1, facecolor="none", edgecolor="#999999", alpha=0.8)
    assert faint(ax) == ["#0072b2cc", "#56b4e9ff", "#999999cc", "#999999ff"]


def test_what_is_yours_is_orange_in_a_slider_and_the_law_is_dashed():
    for count in (20, 200):
        ax = Figure().subplots()
        draw_releases(ax, np.linspace(-2, 2, count), stats.laplace(), x="people")
        (yours,) = [each for each in ax.get_children() if each.get_label() == "yours"]
        colour = yours.get_color() if count == 20 else yours.get_facecolor()
        (law,) = [each for each in ax.lines if each.get_label() == "the law"]
        assert to_hex(colour) == YOURS
        assert (law.get_color(), law.get_linestyle()) == (style.BLACK, "--")
    ax = Figure().subplots()
    draw_choices(ax, ["yes"], {"yes": 0.7, "no": 0.3})
    assert {to_hex(bar.get_facecolor()) for bar in ax.patches} == {YOURS}
    assert ax.lines[0].get_color() == style.BLACK


def test_what_is_yours_is_orange_in_a_check_and_the_law_is_dashed():
    how = {"law": stats.laplace().cdf, "exact": 0, "scale": 1, "whole": False}
    numbers = figure.of_answers(np.linspace(-2, 2, 99), **how, caption="here")
    shares = {"yes": 0.7, "no": 0.3}
    for each in (numbers, figure.of_choices(shares, shares, caption="here")):
        assert {found.lower() for found in COLOUR.findall(each.svg)} - {"#ffffff"} == {YOURS}
        assert re.search(r'stroke="currentColor"[^>]*stroke-dasharray', each.svg)


def test_what_you_said_is_orange_and_the_truth_is_dashed():
    axis = page.axis_page(Scale(0, 10, log=False, unit="people"), 3, 5)
    assert {found.lower() for found in COLOUR.findall(axis)} == {YOURS}
    assert re.search(r'stroke="currentColor"[^>]*stroke-dasharray', axis)


def test_what_came_is_orange_in_a_picture_of_ville():
    assert (picture._CAME.lower(), picture._LAW) == (YOURS, style.BLACK)


def test_what_has_passed_is_green():
    css = (ROOT / "deploy/site/static/workbook.css").read_text()
    (bar,) = re.findall(r"\.tile::after {.*background: (#\w+)", css)
    assert {bar, COLOUR.search(card._CARD)[0], COLOUR.search(shown._DONE)[0]} == {PASSED}


def test_the_figure_of_a_report_has_the_same_colours():
    css = (ROOT / "autograder/report/page.css").read_text()
    found = re.findall(r"--(?:bar|line): (#\w+)", css)
    assert len(found) == 4 and set(found) <= PALETTE
