"""Exercises that are answered on the page: right, wrong, endless, kept, and handed in."""

import re

import nbformat
import pytest
from answers import Answered, come_near
from nbgrader.utils import compute_checksum
from notebooks import EXAMPLE, RELEASED_CHAPTERS, mark, read
from sites import SITE, violations, wait_until, watch

from autograder.demo.demo_class import make
from autograder.demo.students import CHAPTER
from autograder.grading import grade

pytestmark = pytest.mark.site

NAME = "laplace_mechanism"
RIGHT = """def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    rng = rng or np.random.default_rng()
    return value + rng.laplace(scale=sensitivity / epsilon)
"""
WRONG = RIGHT.replace("sensitivity / epsilon", "sensitivity * epsilon")
LOOP = f"kept = 7\n{RIGHT.partition(':')[0]}:\n    return value\nwhile True: pass\n"
# What ends no loop by itself: it catches whatever interrupts it.
STUBBORN = """def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    while True:
        try:
            while True: pass
        except BaseException: pass
"""
HOSTILE = """class Card:
    def _repr_html_(self):
        return ('<b onclick="parent.hit=1">shown</b><img src="x" onerror="window.hit=1">'
                '<script>window.hit=1</script><iframe srcdoc="<b>framed</b>"></iframe>'
                '<a href="javascript:window.hit=1">link</a><style>body{display:none}</style>'
                '<svg><use href="https://example.org/x.svg#a"/><text>picture</text></svg>'
                '<form action="https://example.org"><input name="a"></form>')
Card()
"""
# What a reader's code could ask another address with.
REACHES = """import js
found = []
for name in ("fetch", "XMLHttpRequest", "WebSocket", "EventSource", "indexedDB", "caches"):
    found.append(getattr(js, name, None) is None)
at = js.globalThis
while at:
    found.append(getattr(at, "fetch", None) is None)
    at = js.Object.getPrototypeOf(at)
print(found)
from pyodide.code import run_js
for code in ("1 + 1", "new Function('return 1')()", "import('https://example.org/a.js')"):
    try:
        run_js(code)
        print("it ran")
    except BaseException as error:
        print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def address(address):
    if not (SITE / "notebooks").exists():
        pytest.skip("NOT TESTED: ANSWERS ON THE PAGE: no Python for it (make site PYODIDE=ARCHIVE)")
    return address


@pytest.fixture(scope="module")
def context(browser):
    """One reader, whose browser has loaded Python by the second page."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


def opened(context, address, name=EXAMPLE):
    page = context.new_page()
    page.faults = watch(page, address)
    page.goto(f"{address}/{name}.html")
    come_near(page)
    return page


@pytest.fixture(scope="module")
def page(context, address):
    """A chapter's page, on which tests answer one after the other."""
    page = opened(context, address)
    yield page
    assert page.faults == []


@pytest.fixture
def first(page):
    return Answered(page, NAME)


def test_it_is_told_that_nothing_is_written_yet(page, first):
    assert first.check() == "not yet"
    # Python has been warmed up with a right answer, which is not the reader's.
    assert page.locator(f".answering-tiles [data-name={NAME}]").inner_text() == "○"
    assert "not answered yet" in first.said()


def test_a_wrong_answer_is_told_why(first):
    assert first.check(WRONG) == "wrong"
    assert "epsilon multiplies instead of divides" in first.said()


def test_a_right_answer_passes_and_fills_its_tile(page, first):
    tile = page.locator(f".answering-tiles [data-name={NAME}]")
    assert first.check(RIGHT) == "right"
    assert "✓ laplace_mechanism" in first.said()
    assert tile.inner_text() == "✓" and "passed" in tile.get_attribute("aria-label")
    picture = first.box.locator(".answer-came svg")
    assert picture.bounding_box()["height"] > 50
    assert picture.locator("path[d]").count() >= 3 and picture.locator("text[x]").count() >= 3
    assert int(first.box.get_attribute("data-draws")) > 0


def test_an_answer_runs_with_what_it_prints_and_its_last_value(first):
    first.write(RIGHT + "print('printed')\nadult.head(2)")
    assert first.press("Run") == "ran"
    assert "printed" in first.said()
    assert first.box.locator(".answer-came table tr").count() == 3


def test_an_error_shows_the_readers_own_lines_and_no_others(first):
    first.write("def half(x):\n    return x / 0\nhalf(3)")
    assert first.press("Run") == "failed"
    said = first.said()
    assert "ZeroDivisionError" in said and "return x / 0" in said and "page_runtime" not in said
    first.write("def half(x:\n")
    assert first.press("Run") == "failed"
    assert "SyntaxError" in first.said()


def test_a_loop_can_be_stopped_by_a_button(page, first):
    first.write("print('begun')\nwhile True: pass")
    first.box.evaluate("box => { delete box.dataset.kind }")
    first.box.get_by_role("button", name="Run").click()
    page.wait_for_timeout(1000)
    first.box.get_by_role("button", name="Stop").click()
    assert first.wait() == "stopped"
    assert first.check(RIGHT) == "right"


def test_an_endless_loop_ends_after_half_a_minute_and_names_are_kept(first):
    first.write(LOOP)
    assert first.press("Run") == "stopped"
    assert "30 seconds" in first.said() and "does not end" in first.said()
    # The next cell is another run of the same Python: what was made before the loop is there.
    assert first.check(STUBBORN) == "stopped"
    assert "Python starts anew" in first.said()
    assert first.check(RIGHT) == "right"


def test_what_fails_above_an_exercise_is_named(page, first):
    second = Answered(page, "private_count")
    first.write("1 / 0")
    second.write("def private_count(table, predicate, *, epsilon): ...\nlaplace_mechanism")
    assert second.press("Run") == "failed"  # nobody defines it: what is above is not needed
    first.write("laplace_mechanism = 1 / 0")
    assert second.press("Run") == "failed"
    assert f"The cell “{NAME}” above it failed" in second.state()
    assert "ZeroDivisionError" in second.said()
    first.write(RIGHT)
    assert second.press("Run") == "ran"
    second.press_again()


def test_no_card_brings_a_script_an_address_or_a_form(page, first):
    first.write(HOSTILE)
    assert first.press("Run") == "ran"
    came = first.box.locator(".answer-came")
    assert "shown" in came.inner_text() and "picture" in came.inner_text()
    assert came.locator("script, img, iframe, a, style, form, input, use").count() == 0
    assert "onclick" not in came.inner_html()
    assert page.evaluate("window.hit") is None


def test_a_readers_code_reaches_nothing(first):
    first.write(REACHES)
    assert first.press("Run") == "ran"
    said = first.said()
    found = re.findall("True|False", said.partition("it ran")[0])
    assert len(found) >= 8 and set(found) == {"True"}
    assert "it ran" not in said.replace("import", "")


def test_nothing_is_asked_for_after_loading(page, first):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    assert first.check(RIGHT) == "right"
    first.write("import js\njs.fetch('/')")
    assert first.press("Run") == "failed"
    assert asked == []


def test_what_is_written_survives_a_reload_and_is_in_another_tab(context, address, page, first):
    text = RIGHT + "# kept: ε ≤ 1"
    first.write(text)
    page.reload()
    come_near(page)
    assert first.text() == text
    tile = page.locator(f".answering-tiles [data-name={NAME}]")
    assert tile.inner_text() == "✓"
    other = opened(context, address)
    assert Answered(other, NAME).text() == text
    Answered(other, NAME).write(RIGHT)
    wait_until(other, "() => indexedDB.databases().then(all => all.length)")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    gone = "() => !document.querySelector('.answer .cm-content').innerText.includes('kept')"
    wait_until(page, gone)
    other.close()


def test_one_exercise_starts_again_and_can_be_brought_back(page, first):
    first.write(RIGHT)
    first.press_again()
    assert "YOUR CODE HERE" in first.text()
    first.box.locator(".cm-content").focus()
    page.keyboard.press("Control+Z")
    assert first.text() == RIGHT


def test_the_first_page_shows_how_far_a_reader_is(context, address, page, first):
    with context.expect_page() as waiting:
        page.evaluate("open('index.html')")
    front = waiting.value
    small = front.locator(f".tile[href='{EXAMPLE}.html'] small")
    small.get_by_text("1 of 7 exercises ✓").wait_for()
    front.close()


def downloaded(page, path):
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download my notebook").click()
    assert waiting.value.suggested_filename == f"{EXAMPLE}.ipynb"
    waiting.value.save_as(path)
    return path


def test_the_notebook_that_is_handed_in_is_graded_with_its_points(page, first, root, tmp_path):
    first.write(RIGHT)
    Answered(page, "newspaper").write("It is **mine**.\n\nAll of it.")
    mine = downloaded(page, tmp_path / "mine.ipynb")
    notebook, given = nbformat.read(mine, as_version=4), read(EXAMPLE, "release")
    assert [cell.id for cell in notebook.cells] == [cell.id for cell in given.cells]
    assert [cell.metadata for cell in notebook.cells] == [cell.metadata for cell in given.cells]
    assert notebook.metadata == given.metadata
    for cell in notebook.cells:
        if mark(cell).get("locked"):
            assert compute_checksum(cell) == mark(cell)["checksum"]
    answers = {mark(cell).get("grade_id"): cell.source for cell in notebook.cells}
    assert answers[NAME] == RIGHT and answers["newspaper"].startswith("It is **mine**")
    course = make(root, tmp_path / "demo", [])
    place = course / "submitted" / "reader" / CHAPTER / f"{CHAPTER}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_bytes(mine.read_bytes())
    (outcome,) = grade(CHAPTER, root=course)
    assert outcome.graded and not outcome.flagged
    assert outcome.points["newspaper"] is None  # it waits for a person
    got = {name: points for name, points in outcome.points.items() if points}
    assert got == {f"{NAME}_visible": 1, f"{NAME}_hidden": 1}


def test_a_notebook_is_opened_in_the_page(page, first, tmp_path):
    first.write(RIGHT + "# of the file")
    mine = downloaded(page, tmp_path / "mine.ipynb")
    first.write("lost")
    file = page.locator("#answering input[type=file]")
    file.set_input_files(mine)
    page.get_by_text("8 answers opened").wait_for()
    assert first.text() == RIGHT + "# of the file"
    (tmp_path / "other.ipynb").write_text("no notebook", "utf-8")
    file.set_input_files(tmp_path / "other.ipynb")
    page.get_by_text("This file is not a notebook.").wait_for()
    assert first.text() == RIGHT + "# of the file"


def test_an_editor_is_named_and_the_keyboard_leaves_it(page, first):
    editor = first.box.get_by_role("textbox")
    assert NAME in editor.get_attribute("aria-label")
    keys = page.locator("#" + editor.get_attribute("aria-describedby"))
    assert "Escape" in keys.inner_text()
    first.write("x")
    page.keyboard.press("Tab")
    assert first.text() != "x"  # it indents
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    first.write(RIGHT)
    first.box.evaluate("box => { delete box.dataset.kind }")
    page.keyboard.press("Shift+Enter")
    assert first.wait() == "right"


def test_axe_finds_nothing_where_answers_are(page, first, axe):
    assert first.check(WRONG) == "wrong"
    for colors in ("light", "dark"):
        page.emulate_media(color_scheme=colors)
        wait_until(page, f"document.documentElement.dataset.theme === '{colors}'")
        page.wait_for_timeout(500)  # the theme fades from one to the other
        assert violations(page, axe, within="#answering, .answer") == [], colors
    page.emulate_media(color_scheme="light")


def test_editors_come_when_an_exercise_is_near_and_python_when_one_is_used(browser, address):
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/{EXAMPLE}.html", wait_until="networkidle")
        assert page.locator(".answering-tiles a").count() == 8
        assert not any("/page-" in url for url in asked)
        come_near(page)
        assert any("/page-" in url for url in asked)
        assert not any("pyodide.mjs" in url for url in asked)
        Answered(page, NAME).box.locator(".cm-content").focus()
        with page.expect_request("**/pyodide.mjs"):
            pass


@pytest.mark.parametrize("width", [390, 1280])
def test_an_editor_is_not_wider_than_the_screen(browser, address, width):
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        page = opened(context, address)
        Answered(page, NAME).write("x = " + "'a very long line' " * 20)
        wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 1


@pytest.fixture(params=RELEASED_CHAPTERS)
def chapter(browser, address, request):
    """A chapter's page in a browser of its own, and the course's answers by exercise."""
    answers = {
        mark(cell)["grade_id"]: re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", cell.source)
        for cell in read(request.param).cells
        if mark(cell).get("solution") and cell.cell_type == "code"
    }
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield opened(context, address, request.param), answers


def test_the_courses_own_answers_pass_on_the_page(chapter):
    page, answers = chapter
    kinds = {}
    for name, text in answers.items():
        exercise = Answered(page, name)
        kinds[name] = exercise.check(text)
        assert kinds[name] == "right", (name, exercise.said())
    assert page.locator(".answering-tiles a.full").count() >= len(answers) - 1
    assert page.faults == []
