"""Makes a student's feedback pages from the graded notebooks, without the hidden tests."""

import contextlib
import re
import shutil
from pathlib import Path

import nbformat
from nbconvert.exporters import Exporter
from nbconvert.writers import FilesWriter
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import GetGrades
from traitlets import Type

from autograder.course_folders.course import Course
from autograder.course_folders.submissions import FOR_EXCHANGE
from autograder.feedback.cells_as_html import cell_html
from autograder.feedback.hidden_tests import HideHiddenTests
from autograder.feedback.page_time import PageTime
from autograder.feedback.pictures import Pictures
from autograder.feedback.put_grades import Grades, fingerprint, recorded
from autograder.feedback.student_page import FeedbackExporter, page
from autograder.nbgrader.exporters import classes
from autograder.nbgrader.steps import publish, remove

# nbgrader_config.py names all but the first.
__all__ = ["Feedback", "FeedbackExporter", "Grades", "HideHiddenTests"]


_RECORD = re.compile(rb'<meta name="record" content="([0-9a-f]+)">')
_BEGINNING = 2_000  # bytes of a page, in which that stands
_NOBODY = {"student": "", "notebook": "", "score": 0, "max_score": 0, "late_penalty": 0}


class Feedback:
    """One run's feedback pages for one chapter, with the settings of GenerateFeedback."""

    def __init__(self, course: Course, chapter: str):
        self.course, self.chapter = course, chapter
        self.directory = course.directory(
            chapter, feedback_directory=course.staging(chapter).feedback_directory
        )
        self.converter = _FeedbackOfOne(coursedir=self.directory, parent=course.app)
        self._seconds = self.converter.exporter.seconds

    def is_current(self, student: str) -> bool:
        """Tell whether the pages of the student's notebooks say what the gradebook says.

        A page of another exporter does not say what it was made of: it counts as current.
        """
        final = self.course.folder("feedback", student, self.chapter)
        for name in (path.stem for path in self.course.graded_notebooks(self.chapter, student)):
            try:
                with (final / f"{name}.html").open("rb") as file:
                    made_of = _RECORD.search(file.read(_BEGINNING))
            except OSError:
                return False
            where = {"assignment": self.chapter, "notebook": name, "student": student}
            if made_of and made_of[1].decode() != self._record(where):
                return False
        return True

    def _record(self, where: dict[str, str]) -> str:
        return fingerprint(*recorded({"db_url": self.directory.db_url, **where}))

    def limits(self) -> tuple[float, int]:
        """Return the CPU time for a page's cells, and the megabytes that a page may take."""
        return self._seconds, self.converter.exporter.memory_megabytes

    def warm_up(self) -> None:
        """Lay out and keep the chapter's own text, which is most of every student's notebook.

        An empty page is made, too: a fork of this process need not read the template again.
        """
        page(nbformat.v4.new_notebook(), {"metadata": {}, "nbgrader": _NOBODY})
        allowance, pictures = PageTime(self._seconds), Pictures()
        for path in self.course.source_notebooks(self.chapter):
            with contextlib.suppress(Exception):  # grading says what is wrong with it
                for cell in nbformat.read(path, as_version=4).cells:
                    cell_html(cell, "", pictures, allowance)

    def learn_questions(self, student: str) -> None:
        """Ask the gradebook about one student, and forget the answers.

        SQLAlchemy keeps the questions that it has compiled, those about scores from the second
        time on. Else every fork of this process compiles them anew, which costs as much as the rest
        of a small page.
        """
        for path in self.course.graded_notebooks(self.chapter, student):
            where = {"assignment": self.chapter, "notebook": path.stem, "student": student}
            with contextlib.suppress(Exception):  # making the page says what is wrong
                for _ in range(2):
                    recorded({"db_url": self.directory.db_url, **where})

    def generate(self, student: str, *, seconds: float | None = None) -> None:
        """Write feedback/STUDENT/CHAPTER/ from autograded/ and the gradebook's scores.

        Args:
          seconds: of CPU time for the cells of a page; None takes the settings'.
        """
        self.converter.exporter.seconds = self._seconds if seconds is None else seconds
        self.directory.student_id = student
        step = self.directory.feedback_directory
        staged = Path(self.directory.format_path(step, student, self.chapter))
        remove(staged)
        notebooks = self.course.graded_notebooks(self.chapter, student)
        self.converter.write(self.chapter, student, list(map(str, notebooks)))
        publish(staged, self.course.folder("feedback", student, self.chapter))


class _FeedbackOfOne(GenerateFeedback):
    """nbgrader's own converter, one student at a time, with our page and hidden tests hidden."""

    exporter_class = Type(FeedbackExporter, klass=Exporter).tag(config=True)

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        for step in _steps(classes(self.preprocessors)):
            self.exporter.register_preprocessor(step)

    def write(self, chapter: str, student: str, notebooks: list[str]) -> None:
        self.notebooks = notebooks
        self.run_pre_convert_hook()
        # Other files are not copied: the page needs none, and they may be anything.
        for notebook in notebooks:
            self.convert_single_notebook(notebook)
        for name in FOR_EXCHANGE if notebooks else ():
            file = Path(notebooks[0]).with_name(name)
            if file.is_file():
                shutil.copyfile(file, Path(self._format_dest(chapter, student)) / name)
        self.set_permissions(chapter, student)
        self.run_post_convert_hook()


def _steps(steps: list[type]) -> list[type]:
    """Return the settings' preprocessors with ours added: an older file may not name them."""
    steps = [Grades if step is GetGrades else step for step in steps]
    return steps if HideHiddenTests in steps else [*steps, HideHiddenTests]
