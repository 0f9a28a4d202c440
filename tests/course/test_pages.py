"""The start and the close of the course: what they quote is real, what they name exists."""

import contextlib
import importlib
import re
import types
from functools import reduce

import diffprivlib
import dp_accounting.pld
import dp_accounting.rdp
import numpy as np
import opendp.prelude
import pytest
from notebooks import CHAPTERS, NAMES, PAGES, RELEASED, code_blocks, read
from places import ROOT

import dplib
import ville
from autograder import check

LIBRARIES = {
    "dp": opendp.prelude,
    "dpl": diffprivlib,
    "acc": dp_accounting,
    "dplib": dplib,
    "ville": ville,
}
LIBRARY_NAME = re.compile(rf"`((?:{'|'.join(LIBRARIES)})\.[\w.]*\w)")


CLOSE = NAMES[-1]
RNG = np.random.default_rng()


def turned_over(value, *, sensitivity, epsilon, rng=None):
    return value + RNG.laplace(scale=sensitivity * epsilon)


def right(value, *, sensitivity, epsilon, rng=None):
    return value + RNG.laplace(scale=sensitivity / epsilon)


def verdict(answer):
    """What a student reads below the cell that checks."""
    try:
        return f"✓ laplace_mechanism: {check.laplace_mechanism(answer)!r}".replace(": ✓", ":")
    except check.CheckFailure as failure:
        return str(failure)


def without_numbers(text):
    lines = re.sub(r"\d[\d.,]*\d|\d", "#", text).strip().splitlines()
    return [line.strip() for line in lines]


@pytest.mark.parametrize("page", ["course/00_start.md", "docs/student.md"])
def test_a_quoted_failure_is_what_the_check_says(page):
    """The numbers are new at each run; the words are not.

    Of 600 runs 587 gave exactly these words. If only nine in ten did, all of ten runs would miss
    them with probability 1e-10.
    """
    text = (ROOT / page).read_text("utf-8")
    (quoted,) = re.findall(r"^ *```\n( *✗ .*?)```", text, re.S | re.M)
    assert any(without_numbers(verdict(turned_over)) == without_numbers(quoted) for _ in range(10))


def test_a_quoted_pass_is_what_the_check_says():
    """A right answer fails below once in 1e9 runs; 100 of 100 runs gave exactly these words."""
    text = (ROOT / "course/00_start.md").read_text("utf-8")
    (quoted,) = re.findall(r"^```\n(✓ .*?)```", text, re.S | re.M)
    assert any(without_numbers(verdict(right)) == without_numbers(quoted) for _ in range(10))


def names_in(page):
    """The names of libraries in a page, such as `dp.m.make_laplace`; files are no names."""
    found = LIBRARY_NAME.findall(page.read_text("utf-8"))
    return {name for name in found if not name.endswith((".py", ".lock"))}


def test_the_close_names_many_libraries():
    assert len(names_in(ROOT / "course" / f"{CLOSE}.md")) > 30


TEXTS = [*ROOT.glob("course/**/*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*.md")]


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.stem)
def test_each_name_of_a_library_exists(page):
    for name in names_in(page):
        first, *rest = name.split(".")
        reduce(member, rest, LIBRARIES[first])


def member(thing, name):
    """What a module, imported or not, or an object has under a name."""
    if isinstance(thing, types.ModuleType):
        with contextlib.suppress(ImportError):
            return importlib.import_module(f"{thing.__name__}.{name}")
    return getattr(thing, name)


def test_the_close_has_a_row_for_each_chapter():
    text = (ROOT / "course" / f"{CLOSE}.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d\d) ", text, re.M)
    assert rows == [name[:2] for name in CHAPTERS]


def test_the_first_page_lists_every_chapter_as_the_syllabus_does():
    syllabus = (ROOT / "course/README.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(\d\d) (.+?)\]\((?:\w+/)?(\w+)\.md\) \| (.+?) \|", syllabus, re.M)
    wanted = [
        f"{int(number)}. [{title}](../{name}/{name}.ipynb): {question}"
        for number, title, name, question in rows[1:]
    ]
    text = (ROOT / "course/00_start.md").read_text("utf-8")
    assert re.findall(r"^\d+\. \[.*$", text, re.M) == wanted
    assert len(wanted) == len(NAMES) - 1  # all but this page


@pytest.mark.parametrize("name", [name for name in PAGES if name in RELEASED])
def test_links_between_notebooks_lead_somewhere(name):
    for top in ("source", "release"):
        text = "\n".join(cell.source for cell in read(name, top).cells)
        for link in re.findall(r"\]\((?!https:)([^)]+)\)", text):
            assert (ROOT / top / name / link).resolve().is_file(), link


def test_the_release_from_start_to_end_says_what_it_prints():
    """The scales are exact; the mean is near 44 by far more than chance can move it."""
    (block,) = code_blocks(read(CLOSE), "python")
    printed = []
    exec(block, {"print": lambda *values: printed.append(values)})
    scales, (mean,), (refused,) = printed
    assert scales == (2.0, 200.0)
    # Noise of scale 200 on 43,600 moves the mean by 5 with probability below exp(-24).
    assert abs(mean - 43.6) < 5
    assert "exhausted" in str(refused)
