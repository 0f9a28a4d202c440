"""Figures of range queries."""
