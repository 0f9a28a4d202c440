"""Guesses: the reader commits to one before a cell runs, and sees it beside the truth after it.

`seen = guess.number("How many people …?", unit="people")` asks; `seen.reveal(18)`, the last line
of the cell that computes it, answers. A guess is kept in a file beside the notebook, or by the
browser on a page without a kernel. It is no part of a grade, and nothing waits for it.
"""

from dplib.guess.questions import Guess, choice, mark, number

__all__ = ["Guess", "choice", "mark", "number"]
