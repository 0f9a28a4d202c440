"""What a zip's work would replace in submitted/: only what is known to be older, or is named."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from autograder.files import fingerprint_of
from autograder.lms.handed_in import STAMP, HandedIn
from autograder.nbgrader.terms import SHOWN

_TIME = "%Y-%m-%d %H:%M:%S UTC"  # as nbgrader writes it


@dataclass(frozen=True)
class Standing:
    """One student's work of a zip beside what is in submitted/.

    Attributes:
      files: all that would be written.
      write: whether it is.
      words: what happens to what is there; "" if nothing does.
      older: whether the zip's work is known to be the older one.
    """

    files: Mapping[str, bytes]
    write: bool
    words: str = ""
    older: bool = False

    @property
    def stays(self) -> bool:
        """Tell whether other work that is there stays."""
        return not self.write and bool(self.words)


def standing(
    folder: Path,
    handed_in: HandedIn,
    time: datetime | None,
    record: Mapping[str, object],
    named: Collection[str],
) -> Standing:
    """Return what would become of a student's work.

    Args:
      folder: where it belongs.
      time: when it was handed in, if that is known.
      record: what the last `collect` noted of this student: `digest` and `order`.
      named: the students whose work is replaced, whatever is known of its time.
    """
    files = _files(handed_in, time)
    there = files_in(folder)
    # The same work without a time leaves the time that is known.
    if files == {name: each for name, each in there.items() if time or name != STAMP}:
        return Standing(files, write=False)
    if not there:
        return Standing(files, write=True)
    shown = _version(folder, there)
    if handed_in.student in named:
        return Standing(files, write=True, words=f"REPLACES {shown}, as --replace says")
    words = _why_not(folder, there, handed_in, time, record)
    if words:
        return Standing(files, False, words.format(shown), older=words == _NEWER)
    return Standing(files, write=True, words=f"replaces {shown}")


def _files(handed_in: HandedIn, time: datetime | None) -> dict[str, bytes]:
    # A student's own timestamp.txt would say when the work came.
    files = {name: content for name, content in handed_in.files.items() if name != STAMP}
    if time:
        files[STAMP] = f"{time.astimezone(UTC):{_TIME}}\n".encode()
    return files


def _why_not(
    folder: Path,
    there: Mapping[str, bytes],
    handed_in: HandedIn,
    time: datetime | None,
    record: Mapping[str, object],
) -> str:
    """Return why this is not taken, with a place for what is there; "" if it is known as newer."""
    order = handed_in.newest.order
    if order and record.get("order") and record.get("digest") == digest(there):
        if order > int(str(record["order"])):
            return ""
        return _NEWER if order < int(str(record["order"])) else _ASK
    before = _time_of(there) or (_changed(folder) if time else None)
    if time is None or before is None:
        return _ASK
    return _NEWER if before > time else ""


_NEWER = "not taken: {} in submitted/ is newer"
_ASK = (
    "NOT TAKEN: {} lies in submitted/, and which is newer is not known; "
    "--replace STUDENT takes this one"
)


def _version(folder: Path, there: Mapping[str, bytes]) -> str:
    """Return in words what is there."""
    time = _time_of(there)
    if time:
        return f"the version of {time:{SHOWN}}"
    return f"another version (no time; the file's own: {_changed(folder):{SHOWN}})"


def _time_of(there: Mapping[str, bytes]) -> datetime | None:
    """Return when the work that is there was handed in, if that is known."""
    try:
        return parse_utc(there[STAMP].decode("utf-8").strip()).replace(tzinfo=UTC)
    except (KeyError, ValueError, OverflowError):
        return None


def _changed(folder: Path) -> datetime:
    """Return when the newest file of a folder was last changed."""
    times = [path.stat().st_mtime for path in folder.rglob("*") if path.is_file()]
    return datetime.fromtimestamp(max(times, default=0), UTC)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that may be missing, by path."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def digest(files: Mapping[str, bytes]) -> str:
    """Return a hash of files without their time: another one means that somebody changed them."""
    return fingerprint_of((name, files[name]) for name in sorted(files.keys() - {STAMP}))
