"""The whole way of a chapter through JupyterHub, in a browser: two students, one instructor.

Release, fetch, validate, submit, collect, grade, points by hand, feedback; and what a student must
not see.
"""

import json
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import hubserver
import nbformat
import pytest
from marks import mark, solved

from autograder.authoring.bundle import student_folder

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
import labserver

pytestmark = pytest.mark.hub

TEACHER, STUDENTS = "instructor", ("alice", "bob")
CHAPTER = "01_numbers"
# What the library in a student's notebook is, in a file beside it.
LOOK = "import dplib\nwith open('library.txt', 'w') as f:\n    f.write(dplib.__file__)\n"
RIGHT = "def double(number):\n    return 2 * number\n" + LOOK
PATIENCE = 120_000  # milliseconds for one step; a server starts in about ten seconds


@pytest.fixture(scope="module")
def world():
    """A hub with three accounts, and the instructor's course of one small chapter."""
    folder = Path("/srv/privacy_workbook_test")
    with ExitStack() as stack:
        try:
            stack.enter_context(hubserver.accounts(TEACHER, *STUDENTS))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            python = hubserver.python_for_all(folder)
            _course(folder)
            settings = hubserver.write_settings(folder, python)
            files, _ = student_folder(hubserver.ROOT, ["03_laplace"])
            for name, content in files.items():
                (folder / "student" / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / "student" / name).write_bytes(content)
            address = stack.enter_context(hubserver.hub(settings, python))
        except (hubserver.CannotRunError, FileNotFoundError) as error:
            pytest.skip(f"THE HUB IS NOT TESTED: {error}")
        yield address


def _course(folder: Path) -> None:
    """Write the settings, the exchange, and the instructor's course."""
    shutil.copytree(hubserver.ROOT / "deploy" / "hub", folder / "config")
    exchange = folder / "exchange"
    exchange.mkdir()
    exchange.chmod(0o1777)
    home = Path("/home") / TEACHER / hubserver.COURSE
    common = folder / "config" / "nbgrader_config.py"
    common.write_text(common.read_text().replace("/srv/nbgrader/exchange", str(exchange)))
    source = home / "source" / CHAPTER
    source.mkdir(parents=True)
    nbformat.write(_chapter(), source / f"{CHAPTER}.ipynb")
    shutil.copy(hubserver.ROOT / "nbgrader_config.py", home)
    subprocess.run(["chown", "-R", f"{TEACHER}:", str(home)], check=True)


def _chapter():
    """One answer in code with its test, one in words: as `autograder build` would make them."""
    new = nbformat.v4
    solution = solved("def double(number):", "return 2 * number")
    test = "assert double(3) == 6, 'three, doubled, is six'"
    cells = [
        new.new_markdown_cell("# 1 Numbers\n\nReturn twice the number."),
        new.new_code_cell(solution, metadata=mark("double", solution=True)),
        new.new_code_cell(test, metadata=mark("double_visible", points=2)),
        new.new_markdown_cell("A model answer.", metadata=mark("why", points=3, solution=True)),
    ]
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new.new_notebook(cells=cells, metadata={"kernelspec": python})


@pytest.fixture(scope="module")
def chromium():
    if labserver.CHROMIUM is None:
        pytest.skip(f"THE HUB IS NOT TESTED: {labserver.NO_CHROMIUM}")
    with labserver.chromium() as browser:
        yield browser


def log_in(chromium, address, name):
    """Log in; return the page at once: the person's server starts meanwhile."""
    page = chromium.new_context(viewport={"width": 1400, "height": 950}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/hub/login")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", hubserver.PASSWORD)
    page.click("#login_submit")
    return page


def arrive(page, address, name):
    """Wait for the person's server, and open JupyterLab."""
    page.wait_for_url("**/lab**", wait_until="commit")
    open_lab(page, address, name)


def open_lab(page, address, name, where="lab"):
    page.goto(f"{address}/user/{name}/{where}?reset")
    labserver.wait_until(page, "() => window.jupyterapp?.shell?.currentWidget !== undefined")
    labserver.wait_until(page, "() => !document.querySelector('#jupyterlab-splash')")


def open_panel(page, name):
    page.get_by_role("menuitem", name="Nbgrader", exact=True).click()
    page.locator(".lm-Menu-itemLabel", has_text=name).first.click()


def formgrader(page, address):
    """Open Formgrader; return its frame with the table of chapters in it."""
    open_lab(page, address, TEACHER)
    open_panel(page, "Formgrader")
    frame = page.frame_locator("iframe").first
    frame.locator("td.assign a").first.wait_for()
    return frame


def press(frame, column):
    """Press a button of Formgrader's table and read what it says."""
    frame.locator(f"td.{column} a").first.click()
    said = frame.locator(".modal.in, .modal.show").first
    said.wait_for()
    words = said.inner_text()
    said.locator("button").last.click()
    said.wait_for(state="hidden")
    return words


def click(page, label):
    """Press the button of one chapter in the list of assignments, and wait until it is done."""
    page.locator(f"button:has-text('{label}')").first.click()


def validate(page):
    page.locator("button:has-text('Validate'), jp-button:has-text('Validate')").first.click()
    dialog = page.locator(".jp-Dialog")
    dialog.get_by_text("Success").or_(dialog.get_by_text("failed")).first.wait_for()
    words = dialog.inner_text()
    dialog.locator("button").last.click()
    return words


def answer(name, text):
    """Write a student's answer into the notebook that they fetched."""
    path = Path("/home") / name / CHAPTER / f"{CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        mark = cell.metadata.get("nbgrader", {}).get("grade_id")
        if mark == "double":
            cell.source = text
        if mark == "why":
            cell.source = f"Because {name} says so."
    nbformat.write(notebook, path)


def library_of(name):
    """Return which library a student's notebook has found."""
    return (Path("/home") / name / CHAPTER / "library.txt").read_text()


def test_a_chapter_goes_through_the_hub(chromium, world):
    people = {name: log_in(chromium, world, name) for name in (TEACHER, *STUDENTS)}
    teacher = people.pop(TEACHER)
    arrive(teacher, world, TEACHER)
    frame = formgrader(teacher, world)
    assert "Success" in press(frame, "assign")
    assert "Success" in press(frame, "release")

    for name, text in zip(
        STUDENTS, (RIGHT, "def double(number):\n    return number\n"), strict=True
    ):
        page = people[name]
        arrive(page, world, name)
        open_panel(page, "Assignment List")
        click(page, "Fetch")
        page.locator("button:has-text('Submit')").first.wait_for()
        answer(name, text)
        open_lab(page, world, name, f"lab/tree/{CHAPTER}/{CHAPTER}.ipynb")
        said = validate(page)
        assert ("Success" in said) == (name == "alice"), said
        if name == "alice":
            assert library_of(name) == "/srv/privacy_workbook_test/student/dplib/__init__.py"
        open_lab(page, world, name)
        open_panel(page, "Assignment List")
        click(page, "Submit")
        page.locator("#submitted_assignments_list .list_item", has_text=CHAPTER).first.wait_for()

    frame = formgrader(teacher, world)
    assert "Success" in press(frame, "collect")
    scores = grade_in_a_terminal()
    assert scores == {"alice": 2, "bob": 0}

    give_points_by_hand(teacher, formgrader(teacher, world))
    frame = formgrader(teacher, world)
    assert "Success" in press(frame, "generate-feedback")
    assert "Success" in press(frame, "release-feedback")
    for name, page in people.items():
        open_lab(page, world, name)
        open_panel(page, "Assignment List")
        click(page, "Fetch Feedback")
        (page_back,) = fetched(page, name)
        assert "Well argued" in page_back.read_text("utf-8")


def fetched(page, name):
    """Return the feedback pages that a student has, as soon as they are there in full."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        found = list((Path("/home") / name).glob(f"{CHAPTER}/feedback/*/{CHAPTER}.html"))
        if found and all("</html>" in each.read_text("utf-8") for each in found):
            return found
        page.wait_for_timeout(100)
    return []


def grade_in_a_terminal():
    """Grade as docs/hub.md says, as the instructor; return the scores of the machine."""
    home = Path("/home") / TEACHER / hubserver.COURSE
    python = Path("/srv/privacy_workbook_test/python3")
    command = [str(python), "-m", "autograder", "grade", CHAPTER]
    done = subprocess.run(
        ["setpriv", f"--reuid={TEACHER}", f"--regid={TEACHER}", "--init-groups", *command],
        cwd=home,
        capture_output=True,
        text=True,
        env={"HOME": f"/home/{TEACHER}", "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    script = (
        "import json; from nbgrader.api import Gradebook\n"
        "with Gradebook('sqlite:///gradebook.db') as book:\n"
        f"    rows = book.assignment_submissions({CHAPTER!r})\n"
        "    print(json.dumps({each.student.id: each.score for each in rows}))\n"
    )
    asked = subprocess.run([str(python), "-c", script], cwd=home, capture_output=True, text=True)
    return json.loads(asked.stdout.splitlines()[-1])


def give_points_by_hand(page, frame):
    """Read both answers in words, give each a point and a comment."""
    for place in range(len(STUDENTS)):
        frame.locator("a:has-text('Manual Grading')").first.click()
        # By its address or words of its own: a link of the page before may still be there.
        frame.locator(f"tbody a[href$='/gradebook/{CHAPTER}']").click()
        frame.locator(f"tbody a[href$='/gradebook/{CHAPTER}/{CHAPTER}']").click()
        frame.locator("tbody a:has-text('Submission #')").nth(place).click()
        # Formgrader marks both boxes when it has read the scores; what comes earlier is lost.
        score = frame.locator("input.score.needs_manual_grade").last
        comment = frame.locator("textarea.comment[placeholder]").last
        score.wait_for()
        comment.wait_for()
        for box, words, part in (
            (score, "1", "grade"),
            (comment, "Well argued.", "comment"),
        ):
            with page.expect_response(lambda r, part=part: f"/api/{part}/" in r.url and r.ok):
                box.fill(words)
                box.press("Tab")


def test_a_student_sees_no_formgrader(chromium, world):
    page = log_in(chromium, world, "bob")
    arrive(page, world, "bob")
    page.get_by_role("menuitem", name="Nbgrader", exact=True).click()
    labels = page.locator(".lm-Menu-itemLabel").all_inner_texts()
    assert any("Assignment" in label for label in labels)
    for teachers in ("Formgrader", "Create Assignment", "Course"):
        assert not any(teachers in label for label in labels)
    answer = page.request.get(f"{world}/user/bob/formgrader")
    assert answer.status in (403, 404)
