"""Chapter 07's references against all tables of small grids, and its law against a simulation."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from autograder.check.claims import CLAIMS
from autograder.check.claims.local_sensitivity._rows import (
    median_moves,
    median_sensitivity,
    tables_away,
)
from autograder.check.claims.local_sensitivity._tested_release import one_draw_for_both
from autograder.check.claims.local_sensitivity.pure_smooth_median import cauchy

GRID = (0.0, 1.0, 3.0, 4.0)  # the domain is [0, 4]
FALSE_ALARM = 1e-9


@cache
def neighbors_of(table: tuple, relation: str) -> frozenset:
    """All tables of the grid that differ in one row."""
    without = [table[:place] + table[place + 1 :] for place in range(len(table))]
    if relation == "replace_one":
        tables = [(*left, row) for left in without for row in GRID]
    else:
        tables = [*without, *((*table, row) for row in GRID)]
    return frozenset(tuple(sorted(other)) for other in tables)


def moves(table: tuple, relation: str, function) -> float:
    """The local sensitivity of these rows, by trying all neighbors of the grid."""
    here = function(table)
    return max(abs(function(other) - here) for other in neighbors_of(table, relation))


def within(table: tuple, edits: int, relation: str) -> set:
    """All tables of the grid at most so many edits away."""
    found = {tuple(sorted(table))}
    for _ in range(edits):
        found |= {other for each in found for other in neighbors_of(each, relation)}
    return found


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_the_moves_of_the_median_are_those_of_all_tables(relation, size):
    def median(rows):
        return float(np.median(rows)) if rows else 2.0

    for table in itertools.combinations_with_replacement(GRID, size):
        brute = moves(table, relation, median)
        assert max(median_moves(list(table), 0.0, 4.0, relation)) == pytest.approx(brute, abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_the_sensitivity_of_the_median_at_a_distance_is_the_largest_of_all_tables(size):
    @cache
    def local(table):
        return moves(table, "replace_one", lambda rows: float(np.median(rows)))

    for table in itertools.combinations_with_replacement(GRID, size):
        brute = [
            max(local(other) for other in within(table, edits, "replace_one"))
            for edits in range(size + 1)
        ]
        ours = [median_sensitivity(table, edits, 0.0, 4.0) for edits in range(size + 2)]
        assert ours == pytest.approx([*brute, brute[-1]], abs=1e-12), table
        for bound in (0.3, 0.6, 1.1, 2.2):
            above = [edits for edits, moved in enumerate(brute) if moved > bound]
            assert tables_away(table, bound, 0.0, 4.0) == (above[0] if above else math.inf)


# --- the law of propose-test-release ----------------------------------------------------------


def simulated(given: dict, number: int) -> np.ndarray:
    """Released minus exact, infinite where withheld: straight from the definition."""
    generator = np.random.default_rng()
    threshold = math.log(1 / (2 * given["delta"])) / given["epsilon"]
    noisy = given["distance"] + generator.laplace(scale=1 / given["epsilon"], size=number)
    noise = generator.laplace(scale=given["bound"] / given["epsilon"], size=number)
    return np.where(noisy > threshold, noise, np.inf)


def greatest_gap(law, drawn: np.ndarray, scale: float) -> float:
    places = np.append(np.linspace(-8, 8, 801) * scale, 1e300)
    empirical = np.searchsorted(np.sort(drawn), places, side="right") / len(drawn)
    return float(np.abs(empirical - law(places)).max())


def reach(number: int) -> float:
    """An empirical law is further from the true one with probability FALSE_ALARM (Massart 1990)."""
    return math.sqrt(math.log(2 / FALSE_ALARM) / (2 * number))


def test_the_law_of_a_tested_release_agrees_with_a_simulation_and_no_mistake_does():
    claim, number = CLAIMS["propose_test_release"], 400_000
    largest = dict.fromkeys((mistake.name for mistake in claim.mistakes), 0.0)
    for setting in claim.trial(np.random.default_rng()).settings:
        given, scale = setting.parameters, claim.scale(setting.parameters)
        drawn = simulated(given, number)
        assert greatest_gap(claim.law_at(given), drawn, scale) < reach(number)
        for mistake in claim.mistakes:
            gap = greatest_gap(mistake.law(given), drawn, scale)
            largest[mistake.name] = max(largest[mistake.name], gap)
    # The bound that the right law keeps finds out every law of the catalogue.
    assert min(largest.values()) > reach(number), largest


def test_the_law_of_one_draw_for_both_agrees_with_a_simulation():
    claim, number = CLAIMS["propose_test_release"], 400_000
    given = claim.trial(np.random.default_rng()).settings[0].parameters
    unit = np.random.default_rng().laplace(scale=1 / given["epsilon"], size=number)
    threshold = math.log(1 / (2 * given["delta"])) / given["epsilon"]
    drawn = np.where(given["distance"] + unit > threshold, given["bound"] * unit, np.inf)
    assert greatest_gap(one_draw_for_both(given), drawn, claim.scale(given)) < reach(number)


def test_the_cells_of_a_tested_release_hold_what_is_withheld_in_the_last():
    claim = CLAIMS["propose_test_release"]
    for setting in claim.trial(np.random.default_rng()).settings:
        given = setting.parameters
        missing = math.log(1 / (2 * given["delta"])) - given["epsilon"] * given["distance"]
        passes = math.exp(-missing) / 2 if missing > 0 else 1 - math.exp(missing) / 2
        assert setting.rows[0][-1] == pytest.approx(1 - passes, rel=1e-12)
        assert list(setting.sort(np.array([np.inf]))[1]) == [len(setting.rows[0]) - 1]
        assert 0.1 < passes < 0.9


def test_cauchy_noise_is_that_of_scipy():
    places = np.linspace(-30, 30, 301)
    assert cauchy(2.5, 1.0)(places) == pytest.approx(stats.cauchy(1.0, 2.5).cdf(places), abs=1e-14)
