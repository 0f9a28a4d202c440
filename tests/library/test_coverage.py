"""The tables of dplib/README.md: every function named there exists, and so does every test."""

import ast
import importlib
import re
from pathlib import Path

import pytest
from places import ROOT

pytestmark = pytest.mark.quick

ROWS = [
    line
    for line in (ROOT / "dplib" / "README.md").read_text("utf-8").splitlines()
    if re.match(r"\| \d+ \|", line)
]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row.split("|")[1:3])[:40])
def test_a_row_names_what_is_there(row):
    *_, functions, test, _ = row.split("|")
    assert names(functions) and names(test)
    for name in names(functions):
        module, _, last = name.rpartition(".")
        home = importlib.import_module(f"dplib.{module}" if module else "dplib")
        assert (getattr(home, last).__doc__ or "").strip(), name
    for name in names(test):
        file, _, function = name.partition("::")
        (path,) = Path(__file__).parent.rglob(file)
        tree = ast.parse(path.read_text("utf-8"))
        tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert function in tests or (not function and tests), name


def test_every_chapter_and_every_error_has_a_row():
    numbers = [int(row.split("|")[1]) for row in ROWS]
    assert numbers == [*range(1, 17), 18, *range(1, 32)]
