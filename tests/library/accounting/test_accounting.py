"""The exact accountant against closed forms, a contour integral, and dp_accounting's."""

import math

import numpy as np
import pytest
from dp_accounting import get_epsilon_gaussian
from dp_accounting.pld import privacy_loss_distribution
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from dplib.accounting import (
    GaussianRelease,
    LaplaceRelease,
    RandomizedResponseRelease,
    exact_delta,
    exact_epsilon,
)
from dplib.accounting import exact as accountant
from dplib.gaussian import analytic_gaussian_sigma, gaussian_delta

pytestmark = pytest.mark.quick

KINDS = {LaplaceRelease: "scale", GaussianRelease: "sigma", RandomizedResponseRelease: "epsilon"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True])
def test_a_release_out_of_range_is_refused(kind, wrong):
    with pytest.raises(ValueError, match=KINDS[kind]):
        kind(wrong)
    with pytest.raises(ValueError, match="count"):
        kind(1.0, wrong)


def test_a_count_is_whole_and_a_release_is_frozen():
    with pytest.raises(ValueError, match="count"):
        LaplaceRelease(1.0, 2.5)
    with pytest.raises(AttributeError):
        LaplaceRelease(1.0).scale = 2.0


@pytest.mark.parametrize(
    "wrong", [[], (), None, 3, LaplaceRelease(1.0), [LaplaceRelease(1.0), 1.0]]
)
def test_what_is_no_list_of_releases_is_refused(wrong):
    with pytest.raises(ValueError, match="releases"):
        exact_delta(wrong, epsilon=1)
    with pytest.raises(ValueError, match="releases"):
        exact_epsilon(wrong, delta=1e-5)


def test_more_releases_than_the_grid_holds_are_refused():
    with pytest.raises(ValueError, match="releases"):
        exact_delta([LaplaceRelease(1e6, 10**10)], epsilon=1)
    # Gaussian ones add up to one, however many they are.
    assert exact_delta([GaussianRelease(1e6, 10**12)], epsilon=1) == pytest.approx(
        gaussian_delta(sigma=1, l2_sensitivity=1, epsilon=1), rel=1e-12
    )


@pytest.mark.parametrize("kind", KINDS)
def test_losses_that_floats_cannot_add_up_are_refused(kind):
    for far in (1e-300, 1e300):
        with pytest.raises(ValueError, match="releases"):
            exact_epsilon([kind(far)], delta=1e-5)
    # A release that is next to nothing costs nothing, and harms nothing.
    nothing = kind(1e-300 if kind is RandomizedResponseRelease else 1e300)
    alone = exact_epsilon([LaplaceRelease(1.0)], delta=1e-3)
    assert exact_epsilon([nothing, LaplaceRelease(1.0)], delta=1e-3) == pytest.approx(alone)


@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True])
def test_a_wrong_epsilon_or_delta_is_refused(wrong):
    for release in (LaplaceRelease(1.0), GaussianRelease(1.0)):
        with pytest.raises(ValueError, match="epsilon"):
            exact_delta([release], epsilon=wrong)
        with pytest.raises(ValueError, match="delta"):
            exact_epsilon([release], delta=wrong)


@pytest.mark.parametrize("sigma", [0.1, 0.7, 3, 50])
@pytest.mark.parametrize("delta", [1e-15, 1e-9, 1e-5, 1e-2, 0.3])
def test_gaussian_releases_have_the_closed_form(sigma, delta):
    releases = [GaussianRelease(sigma, 7), GaussianRelease(2 * sigma, 20)]
    # 7 + 20 / 4 = 12 releases of one sigma.
    alone = sigma / math.sqrt(12)
    epsilon = exact_epsilon(releases, delta=delta)
    assert epsilon == pytest.approx(get_epsilon_gaussian(alone, delta), rel=1e-9, abs=1e-9)
    if epsilon > 0:
        assert exact_delta(releases, epsilon=epsilon) == pytest.approx(delta, rel=1e-9)
        least = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
        assert least == pytest.approx(alone, rel=1e-9)


def answers_delta(each, count, epsilon):
    """Randomized response, `count` times: the losses (2 k - count) * each, k binomial."""
    lies = np.arange(count + 1)
    losses = (count - 2 * lies) * each
    masses = stats.binom(count, 1 / (1 + math.exp(each))).pmf(lies)
    return float((masses * -np.expm1(np.minimum(epsilon - losses, 0))).sum())


@pytest.mark.parametrize(
    ("each", "count", "epsilon"),
    [(1, 500, 311.8), (1, 500, 400), (0.1, 100, 3), (0.01, 1000, 0.5), (1, 1, 0.5), (3, 2, 0.1)],
)
def test_randomized_response_has_its_binomial_form(each, count, epsilon):
    releases = [RandomizedResponseRelease(each, count)]
    delta = exact_delta(releases, epsilon=epsilon)
    assert delta == pytest.approx(answers_delta(each, count, epsilon), rel=1e-9)
    assert exact_epsilon(releases, delta=delta) == pytest.approx(epsilon, rel=1e-9)


def test_the_exact_cost_of_500_answers_is_that_of_the_text():
    exact = exact_epsilon([RandomizedResponseRelease(1, 500)], delta=1e-5)
    assert exact == pytest.approx(311.8, abs=0.05)
    # At 214.6, which the theorem without its second term would give.
    assert answers_delta(1, 500, 214.6) == pytest.approx(0.78, abs=0.01)


@pytest.mark.parametrize("scale", [0.1, 1, 10, 1000])
@pytest.mark.parametrize("share", [1e-3, 0.1, 0.5, 0.99, 0.999999])
def test_one_laplace_release_has_its_closed_form(scale, share):
    epsilon = share / scale
    # Outputs below the answer have probability 1/2, and so on: 1 - exp((epsilon - 1 / scale) / 2).
    exact = -math.expm1((epsilon - 1 / scale) / 2)
    ours = exact_delta([LaplaceRelease(scale)], epsilon=epsilon)
    assert exact * (1 - 1e-9) <= ours <= exact * (1 + 2e-4)
    assert exact_epsilon([LaplaceRelease(scale)], delta=exact) == pytest.approx(epsilon, rel=1e-3)


def test_nothing_is_left_above_the_largest_loss():
    releases = [LaplaceRelease(2.0, 3), RandomizedResponseRelease(0.5)]
    assert exact_delta(releases, epsilon=2.0) == 0
    assert 0 < exact_delta(releases, epsilon=1.99) < 0.05
    assert 1.9 < exact_epsilon(releases, delta=1e-9) <= 2.0


def test_where_delta_is_large_epsilon_is_zero():
    assert exact_epsilon([LaplaceRelease(10.0)], delta=0.06) == 0.0
    assert exact_epsilon([GaussianRelease(10.0)], delta=0.06) == 0.0


def contour_delta(releases, epsilon):
    """delta by another way: the inverse Laplace transform of the moments, on a vertical line."""

    def moment(release, place):
        if isinstance(release, GaussianRelease):
            return np.exp(place * (place + 1) / (2 * release.sigma**2) * release.count)
        if isinstance(release, RandomizedResponseRelease):
            truth = 1 / (1 + math.exp(-release.epsilon))
            each = truth * np.exp(place * release.epsilon)
            return (each + (1 - truth) * np.exp(-place * release.epsilon)) ** release.count
        largest, middle = 1 / release.scale, place + 0.5
        wave = 2 * np.cosh(middle * largest) + np.sinh(middle * largest) / middle
        return (np.exp(-largest / 2) / 2 * wave) ** release.count

    def transform(place):
        return np.prod([moment(each, place) for each in releases]) * np.exp(-place * epsilon)

    saddle = optimize.minimize_scalar(
        lambda log: math.log(transform(math.exp(log)) / math.exp(log)),
        bounds=(-4, 4),
        method="bounded",
    )
    real = math.exp(saddle.x)
    size = transform(real)

    def height(imaginary):
        place = complex(real, imaginary)
        return (transform(place) / size / (place * (place + 1))).real

    # The Gaussian release makes the transform fall as exp(-imaginary^2 / (2 sigma^2)).
    value, _ = integrate.quad(height, 0, np.inf, limit=1000, epsabs=1e-14, epsrel=1e-12)
    return value * size / math.pi


MIXED = [
    ([LaplaceRelease(10, 50), GaussianRelease(5, 3)], 3.0),
    ([LaplaceRelease(10, 50), GaussianRelease(5, 3)], 0.3),
    ([LaplaceRelease(10, 50), GaussianRelease(5, 3)], 6.0),
    ([LaplaceRelease(1, 5), GaussianRelease(0.5)], 9.0),
    ([GaussianRelease(2.0), RandomizedResponseRelease(0.3, 40)], 5.0),
    ([LaplaceRelease(5, 20), RandomizedResponseRelease(0.1, 30), GaussianRelease(1)], 6.0),
    ([LaplaceRelease(3), LaplaceRelease(7, 2), GaussianRelease(1.5)], 1.0),
]


@pytest.mark.parametrize(("releases", "epsilon"), MIXED)
def test_mixed_releases_cost_what_a_contour_integral_says(releases, epsilon):
    exact = contour_delta(releases, epsilon)
    ours = exact_delta(releases, epsilon=epsilon)
    # Never below; and at most the delta of an epsilon that is lower by a millionth.
    spread = math.sqrt(sum(variance(each) for each in releases))
    highest = contour_delta(releases, epsilon - 1e-6 * max(epsilon, spread))
    assert exact * (1 - 1e-9) <= ours <= highest * (1 + 1e-9)
    assert epsilon * (1 - 1e-9) <= exact_epsilon(releases, delta=exact) <= epsilon * (1 + 2e-6)


def variance(release):
    """Return the variance of the summed loss, or a little more."""
    if isinstance(release, GaussianRelease):
        return release.count / release.sigma**2
    return release.count * release.largest_loss**2


def test_the_contour_integral_knows_the_gaussian_form():
    release = GaussianRelease(1.3, 2)
    sigma = 1.3 / math.sqrt(2)
    exact = gaussian_delta(sigma=sigma, l2_sensitivity=1, epsilon=2)
    assert contour_delta([release], 2) == pytest.approx(exact, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "count", "epsilon"), [(1, 5, 3.0), (10, 100, 4.0), (2, 30, 10.0), (10, 1000, 15.0)]
)
def test_laplace_releases_agree_with_dp_accounting(scale, count, epsilon):
    step = 1e-4

    def theirs(connect):
        return privacy_loss_distribution.from_laplace_mechanism(
            scale, value_discretization_interval=step, use_connect_dots=connect
        ).self_compose(count)

    releases = [LaplaceRelease(scale, count)]
    ours = exact_delta(releases, epsilon=epsilon)
    # Both move each loss to the two points around it; the steps differ (theirs is 1e-4).
    assert ours == pytest.approx(theirs(True).get_delta_for_epsilon(epsilon), rel=1e-5)
    # Rounded up instead, each loss grows by at most one step, in the mean by half of it.
    rounded_up = theirs(False)
    assert ours < rounded_up.get_delta_for_epsilon(epsilon)
    assert ours > rounded_up.get_delta_for_epsilon(epsilon + count * step)


def test_losses_moved_the_wrong_way_are_found(monkeypatch):
    releases, epsilon = MIXED[0]
    exact = contour_delta(releases, epsilon)

    def rounded_down(losses, masses, tilt, step, points):
        lower = np.floor(losses / step)
        places = lower.astype(np.int64) % points
        return np.bincount(places, masses * np.exp(-tilt * (losses - lower * step)), points)

    monkeypatch.setattr(accountant, "_on_grid", rounded_down)
    assert exact_delta(releases, epsilon=epsilon) < exact * (1 - 1e-6)


RELEASES = st.lists(
    st.one_of(
        st.builds(
            kind,
            # 10 to the power of -1 … 2.5, and 1 … 300 of them.
            st.floats(-1, 2.5).map(lambda power: 10**power),
            st.floats(0, 2.5).map(lambda power: int(10**power)),
        )
        for kind in KINDS
    ),
    min_size=1,
    max_size=3,
)


@pytest.mark.long
@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(releases=RELEASES, log_delta=st.floats(-12, -0.5))
def test_epsilon_and_delta_undo_each_other(releases, log_delta):
    delta = 10**log_delta
    epsilon = exact_epsilon(releases, delta=delta)
    largest = sum(each.count * each.largest_loss for each in releases)
    assert 0 <= epsilon <= largest * (1 + 1e-12)
    # Next to the largest loss the digits of epsilon do not hold so small a delta.
    if 0 < epsilon < largest * (1 - 1e-3):
        assert exact_delta(releases, epsilon=epsilon) == pytest.approx(delta, rel=1e-2)
        again = exact_epsilon(list(reversed(releases)), delta=delta)
        assert again == pytest.approx(epsilon, rel=3e-6, abs=1e-6 * epsilon + 1e-9)


@pytest.mark.long
@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(releases=RELEASES, more=RELEASES, log_delta=st.floats(-12, -1))
def test_more_releases_cost_more_and_no_accountant_is_cheaper(releases, more, log_delta):
    delta = 10**log_delta
    epsilon = exact_epsilon(releases, delta=delta)
    assert exact_epsilon(releases + more, delta=delta) >= epsilon * (1 - 1e-5) - 1e-9
    # Mironov (2017), proposition 3, at its best order: an upper bound that any exact price meets.
    tilts = np.geomspace(1e-4, 1e4, 200)
    curve = sum(each.count * each.log_moment(tilts) for each in releases)
    assert epsilon <= ((curve - math.log(delta)) / tilts).min() * (1 + 1e-5)


def test_the_classes_say_what_they_are():
    assert repr(LaplaceRelease(2.0, 3)) == "LaplaceRelease(scale=2.0, count=3)"
    assert LaplaceRelease(2.0) == LaplaceRelease(2.0, 1)
