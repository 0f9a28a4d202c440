"""Questions with one right number, drawn from a student's name."""

from autograder.check.derived.question import questions

__all__ = ["questions"]
