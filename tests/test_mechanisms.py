"""The mechanisms: their edges, what they keep, their exact laws, an audit of their guarantee."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import certified_epsilon, follows
from scipy import stats

from dplib import discrete_laplace, laplace_density, laplace_mechanism

DRAWS = 200_000
MECHANISMS = [laplace_mechanism, discrete_laplace]


def many(mechanism, value=0, *, sensitivity, epsilon, rng=None):
    return mechanism(np.full(DRAWS, value), sensitivity=sensitivity, epsilon=epsilon, rng=rng)


def discrete_laplace_cdf(rate):
    return lambda place: stats.dlaplace.cdf(np.floor(place), rate)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("name", ["sensitivity", "epsilon"])
@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True, [1.0, 2.0]])
def test_a_parameter_out_of_range_is_named_with_its_value(mechanism, name, wrong):
    parameters = {"sensitivity": 1.0, "epsilon": 1.0, name: wrong}
    with pytest.raises(ValueError, match=name) as caught:
        mechanism(3, **parameters)
    assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, [], "three", [1.0, np.nan], None])
def test_a_value_that_is_no_finite_number_is_refused(mechanism, wrong):
    with pytest.raises(ValueError, match="value"):
        mechanism(wrong, sensitivity=1, epsilon=1)


@pytest.mark.parametrize(("sensitivity", "epsilon"), [(1e-300, 1e300), (1e300, 1e-300)])
def test_noise_that_a_float_holds_as_none_or_as_infinite_is_refused(sensitivity, epsilon):
    with pytest.raises(ValueError, match="sensitivity / epsilon"):
        laplace_mechanism(3, sensitivity=sensitivity, epsilon=epsilon)


def test_discrete_laplace_refuses_what_is_not_whole_or_does_not_fit():
    with pytest.raises(ValueError, match="whole"):
        discrete_laplace(2.5, sensitivity=1, epsilon=1)
    with pytest.raises(ValueError, match="whole"):
        discrete_laplace(2.0**60, sensitivity=1, epsilon=1)
    with pytest.raises(ValueError, match="epsilon / sensitivity"):
        discrete_laplace(2, sensitivity=1e9, epsilon=1e-9)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_wrong_rng_is_refused(mechanism):
    with pytest.raises(ValueError, match="rng"):
        mechanism(2, sensitivity=1, epsilon=1, rng=np.random)


@given(
    shape=st.lists(st.integers(1, 4), max_size=3),
    sensitivity=st.floats(0.01, 100),
    epsilon=st.floats(0.01, 100),
    seed=st.integers(0, 2**32),
)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_shape_is_kept_the_input_untouched_and_rng_repeats(
    mechanism, shape, sensitivity, epsilon, seed
):
    value = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    before = value.copy()
    parameters = {"sensitivity": sensitivity, "epsilon": epsilon}
    first, second = (
        mechanism(value, **parameters, rng=np.random.default_rng(seed)) for _ in range(2)
    )
    assert np.shape(first) == value.shape
    assert np.array_equal(first, second)
    assert np.array_equal(value, before)


def test_a_number_gives_a_number():
    assert type(laplace_mechanism(3, sensitivity=1, epsilon=1)) is float
    assert type(discrete_laplace(3, sensitivity=1, epsilon=1)) is int


@pytest.mark.parametrize(("sensitivity", "epsilon"), [(1, 0.1), (3, 2.0), (0.2, 0.7)])
def test_laplace_noise_has_its_exact_law(sensitivity, epsilon):
    draws = many(laplace_mechanism, 5, sensitivity=sensitivity, epsilon=epsilon)
    assert follows(draws, stats.laplace(loc=5, scale=sensitivity / epsilon).cdf)


@pytest.mark.parametrize(("sensitivity", "epsilon"), [(1, 0.1), (1, 1.0), (3, 2.0)])
def test_discrete_laplace_noise_has_its_exact_law(sensitivity, epsilon):
    draws = many(discrete_laplace, sensitivity=sensitivity, epsilon=epsilon)
    assert follows(draws, discrete_laplace_cdf(epsilon / sensitivity))


def test_the_test_of_a_law_rejects_known_wrong_noise():
    rng = np.random.default_rng()
    law = stats.laplace(scale=10).cdf
    assert not follows(rng.laplace(scale=0.1, size=DRAWS), law)
    assert not follows(rng.laplace(scale=10.7, size=DRAWS), law)
    assert not follows(rng.normal(scale=10, size=DRAWS), law)
    assert not follows(rng.laplace(loc=0.3, scale=10, size=DRAWS), law)
    discrete = discrete_laplace_cdf(1.0)
    assert not follows(np.round(rng.laplace(size=DRAWS)), discrete)
    assert not follows(rng.geometric(1 - np.exp(-1), size=DRAWS), discrete)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_an_audit_finds_the_claimed_epsilon_and_no_more(mechanism, epsilon):
    certified = audit(lambda value: many(mechanism, value, sensitivity=1, epsilon=epsilon))
    # Above: at most FALSE_ALARM. Below: the bound loses about six standard deviations of the
    # log ratio (0.08 at most here); to lose 0.2 * epsilon it would take twelve, below 1e-30.
    assert 0.8 * epsilon <= certified <= epsilon


def test_the_audit_catches_halved_noise():
    rng = np.random.default_rng()
    assert audit(lambda value: value + rng.laplace(scale=0.5, size=DRAWS)) > 1


def audit(release) -> float:
    """The event "at most 0" on neighbors 0 and 1: the one on which Laplace noise spends all."""
    return certified_epsilon((release(0) <= 0).sum(), (release(1) <= 0).sum(), DRAWS)


def test_the_density_is_scipys():
    places = np.linspace(-30, 40, 57)
    ours = laplace_density(places, value=5, sensitivity=3, epsilon=0.5)
    assert ours == pytest.approx(stats.laplace(loc=5, scale=6).pdf(places), rel=1e-12)
    assert type(laplace_density(1, value=5, sensitivity=3, epsilon=0.5)) is float
    with pytest.raises(ValueError, match="output"):
        laplace_density(np.nan, value=5, sensitivity=3, epsilon=0.5)
