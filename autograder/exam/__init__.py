"""Exams in which each student has tasks of their own."""
