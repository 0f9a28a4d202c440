"""The report's page, section by section."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.classroom.report_data import Row
from autograder.classroom.report_figure import described_scores, scores_svg
from autograder.classroom.report_html import NAME, more, names, person, section, table, text
from autograder.classroom.report_items import FEWEST
from autograder.classroom.report_outputs import LINES, TEXT
from autograder.classroom.report_style import STYLE
from autograder.classroom.report_sums import Doubt, Exercise, Place, Problem, Sums
from autograder.classroom.submissions import NOTHING

__all__ = ["page"]

_ROWS, _PLACES = 100, 20  # the most to list; the rest is counted

# No script, and no request to anywhere, whatever stands in the page.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(sums: Sums) -> str:
    """Return the whole page."""
    chapter = text(sums.chapter, NAME)
    parts = [_count(sums), _flagged(sums), _scores(sums), _exercises(sums)]
    parts += [_problems(sums), _errors(sums), _weak(sums), _boards(sums), _students(sums)]
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


def _count(sums: Sums) -> str:
    """Say how many are graded, wait for a person, are not graded, and why not."""
    everyone = len(sums.graded) + len(sums.not_graded)
    nothing = [row.student for row in sums.not_graded if row.reason == NOTHING]
    failed = [row for row in sums.not_graded if row.reason != NOTHING]
    numbers = [
        ("graded", len(sums.graded)),
        ("of them waiting for a person", len(sums.waiting)),
        ("not graded", len(failed)),
        ("handed in nothing", len(nothing)),
        ("flagged", len({doubt.student for doubt in sums.doubts})),
        ("in all", everyone),
    ]
    tiles = "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for what, number in numbers)
    body = f'<dl class="tiles">{tiles}</dl>\n'
    if failed:
        rows = [(person(row.student), text(row.reason)) for row in failed]
        body += table("Not graded", ["student", "why"], rows)
    if nothing:
        body += f'<p class="note">Nothing from: {names(nothing)}.</p>\n'
    return section("Where the class stands", body + _checks(sums))


def _checks(sums: Sums) -> str:
    """Say which version of the checks judged how many."""
    if not sums.graded:
        return ""
    parts = [
        f"{number} by {' and '.join(f'<code>{text(each, NAME)}</code>' for each in versions)}"
        if versions
        else f"{number} by one that is not recorded, as after plain nbgrader"
        for versions, number in sums.checks.items()
    ]
    again = f" To see what one version gives: <code>autograder grade {text(sums.chapter)} --again"
    more_than_one = f"{again}</code>." if len(sums.checks) > 1 else ""
    return (
        f'<p class="note">Judged, by version of the checks: {"; ".join(parts)}.{more_than_one}</p>'
    )


def _flagged(sums: Sums) -> str:
    """Show both scores where a student may have gained points that the answers do not earn."""
    judged = f"{sums.judged} of {len(sums.graded)}"
    note = (
        '<p class="note">The second opinion runs the answers and the tests apart, so that no '
        f"answer can change a test. It judged {judged} graded submissions. The gradebook keeps "
        "nbgrader's score: open the notebook below <code>autograded/</code>, and decide. Who is "
        "flagged was asked again, until chance explains the difference less than once in a million "
        "times.</p>"
    )
    for test, why in sums.unasked.items():
        note += f'<p class="note">Not judged apart: <code>{text(test)}</code>, {text(why)}.</p>'
    if not sums.doubts:
        none = "Nobody." if sums.judged else "There is no second opinion on anybody."
        return section("Flagged", f"<p>{none}</p>" + (note if sums.judged else ""))
    heads = ["student", "exercise", "#nbgrader", "#second opinion", "what it means"]
    made = table("Both scores", heads, [_doubt(each) for each in sums.doubts[:_ROWS]])
    return section("Flagged", note + made + more(len(sums.doubts) - _ROWS))


def _doubt(each: Doubt) -> list[str]:
    if each.second is None:
        second, given = "—", "could not judge it"
        means = "the test needs more of the answer than plain data, so the answer may judge itself"
    else:
        second = given = f"{each.second:.4g}"
        means = "the answer may have changed the tests"
    words = [f"nbgrader gives {each.first:.4g}, the second opinion {given}: {means}."]
    words = [*each.seen] if each.copied else [*words, *each.seen, *each.notes]
    exercise = f"<code>{text(each.exercise)}</code>"
    return [
        person(each.student),
        exercise,
        f"{each.first:.4g}",
        second,
        "<br>".join(map(text, words)),
    ]


def _scores(sums: Sums) -> str:
    scores = sums.scores
    if not scores:
        return section("Scores", "<p>Nobody is graded yet.</p>")
    words = described_scores(scores, sums.most)
    waiting = len(sums.waiting)
    wait = f" {waiting} of them may still rise: a person has points to give." if waiting else ""
    figure = (
        f"<figure>{scores_svg(scores, sums.most)}\n"
        f"<figcaption>{words} The dashed line is the median.{wait}</figcaption></figure>"
    )
    return section("Scores", figure)


def _exercises(sums: Sums) -> str:
    heads = ["exercise", "#full points", "#mean share", "#discrimination", "#points"]
    heads += ["#students", "#not answered"]
    made = table("Each exercise", heads, [_exercise(each) for each in sums.exercises])
    return section("Exercises", made + _ITEMS)


def _exercise(each: Exercise) -> list[str]:
    shares = [_share(each.full), _share(each.mean), _correlation(each.discrimination)]
    counts = f"{each.points:g}", str(each.students)
    return [f"<code>{text(each.name)}</code>", *shares, *counts, str(each.unanswered)]


_ITEMS = (
    '<p class="note">Over the students whose points for the exercise are all known, without those '
    "to whom the second opinion gives less (nor are they on a leaderboard). The mean share of the "
    "points says how easy it was. Discrimination says how well its points go with those for "
    "all other exercises: a correlation, from −1 to 1. Above 0.3 it tells well who can do the "
    "rest. Near 0 it says little: too easy, too hard, or about something else. Below 0, look at "
    f"the exercise and its tests. A dash: fewer than {FEWEST} students, or all with the same "
    "points.</p>"
)


def _correlation(correlation: float | None) -> str:
    return "—" if correlation is None else f"{correlation:.2f}".replace("-", "−")


def _share(share: float | None) -> str:
    """Return a share as a percentage over a bar of that length."""
    if share is None:
        return "—"
    length = f"{100 * min(max(share, 0), 1):.0f}"
    return f'<span class="bar" style="--share: {length}%">{100 * share:.0f} %</span>'


def _problems(sums: Sums) -> str:
    found = sums.problems
    if not found:
        return section("Misconceptions", "<p>The checks named none.</p>")
    note = (
        '<p class="note">In the words of the checks. “Cells” counts test cells: '
        "most exercises have two.</p>"
    )
    return section("Misconceptions", note + _problem_table("What the checks named", found))


def _errors(sums: Sums) -> str:
    """Show what went wrong without a check's sentence: a crash, a loop, a missing name."""
    if not sums.errors:
        return ""
    return section("Other errors", _problem_table("Errors in test cells", sums.errors))


def _problem_table(caption: str, found: Sequence[Problem]) -> str:
    heads = ["what is wrong", "#students", "#cells"]
    rows = [_problem(each) for each in found[:_ROWS]]
    return table(caption, heads, rows) + more(len(found) - _ROWS)


def _problem(each: Problem) -> list[str]:
    example = (
        f"<details><summary>an example</summary><pre>{text(each.example, TEXT, LINES)}</pre>"
        f"<p>Met by {names(each.students)}.</p></details>"
    )
    numbers = str(len(each.students)), str(each.cells)
    what = f"<code>{text(each.exercise)}</code>: {text(each.headline)}"
    return [what + example, *numbers]


def _weak(sums: Sums) -> str:
    if not sums.weak:
        return section("Weak passes", "<p>None: no check ran out of time.</p>")
    note = (
        '<p class="note">They passed and have their points, but the check had no time to rule out '
        "everything: an answer may be slow, or wrong in a way that is seen rarely.</p>"
    )
    rows = [
        (person(each.student), f"<code>{text(each.cell)}</code>", text(each.text))
        for each in sums.weak[:_ROWS]
    ]
    made = table("Weak passes", ["student", "cell", "what the check said"], rows)
    return section("Weak passes", note + made + more(len(sums.weak) - _ROWS))


def _boards(sums: Sums) -> str:
    if not sums.boards:
        return ""
    most = {each.name: each.points for each in sums.exercises}
    boards = [_board(name, places, most[name]) for name, places in sums.boards.items()]
    return section("Leaderboard", "".join(boards))


def _board(name: str, places: Sequence[Place], most: float) -> str:
    rows = [
        (person(each.student), str(each.place), f"{each.points:.4g}") for each in places[:_PLACES]
    ]
    name = f"<code>{text(name)}</code>"
    caption = f"Points of {most:g}, best first"
    made = table(caption, ["student", "#place", "#points"], rows)
    return f"<h3>{name}</h3>\n{made}{more(len(places) - _PLACES, ', in the CSV file')}"


def _students(sums: Sums) -> str:
    heads = ["student", "#score", "#late penalty", "waiting for a person", "notes"]
    rows = [_student(row) for row in sums.graded]
    if not rows:
        return ""
    return section("Students", table("Everyone who is graded", heads, rows))


def _student(row: Row) -> list[str]:
    marks = row.marks
    score = f"{marks.score:.4g} / {marks.max_score:g}"
    penalty = f"{marks.late_penalty:g}" if marks.late_penalty else ""
    waiting = ", ".join(f"<code>{text(name)}</code>" for name in marks.waiting)
    return [person(row.student), score, penalty, waiting, "<br>".join(map(text, row.notes))]
