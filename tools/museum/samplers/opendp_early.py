"""OpenDP 0.4."""

from opendp.meas import make_randomized_response_bool
from opendp.mod import enable_features

enable_features("contrib")


def randomized_response_bool(number, side):
    answer = make_randomized_response_bool(0.75)
    return [answer(side == 0) for _ in range(number)]
