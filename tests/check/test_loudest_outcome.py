"""What is said of an outcome that comes too often or too seldom."""

from types import SimpleNamespace

import numpy as np
import pytest

from autograder.check.wording.loudest_outcome import loudest

CLAIM = SimpleNamespace(say=lambda outcome: f"the report {outcome}", known_of=lambda *given: "")


@pytest.mark.parametrize(
    ("law", "counts", "said"),
    [
        (
            [0.5, 0.3, 0.2],
            [75, 0, 25],
            "the report b should come in 30 % of the answers, and never came in 100 answers; "
            "the report a came in 75 % of them, and should come in 50 %",
        ),
        (  # of two outcomes the other one is clear
            [0.7, 0.3],
            [100, 0],
            "the report a should come in 70 % of the answers, and always came in 100 answers",
        ),
        (
            [0.5, 0.3, 0.2],
            [10, 70, 20],
            "the report b should come in 30 % of the answers, and came in 70 % of 100 answers",
        ),
    ],
)
def test_what_came_in_the_place_of_an_outcome_that_never_came(law, counts, said):
    cells = np.repeat(np.arange(len(law)), counts)
    rows = np.zeros(len(cells), int)
    setting = SimpleNamespace(rows=[np.array(law)], sort=lambda _: (rows, cells), parameters={})
    assert loudest(CLAIM, setting, "abc"[: len(law)], cells)[0] == said
