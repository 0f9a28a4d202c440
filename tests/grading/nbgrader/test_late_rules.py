"""The ready-made rules for late work: what they take off, and their sentence for the student."""

import pytest
import sqlalchemy
import toy
from sqlalchemy.orm import Session
from traitlets import TraitError

from autograder.grading import grade
from autograder.grading.options import Options
from autograder.nbgrader.late_rules import (
    GraceMinutes,
    LateChapter,
    PercentADay,
    SlipDays,
    days_begun,
    late_chapters,
)

pytestmark = pytest.mark.quick

MINUTE, HOUR, DAY = 60, 3600, 86_400
RULES = "autograder.nbgrader.late_rules"


@pytest.mark.parametrize(
    ("seconds", "days"), [(1, 1), (DAY, 1), (DAY + 1, 2), (2 * DAY, 2), (2.5 * DAY, 3)]
)
def test_a_day_counts_when_it_has_begun(seconds, days):
    assert days_begun(seconds) == days


@pytest.mark.parametrize(
    ("seconds", "part", "words"),
    [
        (HOUR, 0.1, "Late work loses 10 % of its points for each day that has begun: 1 day, 10 %."),
        (26 * HOUR, 0.2, "for each day that has begun: 2 days, 20 %."),
        (40 * DAY, 1, "for each day that has begun: 40 days, 100 %."),
    ],
)
def test_percent_a_day(seconds, part, words):
    rule = PercentADay()
    assert rule.part(seconds, []) == pytest.approx(part)
    assert rule.said(seconds, []).endswith(words)


def used(*days):
    return [LateChapter(f"0{place}", each * DAY) for place, each in enumerate(days)]


@pytest.mark.parametrize(
    ("days", "earlier", "part", "words"),
    [
        (1, [], 0, "1 of your 5 slip days of the term was taken for this, 4 are left for chapters"),
        (2, [1, 1], 0, "2 of your 5 slip days of the term were taken for this, 1 is left for"),
        (3, [2, 2], 1, "1 of your 5 slip days of the term was taken for this, 0 are left for"),
        (2, [5], 1, "0 of your 5 slip days of the term were taken for this, 0 are left for"),
        (2, [7], 1, "chapters with later dates. 2 days more cost all points."),
    ],
)
def test_slip_days(days, earlier, part, words):
    rule = SlipDays()
    assert rule.part(days * DAY, used(*earlier)) == part
    assert words in rule.said(days * DAY, used(*earlier))


def test_a_purse_that_is_empty_may_cost_a_part():
    rule = SlipDays(days=1, percent=25)
    assert rule.part(3 * DAY, []) == 0.5
    assert rule.said(3 * DAY, []).endswith(" 2 days more cost 25 % of the points each.")
    assert rule.said(2 * DAY, []).endswith(" 1 day more cost 25 % of the points.")


def test_minutes_of_grace_cost_neither_points_nor_slip_days():
    rule = SlipDays(grace_minutes=15)
    short = [LateChapter("01", 15 * MINUTE)] * 9
    assert rule.part(5 * DAY, short) == 0
    for each in (GraceMinutes(), PercentADay(grace_minutes=15), rule):
        assert each.late_submission_penalty("ann", 10, 15 * MINUTE) == 0
        words = "The first 15 minutes after the date cost nothing."
        assert each.said(15 * MINUTE, []) == words
    assert GraceMinutes().part(16 * MINUTE, []) == 1
    late = "Work that is later than 15 minutes after the date has no points."
    assert GraceMinutes().said(16 * MINUTE, []) == late


def late(root, time):
    toy.submit(root, "alice", toy.answers()).with_name("timestamp.txt").write_text(time)
    toy.due(root, "2027-03-01 12:00:00 UTC")


def settings(root, *lines):
    text = toy.CONFIG.replace('c.LateSubmissionPlugin.penalty_method = "zero"\n', "")
    (root / "nbgrader_config.py").write_text(text + "\n".join(lines) + "\n", "utf-8")


@pytest.mark.long
def test_the_rule_is_in_the_gradebook_and_on_the_page(tmp_path):
    root = toy.make(tmp_path)
    settings(
        root,
        f'c.AssignLatePenalties.plugin_class = "{RULES}.PercentADay"',
        "c.PercentADay.percent = 25",
    )
    late(root, "2027-03-02 13:00:00 UTC")
    (outcome,) = grade(toy.CHAPTER, root=root)
    assert (outcome.score, outcome.counted) == (8, 4)
    page = toy.page(root)
    assert "Handed in 1 day 1 hour after the date, 4 points off, of your 8." in page
    assert "Late work loses 25 % of its points for each day that has begun: 2 days, 50 %." in page


@pytest.mark.long
def test_slip_days_that_went_to_earlier_chapters_are_gone(tmp_path):
    root = toy.make(tmp_path)
    settings(
        root,
        f'c.AssignLatePenalties.plugin_class = "{RULES}.SlipDays"',
        "c.SlipDays.days = 3",
        "c.SlipDays.percent = 50",
    )
    late(root, "2027-03-03 11:00:00 UTC")  # two days
    grade(toy.CHAPTER, root=root)
    assert "2 of your 3 slip days of the term were taken for this, 1 is left" in toy.page(root)
    toy.sql(
        root,
        "insert into assignment (id, name, duedate, course_id) "
        "select 'x', '00_before', '2027-02-01 12:00:00.000000', course_id from assignment",
    )
    toy.sql(
        root,
        "insert into submitted_assignment (id, assignment_id, student_id, timestamp) "
        "values ('y', 'x', 'alice', '2027-02-03 11:00:00.000000')",
    )
    (outcome,) = grade(toy.CHAPTER, root=root, options=Options(force=True))
    assert outcome.counted == 4
    page = toy.page(root)
    assert "1 of your 3 slip days of the term was taken for this, 0 are left" in page
    assert "1 day more cost 50 % of the points." in page


def test_days_are_counted_by_the_clocks_of_a_zone(course):
    """The same time on the day after: 25 hours when the clocks are put back, 23 the other way."""
    toy.due(course, "2026-10-24 21:59:00 UTC")  # 23:59 in Oslo
    change = "update submitted_assignment set timestamp = ?"
    engine = sqlalchemy.create_engine(f"sqlite:///{course / 'gradebook.db'}")
    for time, zone, days in (
        ("2026-10-25 22:59:00.000000", "Europe/Oslo", 1),
        ("2026-10-25 22:59:00.000000", "UTC", 2),
        ("2026-10-25 23:00:00.000000", "Europe/Oslo", 2),
        ("2026-10-24 22:00:00.000000", "Europe/Oslo", 1),
    ):
        toy.sql(course, change, time)
        with Session(engine) as session:
            (found,) = late_chapters(session, "alice", zone)
        assert days_begun(found.seconds) == days
    engine.dispose()


def test_the_hour_that_comes_twice_is_late_all_the_same(course):
    toy.due(course, "2026-10-25 00:30:00 UTC")  # 2:30, the first time
    toy.sql(course, "update submitted_assignment set timestamp = '2026-10-25 01:15:00.000000'")
    engine = sqlalchemy.create_engine(f"sqlite:///{course / 'gradebook.db'}")
    with Session(engine) as session:
        (found,) = late_chapters(session, "alice", "Europe/Oslo")
    engine.dispose()
    assert found.seconds == 45 * MINUTE


def test_a_zone_that_is_not_there_is_refused():
    with pytest.raises(TraitError, match="'Europe/Olso' is no time zone like Europe/Oslo"):
        PercentADay(zone="Europe/Olso")
