"""Logistic regression, noisy gradient descent, its accounting, and the features it learns from."""

import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from laws import FALSE_ALARM, follows
from refusals import check_refused, refuses
from scipy import optimize, sparse, special, stats

from dplib.data import DOMAINS, fill_missing, load_adult, load_features
from dplib.data.features import _encode
from dplib.gaussian import analytic_gaussian_sigma, gaussian_delta
from dplib.guarantees import ORDERS, ApproximateDP, PureDP, ZeroConcentratedDP
from dplib.learning import (
    MeteredRows,
    accuracy,
    amplify_by_sampling,
    best_private_model,
    clip_rows_l2,
    descent,
    gradient_descent_cost,
    logistic_gradient,
    logistic_loss,
    majority_accuracy,
    noisy_gradient_descent,
    predict,
    row_gradients,
)

pytestmark = pytest.mark.quick

NO_NOISE = 1e200  # A rho so large that the noise is far below the rounding of any sum.
entries = st.floats(-20, 20).map(lambda value: round(value, 6))
signs = st.sampled_from([-1.0, 1.0])
# A busy machine must not fail a test: no limit on the time of one example.
SLOW_IS_FINE = settings(deadline=None, max_examples=60)


@st.composite
def models(draw):
    """theta, X and y of matching shapes, with at least two rows."""
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    return (
        draw(arrays(float, d, elements=entries)),
        draw(arrays(float, (n, d), elements=entries)),
        draw(arrays(float, n, elements=signs)),
    )


@pytest.fixture(scope="module")
def features():
    return load_features()


def best_model(X, y, *, epsilon, delta, rng):
    """`best_private_model` behind a meter that holds what one Gaussian release is worth."""
    rho = 1 / (2 * analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta) ** 2)
    rows = MeteredRows(X, y, rho=rho, rng=rng)
    return best_private_model(rows.release, columns=X.shape[1], people=len(y), rho=rho)


def small_data(rows=400):
    rng = np.random.default_rng(5)
    X = np.column_stack([np.ones(rows), rng.normal(size=(rows, 2))])
    return X, np.where(X @ [0.3, 1, -2] + rng.logistic(size=rows) > 0, 1.0, -1.0)


# Edges ----------------------------------------------------------------------------------------

X2, Y2 = np.eye(2), np.array([-1.0, 1.0])


def trained(X=X2, **changes):
    """noisy_gradient_descent on two rows, with some arguments changed."""
    right = {"iterations": 2, "clipping_bound": 1, "epsilon": 1, "delta": 1e-5}
    return noisy_gradient_descent(X, Y2, **(right | changes))


MODEL = {"theta": [0, 0], "X": X2, "y": Y2}
REFUSED = [
    *refuses(logistic_loss, MODEL, theta=[[0, 0, 0], [0, math.nan]], X=[[1, 2]], y=[[0, 1], [1]]),
    *refuses(logistic_gradient, MODEL, y=[[[-1, 1]]]),
    *refuses(row_gradients, MODEL | {"y": [1]}, X=[[[1, math.inf]]]),
    *refuses(predict, {"theta": [0, 0]}, X=[np.empty((0, 2))]),
    *refuses(majority_accuracy, {}, y=[[]]),
    *refuses(clip_rows_l2, {"rows": X2, "bound": 1}, bound=[0], rows=[[1, 2], [[1e200]]]),
    *refuses(trained, {}, iterations=[0, 1.5], clipping_bound=[-1], learning_rate=[0], epsilon=[0]),
    *refuses(trained, {}, delta=[1], rng=[1], X=[[[big, 0], [0, 0]] for big in (math.nan, 1e200)]),
    *refuses(gradient_descent_cost, {"epsilon": 1, "delta": 1e-5}, iterations=[0]),
    *refuses(gradient_descent_cost, {"epsilon": 1, "iterations": 10}, delta=[0.1]),
    *refuses(
        *(amplify_by_sampling, {"guarantee": PureDP(1), "rate": 0.5}),
        rate=[0, 1.01],
        guarantee=[PureDP(701), PureDP(1, "replace_one"), ZeroConcentratedDP(1)],
    ),
]


@pytest.mark.parametrize(("function", "arguments", "name"), REFUSED)
def test_what_is_out_of_range_is_refused_by_name(function, arguments, name):
    check_refused(function, arguments, f"^{name} must")


def test_one_seed_gives_one_theta_and_the_data_stay_as_they_were():
    X, y = small_data()
    before = X.copy(), y.copy()
    for train in (lambda rng: noisy_gradient_descent(
                      X, y, iterations=3, clipping_bound=1, epsilon=1, delta=1e-5, rng=rng),
                  lambda rng: best_model(X, y, epsilon=1, delta=1e-5, rng=rng)):  # fmt: skip
        one, same, other = (train(np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert one.shape == (3,) and (one == same).all() and (one != other).all()
    np.testing.assert_array_equal(before[0], X)
    np.testing.assert_array_equal(before[1], y)


# Without privacy ------------------------------------------------------------------------------


def test_loss_and_predictions_on_three_rows_by_hand():
    X, y = [[1, 0], [1, 2], [1, -2]], [1, 1, -1]
    assert logistic_loss([0, 0], X, y) == pytest.approx(math.log(2), rel=1e-15)
    # Margins 0, 2 and 2.
    by_hand = (math.log(2) + 2 * math.log(1 + math.exp(-2))) / 3
    assert logistic_loss([0, 1], X, y) == pytest.approx(by_hand, rel=1e-14)
    assert predict([0, 1], X).tolist() == [-1, 1, -1]  # A score of exactly 0 is not above 0.
    assert accuracy([0, 1], X, y) == pytest.approx(2 / 3)
    assert majority_accuracy(y) == pytest.approx(2 / 3) == majority_accuracy([-1, -1, 1])


def test_a_huge_margin_does_not_overflow():
    with np.errstate(all="raise", under="ignore"):
        assert logistic_loss([1e5], [[1.0], [1.0]], [1, -1]) == 5e4
        assert logistic_gradient([1e5], [[1.0], [1.0]], [1, -1]).tolist() == [0.5]


@pytest.mark.slow
@given(model=models())
@SLOW_IS_FINE
def test_the_gradient_is_the_slope_of_the_loss(model):
    theta, X, y = model
    step = 1e-6
    # The third derivative is at most |x|^3 / 10, so the difference is off by that times step^2, and
    # by the rounding of two losses of up to 2000 over 2 * step.
    for place, move in enumerate(np.eye(len(theta)) * step):
        rise = logistic_loss(theta + move, X, y) - logistic_loss(theta - move, X, y)
        exact = logistic_gradient(theta, X, y)[place]
        assert rise / (2 * step) == pytest.approx(exact, abs=1e-6)
    each = row_gradients(theta, X, y)
    assert each.shape == X.shape
    np.testing.assert_allclose(each.mean(axis=0), logistic_gradient(theta, X, y), atol=1e-12)


def test_without_noise_the_descent_ends_at_the_optimum_that_scipy_finds():
    X, y = small_data()

    def loss(theta):  # Written apart from dplib.
        return np.log1p(np.exp(-y * (X @ theta))).mean()

    best = optimize.minimize(loss, np.zeros(3), method="BFGS", tol=1e-9)
    theta = noisy_gradient_descent(
        X, y, iterations=300, clipping_bound=10, epsilon=1e14, delta=1e-5, learning_rate=3
    )
    np.testing.assert_allclose(theta, best.x, atol=1e-4)
    assert logistic_loss(theta, X, y) == pytest.approx(best.fun, abs=1e-8)
    assert np.abs(logistic_gradient(theta, X, y)).max() < 1e-5


# Sensitivity ----------------------------------------------------------------------------------


@pytest.mark.slow
@given(model=models(), bound=st.floats(0.01, 30))
@SLOW_IS_FINE
def test_one_row_more_moves_the_clipped_sum_by_at_most_the_bound(model, bound):
    theta, X, y = model
    clipped = clip_rows_l2(row_gradients(theta, X, y), bound=bound)
    norms = np.linalg.norm(clipped, axis=1)
    assert (norms <= bound * (1 + 1e-12)).all()
    sums = [noiseless_sum(theta, X[:rows], y[:rows], bound) for rows in (len(X) - 1, len(X))]
    rounding = 1e-12 * (1 + norms.sum())
    assert np.linalg.norm(sums[1] - sums[0]) <= bound + rounding
    # The fast way, which scales slopes, gives the same sum as clipping each gradient.
    np.testing.assert_allclose(sums[1], clipped.sum(axis=0), rtol=0, atol=rounding)


def noiseless_sum(theta, X, y, bound):
    norms = np.linalg.norm(X, axis=1)
    return descent._noisy_sum(
        theta, X, y, norms=norms, bound=bound, rho=NO_NOISE, rng=np.random.default_rng(0)
    )


def test_the_sum_over_blocks_is_the_sum():
    rng = np.random.default_rng(0)
    X, y, theta = rng.normal(size=(5000, 7)), rng.choice([-1.0, 1.0], 5000), rng.normal(size=7)
    slow = clip_rows_l2(row_gradients(theta, X, y), bound=0.7).sum(axis=0)
    np.testing.assert_allclose(noiseless_sum(theta, X, y, 0.7), slow, rtol=1e-12)


@given(rows=arrays(float, (3, 2), elements=entries), bound=st.floats(0.01, 30))
@SLOW_IS_FINE
def test_clipping_shortens_and_turns_nothing(rows, bound):
    clipped = clip_rows_l2(rows, bound=bound)
    norms = np.linalg.norm(rows, axis=1)
    short = norms <= bound
    assert (clipped[short] == rows[short]).all()
    after = np.linalg.norm(clipped, axis=1)[~short]
    np.testing.assert_allclose(after, bound, rtol=1e-12)
    kept = np.where(short, norms, bound)[:, None]
    np.testing.assert_allclose(clipped * norms[:, None], rows * kept, rtol=1e-9, atol=1e-9)


def releases(train, X, y):
    """What a training asks the mechanism for, when it gets the same answers for all data."""
    asked, answers = [], np.random.default_rng(0)

    def mechanism(value, *, l2_sensitivity, rho, rng=None):
        asked.append((np.array(value), l2_sensitivity))
        return 10 * answers.normal(size=np.shape(value))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descent, "gaussian_mechanism_zcdp", mechanism)
        train(X, y, epsilon=1, delta=1e-5)
    return asked


def three_rounds(X, y, **budget):
    return noisy_gradient_descent(X, y, iterations=3, clipping_bound=0.7, **budget)


@pytest.mark.slow
@given(model=models())
@SLOW_IS_FINE
@pytest.mark.parametrize(("train", "count"), [(three_rounds, 4)])
def test_every_release_moves_by_at_most_its_sensitivity(train, count, model):
    """Composition asks this of each release, given the answers to those before it."""
    _, X, y = model
    few, more = releases(train, X[:-1], y[:-1]), releases(train, X, y)
    assert len(few) == len(more) == count
    for (before, sensitivity), (after, same) in zip(few, more, strict=True):
        assert sensitivity == same
        assert np.linalg.norm(after - before) <= sensitivity + 1e-9


def clip_the_mean(theta, X, y, *, bound):
    """A wrong twin: the gradient is clipped after averaging."""
    return clip_rows_l2(logistic_gradient(theta, X, y)[None], bound=bound)[0]


def test_a_mean_that_is_clipped_afterwards_moves_by_twice_the_bound_among_a_thousand_rows():
    X, y, theta = np.full((1000, 1), 2.0), np.ones(1000), np.zeros(1)
    with_one = np.vstack([X, [[-1e5]]]), np.append(y, 1)
    move = clip_the_mean(theta, X, y, bound=1) - clip_the_mean(theta, *with_one, bound=1)
    assert abs(move[0]) == 2
    right = [noiseless_sum(theta, *data, 1.0) / 1000 for data in ((X, y), with_one)]
    assert abs(right[0] - right[1])[0] == pytest.approx(1 / 1000)


# Noise ----------------------------------------------------------------------------------------


def one_step_law(total, rows, *, bound, epsilon, delta, shares=2):
    """The law of -(total + noise) / (rows + noise), with the budget cut into `shares`."""
    rho = descent._rho(epsilon, delta) / shares
    sigma = 1 / math.sqrt(2 * rho)

    # Below t when total + t * rows + (bound * Z + t * Z') * sigma > 0, for a positive denominator:
    # rows is 40 sigma and more, so it is negative with probability below 1e-300.
    def cdf(t):
        return stats.norm.cdf((total + t * rows) / (sigma * np.sqrt(bound**2 + t**2)))

    assert rows > 40 * sigma
    return cdf


@pytest.mark.slow
def test_one_step_has_exactly_the_law_of_a_noisy_sum_over_a_noisy_count():
    """Fails on right code with probability 1e-9."""
    X, y = np.ones((100, 1)) * 3, np.repeat([1.0, -1.0], [60, 40])
    # The slopes are 1/2, so the gradients are 1.5 in size and are clipped to 1.
    setting = {"epsilon": 3, "delta": 1e-2}
    rng = np.random.default_rng()
    draws = [
        noisy_gradient_descent(X, y, iterations=1, clipping_bound=1, rng=rng, **setting)[0]
        for _ in range(6000)
    ]
    assert follows(draws, one_step_law(-20, 100, bound=1, **setting))
    # Twins: a count for free, and gradients that are not clipped.
    assert not follows(draws, one_step_law(-20, 100, bound=1, shares=1, **setting))
    assert not follows(draws, one_step_law(-30, 100, bound=1, **setting))


@pytest.mark.slow
def test_every_round_has_its_own_noise_on_every_entry():
    """Fails on right code with probability 1e-9, for each of four laws."""
    X, rng = np.zeros((1, 2)), np.random.default_rng()
    noise = [
        descent._noisy_sum(np.zeros(2), X, np.ones(1), norms=np.zeros(1), bound=2, rho=0.5, rng=rng)
        for _ in range(4000)
    ]
    first, second = np.transpose(noise)
    turned = 2 * 2**0.5
    laws = [(first, 2), (second, 2), (first + second, turned), (first - second, turned)]
    for draws, scale in laws:
        assert follows(draws, lambda t, scale=scale: stats.norm.cdf(t / scale))
        assert not follows(draws, lambda t, scale=scale: stats.norm.cdf(t / scale / 1.3))


# What it costs --------------------------------------------------------------------------------


def spent(monkeypatch, train):
    """The rhos that a training spends, read off the mechanism that it calls."""
    rhos = []

    def mechanism(value, *, l2_sensitivity, rho, rng=None):
        rhos.append(rho)
        return value

    monkeypatch.setattr(descent, "gaussian_mechanism_zcdp", mechanism)
    train()
    return rhos


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-10), (1, 1e-5), (8, 1e-3)])
def test_the_rounds_and_the_count_spend_the_budget_and_no_more(monkeypatch, epsilon, delta):
    X, y = small_data()
    rhos = spent(
        monkeypatch,
        lambda: noisy_gradient_descent(
            X, y, iterations=7, clipping_bound=1, epsilon=epsilon, delta=delta
        ),
    )
    assert len(rhos) == 8
    total = ZeroConcentratedDP(math.fsum(rhos))
    assert total.to_approximate(delta=delta).epsilon == pytest.approx(epsilon, rel=1e-12)
    assert outside_epsilon(rhos, delta) <= epsilon
    # The wrong twin, a count for free, spends an eighth too much.
    twin = ZeroConcentratedDP(math.fsum(rhos) * 8 / 7)
    assert twin.to_approximate(delta=delta).epsilon > epsilon * 1.05


def outside_epsilon(rhos, delta):
    """The epsilon that Google's accountant, which composes privacy losses, gives for the rhos."""
    accountant = dp_accounting.pld.PLDAccountant()
    for rho in set(rhos):
        event = dp_accounting.GaussianDpEvent(1 / math.sqrt(2 * rho))
        accountant.compose(event, rhos.count(rho))
    return accountant.get_epsilon(delta)


def test_a_quarter_less_noise_at_1_and_1e_5():
    by_zcdp = 1 / math.sqrt(2 * descent._rho(1, 1e-5))
    exact = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5)
    assert exact / by_zcdp == pytest.approx(0.761, abs=5e-4)


@given(rho=st.floats(1e-8, 50), delta=st.floats(1e-12, 0.5))
@SLOW_IS_FINE
def test_rho_is_the_inverse_of_the_conversion(rho, delta):
    epsilon = ZeroConcentratedDP(rho).to_approximate(delta=delta).epsilon
    assert descent._rho(epsilon, delta) == pytest.approx(rho, rel=1e-9)


@pytest.mark.parametrize("iterations", [1, 10, 100])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1, 1e-8)])
def test_four_accountants_against_googles_and_against_the_exact_cost(iterations, epsilon, delta):
    costs = gradient_descent_cost(iterations=iterations, epsilon=epsilon, delta=delta)
    assert list(costs) == ["sequential", "advanced", "rdp", "zcdp"]
    assert costs["sequential"].epsilon == pytest.approx(iterations * epsilon, rel=1e-12)
    assert costs["sequential"].delta == pytest.approx(iterations * delta, rel=1e-12)
    total, sigma = (iterations + 1) * delta, analytic_gaussian_sigma(
        l2_sensitivity=1, epsilon=epsilon, delta=delta
    )  # fmt: skip
    accountant = dp_accounting.rdp.RdpAccountant(ORDERS)
    accountant.compose(dp_accounting.GaussianDpEvent(sigma), iterations)
    assert costs["rdp"].epsilon == pytest.approx(accountant.get_epsilon(total), rel=1e-9)
    # Bun & Steinke (2016), proposition 1.3.
    rho = iterations / (2 * sigma**2)
    by_hand = rho + 2 * math.sqrt(rho * math.log(1 / total))
    assert costs["zcdp"].epsilon == pytest.approx(by_hand, rel=1e-12)
    for cost in costs.values():
        together = sigma / math.sqrt(iterations)
        exact = gaussian_delta(sigma=together, l2_sensitivity=1, epsilon=cost.epsilon)
        assert exact <= cost.delta * (1 + 1e-9)
    for name in ("advanced", "rdp", "zcdp"):
        assert costs[name].delta == pytest.approx(total, rel=1e-12)


def test_the_four_costs_of_a_hundred_rounds():
    costs = gradient_descent_cost(iterations=100, epsilon=0.1, delta=1e-6)
    found = {name: round(cost.epsilon, 2) for name, cost in costs.items()}
    assert found == {"sequential": 10.0, "advanced": 6.31, "rdp": 0.97, "zcdp": 1.22}


# Audit ----------------------------------------------------------------------------------------


def certified(hits, neighbor_hits, count, *, delta):
    """A lower bound on epsilon at delta from how often an event happened on each neighbor.

    It exceeds the true epsilon with probability at most FALSE_ALARM; `laws.certified_epsilon` with
    delta taken off.
    """
    level = FALSE_ALARM / 2
    low = stats.beta.ppf(level, hits, count - hits + 1) if hits else 0.0
    high = stats.beta.isf(level, neighbor_hits + 1, count - neighbor_hits)
    return math.log(max(low - delta, 1e-300) / high)


def test_an_audit_of_one_round_comes_near_the_claim_and_no_further():
    """Too high with probability 1e-9, and below 0.8 of the claim with at most that."""
    epsilon, delta, columns, calls = 2.0, 0.05, 500, 400
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    setting = {"bound": 1, "rho": 1 / (2 * sigma**2), "rng": np.random.default_rng()}

    def hits(X):
        data = np.zeros(columns), X, np.ones(columns)
        norms = np.linalg.norm(X, axis=1)
        sums = [descent._noisy_sum(*data, norms=norms, **setting) for _ in range(calls)]
        # Where the privacy loss is above epsilon, for the sums 0 and 1.
        return int((np.array(sums) > sigma**2 * epsilon + 0.5).sum())

    # Each person moves a column of their own from 0 to 1, so that a call is many experiments.
    without, with_one = np.zeros((columns, columns)), -9 * np.eye(columns)
    found = certified(hits(with_one), hits(without), columns * calls, delta=delta)
    assert 0.8 * epsilon <= found <= epsilon


@pytest.mark.long
@pytest.mark.slow
def test_an_audit_convicts_the_mean_that_is_clipped_afterwards():
    """Each certificate is too high with probability 1e-9."""
    epsilon, delta, count, rows = 4.0, 1e-3, 6000, 100
    X, y = np.full((rows, 1), 2e-3), np.ones(rows)
    with_one = np.vstack([X, [[-1e4]]]), np.append(y, 1)
    rng = np.random.default_rng()

    def right(X, y):
        theta = noisy_gradient_descent(
            X, y, iterations=1, clipping_bound=1, epsilon=epsilon, delta=delta, rng=rng
        )
        # The sum is -0.1 without the person and 0.9 with them; half a unit lies between.
        return -theta[0] * rows > 0.4

    def twin(X, y):
        # Its author claims that the mean moves by clipping_bound / n.
        sigma = 1 / rows / math.sqrt(descent._rho(epsilon, delta))
        return clip_the_mean(np.zeros(1), X, y, bound=1)[0] + rng.normal(scale=sigma) > 0.5

    found = [
        certified(*(sum(one(*data) for _ in range(count)) for data in (with_one, (X, y))), count,
                  delta=delta)
        for one in (right, twin)
    ]  # fmt: skip
    # Half of the budget buys the count and one event is not the worst: far below the claim.
    assert 0 < found[0] < epsilon < found[1]


# Sampling -------------------------------------------------------------------------------------


def law_of_a_sampled_count(rows, *, rate, epsilon, reach=80):
    """Probabilities of discrete Laplace noise on the count of a Poisson sample, exactly."""
    places = np.arange(-reach, reach + 1)
    noise = np.exp(-epsilon * np.abs(places)) * math.tanh(epsilon / 2)
    return np.convolve(noise, stats.binom.pmf(np.arange(rows + 1), rows, rate))


@given(rows=st.integers(0, 12), rate=st.floats(0.01, 1), epsilon=st.floats(0.05, 3))
@SLOW_IS_FINE
def test_the_count_of_a_sample_costs_what_the_theorem_says(rows, rate, epsilon):
    without = law_of_a_sampled_count(rows, rate=rate, epsilon=epsilon)
    with_one = law_of_a_sampled_count(rows + 1, rate=rate, epsilon=epsilon)
    # The same outputs, away from the ends, where the noise was cut off: 65 to either side.
    inner = slice(15, 146)
    ratio = np.log(with_one[inner] / without[inner])
    bound = amplify_by_sampling(PureDP(epsilon), rate=rate).epsilon
    assert np.abs(ratio).max() <= bound * (1 + 1e-9) + 1e-12
    # It is met, so a smaller bound, such as rate * epsilon, is wrong.
    assert ratio.max() == pytest.approx(bound, rel=1e-9)
    if rate < 0.9 and epsilon > 0.2:
        assert ratio.max() > rate * epsilon * 1.005


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.01, 0.1, 0.7])
def test_sampling_with_gaussian_noise_against_google_s_privacy_loss_distribution(rate):
    each = ApproximateDP(1.0, 1e-5)
    amplified = amplify_by_sampling(each, rate=rate)
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1.0, delta=1e-5)
    loss = privacy_loss_distribution.from_gaussian_mechanism(sigma, sampling_prob=rate)
    assert amplified.delta == pytest.approx(rate * 1e-5, rel=1e-12)
    # Theirs rounds upward on a grid of 1e-4, so it is larger, by less than one in a hundred.
    outside = loss.get_delta_for_epsilon(amplified.epsilon)
    assert amplified.delta * (1 - 1e-9) <= outside <= amplified.delta * 1.01
    # The twin rate * epsilon is wrong: its delta is larger than it says.
    if rate < 0.5:
        assert loss.get_delta_for_epsilon(rate * 1.0) > 1.5 * amplified.delta


def test_a_sample_of_everybody_costs_as_much_as_no_sample():
    for each in (PureDP(0.7), ApproximateDP(0.7, 1e-6)):
        whole = amplify_by_sampling(each, rate=1)
        assert type(whole) is type(each) and whole.epsilon == pytest.approx(0.7, rel=1e-12)
    # For a small rate and a small epsilon nearly rate * epsilon, without loss of digits.
    assert amplify_by_sampling(PureDP(1e-9), rate=1e-9).epsilon == pytest.approx(1e-18, rel=1e-8)


# Features -------------------------------------------------------------------------------------


def test_features_have_public_columns_only(features):
    X = np.vstack([features.X_train, features.X_test])
    assert X.shape == (32_563, 110) == (32_563, len(features.names)) and X.dtype == float
    assert len(set(features.names)) == 110 and X.min() == 0 and X.max() == 1
    assert features.names[0] == "Intercept" and (X[:, 0] == 1).all()
    assert not {"Name", "DOB", "SSN", "Zip"} & {name.split("=")[0] for name in features.names}
    for column, domain in DOMAINS.items():
        block = [i for i, name in enumerate(features.names) if name.startswith(f"{column}=")]
        if column != "Target" and "upper" not in dir(domain):
            assert [features.names[i] for i in block] == [f"{column}={c}" for c in domain]
            assert (X[:, block].sum(axis=1) == 1).all()
    missing = features.names.index("Occupation=Missing")
    assert X[:, missing].sum() == 1843


def test_a_row_of_features_depends_on_its_own_person_only(features):
    data = fill_missing(load_adult())
    everybody, _ = _encode(data)
    chosen = [49, 7, 32_562, 50]
    few, _ = _encode(data.iloc[chosen])
    assert (few == everybody[chosen]).all()
    row = dict(zip(features.names, everybody[50], strict=True))
    assert row["Age"] == 1 / 125 and row["Occupation=Baby"] == row["Education=Kinder"] == 1
    with pytest.raises(
        ValueError, match="Occupation must be in its public domain, got 'Astronaut'"
    ):
        _encode(data.head(3).assign(Occupation="Astronaut"))


def test_the_split_and_the_majority(features):
    assert (features.X_train.shape, features.X_test.shape) == ((26_096, 110), (6_467, 110))
    labels = np.concatenate([features.y_train, features.y_test])
    assert (labels == 1).sum() == 7841 and (labels == -1).sum() == 24_722
    # seeds, row 27: 77.9 % is little when always answering -1 has 75.9 %.
    assert round(majority_accuracy(labels), 4) == 0.7592
    assert round(majority_accuracy(features.y_test), 4) == 0.7523
    # A test row is one whose number ends in 00 to 19, whoever else is there.
    last = load_adult()["SSN"].str[-2:].astype(int)
    assert (last < 20).sum() == 6_467
    another = load_features()
    assert another.X_test is not features.X_test and (another.X_test == features.X_test).all()


# How good it is -------------------------------------------------------------------------------


def optimum(X, y):
    """Weights of the logistic regression without privacy, by Newton's method; apart from dplib."""
    rows, theta = sparse.csr_array(X), np.zeros(X.shape[1])
    for _ in range(12):
        positive = special.expit(rows @ theta)
        gradient = rows.T @ (positive - (y > 0))
        curvature = (rows.T @ (rows * (positive * (1 - positive))[:, None])).toarray()
        # The categories of a column add up to the intercept: without a little more on the diagonal
        # there is no inverse.
        theta -= np.linalg.solve(curvature + 3e-3 * np.eye(len(theta)), gradient)
    return theta


@pytest.mark.long
@pytest.mark.slow
def test_the_best_model_is_near_the_one_without_privacy(features):
    """With fixed seeds. Over seeds the gap has standard deviation 0.0012, and its mean is 0.002."""
    weights = optimum(features.X_train, features.y_train)
    assert np.abs(logistic_gradient(weights, features.X_train, features.y_train)).max() < 1e-6
    exact = accuracy(weights, features.X_test, features.y_test)
    assert exact == pytest.approx(0.8406, abs=5e-4)
    # seeds, row 31: 1e-5 is 6,810 times the 1 / n^2 that they ask for; 1e-10 keeps that rule.
    rows = len(features.y_train)
    assert round(1e-5 * rows**2) == 6810
    assert 1e-10 * rows**2 < 1
    for delta, gap in ((1e-5, 0.01), (1e-10, 0.013)):
        data = features.X_train, features.y_train
        theta = best_model(*data, epsilon=1, delta=delta, rng=np.random.default_rng(0))
        assert exact - accuracy(theta, features.X_test, features.y_test) < gap
    assert exact > majority_accuracy(features.y_test) + 0.08


@pytest.mark.slow
def test_ten_rounds_of_small_steps_answer_with_the_majority(features):
    """A training that runs is no training yet (seeds, row 27). Fifty larger steps cost the same."""
    few, many = (
        noisy_gradient_descent(
            features.X_train,
            features.y_train,
            iterations=iterations,
            clipping_bound=1,
            learning_rate=learning_rate,
            epsilon=1,
            delta=1e-5,
            rng=np.random.default_rng(0),
        )
        for iterations, learning_rate in ((10, 1), (50, 4))
    )
    test, base = (features.X_test, features.y_test), majority_accuracy(features.y_test)
    assert abs(accuracy(few, *test) - base) < 0.01
    assert accuracy(many, *test) > base + 0.05
