"""What many releases cost exactly, beyond the theorems of the chapters.

`import dplib` does not load it.
"""

from dplib.accounting.exact import exact_delta, exact_epsilon
from dplib.accounting.losses import GaussianRelease, LaplaceRelease, RandomizedResponseRelease

__all__ = [
    "GaussianRelease",
    "LaplaceRelease",
    "RandomizedResponseRelease",
    "exact_delta",
    "exact_epsilon",
]
