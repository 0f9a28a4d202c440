"""A gradebook that an older nbgrader has written: one sentence with the mend, which works."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
import toy

from autograder.course_folders.old_gradebook import _TABLES

DUMP = Path(__file__).with_name("gradebook_of_nbgrader_0_5.sql")
COMMANDS = (
    ["dates"], ["export", "canvas"], ["report", toy.CHAPTER], ["grade", toy.CHAPTER],
    ["read", toy.CHAPTER], ["grade", toy.CHAPTER, "--again"], ["return", "canvas", toy.CHAPTER],
)  # fmt: skip


@pytest.fixture
def old(tmp_path):
    root = toy.make(tmp_path)
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as database:
        database.executescript(DUMP.read_text("utf-8"))
    toy.submit(root, "alice", toy.answers())
    return root


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_says_how_to_bring_it_up_to_date(old, capsys, command):
    before = (old / "gradebook.db").read_bytes()
    assert toy.run(old, *command) == 1
    said = capsys.readouterr().err
    assert "gradebook.db was made by an older nbgrader. Make a copy of it" in said
    assert "cp gradebook.db gradebook-before.db && nbgrader db upgrade" in said
    assert (old / "gradebook.db").read_bytes() == before


def test_one_of_a_newer_nbgrader_is_not_touched(old, capsys):
    toy.sql(old, "update alembic_version set version_num = 'ffff'")
    assert toy.run(old, "dates") == 1
    assert "made by a newer nbgrader" in capsys.readouterr().err


@pytest.mark.parametrize("left", [("course",), ("assignment", "course"), ("alembic_version",)])
def test_one_whose_making_was_broken_off_is_made_anew(tmp_path, left):
    root = toy.make(tmp_path)
    toy.submit(root, "alice", toy.answers())
    assert toy.run(root, "grade", toy.CHAPTER, "--beside") == 0
    tables = {"alembic_version", *(name for (name,) in toy.sql(root, _TABLES))}
    for name in tables:
        toy.sql(root, f'delete from "{name}"')
        if name not in left:
            toy.sql(root, f'drop table "{name}"')
    assert toy.run(root, "grade", toy.CHAPTER, "--beside") == 0
    assert len(toy.sql(root, "select version_num from alembic_version")) == 1
    assert toy.records(root)


def test_one_without_a_version_that_holds_a_row_is_kept(old, capsys):
    toy.sql(old, "delete from alembic_version")
    before = toy.sql(old, "select id from student")
    assert toy.run(old, "dates") == 1
    assert "made by an older nbgrader" in capsys.readouterr().err
    assert toy.sql(old, "select id from student") == before


@pytest.mark.long
def test_the_mend_keeps_points_and_comments(old, capsys):
    assert toy.nbgrader(old, "db", "upgrade").returncode == 0
    assert toy.run(old, "dates") == 0
    assert toy.run(old, "grade", toy.CHAPTER, "--beside") == 0
    rows = {cell: (auto, hand) for _, cell, auto, hand, *_ in toy.records(old)}
    assert rows["written"] == (None, 2)
    assert rows["double_hidden"] == (2, None)  # a cell that came since
