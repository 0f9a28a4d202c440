"""Where right answers may go several ways: the nearest one speaks, and shows its figure alone."""

import numpy as np
import pytest

from autograder.check import additive
from autograder.check.claims import CLAIMS
from autograder.check.claims.sparse_vector._few_people import few_people
from autograder.check.result import CheckFailure
from autograder.check.wording import place
from ville.cells import quantiles

pytestmark = pytest.mark.quick
# With a level of 1e-10 a right answer is failed with probability below 1e-10.
CLAIM = few_people("auto_mean", 1e-10)
GENERATOR = np.random.default_rng()


def auto_mean(values, *, candidates, epsilon, low=lambda count, people: max(count, 1.0)):
    scale = 3 / epsilon
    total = np.minimum(values, candidates[-1]).sum() + GENERATOR.laplace(
        scale=scale * candidates[-1]
    )
    while True:
        count = low(len(values) + GENERATOR.laplace(scale=scale), len(values))
        if count is not None:
            return float(total / count)


# What becomes of a low count, and what is said of it.
WRONG = {
    "the true number of people takes its place": lambda count, people: (
        people if count < 1 else count
    ),
    "a negative noisy count becomes positive": lambda count, people: abs(count),
    "a noisy count that is low is drawn again": lambda count, people: None if count < 1 else count,
}


@pytest.fixture
def shown(monkeypatch):
    """Return the list of what a notebook would show."""
    shown = []
    monkeypatch.setattr(additive, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda *data, **_: shown.append(data))
    return shown


@pytest.mark.slow
def test_who_passes_in_a_later_way_sees_no_figure_of_an_earlier_one(shown):
    CLAIM.check(auto_mean)  # its means stay outside of [0, b]: the first way fails it
    assert shown == []


@pytest.mark.slow
@pytest.mark.answers
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("name", WRONG)
def test_who_fails_in_every_way_is_told_the_mistake_and_sees_one_figure(shown, name, moved):
    def answer(values, **keywords):
        mean = auto_mean(values, **keywords, low=WRONG[name])
        return float(np.clip(mean, 0, keywords["candidates"][-1])) if moved else mean

    # Where the ways know it by different names, the nearest one's is a guess.
    with pytest.raises(CheckFailure, match=f"{name}|it looks as if"):
        CLAIM.check(answer)
    assert len(shown) == 1


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("way", CLAIM.ways)
def test_a_right_mean_of_few_people_is_not_said_to_lie_elsewhere(way):
    """Its median is not its exact value, which would be told of each other mistake, too."""
    generator = np.random.default_rng()
    for p in way.parameters(generator):
        noise = quantiles(way.right_law(p), (np.arange(500) + 0.5) / 500, reach=10.0)
        said = place.place_or_spread(way, p, generator.permutation(noise))
        assert "lie around" not in said
        moved = place.place_or_spread(way, p, noise + 40 * p["candidates"][0])
        assert "should lie around" in moved


def test_where_answers_are_withheld_no_number_stands_for_them():
    claim = CLAIMS["propose_test_release"]
    generator, said = np.random.default_rng(), []
    for parts in getattr(claim, "parts", [claim]):
        for p in parts.parameters(generator):
            noise = generator.laplace(scale=3 * parts.scale(p), size=200)
            said.append(place.place_or_spread(parts, p, noise))
    assert said and not any("e+" in each for each in said)
