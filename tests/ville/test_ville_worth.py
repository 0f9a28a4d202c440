"""What a pass is worth: the stated departures are found in 99 of 100 runs, and not much smaller."""

import math

import numpy as np
import pytest
from scipy import stats

import ville
from ville import laws
from ville.process import Process

FALSE_ALARM = 1e-9
RNG = np.random.default_rng()
RUNS, DRAWS, ALPHA = 400, 4_000, 1e-6


def share_found(result, rows) -> float:
    """Return in which share of runs cells that have these laws are rejected at the last draw."""
    found = 0
    for _ in range(RUNS):
        process = Process(result._trial)
        for place, row in enumerate(rows):
            cells = RNG.choice(len(row), size=DRAWS // len(rows), p=row / row.sum())
            process.evidence.observe(place, cells)
        found += process.look() >= -math.log(ALPHA)
    return found / RUNS


def is_99_percent(share) -> bool:
    """Say whether a share may be 0.99 or more; False for such a one with probability 1e-9."""
    return share * RUNS >= stats.binom.ppf(FALSE_ALARM, RUNS, 0.99)


@pytest.mark.long
@pytest.mark.parametrize("listed", [False, True])
def test_a_scale_that_is_off_as_stated_is_found(listed):
    law = laws.laplace(2)
    mistakes = laws.wrong_scales(laws.laplace, 2) if listed else None
    result = ville.follows(
        lambda n: RNG.laplace(scale=2, size=n), law, max_draws=DRAWS, alpha=ALPHA, mistakes=mistakes
    )
    cells = law.cells()
    for factor in (result.worth.wider, result.worth.narrower):
        assert is_99_percent(share_found(result, [cells.probabilities(laws.laplace(2 * factor))]))
        nearer = laws.laplace(2 * factor**0.6)
        assert not is_99_percent(share_found(result, [cells.probabilities(nearer)]))


def test_a_shift_as_stated_is_found():
    law = laws.gaussian(3)
    result = ville.follows(lambda n: RNG.normal(scale=3, size=n), law, max_draws=DRAWS, alpha=ALPHA)
    cells = law.cells()
    for shift in (result.worth.higher, result.worth.lower):
        found = share_found(result, [cells.probabilities(laws.gaussian(3, shift))])
        assert is_99_percent(found)
        found = share_found(result, [cells.probabilities(laws.gaussian(3, 0.6 * shift))])
        assert not is_99_percent(found)


@pytest.mark.long
@pytest.mark.parametrize(
    "law", [laws.laplace(2), laws.categorical([0.4, 0.3, 0.2, 0.1]), laws.discrete_laplace(3)]
)
def test_a_total_variation_as_stated_is_found_in_any_direction(law):
    samplers = {
        "Laplace(scale=2)": lambda n: RNG.laplace(scale=2, size=n),
        "choice of 4 outcomes": lambda n: RNG.choice(4, n, p=[0.4, 0.3, 0.2, 0.1]),
        "discrete Laplace(scale=3)": lambda n: (
            RNG.geometric(1 - math.exp(-1 / 3), n) - RNG.geometric(1 - math.exp(-1 / 3), n)
        ),
    }
    result = ville.follows(samplers[law.name], law, max_draws=DRAWS, alpha=ALPHA)
    cells = law.cells()
    row = cells.probabilities(law)
    size = result.worth.total_variation
    for _ in range(3):
        assert is_99_percent(share_found(result, [moved(row, size)]))
    assert not is_99_percent(share_found(result, [moved(row, size / 2)]))


def moved(row, size) -> np.ndarray:
    """Return a law at this total variation, in a random direction."""
    while True:
        direction = row * RNG.choice([-1.0, 1.0], size=len(row))
        if min((direction > 0).sum(), (direction < 0).sum()) == 0:
            continue
        direction[direction > 0] /= direction[direction > 0].sum()
        direction[direction < 0] /= -direction[direction < 0].sum()
        if np.all(row + size * direction > 0):
            return row + size * direction


def test_several_settings_have_one_worth():
    result = ville.follows(
        lambda n, scale: RNG.laplace(scale=scale, size=n),
        laws.laplace,
        settings=[{"scale": 1}, {"scale": 5}],
        max_draws=DRAWS,
        alpha=ALPHA,
    )
    rows = [
        laws.laplace(scale).cells().probabilities(laws.laplace(scale * result.worth.wider))
        for scale in (1, 5)
    ]
    assert is_99_percent(share_found(result, rows))


def test_too_few_draws_are_worth_nothing():
    result = ville.follows(lambda n: RNG.laplace(size=n), laws.laplace(1), max_draws=3)
    assert "no departure" in str(result.worth)
