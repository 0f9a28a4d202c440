"""Figures of range queries and of running sums."""
