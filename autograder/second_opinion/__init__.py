"""The second opinion: the answers run in one process, the tests in another. `opinion.py` says how.

Nothing is imported here: the two processes need little, and nbgrader alone takes a second.
"""
