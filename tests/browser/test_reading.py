"""The page for reading, in a browser: forty answers by keys, and no point is lost on the way."""

import re
import shutil
import subprocess
import sys

import class_to_read
import labserver
import pytest
from class_to_read import CHAPTER, HOSTILE, SILENT, SKETCHED, STUDENTS, recorded
from looks import LOWEST_CONTRAST
from places import ROOT
from reading_page import ALL_SAVED, come_in, reading, saved

from autograder.reading import reading_server

sys.path.insert(0, str(ROOT / "deploy" / "site"))
from vendored import SiteError, vendor

pytestmark = pytest.mark.browser

PAGE = ROOT / "autograder" / "reading" / "page"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The class of forty, unread."""
    return class_to_read.make(tmp_path_factory.mktemp("forty"))


@pytest.fixture
def course(made, tmp_path):
    """A copy of it."""
    return shutil.copytree(made, tmp_path / "course")


@pytest.fixture
def served(course):
    """The page's address, served until the test ends."""
    with reading(course) as (address, _):
        yield address


@pytest.fixture
def sitting(browser):
    """A function that opens the page in a window of its own, as a reader of this name."""
    contexts = []

    def sit(address, reader="Ann", size=WIDE, **looks):
        context = browser.new_context(viewport=size, **looks)
        contexts.append(context)
        page = labserver.patient_page(context)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("request", lambda asked: own(asked) or page.faults.append(asked.url))
        come_in(page, address, reader)
        return page

    yield sit
    for context in contexts:
        context.close()


def own(asked) -> bool:
    return asked.url.startswith(("http://127.0.0.1:", "data:"))


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def go_to(page, student):
    """Go on until a student's answer is there."""
    if page.locator("#names").get_attribute("aria-pressed") == "false":
        page.keyboard.press("n")
    page.locator("#whose", has_text=": ").wait_for()
    page.locator("#queue").select_option("all")
    for _ in STUDENTS:
        if f"({student})" in page.locator("#whose").inner_text():
            page.locator("#answer:not([aria-busy])").wait_for()
            return
        press(page, "ArrowRight")
    pytest.fail(f"no answer of {student}")


def test_forty_answers_are_read_by_two_keys_each(served, course, sitting):
    page = sitting(served)
    writers = len(STUDENTS) - 1
    for place in range(writers):
        assert page.locator("#whose").inner_text().startswith("Answer ")
        press(page, "1", "Enter") if place % 2 else press(page, "a", "Enter")
    page.get_by_role("heading", name="All done here").wait_for()
    saved(page)
    assert (
        page.locator("#progress").inner_text() == f"{writers} of {writers} read · 1 wrote nothing"
    )
    given = {student: recorded(course, student) for student in STUDENTS}
    assert given.pop(SILENT) == (None, False, None)
    assert sorted(points for points, _, _ in given.values()) == [1] * 19 + [3] * 20
    assert not any(asks for _, asks, _ in given.values())
    assert page.faults == []


def test_half_of_an_item_typed_points_and_a_comment_that_is_used_again(served, course, sitting):
    page = sitting(served)
    press(page, "1", "2", "2")
    assert page.locator("#points").input_value() == "1.5"
    press(page, "c")
    page.keyboard.type("Name the **attacker**. 1, 2")
    press(page, "Control+Enter")
    saved(page)
    press(page, "p")
    page.keyboard.type("0,5")
    press(page, "Escape", "Shift+Digit1", "Enter")
    saved(page)
    press(page, "p")
    page.keyboard.type("4")
    press(page, "Enter")
    assert "No points yet" in page.locator("#status").inner_text()
    given = [recorded(course, student) for student in STUDENTS]
    words = "Name the **attacker**. 1, 2"
    both = [(points, said) for points, _, said in given if points is not None]
    assert sorted(both) == [(0.5, words), (1.5, words)]


def test_names_are_hidden_until_one_asks(served, sitting):
    page = sitting(served)
    assert not any(student in page.content() for student in STUDENTS)
    press(page, "n")
    page.locator("#whose", has_text="Kim Of student").wait_for()
    press(page, "n")
    assert "student" not in page.locator("#whose").inner_text()


def test_answers_are_laid_out_as_on_the_students_page(served, sitting):
    page = sitting(served)
    go_to(page, SKETCHED)
    sketch = page.locator("#answer img")
    assert sketch.evaluate("image => image.decode().then(() => image.naturalWidth)") == 160
    go_to(page, STUDENTS[0])
    assert page.locator("#answer math").count() == 1 and page.locator("#answer strong").count() == 1
    assert page.locator("#items math").count() == 1 and page.locator("#asked math").count() == 1
    assert page.locator("#items button").count() == 3


HANDLER = """() => {
  const made = document.createElement('div');
  made.innerHTML =
    '<img src="data:," onerror="document.title = 1"><b onclick="document.title = 2">b</b>';
  document.body.append(made);
  made.querySelector('b').click();
  const script = document.createElement('script');
  script.textContent = 'document.title = 3';
  document.body.append(script);
}"""


def test_a_hostile_answer_does_nothing(served, course, sitting):
    page = sitting(served)
    title = page.title()
    go_to(page, HOSTILE)
    page.wait_for_timeout(500)
    for link in page.locator("#answer a").all():
        link.evaluate("link => link.click()")  # some are empty, and cannot be pointed at
    page.locator("#answer").click()
    assert page.title() == title and page.url.endswith("/") and len(page.context.pages) == 1
    inside = page.locator("#answer")
    assert inside.locator("script, iframe, form, button, [style], [id=save]").count() == 0
    save = page.locator("#save")
    assert save.evaluate(
        "save => { const box = save.getBoundingClientRect();"
        "return document.elementFromPoint(box.x + 9, box.y + 9) === save }"
    )
    assert page.faults == []
    page.evaluate(HANDLER)  # even what a cleaner let through would not run
    page.wait_for_timeout(300)
    assert page.title() == title
    press(page, "a", "Enter")
    saved(page)
    assert recorded(course, HOSTILE)[0] == 3


def test_a_server_that_is_stopped_loses_no_point(course, sitting):
    with reading(course) as (address, server):
        port = re.search(r":(\d+)/", address)[1]
        page = sitting(address)
        press(page, "a", "Enter")
        saved(page)
        server.kill()
        server.wait()
        press(page, "1", "Enter")
        page.locator("#status", has_text="The points of 1 answer are not saved yet").wait_for()
        press(page, "1", "2", "Enter", "c")
        page.keyboard.type("half a sent")
        assert "kept in this browser" in page.locator("#status").inner_text()
        assert f"autograder read {CHAPTER}" in page.locator("#status").inner_text()
        page.close(run_before_unload=False)
    with reading(course, port) as (address, _):  # another token
        again = labserver.patient_page(page.context)
        come_in(again, address)
        saved(again)
        given = sorted(points for s in STUDENTS if (points := recorded(course, s)[0]))
        assert given == [1, 2, 3]
        assert again.locator("#comment").input_value() == "half a sent"


def test_without_a_network_points_wait_and_go_on_their_own(served, course, sitting):
    page = sitting(served)
    page.locator("#answer:not([aria-busy])").wait_for()
    page.wait_for_timeout(1000)  # the next answers have come
    page.context.set_offline(True)
    for keys in (["1", "c", "W", "h", "y", "?", "Control+Enter"], ["1", "Enter"], ["1", "Enter"]):
        page.locator("#answer > p").first.wait_for()
        press(page, *keys)
    assert page.locator(".used span").all_inner_texts() == ["Why?"]
    page.locator("#status", has_text="The points of 3 answers are not saved yet").wait_for()
    page.screenshot(path=course / "offline.png")
    page.context.set_offline(False)
    saved(page)
    assert sum(recorded(course, student)[0] == 1 for student in STUDENTS) == 3


def test_two_readers_who_differ_see_it_after_their_own_reading_and_settle_it(
    served, course, sitting
):
    ann, bo = sitting(served, "Ann"), sitting(served, "Bo")
    student = STUDENTS[0]
    go_to(ann, student)
    press(ann, "1", "2", "c")
    ann.keyboard.type("Which attacker?")
    press(ann, "Control+Enter")
    saved(ann)
    bo.reload()
    bo.locator("#answer > *").first.wait_for()
    go_to(bo, student)
    notice = bo.locator("#notice")
    assert notice.inner_text() == "Read by Ann. Their points are shown after yours."
    assert bo.locator("#points").input_value() == "" and "2" not in notice.inner_text()
    press(bo, "a", "Enter")
    bo.locator("#status", has_text="Another reader gave other points").wait_for()
    assert recorded(course, student) == (2, True, "Which attacker?")
    bo.locator("#queue").select_option("differ")
    bo.locator("#notice", has_text="Ann gave 2 (“Which attacker?”); you gave 3.").wait_for()
    bo.screenshot(path=course / "differ.png")
    bo.get_by_role("button", name="Settle on 2").click()
    saved(bo)
    assert recorded(course, student) == (2, False, "Which attacker?")
    assert bo.locator("#progress").inner_text().endswith("Ann 1, Bo 1")


def test_points_for_work_that_has_changed_come_back_as_a_draft(served, course, sitting):
    page = sitting(served)
    student = STUDENTS[0]
    go_to(page, student)
    path = course / "autograded" / student / CHAPTER / f"{CHAPTER}.ipynb"
    path.write_text(path.read_text("utf-8").replace("That is too much", "That is false"), "utf-8")
    press(page, "a", "Enter")
    page.locator("#status", has_text="Not taken, and kept as a draft: 3 points").wait_for()
    go_to(page, student)
    assert "the answer has changed since" in page.locator("#notice").inner_text()
    assert "That is false" in page.locator("#answer").inner_text()
    assert page.locator("#points").input_value() == "3"
    press(page, "Enter")
    saved(page)
    assert recorded(course, student)[0] == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_it_fits_the_screen_and_can_be_read(served, course, sitting, size, scheme):
    page = sitting(served, size=size, color_scheme=scheme)
    press(page, "1", "2", "2", "m")
    page.locator("#status", has_text=ALL_SAVED).wait_for()
    page.screenshot(path=course / f"{size['width']}-{scheme}.png")
    width = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    contrast, words = page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, words


def test_axe_finds_nothing(served, sitting):
    page = sitting(served)
    press(page, "1")
    # The page's own policy lets no script in but its own: axe comes by the driver.
    axe = fetched("axe")
    page.evaluate(axe + "\n;undefined")
    for open_it in ("", "?"):
        if open_it:
            press(page, open_it)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []


def fetched(name: str) -> str:
    folder = ROOT / "build" / name
    try:
        vendor(folder, ROOT / "tests" / "browser" / f"{name}.json")
    except SiteError as error:
        pytest.skip(f"NOT TESTED: {error}")
    return (folder / "axe.min.js").read_text("utf-8") if name == "axe" else str(folder)


def types_of(folder) -> str:
    """Return what TypeScript finds wrong in a folder of scripts."""
    compiler = f"{fetched('typescript')}/lib/_tsc.js"
    command = ["node", compiler, "-p", str(folder / "tsconfig.json")]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_the_scripts_have_the_types_that_they_say(tmp_path):
    assert types_of(PAGE) == ""
    broken = shutil.copytree(PAGE, tmp_path / "page")
    with (broken / "reading.js").open("a", encoding="utf-8") as file:
        file.write("\nexport const wrong = total([1], 2);\n")
    assert "reading.js" in types_of(broken)


def test_all_that_the_page_asks_for_is_in_its_folder():
    text = "".join(path.read_text("utf-8") for path in PAGE.glob("*.js"))
    names = set(re.findall(r'from "\./([a-z]+\.js)"', text)) | {"main.js", "icon.svg"}
    assert names <= {path.name for path in PAGE.iterdir()}
    assert reading_server.HOST == "127.0.0.1"
