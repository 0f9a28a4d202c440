"""Tests whether randomized code follows a given law, with a bound on false alarms.

    import ville
    from ville import laws

    ville.assert_follows(draw_many, laws.laplace(scale=3), max_draws=200_000)

README.md has an example, the proof in short, and the limits.
"""

from ville import laws
from ville.certificate import Certificate, audit, certified_epsilon
from ville.result import Departure, Result
from ville.verdict import assert_follows, follows, one_by_one

__version__ = "0.3.0"

__all__ = [
    "Certificate",
    "Departure",
    "Result",
    "__version__",
    "assert_follows",
    "audit",
    "certified_epsilon",
    "follows",
    "laws",
    "one_by_one",
]
