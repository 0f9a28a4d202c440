"""What the person at the terminal sees: progress while it runs, everyone's row at the end."""

from __future__ import annotations

from collections.abc import Sequence

from rich import progress
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.classroom.outcome import Outcome


class Progress:
    """A bar on a terminal; elsewhere (a log, a pipe) one line for each student."""

    def __init__(self, console: Console, *, total: int):
        self._console, self._total, self._done = console, total, 0
        self._bar = progress.Progress(
            progress.TextColumn("grading"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            progress.TextColumn("{task.fields[last]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total, last="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *error) -> None:
        self._bar.stop()

    def show(self, outcome: Outcome) -> None:
        """Count one student as done."""
        self._done += 1
        self._bar.update(self._task, advance=1, last=escape(outcome.student))
        if not self._console.is_terminal:
            line = (
                f"{self._done}/{self._total} {outcome.student}: {points(outcome)} {outcome.status}"
            )
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)


def points(outcome: Outcome) -> str:
    """Return "7 / 10", or a dash when there is no score."""
    return f"{outcome.score:g} / {outcome.max_score:g}" if outcome.graded else "—"


def print_table(console: Console, chapter: str, outcomes: Sequence[Outcome]) -> None:
    """Print everyone's score and status, and how many were not graded."""
    table = Table(title=chapter, title_justify="left")
    table.add_column("student", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("status")
    for outcome in outcomes:
        style = None if outcome.graded else "bold red"
        table.add_row(escape(outcome.student), points(outcome), escape(outcome.status), style=style)
    console.print(table)
    failed = sum(not outcome.graded for outcome in outcomes)
    console.print(f"{len(outcomes) - failed} graded, {failed} not graded", highlight=False)
