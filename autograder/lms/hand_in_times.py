"""When each submission of a zip was handed in, and whether that was late."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nbgrader.api import MissingEntry

from autograder.course_folders.course import Course
from autograder.lms.handed_in import HandedIn
from autograder.nbgrader.terms import JUST_LATE, SHOWN
from autograder.problem import Problem

_AT_ONCE = timedelta(minutes=10)


def zone_of(name: str | None) -> tzinfo | None:
    """Return a time zone; None for this machine's.

    Raises:
      Problem: there is none of this name.
    """
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise Problem(f"{name} is no time zone like Europe/Oslo") from error


def due_date(course: Course, chapter: str) -> datetime | None:
    """Return when a chapter is due; None if the gradebook has no date."""
    with course.gradebook() as gradebook:
        try:
            due = gradebook.find_assignment(chapter).duedate
        except MissingEntry:
            return None
    return due.replace(tzinfo=UTC) if due else None


class Times:
    """The times of a zip's files.

    Canvas gives all files the time of the download; then nobody's time is known.

    Attributes:
      note: what to know of them, or "".
    """

    def __init__(
        self, system: str, due: datetime | None, zone: tzinfo | None, all_of: Sequence[HandedIn]
    ):
        self._system, self._due, self._zone = system, due, zone
        stamps = [each.newest.entry.time for each in all_of]
        self._known = len(stamps) < 2 or max(stamps) - min(stamps) >= _AT_ONCE
        self.note = ""
        if not self._known:
            self.note = (
                "All files bear the time at which the zip was made or unpacked: nobody's is known."
            )
            self.note += " Canvas says who is late." if system == "canvas" else ""

    def of(self, handed_in: HandedIn) -> tuple[datetime | None, str]:
        """Return the time to write for a submission, and what to say of it.

        Canvas's own word on who is late counts.
        """
        due, late = self._due, handed_in.newest.late
        time = self._utc(handed_in.newest.entry.time) if self._known else None
        shown = f"{time:{SHOWN}}" if time else "no time"
        after = bool(due and time and time > due)
        if late and due and not after:
            return due + JUST_LATE, "LATE, says Canvas, and not by how much"
        if late:
            return time, f"{shown}, LATE" + ("" if due else "; the chapter has no date here")
        if after and self._system == "canvas":
            return None, f"{shown}; in time, says Canvas"
        return time, f"{shown}, late" if after else shown

    def _utc(self, time: datetime) -> datetime:
        return (time.replace(tzinfo=self._zone) if self._zone else time).astimezone(UTC)
