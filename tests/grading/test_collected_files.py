"""Zips of Canvas and Moodle are sorted into submitted/, with a word on all that was understood."""

from __future__ import annotations

import json
import zipfile
from datetime import datetime

import class_of_twelve
import pytest
import toy
from nbgrader.api import Gradebook

from autograder.cli import main
from autograder.lms.collect import collect
from autograder.problem import Problem

pytestmark = pytest.mark.quick

HANDED_IN = ["ann", "bo", "cy", "dee", "eli", "fay", "gus", "hal", "ivy", "sean"]


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """The course with its class list and its dates, as no test has changed it."""
    root = tmp_path_factory.mktemp("listed")
    class_of_twelve.make(root)
    assert main(["--root", str(root), "roster", str(root / "canvas.csv"), "--yes"]) == 0
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "toy") as gradebook:
        gradebook.update_or_create_assignment(toy.CHAPTER, duedate=class_of_twelve.DUE)
    return root


@pytest.fixture
def root(listed, tmp_path):
    return toy.copy(listed, tmp_path / "course")


def taken(root, system, **how):
    return collect(system, root / f"{system}.zip", root=root, timezone="UTC", **how)


@pytest.mark.parametrize("system", ["canvas", "moodle"])
def test_a_class_of_twelve(root, system):
    found = taken(root, system, write=True)
    assert list(found.lines) == HANDED_IN and found.nothing == ("lee",)
    assert found.lines["cy"].endswith("the newest of 2 counts, not 01_toy.ipynb")
    for student in HANDED_IN:
        folder = root / "submitted" / student / toy.CHAPTER
        cells = json.loads((folder / class_of_twelve.NOTEBOOK).read_text("utf-8"))["cells"]
        assert cells
    assert (root / "submitted/cy/01_toy/01_toy.ipynb").read_bytes() == class_of_twelve.RIGHT
    assert (root / "submitted/gus/01_toy/data.csv").read_text() == "a,b\n1,2\n"
    assert "was my homework.ipynb" in found.lines["eli"]
    stranger, kim = found.refused
    assert stranger.endswith("import a newer class list: autograder roster FILE.csv")
    assert kim == "kim: no notebook 01_toy.ipynb (found report.pdf): ask for it"


def test_moodles_times_are_kept_and_canvas_says_who_is_late(root):
    taken(root, "moodle", write=True)
    stamps = {path.parts[-3]: path.read_text() for path in root.glob("submitted/*/*/timestamp.txt")}
    assert stamps["bo"] == "2027-03-03 00:00:00 UTC\n"
    assert stamps["gus"] == "2027-03-01 15:00:00 UTC\n"
    found = taken(root, "canvas", write=False)
    assert found.times["bo"] == datetime.fromisoformat("2027-03-01 22:00:01+00:00")
    assert found.times["ann"] is None and "nobody's is known" in found.note


def test_nothing_is_written_before_it_is_asked_for_and_nothing_is_lost(root, capsys):
    command = ["--root", str(root), "collect", "moodle", str(root / "moodle.zip")]
    assert main(command) == 1  # someone is refused
    assert "Nothing was written" in capsys.readouterr().out
    assert not (root / "submitted").exists()
    before = root / "submitted" / "ann" / toy.CHAPTER / class_of_twelve.NOTEBOOK
    before.parent.mkdir(parents=True)
    before.write_text("mine")
    main([*command, "--yes"])
    (kept,) = (root / "submitted" / ".before").glob("*/ann/01_toy/01_toy.ipynb")
    assert kept.read_text() == "mine"
    main([*command, "--yes"])  # the same again changes nothing
    assert len(list((root / "submitted" / ".before").glob("*/*"))) == 1


def test_an_older_zip_does_not_replace_what_is_newer(root):
    taken(root, "moodle", write=True)
    stamp = root / "submitted" / "ann" / toy.CHAPTER / "timestamp.txt"
    stamp.write_text("2027-03-01 21:00:00 UTC\n")
    found = taken(root, "moodle", write=True)
    assert found.lines["ann"] == "not replaced: what is in submitted/ is newer"
    assert stamp.read_text() == "2027-03-01 21:00:00 UTC\n"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "is no whole zip file"), (class_of_twelve.moodle_zip()[:300], "is no whole zip file")],
)
def test_a_broken_zip_is_refused(root, content, says):
    (root / "canvas.zip").write_bytes(content)
    with pytest.raises(Problem, match=says):
        taken(root, "canvas", write=True)
    assert not (root / "submitted").exists()


def test_no_path_of_a_zip_leads_out(root):
    with zipfile.ZipFile(root / "moodle.zip", "w") as archive:
        folder = "Ann Berg_501_assignsubmission_file"
        archive.writestr(f"{folder}/../../evil.txt", b"evil")
        archive.writestr(f"{folder}/{class_of_twelve.NOTEBOOK}", class_of_twelve.RIGHT)
    found = taken(root, "moodle", write=True)
    assert "its path leads out of the folder" in found.refused[0]
    assert not list(root.rglob("evil.txt"))


def test_another_systems_zip_and_a_class_without_a_list_are_named(root):
    found = collect("moodle", root / "canvas.zip", root=root, chapter=toy.CHAPTER, write=False)
    assert not found.handed_in and "is it another system's zip?" in found.refused[0]
    (root / "gradebook.db").unlink()
    with pytest.raises(Problem, match="autograder roster"):
        taken(root, "moodle", write=False)


def test_a_student_cannot_send_the_time(root):
    """Canvas's zip has no times: a file of this name would be believed."""
    with zipfile.ZipFile(root / "canvas.zip", "w") as archive:
        for number, name in enumerate([class_of_twelve.NOTEBOOK, "timestamp.txt"]):
            content = class_of_twelve.RIGHT if number == 0 else "2020-01-01 00:00:00 UTC"
            archive.writestr(f"bergann_LATE_101_900{number}_{name}", content)
    found = taken(root, "canvas", write=True)
    stamp = root / "submitted" / "ann" / toy.CHAPTER / "timestamp.txt"
    assert found.times["ann"] is not None and "2020" not in stamp.read_text()
