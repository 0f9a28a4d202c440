"""The results of a check: a `Result` when it passes, a `CheckFailure` when it does not."""

import html
import os
import re
import sys
import textwrap
from dataclasses import dataclass, field
from typing import Protocol

from autograder.check.shown.card import announced, card
from autograder.check.words import LOOKS, NOT_TO_THE_END
from autograder.progress import Chapter

_WIDTH = 100


# Read before any answer runs, because an answer could change it.
_VALIDATES = os.environ.get("NBGRADER_EXECUTION") == "validate"
_GRADER_RUNS = "NBGRADER_EXECUTION" in os.environ
# Jinja is for pages: a notebook in the browser need not load it for one line.
_PASSED = '<div role="status"><strong>✓</strong> <code>{exercise}</code>: {words}{progress}</div>'
_PROGRESS = ' <progress aria-label="progress: {0:.0%} of the points" value="{0:.3f}"></progress>'


class _Picture(Protocol):
    """A picture as SVG, and the situation in words (`autograder.check.shown.figure`)."""

    svg: str
    caption: str


@dataclass(frozen=True)
class Result:
    """A passed check: the exercise, the established property, and the number of answers.

    `worth` says in words which departures the answers would have shown.

    `share` is the part of the points that is earned, for exercises that are scored: a test cell
    then ends in `check.NAME(NAME).points(3)`.

    `unjudged` says what stays open of a pass that was not judged to the end: it earns no points
    until a person has looked.

    `picture` shows the answers beside their law, where there is one and somebody is there to see.
    `chapter` is the one beside the notebook, with what of it has passed.

    Its text never reads as a number: a grader must not take it for points.
    """

    exercise: str
    established: str
    draws: int = 0
    note: str = ""
    share: float = 1.0
    worth: str = ""
    picture: _Picture | None = field(default=None, repr=False, compare=False)
    chapter: Chapter | None = field(default=None, repr=False, compare=False)
    unjudged: str = ""

    @property
    def notes(self) -> str:
        """What stays open, and what else is to be said, in words."""
        open_ = f"{NOT_TO_THE_END}: {self.unjudged}" if self.unjudged else ""
        return "; ".join(each for each in (open_, self.note) if each)

    def points(self, most: float) -> float | None:
        """Return the points that are earned, as nbgrader reads them; None stands for all.

        Validate calls part of the points a failure. So there any share above 0 counts as a pass,
        and the words of the result give the share.
        """
        if _VALIDATES and self.share > 0:
            return None
        return float(most * self.share)

    def __repr__(self) -> str:
        note = f" ({self.notes})" if self.notes else ""
        return f"✓ {self.established}" + (f"; {self.worth}" if self.worth else "") + note

    def _repr_html_(self) -> str:
        """Return a card for a reader; one line for a grader, who keeps it a thousand times."""
        if somebody_reads():
            return card(self)
        words = html.escape(repr(self)[2:])
        progress = _PROGRESS.format(self.share) if self.share < 1 else ""
        return _PASSED.format(exercise=html.escape(self.exercise), words=words, progress=progress)

    def _ipython_display_(self) -> None:
        # Shown as a display, not as the cell's value: a grader may read a value as points.
        from IPython.display import display

        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)


class CheckFailure(AssertionError):
    """A failed check. Its text is what the student reads; a notebook shows nothing else."""

    def __init__(
        self,
        exercise: str,
        problem: str,
        *,
        seen: str = "",
        sure: str = "",
        ask: str,
        unanswered: bool = False,
        draws: int = 0,
    ):
        """Take what is wrong in a few words, what came, how sure that is, and a next question.

        An exercise that is unanswered fails too, but nothing is wrong with it. `draws` is the
        number of answers that the evidence needed, where there was evidence.
        """
        self.draws, self._words = draws, {"seen": seen, "sure": sure, "ask": ask, "draws": draws}
        self.exercise, self.problem, self._unanswered = exercise, problem, unanswered
        self._announced = False
        # A question may be put together of several; each is a sentence.
        ask = re.sub(r"(?<=[.?!] )[a-z]", lambda first: first.group().upper(), ask)
        body = [seen, sure, f"Try: {ask}" if ask else ""]
        lines = [f"{'○' if unanswered else '✗'} {exercise}: {problem}"]
        for text in body:
            if text:
                lines += textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="    ")
        super().__init__("\n".join(lines))

    def as_guess(self) -> "CheckFailure":
        """Return the same, with the problem told as what it looks like."""
        if self.problem.startswith(LOOKS):
            return self
        return CheckFailure(self.exercise, f"{LOOKS} {self.problem}", **self._words)

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback; tell a screen reader of it, too."""
        if somebody_reads() and not self._announced:
            from IPython.display import display

            told = announced(str(self), unanswered=self._unanswered)
            display({"text/html": told, "text/plain": ""}, raw=True)
            self._announced = True  # IPython asks more than once
        return str(self).splitlines()


def in_notebook() -> bool:
    """Say whether this runs inside IPython, without importing it."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


def somebody_reads() -> bool:
    """Say whether a person sees what is shown: in a notebook, and no grader runs it."""
    return in_notebook() and not _GRADER_RUNS
