"""The study's findings as a page."""

import json
import math
from collections.abc import Container, Sequence
from statistics import median

from places import TESTS
from scipy.stats import binom
from wrong_answers import ZOO

from autograder.check.claims import CLAIMS
from autograder.check.judge import ALPHA
from study import earlier, readings
from study.tasks import LEVELS, Task, parts_with_chance

STRANGERS = TESTS / "strangers"

_HEAD = """# How sure are the checks

Made by `make test-check`; do not edit. The bounds are proved in
[how-checks-decide.md](how-checks-decide.md); this page says what came out when every check was run
on every answer that we know, right and wrong. Times are of the processor's work, on one machine;
what else it did at that time does not count.

Version of the checks: `{version}`. The figures of each exercise are on the site.
"""
_STRANGERS = """## Answers by strangers, before anything was mended because of them

Twenty-five people who had read `release/` alone wrote these: four at first, two when what the
first ones had found was mended, three after that, and then eight times two, who were to look where
nobody had. Each answer was graded once, as a class is, before anything was mended because of it (a
part of the sixth round twice; it counts as passed if it passed once). Labels are their authors':
some of the answers that passed are defensible, and some right ones that failed stop at an edge. The
answers are in `tests/strangers/`; what was mended since is not counted.
"""
# The rounds after the first, and how the names of their files begin.
_LATER = (
    *("second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh"),
)
_KINDS = {
    "P": "breaks the privacy that the task promises",
    "S": "breaks what the task says",
    "E": "is wrong at an edge that the task speaks of",
    "M": "changes what it is given",
    "C": "cheats: exact now and then, a few seeds, a file",
    "T": "is off by too little, or too rarely, to be seen in seconds (its author says)",
}
_TABLES_HEAD = """# The checks, exercise by exercise

Made by `make test-check`, of the version `{version}` of the checks.
"""


# What each kind of task is about, in the order of the page.
_PARTS = {
    "right": "right answers",
    "graded": "right answers where points are given",
    "law": "cells of the law itself",
    "null": "draws of the law itself",
    "wrong": "catalogued wrong answers",
    "blunder": "what the best graded course accepts",
    "accepted": "what the best graded course rejects",
    "slow": "slow right answers",
    "power": "the smallest error that is found",
}


def missing(tasks: Sequence[Task], kept: Container[str]) -> str:
    """Return which parts of the study are not done, or not to the end, in words; "" if none is."""
    said = []
    for kind, words in _PARTS.items():
        keys = [task.key for task in tasks if task.kind == kind]
        count = sum(key in kept for key in keys)
        if count < len(keys):
            said.append(f"{words} ({count:,} of {len(keys):,} tasks)" if count else words)
    return "; ".join(said)


def page(found: list[dict], version: str, not_done: str = "") -> str:
    """Return the summary in Markdown, from the records of the finished tasks."""
    kinds = _by_kind(found)
    parts = [_HEAD.format(version=version)]
    if not_done:
        parts.append(f"**Not measured of this version, or not to the end:** {not_done}.\n")
    parts += [_strangers(), _summary(kinds), _power(kinds), _best_course(kinds)]
    parts += [_not_always(kinds), readings.section(), earlier.section()]
    parts += [f"- **{words}**" for words in shortcomings(found)]
    return "\n".join(part for part in parts if part)


def _strangers() -> str:
    """Return what the first look at answers by strangers found, by kind and round."""
    rounds: dict[str, dict[str, list[bool]]] = {each: {} for each in ("first", *_LATER)}
    for path in sorted(STRANGERS.glob("*.jsonl")):
        passed = rounds[next((each for each in _LATER if path.name.startswith(each)), "first")]
        for answer in map(json.loads, path.open()):
            passed.setdefault(answer["kind"], []).append(answer["passed_at_first"])
    kinds = {kind: f"wrong: it {words}" for kind, words in _KINDS.items()}
    kinds["R"] = "right, in another style"
    rows = [
        (words, *(_share(passed.get(kind, []), rejected=kind != "R") for passed in rounds.values()))
        for kind, words in kinds.items()
    ]
    return _STRANGERS + "\n" + _table(("answer", *(f"{each} round" for each in rounds)), rows)


def _share(passed: list[bool], *, rejected: bool) -> str:
    if not passed:
        return ""
    count = sum(each != rejected for each in passed)
    words = "rejected" if rejected else "passed"
    return f"{count:,} of {len(passed):,} {words} ({count / len(passed):.1%})"


def tables(found: list[dict], version: str) -> str:
    """Return the page with a row for each exercise, in Markdown."""
    return _TABLES_HEAD.format(version=version) + "\n" + _by_exercise(_by_kind(found))


def _by_kind(found: list[dict]) -> dict[str, list[dict]]:
    kinds = {}
    for record in found:
        kinds.setdefault(record["kind"], []).append(record)
    return kinds


def shortcomings(found: list[dict]) -> list[str]:
    """Return what the study proves false, in words; a correct project has none, but for 1e-9."""
    failing = {"right", "graded", "law", "null", "accepted"}
    words = []
    for record in found:
        if record["kind"] in failing and record["failed"]:
            words.append(f"a right answer was failed: {record['key']}: {record.get('example')}")
        if record["kind"] in ("wrong", "blunder") and record["failed"] < record["runs"]:
            words.append(f"a wrong answer passed: {record['key']}")
    for kind in ("law", "null"):
        words += _too_high([record for record in found if record["kind"] == kind])
    return words


def _too_high(laws: list[dict]) -> list[str]:
    """Say where evidence against true laws was reached more often than Ville (1939) allows."""
    runs, words = _total(laws, "runs"), []
    for place, level in enumerate(LEVELS):
        beyond = sum(record["beyond"][place] for record in laws)
        if beyond > binom.isf(1e-9, max(runs, 1), 1 / level):
            words.append(f"the evidence reached {level} in {beyond} of {runs} runs")
    return words


def _table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines) + "\n"


def _total(records: list[dict], field: str) -> int:
    return sum(record[field] for record in records)


def _summary(kinds: dict[str, list[dict]]) -> str:
    rows = []
    right, law, null = (kinds.get(kind, []) for kind in ("right", "law", "null"))
    if right:
        rows.append(_false_alarms("right answers wrongly failed", right, "styles"))
    if graded := kinds.get("graded"):
        rows.append(_false_alarms("… where points are given", graded, "styles"))
    if law:
        rows.append(_false_alarms("cells of the law itself wrongly failed", law, "pieces"))
        rows += _calibration("cells of the law", law)
    if null:
        names = len({record["name"] for record in null})
        words = f"draws of {names} laws themselves wrongly failed, with repeats bet on too"
        rows.append(_false_alarms(words, null, "pieces"))
        rows += _calibration("draws of the law", null)
    rows += _rejections(kinds)
    rows += [
        (
            f"median time to pass a right answer that takes {record['name']}",
            f"{record['milliseconds']:.0f} ms",
            "500 ms" if "µs" in record["name"] else "1,500 ms",
        )
        for record in kinds.get("slow", [])
    ]
    return _table(("what", "found", "target"), rows)


def _false_alarms(what: str, records: list[dict], noun: str) -> tuple:
    failed, largest = _total(records, "failed"), max(record["largest"] for record in records)
    bar = -math.log(ALPHA)
    # Who passes so has been found to follow another law that the task allows.
    other = " in all, against one of several laws that a task allows" * (
        largest > bar and not failed
    )
    return (
        what,
        f"{failed} of {_total(records, 'runs'):,} runs, {len(records)} {noun} "
        f"(largest log evidence {largest:.1f}{other}; the bar is {bar:.1f})",
        "proved ≤ 1e-9 a check; 0",
    )


def _calibration(what: str, records: list[dict]) -> list[tuple]:
    runs = _total(records, "runs")
    rows = []
    for place, level in enumerate(LEVELS):
        beyond = sum(record["beyond"][place] for record in records)
        rows.append(
            (
                f"P(the evidence ever reaches {level:,}), {what}",
                f"{beyond / runs:.2g}",
                f"≤ {1 / level:g}",
            )
        )
    return rows


def _rejections(kinds: dict[str, list[dict]]) -> list[tuple]:
    rows, wrong = [], kinds.get("wrong", [])
    if wrong:
        failed, runs = _total(wrong, "failed"), _total(wrong, "runs")
        rows.append(
            (
                "catalogued wrong answers rejected where points are given",
                f"{failed:,} of {runs:,} runs, {len(wrong)} wrong answers",
                "all",
            )
        )
        at_once = _total(wrong, "at_once")
        rows.append(
            ("… by the first, short look already", f"{at_once:,} ({at_once / runs:.2%})", "")
        )
        named = _total(wrong, "named")
        rows.append(
            (
                "… and the mistake named rightly",
                f"{named:,} of {failed:,} ({named / max(failed, 1):.2%})",
                "≥ 99 %",
            )
        )
    random = [record for record in wrong if parts_with_chance(record["name"])]
    passing = [r for r in kinds.get("right", []) if parts_with_chance(r["name"])]
    if random and passing:
        reject = median(record["milliseconds"] for record in random)
        accept = median(record["milliseconds"] for record in passing)
        rows.append(
            ("median time to reject / to pass", f"{reject:.1f} ms / {accept:.0f} ms", "5 / 150 ms")
        )
    return rows


def _power(kinds: dict[str, list[dict]]) -> str:
    records = sorted(kinds.get("power", []), key=lambda record: record["draws"])
    if not records:
        return ""
    rows = [
        (f"{r['draws']:,}", f"{r['median']:.3f} ×", f"{r['nearly always']:.3f} ×") for r in records
    ]
    text = "## The smallest error of a Laplace scale that is found, at level 1e-9\n"
    return (
        text + "\n" + _table(("answers", "found in half of the runs", "found in 99 of 100"), rows)
    )


def _best_course(kinds: dict[str, list[dict]]) -> str:
    rows = [
        (record["label"], f"`{record['exercise']}`", f"{record['failed']:,} of {record['runs']:,}")
        for record in kinds.get("blunder", []) + kinds.get("accepted", [])
    ]
    if not rows:
        return ""
    text = (
        "## What the best graded course of today accepts or rejects by mistake\n\n"
        "Its tests accept each of the wrong answers below at least at times, and fail the last, "
        "right ones.\n\n"
    )
    return text + _table(("answer", "exercise", "rejected here"), rows)


def _by_exercise(kinds: dict[str, list[dict]]) -> str:
    rows = []
    for name in CLAIMS:
        wrong = [r for r in kinds.get("wrong", []) if r["name"] == name]
        right = [r for r in kinds.get("right", []) if r["name"] == name]
        if not (wrong and right):
            continue
        failed = _total(wrong, "failed")
        rows.append(
            (
                ZOO.chapter.get(name, "")[:2],
                f"`{name}`",
                f"{failed:,} of {_total(wrong, 'runs'):,}",
                f"{_total(wrong, 'named') / max(failed, 1):.1%}",
                f"{_total(right, 'failed')} of {_total(right, 'runs'):,}",
                f"{median(r['milliseconds'] for r in wrong):.1f}",
                f"{median(r['milliseconds'] for r in right):.0f}",
            )
        )
    head = ("ch", "exercise", "wrong rejected", "named", "right failed", "ms to reject", "to pass")
    return _table(head, sorted(rows))


def _not_always(kinds: dict[str, list[dict]]) -> str:
    """Name what was not always rejected: the limits, stated."""
    missed = [
        (f"`{record['name']}`", record["number"], record["failed"], record["runs"])
        for record in kinds.get("wrong", [])
        if record["failed"] < record["runs"]
    ]
    if not missed and "wrong" not in kinds:
        return ""
    if not missed:
        return "## What was not always rejected\n\nNothing among the answers above.\n"
    head = ("exercise", "answer", "rejected", "of")
    return "## What was not always rejected\n\n" + _table(head, missed)
