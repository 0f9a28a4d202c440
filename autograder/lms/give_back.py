"""`autograder return`: the feedback pages in one zip, in the form that Canvas or Moodle imports."""

import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course_folders.course import Course
from autograder.course_folders.submissions import find
from autograder.feedback.renewed import renew
from autograder.files import in_one_step
from autograder.gradebook_io.grades import read
from autograder.lms.collect import collected
from autograder.nbgrader import by_hand, reasons
from autograder.nbgrader.assignment import notebooks
from autograder.nbgrader.stale import refuse_above, stale
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
      refused: whose page is of work before, as what came since cannot be graded, and why.
      stale: who was graded on other points or another date than now.
      unread: whose page has answers that a person is yet to read.
    """

    students: tuple[str, ...]
    renewed: tuple[str, ...]
    left: tuple[str, ...]
    older: tuple[str, ...]
    stale: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def give_back(
    system: str, chapter: str, *, root: Path, path: Path, anyway: bool = False
) -> GivenBack:
    """Write the zip of a chapter's feedback pages, those that are out of date made anew.

    Args:
      system: "canvas" or "moodle".
      root: the course's folder.
      path: the zip to write.
      anyway: write also pages with more points than there are.

    Raises:
      Problem: there is no page, none of a student whose submission was collected, or somebody has
        more points than there are.
    """
    course = Course(root)
    with course.environment():
        if not anyway and course.has_gradebook():
            refuse_above(course, [chapter])
        pages = _pages(course, chapter)
        known = collected(course, chapter)
        renewed = renew(course, chapter, {page.parent.parent.name for page in pages})
    if not pages:
        raise Problem(f"there is no feedback page of {chapter}: autograder grade {chapter} first")
    why = _why_not(course, chapter, known)
    sent, left = _sorted(system, chapter, pages, known, why)
    if not sent:
        raise Problem(
            f"nobody's {chapter} came with `autograder collect {system}`: {system} "
            "knows pages by the names of the files that it sent"
        )
    _write(path, {name: page for pages in sent.values() for name, page in pages.items()})
    with course.environment():
        older = [each for each in known if each in sent and _is_older(course, chapter, each)]
        return GivenBack(
            tuple(sent),
            tuple(each for each in renewed if each in sent),
            tuple(left),
            tuple(each for each in older if each not in why),
            stale=stale(course, chapter, sent),
            unread=_unread(course, chapter, sent),
            refused=tuple(f"{each}: {why[each]}" for each in older if each in why),
        )


def _pages(course: Course, chapter: str) -> list[Path]:
    """Return a chapter's feedback pages, but for students whom the settings leave out."""
    folder = course.folder("feedback", "*", chapter).parent.parent
    found = sorted(folder.glob(f"*/{chapter}/*.html"))
    return [page for page in found if page.parent.parent.name not in course.left_out]


def _why_not(course: Course, chapter: str, students: Iterable[str]) -> dict[str, str]:
    """Return why students' present work is not graded, where grading it again changes nothing."""
    found = {}
    with course.environment():
        names = notebooks(course, chapter)
        for each in find(course, chapter, list(students)):
            damage = reasons.of_files(each, names)
            kept = reasons.read(course, chapter, each)
            found[each.student] = f"{damage}: ask for it again" if damage else kept
    return {student: words for student, words in found.items() if words}


def _unread(course: Course, chapter: str, students: Collection[str]) -> tuple[str, ...]:
    """Return whose answers wait for a person."""
    with course.gradebook() as gradebook:
        grades = read(gradebook, [chapter], []).grades
    waiting = sorted(student for (_, student), grade in grades.items() if grade.waits)
    return tuple(student for student in waiting if student in students)


def _sorted(
    system: str,
    chapter: str,
    pages: Sequence[Path],
    known: Mapping[str, Mapping[str, str]],
    why: Mapping[str, str],
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
        reason = why.get(student) or f"there is no page: autograder grade {chapter}"
        left[student] = f"{student}: {reason}"
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
