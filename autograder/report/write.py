"""`autograder report`: a page and a table on how a class did in one chapter."""

from pathlib import Path

from autograder.course_folders.course import Course
from autograder.files import write_whole
from autograder.nbgrader.by_hand import renew_penalties
from autograder.report.class_page import page
from autograder.report.regrade_requests import path_of, requests
from autograder.report.spreadsheet import csv_text
from autograder.report.student_rows import collect
from autograder.report.sums import total
from autograder.similarity.found import read


def report(chapter: str, *, root: Path) -> list[Path]:
    """Write reports/CHAPTER.html and reports/CHAPTER.csv from the results of grading.

    It reads the gradebook, autograded/ and submitted/, and executes nothing. Late penalties are
    taken of the points by hand, too.

    Args:
      chapter: the assignment's name, for example "03_laplace".
      root: the course's folder.

    Returns:
      The two files; and the list of requests for a second look, where there is one.

    Raises:
      GradingError: the settings are wrong, or nothing of this chapter has been graded.
    """
    course = Course(root)
    with course.environment():
        renew_penalties(course, chapter)
        data = collect(course, chapter)
        alike = read(course, chapter)
    folder = course.root / "reports"
    folder.mkdir(exist_ok=True)
    asked = requests(course, data)
    text = page(total(data), alike, asked)
    written = [
        write_whole(folder / f"{chapter}.html", text.encode("utf-8")),
        # With the byte order mark, so that a spreadsheet reads names with accents.
        write_whole(folder / f"{chapter}.csv", csv_text(data).encode("utf-8-sig")),
    ]
    return written + ([path_of(course, chapter)] if asked is not None else [])
