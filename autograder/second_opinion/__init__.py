"""The second opinion: answers run in one process, tests in another (see `opinion.py`).

This module imports nothing: the two processes need little, and nbgrader alone takes a second.
"""
