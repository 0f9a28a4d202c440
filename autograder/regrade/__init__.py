"""Grading again: shows the changes first, and writes them on a yes."""
