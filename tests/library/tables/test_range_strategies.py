"""Better strategies for ranges: the stated errors, and why nothing can be better than the best."""

import itertools
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import check_grad

from dplib.ranges import (
    average_range_error,
    haar_strategy,
    matrix_mechanism,
    range_workload,
    strategy_error,
    strategy_sensitivity,
    toeplitz_root_strategy,
    tree_strategy,
)
from dplib.ranges.strategies import (
    _p_identity_error,
    best_tree,
    optimal_strategy_zcdp,
    p_identity_strategy,
    range_error_lower_bound,
    root_strategy,
)

pytestmark = pytest.mark.quick

# The slow figures. In a process of its own with one thread: matrix products that share
# their processors with others may take thirty times as long.
LARGE = """
import json
from dplib.ranges.strategies import *
from dplib.ranges import haar_strategy, strategy_error, toeplitz_root_strategy, tree_strategy
gaussian = {
    "tree": tree_strategy(1024),
    "haar": haar_strategy(1024),
    "root": root_strategy(1024),
    "toeplitz": toeplitz_root_strategy(1024),
    "optimum": optimal_strategy_zcdp(1024),
}
found = {name: strategy_error(matrix, noise="gaussian") for name, matrix in gaussian.items()}
for size, steps in ((1024, 60), (256, 300), (128, 300), (64, 300)):
    found[f"p_identity {size}"] = strategy_error(p_identity_strategy(size, iterations=steps))
for size in (1024, 256, 128, 64):
    found[f"bound {size}"] = range_error_lower_bound(size, tolerance=1e-3)
found["singular"] = range_error_lower_bound(1024, tolerance=1)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def large():
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, "-c", LARGE],
        env=os.environ | one_thread,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.slow
def test_the_errors_of_gaussian_noise_at_1024_cells(large):
    assert round(large["tree"], 2) == 21.66
    assert round(large["haar"], 2) == 18.65
    assert round(large["root"], 2) == 13.28
    assert round(large["toeplitz"], 2) == 15.18
    assert round(large["optimum"], 4) == 12.3558
    assert round(large["singular"], 3) == 12.196
    # The tree before least squares, and flat noise: an answer's noise needs one unit a level.
    assert round(11 * average_range_error(size=1024, strategy="binary"), 1) == 88.2
    assert average_range_error(size=1024, strategy="flat") == 342


@pytest.mark.long
@pytest.mark.slow
def test_the_optimum_is_proved_to_be_one(large):
    assert large["bound 1024"] <= large["optimum"] <= large["bound 1024"] * (1 + 2e-6)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "stated", "slack"),
    [(64, 15.41, 1.001), (128, 22.60, 1.002), (256, 32.44, 1.005), (1024, 60.54, 1.01)],
)
def test_p_identity_reaches_the_stated_error(large, size, stated, slack):
    assert large[f"p_identity {size}"] <= stated * slack


@pytest.mark.parametrize(
    ("size", "branching", "error"),
    [
        (64, (8, 8), 18.54),
        (256, (16, 16), 39.61),
        (1024, (8, 16, 8), 80.76),
        (4096, (16, 16, 16), 130.98),
    ],
)
def test_the_best_tree(size, branching, error):
    found, score = best_tree(size)
    assert found == branching
    assert round(score, 2) == error


@pytest.mark.parametrize("size", [2, 12, 64])
def test_the_best_tree_is_no_worse_than_any_other_and_scored_as_a_matrix(size):
    branching, score = best_tree(size)
    strategy = tree_strategy(size, branching=branching, total=False)
    assert strategy_error(strategy) == pytest.approx(score, rel=1e-12)
    for other in ((size,), (2, size // 2), (size // 2, 2), (4, size // 4)):
        if min(other) > 1:
            for total in (True, False):
                rival = tree_strategy(size, branching=other, total=total)
                assert strategy_error(rival) >= score * (1 - 1e-12)


@pytest.mark.parametrize("size", [8, 30, 60])
def test_p_identity_takes_any_number_of_cells_and_repeats(size):
    strategy = p_identity_strategy(size, iterations=30)
    assert strategy.min() >= 0
    assert strategy.sum(axis=0) == pytest.approx(np.ones(size), rel=1e-12)
    assert range_error_lower_bound(size) < strategy_error(strategy) < 1.001 * (size + 2) / 3
    assert strategy == pytest.approx(p_identity_strategy(size, iterations=30), abs=1e-9)


def test_the_gradient_of_p_identity_is_that_of_its_error():
    weights = np.random.default_rng(4).random((3, 12))
    scale = 1 + weights.sum(axis=0)
    error = _p_identity_error(weights)[0]
    assert error == pytest.approx(strategy_error(np.vstack([np.eye(12), weights]) / scale))
    off = check_grad(
        lambda flat: _p_identity_error(flat.reshape(3, 12))[0],
        lambda flat: _p_identity_error(flat.reshape(3, 12))[1],
        weights.ravel(),
    )
    assert off < 1e-4 * np.linalg.norm(_p_identity_error(weights)[1])


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("size", "stated"), [(64, 5.30), (128, 6.75), (256, 8.42), (1024, 12.36)])
def test_the_lower_bound(large, size, stated):
    assert round(large[f"bound {size}"], 2) == stated


@pytest.mark.parametrize("size", [1, 2, 5, 16])
def test_the_optimum_is_the_fixed_point_of_the_text(size):
    strategy = optimal_strategy_zcdp(size, tolerance=1e-9)
    gram = strategy.T @ strategy
    assert np.diag(gram) == pytest.approx(np.ones(size), rel=1e-6)
    # The plain fixed point, v <- diag((D V D)^1/2), from its own start.
    sides = np.ones(size)
    for _ in range(60):
        values, vectors = np.linalg.eigh(range_workload(size) * np.outer(sides, sides))
        sides = np.sqrt(np.diag((vectors * np.sqrt(values)) @ vectors.T))
    optimum = (sides**2).sum() / (size * (size + 1) / 2)
    assert strategy_error(strategy, noise="gaussian") == pytest.approx(optimum, rel=1e-8)
    assert range_error_lower_bound(size, tolerance=1e-9) == pytest.approx(optimum, rel=1e-8)


def test_no_change_makes_the_optimum_better():
    strategy = optimal_strategy_zcdp(16, tolerance=1e-9)
    best = strategy_error(strategy, noise="gaussian")
    rng = np.random.default_rng(7)
    for size in np.repeat([1e-4, 1e-2, 1.0], 30):
        other = strategy + size * rng.normal(size=strategy.shape)
        assert strategy_error(other, noise="gaussian") > best * (1 - 1e-9)


def test_the_roots_are_roots():
    root = root_strategy(20)
    assert root.T @ root @ root.T @ root == pytest.approx(range_workload(20), rel=1e-9)
    toeplitz = toeplitz_root_strategy(20)
    assert toeplitz @ toeplitz == pytest.approx(np.tril(np.ones((20, 20))), abs=1e-12)


STRATEGIES = {
    "tree": tree_strategy(16, branching=4, total=False),
    "haar": haar_strategy(16),
    "p_identity": p_identity_strategy(16, iterations=30),
    "root": root_strategy(16),
    "toeplitz": toeplitz_root_strategy(16),
    "optimum": optimal_strategy_zcdp(16),
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_sensitivities_are_those_of_neighboring_tables(name):
    columns = STRATEGIES[name].T
    for noise, order in (("laplace", 1), ("gaussian", 2)):
        one = max(np.linalg.norm(column, ord=order) for column in columns)
        two = max(
            np.linalg.norm(first - second, ord=order)
            for first, second in itertools.combinations(columns, 2)
        )
        for neighbors, expected in (("add_remove", one), ("replace_one", two)):
            found = strategy_sensitivity(STRATEGIES[name], noise=noise, neighbors=neighbors)
            assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_determines_the_counts(name):
    counts = np.arange(16)
    released = matrix_mechanism(counts, strategy=STRATEGIES[name], epsilon=1e12)
    assert released == pytest.approx(counts, abs=1e-6)


@pytest.mark.parametrize(
    ("function", "wrong", "words"),
    [
        (best_tree, {"size": 1}, "size"),
        (p_identity_strategy, {"size": 4}, "size"),
        (p_identity_strategy, {"size": 16, "iterations": 0}, "iterations"),
        (root_strategy, {"size": 0}, "size"),
        (toeplitz_root_strategy, {"size": 2.5}, "size"),
        (optimal_strategy_zcdp, {"size": np.nan}, "size"),
        (optimal_strategy_zcdp, {"size": 4, "tolerance": 0}, "tolerance"),
        (range_error_lower_bound, {"size": 4, "tolerance": -1}, "tolerance"),
    ],
)
def test_wrong_arguments_are_named(function, wrong, words):
    with pytest.raises(ValueError, match=words):
        function(**wrong)
