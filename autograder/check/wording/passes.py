"""Writes the words of a pass, and of one that had to wait for the answer."""

from dataclasses import replace

from autograder.check.answers import BadAnswer
from autograder.check.effort import SLOW, Effort, Stopwatch
from autograder.check.judge import Verdict
from autograder.check.result import Result
from autograder.check.words import NOT_TO_THE_END, counted


def passed(claim, verdict: Verdict, *, worth: str, printed: bool, needed: int = 0) -> Result:
    """Return the words for a pass.

    `needed` is how many draws would have ruled out what is not ruled out; 0 if nobody knows.
    """
    left = verdict.unrefuted
    open_ = f"{NOT_TO_THE_END}: not ruled out: {'; '.join(left[:2])}" if left else ""
    open_ += f"; and {len(left) - 2} more" if left[2:] else ""
    notes = [
        open_,
        _looked(verdict, needed) if left else "",
        "your function prints, which is hidden here" if printed else "",
    ]
    finding = "no departure found" if left else "no catalogued mistake fits"
    return Result(
        claim.name,
        f"{claim.established}: {counted(verdict.draws, 'draw')}, {finding}",
        verdict.draws,
        "; ".join(note for note in notes if note),
        worth=_quick(worth),
    )


def _looked(verdict: Verdict, needed: int) -> str:
    """Return how many draws there were, where it is known how many would have been needed."""
    if needed <= verdict.draws:
        return ""
    few = f"{counted(verdict.draws, 'draw')} in {verdict.seconds:.0f} seconds of work"
    return f"{few}, and about {needed:,} would have been needed"


def _quick(worth: str) -> str:
    """Return the worth of a pass; where Python is slow, it says that the look was a quick one."""
    if not (worth and SLOW):
        return worth
    return f"a quick look, which {worth}" if worth.startswith("would") else f"a quick look: {worth}"


def waited(result: Result, length: Effort, watch: Stopwatch) -> Result:
    """Return a pass that says that the answer waited; where points are given, refuse it."""
    seen = f"your function waited for {watch.idle():.0f} of {watch.seconds():.0f} seconds"
    seen += f", and gave {counted(result.draws, 'answer')}"
    if length.graded:
        raise BadAnswer(NOT_TO_THE_END, seen=seen, ask="which line waits, and for what?")
    return replace(result, note=f"{NOT_TO_THE_END}: {seen}")
