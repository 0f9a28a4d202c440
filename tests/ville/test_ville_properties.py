"""Two properties of all laws: right draws fail at most as often as the level says, and a departure
of the size that `worth` states is found.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import ville
from ville import laws

LEVEL, RUNS, DRAWS = 0.01, 40, 400
# By Ville's inequality a run of right draws fails with probability at most 0.01. So 12 or more of
# 40 do with probability below 1e-13, and in any of the examples below with less than 1e-11.
MOST_FAILED = 11
EXAMPLES = 20
WORTH_DRAWS = 3_000
SCALES = some.floats(-300, 300).map(lambda power: 10.0**power)
FEW = some.floats(0.05, 20.0)
RNG = np.random.default_rng()


def whole_laplace(n, scale):
    success = -math.expm1(-1 / scale)
    return RNG.geometric(success, n) - RNG.geometric(success, n)


# A law, its sampler (which takes a factor of the scale where the law has one), and its unit.
SCALED = some.one_of(
    SCALES.map(lambda s: (laws.laplace(s), lambda n, f=1: f * s * RNG.laplace(size=n), s)),
    SCALES.map(lambda s: (laws.gaussian(s), lambda n, f=1: f * s * RNG.normal(size=n), s)),
    FEW.map(lambda s: (laws.discrete_laplace(s), lambda n, f=1: whole_laplace(n, f * s), 1.0)),
    FEW.map(
        lambda s: (
            laws.rounded(laws.laplace(s)),
            lambda n, f=1: np.rint(RNG.laplace(scale=f * s, size=n)),
            1.0,
        )
    ),
)
BASES = some.one_of(
    SCALED,
    SCALES.map(lambda s: (laws.uniform(0, s), lambda n: s * RNG.random(n), s)),
    some.floats(0.001, 0.999).map(
        lambda p: (laws.geometric(p), lambda n: RNG.geometric(p, n).astype(float), 1.0)
    ),
)


@some.composite
def laws_and_draws(draw):
    """Draw a law with its sampler and its unit: a base, which may be changed or mixed."""
    law, sampler, unit = draw(BASES)
    change = draw(some.sampled_from(["none", "moved", "clamped", "folded", "mixed", "cut"]))
    steps = draw(some.integers(-5, 5))
    if change == "moved":
        by = steps * unit
        return laws.shifted(law, by), lambda n: sampler(n) + by, unit
    if change == "clamped":
        low, high = -abs(steps) * unit, (abs(steps) + 1) * unit
        return laws.clamped(law, low, high), lambda n: np.clip(sampler(n), low, high), unit
    if change == "folded":
        return laws.folded(law), lambda n: np.abs(sampler(n)), unit
    if change == "cut" and law.support[0] <= 0:
        low, high = 0.0, (abs(steps) + 1) * unit
        return laws.truncated(law, low, high), lambda n: between(sampler, n, low, high), unit
    if change == "mixed":
        share = draw(some.floats(0.001, 0.999))
        mixed = laws.mixture([laws.point(0.0), law], [share, 1 - share])
        return mixed, lambda n: np.where(RNG.random(n) < share, 0.0, sampler(n)), unit
    return law, sampler, unit


def between(sampler, n, low, high):
    """Draw until n draws lie in [low, high]."""
    kept = np.zeros(0)
    while len(kept) < n:
        more = sampler(4 * n)
        kept = np.concatenate([kept, more[(more >= low) & (more <= high)]])
    return kept[:n]


@pytest.mark.long
@settings(max_examples=EXAMPLES)
@given(laws_and_draws())
def test_right_draws_fail_at_most_as_often_as_the_level_says(case):
    law, sampler, _ = case
    failed = sum(
        not ville.follows(sampler(DRAWS), law, alpha=LEVEL, max_draws=DRAWS) for _ in range(RUNS)
    )
    assert failed <= MOST_FAILED


@some.composite
def laws_with_a_scale(draw):
    """Draw a law with a scale, and its sampler (n, factor of the scale) -> draws."""
    law, sampler, unit = draw(SCALED)
    change = draw(some.sampled_from(["none", "moved", "clamped", "folded"]))
    steps = draw(some.integers(-5, 5))
    if change == "moved":
        return laws.shifted(law, steps * unit), lambda n, f=1: sampler(n, f) + steps * unit
    if change == "clamped":
        low, high = -abs(steps) * unit, (abs(steps) + 1) * unit
        return laws.clamped(law, low, high), lambda n, f=1: np.clip(sampler(n, f), low, high)
    if change == "folded":
        return laws.folded(law), lambda n, f=1: np.abs(sampler(n, f))
    return law, sampler


def some_replaced(sampler, share, place):
    def draws(n):
        return np.where(RNG.random(n) < share, place, sampler(n))

    return draws


def departures(law, sampler, worth):
    """Yield samplers that are as wrong as `worth` says is found in 99 of 100 runs."""
    for factor in (worth.wider, worth.narrower):
        if factor:
            yield lambda n, factor=factor: sampler(n, factor)
    cells = law.cells()
    place = float(law.middle_and_size()[0]) if law.lattice is None else float(sampler(1)[0])
    own = cells.null[cells.sort(np.array([place]))[0]]
    if worth.total_variation and worth.total_variation < 1 - own:
        yield some_replaced(sampler, worth.total_variation / (1 - own), place)
    if worth.rare:
        far = law.support[1] if np.isfinite(law.support[1]) else float(law.marks[-1]) * 1e6
        if law.mass(far) == 0 and far < law.support[1]:
            yield some_replaced(sampler, worth.rare, np.rint(far) if law.lattice else far)
    yield some_replaced(sampler, 0.01, np.nan)


@pytest.mark.long
@settings(max_examples=EXAMPLES // 2)
@given(laws_with_a_scale())
def test_a_departure_of_the_stated_size_is_found(case):
    """Of 12 runs, each of which finds it with probability 0.99, 5 or fewer do with 1e-11."""
    law, sampler = case
    worth = ville.follows(sampler, law, max_draws=WORTH_DRAWS).worth
    for wrong in departures(law, sampler, worth):
        found = sum(not ville.follows(wrong, law, max_draws=WORTH_DRAWS) for _ in range(12))
        assert found >= 6
