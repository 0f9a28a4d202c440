"""The code that each student wrote for a chapter, and the text that all were given."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course_folders.course import Course
from autograder.course_folders.submissions import find
from autograder.marked_cells import mark_on

_STUB = "raise NotImplementedError()"  # nbgrader puts it in place of an answer


@dataclass(frozen=True)
class Answers:
    """A class's answers to a chapter, as code.

    Attributes:
      students: by name, the code of their answers.
      given: the code that everybody was given.
      unanswered: the code of one who has changed nothing, put together as the students' is.
      unread: students whose notebooks cannot be read.
    """

    students: dict[str, str]
    given: str
    unanswered: str = ""
    unread: tuple[str, ...] = ()


def answers(course: Course, chapter: str) -> Answers:
    """Read what was handed in. Nothing is executed."""
    released = sorted(_folder(course, chapter).glob("*.ipynb"))
    names = {path.stem for path in released}
    given = [
        (_without_solution(text), is_answer) for path in released for text, is_answer in _code(path)
    ]
    found, unread = {}, []
    for submission in find(course, chapter):
        paths = [path for path in submission.notebooks() if path.stem in names]
        try:
            code = [text for path in paths for text, is_answer in _code(path) if is_answer]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            unread.append(submission.student)
            continue
        if code:
            found[submission.student] = "\n\n".join(code) + "\n"
    whole = "\n\n".join(text for text, _ in given)
    unanswered = "\n\n".join(text for text, is_answer in given if is_answer)
    return Answers(found, whole, unanswered, tuple(unread))


def _folder(course: Course, chapter: str) -> Path:
    """Return the folder of what students were given; the answers' own if that is missing."""
    release = course.folder("release", ".", chapter)
    return release if release.is_dir() else course.folder("source", ".", chapter)


def _code(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the text of a notebook's code cells, and whether it is an answer: it may be changed."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        mark, text = mark_on(cell), "".join(cell["source"])
        if cell["cell_type"] == "code" and text.strip():
            yield text, bool(mark.get("solution") or not mark.get("locked"))


def _without_solution(text: str) -> str:
    """Return an instructor's cell as students are given it."""
    kept, inside = [], False
    for line in text.splitlines():
        if line.strip().startswith("### BEGIN SOLUTION"):
            kept.append(line.replace("### BEGIN SOLUTION", _STUB))
        inside = inside or line.strip().startswith("### BEGIN ")
        if not inside:
            kept.append(line)
        inside = inside and not line.strip().startswith("### END ")
    return "\n".join(kept)
