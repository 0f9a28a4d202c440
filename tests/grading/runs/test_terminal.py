"""What a run shows at a terminal: the rate, and a table in which no remark is cut."""

import io

import pytest
from rich.console import Console

from autograder.graded_notebook.outcome import Outcome
from autograder.grading.run_progress import RunProgress, print_table
from autograder.printable import counted

pytestmark = pytest.mark.quick

NOTE = "timed out: laplace_mechanism_of_many_values; the notebook of 04_composition_again"
CLASS = [Outcome(name, graded=True, score=1, max_score=2, notes=(NOTE,)) for name in ("ann", "bo")]


def test_the_rate_of_two_who_end_at_once_counts_the_time_before():
    """Two processes graded them: 47 seconds, and a third of one between the two ends."""
    clock = {"now": 0.0}
    file = io.StringIO()
    how = {"force_terminal": True, "get_time": lambda: clock["now"]}
    console = Console(file=file, width=200, **how)
    with RunProgress(console, total=len(CLASS)) as progress:
        for outcome, clock["now"] in zip(CLASS, (46.67, 47.0), strict=True):
            progress.show(outcome)
    last = file.getvalue().rpartition("2/2")[2]
    assert "2.6 a minute" in last and "0:00:47" in last and "in all" in last


@pytest.mark.parametrize("width", [40, 60, 200])
def test_a_narrow_table_cuts_no_remark(width):
    console = Console(file=io.StringIO(), width=width)
    print_table(console, "a chapter", CLASS)
    printed = console.file.getvalue()
    assert "…" not in printed
    status = [line.split("│")[3].strip() for line in printed.splitlines() if line.startswith("│")]
    assert "".join(status).replace(" ", "").count(NOTE.replace(" ", "")) == len(CLASS)


def test_a_large_number_is_written_as_the_checks_and_the_sliders_write_it():
    assert [counted(number, "score") for number in (1, 1200)] == ["1 score", "1,200 scores"]
