"""Exact laws that the claims of chapters 14 and 15 use, against independent computations.

A statistical test here fails on a right law with probability below 1e-9: the count of an event in
n draws is within sqrt(n ln(2e9 * looks) / 2) of its mean (Hoeffding 1963).
"""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from autograder.check.claims.ranges import _ranges
from autograder.check.claims.ranges.beat_privelet import strategy_cost
from autograder.check.claims.synthetic import (
    _kept_values,
    _marginals,
    _pair_trees,
    _secrets,
    _synthetic_parts,
    _synthetic_rows,
    choose_tree,
)
from autograder.check.claims.synthetic._whole_noise import folded_whole
from autograder.check.claims.synthetic.projection_counterexample import privacy_loss

DRAWS = 200_000


def close(found, law, looks):
    """Say whether shares of DRAWS draws are those of a law."""
    return np.abs(found - law).max() < math.sqrt(math.log(2e9 * looks) / (2 * DRAWS))


def whole_noise(generator, scale, shape):
    return stats.dlaplace.rvs(1 / scale, size=shape, random_state=generator)


# --- chapter 14 -------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [[5, -3, 2], [0, 0, 1], [-4, 11, 2, 8, -1], [-1, -2, 2]])
def test_the_nearest_shares_are_the_nearest(counts):
    found = _marginals.nearest_shares(counts)
    total = sum(counts)
    if total <= 0:
        assert found == pytest.approx(1 / len(counts))
        return
    goal = np.array(counts, dtype=float)
    best = optimize.minimize(
        lambda x: ((x - goal) ** 2).sum(),
        np.full(len(counts), total / len(counts)),
        bounds=[(0, None)] * len(counts),
        constraints={"type": "eq", "fun": lambda x: x.sum() - total},
    )
    assert found * total == pytest.approx(best.x, abs=5e-3)
    clipped = np.maximum(goal, 0) / np.maximum(goal, 0).sum()
    assert min(counts) >= 0 or np.abs(found - clipped).max() > 0.02


@pytest.mark.parametrize(
    ("counts", "scale"),
    [((1, 1), 0.45), ((1,) * 4, 0.45), ((0, 0, 1, 1), 1.3), ((3, 3, 3), 2.0), ((0, 1, 4), 0.8)],
)
def test_the_law_of_the_values_that_come_is_that_of_noisy_shares(counts, scale):
    generator, values = np.random.default_rng(), len(counts)
    noisy = np.array(counts) + whole_noise(generator, scale, (DRAWS, values))
    # Duchi et al. (2008), figure 1: the largest m for which the m-th count stays above 0.
    ordered, total = -np.sort(-noisy, axis=1), noisy.sum(axis=1, keepdims=True)
    places = np.arange(1, values + 1)
    kept = np.sum(places * ordered > np.cumsum(ordered, axis=1) - total, axis=1)
    kept[total[:, 0] <= 0] = values
    for row, number in zip(noisy[:2000], kept, strict=False):
        assert np.count_nonzero(_marginals.nearest_shares(row)) == number
    found = np.bincount(kept, minlength=values + 1)[1:] / DRAWS
    assert close(found, values_kept(counts, scale), values)
    assert not close(found, values_kept(counts, 1.1 * scale), values)


def values_kept(counts, scale):
    """Return how likely 1, 2, ... and all values are kept, whoever has them."""
    law = np.zeros(len(counts) + 1)
    for kept, chance in _kept_values.kept_law(counts, scale).items():
        law[sum(kept)] += chance
    return law[1:]


def test_the_law_tells_values_that_nobody_has_from_others():
    counts, scale = np.array([0, 0, 1, 1, 1]), 0.6
    noisy = counts + whole_noise(np.random.default_rng(), scale, (DRAWS // 10, 5))
    law = _kept_values.kept_law((0, 0, 1, 1, 1), scale)
    kept = np.array([_marginals.nearest_shares(row) > 0 for row in noisy])
    came = np.stack([kept[:, :2].sum(axis=1), kept[:, 2:].sum(axis=1)], axis=1)
    for outcome, chance in law.items():
        share = (came == outcome).all(axis=1).mean()
        # Hoeffding (1963), for a tenth of the draws.
        assert abs(share - chance) < math.sqrt(10 * math.log(2e9 * len(law)) / (2 * DRAWS))


def test_the_law_of_the_values_that_come_agrees_with_all_outcomes_added_up():
    # Every pair and triple of noises, to where exp(-16) is left.
    for values, scale in ((2, 0.8), (3, 0.45)):
        noise = np.arange(-int(16 * scale), int(16 * scale) + 1)
        weights = np.exp(-np.abs(noise) / scale) * np.tanh(0.5 / scale)
        law = np.zeros(values)
        for chosen in itertools.product(range(len(noise)), repeat=values):
            shares = _marginals.nearest_shares(1 + noise[list(chosen)])
            law[np.count_nonzero(shares) - 1] += weights[list(chosen)].prod()
        assert law == pytest.approx(values_kept((1,) * values, scale), abs=1e-6)


def sums_of(law, most):
    return list(itertools.accumulate([law] * most, np.convolve, initial=np.ones(1)))


@pytest.mark.parametrize("people", [_synthetic_parts._EVERYBODY, _synthetic_parts._SOME])
def test_values_with_a_share_are_seen_in_enough_rows(people):
    # If m values are kept and the lost ones sum to -paid, a kept count is at least `level` + 1 and
    # is lowered by paid / m. A value is missed with probability exp(-SIZE * share) at most.
    noisy, missed = np.arange(-20, 21), 0.0
    laws = np.exp(-np.abs(noisy - np.array([[0], [1]])) / _synthetic_parts.LARGEST_SCALE)
    laws /= laws.sum(axis=1, keepdims=True)
    numbers = [people.count(0), people.count(1)]
    for level in range(6):
        low = noisy <= level
        lost = [sums_of(law[low], number) for law, number in zip(laws, numbers, strict=True)]
        kept = [sums_of(law[~low], number) for law, number in zip(laws, numbers, strict=True)]
        for zeros, ones in itertools.product(*(range(number + 1) for number in numbers)):
            ways = math.comb(numbers[0], zeros) * math.comb(numbers[1], ones)
            of_lost = np.convolve(lost[0][numbers[0] - zeros], lost[1][numbers[1] - ones])
            of_kept = ways * np.convolve(kept[0][zeros], kept[1][ones])
            m = zeros + ones
            paid = (len(people) - m) * -noisy[0] - np.arange(len(of_lost))
            fits = (paid >= level * m) & (paid < (level + 1) * m)
            totals = m * (level + 1) + np.arange(len(of_kept)) - paid[fits, None]
            share = (level + 1 - paid[fits, None] / max(m, 1)) / np.maximum(totals, 1)
            chance = of_lost[fits, None] * of_kept * (totals > 0)
            missed += (m * chance * np.exp(-_synthetic_parts.SIZE * share)).sum()
    assert missed < 1e-12


def test_the_noise_of_the_settings_is_as_wide_as_their_law_says():
    for setting in _synthetic_parts._settings(np.random.default_rng()):
        counts, watched = np.array(setting["counts"]), setting["watched"]
        others = tuple(axis for axis in range(counts.ndim) if axis != watched)
        assert counts.sum(axis=others).max() == 1
        assert watched == 0 or np.prod(counts.shape) == counts.shape[watched]
        moved = 2 if setting["neighbors"] == "replace_one" else 1
        scale = moved * 2 * (counts.ndim - watched) / setting["epsilon"]
        assert 0.41 < scale < _synthetic_parts.LARGEST_SCALE


def test_shares_of_many_rows_stay_within_their_room():
    # Of all inputs to `synthesize_from_tree`, that without rows included.
    cells = 3 * 8 + 2 * 16 + 32 + 24
    miss = 2 * math.exp(-2 * _synthetic_rows.MANY * _synthetic_rows.ROOM**2)
    assert cells * miss < 2e-10


def test_shares_along_a_tree_agree_with_drawing_column_by_column():
    generator = np.random.default_rng()
    counts = _pair_trees.random_counts(generator)
    shares = counts / counts.sum()
    # First column, then the third given the first, then the second given the third.
    drawn = generator.choice(8, size=DRAWS, p=shares.ravel())
    first = np.unravel_index(drawn, (2, 2, 2))[0]
    third = generator.random(DRAWS) < (shares.sum(axis=1)[:, 1] / shares.sum(axis=(1, 2)))[first]
    second = generator.random(DRAWS) < (shares.sum(axis=0)[1] / shares.sum(axis=(0, 1)))[third * 1]
    found = np.zeros((2, 2, 2))
    np.add.at(found, (first, second * 1, third * 1), 1 / DRAWS)
    assert close(found, _pair_trees.of_tree(shares, ((0, 2), (1, 2))), 8)
    assert not close(found, _pair_trees.of_tree(shares, ((0, 1), (0, 2))), 8)
    assert not close(found, shares, 8)


def test_base_counts_keep_all_laws_apart():
    pairs = list(itertools.combinations(range(3), 2))
    for base in _pair_trees._FAR_FROM_TREES:
        shares = np.reshape(base, (2, 2, 2)) / sum(base)
        laws = [shares, np.full((2, 2, 2), 1 / 8), _pair_trees.apart(shares)]
        laws += [_pair_trees.of_tree(shares, (pair,)) for pair in pairs]
        laws += [_pair_trees.of_tree(shares, two) for two in itertools.combinations(pairs, 2)]
        gaps = [np.abs(one - other).max() for one, other in itertools.combinations(laws, 2)]
        # One law's answers, each share within TOLERANCE, never pass for another law.
        assert min(gaps) > 2 * _synthetic_rows.TOLERANCE


def test_the_tree_without_noise_is_found_with_certainty():
    # At epsilon 1e7 / 2 a step, a sensitivity of at most 3 * 5.6, and scores that differ by 0.06 of
    # at least 68 rows, 4 of them: another pair is chosen with probability exp(-1e5) at most.
    for base in _pair_trees._FAR_FROM_TREES:
        scores = sorted(_pair_trees.dependence(np.reshape(base, (2, 2, 2))).values())
        assert (scores[1] - scores[0]) * choose_tree._HUGE / 2 / 2 / 17 > 1e5


def test_neighbors_move_a_distance_as_far_as_the_check_says():
    """One row more comes near 4; a replaced row is found that moves it further than 4."""
    for relation, least, most in (("add_remove", 3.99, 4), ("replace_one", 5.5, 8)):
        for columns in (3, 4):
            moved = []
            for table, neighbor in choose_tree._neighbors(columns, relation):
                distances = [distance_of(each, ("A", "C")) for each in (table, neighbor)]
                moved.append(abs(distances[0] - distances[1]))
                shared = table.merge(neighbor, how="inner").drop_duplicates()
                assert len(shared) or not len(table)
                assert abs(len(table) - len(neighbor)) == (relation == "add_remove")
            assert least < max(moved) < most


def distance_of(table, pair):
    if not len(table):
        return 0.0
    counts = pd.crosstab(*(table[name] for name in pair)).to_numpy()
    return np.abs(counts - np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(table)).sum()


def test_two_long_columns_are_a_pair_by_distance_and_information_and_not_by_cramers_v():
    for _ in range(8):
        counts = _pair_trees.unequal_counts(np.random.default_rng())
        distances, information, quotients = _pair_trees.dependence(counts), {}, {}
        for pair in distances:
            table = counts.sum(axis=tuple({0, 1, 2} - {*pair}))
            apart = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            information[pair] = stats.entropy(table.ravel(), apart.ravel())
            quotients[pair] = stats.contingency.association(table, "cramer")
        by_distance, by_information, by_quotient = (
            set(sorted(scores, key=scores.get)[1:])
            for scores in (distances, information, quotients)
        )
        assert by_distance == by_information != by_quotient
        shares = counts / counts.sum()
        laws = [_pair_trees.of_tree(shares, list(two)) for two in (by_distance, by_quotient)]
        assert np.abs(laws[0] - laws[1]).max() > 2 * _synthetic_rows.TOLERANCE


@pytest.mark.parametrize("kind", [_secrets._one_each, _secrets._few_rows])
def test_coins_are_guessed_from_rows_that_show_one_of_two_values(kind):
    setting = kind(np.random.default_rng())
    counts = np.array(setting["counts"])
    people = counts.sum()
    (table,), keywords = _synthetic_rows.arguments(setting)
    times = -(-setting["size"] // people)
    shown = pd.concat([table] * times)[: setting["size"]]
    assert _secrets._guesses(shown, setting).tolist() == [people, people]
    # Every person's other value instead, and then both.
    other = counts.reshape(len(counts), -1, 2)[..., ::-1].reshape(counts.shape)
    (turned,), _ = _synthetic_rows.arguments({**setting, "counts": other.tolist()})
    assert _secrets._guesses(pd.concat([turned] * times)[: setting["size"]], setting).tolist() == [
        people,
        0,
    ]
    both = pd.concat([table, turned] * times)[: setting["size"]]
    assert _secrets._guesses(both, setting).tolist() == [0, 0]
    assert {each: len(values) for each, values in keywords["categories"].items()} == dict(
        zip(keywords["categories"], counts.shape, strict=True)
    )


def test_the_law_of_folded_counts_agrees_with_its_definition():
    noisy = np.abs(4 + stats.dlaplace.rvs(0.6, size=DRAWS)) - 4
    law = folded_whole(0.6, 4)
    for place in range(-4, 9):
        assert close(np.array([np.mean(noisy <= place)]), law(np.array([place + 0.5])), 13)


def test_the_loss_of_a_projection_is_the_largest_log_ratio():
    rows = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [1, 0]])
    neighbor = rows.copy()
    neighbor[4] = [0, 1]
    loss = privacy_loss(rows, neighbor, radius=1.0, epsilon=1.0)
    # All five projections move by 1, each against noise of scale 2: the densities' ratio at the
    # projections of the first table themselves.
    one, other = stats.laplace(rows[:, 0], 2), stats.laplace(neighbor[:, 1], 2)
    ratio = (one.logpdf(rows[:, 0]) - other.logpdf(rows[:, 0])).sum()
    assert loss == pytest.approx(ratio) == pytest.approx(2.0)
    # Eleven rows, a loss of ten halves of epsilon: five rows on each axis, and one that decides.
    half = np.repeat(np.eye(2), 5, axis=0)
    pair = [np.vstack([half, axis]) for axis in np.eye(2)]
    assert privacy_loss(*pair, radius=0.5, epsilon=1.0) == pytest.approx(10.0)


# --- chapter 15 -------------------------------------------------------------------------------


def haar(size):
    rows, width = [np.ones(size)], size
    while width > 1:
        for first in range(0, size, width):
            signs = np.repeat([1.0, -1.0], width // 2)
            rows.append(np.pad(signs, (first, size - first - width)))
        width //= 2
    return np.array(rows)


@pytest.mark.parametrize("size", [1, 2, 8, 32])
def test_errors_of_ranges_agree_with_the_inverse_matrix(size):
    restore = np.linalg.inv(haar(size))
    for left, right in itertools.combinations_with_replacement(range(1, size + 1), 2):
        row = restore[left - 1 : right].sum(axis=0)
        assert float(_ranges.haar_coefficient(left, right, size)) == pytest.approx(row @ row)


@pytest.mark.parametrize(
    ("strategy", "branching", "levels"), [("boost", 2, 4), ("boost", 5, 2), ("privelet", 2, 5)]
)
@pytest.mark.parametrize("neighbors", ["add_remove", "replace_one"])
def test_costs_of_strategies_agree_with_dense_matrices(strategy, branching, levels, neighbors):
    size = branching**levels
    widths = [branching**k for k in range(levels, -1, -1)]
    tree = np.vstack([np.repeat(np.eye(size // width), width, axis=1) for width in widths])
    matrix = haar(size) if strategy == "privelet" else tree
    weights = np.ones(len(matrix))
    if neighbors == "replace_one":
        # The total has no noise: as good as a very large weight.
        weights[0] = 1e10
    cells = np.arange(size)
    ranges = np.array(
        [(cells >= a) & (cells < b) for a, b in itertools.combinations(range(size + 1), 2)]
    )
    covariance = np.linalg.inv(matrix.T @ (weights[:, None] * matrix))
    mean = np.einsum("ri,ij,rj->r", ranges, covariance, ranges).mean()
    columns = matrix[1:] if neighbors == "replace_one" else matrix
    moved = np.abs(columns).sum(axis=0).max() * (2 if neighbors == "replace_one" else 1)
    found = float(_ranges.strategy_average(strategy, branching, levels, neighbors))
    assert found == pytest.approx(moved**2 * mean, rel=1e-5)
    if neighbors == "add_remove":
        assert strategy_cost(matrix) == pytest.approx(found, rel=1e-9)


def test_tables_are_made_of_the_counts_that_are_asked_for():
    parameters = {"counts": [[2, 0], [1, 3]], "epsilon": 1.0, "seed": 4, "size": 3}
    (table,), keywords = _synthetic_rows.arguments(parameters)
    names = list(keywords["categories"])
    found = pd.crosstab(*(table[name] for name in names))
    first, second = (keywords["categories"][name] for name in names)
    assert found.loc[first[1], second].tolist() == [1, 3]
    assert len(table) == 6
