"""The terminal's view of a run: progress while it runs, everyone's row at the end."""

from __future__ import annotations

from collections.abc import Sequence

from rich import progress
from rich.console import Console
from rich.text import Text

from autograder.graded_notebook.outcome import Outcome
from autograder.grading.terminal import print_rows, say, text
from autograder.nbgrader.stale import mend
from autograder.nbgrader.terms import CHANGED

_LONG = 600.0  # seconds over which the rate is taken: a student may take a minute


class RunProgress:
    """A bar with the rate and the time left on a terminal; elsewhere one line for each student.

    On a terminal, students who need a look are named at once, above the bar.
    """

    def __init__(self, console: Console, *, total: int):
        self._console, self._total, self._done = console, total, 0
        self._bar = progress.Progress(
            progress.TextColumn("grading"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            _Rate(),
            progress.TimeRemainingColumn(elapsed_when_finished=True),
            progress.TextColumn("{task.fields[words]}"),
            console=console,
            disable=not console.is_terminal,
            refresh_per_second=4,
            speed_estimate_period=_LONG,
        )
        self._task = self._bar.add_task("", total=total, words="starting")
        # The clock of the rate starts now, and not when the first student is done.
        self._bar.advance(self._task, 0)

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(self, *error) -> None:
        self._bar.stop()

    def show(self, outcome: Outcome) -> None:
        """Count one student as done."""
        self._done += 1
        left = self._done < self._total
        words = f"left; last: {text(outcome.student)}" if left else "in all"
        self._bar.update(self._task, advance=1, words=words)
        line = f"{self._done}/{self._total} {outcome.student}: {points(outcome)} {outcome.status}"
        if not self._console.is_terminal:
            say(self._console, line)
        elif style := _style(outcome):
            say(self._console, line, style=style, wrapped=True)


class _Rate(progress.ProgressColumn):
    """The rate of graded students."""

    def render(self, task: progress.Task) -> Text:
        speed = task.finished_speed or task.speed or 0
        words = f"{speed:.1f} a second" if speed >= 1 else f"{60 * speed:.1f} a minute"
        return Text(words if speed else "", style="progress.data.speed")


def points(outcome: Outcome) -> str:
    """Return "7 / 10", late penalty taken off, as exported; or a dash when there is no score."""
    if not outcome.graded:
        return "—"
    before = f" ({outcome.score:g} before the late penalty)" if outcome.late_penalty else ""
    return f"{outcome.counted:g} / {outcome.max_score:g}{before}"


def print_table(console: Console, chapter: str, outcomes: Sequence[Outcome]) -> None:
    """Print everyone's score and status, and how many were not graded."""
    named = any(each.name or each.section for each in outcomes)
    columns = [
        {"header": "student", "no_wrap": True},
        *([{"header": "name"}, {"header": "section"}] if named else []),
        {"header": "score", "justify": "right"},
        {"header": "status"},
    ]
    rows = []
    for each in outcomes:
        called = (each.name, each.section) if named else ()
        rows.append(((each.student, *called, points(each), each.status), _style(each)))
    print_rows(console, chapter, columns, rows)
    failed = sum(not outcome.graded for outcome in outcomes)
    words = f"{len(outcomes) - failed} graded, {failed} not graded"
    flagged = sum(outcome.flagged for outcome in outcomes)
    if flagged:
        words += f", {flagged} to look at"
    strange = sum(outcome.strange for outcome in outcomes)
    words += f", {strange} without this chapter's notebook: ask for it" if strange else ""
    changed = [each.student for each in outcomes if CHANGED in each.notes]
    lines = [mend(chapter, changed)] if changed else []
    for line in (words, *not_apart(outcomes), *lines):
        say(console, line)


def not_apart(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a line for each test that ran beside some student's answers."""
    found: dict[tuple[str, str], bool] = {}
    for outcome in outcomes:
        for each in outcome.findings.beside.items() if outcome.findings else ():
            found[each] = found.get(each, False) or outcome.new
    before = "; so it was when they were graded: --again asks anew"
    return [
        f"not judged apart: {test}, {reason}{'' if new else before}"
        for (test, reason), new in found.items()
    ]


def _style(outcome: Outcome) -> str | None:
    """Return the colour of a row that the instructor should look at."""
    if not outcome.graded:
        return "bold red"
    return "yellow" if outcome.flagged or outcome.differs or outcome.strange else None
