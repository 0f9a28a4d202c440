"""Item analysis: how well each exercise separates strong students from weak ones."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import StatisticsError, correlation

from autograder.report.data import Cell, Row

FEWEST = 10  # students; with fewer, a correlation says nothing


def points_of(cells: Iterable[Cell], rows: Iterable[Row]) -> list[tuple[str, float]]:
    """Return everyone's points for these cells, without students whose points are incomplete."""
    cells = list(cells)
    everyone = [(row.student, [row.marks.points.get(cell.name) for cell in cells]) for row in rows]
    return [(student, sum(points)) for student, points in everyone if None not in points]


def discriminations(
    exercises: Mapping[str, Sequence[Cell]], rows: Sequence[Row]
) -> dict[str, float | None]:
    """Return, for each exercise, the correlation of its points with those for all the others.

    The exercise itself is left out of the sum, because it is correlated with itself. The others
    count if everybody's points for them are known.

    Returns:
      From -1 to 1; None with too few students, or where everybody has the same.

    Source: Henrysson (1963), Correction of item-total correlations in item analysis,
    Psychometrika 28. For an exercise that gives all or nothing it is the point-biserial one.
    """
    known = {name: dict(points_of(cells, rows)) for name, cells in exercises.items()}
    complete = [name for name, points in known.items() if len(points) == len(rows)]
    return {
        name: _correlation(points, [known[other] for other in complete if other != name])
        for name, points in known.items()
    }


def _correlation(
    points: Mapping[str, float], others: Sequence[Mapping[str, float]]
) -> float | None:
    if len(points) < FEWEST:
        return None
    rest = [sum(other[student] for other in others) for student in points]
    try:
        return correlation(list(points.values()), rest)
    except StatisticsError:  # everybody has the same
        return None
