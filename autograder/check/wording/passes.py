"""Writes the words of a pass, and of one whose answer was not judged to the end."""

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
    finding = "no departure found" if left else "no catalogued mistake fits"
    return Result(
        claim.name,
        f"{claim.established}: {counted(verdict.draws, 'draw')}, {finding}",
        verdict.draws,
        "your function prints, which is hidden here" if printed else "",
        worth=_quick(worth),
        unjudged=_left_open(verdict, needed) if left else "",
    )


def _left_open(verdict: Verdict, needed: int) -> str:
    """Return which mistakes are not ruled out, and how many draws would have been needed."""
    left = verdict.unrefuted
    words = f"not ruled out: {'; '.join(left[:2])}"
    words += f"; and {len(left) - 2} more" if left[2:] else ""
    if needed <= verdict.draws:
        return words
    few = f"{counted(verdict.draws, 'draw')} in {verdict.seconds:.0f} seconds of work"
    return f"{words}; {few}, and about {needed:,} would have been needed"


def _quick(worth: str) -> str:
    """Return the worth of a pass; where Python is slow, it says that the look was a quick one."""
    if not (worth and SLOW):
        return worth
    return f"a quick look, which {worth}" if worth.startswith("would") else f"a quick look: {worth}"


def to_the_end(result: Result, length: Effort, watch: Stopwatch) -> Result:
    """Return a pass that says whether it was judged to the end.

    Neither sleep nor work in vain may earn points: where points are given, a person decides.

    Raises:
      BadAnswer: points are given, and it was not.
    """
    waits = length.waited(watch)
    if waits:
        seen = f"your function waited for {watch.idle():.0f} of {watch.seconds():.0f} seconds"
        result = replace(result, unjudged=f"{seen}, and gave {counted(result.draws, 'answer')}")
    if result.unjudged and length.graded:
        ask = "which line waits, and for what?" if waits else "what takes so long in each call?"
        raise BadAnswer(NOT_TO_THE_END, seen=result.unjudged, ask=ask)
    return result
