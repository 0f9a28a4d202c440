"""Grading again: what would change is shown first, and written on a yes."""
