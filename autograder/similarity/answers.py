"""The code that each student wrote for a chapter, and the text that all were given."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.marked_cells import mark_on
from autograder.nbgrader.course import Course
from autograder.nbgrader.submissions import find

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
    names = [path.stem for path in sorted(_folder(course, chapter).glob("*.ipynb"))]
    ours = [_folder(course, chapter) / f"{name}.ipynb" for name in names]
    found, unread = {}, []
    for submission in find(course, chapter):
        paths = [path for path in submission.notebooks() if path.stem in names]
        try:
            code = [text for path in paths for text in _code(path, answers_only=True)]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            unread.append(submission.student)
            continue
        if code:
            found[submission.student] = "\n\n".join(code) + "\n"
    return Answers(found, _given(ours), _given(ours, answers_only=True), tuple(unread))


def _given(paths: Sequence[Path], *, answers_only: bool = False) -> str:
    texts = [text for path in paths for text in _code(path, answers_only=answers_only)]
    return "\n\n".join(map(_without_solution, texts))


def _folder(course: Course, chapter: str) -> Path:
    """Return the folder of what students were given; the answers' own if that is missing."""
    release = course.folder("release", ".", chapter)
    return release if release.is_dir() else course.folder("source", ".", chapter)


def _code(path: Path, *, answers_only: bool = False) -> Iterator[str]:
    """Yield the text of a notebook's code cells; answers are those that may be changed."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        mark = mark_on(cell)
        text = "".join(cell["source"])
        if cell["cell_type"] == "code" and text.strip():
            if answers_only and mark.get("locked") and not mark.get("solution"):
                continue
            yield text


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
