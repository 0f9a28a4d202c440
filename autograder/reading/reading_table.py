"""The answers in words beside their rubric, on a page without a server, and a table."""

from dataclasses import replace
from pathlib import Path

from markupsafe import Markup
from pygments.formatters import HtmlFormatter

from autograder.course_folders.course import Course, GradingError
from autograder.feedback import student_page
from autograder.files import write_whole
from autograder.gradebook_io.written_answers import (
    Question,
    answers_of,
    questions,
    refuse_to_lose,
    table,
)
from autograder.nbgrader import class_list
from autograder.page_templates import environment
from autograder.reading.rendered_answer import answer_html, text_html


def write_reading(chapter: str, *, root: Path) -> list[Path]:
    """Write reports/CHAPTER-reading.html and the table beside it; return both.

    Raises:
      GradingError: nothing of the chapter is graded, it has nothing to read, or a table with points
        that are not in the gradebook is there.
    """
    course = Course(root)
    with course.environment():
        course.refuse_without_gradebook(chapter)
        people = class_list.names(course)
        with course.gradebook() as gradebook:
            found = [
                replace(each, answers=tuple(answers_of(course, gradebook, chapter, each, people)))
                for each in questions(course, chapter)
            ]
        if not any(each.answers for each in found):
            raise GradingError(f"{chapter} has no graded answer that a person reads")
        folder = course.root / "reports"
        page, rows = (folder / f"{chapter}-reading.{kind}" for kind in ("html", "csv"))
        refuse_to_lose(chapter, rows, found)
        text = _page(course, chapter, found)
    folder.mkdir(exist_ok=True)
    return [
        write_whole(page, text.encode("utf-8", "replace")),
        write_whole(rows, table(found).encode("utf-8-sig")),
    ]


def _page(course: Course, chapter: str, found: list[Question]) -> str:
    """Return the page: questions, rubrics and answers are laid out, the rest is escaped."""

    def of_question(text: str, asked: Question) -> Markup:
        return Markup(text_html(text, cells=asked.cells, folder=asked.folder))

    def of_student(text: str, student: str, asked: Question) -> Markup:
        folder = course.folder("autograded", student, chapter)
        return Markup(answer_html(text, asked.cell, folder / f"{asked.notebook}.ipynb"))

    made = environment(Path(__file__).parent)
    made.globals |= {
        "students_style": (Path(student_page.__file__).parent / "page.css").read_text("utf-8"),
        "code_colours": HtmlFormatter(style="default").get_token_style_defs(".highlight"),
        "of_question": of_question,
        "of_student": of_student,
    }
    return made.get_template("reading.html.jinja").render(chapter=chapter, questions=found)
