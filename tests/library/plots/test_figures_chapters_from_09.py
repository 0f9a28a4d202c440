"""The figures of chapters 09 and later: what stands on the Axes is what dplib computes."""

import io
import itertools
import math

import matplotlib
import numpy as np
import pandas as pd
import pytest
from figures import (
    ANSWERS,
    AUDITS,
    ERRORS,
    GOOD,
    MADE,
    RANGE_ANSWERS,
    RANGE_ERRORS,
    REAL,
    RUN,
    SCORES,
    line,
)
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from scipy import optimize, stats

from dplib import plots
from dplib.local import aggregate, perturb
from dplib.plots.learning import trained_accuracies
from dplib.plots.local.errors import local_and_central_error, unary_errors
from dplib.plots.local.protocols import protocol_errors, simulated_errors
from dplib.plots.local.shuffled import trust_errors
from dplib.plots.parts.style import in_digits
from dplib.plots.ranges.errors import simulated_answers, strategy_range_error, tree_branching
from dplib.plots.ranges.trees import whole_nodes
from dplib.plots.selection import best_chances
from dplib.plots.sparse_vector import first_report_chances, one_run, report_kinds, report_shares
from dplib.plots.synthetic import range_errors, released_errors
from dplib.plots.variants import gaussian_costs
from dplib.variants import gaussian_renyi_divergence, rdp_to_dp

pytestmark = pytest.mark.quick


def marks(ax):
    """The marked places of the curves, by the mark's shape."""
    return {
        each.get_marker(): (float(each.get_xdata()[0]), float(each.get_ydata()[0]))
        for each in ax.lines
        if len(each.get_xdata()) == 1
    }


def widths(ax, which=0):
    """The widths of the bars, in the order drawn."""
    bars = [each for each in ax.collections if isinstance(each, PolyCollection)][which]
    return [np.ptp(path.vertices[:, 0]) for path in bars.get_paths()]


@pytest.mark.parametrize(("count", "sigma"), [(1, 1.0), (100, 30.0), (1000, 10.0)])
def test_the_five_accounts_by_hand(count, sigma):
    def delta_of(epsilon, sigma):  # Balle & Wang (2018), theorem 8
        first = stats.norm.cdf(0.5 / sigma - epsilon * sigma)
        return first - math.exp(epsilon) * stats.norm.cdf(-0.5 / sigma - epsilon * sigma)

    def epsilon_of(delta, sigma):
        return optimize.brentq(lambda e: delta_of(e, sigma) / delta - 1, 1e-9, 200, xtol=1e-12)

    costs = gaussian_costs(count, sigma=sigma, delta=1e-5)
    assert costs["exact"] == pytest.approx(epsilon_of(1e-5, sigma / math.sqrt(count)))
    assert costs["sequential"] == pytest.approx(count * epsilon_of(1e-5 / count, sigma))
    each, surprise = epsilon_of(1e-5 / (2 * count), sigma), math.log(2e5)
    advanced = each * math.sqrt(2 * count * surprise) + count * each * math.expm1(each)
    assert costs["advanced"] == pytest.approx(advanced)
    rho = count / (2 * sigma**2)
    assert costs["zCDP"] == pytest.approx(rho + 2 * math.sqrt(rho * math.log(1e5)))
    assert costs["exact"] < costs["RDP"] < costs["zCDP"]


def test_the_cost_of_an_order_is_its_divergence_and_what_delta_adds(ax):
    plots.draw_order_costs(ax, **GOOD[plots.draw_order_costs])
    places, costs = line(ax, "epsilon")
    for order, cost in zip(places, costs, strict=True):
        divergence = 7 * gaussian_renyi_divergence(1, sigma=20, order=order)
        assert cost == pytest.approx(rdp_to_dp(order, divergence, delta=1e-5))
    parts = line(ax, "divergence")[1] + line(ax, "from δ")[1]
    assert costs == pytest.approx(parts)


def test_the_bars_of_the_losses_are_their_law(ax):
    plots.draw_losses(ax, **GOOD[plots.draw_losses])
    bars = next(each for each in ax.collections if isinstance(each, PolyCollection)).get_paths()
    middles = [path.vertices[:, 0].max() / 2 + path.vertices[:, 0].min() / 2 for path in bars]
    assert middles == pytest.approx([-2, -1, 0, 1, 2])
    truth = 1 / (1 + math.exp(-0.5))
    heights = [path.vertices[:, 1].max() for path in bars]
    assert heights == pytest.approx(100 * stats.binom.pmf(range(5), 4, truth))


def test_the_tester_of_many_answers_misses_less(ax):
    plots.draw_repeated_trade_off(ax, **GOOD[plots.draw_repeated_trade_off])
    for count in (1, 4, 9):
        alarms, misses = line(ax, f"k = {count}")
        right = stats.norm.cdf(stats.norm.isf(alarms / 100) - math.sqrt(count) / 3)
        assert misses == pytest.approx(100 * right)


def filled(ax):
    """How many squares are filled: the area of all bars but the grey ones below."""
    bars = [each for each in ax.collections if isinstance(each, PolyCollection)][1:]
    boxes = [path.get_extents() for each in bars for path in each.get_paths()]
    return sum(box.width * box.height for box in boxes)


def test_a_bar_says_how_many_times_the_exact_epsilon_is_billed(ax):
    plots.draw_accounts(ax, **GOOD[plots.draw_accounts])
    costs = gaussian_costs(7, sigma=20, delta=1e-5)
    bills = [each for each in ax.collections if isinstance(each, PolyCollection)]
    assert [bill.get_label() for bill in bills] == list(costs)
    boxes = [bill.get_paths()[0].get_extents() for bill in bills]
    times = [cost / costs["exact"] for cost in costs.values()]
    assert [box.x1 for box in boxes] == pytest.approx(times)
    assert {box.x0 for box in boxes} == {1} and ax.get_xscale() == "log"
    assert [text.get_text() for text in ax.texts] == [
        f"ε = {in_digits(cost, 3)}" for cost in costs.values()
    ]


@pytest.mark.parametrize("sigma", [10, 50])
@pytest.mark.parametrize("count", [1, 1000])
def test_the_axis_of_the_bills_is_one_for_all_and_has_room_for_their_numbers(count, sigma):
    look = {"delta": 1e-5, "largest": 1000, "room_for": 50}
    with matplotlib.rc_context({"font.size": 13}):  # as in a slider
        ax = Figure(figsize=(5.6, 2.7), layout="constrained").subplots()
        plots.draw_accounts(ax, count=count, sigma=sigma, **look)
        plots.draw_accounts(other := Figure().subplots(), count=50, sigma=30, **look)
        ax.figure.savefig(io.BytesIO())
    assert ax.get_xlim() == other.get_xlim()
    assert all(each.get_window_extent().x1 < ax.figure.bbox.x1 for each in ax.texts)


def test_the_pieces_are_the_chances_of_the_exponential_mechanism(ax):
    plots.draw_selection_probabilities(ax, SCORES, epsilon=0.1, sensitivity=2, monotone=False)
    weights = np.exp(0.1 * SCORES.sort_values(ascending=False) / 4)
    np.testing.assert_allclose(widths(ax), 100 * weights / weights.sum())
    names = [each.get_text() for each in ax.get_yticklabels()]
    assert names == ["a  30", "c  25", "b  10", "d  0"]
    # Fifty darts, spread evenly: in each row are as many as its piece is long.
    _, levels = line(ax, "darts")
    rows = np.bincount(-np.round(levels).astype(int), minlength=4)
    np.testing.assert_allclose(rows / 50, weights / weights.sum(), atol=0.05)
    other = Figure().subplots()
    plots.draw_selection_probabilities(
        other, SCORES, epsilon=0.1, sensitivity=2, monotone=False, shown=2
    )
    np.testing.assert_allclose(sum(widths(other)), 100)
    assert other.get_yticklabels()[-1].get_text() == "the other 2"


def test_the_chance_of_the_best_by_hand():
    exponential, flip = best_chances(np.array([0, 3]), candidates=2, epsilon=1)
    worse = math.exp(-1.5)
    np.testing.assert_allclose(exponential, [0.5, 1 / (1 + worse)])
    # Of two, the worse one wins if it comes first and its coin says so.
    np.testing.assert_allclose(flip, [0.5, 1 - worse / 2])
    for mechanism, chance in (("exponential", 1 / (1 + worse)), ("permute-and-flip", flip[1])):
        law = {"gap": 3, "candidates": 2, "epsilon": 1}
        ax = plots.draw_best_chance(Figure().subplots(), mechanism=mechanism, **law)
        assert filled(ax) == pytest.approx(100 * chance)
    ax = plots.draw_gap(Figure().subplots(), gap=3, candidates=4, largest=9)
    assert line(ax, "the best")[0] == [3] and line(ax, "others")[0].tolist() == [0, 0, 0]


def test_the_filled_rows_are_those_that_should_be_reported(ax):
    look = {"threshold": 600, "window": (0, 1000)}
    plots.draw_answers_and_threshold(ax, ANSWERS, count=1, run=RUN, **look)
    # From the threshold to the exact count: right, late, and what does not reach it.
    ends = [[path.get_extents() for path in bars.get_paths()] for bars in ax.collections[:3]]
    assert [[(box.x0, box.x1) for box in boxes] for boxes in ends] == [
        [(600, 900)],
        [(600, 700)],
        [(50, 600)],
    ]
    right, late, false = ax.collections[:3]
    assert right.get_facecolor()[0][3] == 1 and late.get_hatch() is None
    assert len(late.get_facecolor()) == len(false.get_facecolor()) == 0 and false.get_hatch()
    assert [list(each) for each in line(ax, "reported")] == [[950], [-1]]
    assert [list(each) for each in line(ax, "passed over")] == [[40], [0]]
    kinds = report_kinds(ANSWERS, threshold=600, count=1)
    assert kinds.tolist() == ["false", "right", "late"]
    assert report_kinds(ANSWERS, threshold=900, count=2).tolist() == ["false", "right", "false"]
    other = Figure().subplots()
    shares = pd.Series([0.01, 0.99, 0.25], index=ANSWERS.index)
    plots.draw_report_shares(other, shares, kinds=kinds, runs=200)
    assert [widths(other, place) for place in range(3)] == [[198], [50], [2]]
    assert other.get_xlabel() == "of 200 runs"
    assert [each.get_text() for each in other.get_legend().get_texts()] == ["late", "below"]
    looks = [(len(bars.get_facecolor()), bars.get_hatch()) for bars in other.collections]
    assert looks[2] == (0, "///") and looks[0] == looks[1] == (1, None)
    pale = other.collections[1].get_facecolor()[0]
    assert pale[3] < other.collections[0].get_facecolor()[0][3] == 1


@pytest.mark.long
@pytest.mark.slow
def test_one_run_stops_at_its_count_and_reports_by_the_law_of_sparse():
    law = {"threshold": 600, "epsilon": 0.01, "count": 1}
    rng, draws, found = np.random.default_rng(12), 3000, pd.Series(0, index=ANSWERS.index)
    for _ in range(draws):
        run = one_run(ANSWERS, **law, rng=rng)
        above = run["answer"] >= run["threshold"]
        assert (run["reported"] == above).all() and not above[:-1].any()
        found[run.index[above]] += 1
    chances = first_report_chances(ANSWERS, threshold=600, epsilon=0.01)
    # Hoeffding: one of three shares is off by more with a probability below 6 * exp(-25) < 1e-9.
    np.testing.assert_allclose(found / draws, chances, atol=0.065)
    several = one_run(ANSWERS, threshold=100, epsilon=1, count=2, rng=rng)
    assert list(several["reported"]) == [False, True, True]


def test_far_from_the_threshold_the_right_queries_are_reported():
    law = {"count": 1, "epsilon": 1, "runs": 50, "rng": np.random.default_rng(1)}
    # Each of 150 answers is 300 or more from the threshold, with noise of scales 2 and 4: off with
    # probability below 150 * 2 * exp(-50) in all.
    shares = report_shares(ANSWERS, threshold=350, **law)
    assert shares.to_dict() == {"young": 0, "middle": 1, "old": 0}
    assert report_shares(ANSWERS, threshold=2000, **law).sum() == 0
    with pytest.raises(ValueError, match="runs"):
        report_shares(ANSWERS, threshold=350, count=1, epsilon=1, runs=0)


def test_as_many_squares_are_filled_as_people_are_judged_right(ax):
    plots.draw_accuracy(ax, accuracy=0.613, baseline=0.75, name="model 1")
    assert filled(ax) == pytest.approx(61.3)
    # The baseline is a stair, as 75 squares would end: half of the eighth row.
    (dashed,) = [each for each in ax.lines if each.get_linestyle() == "--"]
    assert dashed.get_xydata().tolist() == [[0, 8], [5, 8], [5, 7], [10, 7]]
    assert (ax.get_title(loc="left"), ax.get_xlabel()) == ("61.3 %", "model 1")


def test_a_boundary_is_where_the_score_is_zero(ax):
    from dplib.plots.learning import boundary_rows

    plots.draw_boundaries(ax, **GOOD[plots.draw_boundaries])
    for name, theta in (("private", [0, 1, 1]), ("no noise", [0, 1, 2])):
        ages, years = line(ax, name)
        np.testing.assert_allclose(boundary_rows(ages, years) @ theta, 0, atol=1e-12)


def test_models_of_one_seed_are_the_same():
    rng = np.random.default_rng(12)
    X = rng.normal(size=(400, 2))
    data = X, np.sign(X[:, 0])
    law = {"iterations": 20, "clipping_bound": 1, "epsilon": 1000, "delta": 1e-5}
    shares = trained_accuracies(data, data, seeds=(4, 4), **law)
    assert shares[0] == shares[1] > 0.9
    with pytest.raises(ValueError, match="seeds"):
        trained_accuracies(data, data, seeds=(-1,), **law)


def test_the_errors_of_both_models_by_hand():
    # The two-coin form: variance 3 n / 4 and its central counterpart 2 / (ln 3)^2.
    local, central = local_and_central_error(people=100, epsilon=math.log(3))
    assert (local, central) == pytest.approx((math.sqrt(75), math.sqrt(2) / math.log(3)))
    law = {"people": 100, "epsilon": math.log(3)}
    ax = plots.draw_local_errors(Figure().subplots(), **law, largest=1000)
    # Fifty dots share the law: their root mean square is the standard error, less the tail.
    for label, error in (("local", local), ("central", central)):
        sizes, _ = line(ax, label)
        assert len(sizes) == 50
        assert math.sqrt(np.mean(sizes**2)) == pytest.approx(error, rel=0.1)
    assert line(ax, "100 %")[0].tolist() == [100, 100]
    assert line(ax, "1 %")[0].tolist() == [1, 1]
    # Five estimates are exact, and have no place on a logarithmic axis.
    assert [each.get_text() for each in ax.texts] == ["◁ 5", "8.7", "1.3", "100 %", "1 %"]


@pytest.mark.slow
def test_the_errors_of_protocols_are_seen_in_reports():
    theory = protocol_errors(domain_size=200, people=1000, epsilon=1)
    assert theory["central"] == pytest.approx(2 * math.sqrt(2))
    codes, rng = np.arange(1000) % 200, np.random.default_rng(13)
    runs = [simulated_errors(codes, domain_size=200, epsilon=1, rng=rng) for _ in range(20)]
    for name in ("one yes or no", "direct", "symmetric unary", "optimal unary"):
        seen = math.sqrt(np.mean([run[name] ** 2 for run in runs]))
        # 4,000 nearly independent squares of nearly normal errors: their mean is off by 20 % with
        # probability below 1e-9 (chi-squared law with 2,000 degrees of freedom).
        assert stats.chi2.cdf(2000 * 0.64, 2000) + stats.chi2.sf(2000 * 1.44, 2000) < 1e-9
        assert 0.8 < seen / theory[name] < 1.2
    figure = Figure()
    ax = plots.draw_protocols_by_epsilon(
        figure.subplots(), domain_size=200, people=1000, simulated={1: runs[0]}
    )
    assert line(ax, "central")[1][-1] == pytest.approx(2 * math.sqrt(2) / 10)
    assert (1, runs[0]["direct"]) in [
        (each.get_xdata()[0], each.get_ydata()[0])
        for each in ax.lines
        if len(each.get_xdata()) == 1
    ]


def test_a_person_of_the_crowd_has_the_shape_of_their_answer_and_the_fill_of_their_report(ax):
    plots.draw_crowd(ax, [1, 0, 0, 1], [0, 1, 0, 1], yes="sells", no="does not")
    seen = {
        (each.get_marker(), each.get_markerfacecolor()): list(each.get_xdata())
        for each in ax.lines
        if each.get_label().startswith("_")
    }
    orange = next(fill for _, fill in seen if fill != "none")
    assert seen == {
        ("s", orange): [3],
        ("s", "none"): [0],
        ("o", orange): [1],
        ("o", "none"): [2],
    }
    with pytest.raises(ValueError, match="reports"):
        plots.draw_crowd(ax, [1, 0], [1], yes="sells", no="does not")


def test_whom_one_trusts_orders_the_errors():
    total, errors = trust_errors(3.0, people=1000, delta=1e-6)
    assert 0 < total < 3
    assert errors["a curator"] < errors["a shuffler"] < errors["nobody"]


def test_the_error_of_unary_encoding_is_seen_in_reports():
    chosen, best = unary_errors(0.75, q=0.25, people=1600)
    assert (chosen, best) == pytest.approx((40 * math.sqrt(3 / 16) * 2, 40 * 0.3 / 0.4))
    rng = np.random.default_rng(13)
    bits = np.zeros((1600, 400), int)
    seen = aggregate(perturb(bits, p=0.75, q=0.25, rng=rng), p=0.75, q=0.25)
    # 400 normal estimates: outside 0.7 to 1.35 with probability below 1e-12 (chi-squared law).
    assert stats.chi2.cdf(400 * 0.7**2, 400) + stats.chi2.sf(400 * 1.35**2, 400) < 1e-9
    assert 0.7 < np.sqrt(np.mean(seen**2)) / chosen < 1.35
    ax = plots.draw_unary_errors(Figure().subplots(), p=0.75, q=0.25, people=1600)
    for label, error in (("p and q", chosen), ("best pair", best)):
        assert math.sqrt(np.mean(line(ax, label)[0] ** 2)) == pytest.approx(error, rel=0.1)


def test_a_reported_bit_is_filled_as_often_as_p_and_q_say():
    for p, q in ((0.9999, 0.0001), (0.7, 0.2)):
        ax = plots.draw_unary_reports(Figure().subplots(), p=p, q=q)
        seen = {
            (each.get_marker(), each.get_markerfacecolor() != "none"): len(each.get_xdata())
            for each in ax.lines
        }
        assert seen["s", True] + seen["s", False] == 14
        assert seen["o", True] + seen["o", False] == 14 * 15
        # Fixed coins: of 14 within 5, and of 210 within 30, of what is expected.
        assert seen["s", True] == pytest.approx(14 * p, abs=5)
        assert seen["o", True] == pytest.approx(210 * q, abs=30)
    assert ax.get_title(loc="left") == "row: a person (ε = 2.2)"
    assert [each.get_text() for each in ax.get_xticklabels()] == ["column: a category"]


@pytest.mark.slow
def test_ranges_of_synthetic_rows_are_compared_with_direct_answers():
    values = pd.Series(np.repeat(np.arange(8), 100))
    law = {"categories": range(8), "inside": (1, 6), "epsilon": 0.5}
    released = released_errors(values, **law, runs=400, rng=np.random.default_rng(14))
    shares = [range_errors(*released, width=width, epsilon=0.5).mean() for width in range(1, 7)]
    shares = pd.DataFrame(shares, index=range(1, 7))
    # Two people off on average, of 100 a cell; six ranges of one cell, one of six.
    np.testing.assert_allclose(shares["direct"], 2 / np.arange(1, 7), rtol=1e-3)
    np.testing.assert_allclose(shares["split"], shares["direct"] * np.arange(6, 0, -1))
    # All counts are far from 0, so a cell of the synthetic table has its discrete Laplace noise:
    # E|noise| = 2 q / (1 - q^2); rows are rounded by less than 1. 2,400 sizes of standard
    # deviation below 2.1: eight of their mean's are 0.35, probability below 1e-14.
    q = math.exp(-0.5)
    assert shares["synthetic"][1] == pytest.approx(2 * q / (1 - q * q), abs=0.5)
    with pytest.raises(ValueError, match="inside"):
        released_errors(values, **law | {"inside": (6, 1)})
    with pytest.raises(ValueError, match="values"):
        released_errors([1, 2], **law)
    with pytest.raises(ValueError, match="width"):
        range_errors(*released, width=7, epsilon=0.5)
    with pytest.raises(ValueError, match="errors"):
        range_errors(released[0], released[1][:, 1:], width=1, epsilon=0.5)


def test_marginals_stand_side_by_side(ax):
    plots.draw_marginals(ax, REAL, MADE, y="letters")
    assert line(ax, "real")[0].tolist() == [5, 0]
    assert line(ax, "synthetic")[0].tolist() == [3, 2]
    ax = plots.draw_range_errors(Figure().subplots(), RANGE_ERRORS)
    steps = (np.arange(50) + 0.5) / 50
    np.testing.assert_allclose(line(ax, "all direct")[0], 1 + 8 * steps)
    assert [text.get_text() for text in ax.texts] == ["1.5 %", "0.75 %", "5.0 %"]


def test_the_errors_of_ranges_are_those_of_the_design():
    # Average errors 2 C at epsilon 1, with the noise of the discrete law: nearly the same.
    for strategy, error in {
        "flat": 342,
        "binary": 969.7,
        "boost": 238.3,
        "privelet": 205.1,
    }.items():
        found = strategy_range_error(size=1024, strategy=strategy, epsilon=1)
        largest = 0.05 if strategy == "flat" else 1e-3
        assert found == pytest.approx(math.sqrt(2 * error), rel=largest)
    # A range of w cells with flat noise: w times the variance of a cell.
    q = math.exp(-0.5)
    found = strategy_range_error(size=16, strategy="flat", epsilon=0.5, width=5)
    assert found == pytest.approx(math.sqrt(5 * 2 * q) / (1 - q))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["flat", "binary", "boost", "privelet"])
@pytest.mark.parametrize("width", [None, 5])
def test_simulation_agrees_with_theory(strategy, width):
    law = {"size": 16, "strategy": strategy, "epsilon": 1, "width": width}
    seen = simulated_answers(**law, runs=2000, rng=np.random.default_rng(15))
    # The mean squared error of 2,000 releases and 400 ranges has a relative standard deviation
    # below 6 %; a root 25 % off is a mean 44 % off, seven of these: probability below 1e-10.
    seen = math.sqrt(np.mean(seen**2))
    assert seen == pytest.approx(strategy_range_error(**law), rel=0.25)


def test_trees_split_as_often_as_they_can():
    assert tree_branching(8, size=1024) == (2, 8, 8, 8)
    assert tree_branching(1024, size=1024) == (1024,)
    assert tree_branching(2, size=8) == (2, 2, 2)


def test_the_dots_share_the_answers_and_stand_beside_the_error_in_theory(ax):
    plots.draw_range_clouds(ax, RANGE_ANSWERS, ERRORS, reach=20)
    assert [each.get_text() for each in ax.get_yticklabels()] == ["flat  5", "Privelet  3"]
    places, heights = line(ax, "flat  5")
    # Nothing tells a dot's side any more: of a hundred answers two make a dot of this size.
    np.testing.assert_allclose(places, np.linspace(0.09, 8.91, 50), atol=0.1)
    assert (np.abs(heights) < 0.4).all()
    assert [each.get_xdata()[0] for each in ax.lines if each.get_linewidth() == 2] == [5, 3]


def test_answers_that_are_exact_are_counted_at_the_start_of_the_axis(ax):
    answers = {"flat": np.repeat([0, 0, 0, 2, -900], 10), "boost": np.repeat([0.001, -3], 25)}
    plots.draw_range_clouds(ax, answers, {"flat": 5.0, "boost": 3.0}, reach=500)
    assert [each.get_text() for each in ax.texts if each.get_text()] == ["◁ 30", "10 ▷", "◁ 25"]
    places, _ = line(ax, "flat  5")
    # No dot stands where these words are.
    assert not ((places > ax.get_xlim()[0]) & (places < 500 / 1500)).any()


def test_whole_nodes_make_up_the_first_cells():
    assert whole_nodes(42, (4, 4, 4)) == [2, 2, 2]
    assert whole_nodes(2730, (2,) * 12) == [1, 0] * 6
    assert whole_nodes(2730, (4096,)) == [2730]
    for cells in range(1, 64):
        nodes = whole_nodes(cells, (2, 4, 8))
        assert nodes[0] * 32 + nodes[1] * 8 + nodes[2] == cells
        assert all(each < parts for each, parts in zip(nodes, (2, 4, 8), strict=True))
    with pytest.raises(ValueError, match="cells"):
        whole_nodes(64, (2, 4, 8))


@pytest.mark.parametrize("nodes", [1, 2, 7, 9, 1365])
def test_the_squares_of_nodes_are_as_large_as_their_noise_together(ax, nodes):
    plots.draw_node_noise(ax, nodes=nodes, noise=3, flat=10, reach=150)
    boxes = [each.get_extents() for each in ax.collections[0].get_paths()]
    assert sum(each.width * each.height for each in boxes) == pytest.approx(9 * nodes)
    # As wide and as high as the noise of the sum, and cut into one part for each node.
    assert [boxes[0].x1, boxes[0].y1] == pytest.approx([3 * math.sqrt(nodes)] * 2)
    lines = [segment for each in ax.collections[1:] for segment in each.get_segments()]
    upright = [(low[1], high[1]) for low, high in lines if low[0] == high[0]]
    borders = [0, *sorted(left[1] for left, right in lines if left[0] < right[0])]
    middles = [(low + high) / 2 for low, high in itertools.pairwise(borders)]
    assert sum(1 + sum(low < y < high for low, high in upright) for y in middles) == nodes
    assert (ax.patches[0].get_width(), ax.patches[0].get_height()) == (10, 10)
    assert ax.get_title(loc="left").startswith("1 node;" if nodes == 1 else f"{nodes:,} nodes;")


def test_the_gap_of_an_audit_is_its_bound(ax):
    plots.draw_audits(ax, AUDITS, claim=1)
    bars = [each.get_xdata() for each in ax.lines if len(each.get_xdata()) == 2]
    for audit, (likely, rare) in zip(AUDITS.values(), (bars[:2], bars[2:]), strict=True):
        assert math.log(likely[0] / rare[1]) == pytest.approx(audit.epsilon)
        # Each interval holds the share that was seen.
        for (low, high), hits in zip((likely, rare), sorted(audit.hits)[::-1], strict=True):
            assert low < hits / audit.draws < high
    room = ax.collections[0].get_paths()[0].get_extents()
    assert room.x1 / room.x0 == pytest.approx(math.e)
    texts = [each.get_text() for each in ax.texts if each.get_text()]
    assert texts == [f"ε ≥ {audit.epsilon:.2g}" for audit in AUDITS.values()]


def test_the_nodes_and_the_range_are_filled(ax):
    plots.draw_nodes(ax, {(1, 2): 1.0, (3, 4): 0.5}, size=4, inside=(2, 3))
    filled = []
    for row in ax.collections:
        boxes = [path.get_extents() for path in row.get_paths()]
        seen = np.broadcast_to(row.get_facecolor(), (len(boxes), 4))[:, 3] > 0
        filled += [box for box, one in zip(boxes, seen, strict=True) if one]
    # Two nodes, and two cells of the range.
    assert [(box.width > 1, round(box.x0 + 0.44)) for box in filled] == [
        (True, 1),
        (True, 3),
        (False, 2),
        (False, 3),
    ]
    with pytest.raises(ValueError, match="size"):
        plots.draw_nodes(ax, {}, size=5, inside=(1, 2))


def test_the_total_has_a_box_of_its_own_above_the_tree(ax):
    plots.draw_nodes(ax, {(1, 4): 0.04}, size=4, inside=(2, 3), total=(0.25, "total 0.25"))
    *_, root, total, _ = (row.get_paths()[0].get_extents() for row in ax.collections)
    assert (total.x0, total.x1) == (root.x0, root.x1) and root.y1 < total.y0
    (words,) = ax.texts
    assert words.get_text() == "total 0.25" and total.y0 < words.get_position()[1] < total.y1
    assert total.y1 < ax.get_ylim()[1]


def test_simulated_errors_stand_beside_those_of_the_theory():
    figure = plots.show_range_errors([3.0, 1.0], [2.5, 1.5])
    theory, seen = figure.axes[0].lines
    assert list(theory.get_ydata()) == [1, 3] and list(seen.get_ydata()) == [1.5, 2.5]
    with pytest.raises(ValueError, match="simulated"):
        plots.show_range_errors([3.0, 1.0], [2.5])
