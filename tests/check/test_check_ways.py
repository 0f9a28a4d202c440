"""Where right answers may go several ways: only the figure of the verdict itself is shown."""

import numpy as np
import pytest

from autograder.check import additive
from autograder.check.claims.sparse_vector._few_people import few_people
from autograder.check.result import CheckFailure

pytestmark = pytest.mark.quick
# With a level of 1e-10 a right answer is failed with probability below 1e-10.
CLAIM = few_people("auto_mean", 1e-10)
GENERATOR = np.random.default_rng()


def auto_mean(values, *, candidates, epsilon, low=lambda people: 1.0):
    scale = 3 / epsilon
    total = np.minimum(values, candidates[-1]).sum() + GENERATOR.laplace(
        scale=scale * candidates[-1]
    )
    count = len(values) + GENERATOR.laplace(scale=scale)
    return float(total / (low(len(values)) if count < 1 else count))


@pytest.fixture
def shown(monkeypatch):
    """Return the list of what a notebook would show."""
    shown = []
    monkeypatch.setattr(additive, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda *data, **_: shown.append(data))
    return shown


def test_who_passes_in_a_later_way_sees_no_figure_of_an_earlier_one(shown):
    CLAIM.check(auto_mean)  # its means stay outside of [0, b]: the first way fails it
    assert shown == []


def test_who_fails_in_every_way_sees_one_figure(shown):
    def answer(values, **keywords):
        return auto_mean(values, **keywords, low=float)

    with pytest.raises(CheckFailure, match="the true number of people takes its place"):
        CLAIM.check(answer)
    assert len(shown) == 1
