"""Every chapter runs, passes with its answers and fails without them."""

from contextlib import nullcontext

import pytest
from nbgrader.utils import determine_grade
from notebooks import (
    BY_QUALITY,
    CHAPTERS,
    NAMES,
    PAGES,
    RELEASED,
    RELEASED_CHAPTERS,
    code_blocks,
    executed,
    graded,
    mark,
    read,
    validated,
)

from autograder import check

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


@pytest.mark.long  # the hidden tests look for seconds each
@pytest.mark.parametrize("name", CHAPTERS)
def test_the_answers_of_a_chapter_earn_all_that_a_machine_gives(name, monkeypatch):
    """A right answer fails with probability below 1e-9."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    tests = [cell for cell in graded(name).cells if is_visible_check(cell) or is_hidden(cell)]
    assert len([cell for cell in tests if is_hidden(cell)]) >= 4
    for cell in tests:
        earned, possible = determine_grade(cell)
        least = BY_QUALITY.get(mark(cell).grade_id.rpartition("_")[0], 1)
        assert least * possible <= earned <= possible == mark(cell).points, cell.outputs


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
def test_each_visible_check_fails_what_is_not_answered(name):
    """The cells that are graded, and the imports, need no kernel; the hidden tests are not here."""
    names = {}
    for cell in read(name, "release").cells:
        if cell.cell_type == "code" and mark(cell):
            fails = pytest.raises(check.CheckFailure) if is_visible_check(cell) else nullcontext()
            with fails:
                exec(cell.source, names)


@each([name for name in RELEASED_CHAPTERS if name in EXAMPLES])
def test_validate_fails_what_is_not_answered(name):
    """Validate names each visible check of a whole notebook that nobody has answered."""
    failed = "\n".join(each["source"] for each in validated(name, "release")[0]["failed"])
    for cell in read(name, "release").cells:
        if is_visible_check(cell):
            assert cell.source.strip() in failed


@each([name for name in PAGES if name in RELEASED])
def test_validate_passes_a_page(name):
    """Who presses Validate on a page meets no failure."""
    assert validated(name, "release")[0] == {}


def is_hidden(cell):
    return "### BEGIN HIDDEN TESTS" in cell.source


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
