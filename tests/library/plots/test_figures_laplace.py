"""The figures: what stands on the Axes is what the law says, with units and more than colour."""

import math

import numpy as np
import pytest
from figures import REBUILT, line
from scipy import stats

from dplib import plots

pytestmark = pytest.mark.quick

EPSILONS = [0.01, 0.1, 1.0, 10.0]


def dash(ax, label):
    (found,) = [each for each in ax.lines if each.get_label() == label]
    return found.get_linestyle()


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_densities_are_those_of_two_neighboring_counts(ax, epsilon):
    # A width whose even steps miss the counts.
    plots.draw_neighbor_densities(ax, count_without=17449, epsilon=epsilon, half_width=7.3)
    for label, count in (("counted", 17450), ("not counted", 17449)):
        places, density = line(ax, label)
        np.testing.assert_allclose(density, stats.laplace.pdf(places, count, 1 / epsilon))
        assert density.max() == pytest.approx(epsilon / 2)  # the peak is not cut off
    assert dash(ax, "counted") != dash(ax, "not counted")


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_ratio_reaches_its_bounds_and_never_crosses_them(ax, epsilon):
    plots.draw_neighbor_ratio(ax, count_without=17449, epsilon=epsilon)
    places, ratio = line(ax, "counted : not counted")
    with_her, without_her = (stats.laplace(count, 1 / epsilon) for count in (17450, 17449))
    expected = np.exp(with_her.logpdf(places) - without_her.logpdf(places))
    np.testing.assert_allclose(ratio, expected, rtol=1e-9)
    assert ratio.max() == pytest.approx(math.exp(epsilon))
    assert ratio.min() == pytest.approx(math.exp(-epsilon))
    for label, bound in ((r"$e^{\varepsilon}$", epsilon), (r"$e^{-\varepsilon}$", -epsilon)):
        np.testing.assert_allclose(line(ax, label)[1], math.exp(bound))
    # A ratio and its opposite stand equally far from 1, and none falls off the panel.
    heights = ax.transAxes.inverted().transform(
        ax.transData.transform([(17450, math.exp(each)) for each in (epsilon, 0, -epsilon)])
    )[:, 1]
    assert heights[1] == pytest.approx(0.5, abs=1e-6)
    assert heights[0] + heights[2] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("prior", [0.01, 0.5, 0.9])
def test_the_beliefs_follow_from_the_prior_by_bayes(ax, prior, epsilon):
    plots.draw_posterior(ax, prior=prior, epsilon=epsilon)
    steps = (np.arange(50) + 0.5) / 50
    for label, count in (("_if counted", 1), ("_if not", 0)):
        releases = stats.laplace.ppf(steps, count, 1 / epsilon)
        counted = prior * stats.laplace.pdf(releases, 1, 1 / epsilon)
        not_counted = (1 - prior) * stats.laplace.pdf(releases, 0, 1 / epsilon)
        beliefs = counted / (counted + not_counted)
        np.testing.assert_allclose(line(ax, label)[0], 100 * beliefs, rtol=1e-9)
    np.testing.assert_allclose(line(ax, "before")[0], 100 * prior)
    # The band that epsilon allows: prior odds times e^epsilon, both ways, and no wider.
    odds = prior / (1 - prior) * np.exp([-epsilon, epsilon])
    (band,) = [each for each in ax.patches if each.get_label() == "allowed by ε"]
    edges = band.get_x(), band.get_x() + band.get_width()
    np.testing.assert_allclose(edges, 100 * odds / (1 + odds))
    np.testing.assert_allclose(line(ax, "_if counted")[0].max(), edges[1])
    np.testing.assert_allclose(line(ax, "_if not")[0].min(), edges[0])


@pytest.mark.parametrize("sensitivity", [1, 56])
def test_the_error_is_kept_as_often_as_it_says(ax, sensitivity):
    plots.draw_error_against_epsilon(ax, error=20, probability=0.95, sensitivity=sensitivity)
    for label in ("error kept", "example"):
        epsilons, errors = line(ax, label)
        noise = stats.laplace(scale=sensitivity / np.asarray(epsilons))
        np.testing.assert_allclose(noise.cdf(errors) - noise.cdf(-errors), 0.95)
    assert line(ax, "example")[1] == [20]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def outputs_by_hand(value, first, last):
    """All outputs of numpy's Laplace sampler for `value` in a window: try each uniform number."""
    low, high = (int(2**53 * stats.laplace.cdf(edge - value)) for edge in (first, last))
    found = set()
    for k in range(low - 50, high + 51):
        uniform = k / 2**53
        upper = uniform >= 0.5
        logarithm = math.log(2.0 - uniform - uniform if upper else uniform + uniform)
        found.add(value + (-logarithm if upper else logarithm))
    return found


@pytest.mark.parametrize("output", [0.3, 0.7, 2.5, -1.25])
def test_the_ticks_are_the_outputs_that_each_input_can_give(ax, output):
    plots.draw_float_gaps(ax, output=output, steps=200)
    doubles = [output]
    for _ in range(199):
        doubles.append(math.nextafter(doubles[-1], math.copysign(math.inf, output)))
    window = min(doubles), max(doubles)
    rows = [[int(segment[0][0]) for segment in row.get_segments()] for row in ax.collections]
    can = [outputs_by_hand(value, *window) for value in (0.0, 1.0)]
    for row, outputs in zip(rows, [*can, can[0] & can[1]], strict=True):
        assert row == [place for place, double in enumerate(doubles) if double in outputs]


def test_the_household_figure_shows_two_beliefs_and_the_prior(ax):
    plots.draw_household_beliefs(ax, household=5, epsilon=0.1, prior=0.3)
    steps = (np.arange(50) + 0.5) / 50
    for label, rows in (("_with your row", 5), ("_without it", 4)):
        releases = stats.laplace.ppf(steps, rows, 10)
        belief = line(ax, label)[0]
        odds = belief / (100 - belief) / (0.3 / 0.7)
        right = np.exp(0.1 * (np.abs(releases) - np.abs(releases - rows)))
        np.testing.assert_allclose(odds, right)
    assert line(ax, "before")[0].tolist() == [30, 30]


def test_the_household_is_drawn_with_you_and_without(ax):
    plots.draw_household(ax, household=7)
    assert [len(line(ax, each)[0]) for each in ("in the table", "_others", "you")] == [7, 6, 1]
    with pytest.raises(ValueError, match="largest"):
        plots.draw_household(ax, household=11)


def test_a_shown_figure_describes_itself():
    shown = [
        plots.show_error_against_epsilon(error=10, probability=0.95),
        plots.show_float_gaps(),
    ]
    words = [figure.description for figure in shown]
    assert "epsilon 0.3" in words[0] and all(words)


def test_the_rebuilt_shares_stand_above_their_noise(ax):
    plots.draw_reconstructed_shares(ax, REBUILT, noise=1, majority=0.7)
    places, heights = line(ax, "rebuilt")
    assert (list(places), list(heights)) == ([0, 1, 5], [100, 90, 60])
    assert dash(ax, "rebuilt") != dash(ax, "same for all")
    with pytest.raises(ValueError, match="noise"):
        plots.draw_reconstructed_shares(ax, REBUILT, noise=2, majority=0.7)
    with pytest.raises(ValueError, match="shares"):
        plots.draw_reconstructed_shares(ax, REBUILT + 1, noise=1, majority=0.7)
