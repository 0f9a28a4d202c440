"""The laws and values of chapter 12's claims against independent computations.

Every test fails on a right law with probability below 1e-9.
"""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import dplib
from autograder.check.answers import BadAnswer
from autograder.check.claims import CLAIMS
from autograder.check.claims.approximate._gaussian_noise import exact_sigma
from autograder.check.claims.learning import _descent_noise as noise
from autograder.check.claims.learning import _descent_people as few
from autograder.check.claims.learning import _training as training
from autograder.check.claims.learning._metered import Meter
from autograder.check.claims.learning.best_private_model import budget

PATH, NOISE, PEOPLE = CLAIMS["noisy_gradient_descent"].parts


@pytest.mark.long
def test_the_law_of_a_direction_is_that_of_a_quadrature_over_the_count():
    # Given the count, theta is Gaussian: integrated over the count, this is the law itself.
    for p in NOISE.parameters(np.random.default_rng()):
        people, middle = len(p["labels"]), noise.exact_of(p)
        sigma = noise.deviation_of(p)
        law = noise.right_law(p)

        def given_count(z, place, p=p, people=people, middle=middle, sigma=sigma):
            count = people + sigma * z
            deviation = p["clipping_bound"] * sigma * people / count
            center = middle * people / count
            return stats.norm.pdf(z) * stats.norm.cdf((middle + place - center) / deviation)

        for place in np.array([-3.0, -1.0, 0.0, 0.5, 2.5]) * noise.scale_of(p):
            wanted, _ = integrate.quad(given_count, -11, 11, args=(place,), epsabs=1e-13, limit=400)
            assert float(law(np.array([place]))[0]) == pytest.approx(wanted, abs=1e-10)


def test_the_count_is_positive_for_certain():
    # The closed form needs a positive count, and the library's count is at least 1.
    for _ in range(50):
        for p in NOISE.parameters(np.random.default_rng()):
            assert (len(p["labels"]) - 1) / noise.deviation_of(p) > 12


def divisors(p, count, runs=40):
    """Return what is read of theta after one round whose noisy sum was divided by `count`."""
    sigma = noise.deviation_of({**p, "iterations": 1})
    sums = np.random.default_rng().normal(size=(runs, few._COLUMNS)) * sigma * p["clipping_bound"]
    return np.array([PEOPLE.read(p["learning_rate"] * each / count, p) for each in sums])


def test_the_number_of_people_is_read_off_the_length_of_theta():
    for run in list(PEOPLE.runs(np.random.default_rng()))[:5]:
        p = run.parameters
        # The length of a Gaussian vector is off by 1 / sqrt(2 columns): 0.12 is seven times that.
        for count in (p["people"], 1, -700.3):
            assert divisors(p, count) == pytest.approx(abs(count), rel=0.12)


def test_a_noisy_number_of_people_is_seldom_near_the_true_one():
    broken, share = PEOPLE.requirements["private"].broken, PEOPLE.requirements["private"].share
    for run in PEOPLE.runs(np.random.default_rng()):
        p = run.parameters
        law = stats.norm(p["people"], noise.deviation_of({**p, "iterations": 1}))
        # However the length of theta falls: not more than 0.4 wide where the noisy one is whole.
        room = few._NEAR * p["people"]
        whole = [each for each in range(1, 20) if abs(each - p["people"]) <= 1.1 * room]
        assert whole == [p["people"]]
        for sign in (1, -1):
            near = np.diff(law.cdf(sign * (p["people"] + np.array([-1, 1]) * (0.5 + room))))
            assert 2 * abs(near.item()) < share
        assert broken(p, p["people"] * 1.01)
        assert not broken(p, 1.0)


def test_gradients_are_all_clipped_in_the_settings_of_several_rounds():
    for p in list(NOISE.parameters(np.random.default_rng()))[-2:]:
        rows, labels = np.array(p["rows"]), np.array(p["labels"], dtype=float)
        # Far beyond where the noise can carry theta in these rounds.
        for theta in (np.zeros(3), np.full(3, 1e-3), np.full(3, -1e-3)):
            lengths = np.linalg.norm(training.gradients(theta, rows, labels), axis=1)
            assert lengths.min() > 1.01 * p["clipping_bound"]


def test_gradients_are_differences_of_the_loss():
    generator = np.random.default_rng(12)
    rows, labels = training.labelled_rows(generator, people=6, columns=3, size=1.0)
    rows, labels, theta = np.array(rows), np.array(labels, dtype=float), np.array([0.3, -0.2, 0.8])
    found, step = training.gradients(theta, rows, labels).mean(axis=0), 1e-6
    for column in range(3):
        ahead, behind = theta.copy(), theta.copy()
        ahead[column] += step
        behind[column] -= step
        losses = [np.mean(np.log1p(np.exp(-labels * (rows @ each)))) for each in (ahead, behind)]
        assert found[column] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=1e-8)


def test_the_path_is_that_of_the_library_without_noise():
    for p in PATH.cases(np.random.default_rng()):
        positional, keywords = PATH.arguments(p)
        keywords["epsilon"] = 1e15
        theta = dplib.noisy_gradient_descent(*positional, **keywords)
        assert PATH.value(PATH.reference, p) == pytest.approx(theta, abs=1e-5)


def test_rho_solves_its_equation():
    for epsilon, delta in ((0.5, 1e-5), (6.0, 0.04), (1e11, 1e-3)):
        rho = noise.rho_of(epsilon, delta)
        assert rho + 2 * math.sqrt(rho * math.log(1 / delta)) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.05, 1e-8), (0.3, 1e-6), (0.9, 1e-5)])
def test_sigma_has_the_delta_of_an_integral(epsilon, delta):
    # delta is the integral of (density at 1 - exp(epsilon) * density at 0) where it is positive.
    sigma = exact_sigma(epsilon, delta)
    start = epsilon * sigma**2 + 0.5

    def excess(x):
        near, far = stats.norm.pdf(x, 1, sigma), stats.norm.pdf(x, 0, sigma)
        return near - math.exp(epsilon) * far

    found, _ = integrate.quad(excess, start, start + 12 * sigma, epsabs=1e-16, limit=400)
    assert found == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "exact"),
    [("sampled_gaussian_epsilon", 1e-9), ("clipped_gradients", 1e-12)],
)
def test_the_value_is_the_library_s(name, exact):
    claim = CLAIMS[name]
    for given in claim.cases(np.random.default_rng()):
        wanted = getattr(dplib, name)(**given)
        assert claim.value(claim.reference, given) == pytest.approx(wanted, rel=exact, abs=1e-12)


@pytest.mark.long
def test_the_meter_adds_the_noise_that_it_bills():
    """Fails on right code with probability 1e-9: Massart (1990)."""
    X, y = np.array([[3.0, 4.0], *[[0.0, 0.1]] * 12]), np.ones(13)
    draws = [Meter(X, y, 2.0)(lambda X, y: X, l2_sensitivity=1, rho=2.0)[1] for _ in range(8000)]
    steps = np.arange(1, 8001) / 8000
    assert np.abs(stats.norm.cdf(np.sort(draws), 2.0, 0.5) - steps).max() < 0.037
    assert np.abs(stats.norm.cdf(np.sort(draws), 2.0, 0.6) - steps).max() > 0.037


def test_the_budget_is_what_one_release_is_worth():
    sigma = dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5)
    assert budget() == pytest.approx(1 / (2 * sigma**2), rel=1e-9)


def test_a_played_tape_gives_the_same_releases_over_other_rows():
    rng = np.random.default_rng()
    X, y = rng.normal(size=(40, 2)), np.ones(40)
    first = Meter(X, y, 1.0)
    value = first(lambda X, y: X, l2_sensitivity=1, rho=0.5)
    again = Meter(X[:30] + 1, y[:30], 1.0, first.tape)
    assert (again(lambda X, y: X, l2_sensitivity=1, rho=0.5) == value).all()
    with pytest.raises(BadAnswer, match="past the meter"):
        again(lambda X, y: X, l2_sensitivity=2, rho=0.5)
