"""The second opinion: the answers run in one process, the tests in another. `judge.py` says how."""

from autograder.classroom.opinion.judge import ENTRIES, Opinion, doubtful, second_opinion

__all__ = ["ENTRIES", "Opinion", "doubtful", "second_opinion"]
