"""Laws and cells against scipy.stats, an independent source."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from ville import cells, distributions

PLACES = np.linspace(-30, 30, 601)
WHOLE = np.arange(-20, 21) + 0.5


@pytest.mark.parametrize("scale", [0.3, 1.0, 7.0])
def test_continuous_laws_agree_with_scipy(scale):
    pairs = [
        (distributions.laplace(scale, 1.5), stats.laplace(1.5, scale).cdf),
        (distributions.gaussian(scale, -2), stats.norm(-2, scale).cdf),
        (distributions.exponential(scale), stats.expon(scale=scale).cdf),
        (distributions.exponential(scale, sign=-1), lambda x: stats.expon(scale=scale).sf(-x)),
        (distributions.uniform(-scale, scale), stats.uniform(-scale, 2 * scale).cdf),
    ]
    for law, oracle in pairs:
        assert law(PLACES) == pytest.approx(oracle(PLACES), abs=1e-14)


def test_the_sum_of_two_laplace_draws_agrees_with_a_convolution():
    law, one = distributions.laplace_sum(2.0), stats.laplace(scale=2.0)
    for place in (-7.0, -1.0, 0.0, 0.5, 4.0):
        kinks = [0.0, place]
        exact, _ = integrate.quad(
            lambda y, place=place: one.pdf(y) * one.cdf(place - y), -80, 80, points=kinks, limit=200
        )
        assert law(np.array([place]))[0] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("rate", [0.1, 0.8, 3.0])
def test_discrete_laws_agree_with_scipy(rate):
    geometric = stats.geom(-math.expm1(-rate))
    pairs = [
        (distributions.discrete_laplace(rate), stats.dlaplace(rate).cdf),
        (distributions.discrete_laplace(rate, -3), lambda x: stats.dlaplace(rate).cdf(x + 3)),
        (distributions.geometric(rate, first=1), geometric.cdf),
        (distributions.geometric(rate, first=0), lambda x: geometric.cdf(x + 1)),
        (distributions.geometric(rate, first=1, sign=-1), lambda x: geometric.sf(np.floor(-x))),
    ]
    for law, oracle in pairs:
        assert law(WHOLE) == pytest.approx(oracle(WHOLE), abs=1e-13)


def test_a_sum_of_many_laplace_draws_has_all_of_its_law_between_the_ends():
    for count in (1, 3, 80):
        law = distributions.laplace_sum(0.5, count)(np.array([-np.inf, -1e9, -1e-12, 1e9, np.inf]))
        assert law == pytest.approx([0, 0, 0.5, 1, 1], abs=1e-9)


def test_rounded_and_folded_laws_agree_with_their_definitions():
    # An empirical law of n draws is within sqrt(ln(2 / a) / (2n)) of the true one, but for a share
    # a = 1e-9 of runs (Dvoretzky, Kiefer & Wolfowitz; Massart 1990).
    draws = np.random.default_rng().laplace(scale=3, size=200_000)
    reach = math.sqrt(math.log(2e9) / (2 * len(draws)))
    base = distributions.laplace(3)
    made = {
        "down": (np.floor(draws), distributions.rounded_down(base)),
        "up": (np.ceil(draws), distributions.rounded_up(base)),
        "clamped": (np.maximum(draws, -1.25), distributions.clamped(base, -1.25)),
        "between": (np.clip(draws, -1.25, 4), distributions.clamped(base, -1.25, 4)),
        "folded": (np.abs(draws + 2.25) - 2.25, distributions.folded(base, -2.25)),
        "cut": (np.trunc(draws), distributions.signed_geometric(1 / 3, first=0)),
    }
    for name, (noise, law) in made.items():
        empirical = np.searchsorted(np.sort(noise), WHOLE, side="right") / len(noise)
        assert np.abs(empirical - law(WHOLE)).max() < reach, name


def test_cells_of_a_continuous_law_have_the_probabilities_that_are_claimed():
    edges = cells.laplace_edges() * 3.7
    probabilities = cells.cell_probabilities(edges, distributions.laplace(3.7))
    ends = np.concatenate([[-np.inf], edges, [np.inf]])
    assert len(probabilities) == 40
    assert probabilities.min() >= 2e-4
    assert probabilities == pytest.approx(np.diff(stats.laplace.cdf(ends / 3.7)), rel=1e-11)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 4e4])
def test_the_quantile_next_to_0_is_0(scale):
    """A cell from -1e-15 to 0 would hold nothing, and half of what is said of exact answers."""
    edges = cells.edges_of(lambda x: 0.5 + np.arctan(x / scale) / np.pi, scale=scale)
    assert 0.0 in edges and not any(0 < abs(edge) < 1e-6 * scale for edge in edges)


def test_edges_found_by_bisection_are_the_quantiles():
    found = cells.edges_of(distributions.laplace(3.7), scale=2.0)
    assert found == pytest.approx(cells.laplace_edges() * 3.7, rel=1e-6, abs=1e-6)
    found = cells.edges_of(distributions.gaussian(0.02), scale=0.1)
    assert found == pytest.approx(cells.gaussian_edges() * 0.02, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("rate", [0.12, 1.0, 2.2])
def test_cells_of_whole_numbers_hold_one_number_each(rate):
    edges = cells.whole_edges(distributions.discrete_laplace(rate))
    probabilities = cells.cell_probabilities(edges, distributions.discrete_laplace(rate))
    last = (len(probabilities) - 1) // 2
    inner = stats.dlaplace(rate).pmf(np.arange(1 - last, last))
    assert probabilities[1:-1] == pytest.approx(inner, rel=1e-10)
    tail = stats.dlaplace(rate).sf(last - 1)
    assert probabilities[[0, -1]] == pytest.approx([tail, tail], rel=1e-10)
    assert list(cells.sorted_into(edges, np.array([0.0, 1.0]))) == [last, last + 1]


def test_an_answer_that_is_no_number_goes_to_the_last_cell():
    noise = np.array([np.nan, 0.01, np.inf, -np.inf])
    assert list(cells.sorted_into(cells.laplace_edges(), noise)) == [39, 20, 39, 0]
