"""An instructor's course as nbgrader sees it: its settings, its folders, its gradebook."""

import contextlib
import errno
import logging
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning
from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.utils import rmtree
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SAWarning
from traitlets import TraitError

from autograder.course_folders.old_gradebook import refuse_other
from autograder.printable import printable
from autograder.problem import Problem

_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_DATABASE_LOG = logging.getLogger("tornado.application")  # where nbgrader's Gradebook writes


class GradingError(Problem):
    """The chapter cannot be graded at all; the message says why and what to do."""


class Course:
    """The settings that plain `nbgrader autograde` would run with, in one folder.

    Args:
      root: the folder that holds nbgrader_config.py, source/ and submitted/.
      arguments: settings that go before those of nbgrader_config.py, as on a command line.

    Raises:
      GradingError: nbgrader_config.py cannot be read. nbgrader itself would carry on with its
        defaults, and grade by rules that the instructor did not write. Or nothing of a course is in
        the folder.
    """

    def __init__(self, root: Path, arguments: Sequence[str] = ()):
        self.config = root.resolve() / "nbgrader_config.py"
        self.app = AutogradeApp()
        self.app.raise_config_file_errors = True
        self.app.load_cwd_config = False  # only root's settings, wherever the command is run
        _silence(self.app.log)
        try:
            with _no_exit():
                self.app.initialize(list(arguments), root=str(root.resolve()))
        except Exception as error:
            raise GradingError(f"{root / 'nbgrader_config.py'} cannot be read: {error}") from error
        _silence(self.app.log)
        if not self.app.logfile:  # nobody would read dozens of lines for each submission
            self.app.log.setLevel(logging.ERROR)
        # A setting of CourseDirectory.root wins, as it does in nbgrader.
        self.root = Path(self.app.coursedir.root)
        self.is_trial = bool(arguments)  # what is done in it is not to stay
        self._refuse_other_folders()

    def _refuse_other_folders(self) -> None:
        """Raise GradingError where nothing of a course is: a gradebook would be begun there."""
        submitted = self.folder("submitted", "STUDENT", "CHAPTER").parent.parent
        places = (self.config, self.folder("source", ".", "CHAPTER").parent, submitted)
        if any(place.exists() for place in places) or self.has_gradebook():
            return
        above = [folder for folder in self.root.parents if (folder / self.config.name).is_file()]
        course = above[0] if above else "FOLDER"
        raise GradingError(
            f"{self.root} is no course: neither {self.config.name} nor source/ nor submitted/ is "
            f"there. Go to the course's folder, or name it: autograder --root {course} …"
        )

    @property
    def left_out(self) -> frozenset[str]:
        """The students whom the setting CourseDirectory.student_id_exclude leaves out."""
        return left_out(self.app.coursedir)

    def directory(self, chapter: str, **settings: str) -> CourseDirectory:
        """Return nbgrader's folders for one chapter, `settings` changed."""
        return CourseDirectory(
            parent=self.app, **{"root": str(self.root), "assignment_id": chapter, **settings}
        )

    def staging(self, chapter: str) -> CourseDirectory:
        """Return the folders of unfinished work. They lie beside the finished work for a rename."""
        final = self.app.coursedir
        return self.directory(
            chapter,
            submitted_directory=f"{final.autograded_directory}/.taken_{chapter}",
            autograded_directory=f"{final.autograded_directory}/.staging_{chapter}",
            feedback_directory=f"{final.feedback_directory}/.staging_{chapter}",
        )

    def try_staging(self, chapter: str) -> None:
        """Remove unfinished work, and see that there is a place for new.

        Raises:
          GradingError: the folders of graded work cannot be written to.
        """
        for folder in self._staged(chapter):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                rmtree(str(folder))
            except OSError as error:
                if error.errno not in _READ_ONLY:
                    raise
                raise GradingError(
                    f"{folder.parent} cannot be written to ({error.strerror}): nothing was graded. "
                    "Make the course's folder writable, then run the command again"
                ) from error

    def clear_staging(self, chapter: str) -> None:
        """Remove unfinished work, also that of a killed run."""
        for folder in self._staged(chapter):
            if folder.exists():
                rmtree(str(folder))

    def _staged(self, chapter: str) -> list[Path]:
        directory, steps = self.staging(chapter), ("submitted", "autograded", "feedback")
        return [self.root / getattr(directory, f"{step}_directory") for step in steps]

    def folder(self, step: str, student: str, chapter: str) -> Path:
        """Return nbgrader's folder for one step: source, submitted, autograded or feedback."""
        name = getattr(self.app.coursedir, f"{step}_directory")
        return Path(os.path.normpath(self.app.coursedir.format_path(name, student, chapter)))

    def source_notebooks(self, chapter: str) -> list[Path]:
        """Return a chapter's notebooks in source/, by name."""
        return sorted(self.folder("source", ".", chapter).glob("*.ipynb"))

    def graded_notebooks(self, chapter: str, student: str) -> list[Path]:
        """Return a student's notebooks in autograded/, by name."""
        return sorted(self.folder("autograded", student, chapter).glob("*.ipynb"))

    def read_graded(self, chapter: str, student: str) -> dict[str, NotebookNode]:
        """Return a student's notebooks in autograded/, read, by name."""
        paths = self.graded_notebooks(chapter, student)
        return {path.stem: nbformat.read(path, as_version=4) for path in paths}

    def gradebook(self) -> Gradebook:
        """Open nbgrader's database; the caller closes it (`with`)."""
        return Gradebook(self.app.coursedir.db_url, self.app.coursedir.course_id)

    def has_gradebook(self) -> bool:
        """Tell whether there is a database: nbgrader would make an empty one to look."""
        url = make_url(self.app.coursedir.db_url)
        return not url.drivername.startswith("sqlite") or Path(url.database or "").is_file()

    def refuse_without_gradebook(self, chapter: str = "CHAPTER") -> None:
        """Raise GradingError if there is no database, with the command that makes it."""
        if not self.has_gradebook():
            name = make_url(self.app.coursedir.db_url).database
            first = f"run `autograder grade {chapter}` first"
            raise GradingError(f"there is no gradebook {name}: {first}")

    @contextlib.contextmanager
    def environment(self) -> Iterator[None]:
        """Run as nbgrader does: in the course's folder, with the variable that kernels can read.

        Raises:
          Problem: the gradebook is of another nbgrader.
        """
        refuse_other(self.app.coursedir.db_url, self.root)
        before, folder, level = dict(os.environ), Path.cwd(), _DATABASE_LOG.level
        version, api.get_alembic_version = api.get_alembic_version, _newest_version
        # nbgrader starts programs by name: they must be found when this venv is not activated.
        programs = str(Path(sys.executable).parent)
        os.environ["PATH"] = os.pathsep.join([programs, before.get("PATH", os.defpath)])
        os.environ["NBGRADER_EXECUTION"] = "autograde"
        os.chdir(self.root)
        _DATABASE_LOG.setLevel(logging.CRITICAL + 1)  # the error itself says what went wrong
        try:
            with warnings.catch_warnings():
                # Warnings of nbgrader's own queries and cells; no instructor can act on them.
                warnings.simplefilter("ignore", SAWarning)
                warnings.simplefilter("ignore", MissingIDFieldWarning)
                warnings.simplefilter("ignore", DuplicateCellId)
                yield
        finally:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(before)
            api.get_alembic_version = version
            _DATABASE_LOG.setLevel(level)
            self.app.deinit_logging()


@contextlib.contextmanager
def wrong_settings_named() -> Iterator[None]:
    """Turn what nbgrader raises of a setting that it cannot use into a GradingError."""
    try:
        yield
    except (TraitError, TypeError, ImportError) as error:
        raise GradingError(f"a setting of nbgrader_config.py is wrong: {error}") from error


def left_out(directory: CourseDirectory) -> frozenset[str]:
    """Return the students whom the setting student_id_exclude leaves out."""
    return frozenset(filter(None, directory.student_id_exclude.split(",")))


def _newest_version() -> str:
    """Return the output of `alembic heads`, for which nbgrader starts another Python."""
    from alembic.script import ScriptDirectory  # only a new gradebook asks for it

    return ScriptDirectory(ALEMBIC_DIR).get_heads()[0]


def _silence(log: logging.Logger) -> None:
    """Keep nbgrader's log off the terminal; a log file in the settings is still written."""
    for handler in log.handlers:
        if not isinstance(handler, logging.FileHandler):
            handler.setLevel(logging.CRITICAL + 1)
        elif not isinstance(handler.formatter, _Printable):
            handler.setFormatter(_Printable(handler.formatter or logging.Formatter()))


class _Printable(logging.Formatter):
    """Makes another formatter's lines printable: a log is read at a terminal, too."""

    def __init__(self, formatter: logging.Formatter):
        super().__init__()
        self._formatter = formatter

    def format(self, record: logging.LogRecord) -> str:
        return printable(self._formatter.format(record), lines=True)


@contextlib.contextmanager
def _no_exit() -> Iterator[None]:
    """Turn the exit that nbgrader's start-up takes on a wrong setting into an error."""
    try:
        yield
    except SystemExit as error:
        raise ValueError(error.__context__ or "nbgrader stopped") from error
