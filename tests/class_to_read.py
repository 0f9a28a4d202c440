"""A class of forty whose answers in words wait: plain ones, one with a sketch, a hostile one."""

import base64
import struct
import zlib
from pathlib import Path

import nbformat
from marks import mark
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.course_folders.course import Course
from autograder.nbgrader.assignment import prepare

CHAPTER, QUESTION, MOST = "01_words", "newspaper", 3
STUDENTS = [f"student{number:02}" for number in range(40)]
SKETCHED, HOSTILE, SILENT = "student07", "student13", "student21"
ASKED = (
    "### Exercise 1 ★★ A sentence in a newspaper (3 points, read by a person)\n\nA hospital "
    "publishes a number at $\\varepsilon = 0.5$. In at most 120 words: say what is wrong with "
    "*nobody can learn whether you are ill*."
)
ANSWER = (
    "*A model answer.* An attacker can multiply the odds by $e^{0.5} \\approx 1.65$.\n\n*Points.* "
    '1: the promise is a bound on a change, not "nothing". 1: the factor $e^{0.5}$, with the '
    "attacker and what they know.\n1: what is learned without your row is not covered."
)
KINDS = (
    "The sentence says *nothing* can be learned. That is too much: differential privacy **bounds a "
    "change**. Whoever knows all other patients can change the odds by $e^{0.5} \\approx 1.65$.",
    "It is wrong because the noise is small.\n\n- an attacker may know my family\n- they fall ill "
    "together\n\n$$\\frac{P(x)}{P(y)} \\le e^{\\varepsilon}$$",
    "I think the sentence is right, as the data are anonymous.",
    "| before | after |\n|---|---|\n| 50 % | 62 % |\n\nSo somebody who knows the others learns a "
    "little, and **nobody** promises what other sources say.",
)
# Each would set `document.title` to "taken", fetch from elsewhere, or cover the page.
ATTACKS = (
    "<script>document.title = 'taken'</script>",
    "<img src=x onerror=\"document.title = 'taken'\">",
    "<svg onload=\"document.title = 'taken'\"><script>document.title = 'taken'</script></svg>",
    "<a href=\"javascript:document.title='taken'\">press</a>",
    "[press](javascript:document.title='taken')",
    "<iframe srcdoc=\"<script>parent.document.title = 'taken'</script>\"></iframe>",
    '<div style="position:fixed;inset:0;background:red" id="save" class="main">Over all</div>',
    "<form action=/api/readings method=post><button autofocus>Save, next</button></form>",
    "<math><mtext><table><mglyph><style><img src=x onerror=\"document.title='taken'\"></style>",
    "![p](https://elsewhere.example/seen.png) <link rel=stylesheet href=https://elsewhere.example/a>",
    "![s](data:image/svg+xml;base64,"
    + base64.b64encode(
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="top.document.title=\'taken\'"/>'
    ).decode()
    + ")",
    "$\\text{<img src=x onerror=\"document.title='taken'\">}$",
    '<meta http-equiv=refresh content="0;url=https://elsewhere.example">',
    "<base href=//elsewhere.example>",
)


def sketch(width: int = 160, height: int = 90) -> str:
    """Return a small PNG in base64: a line that rises on white."""
    line = [
        b"\0"
        + bytes(0 if abs(x * height // width - (height - y)) < 2 else 255 for x in range(width))
        for y in range(height)
    ]

    def chunk(kind: bytes, data: bytes) -> bytes:
        whole = kind + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = (
        chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(line))) + chunk(b"IEND", b"")
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


def cells_of(student: str) -> list[nbformat.NotebookNode]:
    """Return the cells of a student's notebook."""
    place = STUDENTS.index(student)
    text = {SKETCHED: "My sketch:\n\n![rising](attachment:image.png)", SILENT: "YOUR ANSWER HERE"}
    words = text.get(student, KINDS[place % len(KINDS)])
    if student == HOSTILE:
        words = "My answer.\n\n" + "\n\n".join(ATTACKS)
    answer = new_markdown_cell(words, metadata=mark(QUESTION, points=MOST, solution=True))
    if student == SKETCHED:
        answer["attachments"] = {"image.png": {"image/png": sketch()}}
    return [new_markdown_cell("# My work"), new_markdown_cell(ASKED), answer]


def make(root: Path, students: list[str] = STUDENTS) -> Path:
    """Make a course in which everybody's answer waits, but for one who wrote nothing."""
    question = new_markdown_cell(ANSWER, metadata=mark(QUESTION, points=MOST, solution=True))
    _write(
        root / "source" / CHAPTER,
        [new_markdown_cell("# Words"), new_markdown_cell(ASKED), question],
    )
    (root / "nbgrader_config.py").write_text("c = get_config()\n", "utf-8")
    course = Course(root)
    with course.environment():
        prepare(course, CHAPTER)
        with course.gradebook() as gradebook:
            for student in students:
                gradebook.add_student(student, first_name="Kim", last_name=f"Of {student}")
                gradebook.add_submission(CHAPTER, student)
                grade = gradebook.find_grade(QUESTION, CHAPTER, CHAPTER, student)
                grade.needs_manual_grade = student != SILENT
                grade.auto_score = 0 if student == SILENT else None
            gradebook.db.commit()
    for student in students:
        _write(root / "autograded" / student / CHAPTER, cells_of(student))
    return root


def _write(folder: Path, cells: list[nbformat.NotebookNode]) -> None:
    folder.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), folder / f"{CHAPTER}.ipynb")


def recorded(root: Path, student: str) -> tuple[float | None, bool, str | None]:
    """Return a student's points by hand, whether a person is asked for, and the comment."""
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        which = (QUESTION, CHAPTER, CHAPTER, student)
        grade, comment = gradebook.find_grade(*which), gradebook.find_comment(*which)
        return grade.manual_score, bool(grade.needs_manual_grade), comment.manual_comment
