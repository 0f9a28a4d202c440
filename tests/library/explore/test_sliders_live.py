"""Figures that call a reader's own function, as far as they can be seen without a browser."""

import base64
import functools
import io
import re

import numpy as np
import pandas as pd
import pytest
from contrast import LEAST, PAGES, contrast
from matplotlib.figure import Figure
from PIL import Image
from scipy import stats

import dplib
from dplib import explore
from dplib.data import load_adult
from dplib.explore.parts.frames import SliderFigure
from dplib.explore.parts.live import LiveFigure, explore_live
from dplib.explore.parts.page import PageSlider
from dplib.explore.parts.slider_name import named
from dplib.explore.parts.words import label
from dplib.plots.parts.releases import draw_choices, draw_releases
from dplib.plots.sparse_vector import first_report_chances

adult = load_adult()
OWN = {
    "laplace_mechanism": explore.explore_neighbors,
    "private_sum": lambda **own: explore.explore_clipping_bound(adult, **own),
    "gaussian_mechanism": explore.explore_tails,
    "propose_test_release": lambda **own: explore.explore_proposed_bound(adult["Age"][:999], **own),
    "sample_and_aggregate": lambda **own: explore.explore_chunks(
        adult["Age"], labels=adult["SSN"], **own
    ),
    "exponential_mechanism": lambda **own: explore.explore_selection(adult, **own),
    "above_threshold": lambda **own: explore.explore_reported_threshold(adult, **own),
    "randomized_response": explore.explore_local_epsilon,
}


def numbers(caption):
    text = re.sub(r"(?<=\d),(?=\d)", "", caption)
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def plain(axes, *stops):
    axes[0].plot([0, 1], stops[:1] * 2)


@pytest.mark.long
@pytest.mark.parametrize("name", OWN)
def test_a_right_function_is_drawn_beside_its_law_at_every_stop(name):
    figure = OWN[name](mechanism=getattr(dplib, name))
    slider = figure.sliders[0]
    pages = set()
    for index in (0, len(slider.options) - 1, slider.index):
        slider.index = index
        pages.add(figure.page.value)
        assert "your" in figure.caption and "by the law it is" in figure.caption
        assert "yours" in figure.page.value and "the law" in figure.page.value
        assert f"= {slider.label}," in re.sub(r"(?<=\d),(?=\d)", "", figure.caption)
    assert len(pages) > 1


@pytest.mark.parametrize("name", OWN)
def test_a_function_that_stops_is_told_so_and_one_not_written_too(name):
    def unwritten(*given, **named):
        raise NotImplementedError

    figure = OWN[name](mechanism=unwritten)
    assert figure.caption.startswith("Your function is not written yet")
    assert "yours" not in figure.page.value and "the law" in figure.page.value

    def broken(*given, **named):
        return 1 / 0

    figure = OWN[name](mechanism=broken)
    assert figure.caption == "Your function stopped with ZeroDivisionError: division by zero."


def test_the_sentence_tells_wrong_noise_from_right_noise(monkeypatch):
    # All 400 releases come, however busy the machine is.
    monkeypatch.setattr("dplib.explore.parts.releases.SECONDS", 600)

    def multiplies(value, *, sensitivity, epsilon):
        return value + np.random.default_rng().laplace(scale=sensitivity * epsilon)

    figure = explore.explore_neighbors(mechanism=multiplies)
    figure.sliders[0].index = 10  # epsilon 0.1
    epsilon, count, yours, law = numbers(figure.caption)
    assert (epsilon, count) == (0.1, 400)
    # The median of |Laplace| is scale * ln 2. Of 400 draws it leaves a factor of two of it with
    # probability below 1e-20 (binomial: 200 of 400 beyond a point of probability 1/4).
    assert law == pytest.approx(10 * np.log(2), rel=0.02)
    assert yours < 2 * 0.1 * np.log(2)


def own_medians(release):
    """The slider with a mechanism of this scale and that always answers, or never."""
    figure = OWN["propose_test_release"](mechanism=lambda values, bound, **_: release(bound))
    figure.sliders[0].index = len(figure.sliders[0].options) - 1
    return figure, figure._canvas._axes[-1]


def test_medians_with_too_little_noise_stand_above_their_law(monkeypatch):
    monkeypatch.setattr("dplib.explore.parts.releases.SECONDS", 600)
    middle, rng = np.median(adult["Age"][:999]), np.random.default_rng()
    # At epsilon = 0.5 the scale is 20 for a bound of 10, and not 5.
    figure, ax = own_medians(lambda bound: middle + rng.laplace(scale=bound / 2))
    bound, answers, runs, _, count, yours, exact, law = numbers(figure.caption)
    assert (bound, answers, runs, count, exact) == (10, 400, 400, 400, middle)
    # Of 400 draws less than half are below 7, as three quarters are by their own law, with a
    # probability below exp(-51) (Hoeffding).
    assert yours < 7 and law == pytest.approx(20 * np.log(2), rel=0.02)
    (bars,) = [each for each in ax.patches if each.get_label() == "yours"]
    peak = curve(ax, "the law")[1].max()
    assert peak == pytest.approx(1 / 40)
    # Half of the draws lie in the two steps in the middle. If both were below 1.5 peaks, it would
    # be a quarter: probability below exp(-47) (Chernoff).
    assert bars.get_data().values.max() > 1.5 * peak


def test_releases_of_a_slow_function_become_many_at_their_stop(monkeypatch):
    monkeypatch.setattr("dplib.explore.parts.releases.SECONDS", 0)
    figure, ax = own_medians(lambda bound: 38.0)
    (dots,) = [each for each in ax.lines if each.get_label() == "yours"]
    assert len(dots.get_xdata()) == 20 and "in 20 of 20 runs" in figure.caption
    figure.again.click()
    assert "in 40 of 40 runs" in figure.caption
    figure.sliders[0].index -= 1
    assert "in 20 of 20 runs" in figure.caption
    figure.sliders[0].index += 1
    assert "in 60 of 60 runs" in figure.caption
    for _ in range(20):
        figure.again.click()
    assert "in 400 of 400 runs" in figure.caption


def test_a_function_without_an_answer_has_no_dots_and_is_not_said_to_be_near():
    figure, ax = own_medians(lambda bound: None)
    assert "answers in 0 of " in figure.caption and "Half" not in figure.caption
    assert [each.get_text() for each in ax.texts if each.get_text()] == ["no answer"]
    assert [each.get_label() for each in ax.lines] == ["the law"]


def test_each_draw_is_new():
    figure = explore.explore_neighbors(mechanism=dplib.laplace_mechanism)
    before = figure.page.value
    figure.again.click()
    assert figure.page.value != before
    assert "<svg" in before and 'role="img"' in before and "<script" not in before


def test_a_page_without_a_kernel_gets_every_stop_beforehand(monkeypatch):
    assert isinstance(explore.explore_neighbors(mechanism=dplib.laplace_mechanism), LiveFigure)
    monkeypatch.setenv("DPLIB_STATIC", "1")
    figure = explore.explore_neighbors(mechanism=dplib.laplace_mechanism)
    assert isinstance(figure, PageSlider)
    for stop, caption in zip(figure.stops, figure.captions, strict=True):
        assert caption.startswith(f"With ε = {stop:g}, half of your ")
        # The sentence is about the releases of this stop. The median of |Laplace| of 20 releases
        # is off by a factor of 20 with probability below 1e-9 (binomial: 10 of 20 on the wrong side
        # of a point that has 1/30 there); along the slider the law changes by 1000.
        *_, yours, law = numbers(caption)
        assert law / 20 < yours < 20 * law


def test_two_sliders_draw_one_figure():
    sliders = [("ε", (0.1, 1), 1), ("δ", (1e-9, 1e-5, 1e-3), 1e-5)]
    figure = explore_live(plain, "ε is {} and δ is {}".format, sliders=sliders)
    assert figure.caption == "ε is 1 and δ is 1e-05"
    figure.sliders[1].index = 0
    figure.sliders[0].index = 0
    assert figure.caption == "ε is 0.1 and δ is 1e-09"


def test_two_parameters_of_a_chapter_move_one_figure_and_its_sentence():
    figure = explore.explore_delta(epsilon=None)
    delta, epsilon = figure.sliders
    first = figure.page.value
    delta.index = [label for label, _ in delta.options].index("0.001")
    epsilon.index = [label for label, _ in epsilon.options].index("0.01")
    # As the chapter says: at a small epsilon a delta of 0.001 makes Gaussian noise the smaller one.
    assert numbers(figure.caption)[:4] == [0.01, 0.001, 180, 20]
    assert "(Laplace: 300)" in figure.caption and figure.page.value != first
    figure = explore.explore_local_people(epsilon=None)
    people, epsilon = figure.sliders
    people.index, epsilon.index = len(people.options) - 1, 5
    assert numbers(figure.caption)[:3] == [0.1, 1_000_000, 10_000]
    assert figure.again not in figure.children


# What draws with one slider or two, the argument that has the second, and where it starts.
TWO = {
    "delta": (explore.explore_delta, "epsilon", 1),
    "local_people": (explore.explore_local_people, "epsilon", 1),
    "budget_split": (explore.explore_budget_split, "answers", 5),
    "proposed_bound": (
        functools.partial(explore.explore_proposed_bound, adult["Age"][:999]),
        "epsilon",
        0.5,
    ),
    "accounts": (explore.explore_accounts, "sigma", 10),
    "range_size": (explore.explore_range_size, "epsilon", 1),
}


@pytest.mark.long
@pytest.mark.parametrize("name", TWO)
def test_the_window_stays_while_the_second_slider_moves(name):
    explore_two, second, _ = TWO[name]
    figure = explore_two(**{second: None})
    windows = set()
    for place in range(len(figure.sliders[1].options)):
        figure.sliders[1].index = place
        windows.add(figure._canvas._axes[-1].get_xlim())
    assert len(figure.sliders) == 2 and len(windows) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", TWO)
def test_without_a_kernel_the_first_of_two_sliders_moves(monkeypatch, name):
    explore_two, second, start = TWO[name]
    live = explore_two(**{second: None})
    alone = explore_two(**{second: start})
    monkeypatch.setenv("DPLIB_STATIC", "1")
    figure = explore_two(**{second: None})
    assert isinstance(live, LiveFigure) and isinstance(figure, PageSlider)
    assert isinstance(alone, SliderFigure)
    assert figure.caption == live.caption == alone.caption
    assert figure.name == live.sliders[0].description
    assert len(set(figure.captions)) == len(figure.stops) == len(live.sliders[0].options)


def test_a_page_that_cannot_show_it_gets_a_picture_with_the_sentence():
    figure = explore.explore_delta(epsilon=None)
    data, metadata = figure._repr_mimebundle_()
    picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert picture.width >= 1.49 * metadata["image/png"]["width"]
    assert len(picture.getcolors(1_000_000)) > 2
    assert metadata["image/png"]["alt"] == data["text/plain"] == figure.caption


def test_a_slider_that_starts_nowhere_is_refused():
    with pytest.raises(ValueError, match="δ must start at one of"):
        explore_live(plain, str, sliders=[("δ", (0.1, 0.2), 0.3)])


def test_the_histogram_and_the_law_share_one_scale():
    ax = Figure().subplots()
    law = stats.laplace(5, 2)
    inside = law.ppf((np.arange(10_000) + 0.5) / 10_000)
    draw_releases(ax, inside, law, x="answer (people)")
    steps = ax.patches[0]
    heights, edges, _ = steps.get_data()
    middles = (edges[1:] + edges[:-1]) / 2
    np.testing.assert_allclose(heights, law.pdf(middles), rtol=0.15)
    # Releases outside the window take from those inside.
    far = Figure().subplots()
    draw_releases(far, np.append(inside, np.full(10_000, 1e6)), law, x="answer (people)")
    np.testing.assert_allclose(far.patches[0].get_data()[0], heights / 2)


def test_a_few_releases_are_piles_of_dots_whatever_the_law_is():
    ax, law = Figure().subplots(), stats.laplace(5, 2)
    seen = np.linspace(-3, 13, 99)
    draw_releases(ax, seen, law, x="answer (people)")
    (dots,) = [each for each in ax.lines if each.get_label() == "yours"]
    places, heights = dots.get_data()
    np.testing.assert_allclose(places, seen)
    # Evenly spread, they lie in piles of one height: far out above the law, in its middle below it.
    assert len(np.unique(np.round(heights, 12))) <= 5
    assert heights[0] > law.pdf(seen[0]) and heights.max() < law.pdf(5)
    # The same dots stay where they are when others come.
    some, more = Figure().subplots(), Figure().subplots()
    draw_releases(some, seen[40:50], law, x="answer (people)")
    draw_releases(more, seen[40:55], law, x="answer (people)")
    np.testing.assert_allclose(some.lines[0].get_ydata(), more.lines[0].get_ydata()[:10])
    # At one place they are a tower, of which the axis shows three times the law's height at most.
    draw_releases(tower := Figure().subplots(), np.full(50, 5.0), law, x="answer (people)")
    assert tower.get_ylim()[1] == pytest.approx(3 * law.pdf(5))


# Whose releases are numbers, and whether noise grows along the slider.
NUMBERS = {
    "laplace_mechanism": -1,
    "private_sum": 1,
    "gaussian_mechanism": -1,
    "sample_and_aggregate": -1,
}


def unwritten(*given, **named):
    raise NotImplementedError


def curve(ax, label):
    return next(each.get_data() for each in ax.lines if each.get_label() == label)


@pytest.mark.long
@pytest.mark.parametrize("name", NUMBERS)
def test_less_noise_is_drawn_narrower_at_every_move(name):
    figure = OWN[name](mechanism=unwritten)
    ax, drawn, exact = figure._canvas._axes[-1], [], []
    for index in range(len(figure.sliders[0].options)):
        figure.sliders[0].index = index
        places, heights = curve(ax, "the law")
        centre, (low, high) = places[heights.argmax()], ax.get_xlim()
        right = places >= centre
        half = np.interp(-heights.max() / 2, -heights[right], places[right]) - centre
        exact.append(half)
        drawn.append(2 * half / (high - low))
        assert high - centre == pytest.approx(centre - low)
        assert 0.4 < heights.max() / ax.get_ylim()[1] < 0.9
    assert (np.sign(np.diff(exact)) == NUMBERS[name]).all()
    assert (np.sign(np.diff(drawn)) == NUMBERS[name]).all()
    # An eighth of the noise is drawn half as wide; the least is still seen.
    ratios = np.array(exact) / max(exact)
    np.testing.assert_allclose(np.array(drawn) / max(drawn), ratios ** (1 / 3), rtol=0.02)
    assert min(drawn) > 0.01


@pytest.mark.parametrize("name", set(NUMBERS) - {"private_sum"})
def test_the_ghost_is_the_law_of_the_stop_before(name):
    figure = OWN[name](mechanism=unwritten)
    slider, ax = figure.sliders[0], figure._canvas._axes[-1]
    labels = [each.get_label() for each in ax.lines]
    assert labels == ["the law"]
    before, (places, heights) = slider.label, curve(ax, "the law")
    slider.index -= 1
    figure.again.click()  # more releases at the same stop: the ghost stays
    ghost = curve(ax, f"at {slider.description} = {before}")
    np.testing.assert_allclose(
        ghost[1], np.interp(ghost[0], places, heights, 0, 0), atol=0.05 * heights.max()
    )
    assert max(ghost[1]) < ax.get_ylim()[1]  # its top is seen


def test_a_ghost_that_is_far_away_or_much_narrower_is_left_out():
    law = stats.laplace(0, 2)
    for other, seen in ((stats.laplace(0, 1), True), (stats.laplace(0, 0.1), False)):
        for centre in (0, 1000):
            ax, ghost = Figure().subplots(), stats.laplace(centre, other.std() / np.sqrt(2))
            draw_releases(ax, [], law, x="answer (people)", ghost=("at ε = 1", ghost))
            labels = [each.get_label() for each in ax.lines]
            assert ("at ε = 1" in labels) == (seen and centre == 0)
            low, high = ax.get_xlim()
            assert law.cdf(high) - law.cdf(low) > 0.989 and ax.get_ylim()[1] > law.pdf(0)


def test_the_sentence_says_which_sum_the_releases_lie_around():
    figure = explore.explore_clipping_bound(
        adult, column="Hours per week", mechanism=dplib.private_sum
    )
    hours = adult["Hours per week"]
    for index, bound in ((0, 4.95), (19, 99.0)):
        figure.sliders[0].index = index
        clipped = hours.clip(upper=bound).sum()
        assert f" of the clipped sum, {clipped:,.0f}; by the law" in figure.caption
        assert figure.caption.endswith(f" The exact sum is {hours.sum():,}.")
        whole = figure._canvas._axes[0]
        (dashed,) = [each for each in whole.lines if each.get_linestyle() == "--"]
        assert set(dashed.get_xdata()) == {hours.sum()}
        assert whole.get_xlim()[0] == 0 and whole.get_xlim()[1] > hours.sum()


def test_few_releases_are_not_held_to_two_digits(monkeypatch):
    monkeypatch.setattr("dplib.explore.parts.releases.SECONDS", 0)
    figure = explore.explore_neighbors(mechanism=dplib.laplace_mechanism)
    # Of 20 sizes of Laplace noise: 1 / (2 sqrt(20) * density of 1/2 at the median ln 2).
    assert round(1 / np.sqrt(20) / np.log(2), 2) == 0.32
    assert figure.caption.endswith(
        "; by the law it is 0.69; with so few, luck moves yours by a third."
    )
    shares = explore.explore_local_epsilon(mechanism=dplib.randomized_response).caption
    # The standard error of a share of 0.73 of 20 answers.
    assert shares.endswith("; by the law it is 73 %; with so few, luck moves yours by 10 points.")
    monkeypatch.setattr("dplib.explore.parts.releases.SECONDS", 600)
    figure.again.click()
    assert "luck" not in figure.caption


def test_the_choices_are_shares_of_all_choices():
    ax = Figure().subplots()
    draw_choices(ax, ["a"] * 3 + ["strange"], {"a": 0.5, "b": 0.5})
    assert [bar.get_width() for bar in ax.patches] == [0.75, 0]
    assert list(ax.lines[0].get_xdata()) == [0.5, 0.5]
    with pytest.raises(ValueError, match="law"):
        draw_choices(Figure().subplots(), [], {})


def test_the_first_report_follows_the_mechanism():
    answers = pd.Series([4.0, 9.0, 7.0, 12.0], index=list("abcd"))
    law = {"threshold": 8.0, "epsilon": 0.7}
    chances = first_report_chances(answers, **law)
    assert chances.sum() < 1
    runs, generator = 20_000, np.random.default_rng(5)
    exact = answers.to_numpy()
    seen = [dplib.above_threshold(exact, rng=generator, **law) for _ in range(runs)]
    for place, chance in enumerate(chances):
        # Hoeffding: a share of 20,000 is off by 0.0231 with probability below 5e-10.
        assert abs(seen.count(place) / runs - chance) < 0.0231
    # It would fail for the law of a threshold without noise.
    quiet = np.cumprod([1, *stats.laplace(0, 4 / 0.7).cdf(8 - exact[:-1])])
    wrong = quiet * stats.laplace(0, 4 / 0.7).sf(8 - exact)
    assert np.abs(wrong - chances).max() > 0.0231


def test_the_track_of_a_slider_stands_out_on_a_light_page_and_on_a_dark_one():
    """WCAG 2.2, 1.4.11: a contrast of at least 3, whatever the theme calls its borders."""
    (track,) = re.findall(r"\.noUi-target \{[^}]*background: (#[0-9a-f]{6})", named("ε"))
    assert min(contrast(track, page) for page in PAGES) >= LEAST


def test_a_stop_is_written_as_people_write_it():
    stops = (0.1, 0.1 + 0.2, 1000, 1e6, 1e-5)
    assert [label(stop) for stop in stops] == ["0.1", "0.3", "1000", "1000000", "1e-5"]
