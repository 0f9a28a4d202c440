"""The sliders, as far as they can be seen without a browser."""

import base64
import io
import math
import re
from xml.etree import ElementTree

import ipywidgets as widgets
import numpy as np
import pytest
from pictures import drawn, is_transparent
from PIL import Image
from sliders import built

from dplib import explore
from dplib.explore.parts.canvas import Canvas
from dplib.explore.parts.frames import EPSILONS, draw_frames, explore_frames

STOPS = 31


@pytest.fixture(params=["neighbors", "posterior"])
def figure(request):
    return built(request.param)


def plain(axes, stop):
    axes[0].plot([0, stop])


def page(figure):
    return figure.pages.children[figure.pages.selected_index].value


def sentences(figure):
    """Each stop with the numbers of its sentence, ε itself first; thousands as one number."""
    for stop in figure.stops:
        figure.show(stop)
        text = re.sub(r"(?<=\d),(?=\d)", "", figure.caption)
        yield stop, [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def test_the_stops_of_epsilon_are_even_on_a_log_scale():
    assert len(EPSILONS) == STOPS
    np.testing.assert_allclose(EPSILONS, np.geomspace(0.01, 10, STOPS), rtol=0.05)
    assert all(float(f"{epsilon:.2g}") == epsilon for epsilon in EPSILONS)


def test_the_first_view_is_epsilon_one():
    figure = explore_frames(plain, str, stops=(0.1, 1, 10))
    assert (figure.slider.label, figure.pages.selected_index, figure.caption) == ("1", 1, "1.0")


def test_every_sentence_says_its_epsilon(figure):
    assert len(figure.stops) == STOPS
    for stop in figure.stops:
        figure.show(stop)
        assert figure.slider.label == f"{stop:g}"
        assert figure.caption.startswith(f"With ε = {stop:g} ")


def test_a_stop_that_is_none_is_refused_and_nothing_moves(figure):
    figure.show(0.1)
    with pytest.raises(ValueError, match=r"stop.*0\.11"):
        figure.show(0.11)
    assert figure.slider.label == "0.1"


def test_the_sentences_on_neighbors_carry_the_right_numbers():
    neighbors = built("neighbors")
    for stop, (epsilon, error, times) in sentences(neighbors):
        assert epsilon == stop
        assert error == pytest.approx(1 / stop, rel=0.05)  # two digits
        assert times == pytest.approx(math.exp(stop), rel=0.005)  # three
    neighbors.show(0.1)
    assert neighbors.caption == (
        "With ε = 0.1 the release is off by about 10 people, and no release is more than "
        "1.11 times as likely with one person as without."
    )


def test_answers_rain_until_all_have_come():
    answers = 100 + np.random.default_rng(3).laplace(scale=4, size=500)
    rain = explore.explore_rain(answers, value=100, sensitivity=2, epsilon=0.5)
    assert rain.stops == (1, 3, 10, 30, 100, 300, 500) and rain.slider.label == "30"
    (play,) = [each for each in rain.children if isinstance(each, widgets.Play)]
    assert (play.value, play.max) == (rain.slider.index, 6)
    for stop, numbers in sentences(rain):
        off, law = numbers[-2:]
        assert off == pytest.approx(abs(answers[: int(stop)] - 100).mean(), rel=0.05)
        assert law == 4
    assert rain.caption.startswith("The first 500 answers are off by ")
    # Few answers are dots, and the picture says so.
    rain.show(30)
    assert "each dot is an answer" in rain.picture
    rain.show(300)
    assert "height says nothing" not in rain.picture
    few = explore.explore_rain(answers[:1], value=100, sensitivity=2, epsilon=0.5)
    assert few.caption.startswith("The first answer is off by ")
    for wrong in ({"releases": []}, {"value": "many"}, {"sensitivity": 0}, {"epsilon": -1}):
        (name,) = wrong
        good = {"releases": answers, "value": 100, "sensitivity": 2, "epsilon": 0.5}
        with pytest.raises(ValueError, match=name):
            explore.explore_rain(**good | wrong)


def test_the_sentences_on_the_attacker_carry_the_right_numbers():
    for stop, (epsilon, prior, high, low) in sentences(explore.explore_posterior(prior=0.2)):
        assert (epsilon, prior) == (stop, 20)
        for shown, odds in ((high, 0.25 * math.exp(stop)), (low, 0.25 * math.exp(-stop))):
            exact = 100 * odds / (1 + odds)
            # Two digits of what it is away from 0, from 100 and from the prior.
            room = min(exact, 100 - exact, abs(exact - 20))
            assert shown == pytest.approx(exact, abs=0.05 * room)
            assert shown not in (0, 20, 100)
    posterior = built("posterior")
    posterior.show(1)
    assert posterior.caption == (
        "With ε = 1 an attacker who thought 50 % can come to believe at most 73 %, "
        "and at least 27 %."
    )


def test_every_picture_is_drawn_in_the_ink_of_its_page(figure):
    for stop in figure.stops:
        figure.show(stop)
        ElementTree.fromstring(figure.picture)
        assert is_transparent(figure.picture)
        assert "max-width:560px" in figure.picture and "<script" not in figure.picture


def test_a_page_without_widgets_gets_a_picture_and_words(figure):
    figure.show(0.5)
    data, metadata = figure._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as picture:
        assert picture.size[0] >= 1.5 * 560
        corners = np.asarray(picture.convert("RGB"))[[0, 0, -1], [0, -1, 0]]
        assert (corners == 255).all()
    assert data["text/plain"] == figure.caption == metadata["image/png"]["alt"]


def frames(draw, stops):
    """The pictures of these stops, without the names of their parts."""
    made = draw_frames(Canvas((1,), steady=True), draw, str, stops)
    return [re.sub(r'aria-label="[^"]*"', "", drawn(picture)) for picture, _ in made]


def test_the_axes_stand_still_however_wide_their_labels_are():
    def draw(axes, stop):
        axes[0].set(xlim=(0, 1), ylim=(0, 10**stop))
        axes[0].plot([0.5], [10**stop / 2], "o")
        axes[0].ticklabel_format(style="plain")

    def left_spine(picture):
        spines = re.findall(r'd="M ([\d.]+) [\d.]+ L \1 [\d.]+ " style="[^"]*square"', picture)
        return float(spines[0])

    pictures = frames(draw, (5, 1, 3))
    assert len(set(pictures)) == 3
    assert len({left_spine(picture) for picture in pictures}) == 1


def test_a_stop_leaves_nothing_on_the_axes_of_the_next():
    def draw(axes, stop):
        axes[0].plot([0, stop], label="line")
        axes[0].legend()
        axes[0].text(0, 0, f"{stop}")

    assert frames(draw, (3, 1, 3))[-1] == frames(draw, (3,))[0]


@pytest.mark.parametrize("execution", ["autograde", "validate"])
def test_one_picture_is_drawn_where_nobody_looks(monkeypatch, execution):
    monkeypatch.setenv("NBGRADER_EXECUTION", execution)
    drawn = []

    def draw(axes, stop):
        drawn.append(stop)

    figure = explore_frames(draw, str, start=0.5)
    assert drawn == [0.5]
    assert figure.caption == "0.5"
    assert len(figure.pages.children) == len(figure.slider.options) == 1
    assert "image/png" in figure._repr_mimebundle_()[0]


def test_the_shared_piece_takes_any_parameter():
    figure = explore_frames(
        plain, lambda k: f'{k:g} <groups> & "more"', stops=(2, 8, 4), start=8, name="groups"
    )
    assert figure.slider.description == "groups"
    assert [label for label, _ in figure.slider.options] == ["2", "8", "4"]
    assert (figure.slider.label, figure.caption) == ("8", '8 <groups> & "more"')
    assert 'aria-label="8 &lt;groups&gt; &amp; &quot;more&quot;"' in page(figure)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("stops", ()),
        ("stops", (1, math.nan)),
        ("stops", (1.0, 2.0, 1.0)),
        ("stops", ("low", "high")),
        ("start", 0.11),
    ],
)
def test_bad_stops_are_named(name, wrong):
    with pytest.raises(ValueError, match=name):
        explore_frames(plain, str, **{name: wrong})


@pytest.mark.parametrize("wrong", [0, 1, -0.5, math.nan, "half", None])
def test_a_bad_prior_is_named(wrong):
    with pytest.raises(ValueError, match="prior"):
        explore.explore_posterior(prior=wrong)


def test_the_posterior_opens_at_the_epsilon_that_is_asked_for():
    assert explore.explore_posterior(prior=0.5, start=0.1).caption.startswith("With ε = 0.1 ")
    with pytest.raises(ValueError, match="start"):
        explore.explore_posterior(start=0.3)


@pytest.mark.parametrize("wrong", [math.inf, math.nan, "many", None])
def test_a_bad_count_is_named(wrong):
    with pytest.raises(ValueError, match="count_without"):
        explore.explore_neighbors(count_without=wrong)


def test_the_sentences_on_a_household_carry_the_right_numbers():
    figure = explore.explore_household(epsilon=0.1)
    for size in figure.stops:
        figure.show(size)
        _, high, low = (float(each) for each in re.findall(r"\d+(?:\.\d+)?", figure.caption))
        for shown, rows in ((high, size), (low, size - 1)):
            odds = math.exp(0.1 * rows)
            assert shown == pytest.approx(100 * odds / (1 + odds), abs=0.51)
