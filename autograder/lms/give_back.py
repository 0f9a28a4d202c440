"""`autograder return`: the feedback pages in one zip, in the form that Canvas or Moodle imports."""

import zipfile
from pathlib import Path

from autograder.lms.collect import collected
from autograder.nbgrader.course import Course
from autograder.problem import Problem

_NAMES = {"canvas": "{prefix}_{page}", "moodle": "{prefix}_assignfeedback_file_{page}"}


def give_back(system: str, chapter: str, *, root: Path, path: Path) -> tuple[list[str], list[str]]:
    """Write the zip of a chapter's feedback pages.

    Args:
      system: "canvas" or "moodle".
      root: the course's folder.
      path: the zip to write.

    Returns:
      The students whose pages are in it, and why others' are not.

    Raises:
      Problem: there is no page, or none of a student whose submission was collected.
    """
    course = Course(root)
    with course.environment():
        pages = sorted(
            course.folder("feedback", "*", chapter).parent.parent.glob(f"*/{chapter}/*.html")
        )
        known = collected(course, chapter)
    if not pages:
        raise Problem(f"there is no feedback page of {chapter}: autograder grade {chapter} first")
    sent, left = {}, {}
    for page in pages:
        student = page.parent.parent.name
        origin = known.get(student, {})
        if origin.get("system") == system:
            name = _NAMES[system].format(prefix=origin["prefix"], page=page.name)
            sent.setdefault(student, {})[name] = page
        else:
            left[student] = f"{student}: the work did not come with `autograder collect {system}`"
    if not sent:
        raise Problem(
            f"nobody's {chapter} came with `autograder collect {system}`: {system} "
            "knows pages by the names of the files that it sent"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in (each for pages in sent.values() for each in pages.items()):
            archive.write(page, name)
    unfinished.replace(path)
    return list(sent), list(left.values())
