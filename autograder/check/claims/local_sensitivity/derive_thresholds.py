"""Derive: thresholds, chances and bills of tests, and local sensitivities of small tables."""

from autograder.check.derived.kinds_of_tests import TESTS
from autograder.check.derived.questions_claim import QuestionsClaim

CLAIM = QuestionsClaim("derive_thresholds", TESTS)
