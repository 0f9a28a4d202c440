"""The report's item analysis beside what is known of the exercises and the students."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from scipy.stats import spearmanr

from autograder.report.data import ClassData
from autograder.report.items import FEWEST
from autograder.report.sums import total
from semester.plan import Semester


@dataclass(frozen=True)
class _Item:
    """One exercise: what the report says of it, and how easy it was for who tried it."""

    name: str
    mean: float
    discrimination: float | None
    known: float


def items(semester: Semester, classes: Sequence[ClassData]) -> list[str]:
    """Return what the reports say of the exercises, in a few lines."""
    honest = [_without_attacks(semester, each) for each in classes]
    lines = ["Exercises, as the reports see them:", *_lines(list(_items(semester, classes)))]
    lines += ["the same without the hostile submissions:", *_lines(list(_items(semester, honest)))]
    return lines


def _without_attacks(semester: Semester, each: ClassData) -> ClassData:
    works = [work for work in semester.works if work.chapter.name == each.chapter]
    honest = {work.student for work in works if not work.cheat}
    return dataclasses.replace(each, rows=tuple(row for row in each.rows if row.student in honest))


def _items(semester: Semester, classes: Sequence[ClassData]) -> Iterator[_Item]:
    for each in classes:
        students = [row.student for row in each.rows if row.marks]
        for one in total(each).exercises:
            if one.name in semester.difficulty and one.mean is not None:
                known = fmean(semester.chance(student, one.name) for student in students)
                yield _Item(one.name, one.mean, one.discrimination, known)


def _lines(found: Sequence[_Item]) -> list[str]:
    if len(found) < 3:
        return ["  too few exercises"]
    order = spearmanr([one.mean for one in found], [one.known for one in found]).statistic
    lines = [f"  ease of {len(found)} exercises, rank correlation with the known: {order:.2f}"]
    judged = {one.name: one.discrimination for one in found if one.discrimination is not None}
    if not judged:
        return [*lines, f"  no discrimination: no chapter has {FEWEST} graded students"]
    low = [f"{name} {value:.2f}" for name, value in judged.items() if value <= 0]
    words = f"  discrimination: {len(judged) - len(low)} of {len(judged)} positive, "
    words += f"mean {fmean(judged.values()):.2f}; not positive: {', '.join(low) or 'none'}"
    return [*lines, words]
