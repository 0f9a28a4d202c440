"""nbgrader's marks in an instructor's notebook: in a cell's metadata, and around its lines."""


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


def solved(signature: str, body: str) -> str:
    """Return a function in which nbgrader knows the answer: students get the signature alone."""
    return f"{signature}\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"


def hidden(tests: str) -> str:
    """Return tests that nbgrader keeps from students."""
    return f"### BEGIN HIDDEN TESTS\n{tests}\n### END HIDDEN TESTS"
