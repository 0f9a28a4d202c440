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
      first: nbgrader's points for it.
      second: the second opinion's; None where it could not judge.
      notes: the second opinion's notes.
      seen: what was seen of its cells.
      copied: whether the answer is the library's own text: its points are not in doubt.
    """

    student: str
    exercise: str
    first: float
    second: float | None
    notes: tuple[str, ...]
    seen: tuple[str, ...] = ()
    copied: bool = False


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
    judged: int  # submissions with a second opinion
    checks: dict[tuple[str, ...], int]  # versions of the checks, and how many they judged
    unasked: dict[str, str]  # tests that cannot be judged apart, and why

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
    earned = tuple(row for row in graded if not _less_than_given(row))
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
        judged=sum(row.opinion is not None for row in graded),
        unasked={
            cell: why for row in graded if row.opinion for cell, why in row.opinion.unasked.items()
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


def _less_than_given(row: Row) -> bool:
    """Tell whether the second opinion gives less: such points say nothing about an exercise."""
    opinion = row.opinion
    return bool(opinion) and any(opinion.points.get(cell) is not None for cell in opinion.doubts)


def _doubts(exercises: Mapping[str, Sequence[Cell]], row: Row) -> Iterator[Doubt]:
    """Yield the student's exercises of which a cell is in doubt, over the cells that are judged."""
    opinion = row.opinion
    for name, words in opinion.copied.items() if opinion else ():
        got = sum(row.marks.automatic.get(cell.name, 0) for cell in exercises.get(name, ()))
        yield Doubt(row.student, name, got, got, (), (words,), copied=True)
    for name, cells in exercises.items() if opinion else ():
        doubts = [cell.name for cell in cells if cell.name in opinion.doubts]
        given = {cell.name: opinion.points.get(cell.name) for cell in cells}
        judged = {cell: points for cell, points in given.items() if points is not None}
        if doubts:
            first = sum(row.marks.automatic.get(cell, 0) for cell in judged or doubts)
            second = sum(judged.values()) if judged else None
            seen = tuple(f"{cell}: {opinion.seen[cell]}" for cell in doubts if cell in opinion.seen)
            yield Doubt(row.student, name, first, second, opinion.notes, seen)


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
