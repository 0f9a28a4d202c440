"""The marks of a group: its work is graded once, and each member has the same marks and notebook.

A person may give points on any member's row. What was there at the last grading is kept, so that it
is known which row a person has changed.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nbgrader.api import Comment, Grade, Gradebook, MissingEntry, SubmittedAssignment

from autograder.course_folders.course import Course
from autograder.course_folders.groups import Group, Groups
from autograder.files import write_whole

_FIELDS = {Grade: ("manual_score", "extra_credit"), Comment: ("manual_comment",)}
_Row = Grade | Comment


class _Pair(NamedTuple):
    """The rows of one cell: the sender's, and another member's."""

    key: str
    ours: _Row
    theirs: _Row


class GroupMarks:
    """Gives the marks of a chapter's groups to all of their members."""

    def __init__(self, course: Course, chapter: str, groups: Groups):
        self._course, self._chapter, self._groups = course, chapter, groups
        graded = course.folder("autograded", "STUDENT", chapter).parent.parent
        self._path = graded / f".groups_{chapter}.json"

    def others(self, sender: str) -> tuple[str, ...]:
        """Return the members who have their marks from this one's work."""
        group = self._groups.of.get(sender)
        return group.others if group else ()

    def collect(self) -> list[str]:
        """Bring points and comments by hand to the sender's row; say where two differ."""
        said = []
        for group in self._groups.of.values():
            for other in group.others:
                said += self._collect(group, other)
        return said

    def _collect(self, group: Group, other: str) -> list[str]:
        last, differing = self._last().get(other, {}), []
        with self._course.gradebook() as gradebook:
            for pair in _pairs(gradebook, self._chapter, group.sender, other):
                ours, theirs = _given(pair.ours), _given(pair.theirs)
                if theirs in (ours, last.get(pair.key)) or not any(_are(theirs)):
                    continue
                if ours == last.get(pair.key) or not any(_are(ours)):
                    _copy(pair.theirs, pair.ours)
                else:
                    differing.append(pair.key.split("/", 2)[2])
            gradebook.db.commit()
        return [
            f"group {group.name}: {group.sender} and {other} were given different points or words "
            f"by hand, and {group.sender}'s count for all: {', '.join(differing)}"
        ] * bool(differing)

    def give(self, sender: str, other: str) -> bool:
        """Give a member the marks and notebooks of the sender; return whether any are new."""
        with self._course.gradebook() as gradebook:
            ours = gradebook.find_submission(self._chapter, sender)
            gradebook.update_or_create_student(other)
            theirs = gradebook.update_or_create_submission(
                self._chapter, other, timestamp=ours.timestamp
            )
            _give_times(ours, theirs)
            given = {}
            for pair in _pairs(gradebook, self._chapter, sender, other):
                _copy(pair.ours, pair.theirs)
                given[pair.key] = _given(pair.ours)
            gradebook.db.commit()
        self._keep(other, given)
        return self._give_notebooks(sender, other)

    def _give_notebooks(self, sender: str, other: str) -> bool:
        ours, theirs = (
            self._course.folder("autograded", each, self._chapter) for each in (sender, other)
        )
        if _content(ours) == _content(theirs):
            return False
        shutil.rmtree(theirs, ignore_errors=True)
        shutil.copytree(ours, theirs)
        return True

    def _last(self) -> dict[str, dict[str, list]]:
        try:
            return json.loads(self._path.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}

    def _keep(self, other: str, given: dict[str, list]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps({**self._last(), other: given}).encode())


def _pairs(gradebook: Gradebook, chapter: str, sender: str, other: str) -> Iterator[_Pair]:
    """Yield the rows of each cell that both members have."""
    try:
        ours, theirs = (_rows(gradebook, chapter, each) for each in (sender, other))
    except MissingEntry:  # one of them is not graded yet
        return
    for key in sorted(ours.keys() & theirs.keys()):
        yield _Pair(key, ours[key], theirs[key])


def _rows(gradebook: Gradebook, chapter: str, student: str) -> dict[str, _Row]:
    notebooks = gradebook.find_submission(chapter, student).notebooks
    return {
        f"{type(row).__name__}/{notebook.name}/{row.name}": row
        for notebook in notebooks
        for row in (*notebook.grades, *notebook.comments)
    }


def _given(row: _Row) -> list:
    """Return what a person has given: points and extra credit, or a comment."""
    return [getattr(row, name) for name in _FIELDS[type(row)]]


def _are(given: Sequence) -> list[bool]:
    return [each is not None and each != "" for each in given]


def _copy(one: _Row, to: _Row) -> None:
    for name in _FIELDS[type(one)]:
        setattr(to, name, getattr(one, name))
    if isinstance(one, Grade):
        to.auto_score, to.needs_manual_grade = one.auto_score, one.needs_manual_grade
    else:
        to.auto_comment = one.auto_comment


def _give_times(ours: SubmittedAssignment, theirs: SubmittedAssignment) -> None:
    """Give a member the penalty and the extension of the sender."""
    theirs.extension = ours.extension
    penalties = {each.name: each.late_submission_penalty for each in ours.notebooks}
    for each in theirs.notebooks:
        each.late_submission_penalty = penalties.get(each.name)


def _content(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
