"""DP-SGD, the account of its batches, and rows behind a meter."""

import math

import dp_accounting
import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

import dplib
from dplib.learning import metered, sampled_gaussian_rdp


def someone(rng, people=40, columns=3):
    X = rng.normal(size=(people, columns))
    return X, np.where(X[:, 0] > 0, 1.0, -1.0)


# The account -----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("rate", "sigma", "rounds", "delta"),
    [(0.01, 1, 100, 1e-5), (0.3, 4, 20, 1e-8), (1, 5, 30, 1e-6), (0.001, 0.6, 5000, 1e-7)],
)
def test_the_account_is_googles(rate, sigma, rounds, delta):
    orders = list(range(2, 257))
    event = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
    accountant = dp_accounting.rdp.RdpAccountant(orders).compose(event, rounds)
    law = {"rate": rate, "sigma": sigma, "rounds": rounds}
    found = dplib.sampled_gaussian_epsilon(**law, delta=delta)
    assert found == pytest.approx(accountant.get_epsilon(delta), rel=1e-9)
    # The whole privacy loss distribution gives no more; nine tenths of it would be refuted.
    whole = dp_accounting.pld.PLDAccountant().compose(event, rounds).get_epsilon(delta)
    assert 0.5 * found < whole <= found


def test_the_curve_is_an_integral():
    rate, sigma, order = 0.2, 1.5, 4

    def term(x):
        with_person = (1 - rate) * stats.norm.pdf(x, 0, sigma) + rate * stats.norm.pdf(x, 1, sigma)
        without = stats.norm.pdf(x, 0, sigma)
        return without * (with_person / without) ** order

    wanted = math.log(quad(term, -30, 30, limit=500)[0]) / (order - 1)
    curve = sampled_gaussian_rdp(rate=rate, sigma=sigma, rounds=3)
    assert curve.epsilons[curve.orders.index(order)] == pytest.approx(3 * wanted, rel=1e-9)
    # The approximation rate^2 order / (2 sigma^2), which is often quoted, is less.
    assert rate**2 * order / (2 * sigma**2) < 0.9 * wanted


def test_less_is_lost_with_rarer_batches_and_more_noise():
    def epsilon(rate=0.02, sigma=1.2):
        return dplib.sampled_gaussian_epsilon(rate=rate, sigma=sigma, rounds=50, delta=1e-6)

    assert epsilon(rate=0.01) < epsilon() < epsilon(rate=0.04)
    assert epsilon(sigma=1.4) < epsilon() < epsilon(sigma=1.0)


def test_a_shuffled_epoch_loses_more_than_poisson_batches_do():
    at_least = dplib.shuffled_epsilon_at_least(batches=100, sigma=0.7, delta=1e-5)
    poisson = dplib.sampled_gaussian_epsilon(rate=0.01, sigma=0.7, rounds=100, delta=1e-5)
    assert at_least > 1.9 * poisson


def test_one_batch_alone_is_one_gaussian_release():
    # With one batch the best event "at least c" is the best of all: Balle & Wang (2018).
    epsilon = dplib.shuffled_epsilon_at_least(batches=1, sigma=2, delta=1e-5)
    delta = dplib.gaussian_delta(sigma=2, l2_sensitivity=1, epsilon=epsilon)
    assert delta == pytest.approx(1e-5, rel=2e-3)
    assert dplib.shuffled_epsilon_at_least(batches=10, sigma=90, delta=0.5) == 0


# Training --------------------------------------------------------------------------------------


def test_without_noise_and_with_all_rows_it_is_clipped_descent():
    X, y = someone(np.random.default_rng(1))
    theta = np.zeros(3)
    for _ in range(5):
        theta -= 0.5 * dplib.clipped_gradients(theta, X, y, bound=0.4).sum(axis=0) / 40
    law = {"rate": 1, "rounds": 5, "clipping_bound": 0.4, "people": 40, "learning_rate": 0.5}
    np.testing.assert_allclose(dplib.dp_sgd(X, y, sigma=1e-12, **law), theta, atol=1e-9)


@pytest.mark.long
def test_one_round_has_the_law_of_a_sampled_gaussian():
    """Fails on right code with probability 1e-9: Massart (1990)."""
    X, y = np.ones((1, 1)), np.array([1.0])
    rng, draws = np.random.default_rng(), 20_000
    law = {"rate": 0.3, "rounds": 1, "sigma": 0.5, "clipping_bound": 0.4, "people": 10}
    found = np.sort([dplib.dp_sgd(X, y, **law, rng=rng)[0] for _ in range(draws)])

    def cdf(t, rate=0.3):
        # The gradient is -1/2, clipped to -0.4; a step divides by rate * people, 3.
        spread, moved = 0.4 * 0.5 / 3, 0.4 / 3
        return (1 - rate) * stats.norm.cdf(t / spread) + rate * stats.norm.cdf((t - moved) / spread)

    steps = np.arange(1, draws + 1) / draws
    assert np.abs(cdf(found) - steps).max() < 0.024
    assert np.abs(cdf(found, rate=0.35) - steps).max() > 0.024


def test_nobody_in_a_batch_is_no_error():
    X, y = someone(np.random.default_rng(2))
    law = {"rate": 1e-9, "rounds": 3, "sigma": 1, "clipping_bound": 1, "people": 40}
    assert np.isfinite(dplib.dp_sgd(X, y, **law)).all()


# The meter -------------------------------------------------------------------------------------


def meter(rho=0.5, people=40):
    rng = np.random.default_rng()
    return dplib.MeteredRows(*someone(rng, people), rho=rho, rng=rng)


def test_a_release_is_a_clipped_sum_with_gaussian_noise():
    """Fails on right code with probability 1e-9: Massart (1990)."""
    X, y = np.array([[3.0, 4.0], [0.3, 0.4]]), np.array([1.0, -1.0])
    rows = dplib.MeteredRows(X, y, rho=1e9)
    draws = [rows.release(lambda X, y: X, l2_sensitivity=1, rho=2.0) for _ in range(8000)]
    # sigma = 1 / sqrt(2 * 2); the long row has been shortened.
    for entry, exact in zip(np.transpose(draws), (0.9, 1.2), strict=True):
        steps = np.arange(1, 8001) / 8000
        assert np.abs(stats.norm.cdf(np.sort(entry), exact, 0.5) - steps).max() < 0.037
        assert np.abs(stats.norm.cdf(np.sort(entry), exact, 0.6) - steps).max() > 0.037


def test_the_meter_refuses_what_is_not_paid_for():
    rows = meter(rho=0.5)
    for _ in range(5):
        rows.release(lambda X, y: np.ones(len(y)), l2_sensitivity=1, rho=0.1)
    assert rows.spent == pytest.approx(0.5)
    with pytest.raises(dplib.BudgetExceededError, match="refused"):
        rows.release(lambda X, y: np.ones(len(y)), l2_sensitivity=1, rho=0.001)
    assert rows.spent == pytest.approx(0.5)


def test_rows_behind_the_meter_cannot_be_changed():
    def part(X, y):
        X[0] = 1e9
        return X

    with pytest.raises(ValueError, match="read-only"):
        meter().release(part, l2_sensitivity=1, rho=0.1)


def test_the_best_model_spends_its_budget_and_no_more():
    rho = 1 / (2 * dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5) ** 2)
    rows = meter(rho=rho)
    dplib.best_private_model(rows.release, columns=3, people=40, rho=rho)
    assert rows.spent == pytest.approx(rho)
    # One Gaussian release with that rho has exactly this delta: Balle & Wang (2018), theorem 8.
    sigma = 1 / math.sqrt(2 * rows.spent)
    assert dplib.gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=1) == pytest.approx(1e-5)
    # Google's accountant, which composes privacy losses, agrees for the rounds one by one.
    accountant = dp_accounting.pld.PLDAccountant()
    each = math.sqrt(metered.ROUNDS / (2 * rho))
    accountant.compose(dp_accounting.GaussianDpEvent(each), metered.ROUNDS)
    assert accountant.get_epsilon(1e-5) == pytest.approx(1, rel=2e-3)


X2, Y2 = [[1.0, 0.0], [0.0, 1.0]], [1, -1]
LAW = {"rate": 0.1, "rounds": 2, "sigma": 1, "clipping_bound": 1, "people": 2}


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: sampled_gaussian_rdp(rate=0, sigma=1), "rate"),
        (lambda: sampled_gaussian_rdp(rate=1.1, sigma=1), "rate"),
        (lambda: sampled_gaussian_rdp(rate=0.1, sigma=0), "sigma"),
        (lambda: sampled_gaussian_rdp(rate=0.1, sigma=1, rounds=0), "rounds"),
        (lambda: dplib.sampled_gaussian_epsilon(rate=0.1, sigma=1, rounds=1, delta=0), "delta"),
        (lambda: dplib.shuffled_epsilon_at_least(batches=0, sigma=1, delta=1e-5), "batches"),
        (lambda: dplib.shuffled_epsilon_at_least(batches=9, sigma=-1, delta=1e-5), "sigma"),
        (lambda: dplib.shuffled_epsilon_at_least(batches=9, sigma=1, delta=1), "delta"),
        (lambda: dplib.clipped_gradients([0, 0], X2, Y2, bound=0), "bound"),
        (lambda: dplib.clipped_gradients([0, 0, 0], X2, Y2, bound=1), "theta"),
        (lambda: dplib.clipped_gradients([0, 0], X2, [1, 2], bound=1), "y"),
        (lambda: dplib.dp_sgd(X2, Y2, **LAW | {"rate": 2}), "rate"),
        (lambda: dplib.dp_sgd(X2, Y2, **LAW | {"rounds": 0}), "rounds"),
        (lambda: dplib.dp_sgd(X2, Y2, **LAW | {"people": 0}), "people"),
        (lambda: dplib.dp_sgd(X2, Y2, **LAW | {"sigma": 0}), "sigma"),
        (lambda: dplib.dp_sgd(X2, Y2, **LAW | {"clipping_bound": 0}), "clipping_bound"),
        (lambda: dplib.MeteredRows(X2, Y2, rho=0), "rho"),
        (lambda: dplib.MeteredRows(X2, [1], rho=1), "y"),
        (lambda: meter().release(lambda X, y: X, l2_sensitivity=0, rho=0.1), "l2_sensitivity"),
        (lambda: meter().release(lambda X, y: X, l2_sensitivity=1, rho=0), "rho"),
        (lambda: meter().release(lambda X, y: X.sum(), l2_sensitivity=1, rho=0.1), "part"),
        (lambda: meter().release(lambda X, y: X[:3], l2_sensitivity=1, rho=0.1), "part"),
        (lambda: dplib.best_private_model(None, columns=0, people=1, rho=1), "columns"),
        (lambda: dplib.best_private_model(None, columns=1, people=0, rho=1), "people"),
        (lambda: dplib.best_private_model(None, columns=1, people=1, rho=0), "rho"),
    ],
)
def test_what_is_out_of_range_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} "):
        call()
