"""Short programs that claim an epsilon, of which some leak: drawn, shown, and judged exactly."""

from autograder.check.leaks.three_programs import programs

__all__ = ["programs"]
