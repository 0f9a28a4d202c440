"""What the grader found, held against the truth."""

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.report.data import Row
from semester.plan import Work
from semester.truth import truth

_ROUNDING = 1e-6


@dataclass(frozen=True)
class Difference:
    """Something that is not as it must be."""

    student: str
    chapter: str
    exercise: str
    words: str

    def __str__(self) -> str:
        place = ", ".join(filter(None, [self.student, self.chapter, self.exercise]))
        return f"DIFFERENCE {place}: {self.words}"


def compare(work: Work, row: Row | None) -> list[Difference]:
    """Return where a student's row is not what it must be; nothing if all is well."""
    found = [(None, "not in the report")] if row is None else list(_differences(work, row))
    return [Difference(work.student, work.chapter.name, cell or "", w) for cell, w in found]


def _differences(work: Work, row: Row) -> Iterator[tuple[str | None, str]]:
    cheat = work.cheat
    if cheat and cheat.says and cheat.says not in "; ".join([row.reason, *row.notes]):
        yield None, f"{cheat.name}: must say {cheat.says!r}, says {row.reason or row.notes}"
    if row.marks is None:
        if not (cheat and cheat.refused):
            yield None, f"no score: {row.reason}"
    elif cheat and cheat.refused:
        yield None, f"{cheat.name}: has a score, {row.marks.score:g}"
    else:
        yield from _other_scores(work, row)
        if row.findings is None:
            yield None, "its tests ran beside the answers"
        elif row.findings.doubts:
            yield None, f"flagged at {', '.join(row.findings.doubts)}"


def _other_scores(work: Work, row: Row) -> Iterator[tuple[str, str]]:
    """Yield the cells whose score is not the truth."""
    for cell, (least, most) in truth(work).items():
        got = row.marks.points.get(cell)
        right = got is not None and least - _ROUNDING <= got <= most + _ROUNDING
        if not right:
            must = f"{least:g}" if least == most else f"{least:.2f} to {most:.2f}"
            yield cell, f"must be {must}, {_found(work, row, cell)}"


def _found(work: Work, row: Row, cell: str) -> str:
    """Return the score of a cell, which answer it was, and what the check said of it."""
    score = f"is {_number(row.marks.points.get(cell))} ({_answer(work, cell)})"
    return score + "".join(f"; it said: {said.text}" for said in row.said if said.cell == cell)


def _number(points: float | None) -> str:
    return "none" if points is None else f"{points:g}"


def _answer(work: Work, cell: str) -> str:
    (exercise,) = (one for one in work.chapter.exercises if cell in one.cells)
    given = work.given[exercise.name]
    return f"{given.how} answer {given.number}" if given.how != "empty" else "no answer"


def stolen(work: Work, row: Row) -> float:
    """Return what the answers to this submission earned without right."""
    most = {cell: best for cell, (_, best) in truth(work).items()}
    return sum(max(0.0, (row.marks.points.get(cell) or 0) - best) for cell, best in most.items())
