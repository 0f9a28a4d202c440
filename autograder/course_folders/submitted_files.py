"""The check of a submission's files before any is opened: only plain files, within limits.

Links, pipes and devices are refused. A pipe never ends when it is read, and a link leads to
whatever the instructor may read: the gradebook, the answers, another student's work.
"""

import os
import stat
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from traitlets import Float, Integer
from traitlets.config import Configurable

from autograder.course_folders.course import Course
from autograder.printable import printable

_DEEPEST = 30  # nested folders; some steps walk them recursively
_LONGEST = 500  # characters of a reason
# A link that has replaced a file is not followed, a pipe is not waited for.
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PART = 1 << 20  # bytes


class UnreadableError(Exception):
    """A submission cannot be graded; the message says why in a sentence for the instructor."""

    def __init__(self, reason: str):
        super().__init__(printable(reason)[:_LONGEST])


class SubmittedFiles(Configurable):
    """The limits on a submission's files, which are settings.

    Args:
      course: the course; no file of a submission may be a hard link to its own files.
      chapter: the chapter; no file of a submission may clash with its files in source/.
    """

    megabytes = Float(100, min=0, help="The most that one submission may hold.").tag(config=True)
    files = Integer(10_000, min=1, help="The most files and folders in it.").tag(config=True)
    cells = Integer(10_000, min=1, help="The most cells in one of its notebooks.").tag(config=True)

    def __init__(self, course: Course | None = None, chapter: str = "", **kwargs):
        super().__init__(parent=course.app if course else None, **kwargs)
        self._course = course
        self._source = course.folder("source", ".", chapter) if course else None

    def check(self, folder: Path) -> None:
        """Look at everything in `folder`; open nothing.

        Raises:
          UnreadableError: something there is not a plain file, or there is too much.
        """
        for _ in self._checked(folder):
            pass

    def copy(self, folder: Path, to: Path) -> None:
        """Copy everything in `folder` to the new folder `to`.

        Raises:
          UnreadableError: as `check`; or a file changes or grows meanwhile.
        """
        to.mkdir(parents=True)
        left = int(self.megabytes * 1e6)
        for path, status in self._checked(folder):
            place = to / path.relative_to(folder)
            if stat.S_ISDIR(status.st_mode):
                place.mkdir(parents=True, exist_ok=True)
            else:
                left -= _copy(path, status, place, most=left)

    def _checked(self, folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield everything in `folder` once it has been checked, a folder before its contents.

        Raises:
          UnreadableError: as `check`.
        """
        size = 0
        for number, (path, status) in enumerate(_everything(folder, self._refuse_odd)):
            if number >= self.files:
                raise UnreadableError(f"more than {self.files} files were handed in")
            name = path.relative_to(folder)
            if status.st_nlink > 1 and (status.st_dev, status.st_ino) in self._protected:
                raise UnreadableError(f"{name} is another name of a file of the course")
            if not os.access(path, os.R_OK):
                raise UnreadableError(f"{name} may not be read: its permissions forbid it")
            self._refuse_clash(path.relative_to(folder), stat.S_ISDIR(status.st_mode))
            size += status.st_size
            if size > self.megabytes * 1e6:
                raise UnreadableError(
                    f"the files are larger than {self.megabytes:g} megabytes, from {name} on"
                )
            yield path, status

    def _refuse_odd(self, name: str, status: os.stat_result, depth: int) -> None:
        if stat.S_ISLNK(status.st_mode):
            raise UnreadableError(f"{name} is a link to another file, not a file")
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            raise UnreadableError(f"{name} is a pipe, a socket or a device, not a file")
        if depth > _DEEPEST:
            top = name.partition("/")[0]
            raise UnreadableError(f"{top} holds folders more than {_DEEPEST} deep")

    def _refuse_clash(self, path: Path, is_folder: bool) -> None:
        """Refuse a folder where the course has a file, and a file where it has a folder."""
        ours = self._source / path if self._source else None
        if ours is None or path.suffix == ".ipynb":  # nbgrader copies no notebook of source/
            return
        if ours.is_file() if is_folder else ours.is_dir():
            kinds = ("a folder", "a file") if is_folder else ("a file", "a folder")
            raise UnreadableError(f"{path} is {kinds[0]}; in the course it is {kinds[1]}")

    @cached_property
    def _protected(self) -> set[tuple[int, int]]:
        """The gradebook, the settings and the answers, by device and inode, as hard links share."""
        if self._course is None:
            return set()
        source = self._course.folder("source", ".", "*").parent
        database = self._course.app.coursedir.db_url.removeprefix("sqlite:///")
        paths = [*source.rglob("*.ipynb"), Path(database), *self._course.root.glob("*.py")]
        found = [path.stat() for path in paths if path.is_file()]
        return {(status.st_dev, status.st_ino) for status in found}


def _everything(
    folder: Path, refuse: Callable[[str, os.stat_result, int], None]
) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield everything below a folder; a link is never followed."""
    refuse("the submission's folder", folder.lstat(), 0)
    waiting = [(folder, 1)]
    while waiting:
        above, depth = waiting.pop()
        try:
            entries = sorted(above.iterdir())
        except OSError as error:
            name = above.relative_to(folder)
            reason = f"the folder {name} cannot be opened: {error.strerror}"
            raise UnreadableError(reason) from error
        for path in entries:
            status = path.lstat()
            refuse(str(path.relative_to(folder)), status, depth)
            if stat.S_ISDIR(status.st_mode):
                waiting.append((path, depth + 1))
            yield path, status


def _copy(path: Path, status: os.stat_result, to: Path, *, most: int) -> int:
    """Copy a file that has been checked; return its size.

    Raises:
      UnreadableError: it is another file by now, it cannot be read, or it is larger than `most`.
    """
    try:
        source = os.open(path, _OPEN)
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be opened: {error.strerror}") from error
    with open(source, "rb") as file, to.open("wb") as copied:  # noqa: PTH123, a descriptor
        found = os.fstat(source)
        if (found.st_dev, found.st_ino, found.st_mode) != (
            status.st_dev,
            status.st_ino,
            status.st_mode,
        ):
            raise UnreadableError(f"{path.name} was changed while it was read: grade it again")
        size = 0
        while part := file.read(_PART):
            size += len(part)
            if size > most:
                raise UnreadableError(f"{path.name} grows while it is read")
            copied.write(part)
    to.chmod(stat.S_IMODE(status.st_mode) & 0o777 | stat.S_IRUSR | stat.S_IWUSR)
    return size


def is_utf8(name: str) -> bool:
    """Tell whether a name from the file system can be written anywhere else."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
