"""What is printed at the end: a table, every difference, and one line that says how many."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.report.data import ClassData, Row
from semester.compare import Difference, compare, stolen
from semester.files import check_files
from semester.items import items
from semester.plan import Semester, Work
from semester.truth import truth

_HEADS = ("submitted", "right", "wrong", "empty", "hostile", "no score", "stolen")
_LEGEND = """\
right, wrong, empty: answers. stolen: points that attacks have without right."""


def conclude(
    semester: Semester,
    classes: Sequence[ClassData],
    course: Path,
    *,
    seconds: float,
    console: Console,
) -> int:
    """Compare and print; return the exit status: 1 if there is a difference."""
    table, differences = _compared(semester, classes)
    differences += check_files(course, classes)
    console.print(table)
    console.print(_attacks(semester, classes))
    lines = [_LEGEND, *items(semester, classes), *map(str, differences)]
    lines.append(
        f"submissions={len(semester.works)} differences={len(differences)} "
        f"wall_seconds={seconds:.0f}"
    )
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return int(bool(differences))


def _compared(semester: Semester, classes: Sequence[ClassData]) -> tuple[Table, list[Difference]]:
    table = Table(title="What was handed in, and what came of it", title_justify="left")
    table.add_column("chapter", no_wrap=True)
    for head in (*_HEADS, "differences"):
        table.add_column(head, justify="right")
    differences, every = [], []
    for each in classes:
        rows = {row.student: row for row in each.rows}
        works = [work for work in semester.works if work.chapter.name == each.chapter]
        pairs = [(work, rows.get(work.student)) for work in works]
        found = [one for pair in pairs for one in compare(*pair)]
        differences += found
        every += pairs
        table.add_row(each.chapter, *_numbers(pairs), str(len(found)))
    table.add_section()
    table.add_row("all", *_numbers(every), str(len(differences)))
    return table, differences


def _attacks(semester: Semester, classes: Sequence[ClassData]) -> Table:
    """Return a line for each attack: the truth, and its score."""
    rows = {(each.chapter, row.student): row for each in classes for row in each.rows}
    table = Table(title="The attacks, in points", title_justify="left")
    for head in ("attack", "student", "chapter"):
        table.add_column(head, no_wrap=True)
    for head in ("truth", "score"):
        table.add_column(head, justify="right")
    table.add_column("what is said", overflow="fold")
    for work in sorted(semester.works, key=lambda one: one.cheat.name if one.cheat else ""):
        if work.cheat:
            row = rows.get((work.chapter.name, work.student))
            who = (work.cheat.name, work.student, work.chapter.name)
            table.add_row(*map(escape, [*who, *_outcome(work, row)]))
    return table


def _outcome(work: Work, row: Row | None) -> list[str]:
    if row is None or row.marks is None:
        return ["", "", row.reason if row else "not in the report"]
    cells = truth(work)
    true = sum(least + most for least, most in cells.values()) / 2
    got = sum(row.marks.points.get(cell) or 0 for cell in cells)
    said = ["flagged"] if row.findings and row.findings.doubts else []
    return [f"{true:.3g}", f"{got:.3g}", "; ".join([*said, *row.notes])]


def _numbers(pairs: Sequence[tuple[Work, Row | None]]) -> list[str]:
    """Return a row's numbers: answers by kind, attacks, and the points that they stole."""
    given = [one.how for work, _ in pairs for one in work.given.values()]
    scored = [(work, row) for work, row in pairs if row and row.marks]
    thefts = [stolen(*pair) for pair in scored if pair[0].cheat]
    counts = [
        len(pairs),
        *(given.count(how) for how in ("right", "wrong", "empty")),
        sum(work.cheat is not None for work, _ in pairs),
        len(pairs) - len(scored),
        sum(thefts),
    ]
    return [f"{count:g}" for count in counts]
