"""What becomes of the points that readers give, in the gradebook and between two readers."""

import json
import shutil
import threading

import class_to_read
import pytest
from class_to_read import CHAPTER, SILENT, SKETCHED, STUDENTS, recorded

from autograder.course_folders.course import Course, GradingError
from autograder.gradebook_io.written_answers import give_points
from autograder.reading.desk import Desk, NotTakenError
from autograder.reading.reading_table import write_reading
from autograder.reading.readings import ReadingLog
from autograder.reading.rubric import rubric

pytestmark = pytest.mark.quick

FEW = [STUDENTS[0], SKETCHED, SILENT]
ANN, SILENT_ONE = FEW[0], FEW[2]


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return class_to_read.make(tmp_path_factory.mktemp("few"), FEW)


@pytest.fixture
def course(few, tmp_path):
    return shutil.copytree(few, tmp_path / "course")


@pytest.fixture
def desk(course):
    opened = Course(course)
    with opened.environment():
        yield Desk(opened, CHAPTER)


def told(desk, reader="Ann", student=ANN):
    """Return what a reader is told of a student's answer."""
    keys = {whose.split("(")[1][:-1]: key for key, whose in desk.names().items()}
    (found,) = [each for each in desk.state(reader)["answers"] if each["key"] == keys[student]]
    return found


def give(desk, points, reader="Ann", **more):
    """Give points for Ann's answer as the page does."""
    answer = told(desk, reader, more.pop("student", ANN))
    sent = more.pop("sent", f"{reader} {points} {len(ReadingLog(desk._course, CHAPTER).read())}")
    given = {"points": points, "reader": reader, "sent": sent, "comment": ""}
    known = {"key": answer["key"], "work": answer["work"], "saw": answer["elsewhere"]}
    desk.take({**known, **given, **more})


def test_points_and_comment_are_in_the_gradebook_and_who_read_is_known(desk, course):
    assert told(desk)["state"] == "waits"
    give(desk, 2, comment="Which attacker?", halves=[2, 2, 0])
    assert recorded(course, ANN) == (2, False, "Which attacker?")
    found = told(desk)
    assert (found["state"], found["mine"]["halves"]) == ("read", [2, 2, 0])
    assert desk.state("Ann")["readers"] == {"Ann": 1}
    assert desk.state("Bo")["comments"] == [{"question": 0, "text": "Which attacker?", "times": 1}]
    give(desk, 1)
    assert recorded(course, ANN) == (1, False, "")


def test_who_wrote_nothing_waits_for_nobody(desk):
    assert told(desk, student=SILENT_ONE)["state"] == "blank"


def test_what_is_sent_twice_counts_once_and_an_older_one_changes_nothing(desk, course):
    give(desk, 1, sent="first")
    give(desk, 1, sent="first")
    give(desk, 3, sent="second")
    give(desk, 1, sent="first")
    assert recorded(course, ANN)[0] == 3
    assert len(ReadingLog(Course(course), CHAPTER).read()) == 2


def test_what_the_log_has_and_the_gradebook_not_is_written_when_it_is_sent_again(desk, course):
    """The grader was killed between the two."""
    give(desk, 2, sent="first")
    unwritten(course)
    give(desk, 2, sent="first")
    assert recorded(course, ANN)[:2] == (2, False)


def unwritten(root):
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        grade = gradebook.find_grade(class_to_read.QUESTION, CHAPTER, CHAPTER, ANN)
        grade.manual_score, grade.needs_manual_grade = None, True
        gradebook.db.commit()


def test_a_second_reader_sees_no_points_before_giving_some(desk):
    give(desk, 2, comment="Which attacker?")
    found = told(desk, "Bo")
    assert (found["readBy"], found["mine"], found["others"]) == (["Ann"], None, [])
    assert found["score"] is None


def test_readers_who_differ_ask_for_a_person_until_one_settles(desk, course):
    give(desk, 2, comment="Which attacker?")
    give(desk, 3, "Bo", comment="Good.")
    assert recorded(course, ANN) == (2, True, "Which attacker?")
    assert told(desk)["state"] == told(desk, "Bo")["state"] == "differ"
    assert [each["points"] for each in told(desk)["others"]] == [3]
    give(desk, 3, comment="Good. Which attacker?", decides=True)
    assert recorded(course, ANN) == (3, False, "Good. Which attacker?")
    assert told(desk, "Bo")["state"] == "read"
    assert desk.state("Ann")["readers"] == {"Ann": 1, "Bo": 1}


def test_readers_who_agree_are_both_heard(desk, course):
    give(desk, 2, comment="Which attacker?")
    give(desk, 2, "Bo", comment="Good.")
    assert recorded(course, ANN) == (2, False, "Which attacker?\n\nGood.")


def test_points_by_formgrader_or_a_table_are_seen_and_never_written_over_unseen(desk, course):
    before = told(desk)
    _, table = write_reading(CHAPTER, root=course)
    row = f"{ANN},Kim Of {ANN},{CHAPTER},{class_to_read.QUESTION},3,"
    text = table.read_text("utf-8-sig").replace(row, f"{row}1").replace(f"{row}1,", f"{row}1,So.")
    table.write_text(text, "utf-8")
    assert give_points(CHAPTER, root=course, path=table) == 1
    assert told(desk)["elsewhere"] == {"points": 1, "comment": "So."}
    give(desk, 3, saw=before["elsewhere"])
    assert recorded(course, ANN) == (1, True, "So.")
    assert [each["reader"] for each in told(desk)["others"]] == [""]
    give(desk, 3, comment="So.", decides=True)
    assert recorded(course, ANN) == (3, False, "So.")
    assert told(desk)["elsewhere"] is None


def test_points_that_the_page_has_shown_are_replaced(desk, course):
    in_gradebook(course, 1, "So.")
    give(desk, 2, comment="Better.")
    assert recorded(course, ANN) == (2, False, "Better.")


def in_gradebook(root, points, comment):
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        which = (class_to_read.QUESTION, CHAPTER, CHAPTER, ANN)
        grade, said = gradebook.find_grade(*which), gradebook.find_comment(*which)
        grade.manual_score, grade.needs_manual_grade, said.manual_comment = points, False, comment
        gradebook.db.commit()


def changed(course, text):
    path = course / "autograded" / ANN / CHAPTER / f"{CHAPTER}.ipynb"
    path.write_text(path.read_text("utf-8").replace("That is too much", text), "utf-8")


def test_new_work_is_read_again_and_points_for_the_old_are_told(desk, course):
    give(desk, 2)
    before = told(desk)
    changed(course, "That is false")
    unwritten(course)
    found = told(desk)
    assert (found["state"], found["before"], found["mine"]) == ("waits", 2, None)
    with pytest.raises(NotTakenError, match="has changed since"):
        give(desk, 3, work=before["work"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"points": 4}, "4 points for newspaper, of 3"),
        ({"points": -1}, "-1 points"),
        ({"points": float("nan")}, "nan points"),
        ({"points": "3"}, "3 points"),
        ({"points": True}, "True points"),
        ({"reader": " "}, "say who reads"),
        ({"reader": "x" * 101}, "say who reads"),
        ({"comment": "x" * 20_001}, "at most 20,000"),
        ({"halves": [3]}, "by halves"),
        ({"key": "0" * 16}, "no such answer"),
    ],
)
def test_what_does_not_fit_is_not_taken(desk, course, wrong, words):
    with pytest.raises(NotTakenError, match=words):
        give(desk, **{"points": 1, **wrong})
    assert recorded(course, ANN) == (None, True, None)


def test_a_line_of_the_log_that_a_crash_has_cut_loses_no_other(desk, course):
    give(desk, 2)
    log = ReadingLog(Course(course), CHAPTER)
    with log.path.open("a") as file:
        file.write('{"sent": "cut')
    give(desk, 3, "Bo")
    assert [each.points for each in log.read()] == [2, 3]


def test_two_programs_add_to_one_log(desk, course):
    log = ReadingLog(Course(course), CHAPTER)
    give(desk, 1)
    (one,) = log.read()
    threads = [threading.Thread(target=_add_many, args=(course, one)) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(log.read()) == 41
    assert all(json.loads(line) for line in log.path.read_text().splitlines() if line)


def _add_many(course, reading):
    log = ReadingLog.__new__(ReadingLog)
    log.path = course / "reports" / f".reading_{CHAPTER}.jsonl"
    for _ in range(20):
        with log.alone():
            log.add(reading)


def test_nothing_to_read_is_told(few, tmp_path):
    empty = class_to_read.make(tmp_path / "empty", [])
    opened = Course(empty)
    with opened.environment(), pytest.raises(GradingError, match="no graded answer"):
        Desk(opened, CHAPTER)


def test_the_page_without_a_server_is_laid_out_too(course):
    page, _ = write_reading(CHAPTER, root=course)
    text = page.read_text("utf-8")
    assert text.count("<math") >= 3 and "attachment:" not in text and "$" not in text
    assert 'src="data:image/png;base64,' in text and "<script" not in text


@pytest.mark.parametrize(
    ("text", "most", "items"),
    [
        ("Model.\n\n*Points.* 1: one, two. 2: three.", 3, [(1, "one, two."), (2, "three.")]),
        ("**Rubric:**\n- (1) one\n- (2 points) two", 3, [(1, "one"), (2, "two")]),
        ("- one (1 point)\n- two [0.5]", 1.5, [(1, "one"), (0.5, "two")]),
        ("## Points\n1 pt: one\n1 pt: two", 2, [(1, "one"), (1, "two")]),
        ("*Points.* 1: a. 1: b.", 3, []),  # they do not add up
        ("The ratio is 3: 4. No list.", 3, []),
        ("", 3, []),
    ],
)
def test_the_items_of_a_rubric_are_found_or_none(text, most, items):
    found = rubric(text, most)
    assert [(each.points, each.text) for each in found.items] == items
    assert found.model == ("Model." if "Model" in text else "" if items else text)
