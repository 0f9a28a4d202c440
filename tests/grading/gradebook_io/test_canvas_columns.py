"""A chapter's own column in Canvas is known from the class list, and an export goes into it."""

import csv

import toy

CLASS_LIST = (
    "Student,ID,SIS User ID,SIS Login ID,Section,01_toy (9001),Essay (12),02_other\n"
    "    Points Possible,,,,,10,5,1\n"
    '"Ames, Alice",7,s7,alice,A,,,\n'
)


def export(root):
    assert toy.run(root, "export", "canvas", "--output", str(root / "canvas.csv")) == 0
    return next(csv.reader((root / "canvas.csv").open(encoding="utf-8")))


def test_an_export_goes_into_the_column_that_the_class_list_had(course, capsys):
    assert export(course)[5:] == ["01_toy"]
    (course / "list.csv").write_text(CLASS_LIST)
    assert toy.run(course, "roster", str(course / "list.csv"), "--yes") == 0
    assert "exports go into these columns: 01_toy (9001)" in capsys.readouterr().out
    assert export(course)[5:] == ["01_toy (9001)"]


def test_the_setting_goes_before_it(course):
    (course / "list.csv").write_text(CLASS_LIST)
    assert toy.run(course, "roster", str(course / "list.csv"), "--yes") == 0
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text() + 'c.GradesExportPlugin.titles = {"01_toy": "Toy (3)"}\n')
    assert export(course)[5:] == ["Toy (3)"]


def test_a_damaged_file_of_columns_is_named(course, capsys):
    (course / ".canvas_columns.json").write_text("[")
    assert toy.run(course, "export", "canvas") == 1
    assert "is damaged: remove it, and import the class list again" in capsys.readouterr().err
