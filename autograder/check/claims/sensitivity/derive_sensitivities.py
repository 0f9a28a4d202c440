"""Derive: how far one row can move a query that nobody has seen before."""

from autograder.check.derived.kinds_of_queries import QUERIES
from autograder.check.derived.questions_claim import QuestionsClaim

CLAIM = QuestionsClaim(
    "derive_sensitivities", QUERIES, "a number with two neighbors that move the query so far"
)
