"""What a figure shows is neither more nor less than what its numbers say."""

import io
import itertools
import math
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.path import Path

from dplib import plots
from dplib.audit import AuditResult
from dplib.explore.parts.words import share
from dplib.plots.parts.clouds import draw_clouds, draw_sizes
from dplib.plots.parts.curves import FIRST, SECOND
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.releases import draw_choices, draw_releases, draw_whole
from dplib.plots.selection import best_chances
from dplib.plots.sensitivity import clipping_errors

pytestmark = pytest.mark.quick

PLACES = np.array([-50.0, -3, -1, 0, 2, 4, 30, 40, 70])


def outside(ax):
    """The numbers that stand at the ends of the rows: {height: (left, right)}."""
    found = {}
    for text in ax.texts:
        left, right = (re.fullmatch(form, text.get_text()) for form in (r"◁ (\d+)", r"(\d+) ▷"))
        if left or right:
            row = found.setdefault(text.xy[1], [0, 0])
            row[0 if left else 1] = int((left or right)[1])
    return {height: tuple(pair) for height, pair in found.items()}


def test_a_cloud_says_how_many_of_its_dots_lie_outside(ax):
    clouds = {"all": PLACES / 100, "some": PLACES}
    draw_clouds(ax, clouds, {"all": FIRST, "some": SECOND}, reach=10, x="off by (people)")
    assert outside(ax) == {-1: (1, 3)}


def test_sizes_say_how_many_lie_outside_also_those_of_0(ax):
    clouds = {"some": np.abs(PLACES), "all": np.abs(PLACES) + 1}
    draw_sizes(ax, clouds, window=(0.5, 60), typical=(2, 3))
    assert outside(ax) == {0: (1, 1), -1: (0, 1)}


def test_released_answers_say_how_many_lie_outside(ax):
    answers, exact = pd.DataFrame({"mean": [40.0]}), pd.Series({"mean": 42.0})
    plots.draw_chunk_releases(ax, answers, exact, lower=0, upper=100, epsilon=1, unit="years")
    shown = next(each for each in ax.lines if each.get_label() == "released")
    released = shown.get_xdata()
    below, above = (released < -5).sum(), (released > 105).sum()
    assert outside(ax) == {-0.2: (below, above)} and above > 0
    assert len(shown.get_markevery()) == len(released) - below - above


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_how_many_lie_outside_stands_beside_the_dots(scale):
    with matplotlib.rc_context({"font.size": 13}):  # as in a slider with a bar beside it
        ax = Figure(figsize=(4.1, 2.7)).subplots()
        if scale == "log":
            sizes = np.geomspace(1, 1000, 90)
            draw_sizes(ax, {"all": sizes}, window=(4, 400), looks=[FIRST])
        else:
            places = np.linspace(-500, 500, 90)
            draw_clouds(ax, {"all": places}, {"all": FIRST}, reach=290, x="people")
            assert np.abs(ax.get_xticks()).max() <= 290
        ax.figure.savefig(io.BytesIO())
    (dots,) = [each for each in ax.lines if each.get_marker() == FIRST.marker]
    seen = dots.get_xydata()[dots.get_markevery()]
    (few, many) = outside(ax)[0]
    assert few >= 10 and many >= 10 and len(seen) == 90 - few - many
    left, right = (each.get_window_extent() for each in ax.texts)
    across = ax.transData.transform(seen)[:, 0]
    assert left.x1 + 2 < across.min() and across.max() < right.x0 - 2  # half a dot


@pytest.mark.parametrize("count", [20, 400])
def test_releases_say_how_many_lie_outside(ax, count):
    releases = np.append(np.zeros(count), [-1e6, 1e6, 1e6])
    draw_releases(ax, releases, LaplaceLaw(0, 1), x="answer (people)")
    assert list(outside(ax).values()) == [(1, 2)]
    draw_whole(other := Figure().subplots(), [-1, 5, 90], truth=50, x="sum", y="dashed: exact")
    assert list(outside(other).values()) == [(1, 1)]


def test_what_a_run_compares_stands_where_it_is_or_is_an_arrow(ax):
    answers = pd.Series({"a": 50, "b": 900, "c": 700, "d": 10})
    seen = [(-20.0, 610.0, False), (5000.0, 610.0, True), (400.0, -9.0, True), (8.0, 9e9, False)]
    run = pd.DataFrame(seen, columns=["answer", "threshold", "reported"], index=answers.index)
    end = 1.25 * 900
    look = {"threshold": 600, "count": 2, "window": (0, end)}
    plots.draw_answers_and_threshold(ax, answers, run=run, **look)
    inside = [each for each in ax.lines if each.get_marker() in "oD" and len(each.get_xdata())]
    assert sorted(x for each in inside for x in each.get_xdata()) == [8, 400]
    arrows = {
        (each.get_marker(), -round(row))
        for each in ax.lines
        if each.get_marker() in ("<", ">")
        for place, row in each.get_xydata()
        if place < 0 or place > end
    }
    assert arrows == {("<", 0), (">", 1), ("<", 2), (">", 3)}
    low, high = ax.get_xlim()
    assert all(low < x < high for each in ax.lines for x in each.get_xdata())


@pytest.mark.slow
@pytest.mark.parametrize("baseline", [0.752, 0.7, 0.33])
def test_a_model_reaches_beyond_the_baseline_only_if_it_is_better(baseline):
    for accuracy in (*np.linspace(0.01, 0.99, 41), baseline - 0.028, baseline + 0.031):
        ax = Figure().subplots()
        plots.draw_accuracy(ax, accuracy=accuracy, baseline=baseline, name="model 1")
        (stair,) = [each for each in ax.lines if each.get_linestyle() == "--"]
        below = Path([(0, -1), *stair.get_xydata(), (10, -1)])
        full, rest = divmod(100 * accuracy, 10)
        # The upper right corner of what is filled last.
        corner = (rest - 1e-6, full + 1 - 1e-6) if rest > 1e-5 else (10 - 1e-6, full - 1e-6)
        assert below.contains_point(corner) == (accuracy <= baseline + 1e-9), accuracy


def test_candidates_without_a_lead_are_alike(ax):
    plots.draw_gap(ax, gap=0, candidates=16)
    assert ax.get_title(loc="left") == "16 alike"
    plots.draw_gap(other := Figure().subplots(), gap=1, candidates=16)
    assert other.get_title(loc="left") == "1 ahead of 15"


@pytest.mark.parametrize("epsilon", [0.001, 0.01, 0.16, 1])
def test_a_row_writes_its_chance_as_the_sentence_does(ax, epsilon):
    scores = pd.Series({"a": 4140, "b": 4100, "c": 4066, "d": 10})
    plots.draw_selection_probabilities(ax, scores, epsilon=epsilon)
    weights = np.exp(epsilon * (scores - scores.max()))
    best = share(weights["a"] / weights.sum())
    assert ax.texts[0].get_text() == best.replace("more than", ">")
    law = {"candidates": 16, "epsilon": epsilon}
    chance = best_chances(200, **law)[0]
    plots.draw_best_chance(other := Figure().subplots(), mechanism="exponential", gap=200, **law)
    written = share(chance).replace("more than", ">").replace(" %", " of 100")
    assert other.get_title(loc="left") == written


@pytest.mark.parametrize("k", [2, 3, 5, 6, 7, 8, 15, 100, 500])
def test_crosses_stand_left_of_k_and_dots_right_of_it(ax, k):
    sizes = np.random.default_rng(2).integers(1, 400, 300) ** 1.1
    plots.draw_suppressed_people(ax, sizes.astype(int), k=k, largest=4096, way="exact")
    places = {each.get_label(): each.get_xdata() for each in ax.lines}
    assert (places["suppressed"] < k).all() and (places["kept"] > k).all()
    assert f"k = {k}" in [each.get_text() for each in ax.texts]


def test_errors_of_0_are_seen_too(ax):
    errors = pd.DataFrame({"synthetic": [0.0, 0, 0, 2], "direct": 1.0, "split": 9.0})
    plots.draw_range_errors(ax, errors)
    low, high = ax.get_xlim()
    rows = [each.get_xdata() for each in ax.lines if len(each.get_xdata()) == 50]
    assert len(rows) == 3 and all(((row > low) & (row < high)).all() for row in rows)
    zero = ax.get_xticks()[0]
    assert (rows[0] == zero).sum() == (np.quantile(errors["synthetic"], STEPS) == 0).sum() > 30
    assert ax.get_xticklabels()[0].get_text() == "0"


STEPS = (np.arange(50) + 0.5) / 50


@pytest.mark.parametrize("answers", [2, 5, 6, 7, 8, 10, 40])
def test_each_answer_that_shares_the_budget_is_in_a_row(ax, answers):
    plots.draw_split_clouds(ax, share=0.5, answers=answers)
    names = [each.get_text() for each in ax.get_yticklabels()]
    numbers = [[int(each) for each in re.findall(r"\d+", name)] for name in names[1:]]
    found = [n for few in numbers for n in range(few[0], few[-1] + 1)]
    assert names[0] == "the first" and found == list(range(2, answers + 1))


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 0.1), (0.01, 1e-12), (1, 1e-5), (10, 0.1)])
def test_each_mark_of_a_tail_has_its_words_beside_it(ax, epsilon, delta):
    plots.draw_noise_tails(ax, epsilon=epsilon, delta=delta)
    marks = {each.get_xydata()[0].tolist()[0] for each in ax.lines if len(each.get_xdata()) == 1}
    words = [each for each in ax.texts if each.get_text() == "1 in a million"]
    assert {each.xy[0] for each in words} == marks and len(marks) == 2
    ax.figure.savefig(io.BytesIO())
    assert all(each.get_window_extent().x1 < ax.figure.bbox.x1 for each in words)


def test_two_lines_in_one_place_are_both_seen(ax):
    plots.draw_losses(ax, count=1)
    (promised, worst) = ax.lines
    assert promised.get_xdata() == pytest.approx(worst.get_xdata(), abs=1e-3)
    assert worst.get_label() == "worst luck each time"
    assert worst.get_linewidth() < promised.get_linewidth() and worst.get_linestyle() != "-"


def test_marks_in_one_place_are_both_seen():
    (ax,) = plots.show_order_costs().axes
    marks = [each for each in ax.lines if len(each.get_xdata()) == 1]
    at = {each.get_marker(): each.get_ydata()[0] for each in marks}
    assert at["^"] == pytest.approx(at["s"], rel=0.1)  # "divergence" and "from δ"
    # The smaller shape is drawn last, with a rim.
    assert [each.get_marker() for each in marks][-1] == "^"
    assert {each.get_markeredgecolor() for each in marks} == {"#ffffff"}


def test_a_diamond_at_0_is_clear_of_its_row_s_name(ax):
    draw_choices(ax, ["yes"], {"yes": 1.0, "no": 0.0})
    ax.figure.savefig(io.BytesIO())
    (diamonds,) = [each for each in ax.lines if each.get_marker() == "D"]
    points = diamonds.get_markersize() / math.sqrt(2) + diamonds.get_markeredgewidth() / 2
    left = ax.transData.transform((0, 0))[0] - points * ax.figure.dpi / 72
    assert left > max(each.get_window_extent().x1 for each in ax.get_yticklabels())


@pytest.mark.parametrize(
    "shares",
    [[0.64, 0.62, 0.26, 0.24], [0.015, 0.0044, 0.0002, 6.1e-5], [0.0057, 0.0009, 6.1e-5, 0]],
)
def test_numbers_of_diamonds_do_not_touch_nor_leave_the_picture(shares):
    with matplotlib.rc_context({"font.size": 13}):  # as in a slider, and half as wide
        ax = Figure(figsize=(2.8, 2.7), layout="constrained").subplots()
        plots.draw_unique_shares(ax, pd.Series(shares, index=[5, 4, 3, 0]))
        ax.figure.savefig(io.BytesIO())
    boxes = [each.get_window_extent() for each in ax.texts]
    assert not any(a.overlaps(b) for a, b in itertools.pairwise(boxes))
    assert boxes[-1].x1 < ax.figure.bbox.x1


def test_the_bound_of_the_ratio_is_written_where_its_place_says_little(ax):
    plots.draw_neighbor_ratio(ax, count_without=10, epsilon=10)
    assert "$e^{\\varepsilon}$\n= 22,000" in [each.get_text() for each in ax.texts]
    assert ax.get_yticklabels()[-1].get_text() == "∞" and math.isfinite(ax.get_ylim()[1])


def test_an_audit_without_an_event_says_so(ax):
    nothing = AuditResult(epsilon=0.0, event=None, hits=(50, 50), draws=50)
    plots.draw_audits(ax, {"right": nothing}, claim=1)
    assert [each.get_text() for each in ax.texts] == ["the bars overlap: nothing is certified"]


def test_the_first_person_of_a_crowd_has_a_ring_and_a_name(ax):
    plots.draw_crowd(ax, [0, 1], [1, 1], yes="sells", no="does not", name="Karrie")
    (ring,) = [each for each in ax.lines if each.get_label() == "_ring"]
    assert ring.get_xydata().tolist() == [[0, 0]]
    assert [each.get_text() for each in ax.texts] == ["Karrie"]


@pytest.mark.parametrize("bound", [55_000, 75_000, 99_999])
def test_errors_that_are_all_large_are_told_apart_on_a_linear_scale(ax, bound):
    gains = np.repeat([0.0, 3000, 99_999], [3000, 270, 16])
    plots.draw_clipping_parts(ax, gains, bound=bound, epsilon=0.1, scale="linear")
    seen = [each.get_xdata()[0] for each in ax.lines]
    np.testing.assert_allclose(seen, clipping_errors(gains, bounds=bound, epsilon=0.1))
    assert ax.get_xscale() == "linear" and ax.get_xlim()[1] > 100
    with pytest.raises(ValueError, match="scale"):
        plots.draw_clipping_parts(ax, gains, bound=bound, epsilon=0.1, scale="root")


@pytest.mark.parametrize(("domain_size", "crosses"), [(16, True), (200, False)])
def test_the_words_point_at_where_two_protocols_change_places(ax, domain_size, crosses):
    plots.draw_protocols_by_epsilon(ax, domain_size=domain_size, people=1000)
    lines = {each.get_label(): each.get_xydata() for each in ax.lines}
    symmetric, optimal = lines["symmetric unary"], lines["optimal unary"]
    at = ax.texts[0].xy[0] if crosses else math.inf
    assert len(ax.texts) == crosses
    np.testing.assert_array_equal(symmetric[:, 1] < optimal[:, 1], symmetric[:, 0] >= at)
