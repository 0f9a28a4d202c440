"""PyDP (python-dp): the noise of Google's library, at a value of 0 or, for a neighbor, 1."""

from pydp.algorithms.numerical_mechanisms import LaplaceMechanism


def laplace(number, side):
    mechanism = LaplaceMechanism(epsilon=0.5, sensitivity=1.0)
    return [mechanism.add_noise(float(side)) for _ in range(number)]
