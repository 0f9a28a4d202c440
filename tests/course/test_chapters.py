"""Every chapter runs, quotes what it prints, passes with its answers and fails without them."""

import itertools
import re

import pytest
from notebooks import (
    FIRST_EDITION,
    NAMES,
    PAGES,
    RELEASED,
    RELEASED_CHAPTERS,
    code_blocks,
    executed,
    mark,
    read,
    validated,
)

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# The chapters that `make test-pythons` runs, for all of them.
EXAMPLES = {"03_laplace", "13_local_dp"}


def each(names):
    """Run a test for each of these chapters; it is a quick one, and slow, for the examples."""
    marks = [pytest.mark.quick, pytest.mark.slow]
    values = [pytest.param(name, marks=marks if name in EXAMPLES else []) for name in names]
    return pytest.mark.parametrize("name", values)


@each(NAMES)
def test_a_chapter_runs_clean_with_its_answers(name):
    for cell in executed(name).cells:
        for output in cell.get("outputs", []):
            # nbgrader gives 0 points to a test cell that writes to stderr.
            assert output.output_type != "error"
            assert output.get("name") != "stderr", f"{cell.source}\n{output.text}"


@each(FIRST_EDITION)
def test_the_text_quotes_what_the_cell_above_it_printed(name):
    """The numbers on a page are fixed by its seed; the text after a cell must name them all.

    The second edition reads no digits aloud: `test_second_edition.py` looks at its numbers.
    """
    cells = executed(name).cells
    quoted, lacking = 0, []
    for cell, after in itertools.pairwise(cells):
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and not mark(cell):
                text = after.source.replace(",", "").replace("−", "-")
                for number in NUMBER.findall(output.text):
                    lacking += [] if number in text else [number]
                    quoted += 1
    assert quoted
    assert not lacking, f"{name}: the text after a cell lacks {', '.join(lacking)}, which it prints"


@each(NAMES)
def test_every_figure_has_a_description(name):
    """A picture's description is read to people who cannot see it."""
    pictures = [
        output
        for cell in executed(name).cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert pictures or name in PAGES
    for picture in pictures:
        assert picture.metadata.get("image/png", {}).get("alt"), picture.data.get("text/plain")


@each(NAMES)
def test_validate_passes_the_answers(name):
    assert validated(name)[0] == {}


@each(RELEASED_CHAPTERS)
def test_a_visible_check_says_what_it_found(name):
    """A cell that gives part of its points ends in a number: the words stand above it.

    It asks the result for its points: of a float, Validate would call every part a failure.
    """
    for cell in executed(name).cells:
        if is_visible_check(cell):
            said = [output.get("data", {}).get("text/plain", "") for output in cell.outputs]
            assert any(words.startswith("✓") for words in said), cell.source
            assert ".share" not in cell.source


@each(RELEASED_CHAPTERS)
def test_validate_fails_what_is_not_answered(name):
    """Each visible check fails: the hidden ones are not in the released notebook."""
    failed = "\n".join(each["source"] for each in validated(name, "release")[0]["failed"])
    for cell in read(name, "release").cells:
        if is_visible_check(cell):
            assert cell.source.strip() in failed


@each([name for name in PAGES if name in RELEASED])
def test_validate_passes_a_page(name):
    """Who presses Validate on a page meets no failure."""
    assert validated(name, "release")[0] == {}


def is_visible_check(cell):
    return mark(cell).get("grade_id", "").endswith("_visible")


@each(NAMES)
def test_the_code_shown_for_production_runs(name):
    """Each chapter shows the same job with a library for real releases, as text."""
    blocks = code_blocks(read(name), "python")
    assert len(blocks) == 1 or name in PAGES
    for block in blocks:
        printed = []
        exec(block, {"print": lambda *values, into=printed: into.append(values)})
        assert printed
