"""What readers found who read what the checks tell wrong answers, message by message."""

import json

from places import TESTS

KEPT = TESTS / "strangers" / "readings.json"
_TEXT = """## What the messages say, read one by one

Readers with fresh eyes had each stranger's wrong answer, its author's word for the flaw, and what
the answer was told. Each message counts once, by its worst fault, before anything was mended
because of that reading. Between two readings what the earlier one had found was mended. The second
and the third read messages drawn by chance from those of the first, made anew; the fourth, the
fifth, the seventh and the eighth read those of answers that nobody had seen, of the seventh, the
eighth, the tenth and the eleventh round. The fifth counted as unhelpful whatever could say more.
The sixth read again only what the fifth had not called good, made anew after that was mended, with
one short look at each answer: it says what was mended, and nothing of answers that nobody has seen.
"""
_COLUMNS = {
    "good": "good, or good enough",
    "false": "says something that is not true",
    "misleading": "true, but its question leads away",
    "unhelpful": "true, and a better sentence was near",
    "broken": "a fault of form",
    "passed": "none: the short look passed",
    "none": "none: the answer did not run",
}


def section() -> str:
    """Return the section of the page, in Markdown."""
    readings = json.loads(KEPT.read_text("utf-8"))
    heads = [f"reading {place}" for place in range(1, len(readings) + 1)]
    rows = [[words, *(_share(each, key) for each in readings)] for key, words in _COLUMNS.items()]
    lines = [["message", *heads], ["---"] * (len(readings) + 1), *rows]
    return "\n".join([_TEXT, *(f"| {' | '.join(line)} |" for line in lines)]) + "\n"


def _share(reading: dict[str, int], key: str) -> str:
    whole = sum(reading.values())
    return f"{reading.get(key, 0):,} of {whole:,} ({reading.get(key, 0) / whole:.1%})"
