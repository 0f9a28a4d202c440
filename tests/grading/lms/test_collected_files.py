"""Zips of Canvas and Moodle are sorted into submitted/, with a word on all that was understood."""

import io
import json
import os
import zipfile

import class_of_twelve
import pytest
import toy

from autograder.cli import main
from autograder.course_folders.course import Course
from autograder.lms import collect as collect_module
from autograder.lms.collect import collect
from autograder.problem import Problem

pytestmark = pytest.mark.quick

HANDED_IN = ["ann", "bo", "cy", "dee", "eli", "fay", "gus", "hal", "ivy", "sean"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The course with its class list and its dates, as no test has changed it."""
    root = tmp_path_factory.mktemp("listed")
    class_of_twelve.make(root)
    assert main(["--root", str(root), "roster", str(root / "canvas.csv"), "--yes"]) == 0
    toy.due(root, class_of_twelve.DUE)
    return root


def taken(root, system, **how):
    return collect(system, root / f"{system}.zip", root=root, timezone="UTC", **how)


def written(root, system, **how):
    found = taken(root, system, **how)
    found.write()
    return found


@pytest.mark.parametrize("system", ["canvas", "moodle"])
def test_a_class_of_twelve(course, system):
    found = written(course, system)
    assert list(found.lines) == HANDED_IN and found.nothing == ("lee",)
    assert found.lines["cy"].endswith("the newest of 2 counts, not 01_toy.ipynb")
    for student in HANDED_IN:
        folder = course / "submitted" / student / toy.CHAPTER
        cells = json.loads((folder / class_of_twelve.NOTEBOOK).read_text("utf-8"))["cells"]
        assert cells
    assert (course / "submitted/cy/01_toy/01_toy.ipynb").read_bytes() == class_of_twelve.RIGHT
    assert (course / "submitted/gus/01_toy/data.csv").read_text() == "a,b\n1,2\n"
    assert "was my homework.ipynb" in found.lines["eli"]
    stranger, kim = found.refused
    assert stranger.endswith("import a newer class list: autograder roster FILE.csv")
    assert kim == "kim: no notebook 01_toy.ipynb (found report.pdf): ask for it"


def test_moodles_times_are_kept_and_canvas_says_who_is_late(course):
    written(course, "moodle")
    stamps = {
        path.parts[-3]: path.read_text() for path in course.glob("submitted/*/*/timestamp.txt")
    }
    assert stamps["bo"] == "2027-03-03 00:00:00 UTC\n"
    assert stamps["gus"] == "2027-03-01 15:00:00 UTC\n"
    found = taken(course, "canvas")
    assert found.standings["bo"].files["timestamp.txt"] == b"2027-03-01 22:00:01 UTC\n"
    assert "timestamp.txt" not in found.standings["ann"].files
    assert "nobody's is known" in found.note


@pytest.mark.slow
def test_nothing_is_written_before_it_is_asked_for_and_nothing_is_lost(course, capsys):
    command = ["--root", str(course), "collect", "moodle", str(course / "moodle.zip")]
    assert main(command) == 1  # someone is refused
    assert "Nothing was written" in capsys.readouterr().out
    assert not (course / "submitted").exists()
    before = course / "submitted" / "ann" / toy.CHAPTER / class_of_twelve.NOTEBOOK
    before.parent.mkdir(parents=True)
    before.write_text("mine")
    os.utime(before, (0, 0))  # the zip's times lie in a year to come
    main([*command, "--yes"])
    (kept,) = (course / "submitted" / ".before").glob("*/ann/01_toy/01_toy.ipynb")
    assert kept.read_text() == "mine"
    main([*command, "--yes"])  # the same again changes nothing
    assert len(list((course / "submitted" / ".before").glob("*/*"))) == 1


def test_what_is_written_is_what_was_shown(course):
    found = taken(course, "moodle")
    (course / "moodle.zip").unlink()
    assert not (course / "submitted").exists()
    assert found.write() == []
    assert sorted(path.name for path in (course / "submitted").glob("[!.]*")) == HANDED_IN


def test_an_older_zip_does_not_replace_what_is_newer(course):
    written(course, "moodle")
    stamp = course / "submitted" / "ann" / toy.CHAPTER / "timestamp.txt"
    stamp.write_text("2027-03-01 21:00:00 UTC\n")
    found = taken(course, "moodle")
    words = "not taken: the version of 2027-03-01 21:00 UTC in submitted/ is newer"
    assert found.lines["ann"] == f"2027-03-01 17:00 UTC; {words}"
    assert found.write() == ["ann"]
    assert stamp.read_text() == "2027-03-01 21:00:00 UTC\n"


def canvas(root, content: bytes, number: int):
    """Write Canvas's zip of two, of whom Ann's file has this number; return its path."""
    path = root / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in (f"bergann_101_{number}_01_toy.ipynb", "diazcy_103_9_01_toy.ipynb"):
            archive.writestr(name, content if "ann" in name else class_of_twelve.RIGHT)
    return path


@pytest.mark.slow
def test_work_without_a_time_replaces_nothing_unless_it_is_named(course, capsys):
    """Ann's newer version was put there by hand; Canvas's zip has an older one, and no times."""
    mine = course / "submitted" / "ann" / toy.CHAPTER / class_of_twelve.NOTEBOOK
    mine.parent.mkdir(parents=True)
    mine.write_bytes(class_of_twelve.WRONG)
    command = ["--root", str(course), "collect", "canvas"]
    path = canvas(course, class_of_twelve.RIGHT, 8)
    for how in ([], ["--yes"]):
        assert main([*command, str(path), *how]) == (3 if how else 1)
        said = capsys.readouterr().out
        assert "NOT TAKEN: another version (no time; the file's own: " in said
        assert "which is newer is not known; --replace STUDENT takes this one" in said
        assert mine.read_bytes() == class_of_twelve.WRONG
    assert "Not replaced, as it is not known to be older than the zip's: ann" in said
    assert main([*command, str(path), "--replace", "bo", "--yes"]) == 1
    assert "nothing came from bo, as --replace names it" in capsys.readouterr().err
    assert main([*command, str(path), "--replace", "ann", "--yes"]) == 0
    assert "REPLACES another version" in capsys.readouterr().out
    assert mine.read_bytes() == class_of_twelve.RIGHT
    assert list((course / "submitted" / ".before").glob("*/ann"))


@pytest.mark.slow
def test_the_last_line_says_what_the_lines_said(course, capsys):
    """Ann's work in the zip is the older one; Cy's may be older or newer."""
    command = ["--root", str(course), "collect", "canvas"]
    assert main([*command, str(canvas(course, class_of_twelve.RIGHT, 8)), "--yes"]) == 0
    cy = course / "submitted" / "cy" / toy.CHAPTER / class_of_twelve.NOTEBOOK
    cy.write_bytes(class_of_twelve.WRONG)
    assert main([*command, str(canvas(course, class_of_twelve.WRONG, 7)), "--yes"]) == 3
    said = capsys.readouterr().out
    assert "Not replaced, as it is newer than the zip's: ann\n" in said
    assert "Not replaced, as it is not known to be older than the zip's: cy\n" in said


@pytest.mark.slow
def test_canvas_numbers_files_as_they_come(course):
    """So what came later replaces what came before, and never the reverse."""
    older, newer = class_of_twelve.WRONG, class_of_twelve.RIGHT
    mine = course / "submitted" / "ann" / toy.CHAPTER / class_of_twelve.NOTEBOOK

    def came(content: bytes, number: int) -> str:
        path = canvas(course, content, number)
        found = collect("canvas", path, root=course)
        found.write()
        return found.lines["ann"]

    assert came(older, 5) == "no time"
    assert "replaces another version (no time" in came(newer, 6)
    assert mine.read_bytes() == newer
    assert "is newer" in came(older, 5) and mine.read_bytes() == newer
    assert came(newer, 6) == "no time"
    mine.write_bytes(class_of_twelve.RIGHT + b" ")  # by hand, since
    assert "NOT TAKEN" in came(older, 7) and mine.read_bytes() == class_of_twelve.RIGHT + b" "


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "is no whole zip file"), (class_of_twelve.moodle_zip()[:300], "is no whole zip file")],
)
def test_a_broken_zip_is_refused(course, content, says):
    (course / "canvas.zip").write_bytes(content)
    with pytest.raises(Problem, match=says):
        written(course, "canvas")
    assert not (course / "submitted").exists()


def test_no_path_of_a_zip_leads_out(course):
    with zipfile.ZipFile(course / "moodle.zip", "w") as archive:
        folder = "Ann Berg_501_assignsubmission_file"
        archive.writestr(f"{folder}/../../evil.txt", b"evil")
        archive.writestr(f"{folder}/{class_of_twelve.NOTEBOOK}", class_of_twelve.RIGHT)
    found = written(course, "moodle")
    assert "its path leads out of the folder" in found.refused[0]
    assert not list(course.rglob("evil.txt"))


def inner_zip(*files: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


def spoiled(content: bytes, start: bytes, by: bytes) -> bytes:
    """Return a zip with other bytes behind the first place of these."""
    place = content.index(start) + len(start)
    return content[:place] + by + content[place + len(by) :]


RIGHT = (class_of_twelve.NOTEBOOK, class_of_twelve.RIGHT)
ZEROS = bytes(99_000_000)
DEEP = "a/" * 2500 + "b"
ODD_CELLS = json.dumps({"cells": [{"source": 5, "metadata": {"nbgrader": 7}}]}).encode()
DEEP_JSON = b'{"cells": ' + b"[" * 100_000
PACKED = inner_zip(RIGHT, ("packed", bytes(range(256)) * 100))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        pytest.param([RIGHT, ("a" * 300, b"")], "longer than 255 bytes", id="a long name"),
        pytest.param([RIGHT, ("\u00e9" * 130, b"")], "longer than 255 bytes", id="a name in UTF-8"),
        pytest.param([RIGHT, ("a", b""), ("a/b", b"")], "a is both a file and", id="file, folder"),
        pytest.param(
            [RIGHT, (f"{class_of_twelve.NOTEBOOK}/b", b"")], "both a file", id="in the notebook"
        ),
        pytest.param([RIGHT, ("timestamp.txt/b", b"")], "both a file and", id="in the time"),
        pytest.param([RIGHT, (DEEP, b"")], "more than 30 folders", id="2,500 folders"),
        pytest.param([RIGHT, ("../../evil", b"")], "leads out of the folder", id="a way out"),
        pytest.param([RIGHT, *[(f"{i}", b"") for i in range(20_001)]], "20002 files", id="many"),
        pytest.param([RIGHT, *[(f"{i}", ZEROS) for i in range(25)]], "larger than 100", id="zeros"),
        pytest.param([(RIGHT[0], ODD_CELLS)], "", id="a cell without text"),
        pytest.param([(RIGHT[0], DEEP_JSON)], "", id="JSON that nests deeply"),
        pytest.param([RIGHT, (".", b"a file")], "", id="an entry without a name"),
        pytest.param([RIGHT, ("a\0b", b"")], "", id="a zero in a name"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_one_students_files_never_stop_the_class(course, files, says, packed):
    """In the system's zip itself, and in a zip that the student sent."""
    folder = "Ann Berg_501_assignsubmission_file"
    with zipfile.ZipFile(course / "moodle.zip", "a", zipfile.ZIP_DEFLATED) as archive:
        if packed:
            archive.writestr(f"{folder}/all.zip", inner_zip(*files))
        elif len(files) > 20_000:
            pytest.skip("so many are more than any class hands in: the whole zip is refused")
        else:
            for name, content in files:
                archive.writestr(f"{folder}/{'new/' if name == RIGHT[0] else ''}{name}", content)
    found = written(course, "moodle")
    said = " ".join(found.refused) + " ".join(found.failed.values())
    assert says in said
    others = [student for student in HANDED_IN if student != "ann"]
    assert all((course / "submitted" / each / toy.CHAPTER).is_dir() for each in others)


@pytest.mark.parametrize("by", [b"\xff" * 40, bytes(40), b"PK\x01\x02" * 10])
@pytest.mark.parametrize("start", [b"packed", b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"])
def test_a_spoiled_zip_of_one_student_never_stops_the_class(course, start, by):
    with zipfile.ZipFile(course / "moodle.zip", "a") as archive:
        name = "Ann Berg_501_assignsubmission_file/all.zip"
        archive.writestr(name, spoiled(PACKED, start, by))
    written(course, "moodle")
    assert (course / "submitted" / "gus" / toy.CHAPTER).is_dir()


def test_who_cannot_be_written_is_named_and_the_others_are_written(course, monkeypatch, capsys):
    real = collect_module.write_all

    def full(folder, files):
        if folder.name == "bo":
            raise OSError(28, "No space left on device")
        real(folder, files)

    monkeypatch.setattr(collect_module, "write_all", full)
    main(["--root", str(course), "collect", "moodle", str(course / "moodle.zip"), "--yes"])
    assert "NOT WRITTEN: bo: " in capsys.readouterr().out
    assert sorted(path.name for path in (course / "submitted").glob("[!.]*")) == [
        student for student in HANDED_IN if student != "bo"
    ]
    assert "bo" not in collect_module.collected(Course(course), toy.CHAPTER)


def test_another_systems_zip_and_a_class_without_a_list_are_named(course):
    found = collect("moodle", course / "canvas.zip", root=course, chapter=toy.CHAPTER)
    assert not found.handed_in and "is it another system's zip?" in found.refused[0]
    (course / "gradebook.db").unlink()
    with pytest.raises(Problem, match="autograder roster"):
        taken(course, "moodle")


def test_a_zip_that_no_file_tells_the_chapter_of_is_another_systems(course):
    with pytest.raises(Problem, match="as Moodle names it: is it another system's zip"):
        collect("moodle", course / "canvas.zip", root=course)


def test_a_number_that_no_file_bears_is_refused(course):
    with pytest.raises(Problem, match="no file bears the number 998, as --whose names it"):
        taken(course, "canvas", whose={"998": "ann"})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (class_of_twelve.RIGHT[:900], "is no whole notebook, as if it were cut off or damaged"),
        (b"<html>", "is no whole notebook, as if it were cut off or damaged"),
    ],
    ids=["empty", "cut off", "a page"],
)
def test_what_is_no_notebook_is_named_before_it_is_graded(course, content, words):
    name = f"Ann Berg_71_assignsubmission_file/{class_of_twelve.NOTEBOOK}"
    with zipfile.ZipFile(course / "damaged.zip", "w") as archive:
        archive.writestr(name, content)
    found = collect("moodle", course / "damaged.zip", root=course)
    assert found.lines["ann"].endswith(f"; it {words}: ask for it again")


def test_utf_16_is_named_before_it_is_graded(course):
    content = class_of_twelve.RIGHT.decode().encode("utf-16")
    found = collect("canvas", canvas(course, content, 5), root=course)
    assert 'it is UTF-16, which Windows calls "Unicode": save it as UTF-8' in found.lines["ann"]


@pytest.fixture
def numbered(course):
    """The course with two of one name, whose folders are numbers; returns Moodle's zip of it."""
    roster = course / "participants.csv"
    roster.write_text(
        "First name,Last name,ID number,Email address\nBo,Chen,1005,b@u.edu\nBo,Chen,1006,c@u.edu\n"
        "Kim,Lee,1007,k@u.edu\nZed,Low,1010,z@u.edu\n"
    )
    assert main(["--root", str(course), "roster", str(roster), "--yes"]) == 0
    path = course / "numbered.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("Bo Chen_71", "Bo Chen_72", "Participant 4_73", "Kim Lee_74"):
            file = f"{name}_assignsubmission_file/{class_of_twelve.NOTEBOOK}"
            archive.writestr(file, class_of_twelve.RIGHT)
    return path


def test_who_is_not_clear_from_a_name_is_asked_for_and_can_be_said(course, numbered, capsys):
    found = collect("moodle", numbered, root=course)
    assert "1005, 1006 have this name: say who with --whose 71=STUDENT" in found.refused[0]
    assert "Moodle hid the names" in found.refused[2] and "--whose 73=STUDENT" in found.refused[2]
    assert not {"1005", "1006", "1007"} & set(found.nothing)
    assert "1007 (Kim Lee)  " in str(found) and "1010 (Zed Low)" in str(found)
    said = ["--whose", "71=1006", "--whose", "72=1005", "--whose", "73=1010"]
    command = ["--root", str(course), "collect", "moodle", str(numbered), "--yes"]
    assert main([*command, *said]) == 0
    for student in ("1005", "1006", "1007", "1010"):
        assert (course / "submitted" / student / toy.CHAPTER / class_of_twelve.NOTEBOOK).exists()
    assert main([*command, "--whose", "71=9"]) == 1
    assert "9 stands in no class list" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*command, "--whose", "Bo=1005"])


def test_names_that_canvas_hides_are_said_to_be_hidden(course):
    with zipfile.ZipFile(course / "canvas.zip", "w") as archive:
        for name in ("anon_aB3dE_678977_01_toy.ipynb", "anon_Zz9_1_LATE_678978_01_toy-1.ipynb"):
            archive.writestr(name, class_of_twelve.RIGHT)
    found = taken(course, "canvas")
    assert found.refused[0] == (
        "anon_aB3dE (678977): Canvas hid the names: reveal them there and download again, or say "
        "who with --whose 678977=STUDENT"
    )
    found = written(course, "canvas", whose={"678977": "ann", "678978": "bo"})
    assert found.lines["bo"].startswith("LATE") and len(found.lines) == 2
    sent = json.loads((course / "submitted" / ".collected" / "01_toy.json").read_text())
    assert sent["ann"]["prefix"] == "anon_aB3dE_678977"


def test_a_zip_that_was_unpacked_is_taken_as_its_folder(course):
    folder = course / "unpacked"
    with zipfile.ZipFile(course / "moodle.zip") as archive:
        archive.extractall(folder)
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "._x").write_text("")
    found = collect("moodle", folder, root=course, timezone="UTC")
    found.write()
    assert list(found.lines) == HANDED_IN
    assert found.refused == taken(course, "moodle").refused


def test_the_same_work_without_times_leaves_the_times_that_are_known(course):
    written(course, "moodle")
    stamp = course / "submitted/bo/01_toy/timestamp.txt"
    before = stamp.read_text()
    folder = course / "unpacked"
    with zipfile.ZipFile(course / "moodle.zip") as archive:
        archive.extractall(folder)  # all files are of this moment
    found = collect("moodle", folder, root=course, timezone="UTC")
    found.write()
    assert "nobody's is known" in found.note
    assert stamp.read_text() == before
    assert not (course / "submitted/.before").exists()


def test_a_student_cannot_send_the_time(course):
    """Canvas's zip has no times: a file of this name would be believed."""
    with zipfile.ZipFile(course / "canvas.zip", "w") as archive:
        for number, name in enumerate([class_of_twelve.NOTEBOOK, "timestamp.txt"]):
            content = class_of_twelve.RIGHT if number == 0 else "2020-01-01 00:00:00 UTC"
            archive.writestr(f"bergann_LATE_101_900{number}_{name}", content)
    written(course, "canvas")
    stamp = course / "submitted" / "ann" / toy.CHAPTER / "timestamp.txt"
    assert stamp.exists() and "2020" not in stamp.read_text()


def test_a_number_that_is_said_to_be_two_students_is_refused(course, capsys):
    whose = ["--whose", "77=cy", "--whose", "77=fay", "--whose", "78=fay"]
    assert toy.run(course, "collect", "canvas", str(course / "canvas.zip"), *whose) == 1
    assert "--whose gives 77 to cy and fay: name one of them" in capsys.readouterr().err
