"""nbgrader's formgrader opens what `autograder grade` has graded, and shows the same scores."""

import labserver
import pytest

from autograder.demo.students import CHAPTER

pytestmark = pytest.mark.browser

BY_HAND = "newspaper"  # the written answer


@pytest.fixture
def page(browser, lab, graded):
    """A page that reaches this machine only; `go` opens a place below formgrader's address."""
    folder, _ = graded
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    # Formgrader wants MathJax and more from other hosts: it must do without.
    opened = labserver.patient_page(context)
    context.request.get(lab(folder))  # logs in, with the token of the address
    address = lab(folder).split("/lab?")[0]
    opened.go = lambda place: opened.goto(f"{address}/formgrader{place}")
    yield opened
    context.close()


def rows(page) -> dict[str, tuple[str, str]]:
    """The status and the score of each student in the table of submissions."""
    page.go(f"/manage_submissions/{CHAPTER}")
    page.locator("#main-table .student-id").first.wait_for()
    found = page.locator("#main-table tr").evaluate_all(
        "rows => rows.map(row => ['.student-id', '.status', '.score'].map("
        "kind => row.querySelector(kind).innerText))"
    )
    return {student: (status, score) for student, status, score in found}


def shown(outcome, more: float = 0) -> str:
    return f"{outcome.score + more:g} / {outcome.max_score:g}"


def test_the_tables_show_the_scores_of_the_run(page, graded):
    folder, outcomes = graded
    assert rows(page) == {
        student: ("needs manual grading", shown(outcome)) for student, outcome in outcomes.items()
    }
    page.screenshot(path=folder / "submissions.png")
    page.go("/gradebook")
    page.locator("#main-table .score").first.wait_for()
    mean = sum(outcome.score for outcome in outcomes.values()) / len(outcomes)
    average, most = page.locator("#main-table .score").inner_text().split(" / ")
    assert float(average) == pytest.approx(mean, abs=0.006)
    assert float(most) == outcomes["perfect"].max_score
    page.go(f"/gradebook/{CHAPTER}/{CHAPTER}")
    page.locator("#main-table .score").first.wait_for()
    scores = page.locator("#main-table .score").all_inner_texts()
    assert sorted(scores) == sorted(map(shown, outcomes.values()))


def open_submission(page, student: str) -> None:
    """Go where the links lead: the student, the chapter, the notebook."""
    page.go(f"/manage_students/{student}/{CHAPTER}")
    page.locator("#main-table a", has_text=CHAPTER).first.click()
    # Scores and comments come by a request each: what is typed before they have come is lost.
    for box in ("input.score", "textarea.comment"):
        page.wait_for_function(
            "boxes => [...document.querySelectorAll(boxes)].some(box => box.placeholder)", arg=box
        )


def test_a_submission_shows_each_cells_points_and_what_the_check_said(page, graded):
    folder, outcomes = graded
    student = "noise_multiplied"
    open_submission(page, student)
    for cell, points in outcomes[student].points.items():
        box = page.locator(f"input.score#{cell}")
        given = box.input_value() or box.get_attribute("placeholder")
        assert (given and float(given)) == points, cell  # None: waits for a person
    sentence = page.get_by_text("epsilon multiplies instead of divides").first
    sentence.scroll_into_view_if_needed()
    assert sentence.is_visible()
    cell = page.locator("div.cell", has=sentence)
    assert cell.locator("img").first.evaluate("image => image.naturalWidth") > 300
    page.screenshot(path=folder / "submission.png")
    slider = page.locator("div.cell", has_text="explore.explore_").first
    assert slider.locator("img").first.evaluate("image => image.naturalWidth") > 100


def test_points_and_words_given_by_hand_reach_the_student(page, graded):
    """Formgrader's own button makes our page, with hidden tests hidden."""
    folder, outcomes = graded
    student = "rounded"
    open_submission(page, student)
    box = page.locator(f"input.score#{BY_HAND}")
    words = page.locator(f"textarea#{BY_HAND}-comment")
    box.fill("2")
    with page.expect_response(lambda response: "/api/grade/" in response.url):
        words.fill("Name the **attacker**.")
    with page.expect_response(lambda response: "/api/comment/" in response.url):
        box.focus()
    assert rows(page)[student] == ("graded", shown(outcomes[student], 2))
    row = page.locator("#main-table tr", has_text=student)
    row.locator(".generate-feedback a").click()
    page.get_by_text("Successfully generated feedback").wait_for()
    made = folder / "feedback" / student / CHAPTER / f"{CHAPTER}.html"
    page.goto(made.as_uri())
    page.screenshot(path=folder / "feedback.png")
    words = page.locator(".exercises > li").last.inner_text()
    assert "2 of 3 points" in words
    assert "Name the attacker." in words
    assert "✗ discrete_laplace: continuous Laplace noise is rounded" in page.content()
    assert "HIDDEN TESTS" not in page.content()
    assert page.get_by_text("check.discrete_laplace(discrete_laplace)").count() == 1
