"""dplib: the teaching library of the course, one name for each thing that a chapter builds."""

from dplib.mechanisms import discrete_laplace, laplace_density, laplace_mechanism
from dplib.queries import attacker_posterior, epsilon_for_error, private_count

__all__ = [
    "attacker_posterior",
    "discrete_laplace",
    "epsilon_for_error",
    "laplace_density",
    "laplace_mechanism",
    "private_count",
]
