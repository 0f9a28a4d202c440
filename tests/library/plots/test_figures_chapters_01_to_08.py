"""The figures of chapters 01 to 08: what stands on the Axes is what dplib computes."""

import math

import numpy as np
import pandas as pd
import pytest
from figures import AGES, CHUNKS, EXACT, GROUPS, drawn, line
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from scipy import stats

from dplib import plots
from dplib.aggregation import assign_chunks, sample_and_aggregate
from dplib.composition import advanced_composition, sequential_composition
from dplib.explore.composition import ANSWERS
from dplib.gaussian import analytic_gaussian_sigma
from dplib.guarantees import PureDP
from dplib.local_sensitivity import local_sensitivity_at_distance, pure_smooth_median, smooth_median
from dplib.plots.aggregation import answers_of_chunks, chunk_errors
from dplib.plots.approximate import noise_exceeded
from dplib.plots.composition import average_errors
from dplib.plots.local_sensitivity import median_errors, passing_rate
from dplib.plots.parts.clouds import draw_budget
from dplib.plots.parts.style import ORANGE
from dplib.plots.sensitivity import clipping_errors, mean_error
from dplib.sensitivity import centered_mean, private_mean

pytestmark = pytest.mark.quick


def marks(ax):
    """The height of each mark at the slider's place, in the order of the curves."""
    return [each.get_ydata()[0] for each in ax.lines if len(each.get_xdata()) == 1]


def bars(ax, label):
    """The bottom and the top of each bar that the legend calls `label`."""
    (found,) = [
        each
        for each in ax.collections
        if isinstance(each, PolyCollection) and each.get_label() == label
    ]
    corners = [path.vertices[:, 1] for path in found.get_paths()]
    return np.array([(y.min(), y.max()) for y in corners])


def test_the_unique_shares_are_diamonds_in_percent_hollow_below_1_in_100(ax):
    shares = pd.Series({5: 0.3, 4: 0.01, 3: 0.0094, 1: 0.000154, 0: 0})
    drawn(ax, plots.draw_unique_shares, shares=shares)
    (limit,) = [each for each in ax.lines if each.get_label() == "1 in 100"]
    assert set(limit.get_ydata()) == {1} and limit.get_linestyle() == "--"
    many, few = (each for each in ax.lines if each.get_marker() == "D")
    np.testing.assert_allclose(many.get_ydata(), [30, 1])
    foot = ax.get_yticks()[0]  # nobody has no place on a logarithmic axis, but one of its own
    assert ax.get_yticklabels()[0].get_text() == "0"
    np.testing.assert_allclose(few.get_ydata(), [0.94, 0.0154, foot])
    assert many.get_markerfacecolor() == ORANGE != few.get_markerfacecolor()
    assert [text.get_text() for text in ax.texts] == ["30", "1", "0.94", "0.02", "0"]


@pytest.mark.parametrize(
    ("days", "alone"), [(1, {10, 390, 400, 9000}), (365, {10, 9000}), (10_000, set())]
)
def test_a_diamond_is_alone_in_its_step(ax, days, alone):
    drawn(ax, plots.draw_birth_steps, days=days)
    places, _ = line(ax, "alone")
    assert set(np.round(places * 365.25)) == alone
    assert len(line(ax, "in a crowd")[0]) == 4 - len(alone)
    assert [text.get_text() for text in ax.texts] == ["Karrie"]


def test_a_cross_stands_on_who_is_rebuilt_wrongly(ax):
    drawn(ax, plots.draw_rebuilt)
    people = [list(zip(*line(ax, label), strict=True)) for label in ("secret", "no secret")]
    wrong = list(zip(*line(ax, "wrong"), strict=True))
    assert [len(each) for each in people] == [2, 2]
    assert wrong == [people[1][0], people[0][1]]  # the second and the fourth person
    assert ax.get_xlabel() == "2 of 4 right"


def test_the_dots_lie_in_their_groups_and_the_diamonds_in_the_smallest(ax):
    drawn(ax, plots.draw_crowds, name="Karrie")
    dots = np.column_stack(line(ax, "people"))
    assert len(dots) == len(GROUPS)
    groups = np.floor(dots / (10, 1)) * (10, 1)
    assert sorted(map(tuple, groups)) == sorted(map(tuple, GROUPS.to_numpy()))
    ages, levels = line(ax, "fewest")
    assert sorted(zip(ages, levels, strict=True)) == [(25, 3.5), (35, 3.5)]
    (frame,) = ax.patches
    assert (frame.get_x(), frame.get_y()) == (10, 3)
    assert (frame.get_width(), frame.get_height()) == (10, 1)
    assert [text.get_text() for text in ax.texts] == ["Karrie + 1"]


def test_k_stands_against_the_information_left(ax):
    drawn(ax, plots.draw_information_against_k)
    np.testing.assert_allclose(line(ax, "1"), [(90, 40), (1, 9)])
    np.testing.assert_allclose(line(ax, "10"), [(50, 20), (5, 7)])
    assert marks(ax) == [5]


def test_people_of_groups_below_k_are_suppressed(ax):
    drawn(ax, plots.draw_suppressed_people)
    kept, lost = line(ax, "kept")[0], line(ax, "suppressed")[0]
    # Three of eight people are in smaller groups, 37.5 of a hundred dots; each stands between the
    # powers of two that its group's size lies between.
    assert (len(kept), len(lost)) == (63, 37)
    assert ((kept > 4) & (kept < 8)).all() and (lost < 4).all() and (lost > 1).all()
    assert ax.get_title(loc="left") == "38 % go (×)"
    # No two dots hide each other.
    places = np.concatenate([np.transpose(line(ax, each)) for each in ("kept", "suppressed")])
    assert len(np.unique(places, axis=0)) == 100


def test_answers_share_the_budget(ax):
    drawn(ax, plots.draw_answer_clouds)
    parts = [PureDP(0.5 / 10)] * 10
    assert sequential_composition(parts).epsilon == pytest.approx(0.5)
    shares = (np.arange(50) + 0.5) / 50
    for label, scale in (("one alone", 2), ("each of 10", 20)):
        sizes = np.abs(stats.laplace(scale=scale).ppf(shares))
        np.testing.assert_allclose(line(ax, label)[0], sizes)
    # 50 quantiles of 12,000 draws: their mean size is off by more than 15 % with a probability far
    # below 1e-9 (its standard deviation is below 1 %).
    size = line(ax, "their average")[0].mean()
    assert size == pytest.approx(average_errors(10, epsilon=0.5), rel=0.15)
    assert [each.get_text() for each in ax.texts] == ["2", "20", "7"]  # the means


@pytest.mark.parametrize("answers", ANSWERS)
def test_no_dot_of_shared_answers_is_lost(answers):
    ax = plots.draw_answer_clouds(Figure().subplots(), answers=answers)
    low, high = ax.get_xlim()
    clouds = [each.get_xdata() for each in ax.lines if len(each.get_xdata()) == 50]
    assert [np.count_nonzero((places > low) & (places < high)) for places in clouds] == [50] * 3


def test_a_budget_is_cut_from_the_bottom(ax):
    draw_budget(ax, [0.5, 0.25, 0.25])
    first, others = (bars.get_paths() for bars in ax.collections)
    assert [each.get_extents().height for each in first] == [0.5]
    assert [each.get_extents().y0 for each in others] == [0.5, 0.75]
    assert ax.get_ylim() == (0, 1)
    assert ax.get_xlabel() == "3 slices"
    alike = draw_budget(Figure().subplots(), [0.01] * 100, marked=100)
    (slices,) = alike.collections
    assert len(slices.get_paths()) == 100
    assert slices.get_paths()[-1].get_extents().y1 == pytest.approx(1)
    with pytest.raises(ValueError, match="slices must be positive"):
        draw_budget(ax, [0.5, 0])
    with pytest.raises(ValueError, match="marked"):
        draw_budget(ax, [0.5], marked=0)


@pytest.mark.parametrize("answers", [1, 2, 7])
def test_the_error_of_an_average_is_that_of_a_difference_of_gamma_variables(answers):
    gamma = stats.gamma(answers)
    # E|X - Y| = 2 * integral of F (1 - F) for two independent variables of one law.
    grid = np.linspace(0, 60, 200_001)
    gap = 2 * np.trapezoid(gamma.cdf(grid) * gamma.sf(grid), grid)
    assert average_errors(answers, epsilon=0.5) == pytest.approx(gap / 0.5, rel=1e-6)


def test_what_the_first_answer_gets_the_others_miss(ax):
    drawn(ax, plots.draw_split_clouds)
    shares = (np.arange(50) + 0.5) / 50
    for label, scale in (("the first", 1 / 0.15), ("answer 2", 3 / 0.35), ("_answer 4", 3 / 0.35)):
        np.testing.assert_allclose(line(ax, label)[0], stats.laplace(scale=scale).ppf(shares))
    assert len(ax.lines) == 5  # with the line at 0


def test_who_is_cut_piles_up_at_the_bound(ax):
    drawn(ax, plots.draw_clipped_values)
    before, kept = (each.get_data().values for each in ax.patches)
    assert before.sum() == np.count_nonzero(AGES)
    assert kept.sum() == np.count_nonzero((AGES > 0) & (AGES <= 60))
    (pile,) = ax.collections[0].get_paths()
    piled = np.count_nonzero(AGES > 60)
    assert pile.get_extents().y1 == min(piled, ax.get_ylim()[1])
    assert f"{piled:,} cut" in [each.get_text() for each in ax.texts]


def test_what_a_bound_costs_is_shown_in_parts(ax):
    drawn(ax, plots.draw_clipping_parts)
    seen = [each.get_xdata()[0] for each in ax.lines]
    bias, noise, total = clipping_errors(AGES, bounds=60, epsilon=0.1)
    np.testing.assert_allclose(seen, [bias, noise, total])


def test_cells_below_the_noise_are_drowned(ax):
    drawn(ax, plots.draw_cells_against_noise)
    places, counts = line(ax, "exact counts")
    for place, count in ((1, 50), (2, 20), (3, 9)):
        on = (places >= place - 0.5) & (places <= place + 0.5)
        assert count in counts[on]
    assert places[-1] == 12.5
    assert set(line(ax, "noise")[1]) == {10}
    (hatched,) = [each for each in ax.patches if each.get_label() == "drowned"]
    assert (hatched.get_x(), hatched.get_x() + hatched.get_width()) == (2.5, 12.5)
    assert [each.get_text() for each in ax.texts] == ["noise", "83 % drown"]
    assert ax.get_xlim()[1] == 24


@pytest.mark.parametrize(
    ("inside", "crosses", "title"),
    [(0, 0, "0 %"), (90, 0, "0.90 %"), (110, 1, "1.1 %"), (160, 2, "1.6 %"), (4630, 46, "46 %")],
)
def test_people_in_drowned_cells_are_crossed(ax, inside, crosses, title):
    counts = [10_000 - inside] + [1] * inside  # noise of 2 people drowns a cell of 1
    plots.draw_drowned_people(ax, counts, epsilon=0.5)
    lost, kept = (np.transpose(line(ax, each)) for each in ("drowned", "kept"))
    assert (len(lost), len(kept)) == (crosses, 100 - crosses)
    assert len({*map(tuple, lost), *map(tuple, kept)}) == 100
    assert ax.get_title(loc="left") == f"{title} drown (×)"


@pytest.mark.parametrize("bound", [5, 40, 89, 125])
def test_bias_and_noise_of_clipping_add_in_squares(ax, bound):
    drawn(ax, plots.draw_clipping_errors, bound=bound)
    total = AGES.sum()
    bias = 100 * (total - np.clip(AGES, 0, bound).sum()) / total
    noise = 100 * stats.laplace(scale=bound / 0.1).std() / total
    np.testing.assert_allclose(marks(ax), [math.hypot(bias, noise), bias, noise], atol=1e-12)
    np.testing.assert_allclose(
        clipping_errors(AGES, bounds=bound, epsilon=0.1), (bias, noise, math.hypot(bias, noise))
    )
    places, totals = line(ax, "total error")
    spot = 30
    assert totals[spot] == clipping_errors(AGES, bounds=places[spot], epsilon=0.1)[2]


SHARES_OF_100 = (np.arange(100) + 0.5) / 100


def test_the_clouds_of_noise_are_those_of_the_two_laws(ax):
    drawn(ax, plots.draw_noise_tails)
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=0.7, delta=1e-6)
    laws = {"Gaussian": stats.norm(scale=sigma), "Laplace": stats.laplace(scale=1 / 0.7)}
    # In scales of the Laplace noise, which so is the same at each epsilon.
    for name, law in laws.items():
        np.testing.assert_allclose(2 * law.sf(line(ax, name)[0] / 0.7), SHARES_OF_100, rtol=1e-9)
    bars_and_marks = [each.get_xdata()[0] for each in ax.lines if len(each.get_xdata()) < 3]
    expected = [0.7 * law.isf(chance / 2) for law in laws.values() for chance in (1 / 20, 1e-6)]
    np.testing.assert_allclose(bars_and_marks, expected)
    with pytest.raises(ValueError, match="probability"):
        noise_exceeded(1, epsilon=1, delta=1e-5)


def test_a_vector_costs_by_its_norms(ax):
    drawn(ax, plots.draw_dimension_errors)
    sigma = analytic_gaussian_sigma(l2_sensitivity=math.sqrt(10), epsilon=0.7, delta=1e-6)
    laws = {"Gaussian, L2": stats.norm(scale=sigma), "Laplace, L1": stats.laplace(scale=10 / 0.7)}
    for name, law in laws.items():
        np.testing.assert_allclose(2 * law.sf(line(ax, name)[0]), SHARES_OF_100, rtol=1e-9)
    means = [each.get_xdata()[0] for each in ax.lines[2:]]
    np.testing.assert_allclose(means, [stats.halfnorm(scale=sigma).mean(), 10 / 0.7])


@pytest.mark.parametrize("theorem", ["sequential", "advanced"])
def test_the_squares_filled_are_the_costs_of_the_theorem(ax, theorem):
    drawn(ax, plots.draw_composition_costs, theorem=theorem)
    parts = [PureDP(0.2)] * 20
    advanced = advanced_composition(parts[0], count=20, delta_prime=1e-6)
    cost = {"sequential": sequential_composition(parts), "advanced": advanced}[theorem].epsilon
    filled = [path.get_extents() for path in ax.collections[1].get_paths()]
    squares = sum(each.width * each.height for each in filled)
    assert squares == pytest.approx(cost / 0.2)
    price = {"sequential": "ε = 4.00", "advanced": "ε = 5.59, δ = 1e-6"}[theorem]
    assert ax.get_title(loc="left") == price
    # Where adding up ends is dashed on the other ledger: twenty releases are two rows of ten.
    dashed = [each.get_xydata().tolist() for each in ax.lines if each.get_linestyle() == "--"]
    assert dashed == ([] if theorem == "sequential" else [[[0, 2], [0, 2], [0, 2], [10, 2]]])


def test_a_test_passes_beyond_the_threshold(ax):
    drawn(ax, plots.draw_tested_distances)
    threshold = math.log(1 / 2e-6) / 0.5
    passed, failed = line(ax, "passes")[0], line(ax, "fails")[0]
    assert passed.min() > threshold >= failed.max() and len(passed) + len(failed) == 50
    assert line(ax, "needed")[0].tolist() == [threshold] * 2
    rate = stats.laplace(26, 2).sf(threshold)
    assert len(passed) / 50 == pytest.approx(rate, abs=0.02)
    np.testing.assert_allclose(
        np.sort([*passed, *failed]), stats.laplace(26, 2).ppf((np.arange(50) + 0.5) / 50)
    )


def test_so_many_medians_are_released_as_tests_pass(ax):
    drawn(ax, plots.draw_proposed_medians)
    assert line(ax, "tested")[0] == pytest.approx(
        stats.laplace(scale=2).ppf((np.arange(25) + 0.5) / 25)
    )
    assert np.median(np.abs(line(ax, "worst case")[0])) == pytest.approx(30 * math.log(2), rel=0.1)
    other = drawn(Figure().subplots(), plots.draw_proposed_medians, rate=0)
    assert [each.get_text() for each in other.texts] == ["◁ 2", "2 ▷", "no answer"]


def test_the_passing_rate_is_the_chance_that_a_noisy_distance_is_above_the_threshold():
    law = {"lower": 0, "upper": 100, "epsilon": 0.5, "delta": 1e-6}
    curve = local_sensitivity_at_distance(AGES, distance=np.arange(400), lower=0, upper=100)
    for steps in (5, 26, 60):
        distance = int(np.argmax(curve > curve[steps]))
        above = stats.laplace(distance, 2).sf(math.log(1 / 2e-6) / 0.5)
        rate = passing_rate(AGES, bound=curve[steps], **law)
        assert rate == pytest.approx(above)


@pytest.mark.parametrize("distance", [0, 1, 20, 100, 250, 400])
@pytest.mark.parametrize("rows", [AGES, AGES[:399]], ids=["even", "odd"])
def test_the_gap_that_replaced_rows_open_is_the_local_sensitivity(ax, rows, distance):
    distance, limits = min(distance, len(rows)), {"lower": 0, "upper": 100}
    drawn(ax, plots.draw_sensitivity_at_distance, values=rows, distance=distance)
    low, high = line(ax, "gap")[0]
    half = 1 if len(rows) % 2 else 2
    assert (high - low) / half == local_sensitivity_at_distance(rows, distance=distance, **limits)
    # The dots are 150 of the rows, spread evenly; what is replaced lies at the ends.
    replaced, _ = line(ax, "replaced")
    assert len(replaced) == pytest.approx(150 * distance / len(rows), abs=2)
    assert set(replaced) <= {0, 100}
    left, _ = line(ax, "as it is")
    assert set(left) <= set(rows) and len(left) + len(replaced) == 150


@pytest.mark.slow
def test_the_errors_of_medians_are_those_of_their_releases():
    """Half of the releases of each mechanism are beyond its typical error."""
    ends, rng, draws = {"lower": 0, "upper": 100}, np.random.default_rng(), 4000
    rows, exact = AGES[:40], np.median(AGES[:40])
    errors = median_errors(rows, bound=60, epsilon=8, delta=0.1, **ends)
    law = {"epsilon": 8, "rng": rng, **ends}
    released = {
        "smooth, with δ": [smooth_median(rows, delta=0.1, **law) for _ in range(draws)],
        "smooth, pure": [pure_smooth_median(rows, **law) for _ in range(draws)],
        "propose, test": exact + rng.laplace(scale=60 / 4, size=draws),
        "worst case": exact + rng.laplace(scale=50 / 8, size=draws),
    }
    for name, typical in errors.items():
        beyond = (np.abs(np.array(released[name]) - exact) > typical).sum()
        assert stats.binomtest(int(beyond), draws, 0.5).pvalue > 1e-10, name
        more = (np.abs(np.array(released[name]) - exact) > 1.3 * typical).sum()
        assert stats.binomtest(int(more), draws, 0.5).pvalue < 1e-10, name
    # Where the test seldom passes, propose-test-release has no error.
    assert math.isnan(
        median_errors(rows, bound=1e-3, epsilon=0.1, delta=1e-6, **ends)["propose, test"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("center", [0, 62.5])
def test_the_error_of_a_mean_is_that_of_its_releases(center):
    rng, rows = np.random.default_rng(), np.tile(AGES, 50)
    law = {"lower": 0, "upper": 125, "epsilon": 1}
    mechanism = centered_mean if center else private_mean
    released = [mechanism(rows, rng=rng, **law) for _ in range(4000)]
    expected = mean_error(rows, center=center, share=0.5, **law)
    # The standard deviation of 4000 draws of Laplace noise is within 15 % of it: 6 times 2 %.
    assert np.std(released) == pytest.approx(expected, rel=0.15)


def test_the_trade_off_is_that_of_both_laws(ax):
    drawn(ax, plots.draw_trade_off)
    alarms, gaussian = line(ax, "Gaussian noise")
    _, promise = line(ax, "the promise")
    assert (gaussian >= promise - 1e-6).all() and (promise <= 100 - alarms + 1e-9).all()
    assert promise[0] == pytest.approx(100 * (1 - 1e-6)) and promise[-1] == 0


def test_a_lead_beyond_the_line_is_seldom_lost(ax):
    drawn(ax, plots.draw_vote_leads)
    (limit,) = set(line(ax, "left of it noise may change it")[0])
    rng, draws = np.random.default_rng(), 20_000
    for lead, above in ((limit, 0.04), (0.5 * limit, 0.12)):
        lost = (np.diff(rng.laplace(scale=4, size=(draws, 2))) > lead).mean()
        # 0.05 at the line; 20,000 draws are within 0.01 of it (6 standard deviations).
        assert above < lost < above + 0.16


@pytest.mark.parametrize("chunks", [1, 7, 64, 1024])
def test_the_errors_of_chunks_are_those_of_sample_and_aggregate(chunks):
    labels = np.arange(1000, 1400)
    law = {"lower": 0, "upper": 125}
    assigned = assign_chunks(labels, chunks=chunks)
    answers = answers_of_chunks(AGES, assigned, chunks=chunks, **law)
    errors = chunk_errors(AGES, answers, epsilon=0.5, **law)
    for name in errors.index:
        function = getattr(np, name)
        # With so large an epsilon the noise is below 1e-9.
        clean = sample_and_aggregate(
            AGES, function, chunks=chunks, labels=labels, epsilon=1e13, **law
        )
        assert errors["bias"][name] == pytest.approx(abs(clean - function(AGES)), abs=1e-7)
    noise = stats.laplace(scale=125 / chunks / 0.5).std()
    np.testing.assert_allclose(errors["noise"], noise)
    np.testing.assert_allclose(errors["total"] ** 2, errors["bias"] ** 2 + noise**2)


def test_the_chunks_must_fit():
    for assigned in ([0] * 399, [2] * 400, [-1] * 400, [0.5] * 400):
        with pytest.raises(ValueError, match="assigned"):
            answers_of_chunks(AGES, assigned, chunks=2, lower=0, upper=125)


def test_the_releases_lie_around_the_mean_of_the_chunks(ax):
    drawn(ax, plots.draw_chunk_releases)
    shares = (np.arange(50) + 0.5) / 50
    for sign, name in (("", "mean"), ("_", "max")):
        assert set(line(ax, f"{sign}exact")[0]) == {EXACT[name]}
        over = {each.get_label(): each.get_zorder() for each in ax.lines}
        assert over[f"{sign}exact"] > max(over[f"{sign}chunks"], over[f"{sign}released"])
        np.testing.assert_allclose(
            line(ax, f"{sign}chunks")[0], np.quantile(CHUNKS[name], [0.25, 0.75])
        )
        law = stats.laplace(CHUNKS[name].mean(), 125 / 2)
        np.testing.assert_allclose(law.cdf(line(ax, f"{sign}released")[0]), shares)


def test_the_average_of_one_answer_is_this_answer(ax):
    drawn(ax, plots.draw_answer_clouds, answers=1)
    places = line(ax, "their average")[0]
    np.testing.assert_array_equal(places, line(ax, "the only one")[0])


def test_an_answer_beyond_an_end_counts_at_this_end(ax):
    drawn(ax, plots.draw_chunk_answers)
    (outline,) = [each for each in ax.patches if each.get_label() == "answers"]
    heights = outline.get_data().values
    assert heights[[6, 14, 19]].tolist() == [1, 2, 1] and heights.sum() == 4
    assert [each.get_text() for each in ax.texts] == ["1 ▷"]
    places, _ = line(ax, "mean")
    assert places[0] == pytest.approx((3 + 7 + 7 + 10) / 4)
