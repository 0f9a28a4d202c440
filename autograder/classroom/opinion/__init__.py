"""The second opinion: the answers run in one process, the tests in another. `judge.py` says how.

Nothing is imported here: the two processes need little, and nbgrader alone takes a second.
"""
