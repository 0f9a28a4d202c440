"""docs/glossary.md: what it names is there, in the chapter that it says."""

import re

import pytest
from notebooks import CHAPTERS, read
from places import ROOT

import dplib

TABLE = (ROOT / "docs" / "glossary.md").read_text("utf-8").split("\n\n")[-1].splitlines()
HEADER, *ROWS = (
    [cell.strip() for cell in line.split("|")[1:-1]] for line in TABLE if "---" not in line
)


def column(row, name):
    return row[HEADER.index(name)]


def test_every_row_has_every_column():
    assert HEADER == ["chapter", "term", "what it is", "symbol", "中文", "elsewhere", "`dplib`"]
    assert {len(row) for row in ROWS} == {len(HEADER)}
    assert len({column(row, "term") for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
def test_the_chapter_uses_the_term(row):
    (name,) = (each for each in CHAPTERS if each.startswith(column(row, "chapter")))
    text = " ".join(cell.source for cell in read(name).cells)
    words = column(row, "term").replace("–", ".").replace("-", ".").replace(" ", r"[ \n*_]+")
    assert re.search(words, text, re.IGNORECASE), name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
def test_the_library_has_the_names_and_the_chinese_is_chinese(row):
    for name in re.findall(r"`(\w+)`", column(row, "`dplib`")):
        assert name in dplib.__all__
    assert re.search(r"[\u4e00-\u9fff]", column(row, "中文"))


def test_every_chapter_has_a_term_and_the_rows_are_in_order():
    numbers = [int(column(row, "chapter")) for row in ROWS]
    assert numbers == sorted(numbers)
    assert set(numbers) == {int(name[:2]) for name in CHAPTERS}, "a chapter without a row"
