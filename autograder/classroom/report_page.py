"""The report's page. Every word that is not our own goes through `text`: cut, plain and escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from autograder.classroom.report_data import Row
from autograder.classroom.report_figure import described_scores, scores_svg
from autograder.classroom.report_outputs import LINES, TEXT, cut
from autograder.classroom.report_style import STYLE
from autograder.classroom.report_sums import Exercise, Place, Problem, Sums

__all__ = ["page"]

_WORDS, _NAME = 400, 80  # characters
_NAMES, _ROWS, _PLACES = 30, 100, 20  # the most to list; the rest is counted

# No script, and no request to anywhere, whatever stands in the page.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(sums: Sums) -> str:
    """Return the whole page."""
    chapter = text(sums.chapter, _NAME)
    parts = [_count(sums), _scores(sums), _exercises(sums), _problems(sums), _errors(sums)]
    parts += [_weak(sums), _boards(sums), _students(sums)]
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{chapter}: report on the class</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1><span class="kind">Report on the class</span> {chapter}</h1>
<p class="lead">For the instructor only: it names students. Scores are the gradebook's,
before any late penalty. The same for a spreadsheet:
<code>{chapter}.csv</code>, beside this page.</p>
{"".join(parts)}
</main>
</body>
</html>
"""


def text(words: object, characters: int = _WORDS, lines: int = 1) -> str:
    """Return words from outside as HTML: no markup, no endless text."""
    return html.escape(cut(str(words), characters, lines))


def _section(title: str, body: str) -> str:
    return f"<section>\n<h2>{title}</h2>\n{body}\n</section>\n"


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of ready HTML; a head that begins with # is over numbers.

    The first cell of a row is its head.
    """
    kinds = [' class="number"' if head.startswith("#") else "" for head in heads]
    top = [
        f'<th scope="col"{kind}>{head.strip("#")}</th>'
        for head, kind in zip(heads, kinds, strict=True)
    ]
    lines = []
    for first, *others in rows:
        cells = [f"<td{kind}>{cell}</td>" for cell, kind in zip(others, kinds[1:], strict=True)]
        lines.append(f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>')
    # It can be scrolled sideways on a narrow screen, with the keyboard too.
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0"><table>\n'
        f"<caption>{caption}</caption>\n<thead><tr>{''.join(top)}</tr></thead>\n"
        f"<tbody>\n{chr(10).join(lines)}\n</tbody>\n</table></div>\n"
    )


def _more(left: int, where: str = "") -> str:
    return f'<p class="note">And {left} more{where}.</p>' if left > 0 else ""


def _names(students: Sequence[str]) -> str:
    """Return names, each in one piece, the first of them only."""
    shown = ", ".join(f"<bdi>{text(name, _NAME)}</bdi>" for name in students[:_NAMES])
    left = len(students) - _NAMES
    return f"{shown} and {left} more" if left > 0 else shown


def _person(student: str) -> str:
    return f"<bdi>{text(student, _NAME)}</bdi>"


def _count(sums: Sums) -> str:
    """Say how many are graded, wait for a person, are not graded, and why not."""
    everyone = len(sums.graded) + len(sums.not_graded)
    numbers = [
        ("graded", len(sums.graded)),
        ("of them waiting for a person", len(sums.waiting)),
        ("not graded", len(sums.not_graded)),
        ("in all", everyone),
    ]
    tiles = "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for what, number in numbers)
    body = f'<dl class="tiles">{tiles}</dl>\n'
    if sums.not_graded:
        rows = [(_person(row.student), text(row.reason)) for row in sums.not_graded]
        body += _table("Not graded", ["student", "why"], rows)
    return _section("Where the class stands", body)


def _scores(sums: Sums) -> str:
    scores = sums.scores
    if not scores:
        return _section("Scores", "<p>Nobody is graded yet.</p>")
    words = described_scores(scores, sums.most)
    waiting = len(sums.waiting)
    wait = f" {waiting} of them may still rise: a person has points to give." if waiting else ""
    figure = (
        f"<figure>{scores_svg(scores, sums.most)}\n"
        f"<figcaption>{words} The dashed line is the median.{wait}</figcaption></figure>"
    )
    return _section("Scores", figure)


def _exercises(sums: Sums) -> str:
    heads = ["exercise", "#full points", "#mean share", "#points", "#students", "#not answered"]
    words = '<p class="note">Over the students whose points for the exercise are all known.</p>'
    table = _table("Each exercise", heads, [_exercise(each) for each in sums.exercises])
    return _section("Exercises", table + words)


def _exercise(each: Exercise) -> list[str]:
    shares = [_share(each.full), _share(each.mean)]
    counts = f"{each.points:g}", str(each.students)
    return [f"<code>{text(each.name)}</code>", *shares, *counts, str(each.unanswered)]


def _share(share: float | None) -> str:
    """Return a share as a percentage over a bar of that length."""
    if share is None:
        return "—"
    length = f"{100 * min(max(share, 0), 1):.0f}"
    return f'<span class="bar" style="--share: {length}%">{100 * share:.0f} %</span>'


def _problems(sums: Sums) -> str:
    found = sums.problems
    if not found:
        return _section("Misconceptions", "<p>The checks named none.</p>")
    note = (
        '<p class="note">In the words of the checks. “Cells” counts test cells: '
        "most exercises have two.</p>"
    )
    return _section("Misconceptions", note + _problem_table("What the checks named", found))


def _errors(sums: Sums) -> str:
    """Show what went wrong without a check's sentence: a crash, a loop, a missing name."""
    if not sums.errors:
        return ""
    return _section("Other errors", _problem_table("Errors in test cells", sums.errors))


def _problem_table(caption: str, found: Sequence[Problem]) -> str:
    heads = ["what is wrong", "#students", "#cells"]
    rows = [_problem(each) for each in found[:_ROWS]]
    return _table(caption, heads, rows) + _more(len(found) - _ROWS)


def _problem(each: Problem) -> list[str]:
    example = (
        f"<details><summary>an example</summary><pre>{text(each.example, TEXT, LINES)}</pre>"
        f"<p>Met by {_names(each.students)}.</p></details>"
    )
    numbers = str(len(each.students)), str(each.cells)
    what = f"<code>{text(each.exercise)}</code>: {text(each.headline)}"
    return [what + example, *numbers]


def _weak(sums: Sums) -> str:
    if not sums.weak:
        return _section("Weak passes", "<p>None: no check ran out of time.</p>")
    note = (
        '<p class="note">They passed and have their points, but the check had no time to rule out '
        "everything: an answer may be slow, or wrong in a way that is seen rarely.</p>"
    )
    rows = [
        (_person(each.student), f"<code>{text(each.cell)}</code>", text(each.text))
        for each in sums.weak[:_ROWS]
    ]
    table = _table("Weak passes", ["student", "cell", "what the check said"], rows)
    return _section("Weak passes", note + table + _more(len(sums.weak) - _ROWS))


def _boards(sums: Sums) -> str:
    if not sums.boards:
        return ""
    most = {each.name: each.points for each in sums.exercises}
    boards = [_board(name, places, most[name]) for name, places in sums.boards.items()]
    return _section("Leaderboard", "".join(boards))


def _board(name: str, places: Sequence[Place], most: float) -> str:
    rows = [
        (_person(each.student), str(each.place), f"{each.points:.4g}") for each in places[:_PLACES]
    ]
    name = f"<code>{text(name)}</code>"
    caption = f"Points of {most:g}, best first"
    table = _table(caption, ["student", "#place", "#points"], rows)
    return f"<h3>{name}</h3>\n{table}{_more(len(places) - _PLACES, ', in the CSV file')}"


def _students(sums: Sums) -> str:
    heads = ["student", "#score", "#late penalty", "waiting for a person", "notes"]
    rows = [_student(row) for row in sums.graded]
    if not rows:
        return ""
    return _section("Students", _table("Everyone who is graded", heads, rows))


def _student(row: Row) -> list[str]:
    marks = row.marks
    score = f"{marks.score:.4g} / {marks.max_score:g}"
    penalty = f"{marks.late_penalty:g}" if marks.late_penalty else ""
    waiting = ", ".join(f"<code>{text(name)}</code>" for name in marks.waiting)
    return [_person(row.student), score, penalty, waiting, "<br>".join(map(text, row.notes))]
