"""diffprivlib: its mechanisms, each at a value of 0 or, for a neighbor, 1."""

from diffprivlib import mechanisms

SCORES = ([0.0, 1.0, 2.0, 4.0], [1.0, 0.0, 3.0, 3.0])


def _drawn(mechanism, value, number):
    return [mechanism.randomise(value) for _ in range(number)]


def laplace(number, side):
    return _drawn(mechanisms.Laplace(epsilon=0.5, sensitivity=1), side, number)


def laplace_truncated(number, side):
    mechanism = mechanisms.LaplaceTruncated(epsilon=0.5, sensitivity=1, lower=-1, upper=3)
    return _drawn(mechanism, side, number)


def geometric(number, side):
    return _drawn(mechanisms.Geometric(epsilon=0.5, sensitivity=1), side, number)


def geometric_truncated(number, side):
    mechanism = mechanisms.GeometricTruncated(epsilon=0.5, sensitivity=1, lower=-2, upper=3)
    return _drawn(mechanism, side, number)


def gaussian(number, side):
    return _drawn(mechanisms.Gaussian(epsilon=0.5, delta=1e-3, sensitivity=1), side, number)


def gaussian_analytic(number, side):
    return _drawn(mechanisms.GaussianAnalytic(epsilon=0.5, delta=1e-3, sensitivity=1), side, number)


def staircase(number, side):
    return _drawn(mechanisms.Staircase(epsilon=0.5, sensitivity=1), side, number)


def uniform(number, side):
    return _drawn(mechanisms.Uniform(delta=0.25, sensitivity=1), side, number)


def binary(number, side):
    mechanism = mechanisms.Binary(epsilon=1.0, value0="no", value1="yes")
    truth = "no" if side else "yes"
    return [each == "yes" for each in _drawn(mechanism, truth, number)]


def exponential(number, side):
    mechanism = mechanisms.Exponential(epsilon=1.0, sensitivity=1, utility=SCORES[side])
    return [mechanism.randomise() for _ in range(number)]


def permute_and_flip(number, side):
    mechanism = mechanisms.PermuteAndFlip(epsilon=1.0, sensitivity=1, utility=SCORES[side])
    return [mechanism.randomise() for _ in range(number)]
