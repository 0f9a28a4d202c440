"""Words for draws of noise that come again, or depend on each other."""

import numpy as np

from autograder.check.judge import Verdict
from autograder.check.wording.reach import WITHOUT

APART = "does every call draw noise of its own?"
_ENTRIES = "does every entry get a draw of its own, of a scale that nothing random decides?"
AGAIN = (
    "how many different values can your noise have, and who could make a list of them? Does each "
    "draw move the generator on?"
)


def of_draws_together(claim, parameters: dict, verdict: Verdict) -> tuple[str, str, str] | None:
    """Return the words for draws of noise that come again, or depend on each other."""
    if verdict.kind == "repeats":
        return "values come again", f"{verdict.name}: continuous noise repeats none", AGAIN
    if verdict.kind == "whole repeats":
        return _of_whole_repeats(claim, parameters, verdict)
    if verdict.kind in ("entries", "dependence"):
        return _dependence(verdict, several=np.size(claim.exact(parameters)) > 1)
    return None


def _of_whole_repeats(claim, parameters: dict, verdict: Verdict) -> tuple[str, str, str]:
    """Return the words for answers of several entries that come again, or come without noise."""
    if verdict.name == "without noise":
        seen = "no entry of that answer has noise"
        return "now and then a whole answer is exact", seen, WITHOUT
    seen = f"all {np.size(claim.exact(parameters))} entries were those of an earlier answer"
    return "whole answers come again", seen, AGAIN


def _dependence(verdict: Verdict, *, several: bool) -> tuple[str, str, str]:
    """Return the words for draws that depend on each other; answers may have several entries."""
    if verdict.kind == "entries":
        return depending_entries(verdict.name)
    if several:
        return depending_entries("one entry and the next")
    seen = "one answer tells something about the next one"
    return "successive answers depend on each other", seen, APART


def depending_entries(where: str) -> tuple[str, str, str]:
    """Return the words for entries of one answer that depend on each other."""
    problem = "the entries of one answer depend on each other"
    return problem, f"it shows in {where}", _ENTRIES
