"""The mark that nbgrader puts into a cell's metadata."""


def mark(grade_id: str, *, points: float | None = None, solution: bool = False) -> dict:
    """Return the metadata of a cell: of an answer, of a test with points, or of both in one."""
    return {
        "nbgrader": {
            "grade": points is not None,
            "grade_id": grade_id,
            "locked": not solution,
            "schema_version": 3,
            "solution": solution,
            "task": False,
            **({} if points is None else {"points": points}),
        }
    }
