"""The report on a class: every number on the page and in the CSV equals the input."""

import csv
import hashlib
import io
import itertools
import json
import re
import subprocess

import nbformat
import numpy as np
import pytest
import toy
from nbformat.v4 import new_output
from scipy.stats import pointbiserialr
from tags import Tags

from autograder import check
from autograder.check.result import CheckFailure, Result
from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.course_folders.submissions import find
from autograder.execution.job import Findings
from autograder.graded_notebook.outputs import Said, read
from autograder.graded_notebook.sentences import UNANSWERED
from autograder.grading import GradingError, grade
from autograder.nbgrader import reasons
from autograder.nbgrader.recorded_marks import Marks
from autograder.printable import cut
from autograder.report.class_page import page
from autograder.report.data import Cell, ClassData, Row
from autograder.report.gradebook_rows import _is_scored
from autograder.report.histogram import bin_edges, described_scores, scores_figure
from autograder.report.spreadsheet import csv_text
from autograder.report.sums import total
from autograder.report.write import report
from autograder.version import version

pytestmark = pytest.mark.long

SCORED = """\
from types import SimpleNamespace
result = SimpleNamespace(share=sum(half(x) == x / 2 for x in range(4)) / 4)
### BEGIN HIDDEN TESTS
float(4 * result.share)
### END HIDDEN TESTS"""
PARTLY = "def half(x):\n    return 0 if x < 2 else x / 2"  # right for 0, 2 and 3 of 0, 1, 2, 3
ADDS = "✗ double: one is added\n  2 came, 4 should have come\n  Try: what is twice 3?"
ERROR = "def half(x):\n    return x / 0 if x else 0"
OPEN = "✓ doubled: 9 inputs (not judged to the end: not ruled out: it triples)"
HEAD = "<script>alert(1)</script> & <b>bold"
HOSTILE = f"✗ double: {HEAD}\n\x1b[31m\u202e</pre><img src=//host/x>\n" + "A" * 300_000
NAME = "<img src=x onerror=alert(1)>"


def says(exercise: str, sentence: str, when: str = "True") -> str:
    """An answer that is right, but raises what a check would say."""
    right = {"double": "2 * x", "half": "x / 2"}[exercise]
    failure = f"if {when}:\n        raise AssertionError({sentence!r})"
    return f"def {exercise}(x):\n    {failure}\n    return {right}"


CLASS = {
    "ann": toy.answers(),
    "bob": toy.answers(double=says("double", ADDS, "x > 1")),  # only in the hidden test
    "cyd": toy.answers(double=says("double", ADDS)),
    "dan": toy.answers(half=PARTLY),
    "eve": toy.released(),
    "fay": toy.answers(
        double=f"def double(x):\n    if x == 1:\n        print({OPEN!r})\n    return 2 * x"
    ),
    "gil": toy.answers(half=ERROR),
    NAME: toy.answers(double=says("double", HOSTILE)),
    "=1+1": toy.answers(half=PARTLY.replace("x < 2", "x in (1, 2)")),
}
CELLS = ["double_visible", "double_hidden", "half_visible", "half_parts", "written"]
POINTS = {  # None: waits for a person
    "ann": [1, 2, 1, 4, 1.5],
    "bob": [1, 0, 1, 4, None],
    "cyd": [0, 0, 1, 4, None],
    "dan": [1, 2, 1, 3, None],
    "eve": [0, 0, 0, 0, 0],  # nbgrader gives 0 for a written answer left as it was
    "fay": [1, 2, 1, 4, None],
    "gil": [1, 2, 0, 0, None],
    NAME: [0, 0, 1, 4, None],
    "=1+1": [1, 2, 1, 2, None],
}
LATE = "bob"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The class, graded, and its report: (folder, HTML, rows of the CSV)."""
    root = toy.make(tmp_path_factory.mktemp("class"))
    with toy.edited(root) as source:
        toy.cell(source, "half_parts").source = SCORED
    for student, notebook in CLASS.items():
        toy.cell(notebook, "half_parts").source = SCORED  # as everybody has it
        handed_in = toy.submit(root, student, notebook)
        if student == LATE:
            (handed_in.parent / "timestamp.txt").write_text("2027-03-02 12:00:00 UTC")
    toy.submit(root, "hal", b'{"cells": [')
    course = Course(root)
    with course.environment(), course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(toy.CHAPTER, duedate="2027-03-01")
        gradebook.update_or_create_student("ida")  # in the gradebook; nothing was handed in
    grade(toy.CHAPTER, root=root)
    toy.give(root, 1.5, student="ann")
    files = report(toy.CHAPTER, root=root)
    assert [file.relative_to(root).as_posix() for file in files] == [
        f"reports/{toy.CHAPTER}.html",
        f"reports/{toy.CHAPTER}.csv",
    ]
    table = list(csv.reader(io.StringIO(files[1].read_text("utf-8-sig"), newline="")))
    return root, files[0].read_text("utf-8"), table


class Page(Tags):
    """A page's tables as rows of words, by caption, and all its tags, in order."""

    def __init__(self, text: str):
        self.tables, self.words = {}, []
        super().__init__(text)

    def handle_starttag(self, tag, attributes):
        super().handle_starttag(tag, attributes)
        if tag in ("th", "td", "caption", "dt", "dd"):
            self.words = []
        elif tag == "tr":
            self.row = []
        elif tag == "table":
            self.rows = []

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        words = "".join(self.words).strip()
        if tag == "caption":
            self.tables[words] = self.rows
        elif tag in ("th", "td"):
            self.row.append(words)
        elif tag == "tr":
            self.rows.append(self.row)
        elif tag == "dt":
            self.term = words
        elif tag == "dd":
            self.tables.setdefault("tiles", {})[self.term] = int(words)

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def shown(written) -> Page:
    return Page(written[1])


def score(student: str) -> float:
    return sum(points or 0 for points in POINTS[student])


def test_the_csv_has_everyones_points(written):
    head, *rows = written[2]
    own = ["student", "name", "section", "score", "max_score", "late_penalty", "late"]
    own += ["needs_manual_grading"]
    judged = ["flagged"]
    assert head == [*own, *CELLS, *judged, "not_graded_because"]
    found = {row[0]: row[1:] for row in rows}
    assert list(found) == sorted(found, key=lambda name: name.removeprefix("'"))
    for student, points in POINTS.items():
        waits = "no" if student in ("ann", "eve") else "yes"
        late = score(student) if student == LATE else 0
        numbers = [f"{number:g}" for number in (score(student), 10, late)]
        cells = ["" if number is None else f"{number:g}" for number in points]
        # No spreadsheet computes a student's name.
        row = found.pop(f"'{student}" if student[0] == "=" else student)
        assert row[:5] == ["", "", *numbers]
        assert row[5].startswith("late: ") if late else row[5] == ""
        assert row[6 : 7 + len(CELLS)] == [waits, *cells]
        assert row[-1] == ""
    assert found == {
        "hal": [
            *[""] * 13,
            "01_toy.ipynb is not valid JSON: Expecting value: line 1 column 12 (char 11)",
        ],
        "ida": [*[""] * 13, "nothing was handed in"],
    }


def test_the_counts_and_the_reasons(shown, written):
    assert shown.tables["tiles"] == {
        "graded": 9,
        "of them waiting for a person": 7,
        "not graded": 1,
        "handed in nothing": 1,
        "flagged": 0,
        "in all": 11,
    }
    assert shown.tables["Not graded"][1:] == [
        ["hal", "01_toy.ipynb is not valid JSON: Expecting value: line 1 column 12 (char 11)"],
    ]
    assert "Nothing from: <bdi>ida</bdi>." in written[1]


def test_each_exercises_pass_rate(shown):
    head, *rows = shown.tables["Each exercise"]
    assert head == [
        "exercise",
        "full points",
        "mean share",
        "points",
        "students",
        "not answered",
    ]
    # double: ann, dan, fay, gil and =1+1 have 3 of 3, bob has 1; (5 * 3 + 1) / 27 is 59 %.
    # half: ann, bob, cyd, fay and the image have 5 of 5; (5 * 5 + 4 + 3) / 45 is 71 %.
    # written: ann has 1.5 of 2, eve has 0, as she left it as it was; the others wait.
    # Nine students are too few for a correlation: the page says so, and has no column of dashes.
    assert rows == [
        ["double", "56 %", "59 %", "3", "9", "1"],
        ["half", "56 %", "71 %", "5", "9", "1"],
        ["written", "0 %", "38 %", "2", "2", "1"],
    ]


def test_the_misconceptions(shown):
    rows = shown.tables["What the checks named"][1:]
    words, *numbers = rows[0]
    assert words.startswith("double: one is added")
    assert ADDS in words, "one full sentence"
    assert words.endswith("Met by bob, cyd.")
    assert numbers == ["2", "3"]
    assert [row[1:] for row in rows[1:]] == [["1", "2"]]
    assert rows[1][0].startswith(f"double: {HEAD}")
    errors = shown.tables["Errors in test cells"][1:]
    assert [(row[0].split("an example")[0], *row[1:]) for row in errors] == [
        ("half: ZeroDivisionError: division by zero", "1", "2"),
    ]


def test_what_was_not_judged_to_the_end(shown):
    assert shown.tables["Not judged to the end"][1:] == [["fay", "double_visible", OPEN]]


def test_the_leaderboard(shown):
    best = sorted(["ann", "bob", "cyd", "fay", NAME])
    assert shown.tables["Points of 5, best first"][1:] == [
        *([student, "1", "5"] for student in best),
        ["dan", "6", "4"],
        ["=1+1", "7", "3"],
        ["eve", "8", "0"],
        ["gil", "8", "0"],
    ]
    assert sum("best first" in caption for caption in shown.tables) == 1, "double is not scored"


@pytest.mark.parametrize(
    ("source", "scored"),
    [
        ("result = check.a(a)\ndisplay(result)\nresult.points(3)", True),
        ("### BEGIN HIDDEN TESTS\ncheck.a(a).points(3)\n### END HIDDEN TESTS", True),
        ("float(3 * check.a(a).share)", True),
        ("check.a(a)", False),
        ("%%bash\nls", False),
    ],
)
def test_a_cell_that_gives_part_of_its_points_is_scored(source, scored):
    assert _is_scored(source) == scored


def test_everyone_who_is_graded(shown):
    rows = {row[0]: row[1:] for row in shown.tables["Everyone who is graded"][1:]}
    for student in POINTS:
        late = f"{score(student):g}" if student == LATE else ""
        waits = "" if student in ("ann", "eve") else "written"
        waits = "double_visible, written" if student == "fay" else waits
        *row, notes = rows.pop(student)
        assert row == [f"{score(student):g} / 10", late, waits]
        assert notes.startswith("late: 1 day 12 hours after the date") if late else notes == ""
    assert not rows


def test_the_figure_shows_the_scores(written, shown):
    scores = sorted(score(student) for student in POINTS)
    assert scores == [0, 3, 5, 5, 6, 6, 7, 8, 9.5]
    words = "9 scores out of 10 points: lowest 0, median 6, highest 9.5."
    assert described_scores(scores, 10) == words
    (figure,) = [attributes for tag, attributes in shown.tags if tag == "svg"]
    assert figure["role"] == "img"
    assert figure["aria-label"] == words
    assert f"{words} The dashed line is the median. 7 of them may still rise" in written[1]
    assert bar_heights(written[1]) == [1, 1, 2, 2, 1, 1, 1]  # from left to right, none empty


def bar_heights(text: str) -> list[int]:
    """The heights of a figure's bars in students, measured on the drawing."""
    number = r"(-?[\d.]+)"
    bars = re.findall(
        rf'<path d="M {number} {number} \nL {number} {number} \nL {number} {number} '
        rf'\nL {number} {number} \nz\n"[^>]*fill: var\(--bar\)',
        text,
    )
    heights = [float(bar[1]) - float(bar[5]) for bar in bars]
    smallest = min(height for height in heights if height > 0.01)
    return [round(height / smallest) for height in heights if height > 0.01]


def test_what_students_wrote_is_words(written, shown):
    text = written[1]
    allowed = {"html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2"}
    allowed |= {"h3", "p", "dl", "div", "dt", "dd", "table", "caption", "thead", "tbody", "tr"}
    allowed |= {"th", "td", "code", "details", "summary", "pre", "span", "bdi", "br", "figure"}
    allowed |= {"figcaption", "svg", "g", "defs", "path", "use", "clippath", "rect"}
    assert {tag for tag, _ in shown.tags} <= allowed
    assert not any(name.startswith("on") for _, named in shown.tags for name in named)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;bold" in text
    assert "AAAA …" in text
    assert len(text) < 100_000
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_page_asks_for_nothing_from_anywhere(shown):
    places = ("src", "href", "xlink:href", "action", "data", "poster", "srcset")
    links = [named[place] for _, named in shown.tags for place in places if place in named]
    assert all(link.startswith("#") for link in links)
    (policy,) = [a["content"] for tag, a in shown.tags if tag == "meta" and "http-equiv" in a]
    assert policy.startswith("default-src 'none';")
    styles = [named["style"] for _, named in shown.tags if "style" in named]
    assert not any("url(" in style.replace("url(#", "") for style in styles)


def test_the_page_can_be_read_by_everyone(written, shown):
    levels = [int(tag[1]) for tag, _ in shown.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert {a.get("scope") for tag, a in shown.tags if tag == "th"} == {"col", "row"}
    names = [named["id"] for _, named in shown.tags if "id" in named]
    assert len(names) == len(set(names))
    assert "prefers-color-scheme: dark" in written[1]
    assert "width=device-width" in written[1]


def test_nothing_is_executed_and_nothing_else_is_written(written, tmp_path, monkeypatch):
    root = toy.copy(written[0], tmp_path / "course")
    before = contents(root)

    def refuse(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    report(toy.CHAPTER, root=root)
    assert contents(root) == before, "the same report, and nothing else"


def contents(root) -> dict[str, str]:
    files = [path for path in root.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def read_again(root) -> Page:
    return Page(report(toy.CHAPTER, root=root)[0].read_text("utf-8"))


def notes(root) -> str:
    (alice,) = read_again(root).tables["Everyone who is graded"][1:]
    return alice[-1]


def test_a_strange_file_in_autograded_costs_only_its_sentences(course):
    path = toy.file_of(course, "autograded", "alice")
    assert notes(course) == ""
    whole = json.loads(path.read_text("utf-8"))
    unreadable = "01_toy.ipynb cannot be read in autograded/: no sentences of it"
    for strange in (b"\xff\xfe", b"[]", b'{"cells": 3}', b'{"cells": [{}], "metadata": {}}'):
        path.write_bytes(strange)
        assert notes(course) == unreadable
    path.unlink()
    assert notes(course) == unreadable
    # Half a character, a list where a string belongs, a number where a text belongs.
    error = {"output_type": "error", "ename": "E", "traceback": []}
    whole["cells"][2]["outputs"] = [error | {"evalue": ["✗ double: \ud800 is ", "no text"]}]
    whole["cells"][3]["outputs"] = [error | {"evalue": 7, "ename": None}]
    path.write_text(json.dumps(whole), "ascii")
    (_, row) = read_again(course).tables["What the checks named"]
    assert row[0].startswith("double: � is no text")


def test_the_words_of_the_real_checks_are_known(tmp_path):
    """The report imports no check: this test holds the two to the same words."""

    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        raise NotImplementedError

    with pytest.raises(CheckFailure) as stub:
        check.laplace_mechanism(laplace_mechanism)
    passed = repr(Result("double", "twice", note="not judged to the end: 3 of 9 runs; it triples"))
    notebook = toy.source()
    notebook.cells[2].outputs = [
        new_output("error", ename="CheckFailure", evalue=str(stub.value), traceback=[])
    ]
    notebook.cells[3].outputs = [new_output("display_data", {"text/plain": passed})]
    nbformat.write(notebook, tmp_path / "graded.ipynb")
    failure, passed_so_far = read(tmp_path / "graded.ipynb", prefix="", exercises={}).said
    assert (failure.kind, failure.exercise) == ("failure", "laplace_mechanism")
    assert (failure.headline, failure.text) == (UNANSWERED, str(stub.value))
    assert (passed_so_far.kind, passed_so_far.headline) == (
        "unjudged",
        "not judged to the end: 3 of 9 runs; it triples",
    )
    assert passed_so_far.text == passed


def test_a_mistake_that_is_measured_anew_each_time_is_one_mistake(tmp_path):
    notebook = toy.source()
    for cell, words in zip(
        notebook.cells[2:4], ("is 1.32 × too wide", "is 0.7 × too wide"), strict=True
    ):
        evalue = f"✗ noise: the spread {words}\n  it came 3 times"
        cell.outputs = [new_output("error", ename="CheckFailure", evalue=evalue, traceback=[])]
    nbformat.write(notebook, tmp_path / "graded.ipynb")
    said = read(tmp_path / "graded.ipynb", prefix="", exercises={}).said
    assert [each.headline for each in said] == ["the spread is … × too wide"] * 2
    assert "1.32" in said[0].text


@pytest.mark.parametrize(
    ("problem", "headline"),
    [
        ("it looks as if the noise is doubled", "the noise is doubled"),
        (
            "it looks as if the noise is doubled, or it is Gaussian",
            "it looks as if the noise is doubled, or it is Gaussian",
        ),
        ("no answer is below -27,341", "no answer is below …"),
        (
            "4 of 121 entries do not lie around the right values",
            "some entries do not lie around the right values",
        ),
        ("no noise at an edge (epsilon 0.00265)", "no noise at an edge"),
        ("the sensitivity is ignored", "the sensitivity is ignored"),
    ],
)
def test_what_is_drawn_anew_at_each_run_makes_no_other_mistake(tmp_path, problem, headline):
    notebook = toy.source()
    notebook.cells[2].outputs = [
        new_output("error", ename="CheckFailure", evalue=f"✗ noise: {problem}", traceback=[])
    ]
    nbformat.write(notebook, tmp_path / "graded.ipynb")
    (said,) = read(tmp_path / "graded.ipynb", prefix="", exercises={}).said
    assert said.headline == headline


@pytest.mark.parametrize(
    ("names", "kind", "words"),
    [
        (["KeyboardInterrupt", "CellTimeoutError"], "error", "it ran out of time"),
        (["CellTimeoutError"], "error", "it ran out of time"),
        (["MemoryError"], "error", "it needed more memory than it may have"),
        (["NotImplementedError"], "failure", UNANSWERED),
        (["ZeroDivisionError"], "error", "ZeroDivisionError: in a line"),
    ],
)
def test_why_a_cell_stopped_is_said_as_on_the_students_page(tmp_path, names, kind, words):
    notebook = toy.source()
    notebook.cells[2].outputs = [
        new_output("error", ename=name, evalue="in a line", traceback=[]) for name in names
    ]
    nbformat.write(notebook, tmp_path / "graded.ipynb")
    (said,) = read(tmp_path / "graded.ipynb", prefix="", exercises={}).said
    assert said.kind == kind and said.headline.startswith(words)


def test_a_submission_that_is_not_the_graded_one_is_said(course):
    toy.submit(course, "alice", toy.answers(written="Other words."))
    assert notes(course) == "handed in anew since: run `autograder grade 01_toy`"
    toy.submit(course, "alice", b"")
    start = "these are older marks; what is handed in now cannot be graded: 01_toy.ipynb is empty"
    assert notes(course) == start


def test_points_that_nbgrader_wants_looked_at_again_still_wait(course):
    """A person gave points, and then the student handed in anew: they stay, and are in doubt."""
    toy.sql(course, "update grade set manual_score = 1.5 where auto_score is null")
    (alice,) = read_again(course).tables["Everyone who is graded"][1:]
    assert alice == ["alice", "9.5 / 10", "", "written", ""]


def test_who_is_not_graded_yet_is_listed(course):
    toy.submit(course, "bob", toy.answers())
    assert read_again(course).tables["Not graded"][1:] == [
        ["bob", "not graded yet: run `autograder grade 01_toy`"]
    ]
    toy.sql(course, "update grade set auto_score = null")  # nbgrader, killed in the middle
    found = read_again(course)
    assert found.tables["Not graded"][1] == [
        "alice",
        "its grading did not end: run `autograder grade 01_toy`",
    ]
    assert not any(tag == "svg" for tag, _ in found.tags)


def test_several_notebooks_keep_their_cells_apart(tmp_path):
    root = toy.make(tmp_path)
    nbformat.write(toy.source(), root / "source" / toy.CHAPTER / "more.ipynb")
    wrong = toy.answers(double=says("double", ADDS))
    toy.submit(root, "alice", toy.answers())
    toy.submit(root, "alice", wrong, name="more")
    grade(toy.CHAPTER, root=root)
    found = read_again(root)
    rates = {row[0]: row[1] for row in found.tables["Each exercise"][1:]}
    assert rates["01_toy/double"] == "100 %"
    assert rates["more/double"] == "0 %"
    # half gives parts of its points too, but not by a check's share.
    assert not any("best first" in caption for caption in found.tables)
    assert [row[1:] for row in found.tables["What the checks named"][1:]] == [["1", "2"]]
    head = (root / "reports" / f"{toy.CHAPTER}.csv").read_text("utf-8-sig").splitlines()[0]
    assert ",".join(f"{name}/{cell}" for name in ("01_toy", "more") for cell in CELLS) in head


def test_the_report_and_the_table_say_the_same_of_what_was_handed_in(tmp_path):
    root = toy.make(tmp_path)
    nbformat.write(toy.source(), root / "source" / toy.CHAPTER / "more.ipynb")
    toy.submit(root, "alice", toy.answers(double="while True: pass"))
    toy.submit(root, "alice", b"{}", name="other")
    (outcome,) = grade(toy.CHAPTER, root=root)
    late, missing, other, _ = outcome.notes
    assert late.startswith("timed out: double")
    assert missing == "more.ipynb was not handed in"
    assert other == "not graded, as no notebook is called so: other.ipynb"
    assert notes(root) == late + missing + other


CHEAT = "def sum(*_):\n    return 4\ndef half(x):\n    return 2"  # the test calls `sum`
EQUAL = "class Equal:\n    __eq__ = lambda *_: True\ndef double(x):\n    return Equal()"


@pytest.fixture(scope="module")
def flagged(tmp_path_factory):
    """A class of which two have points that they did not earn: its folder, and the outcomes."""
    root = toy.make(tmp_path_factory.mktemp("flagged"))
    toy.submit(root, "ann", toy.answers())
    toy.submit(root, "ben", toy.answers(half=CHEAT))
    toy.submit(root, "eva", toy.answers(double=EQUAL))
    return root, {outcome.student: outcome for outcome in grade(toy.CHAPTER, root=root)}


def test_the_flagged_are_shown(flagged):
    root, outcomes = flagged
    assert [student for student, outcome in outcomes.items() if outcome.flagged] == ["ben", "eva"]
    found = read_again(root)
    assert found.tables["tiles"]["flagged"] == 2
    rows = {row[0]: row[1:] for row in found.tables["To look at"][1:]}
    assert rows.keys() == {"ben", "eva"}
    exercise, points, words = rows["ben"]
    assert (exercise, points) == ("half", "5")
    assert words.startswith("half_parts: it gave ")
    assert rows["eva"][:2] == ["double", "3"]
    table = csv.DictReader((root / "reports" / f"{toy.CHAPTER}.csv").open(encoding="utf-8-sig"))
    given = {row["student"]: row["flagged"] for row in table}
    assert given == {"ann": "no", "ben": "yes", "eva": "yes"}


def test_whose_tests_ran_beside_the_answers_is_said(flagged, tmp_path):
    root = toy.copy(flagged[0], tmp_path / "course")
    toy.submit(root, "gus", toy.answers())
    grade(toy.CHAPTER, root=root, apart=False)
    text = re.sub("</?bdi>", "", report(toy.CHAPTER, root=root)[0].read_text("utf-8"))
    assert "All tests ran beside the answers of: gus." in text


def test_the_tests_that_ran_beside_the_answers_are_named_once():
    findings = Findings(beside={"a": "it needs a class"})
    own = Marks(2, 2, 0, {"a": 2}, (), True, {"a": 2})
    rows = (Row("ann", own, findings=findings), Row("joe", own, findings=findings))
    text = page(total(ClassData("01", (Cell("a", "a", 2),), rows)))
    assert text.count("<code>a</code>: it needs a class") == 1


def test_points_in_doubt_say_nothing_about_an_exercise():
    """Who has them is left out of the rates and of the leaderboard."""
    cells = (Cell("a", "a", 2, scored=True),)
    findings = Findings(doubts={"a": "why"})
    thief = Row("joe", Marks(2, 2, 0, {"a": 2}, (), True, {"a": 2}), findings=findings)
    honest = Row("ann", Marks(1, 2, 0, {"a": 1}, (), True, {"a": 1}))
    sums = total(ClassData("01", cells, (honest, thief)))
    assert (sums.exercises[0].students, len(sums.boards["a"])) == (1, 1)
    assert len(sums.graded) == 2 and sums.doubts[0].student == "joe"


def test_the_version_of_the_checks_is_said(flagged, tmp_path):
    root = toy.copy(flagged[0], tmp_path / "course")
    report(toy.CHAPTER, root=root)
    text = (root / "reports" / f"{toy.CHAPTER}.html").read_text("utf-8")
    assert f"Judged, by version of the checks: 3 by <code>{version()}</code>.</p>" in text
    path = toy.file_of(root, "autograded", "ann")
    path.write_text(path.read_text("utf-8").replace(version(), "an older one"), "utf-8")
    report(toy.CHAPTER, root=root)
    text = (root / "reports" / f"{toy.CHAPTER}.html").read_text("utf-8")
    assert f"1 by <code>an older one</code>; 2 by <code>{version()}</code>. To see what" in text
    assert "<code>autograder grade 01_toy --again</code>" in text


def test_the_reason_of_the_last_run_is_kept(course):
    toy.submit(course, "bob", toy.answers())
    there = Course(course)
    (submission,) = find(there, toy.CHAPTER, ["bob"])
    reasons.keep(there, toy.CHAPTER, submission, "the disk is full")
    assert read_again(course).tables["Not graded"][1:] == [["bob", "the disk is full"]]


def test_the_command(course, capsys):
    assert main(["--root", str(course), "report", toy.CHAPTER]) == 0
    printed = capsys.readouterr().out.split()
    assert printed == [
        str(course / "reports" / f"{toy.CHAPTER}.{kind}") for kind in ("html", "csv")
    ]
    assert main(["--root", str(course), "report", "02_lost"]) == 1
    assert "run `autograder grade 02_lost` first" in capsys.readouterr().err


def test_without_a_gradebook_none_is_made(tmp_path):
    with pytest.raises(GradingError, match=r"there is no gradebook .*: run `autograder grade"):
        report(toy.CHAPTER, root=toy.make(tmp_path))
    assert not (tmp_path / "gradebook.db").exists()
    assert not (tmp_path / "reports").exists()


def big_class(students: int) -> ClassData:
    """Everyone with a mistake of an own, a pass that is not to the end, and other points."""
    said = [(Said("a_hidden", "failure", "a", f"slip {n}", "text"),) for n in range(students)]
    unjudged = (Said("a_hidden", "unjudged", "a", "not judged to the end: x", "✓ y"),)
    rows = [
        Row(f"student {n:03}", Marks(n / 100, 3, 0, {"a_hidden": n / 100}, (), True), "", (), each)
        for n, each in enumerate(each + unjudged for each in said)
    ]
    return ClassData("01_big", (Cell("a_hidden", "a", 3, scored=True),), tuple(rows))


def items(*columns: list[float], of: float = 1) -> ClassData:
    """A class whose points for each exercise are a column."""
    names = [chr(ord("a") + position) for position in range(len(columns))]
    rows = [
        Row(f"s{n}", Marks(0, 9, 0, dict(zip(names, points, strict=True)), (), True))
        for n, points in enumerate(zip(*columns, strict=True))
    ]
    return ClassData("01", tuple(Cell(name, name, of) for name in names), tuple(rows))


def test_discrimination_is_the_corrected_correlation_of_item_and_total():
    able = [0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1]
    parts = [0, 1, 0, 2, 1, 3, 2, 2, 3, 4, 3, 4]
    turned = [1 - point for point in able]
    for exercise in total(items(able, parts, turned)).exercises:
        columns = {"a": able, "b": parts, "c": turned}
        own = columns.pop(exercise.name)
        rest = np.sum(list(columns.values()), axis=0)
        if np.ptp(rest):
            assert exercise.discrimination == pytest.approx(np.corrcoef(own, rest)[0, 1])
        else:
            assert exercise.discrimination is None
    assert total(items(able, parts)).exercises[0].discrimination == pytest.approx(
        pointbiserialr(able, parts).statistic
    )
    assert "−" in Page(page(total(items(able, turned)))).tables["Each exercise"][1][3]


def test_discrimination_is_undefined_without_differences_or_students():
    same, able = [1] * 12, [0, 1] * 6
    assert [e.discrimination for e in total(items(same, able)).exercises] == [None, None]
    few = total(items([0, 1, 0], [0, 1, 1])).exercises
    assert [e.discrimination for e in few] == [None, None]
    alone = total(items(able)).exercises
    assert [e.discrimination for e in alone] == [None]


def test_discrimination_leaves_out_points_that_are_not_known():
    able, other = [0, 1] * 6, [0, 1, 1] * 4
    waits = [None, *[1, 0] * 5, 1]
    first, second, third = total(items(able, other, waits)).exercises
    assert first.discrimination == pytest.approx(np.corrcoef(able, other)[0, 1])
    assert third.discrimination == pytest.approx(
        np.corrcoef(waits[1:], np.add(able, other)[1:])[0, 1]
    )
    assert second.discrimination == first.discrimination


def test_a_large_class_makes_no_endless_lists():
    data = big_class(250)
    text = page(total(data))
    found = Page(text).tables
    assert len(found["What the checks named"]) == 101
    assert len(found["Not judged to the end"]) == 101
    assert text.count("And 150 more.") == 2
    board = found["Points of 3, best first"]
    assert board[1] == ["student 249", "1", "2.49"]
    assert len(board) == 21
    assert "And 230 more, in the CSV file." in text
    assert len(csv_text(data).splitlines()) == 251


def test_points_that_are_not_known_count_for_nobody():
    rows = (
        Row("a", Marks(1, 3, 0, {"x": 1, "y": None}, ("y",), True)),
        Row("b", Marks(0, 3, 0, {"x": 0}, (), True)),
        Row("c", reason="lost"),
    )
    sums = total(ClassData("01", (Cell("x", "e", 1), Cell("y", "e", 2)), rows))
    (exercise,) = sums.exercises
    assert (exercise.students, exercise.full, exercise.mean) == (0, None, None)
    assert "—" in page(sums)


@pytest.mark.parametrize(
    ("scores", "most", "bars"),
    [([0, 3], 3, 4), ([2.5], 30, 31), ([50], 100, 26), ([12], 10, 13), ([-1], 2, 4), ([0], 0, 1)],
)
def test_the_bars_hold_every_score(scores, most, bars):
    edges = bin_edges(scores, most)
    assert len(edges) - 1 == bars
    assert edges[0] < min(scores)
    assert edges[-1] > max(*scores, most)
    figure = scores_figure(scores, most)
    assert figure.drawing.endswith("</g>") or figure.drawing.endswith("</defs>")
    assert figure.words == described_scores(scores, most)


def test_words_are_cut():
    assert cut("short", 5) == "short"
    assert cut("longer", 5) == "longe …"
    assert cut("one\ntwo\nthree", 100, 2) == "one\ntwo …"
    assert cut("a\x00b\x1bc\ud800", 100) == "a�b�c�"
    assert cut("\u202eevil", 100) == "�evil"
    assert cut("Zoë 学生 👩‍🎓", 100) == "Zoë 学生 👩‍🎓"


@pytest.mark.parametrize("name", ["=A1", "+1", "-1", "@SUM(A1)"])
def test_no_name_is_a_formula(name):
    data = ClassData("01", (), (Row(name, reason="lost"),))
    assert csv_text(data).splitlines()[1].startswith(f"'{name}")
