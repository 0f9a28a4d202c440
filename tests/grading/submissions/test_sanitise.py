"""Sanitising: forbidden changes are undone, and files that are not plain are refused by name."""

import contextlib
import json
import os
import socket
import unicodedata

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell

from autograder.course_folders import submissions
from autograder.course_folders.course import Course
from autograder.course_folders.restore import Restore
from autograder.course_folders.submissions import Submission
from autograder.course_folders.submitted_files import SubmittedFiles, UnreadableError
from autograder.grading import grade
from autograder.releases import Earlier

TESTS = ("double_visible", "double_hidden", "half_visible", "half_parts")


def changed(notebook, grade_id, /, **mark):
    """Change the nbgrader metadata of one cell; None takes an entry away."""
    found = toy.cell(notebook, grade_id).metadata.nbgrader
    found.update(mark)
    for name in [name for name, value in mark.items() if value is None]:
        del found[name]
    return notebook


def tagged(notebook, tags, names=TESTS):
    for name in names:
        toy.cell(notebook, name).metadata.tags = tags
    return notebook


def retyped(notebook, grade_id, cell_type):
    found = toy.cell(notebook, grade_id)
    found.cell_type = cell_type
    found.attachments = {}  # what no code cell may have
    del found["outputs"], found["execution_count"]
    return notebook


def with_cell(notebook, source, place=1, **metadata):
    notebook.cells.insert(place, new_code_cell(source, metadata=metadata))
    return notebook


def with_outputs(notebook):
    """A test that needs no run: the best result is there, and the test's text is not."""
    found = toy.cell(notebook, "half_parts")
    found.source = ""
    result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
    found.outputs = [nbformat.from_dict(result | {"data": {"text/plain": "4.0"}})]
    return notebook


def of_no_kind(name):
    notebook = with_cell(toy.answers(), "print(1)", **toy.mark(name))
    return changed(notebook, name, locked=False)


def with_three_hundred_cells(notebook):
    notebook.cells += [new_code_cell("1" if number % 10 else "") for number in range(300)]
    return notebook


def shrunk(notebook, keep):
    notebook.cells = [cell for cell in notebook.cells if toy.name(cell) in keep]
    return notebook


# Right answers earn 3 points for double and 5 for half; 2 more are given by hand.
MENDED = {
    "a cell that says it is a test": (
        with_cell(toy.answers(), "1", **toy.mark("mine", points=90)),
        8,
    ),
    "a test among the answers": (
        changed(toy.answers(), "double_hidden", grade=False, solution=True, points=None),
        8,
    ),
    "a test that is only read": (changed(toy.answers(), "double_hidden", grade=False), 8),
    "a test that is text": (retyped(toy.answers(), "half_parts", "markdown"), 8),
    "a test that is raw": (retyped(toy.answers(), "half_parts", "raw"), 8),
    "an answer that is a test": (changed(toy.answers(), "double", grade=True, points=50), 8),
    "an answer that is text": (retyped(toy.answers(), "double", "markdown"), 8),
    "an essay without flags": (
        changed(toy.answers(), "written", grade=False, solution=False, locked=True),
        8,
    ),
    "an essay that is code": (toy.answers(), 8),
    "an unknown entry": (changed(toy.answers(), "double_hidden", extra="1"), 8),
    "another type noted": (changed(toy.answers(), "double_hidden", cell_type=7), 8),
    "flags that are numbers": (changed(toy.answers(), "double_hidden", grade=1), 8),
    "more points": (changed(toy.answers(), "double_hidden", points=300), 8),
    "points below zero": (changed(toy.answers(), "double", points=-1), 8),
    "points in words": (changed(toy.answers(), "double_hidden", points="many"), 8),
    "points without end": (changed(toy.answers(), "double_hidden", points=float("inf")), 8),
    "points taken away": (changed(toy.answers(), "double_hidden", points=None), 8),
    "a test and its answer deleted": (toy.answers(half=None, half_visible=None), 3),
    "a test renamed": (changed(toy.answers(), "double_visible", grade_id="other"), 8),
    "everything deleted": (shrunk(toy.answers(), ()), 0),
    "only the last test left": (shrunk(toy.answers(), ("half_parts",)), 0),
    "outputs brought along": (with_outputs(toy.released()), 0),
    "tests skipped by a tag": (tagged(toy.released(), ["skip-execution"]), 0),
    "tests skipped by a word": (tagged(toy.released(), "skip-execution"), 0),
    "own cell skipped": (
        with_cell(toy.answers(), "import os\nos._exit(1)", tags=["skip-execution"]),
        8,
    ),
    # nbgrader's "Create Assignment" marks a cell of no kind; its name may be anything.
    "a cell of no kind": (of_no_kind("cell-1"), 8),
    "a cell of no kind with an odd name": (of_no_kind("\x1b[2K"), 8),
    "three hundred cells": (with_three_hundred_cells(toy.answers()), 8),
}
MENDED["an essay that is code"][0].cells[-1].cell_type = "code"


OF_COURSE = ("gradebook.db", "nbgrader_config.py", f"source/{toy.CHAPTER}/{toy.CHAPTER}.ipynb")
ANOTHER_NAME = "mine is another name of a file of the course"

# What lies beside a right notebook: what puts it there, in the student's folder of a course, and
# why nothing is graded, or the score.
BESIDE = {
    "a folder for a file": (
        lambda folder, root: (folder / "data.csv").mkdir(),
        "data.csv is a folder; in the course it is a file",
    ),
    "a file for a folder": (
        lambda folder, root: (folder / "tables").touch(),
        "tables is a file; in the course it is a folder",
    ),
    **{
        f"another name {place}": (
            lambda folder, root, name=name: os.link(root / name, folder / "mine"),
            ANOTHER_NAME,
        )
        for place, name in enumerate(OF_COURSE)
    },
    # Some backups and some file systems keep equal files once.
    "two names": (
        lambda folder, root: os.link(folder / f"{toy.CHAPTER}.ipynb", root / "backup"),
        8,
    ),
    "more files than the settings allow": (
        lambda folder, root: [(folder / name).touch() for name in ("a", "b")],
        "more than 2 files were handed in",
    ),
    "a name that is no text": (
        lambda folder, root: (
            folder / b"donn\xe9es.csv".decode("utf-8", "surrogateescape")
        ).touch(),
        8,
    ),
}


@pytest.fixture(scope="module")
def mended(tmp_path_factory):
    """A class in which everyone has changed something, graded once."""
    config = f"{toy.CONFIG}\nc.SubmittedFiles.files = 2\n"
    root = toy.make(tmp_path_factory.mktemp("mended"), config)
    (root / "source" / toy.CHAPTER / "data.csv").write_text("1")
    (root / "source" / toy.CHAPTER / "tables").mkdir()
    with (course := Course(root)).environment(), course.gradebook():
        pass
    for student, (notebook, _) in MENDED.items():
        toy.submit(root, student, notebook)
    for student, (put, _) in BESIDE.items():
        put(toy.submit(root, student, toy.answers()).parent, root)
    toy.submit(root, "zoe", toy.answers())
    return root, {outcome.student: outcome for outcome in grade(toy.CHAPTER, root=root)}


@pytest.mark.parametrize("student", BESIDE)
def test_what_lies_beside_a_notebook_is_taken_or_refused(mended, student):
    found, outcome = BESIDE[student][1], mended[1][student]
    assert outcome.score == found if outcome.graded else outcome.status == f"not graded; {found}"


@pytest.mark.parametrize("student", MENDED)
def test_what_was_changed_is_put_back(mended, student):
    outcome = mended[1][student]
    assert outcome.graded, outcome.status
    assert (outcome.score, outcome.max_score) == (MENDED[student][1], 10)


@pytest.mark.parametrize("student", [name for name in MENDED if name != "everything deleted"])
def test_every_test_has_a_score(mended, student):
    """No grade is left empty but the one that a person gives."""
    assert mended[1][student].points.keys() == mended[1]["zoe"].points.keys()
    empty = {name for name, points in mended[1][student].points.items() if points is None}
    assert empty <= {"written"}


def test_the_others_are_graded(mended):
    root, outcomes = mended
    assert outcomes["zoe"].score == 8
    graded = {student for student, outcome in outcomes.items() if outcome.graded}
    assert {student for student, *_ in toy.records(root)} == graded


def course_with_tags(root):
    notebook = toy.source()
    tagged(notebook, ["skip-execution", "own"], ["double_visible"])
    tagged(notebook, ["hint"], ["double"])
    toy.make(root)
    nbformat.write(notebook, toy.file_of(root, "source"))
    return notebook


def test_locked_cells_have_the_instructors_tags(tmp_path):
    """Also a tag that keeps a cell from being run: it is the instructor's to set."""
    course_with_tags(tmp_path)
    toy.submit(tmp_path, "alice", tagged(toy.answers(), ["skip-execution", "theirs"]))
    (outcome,) = grade(toy.CHAPTER, root=tmp_path)
    assert outcome.score == 8  # the skipped test has no error: nbgrader's full points
    path = toy.file_of(tmp_path, "autograded", "alice")
    tags = {toy.name(cell): cell.metadata.get("tags") for cell in nbformat.read(path, 4).cells}
    assert tags["double_visible"] == ["skip-execution", "own"]
    assert tags["double_hidden"] is None


@pytest.mark.parametrize(
    "make",
    [
        toy.answers,
        toy.released,
        lambda: toy.answers(double="def double(x):\n    return x + 1"),
        lambda: changed(toy.answers(), "double_hidden", points=300),
        lambda: with_cell(toy.answers(), "print(1)", tags=["mine"]),
    ],
)
def test_an_honest_notebook_passes_through_unchanged(course, make):
    notebook = make()
    before = nbformat.writes(notebook)
    where = {"notebook": toy.CHAPTER, "assignment": toy.CHAPTER}
    where["db_url"] = f"sqlite:///{course / 'gradebook.db'}"
    step = Restore(course / "source" / toy.CHAPTER, Earlier(course, toy.CHAPTER))
    step.parent = None
    after, _ = step.preprocess(notebook, {"nbgrader": where})
    assert nbformat.writes(after) == before


# What lies in the folder ------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    path = toy.submit(tmp_path, "alice", toy.answers())
    return path.parent


def refusal(folder, **limits):
    with pytest.raises(UnreadableError) as caught:
        Submission("alice", folder, SubmittedFiles(**limits)).check([toy.CHAPTER])
    return str(caught.value)


def linked_notebook(folder):
    notebook = folder / f"{toy.CHAPTER}.ipynb"
    notebook.rename(elsewhere := folder.parent / "elsewhere.ipynb")
    notebook.symlink_to(elsewhere)


def link_in_a_folder(folder):
    (folder / "data").mkdir()
    (folder / "data" / "words").symlink_to("/etc/passwd")


def linked_submission(folder):
    folder.rename(other := folder.with_name("other"))
    folder.symlink_to(other)


def with_socket(folder):
    with contextlib.chdir(folder), socket.socket(socket.AF_UNIX) as made:
        made.bind("door")  # the address of a socket must be short


ODD = "is a pipe, a socket or a device, not a file"
LINK = "is a link to another file, not a file"
# What lies in the folder: what puts it there, and why it is refused.
REFUSED = {
    "a link": (link_in_a_folder, f"data/words {LINK}"),
    "a broken link": (lambda folder: (folder / "words").symlink_to("nowhere"), f"words {LINK}"),
    "a linked notebook": (linked_notebook, f"01_toy.ipynb {LINK}"),
    "a linked folder": (lambda folder: (folder / "data").symlink_to("/etc"), f"data {LINK}"),
    "a link to a submission": (linked_submission, f"the submission's folder {LINK}"),
    "a name that speaks to the terminal": (
        lambda folder: (folder / "\x1b[31mred\n[bold]\u202e").symlink_to("nowhere"),
        f"�[31mred�[bold]� {LINK}",
    ),
    "a socket": (with_socket, f"door {ODD}"),
    "folders that go too deep": (
        lambda folder: (folder / "/".join("a" * 31)).mkdir(parents=True),
        "a holds folders more than 30 deep",
    ),
}


@pytest.mark.parametrize(("put", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_a_plain_file_is_refused(folder, put, words):
    put(folder)
    assert refusal(folder) == words


def test_plain_files_in_folders_are_taken(folder):
    (folder / "data").mkdir()
    (folder / "data" / "table.csv").write_text("1")
    Submission("alice", folder).check([toy.CHAPTER])


@pytest.mark.parametrize("name", ["pipe", f"{toy.CHAPTER}.ipynb", "timestamp.txt"])
def test_a_pipe_is_refused_and_not_waited_for(folder, name):
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    assert refusal(folder) == f"{name} {ODD}"


def test_a_notebook_of_another_name_is_to_be_renamed(folder):
    (folder / f"{toy.CHAPTER}.ipynb").rename(folder / "final(2).ipynb")
    (folder / "timestamp.txt").write_text("2027-03-01 12:00 UTC")  # of no name to choose from
    first = f"no notebook named {toy.CHAPTER}.ipynb; found final(2).ipynb"
    assert refusal(folder) == f"{first}: rename it to {toy.CHAPTER}.ipynb"
    (folder / "other.ipynb").touch()
    assert refusal(folder) == f"{first}, other.ipynb: rename the right one to {toy.CHAPTER}.ipynb"
    for name in ("final(2).ipynb", "other.ipynb"):
        (folder / name).unlink()
    assert refusal(folder) == f"no notebook named {toy.CHAPTER}.ipynb; the folder is empty"


def test_files_that_are_too_large_are_refused(folder):
    with (folder / "large").open("wb") as file:
        file.truncate(3_000_000)
    words = "the files are larger than 2.5 megabytes, from large on"
    assert refusal(folder, megabytes=2.5) == words
    Submission("alice", folder, SubmittedFiles(megabytes=4)).check([toy.CHAPTER])


def test_too_many_files_are_refused(folder):
    for number in range(5):
        (folder / f"{number}").touch()
    assert refusal(folder, files=5) == "more than 5 files were handed in"
    Submission("alice", folder, SubmittedFiles(files=6)).check([toy.CHAPTER])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(folder):
    (folder / "closed").touch(mode=0)
    assert "closed may not be read" in refusal(folder)


def test_a_student_whose_folder_may_not_be_opened_is_in_the_table(course, monkeypatch):
    closed, access = course / "submitted" / "bob", os.access
    (closed / toy.CHAPTER).mkdir(parents=True)
    closed.chmod(0o600)
    # Root may open everything: it is told what others are told.
    monkeypatch.setattr(
        os, "access", lambda path, *how: str(path) != str(closed) and access(path, *how)
    )
    alice, bob = grade(toy.CHAPTER, root=course)
    closed.chmod(0o700)
    assert alice.graded and bob.status.startswith(f"not graded; you may not open {closed}: give")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[" * 200_000, "01_toy.ipynb is not valid JSON: it is nested too deeply"),
        (b'{"nbformat": 4, "cells": [' + b"{}," * 1_000_000, "more than 1000000 brackets"),
        (b'{"nbformat": ' + b"4" * 5000 + b', "cells": []}', "is not valid JSON: Exceeds"),
        (b'{"nbformat": 99, "nbformat_minor": 0, "cells": []}', "nbformat can read"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}', "can read"),
    ],
)
def test_what_no_notebook_holds_is_refused(folder, content, reason):
    (folder / f"{toy.CHAPTER}.ipynb").write_bytes(content)
    said = refusal(folder)
    assert reason in said
    assert len(said) < 250


@pytest.mark.parametrize(
    ("text", "is_like_one"),
    [
        ("a" * 10_000_000, False),
        ("1." * 100_000, False),
        ("9" * 150, False),
        ("2027-03-02 12:00:00 ../../etc/passwd", False),
        ("2027-03-02 12:00:00 UTC UTC", False),
        ("2027-13-45", True),
        ("2027-03-02\x1b[2K", False),
        ("9999-12-31 23:59:59 -1200", True),
    ],
)
def test_a_time_that_is_none_is_refused_at_once(folder, monkeypatch, text, is_like_one):
    asked = []
    parse = submissions.parse_utc
    monkeypatch.setattr(submissions, "parse_utc", lambda text: asked.append(text) or parse(text))
    (folder / "timestamp.txt").write_text(text)
    said = refusal(folder)
    assert said.startswith("timestamp.txt does not hold a date: ")
    assert said.isprintable()
    assert asked == [text] * is_like_one, "nbgrader's parser takes minutes on some"


@pytest.mark.parametrize(
    "text",
    [
        "2027-03-02 12:00:00 UTC",
        "2027-03-02 12:00:00.948203 America/Argentina/Buenos_Aires",
        "2027-03-02 12:00:00.948203 Etc/GMT+5",
        "2027-03-02T12:00:00.948203+01:00",
        "2027-03-02T12:00:00Z",
        "2027-03-02 12:00:00 +0100",
        "2027-03-02 12:00",
        "2027-03-02",
        "",
    ],
)
def test_a_time_as_nbgrader_writes_it_is_taken(folder, text):
    (folder / "timestamp.txt").write_text(f"{text}\n")
    Submission("alice", folder).check([toy.CHAPTER])


def test_a_file_that_becomes_a_link_while_it_is_read_is_not_followed(folder, tmp_path, monkeypatch):
    files = SubmittedFiles()
    seen = files._checked

    def swapped(path):
        for each, status in seen(path):
            each.unlink()
            each.symlink_to("/etc/passwd")
            yield each, status

    monkeypatch.setattr(files, "_checked", swapped)
    with pytest.raises(UnreadableError, match="cannot be opened"):
        files.copy(folder, tmp_path / "copy")


def test_too_many_cells_are_refused(folder):
    notebook = toy.answers()
    notebook.cells += [new_code_cell("") for _ in range(100)]
    (folder / f"{toy.CHAPTER}.ipynb").write_text(json.dumps(notebook))
    assert refusal(folder, cells=100) == "01_toy.ipynb has more than 100 cells"


@pytest.mark.parametrize("mark", ["words", {"grade_id": [1]}, {"grade_id": 3}, [1]])
def test_damaged_marks_are_refused(folder, mark):
    notebook = toy.answers()
    notebook.cells[1].metadata.nbgrader = mark
    (folder / f"{toy.CHAPTER}.ipynb").write_text(json.dumps(notebook))
    assert refusal(folder).startswith("cell 2 of 01_toy.ipynb has a")


def test_two_folders_that_differ_only_in_how_accents_are_written_are_one_student(course):
    composed, apart = (unicodedata.normalize(form, "josé") for form in ("NFC", "NFD"))
    toy.submit(course, apart, toy.answers())
    (second,) = submissions.find(Course(course), toy.CHAPTER, [apart])
    second.check([toy.CHAPTER])
    toy.submit(course, composed, toy.answers())
    (first,) = submissions.find(Course(course), toy.CHAPTER, [composed])
    first.check([toy.CHAPTER])
    with pytest.raises(UnreadableError, match="another folder has the same name"):
        second.check([toy.CHAPTER])


def test_a_name_that_the_gradebook_knows_with_other_accents_is_refused_with_the_mend(course):
    composed, apart = (unicodedata.normalize(form, "josé") for form in ("NFC", "NFD"))
    toy.submit(course, apart, toy.answers())
    with Course(course).gradebook() as gradebook:
        gradebook.add_student(composed)
    (found,) = submissions.find(Course(course), toy.CHAPTER, [apart])
    with pytest.raises(UnreadableError, match="give the folder that name, typed anew"):
        found.check([toy.CHAPTER])
    with Course(course).gradebook() as gradebook:  # one whom it knows so keeps the name
        gradebook.add_student(apart)
    (found,) = submissions.find(Course(course), toy.CHAPTER, [apart])
    found.check([toy.CHAPTER])
