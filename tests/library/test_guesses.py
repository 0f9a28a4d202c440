"""Guesses: kept beside the notebook, shown beside the truth, and never in the way."""

import json
import math
import re
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.authoring.generate import GUESSES, files_of
from dplib import guess
from dplib.guess import kept, page, questions
from dplib.guess.scale import Scale, parsed, written


@pytest.fixture(autouse=True)
def shown(monkeypatch, tmp_path):
    """What was displayed, in a folder of its own."""
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(questions, "display", seen.append)
    monkeypatch.setattr(kept, "_told", {})
    for name in ("NBGRADER_EXECUTION", "DPLIB_STATIC"):
        monkeypatch.delenv(name, raising=False)
    return seen


def ask(kind):
    """One guess of each kind, an answer, and the truth."""
    if kind == "number":
        return guess.number("How many?", unit="people"), 5.0, 18
    if kind == "choice":
        return guess.choice("Which?", ["more", "fewer"]), "more", "fewer"
    return guess.mark("Where?", low=0.01, high=10, log=True), 0.1, 3


KINDS = pytest.mark.parametrize("kind", ["number", "choice", "mark"])


def answer(thing):
    """The page that an answer shows: a widget's, or HTML."""
    return getattr(thing, "value", None) or thing._repr_mimebundle_()["text/html"]


@KINDS
def test_a_guess_is_kept_and_stands_beside_the_truth(kind, shown):
    given, value, truth = ask(kind)
    words = given.commit(value)
    assert words.startswith("You said ") and "next cell" in words
    assert json.loads(Path(kept.FILE).read_text("utf-8")) == {given.question: value}
    given.reveal(truth)
    said, right = (given._words(each) for each in (value, truth))
    assert f"You said {said}, it is {right}." in answer(shown[-1])
    assert "<details" not in answer(shown[-1]) and shown[0].control.disabled
    # A notebook that is handed in holds the truth, and not what was said.
    bundle = shown[-1]._repr_mimebundle_()
    assert right in bundle["text/plain"] and "<details" in bundle["text/html"]
    assert not any("You said" in str(each) for each in bundle.values())
    # The next kernel knows it too.
    kept._told.clear()
    assert ask(kind)[0].said == value


@KINDS
def test_without_a_guess_the_truth_is_folded_and_a_late_guess_unfolds_it(kind, shown):
    given, value, truth = ask(kind)
    given.reveal(truth)
    assert answer(shown[-1]).startswith("<details")
    assert "You said" not in answer(shown[-1])
    assert "answer is below" in given.commit(value)
    assert "You said" in answer(shown[-1]) and "<details" not in answer(shown[-1])
    assert shown[0].button.disabled


@KINDS
def test_nbgrader_meets_no_widget_and_no_file(kind, shown, monkeypatch):
    Path(kept.FILE).write_text('{"How many?": 5, "Which?": "more", "Where?": 0.1}', "utf-8")
    before = Path(kept.FILE).stat()
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setattr(kept, "_read", lambda: pytest.fail("the file was read"))
    given, _, truth = ask(kind)
    assert shown == [] and given.said is None
    given.reveal(truth)
    assert shown[-1]._repr_mimebundle_() == {"text/plain": f"It is {given._words(truth)}."}
    assert Path(kept.FILE).stat().st_mtime_ns == before.st_mtime_ns


@KINDS
def test_a_page_without_a_kernel_has_a_form_and_nobodys_guess(kind, shown, monkeypatch):
    Path(kept.FILE).write_text('{"How many?": 5, "Which?": "more", "Where?": 0.1}', "utf-8")
    monkeypatch.setenv("DPLIB_STATIC", "1")
    given, _, truth = ask(kind)
    given.reveal(truth)
    form, told = answer(shown[0]), answer(shown[1])
    assert "<form hidden>" in form and "<noscript>" in form and given.question in form
    assert told.startswith("<details") and "You said" not in told
    name = f'data-name="{given.question}"'
    assert name in form and name in told


def test_the_truth_is_in_no_form(shown, monkeypatch):
    monkeypatch.setenv("DPLIB_STATIC", "1")
    given = guess.number("How many?", unit="people")
    given.reveal(4711)
    assert "4711" not in answer(shown[0]) and "4,711" in answer(shown[1])


@KINDS
def test_a_folder_that_cannot_be_written_keeps_a_guess_in_memory(kind, shown, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "write_text", refuse)
    given, value, _ = ask(kind)
    given.commit(value)
    assert not Path(kept.FILE).exists() and ask(kind)[0].said == value


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000, b'{"How many?": []}']
)
def test_a_damaged_file_is_no_guess(content, shown):
    Path(kept.FILE).write_bytes(content)
    given = guess.number("How many?")
    assert given.said is None
    given.commit(3.0)
    assert guess.number("How many?").said == 3


@KINDS
def test_what_is_no_answer_is_refused(kind, shown):
    given, _, _ = ask(kind)
    for wrong in (None, "neither", math.nan, [], {}):
        with pytest.raises(ValueError, match="truth must be an answer"):
            given.reveal(wrong)
        with pytest.raises(ValueError, match="value must be an answer"):
            given.commit(wrong)
    assert not Path(kept.FILE).exists()


def test_a_question_that_is_none_is_refused():
    with pytest.raises(ValueError, match="question"):
        guess.number("  ")
    for options in ([], ["one"], ["one", "one"], ["one", 2]):
        with pytest.raises(ValueError, match="options"):
            guess.choice("Which?", options)
    for low, high, log in ((1, 1, False), (2, 1, False), (0, 1, True), (math.inf, 1, False)):
        with pytest.raises(ValueError, match=r"low|high"):
            guess.mark("Where?", low=low, high=high, log=log)
    with pytest.raises(ValueError, match="high"):
        guess.number("How many?", high=math.nan)


def test_the_widget_reads_what_a_reader_types(shown):
    guess.number("How many?", unit="people")
    widget = shown[0]
    for text, said in (("1,200 people", "1,200"), (" 1 ", "1 person"), ("−3", "-3"), ("0", "0")):
        widget.control.value = text
        widget.button.click()
        assert f"You said {said}" in widget.status.value
    for text in ("", "many", "nan", "inf"):
        widget.control.value = text
        widget.button.click()
        assert "Write a number" in widget.status.value
    widget.control.value = "7"
    widget.control._handle_string_msg(widget.control, {"event": "submit"}, [])
    widget._entered(widget.control, {"event": "submit"}, [])
    assert "You said 7" in widget.status.value
    assert 'role="status"' in widget.status.value


def test_the_widget_reads_a_choice_and_a_mark(shown):
    guess.choice("Which?", ["more", "fewer"])
    shown[-1].button.click()
    assert "Choose one first." in shown[-1].status.value
    shown[-1].control.value = "fewer"
    shown[-1].button.click()
    assert "You said “fewer”" in shown[-1].status.value
    marked = guess.mark("Where?", low=0, high=100, unit="%")
    shown[-1].control.index = 62
    shown[-1].button.click()
    assert marked.said == 62 and "You said 62 %." in shown[-1].status.value


def test_a_front_end_without_widgets_gets_the_question(shown):
    guess.number("How many?")
    assert shown[0]._repr_mimebundle_()["text/plain"] == "Your guess: How many?"


def test_the_marks_lie_where_the_numbers_do():
    for log, middle in ((False, 5.05), (True, 1.0)):
        scale = Scale(0.1, 10, log)
        assert [scale.place(each) for each in (0.1, 10, -5, 99)] == [0, 1, 0, 1]
        assert scale.place(middle) == pytest.approx(0.5)
        places = [scale.place(stop) for stop in scale.stops()]
        assert places == sorted(places) and (places[0], places[-1]) == (0, 1)
    picture = page.axis_page(Scale(0, 100), 25, 75)
    truth, said = re.search(r"M(\S+) 18V", picture)[1], re.search(r"translate\((\S+)\)", picture)[1]
    assert (float(truth), float(said)) == (20 + 320 / 4, 20 + 320 * 3 / 4)


def test_the_axis_of_a_number_holds_every_truth(shown):
    for truth in (0, 18, -4, 1e-6, 2.5e9):
        given = guess.number(f"How many, if {truth}?", low=None)
        scale = given._axis(truth)
        assert scale.low <= truth <= scale.high
    given = guess.number("How many of 100?", low=0, high=100)
    assert given._axis(120).high == 120 and given._axis(50).high == 100


def test_numbers_as_a_reader_writes_them():
    right = {17450: "17,450", 0.12345: "0.123", 1e-5: "1e-05", 2719.43: "2,719", 0: "0"}
    for number, words in right.items():
        assert written(number) == words and parsed(words) == pytest.approx(number, rel=0.01)
    ones = [written(1, unit) for unit in ("people", "years", "%", "of 100")]
    assert ones == ["1 person", "1 year", "1 %", "1 of 100"]
    assert (written(2, "people"), written(1.5, "years")) == ("2 people", "1.5 years")


def test_what_a_reader_may_have_typed_stays_text(shown, monkeypatch):
    monkeypatch.setenv("DPLIB_STATIC", "1")
    evil = '"><script>alert(1)</script>'
    guess.choice(evil, [evil, "other"]).reveal(evil)
    guess.number(evil, unit=evil).reveal(3)
    guess.mark(evil, low=0, high=1, unit=evil).reveal(0.5)
    assert len(shown) == 6 and not any("<script" in answer(each) for each in shown)


def test_git_nbgrader_and_the_build_leave_the_file_out(root, tmp_path):
    assert GUESSES == kept.FILE
    assert kept.FILE in (root / ".gitignore").read_text("utf-8").splitlines()
    for settings in ("nbgrader_config.py", "deploy/hub/nbgrader_config.py"):
        config = PyFileConfigLoader(settings, path=str(root)).load_config()
        ignored = CourseDirectory(config=config).ignore
        assert kept.FILE in ignored and ".ipynb_checkpoints" in ignored
    for folder in ("course/01_toy", "source/01_toy", "release/01_toy"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / kept.FILE).write_text("{}")
    (tmp_path / "course/01_toy/notes.txt").write_text("kept")
    assert set(files_of(tmp_path / "course")) == {"01_toy/notes.txt"}


def test_it_shows_in_ipython(tmp_path):
    """With the real display, in a shell without a front-end, nothing raises."""
    code = "from dplib import guess\nguess.number('How many?').reveal(18)"
    assert InteractiveShell().run_cell(code).success
