"""What every mechanism refuses, names and keeps, whatever its law."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mechanisms import MECHANISMS, VECTORS, WHOLE

pytestmark = pytest.mark.quick

ARGUMENTS = [(mechanism, name) for mechanism, given in MECHANISMS.items() for name in given]
each_mechanism = pytest.mark.parametrize("mechanism", MECHANISMS)


@pytest.mark.parametrize(("mechanism", "name"), ARGUMENTS)
def test_a_parameter_out_of_range_is_named_with_its_value(mechanism, name):
    for wrong in (0, -1.0, np.nan, np.inf, "1", None, True, [1.0, 2.0]):
        with pytest.raises(ValueError, match=name) as caught:
            mechanism([3], **{**MECHANISMS[mechanism], name: wrong})
        assert repr(wrong) in str(caught.value)


@each_mechanism
def test_a_value_that_is_no_finite_number_is_refused(mechanism):
    for wrong in (np.nan, np.inf, [], "three", [1.0, np.nan], None):
        with pytest.raises(ValueError, match="value"):
            mechanism(wrong, **MECHANISMS[mechanism])


@pytest.mark.parametrize("mechanism", WHOLE)
def test_whole_noise_is_for_whole_numbers_of_64_bits(mechanism):
    for wrong in (2.5, 2.0**60, [1, 2.5]):
        with pytest.raises(ValueError, match=r"value.* whole"):
            mechanism(wrong, **MECHANISMS[mechanism])


@pytest.mark.parametrize("mechanism", VECTORS)
def test_a_number_is_no_vector(mechanism):
    with pytest.raises(ValueError, match="shape"):
        mechanism(3.0, **MECHANISMS[mechanism])


@each_mechanism
def test_a_wrong_rng_is_refused(mechanism):
    with pytest.raises(ValueError, match="rng"):
        mechanism([2], **MECHANISMS[mechanism], rng=np.random)


@given(shape=st.lists(st.integers(1, 4), max_size=3), seed=st.integers(0, 2**32))
@each_mechanism
def test_shape_is_kept_the_input_untouched_and_rng_repeats(mechanism, shape, seed):
    if mechanism in VECTORS and not shape:
        shape = [1]
    value = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    before = value.copy()
    first, second = (
        mechanism(value, **MECHANISMS[mechanism], rng=np.random.default_rng(seed)) for _ in range(2)
    )
    assert np.shape(first) == value.shape
    assert np.array_equal(first, second)
    assert np.array_equal(value, before)
    assert value.ndim == 0 or first.dtype == (np.int64 if mechanism in WHOLE else np.float64)


@pytest.mark.parametrize("mechanism", [each for each in MECHANISMS if each not in VECTORS])
def test_a_number_gives_a_number(mechanism):
    assert type(mechanism(3, **MECHANISMS[mechanism])) is (int if mechanism in WHOLE else float)
