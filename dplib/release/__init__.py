"""A release from start to end: a messy table, questions as text, and a meter that knows units."""

from dplib.release.expressions import RowExpression
from dplib.release.meter import MeteredVisits, RunEndedError
from dplib.release.visits import clean_visits, make_visits

__all__ = ["MeteredVisits", "RowExpression", "RunEndedError", "clean_visits", "make_visits"]
