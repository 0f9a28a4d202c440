"""Grade a class with nbgrader's own steps. Knows nbgrader and its folders; knows no chapter."""

from autograder.classroom.course import GradingError
from autograder.classroom.grade import grade
from autograder.classroom.outcome import Outcome

__all__ = ["GradingError", "Outcome", "grade"]
