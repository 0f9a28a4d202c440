"""A request for a second look: the page says how to ask, the report has a list to fill in."""

import csv

import pytest
import toy

from autograder.course_folders.course import Course
from autograder.feedback.pages import Feedback
from autograder.feedback.student_page import Regrade
from autograder.report.write import report

pytestmark = pytest.mark.long

ADDRESS = "teaching+dp@example.org"


def with_settings(root, *lines):
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))


def page_of(root) -> str:
    course = Course(root)
    with course.environment():
        Feedback(course, toy.CHAPTER).generate("alice")
    return toy.file_of(root, "feedback", "alice", "html").read_text("utf-8")


def test_without_an_address_nothing_is_said(course):
    assert "If you think that a grade is wrong" not in page_of(course)
    assert len(report(toy.CHAPTER, root=course)) == 2


def test_the_page_says_how_to_ask_and_what_to_send(course):
    with_settings(
        course,
        f"c.FeedbackExporter.regrade_address = {ADDRESS!r}",
        "c.FeedbackExporter.regrade_days = 14",
    )
    text = " ".join(page_of(course).split())
    subject = f"subject={toy.CHAPTER}%2C%20alice%3A%20a%20second%20look"
    assert f'<a href="mailto:{ADDRESS}?{subject}">{ADDRESS}</a>' in text
    assert "at the latest 14 days after you got this page" in text
    assert f"who you are (alice) and the chapter ({toy.CHAPTER}), the name of the exercise" in text


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/ask?x=1&y=2", "https://example.org/ask?x=1&y=2"),
        (
            "javascript:alert(1)",
            "mailto:javascript%3Aalert%281%29?subject=c%2C%20a%3A%20a%20second",
        ),
        ('a@b.org"><script>', "mailto:a@b.org%22%3E%3Cscript%3E?subject="),
    ],
)
def test_an_address_is_a_page_or_a_mail_and_nothing_else(address, link):
    assert Regrade(address).link("c", "a").startswith(link)


def test_the_report_begins_a_list_and_says_what_is_in_it(course):
    with_settings(course, f"c.FeedbackExporter.regrade_address = {ADDRESS!r}")
    page, _, path = report(toy.CHAPTER, root=course)
    header = path.read_text("utf-8-sig")
    assert header == "date,student,exercise,request,before,after,answer\n"
    assert "0, of which 0 without an answer" in page.read_text("utf-8")
    rows = [
        ["2027-03-09", "alice", "double", "My answer <b>is</b> right.", "3", "", ""],
        ["2027-03-10", "alice", "half", "Why?", "5", "4", "Read again."],
        ["2027-03-10", "alise", "halve", "Why?", "", "", ""],
    ]
    with path.open("a", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    before = path.read_bytes()
    page, _, _ = report(toy.CHAPTER, root=course)
    text = page.read_text("utf-8")
    assert path.read_bytes() == before
    assert "3, of which 2 without an answer" in text
    assert "My answer &lt;b&gt;is&lt;/b&gt; right." in text and "5 → 4" in text
    assert "(line 4: nobody is called so, no exercise is called so)" in text
