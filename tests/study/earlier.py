"""Answers that strangers wrote for the first edition: which of them still pass, and why."""

import json
from collections.abc import Iterable

from places import TESTS

KEPT = TESTS / "strangers" / "earlier.json"
_TEXT = """## Answers by strangers who knew the first edition alone

We learnt from these, so they say less than those of the rounds above. Each was graded five times,
by version `{version}` of the checks.
Of {wrong:,} wrong answers {rejected:,} were rejected all five times. The {passing} others are
below: {right} are right by the words that their tasks have now, and {rest} pass though they are
not.
Of {small} more, too small or too rare to be seen as their authors say, {small_rejected} were
rejected all five times. Labels are their authors'.
"""
_HEADS = {True: "Right by the words of the task:", False: "Passed, though it is not right:"}


def section() -> str:
    """Return the section of the page, in Markdown."""
    kept = json.loads(KEPT.read_text("utf-8"))
    passing = kept["passing"]
    right = sum(each["right"] for each in passing)
    counts = {**kept, "passing": len(passing), "right": right, "rest": len(passing) - right}
    parts = [_TEXT.format(**counts)]
    for verdict, head in _HEADS.items():
        parts += [head + "\n", _listed(each for each in passing if each["right"] is verdict)]
    return "\n".join(parts)


def _listed(answers: Iterable[dict]) -> str:
    lines = [f"- `{each['exercise']}`, {each['label']}: {each['why']}." for each in answers]
    return "\n".join(lines) + "\n"
