"""The functions of scipy.special that stand alone in one binary: all that most checks need.

Each is scipy's own; `polygamma` is put together of them as there. Any other name can be imported,
and says that it is not here when it is called.
"""

from ._special_ufuncs import *  # noqa: F403
from ._special_ufuncs import _zeta, gamma, psi

digamma = psi


def polygamma(n, x):
    """Return the derivative of digamma of order n at x."""
    import numpy as np

    n, x = np.asarray(n), np.asarray(x)
    return np.where(n == 0, psi(x), (-1.0) ** (n + 1) * gamma(n + 1.0) * _zeta(n + 1, x))


def __getattr__(name):
    from page_absent import Absent

    if name.startswith("__"):
        raise AttributeError(name)
    return Absent(f"scipy.special.{name}")
