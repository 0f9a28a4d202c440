"""The code and the words that each student wrote for a chapter, and what all were given."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.submissions import find
from autograder.marked_cells import mark_on

_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
_STUB = "raise NotImplementedError()"  # nbgrader puts it in place of an answer


@dataclass(frozen=True)
class Answers:
    """A class's answers to a chapter.

    Attributes:
      students: by name, the code of their answers.
      given: the code that everybody was given.
      unanswered: the code of one who has changed nothing, put together as the students' is.
      unread: students whose notebooks cannot be read.
      words: by name, the text that they wrote in words; without it where there is none.
      given_words: the texts that everybody was given.
      earlier: the names among `students` and `words` that are of earlier terms.
    """

    students: dict[str, str]
    given: str
    unanswered: str = ""
    unread: tuple[str, ...] = ()
    words: dict[str, str] = field(default_factory=dict)
    given_words: tuple[str, ...] = ()
    earlier: frozenset[str] = frozenset()


def answers(course: Course, chapter: str) -> Answers:
    """Read what was handed in. Nothing is executed."""
    released = sorted(_folder(course, chapter).glob("*.ipynb"))
    names = {path.stem for path in released}
    given = [
        (_without_solution(text), is_answer) for path in released for text, is_answer in _code(path)
    ]
    texts = [text for path in released for text in _words(path)]
    found, words, unread = {}, {}, []
    for submission in find(course, chapter):
        paths = [path for path in submission.notebooks() if path.stem in names]
        try:
            code, said = _own(paths, texts)
        except _UNREADABLE:
            unread.append(submission.student)
            continue
        found |= {submission.student: code} if code else {}
        words |= {submission.student: said} if said else {}
    whole = "\n\n".join(text for text, _ in given)
    unanswered = "\n\n".join(text for text, is_answer in given if is_answer)
    return Answers(found, whole, unanswered, tuple(unread), words, tuple(texts))


def with_earlier(given: Answers, chapter: str, folders: Sequence[Path]) -> Answers:
    """Return a class's answers, with those of earlier terms as TERM/STUDENT.

    Args:
      folders: of an earlier course each, or of what was handed in there. What its students were
        given then is known where its release/ or source/ is there, too.

    Raises:
      GradingError: nobody's work of the chapter is in a folder.
    """
    for folder in folders:
        course = folder.parent if folder.name == "submitted" else folder
        released = _released(course, chapter)
        code = [_without_solution(text) for path in released for text, _ in _code(path)]
        texts = [text for path in released for text in _words(path)]
        given = replace(
            given,
            given="\n\n".join([given.given, *code]),
            given_words=(*given.given_words, *texts),
        )
        for name, place in _works(folder, course.name, chapter).items():
            with contextlib.suppress(*_UNREADABLE):  # nobody can ask for it again
                own, said = _own(sorted(place.glob("*.ipynb")), given.given_words)
                given = replace(
                    given,
                    students=given.students | ({name: own} if own else {}),
                    words=given.words | ({name: said} if said else {}),
                    earlier=given.earlier | {name},
                )
    return given


def _works(folder: Path, term: str, chapter: str) -> dict[str, Path]:
    """Return the folders of an earlier term's work in a chapter, by TERM/STUDENT."""
    for above in (folder / "submitted", folder):
        if found := sorted(above.glob(f"*/{chapter}/")):
            return {f"{term}/{place.parent.name}": place for place in found}
    raise GradingError(
        f"{folder} has no work of {chapter}: neither submitted/STUDENT/{chapter} nor "
        f"STUDENT/{chapter} is there"
    )


def _released(course: Path, chapter: str) -> list[Path]:
    """Return the notebooks that an earlier term's students were given; none where they are gone."""
    folders = [course / step / chapter for step in ("release", "source")]
    return next((found for each in folders if (found := sorted(each.glob("*.ipynb")))), [])


def _own(paths: Iterable[Path], given: Iterable[str]) -> tuple[str, str]:
    """Return the code of a student's answers, and what the student wrote in words."""
    paths, known = list(paths), {" ".join(each.split()) for each in given}
    code = [text for path in paths for text, is_answer in _code(path) if is_answer]
    said = [text for path in paths for text in _words(path) if " ".join(text.split()) not in known]
    return "".join(["\n\n".join(code), "\n"]) if code else "", "\n\n".join(said)


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


def _words(path: Path) -> Iterator[str]:
    """Yield the texts of a notebook's cells that are no code."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code" and text.strip():
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
