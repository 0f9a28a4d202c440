"""Running sums over time: the factors, their error, and what one person moves."""

import numpy as np
import pytest

from dplib.ranges import (
    factorization_error,
    running_nodes,
    running_sum_factors,
    toeplitz_root_strategy,
)
from dplib.ranges.running import METHODS


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("months", [1, 2, 8, 64])
def test_the_factors_give_the_running_sums_on_time(months, method):
    left, right = running_sum_factors(months, method=method)
    counts = np.random.default_rng().integers(0, 50, months)
    assert left @ (right @ counts) == pytest.approx(np.cumsum(counts))
    # A question that the sum of month t reads holds no month after t.
    for month in range(months):
        read = left[month] != 0
        assert not right[read, month + 1 :].any()


def test_the_error_is_that_of_many_releases():
    left, right = running_sum_factors(8, method="tree")
    rng, rho = np.random.default_rng(), 0.3
    deviation = np.sqrt((right**2).sum(axis=0).max() / (2 * rho))
    errors = rng.normal(0, deviation, (200_000, len(right))) @ left.T
    # A mean square of 200,000 normal errors is off by 0.3 % in one standard deviation.
    expected = factorization_error(left, right, rho=rho)
    assert (errors**2).mean(axis=0) == pytest.approx(expected, rel=0.025)


def test_the_four_methods_at_128_months():
    worst = {
        method: factorization_error(*running_sum_factors(128, method=method), rho=0.5).max()
        for method in METHODS
    }
    assert worst["each month"] == worst["each sum"] == pytest.approx(128)
    assert worst["tree"] == pytest.approx(8 * 7)
    assert worst["square root"] == pytest.approx(6.81264, abs=1e-5)


def test_no_one_person_moves_the_questions_by_more_than_the_longest_column():
    for method in METHODS:
        _, right = running_sum_factors(16, method=method)
        moves = [np.linalg.norm(right @ np.eye(16)[month]) for month in range(16)]
        error = factorization_error(np.eye(len(right)), right, rho=0.5)
        assert error[0] == pytest.approx(max(moves) ** 2)


def test_a_scale_moved_from_one_factor_to_the_other_changes_nothing():
    root = toeplitz_root_strategy(8)
    law = {"rho": 0.7}
    scaled = factorization_error(root / 5, 5 * root, **law)
    assert scaled == pytest.approx(factorization_error(root, root, **law))


def test_the_nodes_are_those_of_base_two():
    assert running_nodes(1) == [(1, 1)]
    assert running_nodes(6) == [(1, 4), (5, 6)]
    assert len(running_nodes(1000)) == 6
    for until in range(1, 200):
        nodes = running_nodes(until)
        months = [month for first, last in nodes for month in range(first, last + 1)]
        assert months == list(range(1, until + 1))
        assert all((first - 1) % (last - first + 1) == 0 for first, last in nodes)


def test_an_average_of_two_root_rows_is_wrong():
    """A wrong form: the noise of R taken for 1 where its longest column is longer."""
    root = toeplitz_root_strategy(32)
    assert factorization_error(root, root, rho=0.5)[-1] > 1.5 * (root[-1] ** 2).sum()


def test_wrong_arguments_are_named():
    eye = np.eye(2)
    for given, name in (
        ({"left": eye, "right": np.eye(3), "rho": 1}, "right"),
        ({"left": [1, 2], "right": eye, "rho": 1}, "right"),
        ({"left": eye, "right": 0 * eye, "rho": 1}, "right"),
        ({"left": eye * np.nan, "right": eye, "rho": 1}, "left"),
        ({"left": eye, "right": eye, "rho": 0}, "rho"),
    ):
        with pytest.raises(ValueError, match=name):
            factorization_error(**given)
    with pytest.raises(ValueError, match="months"):
        running_sum_factors(12, method="tree")
    with pytest.raises(ValueError, match="method"):
        running_sum_factors(8, method="cube root")
    with pytest.raises(ValueError, match="until"):
        running_nodes(0)
