"""Derive: what several noisy counts cost together."""

from autograder.check.derived.kinds_of_prices import PRICES
from autograder.check.derived.questions_claim import QuestionsClaim

CLAIM = QuestionsClaim("derive_prices", PRICES)
