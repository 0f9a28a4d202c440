"""The numbers of a report, computed from a class. Nothing here reads, draws or writes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from autograder.graded_notebook.outputs import Said
from autograder.graded_notebook.sentences import UNANSWERED
from autograder.report.data import Cell, ClassData, Row
from autograder.report.items import discriminations, points_of

_ROUNDING = 1e-9


@dataclass(frozen=True)
class ExerciseSums:
    """One exercise, over the students whose points for it are all known.

    Attributes:
      points: the most that it gives.
      students: how many students are counted.
      full: the share of them with all points; None if there is nobody.
      mean: the mean share of the points: how easy it was.
      discrimination: the correlation of its points with the rest's; None where it says nothing.
      unanswered: how many left it as it was.
    """

    name: str
    points: float
    students: int
    full: float | None
    mean: float | None
    unanswered: int
    discrimination: float | None = None


@dataclass(frozen=True)
class CommonMistake:
    """One mistake: the number of test cells that met it, the students, and one full sentence."""

    exercise: str
    headline: str
    cells: int
    students: tuple[str, ...]
    example: str


@dataclass(frozen=True)
class Doubt:
    """One exercise of one student at which a person should look.

    Attributes:
      points: what the gradebook gives for it.
      seen: what was seen of it.
    """

    student: str
    exercise: str
    points: float
    seen: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """One row of a leaderboard; equal points share a place."""

    place: int
    student: str
    points: float


@dataclass(frozen=True)
class Sums:
    """The content of a report, in numbers and words."""

    chapter: str
    most: float
    graded: tuple[Row, ...]
    waiting: tuple[Row, ...]
    not_graded: tuple[Row, ...]
    exercises: tuple[ExerciseSums, ...]
    problems: tuple[CommonMistake, ...]
    errors: tuple[CommonMistake, ...]
    unjudged: tuple[tuple[Row, Said], ...]  # answers that a person has to look at
    boards: dict[str, tuple[Place, ...]]
    doubts: tuple[Doubt, ...]
    checks: dict[tuple[str, ...], int]  # versions of the checks, and how many they judged
    apart: int  # submissions whose tests ran apart from the answers
    beside: dict[str, str]  # tests that cannot, and why

    @property
    def scores(self) -> list[float]:
        """Return the scores of all who are graded, before late penalties."""
        return [row.marks.score for row in self.graded]


def total(data: ClassData) -> Sums:
    """Compute a report's numbers."""
    graded = tuple(row for row in data.rows if row.marks)
    exercises: dict[str, list[Cell]] = {}
    for cell in data.cells:
        exercises.setdefault(cell.exercise, []).append(cell)
    earned = tuple(row for row in graded if not (row.findings and row.findings.doubts))
    apart = discriminations(exercises, earned)
    scored = [name for name, cells in exercises.items() if any(cell.scored for cell in cells)]
    return Sums(
        chapter=data.chapter,
        most=sum(cell.points for cell in data.cells),
        graded=graded,
        waiting=tuple(row for row in graded if row.marks.waiting),
        not_graded=tuple(row for row in data.rows if not row.marks),
        exercises=tuple(
            _exercise(name, cells, earned, apart[name]) for name, cells in exercises.items()
        ),
        problems=_problems(graded, "failure"),
        errors=_problems(graded, "error"),
        unjudged=tuple(_said(graded, "unjudged")),
        boards={name: _board(exercises[name], earned) for name in scored},
        doubts=tuple(doubt for row in graded for doubt in _doubts(exercises, row)),
        apart=sum(row.findings is not None for row in graded),
        beside={
            cell: why for row in graded if row.findings for cell, why in row.findings.beside.items()
        },
        checks=dict(Counter(row.checks for row in graded)),
    )


def _exercise(
    name: str, cells: list[Cell], rows: Iterable[Row], discrimination: float | None
) -> ExerciseSums:
    most = sum(cell.points for cell in cells)
    got = [points for _, points in points_of(cells, rows)]
    names = {cell.name for cell in cells}
    unanswered = {
        row.student
        for row, said in _said(rows, "failure")
        if said.cell in names and said.headline == UNANSWERED
    }
    return ExerciseSums(
        name,
        most,
        students=len(got),
        full=fmean(points >= most - _ROUNDING for points in got) if got else None,
        mean=fmean(points / most for points in got) if got and most else None,
        unanswered=len(unanswered),
        discrimination=discrimination,
    )


def _doubts(exercises: Mapping[str, Sequence[Cell]], row: Row) -> Iterator[Doubt]:
    """Yield the student's exercises at which a person should look."""
    if row.findings is None:
        return
    for name, words in row.findings.copied.items():
        yield Doubt(row.student, name, _automatic(row, exercises.get(name, ())), (words,))
    for name, cells in exercises.items():
        doubts = row.findings.doubts
        seen = tuple(f"{cell.name}: {doubts[cell.name]}" for cell in cells if cell.name in doubts)
        if seen:
            yield Doubt(row.student, name, _automatic(row, cells), seen)


def _automatic(row: Row, cells: Iterable[Cell]) -> float:
    return sum(row.marks.automatic.get(cell.name, 0) for cell in cells)


def _said(rows: Iterable[Row], kind: str) -> list[tuple[Row, Said]]:
    return [(row, said) for row in rows for said in row.said if said.kind == kind]


def _problems(rows: Iterable[Row], kind: str) -> tuple[CommonMistake, ...]:
    """Return each mistake once, those of the most students first."""
    met: dict[tuple[str, str], list[tuple[Row, Said]]] = {}
    for row, said in _said(rows, kind):
        if said.headline != UNANSWERED:
            met.setdefault((said.exercise, said.headline), []).append((row, said))
    problems = [
        CommonMistake(
            *key, len(all_), tuple(dict.fromkeys(row.student for row, _ in all_)), all_[0][1].text
        )
        for key, all_ in met.items()
    ]
    return tuple(
        sorted(problems, key=lambda p: (-len(p.students), -p.cells, p.exercise, p.headline))
    )


def _board(cells: list[Cell], rows: Iterable[Row]) -> tuple[Place, ...]:
    """Return everyone's points for a scored exercise, best first."""
    points = sorted(points_of(cells, rows), key=lambda pair: (-pair[1], pair[0]))
    ahead = [got for _, got in points]
    return tuple(Place(ahead.index(got) + 1, student, got) for student, got in points)
