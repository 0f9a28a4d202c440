"""What goes beyond the chapters: exact discrete samplers, exact accounting, better strategies.

`import dplib` does not load it.
"""

from dplib.advanced.accounting import (
    GaussianRelease,
    LaplaceRelease,
    RandomizedResponseRelease,
    exact_delta,
    exact_epsilon,
)
from dplib.advanced.samplers import (
    discrete_gaussian_variance,
    exact_discrete_gaussian,
    exact_discrete_laplace,
)

__all__ = [
    "GaussianRelease",
    "LaplaceRelease",
    "RandomizedResponseRelease",
    "discrete_gaussian_variance",
    "exact_delta",
    "exact_discrete_gaussian",
    "exact_discrete_laplace",
    "exact_epsilon",
]
