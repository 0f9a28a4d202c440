"""The table for points by hand: as spreadsheet programs save it, and never written over."""

import csv

import nbformat
import pytest
import toy

from autograder.course_folders.course import Course, GradingError
from autograder.feedback.renewed import renew
from autograder.feedback.workers import PageError
from autograder.gradebook_io.written_answers import give_points
from autograder.nbgrader.assignment import prepare
from autograder.reading.reading_table import write_reading

pytestmark = pytest.mark.quick

STUDENTS = ["ann", "bo"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A course whose students' work waits for a person."""
    root = toy.make(tmp_path_factory.mktemp("reading"))
    course = Course(root)
    with course.environment():
        prepare(course, toy.CHAPTER)
        with course.gradebook() as gradebook:
            for student in STUDENTS:
                gradebook.add_student(student)
                gradebook.add_submission(toy.CHAPTER, student)
    for student in STUDENTS:
        path = toy.file_of(root, "autograded", student)
        path.parent.mkdir(parents=True)
        nbformat.write(toy.answers(written="I measured it."), path)
    return root


def fill(path, separator=",", encoding="utf-8", **given):
    """Fill in points and comment of the first line, as a spreadsheet program would save them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    rows[1][5:] = [given.get("points", ""), given.get("comment", "")]
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=separator).writerows(rows)
    return path


def by_hand(root):
    """Return Ann's points and comment in the gradebook."""
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        which = ("written", toy.CHAPTER, toy.CHAPTER, "ann")
        grade = gradebook.find_grade(*which)
        comment = gradebook.find_comment(*which).manual_comment
        return grade.manual_score, grade.needs_manual_grade, comment


@pytest.mark.slow
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_points_come_from_a_table_of_any_country(course, separator):
    _, table = write_reading(toy.CHAPTER, root=course)
    fill(table, separator, points="1,5", comment="Good; but, why?")
    assert give_points(toy.CHAPTER, root=course, path=table) == 1
    assert by_hand(course) == (1.5, False, "Good; but, why?")


@pytest.mark.slow
def test_a_comment_without_points_is_kept_and_still_waits(course):
    _, table = write_reading(toy.CHAPTER, root=course)
    give_points(toy.CHAPTER, root=course, path=fill(table, comment="Come and see me."))
    points, _, comment = by_hand(course)
    assert (points, comment) == (None, "Come and see me.")
    write_reading(toy.CHAPTER, root=course)


@pytest.mark.parametrize("given", [{"points": "2"}, {"comment": "Why?"}])
def test_a_filled_table_is_not_written_over_before_it_is_taken_in(course, given):
    _, table = write_reading(toy.CHAPTER, root=course)
    text = fill(table, ";", **given).read_bytes()
    with pytest.raises(GradingError, match=r"not in the gradebook \(line 2\).*--points"):
        write_reading(toy.CHAPTER, root=course)
    assert table.read_bytes() == text
    give_points(toy.CHAPTER, root=course, path=table)
    write_reading(toy.CHAPTER, root=course)
    assert table.read_bytes() != text


def in_gradebook(root, **given):
    """Write to Ann's answer in the gradebook, as formgrader does."""
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        which = ("written", toy.CHAPTER, toy.CHAPTER, "ann")
        grade, comment = gradebook.find_grade(*which), gradebook.find_comment(*which)
        grade.manual_score, grade.needs_manual_grade = given.get("points"), True
        comment.manual_comment = given["comment"]
        gradebook.db.commit()


@pytest.mark.parametrize("comment", ["Why?", "Why?\n\nAnd how?", "=why", "Why\x07?"])
def test_a_table_that_lacks_what_the_gradebook_has_is_written_anew(course, comment):
    """Words that a person wrote in formgrader: nothing in the blank table would be lost."""
    _, table = write_reading(toy.CHAPTER, root=course)
    in_gradebook(course, comment=comment)
    write_reading(toy.CHAPTER, root=course)
    assert " ".join(comment.split())[:3] in table.read_text("utf-8-sig")
    write_reading(toy.CHAPTER, root=course)
    give_points(toy.CHAPTER, root=course, path=_filled_again(table))
    assert by_hand(course) == (1, False, comment)  # in its own lines


def test_an_empty_comment_removes_none(course):
    """The table is older than the words that a person wrote in formgrader."""
    _, table = write_reading(toy.CHAPTER, root=course)
    in_gradebook(course, comment="Why?")
    give_points(toy.CHAPTER, root=course, path=_filled_again(table))
    assert by_hand(course) == (1, False, "Why?")


def _filled_again(table):
    """Give a point in the first line, and leave the comment that stands there."""
    table.write_text(table.read_text("utf-8-sig").replace(",written,2,,", ",written,2,1,", 1))
    return table


@pytest.mark.parametrize("points", ["1.5", "1,5", "1.50"])
def test_new_work_after_a_table_was_taken_in_leaves_nothing_to_lose(course, points):
    _, table = write_reading(toy.CHAPTER, root=course)
    give_points(toy.CHAPTER, root=course, path=fill(table, points=points, comment="Good."))
    in_gradebook(course, points=1.5, comment="Good.")  # it waits again, with points from before
    write_reading(toy.CHAPTER, root=course)
    fill(table, points="x", comment="Good.")
    with pytest.raises(GradingError, match=r"not in the gradebook \(line 2\)"):
        write_reading(toy.CHAPTER, root=course)


def test_another_table_and_another_encoding_are_named(course, tmp_path):
    _, table = write_reading(toy.CHAPTER, root=course)
    fill(table, encoding="cp1252", comment="Schön")
    with pytest.raises(GradingError, match="line 2 is not UTF-8; in Excel, save the file as"):
        give_points(toy.CHAPTER, root=course, path=table)
    other = tmp_path / "report.csv"
    other.write_text("student,score\nann,3\n")
    with pytest.raises(GradingError, match="no column notebook, question, points, comment; there"):
        give_points(toy.CHAPTER, root=course, path=other)


def test_a_broken_source_notebook_is_named_in_a_sentence(course, capsys):
    source = toy.file_of(course, "source", ".")
    source.write_text("{", "utf-8")
    assert toy.run(course, "read", toy.CHAPTER) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"{source.name} is no notebook" in said


def test_whom_the_settings_leave_out_is_not_read(course):
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write('c.CourseDirectory.student_id_exclude = "ann"\n')
    _, table = write_reading(toy.CHAPTER, root=course)
    text = table.read_text("utf-8-sig")
    assert "bo" in text and "ann" not in text


def test_a_page_of_whom_the_gradebook_does_not_know_is_told_in_a_sentence(course):
    opened = Course(course)
    page = toy.file_of(course, "feedback", "ann").with_suffix(".html")
    page.parent.mkdir(parents=True)
    page.write_text('<meta name="record" content="0a">', "utf-8")
    with opened.environment():
        with opened.gradebook() as gradebook:
            gradebook.remove_student("ann")
        with pytest.raises(PageError, match="the gradebook has no 01_toy of ann any more: move"):
            renew(opened, toy.CHAPTER, ["ann"])


def test_where_there_is_no_room_the_page_and_the_table_stay_as_they_were(course):
    """A limit on a file's size stops the writing in the middle, as a full disk does."""
    resource = pytest.importorskip("resource", reason="this system has no such limit")
    before = {path: path.read_bytes() for path in write_reading(toy.CHAPTER, root=course)}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_reading(toy.CHAPTER, root=course)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {path: path.read_bytes() for path in before} == before
    assert set((course / "reports").iterdir()) == set(before)
