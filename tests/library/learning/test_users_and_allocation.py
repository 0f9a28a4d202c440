"""Users with many rows, the noise for Poisson batches, and random allocation of people."""

import math

import numpy as np
import pytest
from scipy.special import logsumexp

import dplib

# --- users ------------------------------------------------------------------------------------


def test_no_user_moves_the_sum_by_more_than_the_bound():
    """All users of many tables; some move it by the whole bound, so it is no smaller."""
    rng, most = np.random.default_rng(), 0.0
    for _ in range(30):
        users = rng.integers(0, 6, 40)
        rows = rng.normal(size=(40, 3)) * rng.choice([0.1, 1, 50])
        whole = dplib.user_clipped_sum(users, rows, bound=1.5)
        for user in np.unique(users):
            rest = users != user
            moved = np.linalg.norm(
                whole - dplib.user_clipped_sum(users[rest], rows[rest], bound=1.5)
            )
            assert moved <= 1.5 * (1 + 1e-9)
            most = max(most, moved)
    assert most == pytest.approx(1.5)


def test_clipping_each_row_is_something_else():
    users, rows = np.zeros(30, dtype=int), np.ones((30, 1))
    assert dplib.user_clipped_sum(users, rows, bound=1) == pytest.approx([1])
    assert dplib.clip_rows_l2(rows, bound=1).sum() == 30


def test_users_may_be_names():
    found = dplib.user_clipped_sum(["b", "a", "b"], [[3, 0], [0.3, 0.4], [0, 4]], bound=1)
    assert found == pytest.approx([0.9, 1.2])
    with pytest.raises(ValueError, match="users must have"):
        dplib.user_clipped_sum([1, 2], [[1.0]], bound=1)
    with pytest.raises(ValueError, match="bound"):
        dplib.user_clipped_sum([1], [[1.0]], bound=0)


# --- sigma ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rate", "rounds", "epsilon"), [(0.01, 300, 1), (1, 8, 0.5), (0.25, 32, 16), (0.5, 1, 90)]
)
def test_sigma_is_the_least_that_keeps_epsilon(rate, rounds, epsilon):
    given = {"rate": rate, "rounds": rounds, "delta": 1e-6}
    sigma = dplib.sampled_gaussian_sigma(**given, epsilon=epsilon)
    assert dplib.sampled_gaussian_epsilon(**given, sigma=sigma) <= epsilon
    assert dplib.sampled_gaussian_epsilon(**given, sigma=sigma / 1.002) > epsilon


def test_an_epsilon_that_is_out_of_reach_is_refused():
    for epsilon in (0, 0.001, 200):
        with pytest.raises(ValueError, match="epsilon must"):
            dplib.sampled_gaussian_sigma(rate=0.1, rounds=1, epsilon=epsilon, delta=1e-6)


# --- random allocation ------------------------------------------------------------------------


def test_the_loss_is_the_log_of_the_ratio_of_two_densities():
    sums, sigma = np.array([0.3, 1.4, -0.7]), 0.8
    centres = np.vstack([np.eye(3), np.zeros(3)])
    densities = np.exp(-((sums - centres) ** 2).sum(axis=1) / (2 * sigma**2))
    expected = math.log(densities[:3].mean() / densities[3])
    assert dplib.allocated_loss(sums, sigma=sigma) == pytest.approx(expected)
    both = dplib.allocated_loss([sums, sums], sigma=sigma)
    assert both == pytest.approx([expected] * 2)
    assert dplib.allocated_loss([0.0, 1.0], sigma=0.01) == pytest.approx(5000 - math.log(2))


@pytest.mark.parametrize("sigma", [0.4, 1.0, 5.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
def test_with_one_batch_it_is_the_gaussian_mechanism(sigma, epsilon):
    found = dplib.allocated_delta(batches=1, sigma=sigma, epsilon=epsilon)
    exact = dplib.gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=max(epsilon, 1e-12))
    assert exact * (1 - 1e-9) - 1e-12 <= found <= exact * 1.03 + 1e-10


@pytest.mark.parametrize(
    ("batches", "sigma", "epsilon"), [(2, 1.0, 0.5), (10, 0.7, 1), (100, 0.7, 0.5), (50, 2.0, 0.1)]
)
def test_delta_is_that_of_many_epochs(batches, sigma, epsilon):
    """Both directions, from draws; six standard deviations are passed once in 1e9 runs."""
    rng, runs = np.random.default_rng(), 100_000
    sums = rng.normal(scale=sigma, size=(runs, batches))
    absent = dplib.allocated_loss(sums, sigma=sigma)
    sums[:, 0] += 1
    present = dplib.allocated_loss(sums, sigma=sigma)
    means, errors = [], []
    for gained in (1 - np.exp(epsilon - present), 1 - np.exp(epsilon + absent)):
        gained = np.maximum(gained, 0)
        means.append(gained.mean())
        errors.append(6.2 * gained.std() / math.sqrt(runs) + 20 / runs)
    found = dplib.allocated_delta(batches=batches, sigma=sigma, epsilon=epsilon)
    worse = int(np.argmax(means))
    assert abs(found - means[worse]) <= errors[worse] + 0.03 * found


def test_delta_is_near_a_larger_grids(monkeypatch):
    from dplib.learning import allocation

    settings = [(100, 0.7, 2.0), (1000, 0.5, 3.0), (10, 0.4, 6.0), (100, 2.0, 0.15)]
    few = [dplib.allocated_delta(batches=t, sigma=s, epsilon=e) for t, s, e in settings]
    monkeypatch.setattr(allocation, "_POINTS", 2**16)
    monkeypatch.setattr(allocation, "_BEYOND", 96.0)
    many = [dplib.allocated_delta(batches=t, sigma=s, epsilon=e) for t, s, e in settings]
    for coarse, fine in zip(few, many, strict=True):
        assert fine * (1 - 1e-3) <= coarse <= fine * 1.05


def test_a_rounded_law_gives_no_less_in_the_other_direction_either():
    """The probability of little S is that of a normal quantile where there is one batch."""
    for epsilon in (1.0, 4.0, 8.0):
        found = dplib.allocated_delta(batches=1, sigma=0.3, epsilon=epsilon)
        exact = dplib.gaussian_delta(sigma=0.3, l2_sensitivity=1, epsilon=epsilon)
        assert exact * (1 - 1e-9) <= found <= 1.03 * exact


def test_epsilon_is_where_delta_is_reached():
    for batches, sigma in ((100, 0.7), (10, 1.5), (4, 0.4)):
        given = {"batches": batches, "sigma": sigma}
        epsilon = dplib.allocated_epsilon(**given, delta=1e-5)
        assert dplib.allocated_delta(**given, epsilon=epsilon) <= 1e-5
        assert dplib.allocated_delta(**given, epsilon=epsilon - 1e-3) > 1e-5
    assert dplib.allocated_epsilon(batches=1000, sigma=50, delta=0.1) == 0


def test_shuffled_batches_can_cost_more():
    """The bad table for shuffled batches, with a person replaced by zeros."""
    given = {"batches": 100, "sigma": 0.7, "delta": 1e-5}
    assert dplib.allocated_epsilon(**given) < dplib.shuffled_epsilon_at_least(**given) - 4


def test_shorter_gradients_lose_less():
    """The docstring's promise: a gradient that is shorter gives a smaller delta, by draws."""
    rng, sigma, epsilon = np.random.default_rng(), 0.7, 0.5
    noise = rng.normal(scale=sigma, size=(100_000, 10))
    noise[:, 0] += 0.8
    losses = logsumexp((2 * 0.8 * noise - 0.64) / (2 * sigma**2), axis=1) - math.log(10)
    gained = np.maximum(0, 1 - np.exp(epsilon - losses))
    found = dplib.allocated_delta(batches=10, sigma=sigma, epsilon=epsilon)
    assert gained.mean() + 6.2 * gained.std() / math.sqrt(len(gained)) < found


def test_arguments_out_of_range_are_refused():
    good = {"batches": 10, "sigma": 1.0, "epsilon": 1.0}
    for wrong in (
        {"batches": 0}, {"batches": 20_000}, {"sigma": 0.1}, {"sigma": 500}, {"epsilon": -1},
        {"epsilon": 30}, {"epsilon": math.nan},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(wrong))):
            dplib.allocated_delta(**good | wrong)
    for delta in (0, 1, 1e-12):
        with pytest.raises(ValueError, match="delta"):
            dplib.allocated_epsilon(batches=10, sigma=1, delta=delta)
    with pytest.raises(ValueError, match="sigma must be larger"):
        dplib.allocated_epsilon(batches=2, sigma=0.2, delta=1e-8)
    with pytest.raises(ValueError, match="sums must"):
        dplib.allocated_loss([], sigma=1)
