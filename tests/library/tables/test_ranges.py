"""Ranges of cells: exact errors against dense matrices and fractions, and the noise of releases."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import pywt
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import certified_epsilon, discrete_laplace_cdf, follows
from neighbors import NEIGHBORS
from refusals import check_refused, refuses, says
from scipy import stats

from dplib.ranges import (
    accuracy_index,
    answer_ranges,
    average_range_error,
    consistent_counts,
    haar_inverse,
    haar_restore,
    haar_strategy,
    haar_transform,
    matrix_mechanism,
    matrix_mechanism_zcdp,
    range_error,
    range_sensitivity,
    range_workload,
    release_ranges,
    release_tree,
    strategy_error,
    strategy_sensitivity,
    tree_answers,
    tree_strategy,
)

pytestmark = pytest.mark.quick

DRAWS = 200_000
AUDIT_DRAWS = 100_000
# Strategies small enough for dense matrices: (name, size, branching).
SCHEMES = [("flat", 7, 2), ("boost", 24, (2, 3, 4)), ("boost", 27, 3), ("boost", 16, 16)]
SCHEMES += [
    (name, size, 2) for name in ("binary", "boost", "privelet") for size in (1, 2, 4, 8, 32)
]


def all_ranges(size):
    """First and last cells of every range, as two arrays."""
    return np.array([(i, j) for i in range(1, size + 1) for j in range(i, size + 1)]).T


def parameters(name, size, branching):
    return {"size": size, "strategy": name, "branching": branching}


def matrix(name, size, branching):
    """The questions of a strategy."""
    if name == "flat":
        return np.eye(size)
    return haar_strategy(size) if name == "privelet" else tree_strategy(size, branching=branching)


def nodes(left, right, low, high):
    """The fewest nodes of a binary tree over cells low to high that make up a range."""
    if left <= low and high <= right:
        return [(low, high)]
    if right < low or high < left:
        return []
    middle = (low + high) // 2
    return nodes(left, right, low, middle) + nodes(left, right, middle + 1, high)


def dense_error(name, size, branching, neighbors, left, right):
    """The error from the covariance of the counts, or by counting nodes."""
    exact_total = neighbors == "replace_one" and (name != "flat" or size == 1)
    if name == "binary":
        return len([node for node in nodes(left, right, 1, size) if node != (1, size)]) + (
            not exact_total and (left, right) == (1, size)
        )
    strategy = matrix(name, size, branching)
    basis = np.eye(size)
    if exact_total:
        # The counts are known but for changes that leave their total as it is.
        basis = basis[:, 1:] - basis[:, :-1]
    fisher = basis.T @ strategy.T @ strategy @ basis
    covariance = basis @ np.linalg.inv(fisher) @ basis.T if fisher.size else np.zeros((1, 1))
    return covariance[left - 1 : right, left - 1 : right].sum()


# --- the figures of the text ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "size", "expected"),
    [
        (3, 7, 8, "31/32"),
        (1, 1, 1024, "174763/524288"),
        (1, 1024, 1024, "1"),
        (1, 512, 1024, "1/2"),
        (257, 768, 1024, "3/4"),
        (2, 1023, 1024, "435883/262144"),
        (342, 683, 1024, "611859/262144"),
        (512, 513, 1024, "174763/262144"),
        (171, 854, 1024, "160275/65536"),
        (1, 683, 1024, "874003/524288"),
        (300, 900, 1024, "1096131/524288"),
        (37, 911, 1024, "1165563/524288"),
    ],
)
def test_errors_of_privelet_are_exact(left, right, size, expected):
    assert Fraction(range_error(left, right, size=size)) == Fraction(expected)


def test_the_error_at_a_thousand_million_cells():
    assert range_error(123456789, 987654321, size=2**30) == pytest.approx(
        5.920025338053064, rel=1e-15
    )


def test_a_worked_mean_squared_error():
    assert 2 * range_sensitivity(size=8) ** 2 * range_error(3, 7, size=8) == 31


def test_the_average_errors_of_privelet_are_exact():
    stated = "1 2/3 3/5 187/288 1645/2176 15073/16896 138889/133120 1270489/1056768"
    stated += " 11495289/8421376 102858937/67239936 911110969/537395200"
    for power, expected in enumerate(stated.split()):
        assert average_range_error(size=2**power) == float(Fraction(expected))
    assert average_range_error(size=2**20) == 3.361112064785175


@pytest.mark.parametrize("power", range(0, 41, 5))
def test_the_average_error_of_privelet_has_its_closed_form(power):
    size = 2**power
    form = Fraction(power, 6) + Fraction(1, 36) + Fraction(1, 2 * size)
    form += Fraction(1, 2 * (size + 1)) + Fraction(2, 9 * size**2)
    assert average_range_error(size=size) == float(form)


def test_the_limit_of_the_average_is_good_for_many_cells_only():
    low = [1 - (power / 6 + 1 / 36) / average_range_error(size=2**power) for power in (0, 10)]
    assert [round(share, 4) for share in low] == [0.9722, 0.0006]


@pytest.mark.parametrize(
    ("strategy", "stated"),
    [
        ("flat", [22, 86, 342, 1366]),
        ("binary", [203.6, 489.8, 969.7, 1690.7]),
        ("boost", [63.6, 132.4, 238.3, 389.2]),
        ("privelet", [51.1, 110.6, 205.1, 342.7]),
    ],
)
def test_the_table_of_errors_at_equal_privacy(strategy, stated):
    for size, expected in zip((64, 256, 1024, 4096), stated, strict=True):
        assert round(pure_error(size, strategy), 1) == expected


def pure_error(size, strategy, branching=2):
    given = parameters(strategy, size, branching)
    return range_sensitivity(**given) ** 2 * average_range_error(**given)


def test_where_each_strategy_first_beats_flat_noise():
    sizes = [2**power for power in range(1, 15)]
    for strategy, first in (("privelet", 512), ("boost", 1024), ("binary", 8192)):
        better = [size for size in sizes if pure_error(size, strategy) < pure_error(size, "flat")]
        assert better == [size for size in sizes if size >= first]


def test_the_accuracy_index_and_its_limits():
    stated = {"privelet": 4.875, "boost": 4.197, "binary": 1.031}
    for strategy, index in stated.items():
        assert round(accuracy_index(size=1024, strategy=strategy), 3) == index
    # C grows as (levels)**3 times the growth of the average with one more level.
    limits = [("privelet", 2, 6), ("boost", 2, 6), ("binary", 2, 1), ("boost", 13, 13.72)]
    limits.append(("boost", 3, 9 * math.log2(3) ** 3 / 4))
    for strategy, parts, limit in limits:
        few, many = (
            average_range_error(**parameters(strategy, parts**levels, parts)) for levels in (12, 13)
        )
        assert math.log2(parts) ** 3 / (many - few) == pytest.approx(limit, rel=2e-3)
    best = max(range(2, 100), key=lambda parts: parts * math.log(parts) ** 3 / (parts - 1) ** 2)
    assert best == 13


def test_the_covariance_at_four_cells():
    restore = haar_restore(4)
    blocks = [[6, -2, 0, 0], [-2, 6, 0, 0], [0, 0, 6, -2], [0, 0, -2, 6]]
    assert np.array_equal(16 * restore @ restore.T, blocks)


# --- the slips of the seeds: each gives other numbers ---------------------------------------------


def covariance(size, zero_based=True):
    """The text's formula for the covariance of the counts that Privelet restores."""
    power = size.bit_length() - 1
    cells = np.arange(size) + (not zero_based)
    height = np.frexp(np.bitwise_xor.outer(cells, cells).astype(float))[1]
    values = (4.0**-power - 4.0**-height) * 2 / 3
    return np.where(height > 0, values, (1 + 2 * 4.0**-power) / 3)


@pytest.mark.parametrize("size", [2, 8, 64])
def test_the_covariance_depends_on_the_lowest_common_ancestor(size):
    restore = haar_restore(size)
    assert np.abs(covariance(size) - restore @ restore.T).max() < 1e-15
    # Counted from 1, the bits are those of other cells.
    if size > 2:
        assert np.abs(covariance(size, zero_based=False) - restore @ restore.T).max() > 0.1


def test_adding_variances_is_not_enough():
    exact = covariance(8)[2:7, 2:7]
    assert round(np.trace(exact), 3) == 1.719
    assert round(range_error(3, 7, size=8), 3) == 0.969
    # Every pair counts twice: with the upper triangle alone the sum is another.
    assert exact.sum() == pytest.approx(31 / 32, rel=1e-15)
    assert abs(np.triu(exact).sum() - 31 / 32) > 0.3


def test_one_boundary_node_counts_once():
    """Both ends of [2, 2] of 4 lie in the top node, and in the node below it on the left."""
    strategy = haar_strategy(4)
    squares = (strategy @ [0, 1, 0, 0] / (strategy**2).sum(axis=1)) ** 2
    assert range_error(2, 2, size=4) == squares.sum() == 0.375
    # Counted once for each end, as if they were two nodes:
    assert squares[0] + 2 * squares[1:].sum() == 0.6875


def test_node_three_of_eight_cells_is_on_the_right():
    assert haar_strategy(8)[3].tolist() == [0, 0, 0, 0, 1, 1, -1, -1]
    assert haar_strategy(8)[0].tolist() == [1] * 8
    assert haar_restore(8)[6].tolist() == [1 / 8, -1 / 8, 0, -1 / 4, 0, 0, 0, 1 / 2]


# --- errors against oracles -----------------------------------------------------------------------


@pytest.mark.parametrize("neighbors", NEIGHBORS)
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_errors_are_those_of_dense_matrices(scheme, neighbors):
    given = parameters(*scheme) | {"neighbors": neighbors}
    left, right = all_ranges(scheme[1])
    expected = [dense_error(*scheme, neighbors, *pair) for pair in zip(left, right, strict=True)]
    errors = range_error(left, right, **given)
    assert errors == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert average_range_error(**given) == pytest.approx(errors.mean(), rel=1e-12, abs=1e-15)


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(1, 50).flatmap(lambda h: st.tuples(st.just(h), *[st.integers(1, 2**h)] * 2)))
def test_privelet_follows_the_algorithm_of_the_text(case):
    """The published walk over both ends, in fractions; one term a level, O(log size)."""
    power, first, second = case
    start, stop = min(first, second) - 1, max(first, second)
    exact = Fraction(stop - start, 2**power) ** 2
    for level in range(1, power + 1):
        width = 2**level
        near, far = (
            Fraction(min(end % width, width - end % width), width) for end in (start, stop)
        )
        exact += near**2 + far**2 - 2 * near * far * (start // width == stop // width)
    error = range_error(start + 1, stop, size=2**power)
    assert abs(Fraction(error) / exact - 1) < Fraction(1, 10**12)


@settings(deadline=None)
@given(
    branching=st.lists(st.integers(2, 40), min_size=1, max_size=8),
    places=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    width=st.one_of(st.none(), st.integers(1, 50)),
)
def test_trees_of_any_branching_keep_twelve_digits(branching, places, width):
    size = math.prod(branching)
    start, stop = sorted(min(int(place * size), size - 1) for place in places)
    stop = stop + 1 if width is None else min(start + width, size)
    error = range_error(start + 1, stop, size=size, strategy="boost", branching=branching)
    exact = tree_error(branching, start, stop)
    assert abs(Fraction(error) / exact - 1) < Fraction(1, 10**12)


def tree_error(branching, start, stop):
    """Σ_j (|P_j q|² - |P_{j-1} q|²) / eigenvalue_j, block by block at both ends, in fractions."""
    widths = [math.prod(branching[level:]) for level in range(len(branching) + 1)]
    error = before = Fraction(0)
    for level, width in enumerate(widths):
        first, last = start // width, (stop - 1) // width
        shares = {
            block: min(stop, (block + 1) * width) - max(start, block * width)
            for block in (first, last)
        }
        length = Fraction(sum(share**2 for share in shares.values()), width)
        length += max(last - first - 1, 0) * width
        error += (length - before) / sum(widths[level:])
        before = length
    return error


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_sensitivities_are_those_of_neighboring_tables(scheme):
    answers = matrix(*scheme).T
    add_remove = np.abs(answers).sum(axis=1).max()
    moves = [np.abs(one - other).sum() for one, other in itertools.combinations(answers, 2)]
    given = parameters(*scheme)
    assert range_sensitivity(**given) == add_remove
    assert range_sensitivity(**given, neighbors="replace_one") == max(moves, default=0)


def test_replacing_one_person_moves_privelet_by_more_than_levels_plus_one():
    for power in range(2, 20):
        assert range_sensitivity(size=2**power) == power + 1
        assert range_sensitivity(size=2**power, neighbors="replace_one") == 2 * power


def test_arrays_numbers_and_broadcasting():
    assert type(range_error(3, 7, size=8)) is float
    errors = range_error([[1], [2]], [3, 4, 8], size=8)
    assert errors.shape == (2, 3)
    assert errors[1, 2] == range_error(2, 8, size=8)
    many = np.arange(1, 40_001)
    errors = range_error(many, 65_536, size=2**16)
    assert errors[20_000] == range_error(20_001, 65_536, size=2**16)


# --- the Haar transform ---------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 8, 256])
def test_the_transform_is_its_matrix_and_the_inverse_its_inverse(size):
    counts = np.random.default_rng(size).integers(-50, 1000, (3, size))
    strategy, restore = haar_strategy(size), haar_restore(size)
    assert np.array_equal(strategy @ restore, np.eye(size))
    assert np.array_equal(haar_transform(counts), counts @ strategy.T)
    assert np.array_equal(haar_inverse(counts), counts @ restore.T)
    assert np.array_equal(haar_inverse(haar_transform(counts)), counts)


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(power=st.integers(0, 12), seed=st.integers(0, 2**32))
def test_the_transform_agrees_with_pywavelets(power, seed):
    """Its coefficients are scaled to length 1: by the root of the number of cells of a node."""
    counts = np.random.default_rng(seed).normal(size=2**power)
    before = counts.copy()
    ours = haar_transform(counts)
    theirs = pywt.wavedec(counts, "haar", level=power)
    widths = [2**power, *(2**power // 2**level for level in range(power))]
    for level, (peer, width) in enumerate(zip(theirs, widths, strict=True)):
        part = slice(2**level // 2, 2**level) if level else slice(0, 1)
        assert ours[part] / np.sqrt(width) == pytest.approx(peer, rel=1e-9, abs=1e-9)
    assert haar_inverse(ours) == pytest.approx(counts, rel=1e-9, abs=1e-9)
    assert np.array_equal(counts, before)


@pytest.mark.parametrize("function", [haar_transform, haar_inverse])
@pytest.mark.parametrize("wrong", [[], 3, [1, 2, 3], [1, np.nan], ["a", "b"]])
def test_the_transform_refuses_what_it_cannot_split(function, wrong):
    with pytest.raises(ValueError, match=r"counts|coefficients"):
        function(wrong)


# --- releases -------------------------------------------------------------------------------------

RELEASES = [("flat", 2), ("boost", 2), ("boost", (4, 2)), ("privelet", 2)]
COUNTS = np.array([5, 0, 12, 3, 3, 40, 1, 7])


@pytest.mark.parametrize("neighbors", NEIGHBORS)
@pytest.mark.parametrize(("strategy", "branching"), RELEASES, ids=str)
def test_a_release_keeps_shape_input_and_seed(strategy, branching, neighbors):
    table = np.stack([COUNTS, COUNTS[::-1]])
    given = {"strategy": strategy, "branching": branching, "neighbors": neighbors}
    first, second = (
        release_ranges(table, epsilon=0.5, **given, rng=np.random.default_rng(3)) for _ in range(2)
    )
    assert first.shape == table.shape
    assert np.array_equal(first, second)
    assert np.array_equal(table[0], COUNTS)
    exact = release_ranges(COUNTS, epsilon=1e4, **given)
    assert exact == pytest.approx(COUNTS, abs=1e-9)
    if neighbors == "replace_one" and strategy != "flat":
        assert first.sum(axis=1) == pytest.approx(table.sum(axis=1), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("neighbors", NEIGHBORS)
def test_coefficients_have_the_exact_law_of_their_noise(neighbors):
    table = np.tile(COUNTS, (DRAWS // 8, 1))
    released = release_ranges(table, epsilon=0.8, neighbors=neighbors)
    noise = haar_transform(released) - haar_transform(table)
    assert np.abs(noise - np.round(noise)).max() < 1e-6
    if neighbors == "replace_one":
        assert np.abs(noise[:, 0]).max() < 1e-6
        noise = noise[:, 1:]
    needed = {"add_remove": 4, "replace_one": 6}[neighbors]
    draws = np.round(noise).ravel()
    assert follows(draws, discrete_laplace_cdf(0.8 / needed))
    # One level less (add_remove), or the sensitivity of add_remove (replace_one), is found out.
    assert not follows(draws, discrete_laplace_cdf(0.8 / {4: 3, 6: 4}[needed]))


def test_a_range_has_the_exact_law_of_its_error():
    """[3, 7] of 8: whole multiples of discrete Laplace noise, added up in eighths."""
    parts = np.array([0, 0, 1, 1, 1, 1, 1, 0]) @ haar_restore(8) * 8
    support = np.arange(-400, 401)
    law = np.ones(1)
    for part in np.abs(np.round(parts)).astype(int):
        spread = np.zeros(2 * 400 * part + 1)
        np.add.at(spread, (support + 400) * part, stats.dlaplace.pmf(support, 0.25))
        law = np.convolve(law, spread)
    middle = len(law) // 2
    below = np.cumsum(law)
    released = release_ranges(np.tile(COUNTS, (DRAWS // 4, 1)), epsilon=1.0)
    errors = np.round(8 * (answer_ranges(released, 3, 7) - COUNTS[2:7].sum()))

    def cdf(place):
        return below[np.clip(np.floor(place).astype(int) + middle, 0, len(law) - 1)]

    assert follows(errors, cdf)
    assert not follows(np.round(errors * 1.1), cdf)


@pytest.mark.slow
@pytest.mark.parametrize("neighbors", NEIGHBORS)
@pytest.mark.parametrize(("strategy", "branching"), [*RELEASES, ("binary", 2)], ids=str)
def test_simulated_errors_are_those_of_the_theory(strategy, branching, neighbors):
    """The false alarm is below 1e-9: Bernstein's inequality for 200,000 squared errors.

    With s² the variance, an error is above 30 s with probability below 11 * exp(-1.27 * 30), in
    any draw below 1e-10; cut there, squares are at most 900 s² and have variance below 5.1 s⁴, so
    their mean is off by more than a tenth with probability below 1e-12.
    """
    given = parameters(strategy, 8, branching) | {"neighbors": neighbors}
    table = np.tile(COUNTS, (DRAWS, 1))
    if strategy == "binary":
        tree = release_tree(table, epsilon=1.0, neighbors=neighbors)
        chosen = [tree[2][:, 1], tree[2][:, 2], tree[3][:, 6]]
        answers = np.sum(chosen, axis=0)
    else:
        released = release_ranges(
            table, epsilon=1.0, strategy=strategy, branching=branching, neighbors=neighbors
        )
        answers = answer_ranges(released, 3, 7)
    variance = stats.dlaplace.var(1 / range_sensitivity(**given))
    simulated = np.mean((answers - COUNTS[2:7].sum()) ** 2)
    assert simulated / variance == pytest.approx(range_error(3, 7, **given), rel=0.1)
    # The slip of adding the cells' own variances would be found out.
    assert strategy != "privelet" or abs(simulated / variance - 1.719) > 0.2 * 1.719


AUDITED = {
    "flat": (np.eye(4), lambda table, **given: release_ranges(table, strategy="flat", **given)),
    "privelet": (
        haar_strategy(4),
        lambda table, **given: haar_transform(release_ranges(table, **given)),
    ),
    "tree": (
        tree_strategy(4),
        lambda table, **given: np.concatenate(release_tree(table, **given), axis=-1),
    ),
}


@pytest.mark.parametrize("neighbors", NEIGHBORS)
@pytest.mark.parametrize("name", AUDITED)
def test_an_audit_finds_the_claimed_epsilon_and_no_more(name, neighbors):
    certified = audit(name, neighbors, epsilon=2.0, noise_for=neighbors)
    # Above: at most FALSE_ALARM. Below: the bound loses under 0.2, six standard deviations of the
    # log of two shares above 1.5 %. To lose 0.4 it would take as many again.
    assert 1.6 <= certified <= 2.0


@pytest.mark.parametrize("name", AUDITED)
def test_the_audit_catches_the_sensitivity_of_the_other_neighbors(name):
    """The seeds' slip: h + 1 is for add_remove. Here replace_one moves answers by 4, not by 3."""
    assert audit(name, "replace_one", epsilon=3.0, noise_for="add_remove") > 3.0


def audit(name, neighbors, *, epsilon, noise_for):
    """One person more in cell 1, or there instead of in cell 4; the event: no answer shows it."""
    questions, release = AUDITED[name]
    first = np.array([3, 1, 4, 2])
    change = np.array([1, 0, 0, 0] if neighbors == "add_remove" else [1, 0, 0, -1])
    hits = []
    for table in (first, first + change):
        many = np.tile(table, (AUDIT_DRAWS, 1))
        answers = release(many, epsilon=epsilon, neighbors=noise_for)
        beyond = (answers - questions @ first) * np.sign(questions @ change)
        hits.append((beyond < 0.5).all(axis=1).sum())
    return certified_epsilon(*hits, AUDIT_DRAWS)


# --- trees ----------------------------------------------------------------------------------------


def test_a_tree_is_read_by_its_fewest_nodes():
    rng = np.random.default_rng(5)
    levels = [rng.normal(size=2**level) for level in range(5)]
    left, right = all_ranges(16)
    expected = [
        sum(
            levels[(16 // (high - low + 1)).bit_length() - 1][(low - 1) // (high - low + 1)]
            for low, high in nodes(*pair, 1, 16)
        )
        for pair in zip(left, right, strict=True)
    ]
    assert tree_answers(levels, left, right) == pytest.approx(expected, abs=1e-12)
    assert type(tree_answers(levels, 3, 7)) is float
    # Several tables at once are each read alone.
    three = [rng.normal(size=(3, 2**level)) for level in range(5)]
    alone = [tree_answers([level[table] for level in three], left, right) for table in range(3)]
    np.testing.assert_allclose(tree_answers(three, left, right), alone, atol=1e-12)


@pytest.mark.parametrize("neighbors", NEIGHBORS)
@pytest.mark.parametrize("branching", [(2, 2, 2), (3, 2, 4), (6,)], ids=str)
def test_consistent_counts_are_the_least_squares_fit(branching, neighbors):
    size = math.prod(branching)
    counts = np.random.default_rng(1).integers(0, 99, size)
    levels = release_tree(counts, epsilon=0.5, branching=branching, neighbors=neighbors)
    strategy = tree_strategy(size, branching=branching)
    # A noiseless total weighs more than all else.
    weights = np.ones(len(strategy))
    weights[0] = 1e6 if neighbors == "replace_one" else 1
    fit = np.linalg.lstsq(
        strategy * weights[:, None], np.concatenate(levels) * weights, rcond=None
    )[0]
    assert consistent_counts(levels, neighbors=neighbors) == pytest.approx(fit, abs=1e-5)
    noiseless = [counts.reshape(-1, size // len(level)).sum(axis=1) for level in levels]
    assert consistent_counts(noiseless, neighbors=neighbors) == pytest.approx(counts, abs=1e-9)


@pytest.mark.parametrize(
    "levels", [[], [[1, 2]], [[1], [1, 2], [1, 2, 3]], [3], [[1], [np.nan, 2]]], ids=str
)
def test_what_is_no_tree_is_refused(levels):
    with pytest.raises(ValueError, match="levels"):
        consistent_counts(levels)


def test_sums_of_a_release():
    assert answer_ranges(COUNTS, 3, 7) == COUNTS[2:7].sum()
    assert answer_ranges([COUNTS, 2 * COUNTS], [1, 3], [8, 7]).tolist() == [[71, 59], [142, 118]]
    with pytest.raises(ValueError, match="left and right"):
        answer_ranges(COUNTS, 1, 9)
    with pytest.raises(ValueError, match="counts"):
        answer_ranges(3.0, 1, 1)


# --- the matrix mechanism -------------------------------------------------------------------------


def test_the_workload_counts_the_ranges_that_hold_two_cells():
    left, right = all_ranges(9)
    cells = np.arange(1, 10)
    inside = ((left[:, None] <= cells) & (cells <= right[:, None])).astype(float)
    assert np.array_equal(range_workload(9), inside.T @ inside)


@pytest.mark.parametrize("scheme", [each for each in SCHEMES if each[0] != "binary"], ids=str)
def test_the_score_of_a_matrix_is_that_of_the_formulas(scheme):
    strategy, given = matrix(*scheme), parameters(*scheme)
    expected = range_sensitivity(**given) ** 2 * average_range_error(**given)
    assert strategy_error(strategy) == pytest.approx(expected, rel=1e-10)
    # Every column of these has as many entries as levels, 1 or -1.
    gaussian = range_sensitivity(**given) * average_range_error(**given)
    assert strategy_error(strategy, noise="gaussian") == pytest.approx(gaussian, rel=1e-10)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32), neighbors=st.sampled_from(NEIGHBORS))
def test_the_sensitivity_of_a_matrix_is_that_of_neighboring_tables(seed, neighbors):
    rng = np.random.default_rng(seed)
    strategy = rng.normal(size=rng.integers(1, 6, 2))
    changes = np.eye(strategy.shape[1])
    if neighbors == "replace_one":
        changes = (changes[:, None] - changes).reshape(-1, strategy.shape[1])
    for noise, order in (("laplace", 1), ("gaussian", 2)):
        largest = np.linalg.norm(changes @ strategy.T, ord=order, axis=1).max()
        found = strategy_sensitivity(strategy, noise=noise, neighbors=neighbors)
        assert found == pytest.approx(largest, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("neighbors", NEIGHBORS)
def test_the_matrix_mechanism_adds_its_exact_noise(neighbors):
    """With as many questions as cells, the counts give the noisy answers back."""
    strategy, counts = haar_strategy(64), np.arange(64)
    given = {"strategy": strategy, "neighbors": neighbors, "rng": np.random.default_rng()}
    draws = [matrix_mechanism(counts, epsilon=0.5, **given) for _ in range(200)]
    noise = ((np.array(draws) - counts) @ strategy.T).ravel()
    needed = {"add_remove": 7, "replace_one": 12}
    (other,) = set(needed) - {neighbors}
    assert follows(noise, stats.laplace(scale=needed[neighbors] / 0.5).cdf)
    assert not follows(noise, stats.laplace(scale=needed[other] / 0.5).cdf)
    draws = [matrix_mechanism_zcdp(counts, rho=0.1, **given) for _ in range(200)]
    noise = ((np.array(draws) - counts) @ strategy.T).ravel()
    # In L2: under replace_one the top node moves by 2, and two nodes on each level below by 1.
    needed = {"add_remove": math.sqrt(7), "replace_one": math.sqrt(4 + 2 * 5)}
    assert follows(noise, stats.norm(scale=needed[neighbors] / math.sqrt(0.2)).cdf)
    assert not follows(noise, stats.norm(scale=needed[other] / math.sqrt(0.2)).cdf)


def test_a_matrix_with_more_questions_than_cells_is_solved_by_least_squares():
    strategy = np.random.default_rng(2).normal(size=(9, 4))
    released = matrix_mechanism(COUNTS[:4], strategy=strategy, epsilon=1e12)
    assert released == pytest.approx(COUNTS[:4], abs=1e-6)
    fits = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        released = matrix_mechanism(COUNTS[:4], strategy=strategy, epsilon=1.0, rng=rng)
        noise = np.random.default_rng(seed).laplace(scale=strategy_sensitivity(strategy), size=9)
        fit = np.linalg.lstsq(strategy, strategy @ COUNTS[:4] + noise, rcond=None)[0]
        fits.append(released == pytest.approx(fit, abs=1e-9))
    assert all(fits)


# --- wrong arguments ------------------------------------------------------------------------------

CELLS = {"left": 2, "right": 3, "size": 8}
MATRIX = {"counts": [1, 2], "strategy": np.eye(2), "epsilon": 1}
REFUSED = [
    *refuses(
        *(range_error, CELLS),
        left=[says(0, "left and right"), 1.5],
        right=[says(9, "left and right"), np.nan],
        size=[says(6, "power of two"), 0, says(2**53, r"2\*\*52")],
        strategy=["best"],
        branching=[4],
        neighbors=["both"],
    ),
    *refuses(range_error, CELLS | {"left": 5}, right=[says(4, "left and right")]),
    *refuses(range_error, CELLS | {"left": [1, 2]}, right=[says([3, 4, 5], "common shape")]),
    *refuses(range_error, CELLS | {"strategy": "boost"}, branching=[3, (2, 2), 1]),
    *refuses(
        *(release_ranges, {"counts": [1, 2], "epsilon": 1}),
        counts=[
            *(says([1, 2, 3], "power of two"), says([1, 2.5], "whole")),
            *([1], 4, [1, np.nan], [2**53, 2**53]),
        ],
        strategy=[says("binary", "release_tree"), "none"],
        epsilon=[0, np.nan],
        neighbors=[None],
        rng=[3],
    ),
    *refuses(
        *(matrix_mechanism, MATRIX),
        strategy=[
            *(says([[1, 1]], "determine"), says([[1, 1], [2, 2]], "determine")),
            *(says([1, 1], "two dimensions"), [[1, np.inf], [0, 1]]),
        ],
        counts=[[1, 2, 3], [1, np.nan]],
        epsilon=[-1],
        neighbors=["none"],
        rng=[1],
    ),
    *refuses(strategy_sensitivity, {"strategy": np.eye(2)}, noise=["none"]),
    *refuses(matrix_mechanism_zcdp, {"counts": [1, 2], "strategy": np.eye(2)}, rho=[0]),
]


@pytest.mark.parametrize(("function", "arguments", "words"), REFUSED)
def test_a_wrong_argument_is_named(function, arguments, words):
    check_refused(function, arguments, words)
