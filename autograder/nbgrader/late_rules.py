"""Rules for late work, ready for nbgrader_config.py, each with a sentence for the student's page.

For example: `c.AssignLatePenalties.plugin_class = "autograder.nbgrader.late_rules.PercentADay"` and
`c.PercentADay.percent = 10`. A day counts when it has begun.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nbgrader import api
from nbgrader.plugins import BasePlugin
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select
from sqlalchemy.orm import Session
from traitlets import Bunch, Float, Integer, TraitError, Unicode, validate
from traitlets.config import Config

from autograder.printable import counted

_DAY = 24 * 60 * 60  # seconds
_HUNDRED = 100.0


@dataclass(frozen=True)
class LateChapter:
    """A student's late work in one chapter, as a rule sees it."""

    name: str
    seconds: float


class LateRule(BasePlugin):
    """The base of the rules: what is late by a few minutes is in time."""

    grace_minutes = Integer(
        0, min=0, help="work that is late by at most so many minutes costs nothing"
    ).tag(config=True)
    zone = Unicode(
        "UTC",
        help="by whose clocks days are counted, as Europe/Oslo: there the same time a day later is "
        "one day late also in the night in which the clocks are put back",
    ).tag(config=True)

    @validate("zone")
    def _known_zone(self, proposal: Bunch) -> str:
        try:
            ZoneInfo(proposal["value"])
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            words = f"{proposal['value']!r} is no time zone like Europe/Oslo"
            raise TraitError(words) from error
        return proposal["value"]

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float:
        """Return the points that are taken off, as nbgrader's step asks for them.

        Args:
          score: of the student's notebook.
        """
        if self.is_in_grace(total_seconds_late):
            return 0.0
        step = self.parent
        late = late_chapters(step.gradebook.db, student_id, self.zone)
        names = [each.name for each in late]
        if step.assignment_id not in names:
            return 0.0
        place = names.index(step.assignment_id)
        return score * self.part(late[place].seconds, late[:place])

    def part(self, seconds: float, earlier: Sequence[LateChapter]) -> float:
        """Return the part of the points, from 0 to 1, that work late by so much loses.

        Args:
          earlier: the student's late work in chapters with an earlier date, in their order.
        """
        raise NotImplementedError

    def sentence(self, seconds: float, earlier: Sequence[LateChapter]) -> str:
        """Return the rule in words to a student whose work is late by so much."""
        raise NotImplementedError

    def is_in_grace(self, seconds: float) -> bool:
        """Tell whether work late by so much counts as in time."""
        return seconds <= 60 * self.grace_minutes

    def said(self, seconds: float, earlier: Sequence[LateChapter]) -> str:
        """Return the sentence, or that the first minutes cost nothing."""
        if self.is_in_grace(seconds):
            return f"The first {counted(self.grace_minutes, 'minute')} after the date cost nothing."
        return self.sentence(seconds, earlier)


class PercentADay(LateRule):
    """So many percent of the points off for each day that has begun."""

    percent = Float(10, min=0, max=100, help="of the points, for each day that has begun").tag(
        config=True
    )

    def part(self, seconds: float, earlier: Sequence[LateChapter]) -> float:
        """Return the percent of all days that have begun, at most the whole."""
        return min(1.0, days_begun(seconds) * self.percent / _HUNDRED)

    def sentence(self, seconds: float, earlier: Sequence[LateChapter]) -> str:
        """Return what each day costs, and how many have begun."""
        days = days_begun(seconds)
        each = f"Late work loses {self.percent:g} % of its points for each day that has begun"
        lost = f"{self.part(seconds, earlier):.4g}"
        return f"{each}: {counted(days, 'day')}, {float(lost) * _HUNDRED:g} %."


class GraceMinutes(LateRule):
    """Some minutes cost nothing; what is later has no points."""

    grace_minutes = Integer(
        15, min=0, help="work that is late by at most so many minutes costs nothing"
    ).tag(config=True)

    def part(self, seconds: float, earlier: Sequence[LateChapter]) -> float:
        """Return the whole."""
        return 1.0

    def sentence(self, seconds: float, earlier: Sequence[LateChapter]) -> str:
        """Return when work is too late."""
        minutes = counted(self.grace_minutes, "minute")
        return f"Work that is later than {minutes} after the date has no points."


class SlipDays(LateRule):
    """A purse of days for the whole term; when it is empty, each day costs so many percent.

    Days are taken for the chapters in the order of their dates, whichever is graded first.
    """

    days = Integer(5, min=0, help="that a student may be late in all chapters together").tag(
        config=True
    )
    percent = Float(
        100, min=0, max=100, help="of the points, for each day that the purse does not cover"
    ).tag(config=True)

    def part(self, seconds: float, earlier: Sequence[LateChapter]) -> float:
        """Return the percent of the days that the purse does not cover."""
        over = days_begun(seconds) - self._taken(seconds, earlier)
        return min(1.0, over * self.percent / _HUNDRED)

    def sentence(self, seconds: float, earlier: Sequence[LateChapter]) -> str:
        """Return how many slip days were taken, how many are left, and what is not covered."""
        taken = self._taken(seconds, earlier)
        left = self._left(earlier) - taken
        said = f"{taken} of your {counted(self.days, 'slip day')} of the term "
        said += f"{'was' if taken == 1 else 'were'} taken for this, {left} "
        said += f"{'is' if left == 1 else 'are'} left for chapters with later dates."
        over = days_begun(seconds) - taken
        if over:
            cost = f"{self.percent:g} % of the points" if self.percent < _HUNDRED else "all points"
            said += f" {counted(over, 'day')} more cost {cost}"
            said += " each." if over > 1 and self.percent < _HUNDRED else "."
        return said

    def _taken(self, seconds: float, earlier: Sequence[LateChapter]) -> int:
        """Return the days of the purse that go to this chapter."""
        return min(days_begun(seconds), self._left(earlier))

    def _left(self, earlier: Sequence[LateChapter]) -> int:
        used = sum(days_begun(e.seconds) for e in earlier if not self.is_in_grace(e.seconds))
        return max(0, self.days - used)


def days_begun(seconds: float) -> int:
    """Return the days that have begun after the date."""
    return math.ceil(seconds / _DAY)


def late_chapters(session: Session, student: str, zone: str) -> list[LateChapter]:
    """Return a student's late work in the order of the chapters' dates.

    Args:
      zone: whose clocks say how late it is.
    """
    assignment, submission = api.Assignment, api.SubmittedAssignment
    asked = (
        select(assignment.name, assignment.duedate, submission.extension, submission.timestamp)
        .join(submission, submission.assignment_id == assignment.id)
        .where(submission.student_id == student, assignment.duedate.is_not(None))
        .order_by(assignment.duedate, assignment.name)
    )
    found = []
    for name, due, extension, time in session.execute(asked):
        until = due + (extension or timedelta())
        if time and time > until:
            clocks = (_clock(time, zone) - _clock(until, zone)).total_seconds()
            # Hours and minutes are as long as they are, also where an hour comes twice.
            late = clocks if clocks > _DAY / 2 else (time - until).total_seconds()
            found.append(LateChapter(name, late))
    return found


def _clock(time: datetime, zone: str) -> datetime:
    """Return what a zone's clocks show at a time in UTC."""
    return time.replace(tzinfo=UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def rule_in_words(config: Config, session: Session, student: str, chapter: str) -> str:
    """Return the sentence of the settings' rule to a student; "" for work in time, or other rules.

    Args:
      config: nbgrader's settings.
      session: of the gradebook.
    """
    step = AssignLatePenalties(config=config)
    step.init_plugin()
    rule = step.plugin_inst
    if not isinstance(rule, LateRule):
        return ""
    late = late_chapters(session, student, rule.zone)
    names = [each.name for each in late]
    if chapter not in names:
        return ""
    place = names.index(chapter)
    return rule.said(late[place].seconds, late[:place])
