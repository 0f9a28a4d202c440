"""Imports class lists into the gradebook, and exports grades from it."""
