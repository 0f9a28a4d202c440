"""Guarantees as values."""

import dataclasses
import math

import pytest
from hypothesis import strategies as st

from dplib.guarantees import ApproximateDP, PureDP, RenyiDP, ZeroConcentratedDP

pytestmark = pytest.mark.quick

epsilons = st.floats(0.01, 8)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: PureDP(0), "epsilon"),
        (lambda: PureDP(math.inf), "epsilon"),
        (lambda: PureDP(1, "swap"), "neighbors"),
        (lambda: ApproximateDP(1, 0), "delta"),
        (lambda: ApproximateDP(1, 1), "delta"),
        (lambda: ZeroConcentratedDP(-1), "rho"),
        (lambda: RenyiDP((1, 2), (1, 1)), "orders"),
        (lambda: RenyiDP((3, 2), (1, 1)), "orders"),
        (lambda: RenyiDP((2, 3), (1,)), "epsilons"),
        (lambda: RenyiDP((2, 3), (1, -1)), "epsilons"),
        (lambda: ApproximateDP(1, 1e-3).to_approximate(delta=1e-4), "delta"),
    ],
)
def test_a_guarantee_out_of_range_is_refused_by_name(make, name):
    with pytest.raises(ValueError, match=name):
        make()


def test_guarantees_are_values():
    assert PureDP(1) == PureDP(1, "add_remove") != PureDP(1, "replace_one")
    with pytest.raises(dataclasses.FrozenInstanceError):
        PureDP(1).epsilon = 2
    assert RenyiDP([2, 3], [1, 2]) == RenyiDP((2.0, 3.0), (1.0, 2.0))
