"""The feedback page: it says what is wrong and how to go on, and shows no hidden test."""

import base64
import itertools
import json
import re
import shutil

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.preprocessors import GetGrades
from notebooks import NAMES, read
from tags import Tags

from autograder.feedback.cells_as_html import comment_of
from autograder.feedback.hidden_tests import NOTE
from autograder.feedback.markdown import clean, formula, markdown
from autograder.feedback.pages import FeedbackExporter, Grades, HideHiddenTests
from autograder.feedback.pictures import Pictures
from autograder.feedback.student_page import in_order
from autograder.feedback.summary import exercises
from autograder.grading import grade

ANSWER = """
import toy_widget
# BEGIN HIDDEN TESTS: a student may write this
def double(x):
    return x + 1
"""
WIDGET = """
from IPython.display import display
display({"application/vnd.jupyter.widget-view+json": {"model_id": "1", "version_major": 2,
         "version_minor": 0}, "image/png": "YSBwaWN0dXJl", "text/plain": "a slider"}, raw=True)
"""
PICTURE = base64.b64encode(b"a picture").decode()
SENTENCE = (
    "✗ laplace_mechanism: epsilon multiplies instead of divides\n"
    "  sensitivity 3, epsilon 6.41: the noise is whole, but it gives 0 less often than it\n"
    "    should\n"
    "  A correct answer fails here less than once in a billion runs. (16 answers)\n"
    "  Try: does a larger epsilon mean more privacy or less?"
)


def page_of(course) -> str:
    return toy.file_of(course, "feedback", "alice", "html").read_text("utf-8")


def check_page(page: str) -> None:
    """The sentence of the hidden test is on the page, and its code is not."""
    assert page.count(toy.SENTENCE) >= 2, "on top, and below the test"
    assert "# hidden tests" in page
    assert "secret" not in page
    assert "END HIDDEN TESTS" not in page


def test_a_page_shows_what_was_said_and_hides_what_was_tested(course, root):
    """With the project's own settings, by our command and by plain nbgrader: the same page."""
    shutil.copy(root / "nbgrader_config.py", course)
    notebook = toy.answers(double=ANSWER)
    # What the student prints at the end of a run is the source of every cell before.
    notebook.cells += [new_code_cell("print(In)"), new_code_cell("print(*In, sep='\\n')")]
    path = toy.submit(course, "alice", notebook)
    path.with_name("toy_widget.py").write_text(WIDGET)
    (outcome,) = grade(toy.CHAPTER, root=course)
    assert outcome.points["double_hidden"] == 0
    page = page_of(course)
    check_page(page)
    assert page.count(NOTE) == 2
    # A slider leaves its picture, not an empty widget.
    assert "data:image/png;base64,YSBwaWN0dXJl" in page
    assert "widget-view+json" not in page
    assert toy.nbgrader(course, "generate_feedback", toy.CHAPTER, "--force").returncode == 0
    assert page_of(course) == page


def test_the_hidden_test_stays_hidden_under_other_settings(course):
    """An instructor's older nbgrader_config.py knows nothing of our preprocessor."""
    toy.submit(course, "alice", toy.answers(double="def double(x):\n    return x + 1"))
    grade(toy.CHAPTER, root=course)
    check_page(page_of(course))
    files = list((course / "feedback" / "alice" / toy.CHAPTER).iterdir())
    assert [file.name for file in files] == [f"{toy.CHAPTER}.html"]


def graded(*cells, metadata=None) -> nbformat.NotebookNode:
    """A graded notebook: the toy's first exercise, and after it `cells`."""
    notebook = toy.source()
    notebook.cells = [*notebook.cells[:4], *cells]
    notebook.metadata.update(metadata or {})
    return notebook


def failed(sentence: str, kind: str = "CheckFailure", traceback: str = "") -> nbformat.NotebookNode:
    return new_output("error", ename=kind, evalue=sentence, traceback=[traceback or sentence])


def hidden(notebook) -> nbformat.NotebookNode:
    return HideHiddenTests().preprocess(notebook, {})[0]


def cell(*outputs, source: str = "1") -> nbformat.NotebookNode:
    return new_code_cell(source, outputs=list(outputs))


HIDDEN_LINE = f"assert double(secret) == 42, {toy.SENTENCE!r}"
LATER = HIDDEN_LINE.removeprefix("assert")
SHOWS = {
    "printed": new_output("stream", text=f"x\n{HIDDEN_LINE}  # more"),
    "as a value": new_output("execute_result", {"text/plain": repr(["", f"a\n{HIDDEN_LINE}"])}),
    "as JSON": new_output("stream", text=json.dumps(f'"{HIDDEN_LINE}')),
    "as HTML": new_output(
        "display_data", {"text/html": "assert&nbsp;" + LATER.replace("=", "&#61;")}
    ),
    "coloured": failed("", "NameError", "in \x1b[1massert\x1b[0m" + LATER.replace("=", "\x1b[3m=")),
    "letter by letter": new_output("stream", text=" ".join(HIDDEN_LINE)),
    "a short line": new_output("stream", text="secret = 21"),
    "the mark": new_output("stream", text="### BEGIN HIDDEN TESTS"),
    "a description": new_output(
        "display_data", {"image/png": PICTURE}, metadata={"image/png": {"alt": HIDDEN_LINE}}
    ),
    "a name": new_output("display_data", {f"text/{HIDDEN_LINE}": "x", "text/plain": HIDDEN_LINE}),
}


@pytest.mark.parametrize("output", SHOWS.values(), ids=SHOWS)
def test_no_output_shows_a_hidden_test(output):
    (shown,) = hidden(graded(cell(output))).cells[-1].outputs
    assert "secret" not in json.dumps(shown)
    assert shown.get("text") == NOTE or shown.output_type == "error"


def test_an_error_keeps_its_words_when_its_traceback_goes():
    error = failed("half a number", "ValueError", f"line 2: {HIDDEN_LINE}")
    (shown,) = hidden(graded(cell(error))).cells[-1].outputs
    assert shown.traceback == ["ValueError: half a number"]
    error = failed(f"I read {HIDDEN_LINE}", "ValueError")
    (shown,) = hidden(graded(cell(error))).cells[-1].outputs
    assert shown.traceback == [NOTE]
    assert "secret" not in json.dumps(shown)


@pytest.mark.parametrize("text", ["42", "double", "n = 5", "double(1) == 2", toy.SENTENCE])
def test_other_outputs_stay(text):
    """What every one may see, what is too short to say anything, and the tests' own messages."""
    assert hidden(graded(cell(new_output("stream", text=text)))).cells[-1].outputs[0].text == text


def test_what_a_visible_test_shows_too_is_no_secret():
    notebook = graded()
    line = notebook.cells[2].source
    notebook.cells[3].source = f"### BEGIN HIDDEN TESTS\n{line}\n### END HIDDEN TESTS"
    notebook.cells.append(cell(new_output("stream", text=line)))
    assert hidden(notebook).cells[-1].outputs[0].text == line


def test_a_message_on_its_own_line_is_not_taken_for_a_secret():
    notebook = graded()
    sentence = "the answer must be twice the number"
    notebook.cells[3].source = (
        f"### BEGIN HIDDEN TESTS\nassert (\n  double(8) == 16\n), (\n    '{sentence}'\n)\n"
        "### END HIDDEN TESTS"
    )
    notebook.cells[3].outputs = [failed(sentence, "AssertionError", "double(8) == 16")]
    (shown,) = hidden(notebook).cells[3].outputs
    assert shown.traceback == [f"AssertionError: {sentence}"]


def test_the_state_of_widgets_is_dropped():
    state = {"widgets": {"application/vnd.jupyter.widget-state+json": {"x": HIDDEN_LINE}}}
    assert "widgets" not in hidden(graded(metadata=state)).metadata


def scored(notebook, **scores: tuple) -> nbformat.NotebookNode:
    """Put in what nbgrader's GetGrades puts in: score, points, and whether it waits."""
    for each in notebook.cells:
        if toy.name(each) in scores:
            names = ("score", "points", "waits", "comment")
            each.metadata.nbgrader.update(zip(names, scores[toy.name(each)], strict=False))
    return notebook


def resources(**where) -> dict:
    own = {"student": "alice", "notebook": "01_toy", "score": 3, "max_score": 8, "late_penalty": 0}
    return {"nbgrader": own | where, "metadata": {}}


def exported(notebook, /, **where) -> str:
    exporter = FeedbackExporter()
    exporter.register_preprocessor(HideHiddenTests())
    return exporter.from_notebook_node(notebook, resources(**where))[0]


def wrong() -> nbformat.NotebookNode:
    """One exercise whose two tests say the same, with a picture each; and a written one."""
    notebook = toy.source()
    notebook.cells.insert(1, new_markdown_cell("### Exercise 4 ★★ `double` (3 points)\n\nDouble."))
    for position, points in ((3, "4"), (4, "9")):
        picture = new_output(
            "display_data",
            {"image/png": PICTURE, "text/plain": "a figure"},
            metadata={"image/png": {"alt": f"Histogram of {points} <answers>."}},
        )
        notebook.cells[position].outputs = [picture, failed(SENTENCE.replace("16", points))]
    return scored(
        notebook,
        double_visible=(0, 1, False),
        double_hidden=(0, 2, False),
        half_visible=(1, 1, False),
        half_parts=(3, 4, False),
        written=(0, 2, True, "Which **attacker**?"),
    )


def test_each_exercise_is_said_in_its_checks_words():
    double, half, written = exercises(wrong())
    assert (double.title, double.score, double.points) == ("Exercise 4: double", 0, 3)
    assert toy.name(wrong().cells[double.cell]) == "double"
    (remark,) = double.remarks  # the hidden test says the same: once is enough
    assert remark.problem == "epsilon multiplies instead of divides"
    assert remark.details == (
        "sensitivity 3, epsilon 6.41: the noise is whole, but it gives 0 less often than it should",
        "A correct answer fails here less than once in a billion runs. (4 answers)",
    )
    assert remark.ask == "does a larger epsilon mean more privacy or less?"
    assert remark.caption == "Histogram of 4 <answers>."
    assert 'alt="Histogram of 4 &lt;answers&gt;."' in remark.picture
    assert (half.title, half.score, half.points) == ("half", 4, 5)
    assert half.remarks[0].problem.startswith("a test gave fewer points without a word")
    assert (written.waits, written.comments) == (True, ("Which **attacker**?",))


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ([failed("name 'x' is not defined", "NameError")], "NameError: name 'x' is not defined"),
        ([failed("", "KeyboardInterrupt"), failed("", "CellTimeoutError")], "it ran out of time"),
        ([failed("", "MemoryError")], "it needed more memory than it may have"),
        ([failed("the kernel died", "DeadKernelError")], "Python ended while it ran"),
        ([failed("not run: in setup", "CellNotRun")], "not run: in setup"),
        ([failed("", "NotImplementedError")], "not answered yet"),
        ([failed(toy.SENTENCE, "AssertionError")], toy.SENTENCE),
        ([new_output("display_data", {"text/plain": "✓ 3 of 4 (0.75)"})], "3 of 4 (0.75)"),
    ],
)
def test_other_errors_are_said_in_words(outputs, words):
    notebook = graded()
    notebook.cells[2].outputs = outputs
    scored(notebook, double_visible=(0, 1), double_hidden=(2, 2))
    (exercise,) = exercises(notebook)
    assert exercise.remarks[0].problem.startswith(words)


class Page(Tags):
    """All tags of a page, in order, and the words of its list of exercises."""

    def __init__(self, text: str):
        self.lines = []
        super().__init__(text)

    def handle_starttag(self, tag, attributes):
        if tag == "li" and self.open[-1:] == ["ol"]:
            self.lines.append("")
        super().handle_starttag(tag, attributes)

    def handle_data(self, data):
        if "li" in self.open and self.lines:
            self.lines[-1] = f"{self.lines[-1]} {data.strip()}".strip()


def test_the_top_of_the_page():
    text = exported(wrong(), score=4)
    page = Page(text)
    double, half, written = page.lines
    assert double.startswith("✗ Exercise 4: double 0 of 3 points your answer")
    assert "Try: does a larger epsilon mean more privacy or less?" in double
    assert half.startswith("½ half 4 of 5 points your answer")
    assert written.startswith("… written not read yet (2 points) your answer")
    assert "Comment Which attacker ?" in written
    links = [named["href"] for tag, named in page.tags if tag == "a"]
    places = {named["id"] for _, named in page.tags if "id" in named}
    assert {link for link in links if link.startswith("#")} <= {f"#{place}" for place in places}
    assert "<strong>4</strong> of 8 points" in text
    assert "Handed in late" not in text
    assert text.index("Your exercises") < text.index(PICTURE) < text.index("Your notebook")


@pytest.mark.parametrize(
    ("score", "off", "shown", "earned"), [(3.5, 2.5, "3.5", "6"), (-1, 7, "0", "6")]
)
def test_a_late_penalty_and_a_grade_by_hand_are_shown(score, off, shown, earned):
    text = exported(scored(wrong(), written=(2, 2, False)), score=score, late_penalty=off)
    assert f"<strong>{shown}</strong> of 8 points" in text
    assert f"Handed in late: {off} of your {earned} points are taken off." in text
    assert Page(text).lines[-1].startswith("✓ written 2 of 2 points")


@pytest.mark.parametrize(
    ("score", "off", "lateness", "promised"),
    [
        (4, 0, "", True),
        (0, 0, "", True),  # nothing is right as yet, and nothing is taken off
        (2, 4, "late: 2 hours after the date, 4 points off", True),  # some are left
        (0, 6, "late: 2 days after the date, 6 points off", False),
        (0, 0, "late: 2 days after the date, no points off", False),  # of none
        (0, 0, "2 hours after the date, within the extension until Sunday", True),
    ],
)
def test_more_points_are_promised_only_where_no_penalty_may_take_them(
    score, off, lateness, promised
):
    notebook = scored(wrong(), written=(0, 2, True))
    text = exported(notebook, score=score, late_penalty=off, lateness=lateness)
    assert ("<p>More points may come: a person reads" in text) == promised
    assert ("<p>A person reads what a machine cannot grade.</p>" in text) != promised


def test_nbgraders_own_comment_is_no_persons():
    """It writes "No response." beside an answer that was left as it came."""
    notebook = scored(wrong(), written=(0, 2, False, "No response."), double=(0, 0, False))
    notebook.cells[2].metadata.nbgrader["comment"] = "No response."
    double, _, written = exercises(notebook)
    assert (double.comments, len(double.remarks)) == ((), 1)
    assert written.comments == ()
    assert [remark.problem for remark in written.remarks] == ["no answer was given"]


def test_code_in_a_checks_words_is_shown_as_code():
    notebook = graded()
    notebook.cells[2].outputs = [failed("○ double: not answered yet\n  Try: replace `a < b` now.")]
    scored(notebook, double_visible=(0, 1), double_hidden=(0, 2))
    assert "<strong>Try:</strong> replace <code>a &lt; b</code> now.</p>" in exported(notebook)


def test_a_solution_that_gives_no_points_has_no_line():
    notebook = graded()
    notebook.cells = notebook.cells[:2]
    assert exercises(notebook) == []


HOSTILE = """# One <script>alert(1)</script>

### Three

<img src="https://host/x.png" onerror="alert(1)"><iframe src="//host"></iframe>
![a](http://host/y.png) [b](javascript:alert(1)) <div style="position:fixed"><table><tr><td>open

<style>main { display: none }</style> $\\left( \\unknown{$ $x < y$
"""


def test_what_students_write_can_neither_run_nor_fetch_nor_break_the_page():
    outputs = [
        new_output("display_data", {"text/html": HOSTILE}),
        new_output("display_data", {"text/markdown": HOSTILE, "text/plain": "x"}),
        new_output("display_data", {"application/javascript": "alert(1)", "text/plain": "plain"}),
        new_output("display_data", {"text/latex": "$$\\frac{a}{b}$$"}),
        new_output("display_data", {"image/png": ["no", "text"], "text/plain": "<script>"}),
        new_output("display_data", {"image/svg+xml": "<svg><script/></svg>"}),
        new_output("display_data", {"image/png": f'{PICTURE}" onerror="alert(1)'}),
        new_output("stream", text="\x1b[31mred\x1b[0m <b>\ud800\n10%\r20%\n" + "A" * 90_000),
    ]
    notebook = graded(new_markdown_cell(HOSTILE), cell(*outputs, source="x = '</main>'"))
    notebook.cells.append(nbformat.v4.new_raw_cell("</section>"))
    text = exported(notebook, student="</h1><script>")
    page = Page(text)  # every tag is closed
    assert not {"script", "iframe", "object", "link", "form"} & {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") for _, named in page.tags for name in named)
    for place in ("src", "srcset", "data", "action", "poster", "background"):
        sources = [named[place] for _, named in page.tags if place in named]
        assert all(source.startswith("data:image/") for source in sources)
    links = [named["href"] for _, named in page.tags if "href" in named]
    assert all(link.startswith("#") for link in links)
    assert all(named.get("alt") for tag, named in page.tags if tag == "img")
    assert not any("style" in named for _, named in page.tags)
    assert text.count("<style>") == 1
    (policy,) = [named["content"] for tag, named in page.tags if "http-equiv" in named]
    assert policy.startswith("default-src 'none';")
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert '<span class="ansi-red-fg">red</span>' in text
    assert "20%" in text and "10%" not in text
    assert len(text) < 100_000
    text.encode()


def test_headings_follow_each_other():
    assert in_order("<h2>a</h2><h6>b</h6><h1>c</h1><h4>d</h4>") == (
        "<h3>a</h3><h4>b</h4><h3>c</h3><h4>d</h4>"
    )


def test_only_pictures_of_the_students_own_folder_are_put_in(tmp_path):
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "own.png").write_bytes(b"a picture")
    (tmp_path / "other.png").write_bytes(b"a secret")
    (folder / "link.png").symlink_to(tmp_path / "other.png")
    (folder / "page.html").write_text("<b>")

    def shown(text: str, **attached) -> str:
        pictures = Pictures(folder)
        return pictures.shown(markdown(text, pictures=pictures, **attached))

    made = shown("![mine](own.png) <img src='own.png'>")
    assert made.count(PICTURE) == 1, "once"
    assert made.count('href="#picture-0"') == 1, "the second is a link to the first"
    for name in ("../other.png", "link.png", str(tmp_path / "other.png"), "page.html", "lost.png"):
        assert "src" not in shown(f"![x]({name}) <img src='{name}'>"), name
    attached = {"a.png": {"image/png": PICTURE}}
    assert PICTURE in shown("![x](attachment:a.png)", attachments=attached)
    assert markdown("![x](attachment:lost.png)").startswith("<p><img alt=")


@pytest.mark.parametrize("name", NAMES)
def test_every_formula_of_the_course_is_set(name):
    texts = [each.source for each in read(name).cells if each.cell_type == "markdown"]
    made = [markdown(text) for text in texts]
    dollars = [text for text in made if re.search(r"\$\S[^$]*\\", re.sub(r"<[^>]*>", "", text))]
    assert dollars == []
    assert not any(re.search(r"<code>[^<]*\\[a-z]", text) for text in made)


def test_a_formula_that_cannot_be_set_is_shown_as_it_is():
    assert formula("\\unknown{<x}") == "<code>\\unknown{&lt;x}</code>"
    assert formula("a < b").count("<mi>") == 2
    assert "<math" not in markdown("`$x$`")
    assert clean("<style>x</style><script>y") == ""
    assert "<math" not in re.search("alt=.*", markdown("![$x$](a.png)"))[0]


def test_the_scores_and_comments_are_nbgraders(course):
    """For a submission that is late, has a comment, and points by hand and beyond."""
    given = "manual_score = 1.5, extra_credit = 0.25"
    toy.sql(course, f"update grade set {given} where auto_score is null")
    toy.sql(course, "update comment set manual_comment = 'Well said.'")
    toy.sql(course, "update submitted_notebook set late_submission_penalty = 2.5")
    path = toy.file_of(course, "autograded", "alice")
    found = []
    for step in (GetGrades(), Grades()):
        where = {"student": "alice", "assignment": toy.CHAPTER, "notebook": toy.CHAPTER}
        where["db_url"] = f"sqlite:///{course / 'gradebook.db'}"
        notebook, told = step.preprocess(nbformat.read(path, as_version=4), {"nbgrader": where})
        marks = [dict(each.metadata.get("nbgrader", {})) for each in notebook.cells]
        waits, by_hand = ([mark.pop(name, None) for mark in marks] for name in ("waits", "by_hand"))
        found.append((marks, told))
    ours = found[1][1]["nbgrader"]  # beside nbgrader's: what the page says of the student
    assert (ours.pop("called"), ours.pop("lateness"), len(ours.pop("record"))) == ("", "", 64)
    assert ours.pop("late_rule") == ""
    assert found[0] == found[1]
    assert found[1][1]["nbgrader"]["score"] == 8 + 1.75 - 2.5
    assert waits.count(True) == 1  # nobody has said that the written answer is done with
    assert by_hand.count(True) == 1
    assert marks[-1]["comment"] == "Well said."


@pytest.mark.parametrize(("waits", "by_hand"), [(True, True), (True, False), (False, True)])
def test_a_comment_on_work_that_was_replaced_says_so(waits, by_hand):
    mark = {"comment": "Well said.", "waits": waits, "by_hand": by_hand}
    before = waits and by_hand
    assert comment_of(mark) == ("*About the work before:* " if before else "") + "Well said."


def test_a_notebook_without_words_still_makes_a_page():
    notebook = new_notebook(cells=[new_code_cell(""), new_markdown_cell("")])
    text = exported(notebook, notebook="02_other_name")
    assert "<title>02 other name: feedback</title>" in text
    Page(text)
