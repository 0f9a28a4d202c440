"""A slider as it stands on a page without a kernel."""

import base64
import gzip
import html
import json
import re

import pytest
from pictures import is_transparent

from dplib.explore.parts.frames import explore_frames
from dplib.plots.parts.ink import unbroken


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setenv("DPLIB_STATIC", "1")
    figure = explore_frames(
        lambda axes, stop: axes[0].plot([0, stop]),
        lambda stop: f"{stop:g} <people> & more.",
        stops=(1, 2, 4),
        start=2,
        name="ε of a day",
    )
    return figure._repr_html_()


def test_it_holds_every_stop_and_shows_the_first_view_without_a_script(page):
    labels, pictures, captions = json.loads(
        gzip.decompress(base64.b64decode(re.search(r'data-frames="([^"]*)"', page)[1]))
    )
    assert labels == ["1", "2", "4"] and captions[2] == "4 <people> & more."
    assert all(map(is_transparent, pictures)) and len(set(pictures)) == 3
    assert pictures[1] in page and pictures[0] not in page
    assert '<figcaption aria-live="polite">2 &lt;people&gt; &amp; more.</figcaption>' in page
    assert 'type="range" min="0" max="2" step="1" value="1"' in page
    assert 'aria-valuetext="ε of a day = 2"' in page and "<script" not in page


def test_its_name_in_the_address_is_plain(page):
    assert 'data-key="epsilon-of-a-day"' in page


def test_a_stop_may_be_written_in_words(monkeypatch):
    monkeypatch.setenv("DPLIB_STATIC", "1")
    written = {1: "1 day", 365: "1 year"}.get
    page = explore_frames(
        lambda axes, stop: None, str, stops=(1, 365), name="step", written=written
    )
    assert "<output>1 day</output>" in page._repr_html_()
    assert 'aria-valuetext="step = 1 day"' in page._repr_html_()


def test_the_sentence_describes_the_picture(page):
    described = re.search(r'<svg role="img" aria-label="([^"]*)"', page)[1]
    assert html.unescape(described) == "2 <people> & more."


def test_no_two_pictures_use_one_name():
    def draw(axes, stop):
        axes[0].plot([0, stop], marker="o")

    figures = [explore_frames(draw, str, stops=(1, 2), start=1) for _ in range(2)]
    parts = [
        set(re.findall(r' id="([^"]*)"', each)) for figure in figures for each in figure._pictures
    ]
    assert all(parts) and len(set.union(*parts)) == sum(map(len, parts))
    for each in figures[0]._pictures:
        used = set(re.findall(r'(?:href="|url\()#([\w-]+)', each))
        assert used == set(re.findall(r' id="([^"]*)"', each))
        assert "#1f77b4" in each  # a colour is no name


def test_a_sentence_is_not_broken_inside_a_number():
    assert unbroken("20 % at 1e-5, not 3 - 1") == "20\u00a0% at 1e-\u20605, not 3 - 1"


def test_a_legend_has_a_name_in_every_picture(monkeypatch):
    monkeypatch.setenv("DPLIB_STATIC", "1")
    page = explore_frames(
        lambda axes, stop: axes[0].plot([stop], label="a") and axes[0].legend(), str
    )
    for picture in page.pictures:
        assert picture.count('<g class="legend">') == 1
