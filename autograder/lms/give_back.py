"""`autograder return`: the feedback pages in one zip, in the form that Canvas or Moodle imports."""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.feedback.renewed import renew
from autograder.files import in_one_step
from autograder.lms.collect import collected
from autograder.nbgrader import by_hand
from autograder.nbgrader.course import Course
from autograder.nbgrader.submissions import find
from autograder.problem import Problem

_NAMES = {"canvas": "{prefix}_{page}", "moodle": "{prefix}_assignfeedback_file_{page}"}


@dataclass(frozen=True)
class GivenBack:
    """What a zip of pages holds.

    Attributes:
      students: whose pages are in it.
      renewed: whose pages were made anew first, as points or comments had changed.
      left: why others' are not in it.
      older: whose page is of work before, as what came since is not graded.
    """

    students: tuple[str, ...]
    renewed: tuple[str, ...]
    left: tuple[str, ...]
    older: tuple[str, ...]


def give_back(system: str, chapter: str, *, root: Path, path: Path) -> GivenBack:
    """Write the zip of a chapter's feedback pages, those that are out of date made anew.

    Args:
      system: "canvas" or "moodle".
      root: the course's folder.
      path: the zip to write.

    Raises:
      Problem: there is no page, or none of a student whose submission was collected.
    """
    course = Course(root)
    with course.environment():
        pages = sorted(
            course.folder("feedback", "*", chapter).parent.parent.glob(f"*/{chapter}/*.html")
        )
        known = collected(course, chapter)
        renewed = renew(course, chapter, {page.parent.parent.name for page in pages})
        older = [each for each in known if _is_older(course, chapter, each)]
    if not pages:
        raise Problem(f"there is no feedback page of {chapter}: autograder grade {chapter} first")
    sent, left = _sorted(system, chapter, pages, known)
    if not sent:
        raise Problem(
            f"nobody's {chapter} came with `autograder collect {system}`: {system} "
            "knows pages by the names of the files that it sent"
        )
    _write(path, {name: page for pages in sent.values() for name, page in pages.items()})
    renewed, older = (tuple(each for each in some if each in sent) for some in (renewed, older))
    return GivenBack(tuple(sent), renewed, tuple(left), older)


def _sorted(
    system: str, chapter: str, pages: Sequence[Path], known: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, dict[str, Path]], list[str]]:
    """Return by student the pages under the system's names, and why others' are left out."""
    sent, left = {}, {}
    for page in pages:
        student = page.parent.parent.name
        origin = known.get(student, {})
        if origin.get("system") == system:
            name = _NAMES[system].format(prefix=origin["prefix"], page=page.name)
            sent.setdefault(student, {})[name] = page
        else:
            left[student] = f"{student}: the work did not come with `autograder collect {system}`"
    for student in sorted(known.keys() - sent.keys() - left.keys()):
        left[student] = f"{student}: there is no page: autograder grade {chapter}"
    return sent, list(left.values())


def _write(path: Path, pages: Mapping[str, Path]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with in_one_step(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            archive.write(page, name)


def _is_older(course: Course, chapter: str, student: str) -> bool:
    """Tell whether what a student has handed in is not what was graded."""
    (submission,) = find(course, chapter, [student])
    now = submission.fingerprint_or_none()
    if now is None:
        return submission.folder.exists()
    graded = by_hand.works(course, chapter, student)
    return bool(graded) and graded != {now}
