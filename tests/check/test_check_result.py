"""What a check says, and what a notebook and nbgrader make of it."""

import logging
import os
import re
from xml.etree import ElementTree

import nbclient
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

from autograder.check import CheckFailure, Result
from autograder.check.claims import CLAIMS
from autograder.check.shown import figure
from autograder.check.wording import place
from ville import distributions as laws

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?[\d.]+").findall
SETUP = """
import numpy as np
from autograder import check

def right(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(0, sensitivity / epsilon)

def wrong(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(0, 1 / epsilon)

def unanswered(value, *, sensitivity, epsilon, rng=None):
    raise NotImplementedError
"""


def test_a_result_is_one_line_that_is_no_number():
    result = Result("laplace_mechanism", "Laplace: 3,156 draws", 3156, "your function <prints>")
    assert repr(result) == "✓ Laplace: 3,156 draws (your function <prints>)"
    assert "&lt;prints&gt;" in result._repr_html_()
    with pytest.raises(ValueError, match="could not convert"):
        float(repr(result))


def test_a_failure_has_the_four_lines():
    failure = CheckFailure(
        "laplace_mechanism",
        "the sensitivity is ignored",
        seen="sensitivity 4.10, epsilon 0.30: the scale should be 13.7, yours looks like 3.3",
        sure="A correct answer fails here less than once in a billion runs. (112 answers)",
        ask="what should happen to the noise when one person can change the answer by more?",
    )
    assert isinstance(failure, AssertionError)
    assert str(failure).splitlines() == [
        "✗ laplace_mechanism: the sensitivity is ignored",
        "  sensitivity 4.10, epsilon 0.30: the scale should be 13.7, yours looks like 3.3",
        "  A correct answer fails here less than once in a billion runs. (112 answers)",
        "  Try: what should happen to the noise when one person can change the answer by more?",
    ]
    assert failure._render_traceback_() == str(failure).splitlines()


@pytest.mark.parametrize("number", [4, 6, 12, 40])
def test_answers_around_the_right_place_are_not_said_to_lie_elsewhere(number):
    # Wrong in 27 of 1,000 cases if the error of a scale estimated from 4 answers is forgotten; in
    # about one of 10,000 now. More than 12 of 4,000 come then with probability below 1e-13.
    claim, generator = CLAIMS["laplace_mechanism"], np.random.default_rng()
    parameters = next(iter(claim.parameters(generator)))
    noise = generator.laplace(scale=claim.scale(parameters), size=(4_000, number))
    said = [place.place_or_spread(claim, parameters, each) for each in noise]
    assert sum("lie around" in each for each in said) <= 12
    moved = noise[0] + 40 * claim.scale(parameters)
    assert number < 40 or "lie around" in place.place_or_spread(claim, parameters, moved)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("offset", [0.0, -400.0])
def test_the_figure_is_drawn_wherever_the_answers_lie(whole, offset):
    noise = np.round(np.random.default_rng().normal(offset, 3, 50))
    law = laws.discrete_laplace(0.5) if whole else laws.laplace(2.0)
    how = {"law": law, "exact": 100.0, "scale": 2.0, "whole": whole, "caption": "<a> & b"}
    picture = figure.of_answers(100 + noise, **how)
    drawn = ElementTree.fromstring(picture.svg)
    assert drawn.get("aria-label") == picture.words and "<a> & b" in picture.words
    assert len(picture.svg) < 6_000 and "nan" not in picture.svg
    numbers = [float(each) for path in drawn.iter(f"{SVG}path") for each in NUMBER(path.get("d"))]
    assert min(numbers) >= -figure._WIDTH and max(numbers) <= figure._WIDTH
    assert len(list(drawn.iter(f"{SVG}text"))) >= 4  # the legend, and numbers on the axis


def test_no_figure_is_drawn_of_answers_that_are_no_numbers():
    nothing = np.full(3, np.nan)
    how = {"law": None, "exact": 0.0, "scale": 1.0, "whole": False, "caption": ""}
    assert figure.of_answers(nothing, **how) is None


def test_choices_are_drawn_in_their_order_the_likeliest_alone():
    law = {f"door {place} of a long corridor with many": 1 / 20 for place in range(20)}
    shares = dict.fromkeys(law, 0.0) | {list(law)[15]: 0.9}
    picture = figure.of_choices(shares, law, caption="epsilon 1")
    drawn = ElementTree.fromstring(picture.svg)
    names = [text.text for text in drawn.iter(f"{SVG}text")]
    assert len(names) == 2 + 2 * figure._MOST_ROWS and "90 %" in names
    assert names.index("door 15 of a long corridor with…") == 2 + 2 * (figure._MOST_ROWS - 1)
    assert "epsilon 1" in picture.words


def test_a_grader_is_shown_a_line_and_a_reader_a_card(monkeypatch):
    how = {"law": laws.laplace(2.0), "exact": 0.0, "scale": 2.0, "whole": False, "caption": "c"}
    picture = figure.of_answers(np.zeros(9), **how)
    worth = "would have seen <much>"
    seen = Result("x", "y < z", worth=worth, note="a note", share=0.5, picture=picture)
    assert "<svg" not in seen._repr_html_() and len(seen._repr_html_()) < 300
    failure = CheckFailure("x", "wrong", ask="why?")
    assert failure._render_traceback_() == str(failure).splitlines()
    monkeypatch.setattr("autograder.check.result.in_notebook", lambda: True)
    card = seen._repr_html_()
    assert "<svg" in card and "Would have seen &lt;much&gt;." in card and "A note." in card
    assert 'role="status"' in card and 'aria-label="progress: 50% of the points"' in card
    monkeypatch.setattr("autograder.check.result._GRADER_RUNS", True)
    assert "<svg" not in seen._repr_html_()


@pytest.fixture(scope="module")
def executed():
    """A notebook with a right, a wrong and an unanswered exercise, run in a kernel."""
    cells = [new_code_cell(SETUP)]
    for number, answer in enumerate(("right", "wrong", "unanswered")):
        graded = {"grade": True, "solution": False, "points": 3, "grade_id": f"cell-{number}"}
        cells.append(
            new_code_cell(f"check.laplace_mechanism({answer})", metadata={"nbgrader": graded})
        )
    notebook = new_notebook(cells=cells)
    return nbclient.NotebookClient(notebook, allow_errors=True).execute().cells[1:]


@pytest.mark.long
def test_nbgrader_gives_all_points_or_none(executed, caplog):
    with caplog.at_level(logging.WARNING):
        grades = [determine_grade(cell, logging.getLogger()) for cell in executed]
    assert grades == [(3.0, 3.0), (0, 3.0), (0, 3.0)]
    # A result that is a cell's value makes nbgrader warn that it is no number.
    assert not caplog.records


def test_a_pass_is_shown_as_text_and_as_html(executed):
    (output,) = executed[0].outputs
    assert output.output_type == "display_data"
    assert output.data["text/plain"].startswith("✓ Laplace")
    assert "laplace_mechanism" in output.data["text/html"]


def test_a_pass_has_a_picture_of_the_answers(executed):
    (output,) = executed[0].outputs
    assert "<svg" in output.data["text/html"] and "Histogram of" in output.data["text/html"]
    assert "Would have seen noise off by" in output.data["text/html"]


def test_a_failure_is_shown_as_a_figure_and_a_sentence_without_a_traceback(executed):
    figure, alert, error = executed[1].outputs
    assert 'role="img" aria-label="Histogram of' in figure.data["text/html"]
    assert "currentColor" in figure.data["text/html"]  # the page's ink
    # A screen reader is told at once; nothing more is seen.
    assert 'role="alert"' in alert.data["text/html"] and "is ignored" in alert.data["text/html"]
    assert alert.data["text/plain"] == ""
    assert error.ename == "CheckFailure"
    assert error.traceback[0].startswith("✗ laplace_mechanism: the sensitivity is ignored")
    assert len(error.traceback) <= 6


def test_an_unanswered_exercise_is_told_so(executed):
    told, error = executed[2].outputs
    assert "not answered yet" in error.evalue
    # Nothing is wrong yet: a screen reader need not stop at once, and the lines are not on red.
    page = told.data["text/html"]
    assert 'role="status"' in page and "not answered yet" in page and "background: none" in page
    assert "background: none" not in executed[1].outputs[1].data["text/html"]


@pytest.fixture(scope="module")
def graded():
    """The same failure when a grader runs it."""
    cells = [new_code_cell(SETUP), new_code_cell("check.laplace_mechanism(wrong)")]
    cells.append(new_code_cell("check.laplace_mechanism(right)"))
    client = nbclient.NotebookClient(new_notebook(cells=cells), allow_errors=True)
    environment = {**os.environ, "NBGRADER_EXECUTION": "autograde"}
    return client.execute(env=environment).cells[1:]


@pytest.mark.long
def test_a_grader_keeps_a_picture_that_stands_alone_and_one_line(graded):
    picture, error = graded[0].outputs
    assert error.ename == "CheckFailure"
    (kind,) = picture.data.keys() - {"text/plain"}
    assert kind == "image/svg+xml" and len(picture.data[kind]) < 6_000
    assert picture.metadata[kind]["alt"].startswith("Histogram of")
    (line,) = graded[1].outputs
    assert "<svg" not in line.data["text/html"] and len(line.data["text/html"]) < 500


def test_nothing_is_written_to_standard_error(executed):
    assert not [out for cell in executed for out in cell.outputs if out.output_type == "stream"]


def test_part_of_the_points_is_progress_and_passes_when_a_student_validates(monkeypatch):
    half, none, whole = (Result("x", "y", share=share) for share in (0.5, 0.0, 1.0))
    assert [each.points(3) for each in (half, none, whole)] == [1.5, 0, 3]
    # An answer may say of its process what it likes: it is too late.
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    assert half.points(3) == 1.5
    monkeypatch.setattr("autograder.check.result._VALIDATES", True)
    assert [each.points(3) for each in (half, none, whole)] == [None, 0, None]
    assert 'aria-label="progress: 50% of the points" value="0.500"' in half._repr_html_()
    assert "progress" not in whole._repr_html_()
