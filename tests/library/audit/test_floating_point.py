"""What floating-point numbers give away, against the mechanism itself."""

import numpy as np
import pytest

from dplib import laplace_mechanism
from dplib.floating_point import identified_fraction, reachable_from

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1, 10])
@pytest.mark.parametrize("value", [0, 1, -3.7, 17450, 1e6])
def test_every_output_of_the_mechanism_can_come_from_its_own_input(value, epsilon):
    law = {"sensitivity": 3, "epsilon": epsilon}
    outputs = laplace_mechanism(np.full(3000, float(value)), **law, rng=np.random.default_rng(7))
    assert reachable_from(outputs, value=value, **law).all()


def test_most_numbers_next_to_an_output_cannot_come_from_its_input():
    # 2**53 uniform numbers cannot reach all doubles: a test that says yes to all would fail here.
    outputs = laplace_mechanism(np.zeros(3000), sensitivity=1, epsilon=1)
    beside = np.nextafter(outputs, np.inf)
    assert reachable_from(beside, value=0).mean() < 0.5


def test_shapes_follow_the_input():
    assert reachable_from(0.5, value=0) in (True, False)
    assert isinstance(reachable_from(0.5, value=0), bool)
    assert reachable_from(np.array([[0.1, 0.2, 0.3]]), value=0).shape == (1, 3)


@pytest.mark.slow
def test_four_of_five_outputs_identify_zero_or_one_at_epsilon_one():
    # Measured with 400,000 outputs: 0.810. Of 80,000 the standard error is below 0.0018, so the
    # chance to leave this range is below 1e-15.
    share = identified_fraction(size=40_000, rng=np.random.default_rng())
    assert 0.79 < share < 0.83


def test_outputs_of_both_inputs_count():
    rng = np.random.default_rng(11)
    from_0, from_1 = (
        laplace_mechanism(np.full(500, x), sensitivity=1, epsilon=1, rng=rng) for x in (0, 1)
    )
    unknown = [*reachable_from(from_0, value=1), *reachable_from(from_1, value=0)]
    share = identified_fraction(size=500, rng=np.random.default_rng(11))
    assert share == pytest.approx(1 - np.mean(unknown))


def test_a_large_count_swallows_the_telling_bits():
    # Doubles near 17,450 lie further apart than the outputs: almost each is shared. Measured: 7e-5,
    # so 0.01 of 4,000 outputs (40 where 0.3 are expected) has a chance below 1e-60.
    assert identified_fraction((17449, 17450), size=2000, rng=np.random.default_rng()) < 0.01


@pytest.mark.parametrize("name", ["value", "sensitivity", "epsilon"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, "1", None])
def test_a_bad_argument_of_reachable_from_is_named(name, wrong):
    with pytest.raises(ValueError, match=name):
        reachable_from(0.5, **{"value": 0, name: wrong})
    with pytest.raises(ValueError, match="output"):
        reachable_from([0.5, np.nan], value=0)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("values", (1, 1)),
        ("values", (0, 1, 2)),
        ("values", (0, np.nan)),
        ("size", 0),
        ("size", 2.5),
        ("epsilon", 0),
        ("sensitivity", -1),
        ("rng", 7),
    ],
)
def test_a_bad_argument_of_identified_fraction_is_named(name, wrong):
    with pytest.raises(ValueError, match=name):
        identified_fraction(**{name: wrong})
