"""The exact laws behind chapter 11's checks, against independent computations.

dplib's `outcome_laws` were written apart from the checks. What it has no law for (wrong variants)
is simulated, with a false alarm in less than 1e-9 of all runs.
"""

import math

import numpy as np
import pytest

from autograder.check.claims import CLAIMS
from autograder.check.claims.selection._noise import Noise, stop_law
from autograder.check.claims.sparse_vector import _few_people
from autograder.check.claims.sparse_vector import _sparse_vector as sparse_vector
from autograder.check.claims.sparse_vector._mean_laws import mean_law
from autograder.check.claims.sparse_vector._published_variants import VARIANTS, chance
from dplib import outcome_laws
from dplib.sparse_vector import auto_mean

RIGHT = Noise(2.0), Noise(4.0)
DRAWS = 100_000
# Hoeffding (1963): a share of DRAWS is off by more with probability below 1e-11; there are 36.
REACH = math.sqrt(math.log(2e11) / (2 * DRAWS))


def offsets(size: int, generator) -> tuple[float, ...]:
    return tuple(generator.normal(-1, 4, size).tolist())


@pytest.mark.parametrize("size", [1, 2, 5, 8])
@pytest.mark.parametrize("scales", [(2, 4), (4, 2), (0, 4), (2, 0), (0.5, 3)])
def test_a_run_stops_by_dplibs_law(size, scales):
    generator = np.random.default_rng(size)
    for _ in range(3):
        answers = offsets(size, generator)
        expected = outcome_laws.above_threshold_probabilities(
            answers, threshold=0, threshold_scale=scales[0], answer_scale=scales[1]
        )
        law = stop_law(answers, *(Noise(float(scale)) for scale in scales))
        assert law == pytest.approx(expected, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_reports_have_dplibs_law_with_and_without_redrawing(count):
    generator = np.random.default_rng(count)
    laws = {
        True: sparse_vector.reports_law,
        False: sparse_vector.reports_law_with_one_threshold,
    }
    for redraw, law_of in laws.items():
        answers = offsets(5, generator)
        expected = outcome_laws.sparse_probabilities(
            answers, threshold=0, count=count, threshold_scale=2, answer_scale=4, redraw=redraw
        )
        law = law_of(answers, count, *RIGHT)
        assert law.keys() == expected.keys()
        assert list(law.values()) == pytest.approx(list(expected.values()), rel=1e-9, abs=1e-14)


def simulated(answers, stop) -> np.ndarray:
    """The shares of each index, and of none, when `stop` says where answers are above."""
    generator = np.random.default_rng()
    above = stop(np.array(answers), generator)
    place = np.where(above.any(axis=1), above.argmax(axis=1), len(answers))
    return np.bincount(place, minlength=len(answers) + 1) / DRAWS


def redrawn(answers, generator):
    shape = DRAWS, len(answers)
    return answers + generator.laplace(0, 4, shape) >= generator.laplace(0, 2, shape)


def reused(answers, generator):
    shape = DRAWS, 1
    return answers + generator.laplace(0, 4, shape) >= generator.laplace(0, 2, shape)


def never_negative(answers, generator):
    noise = generator.exponential(4, (DRAWS, len(answers)))
    return answers + noise >= generator.exponential(2, (DRAWS, 1))


def bell_shaped(answers, generator):
    noise = generator.normal(0, 4, (DRAWS, len(answers)))
    return answers + noise >= generator.normal(0, 2, (DRAWS, 1))


def backwards(answers, generator):
    noise = generator.laplace(0, 4, (DRAWS, len(answers)))
    return (answers + noise >= generator.laplace(0, 2, (DRAWS, 1)))[:, ::-1]


def highest(answers, generator):
    noisy = answers + generator.laplace(0, 4, (DRAWS, len(answers)))
    best = noisy == noisy.max(axis=1, keepdims=True)
    return best & (noisy >= generator.laplace(0, 2, (DRAWS, 1)))


def test_wrong_runs_follow_their_laws():
    answers = (-3.0, 1.0, -1.0, 2.0, 0.5)
    bell, positive = ((Noise(2.0, kind), Noise(4.0, kind)) for kind in ("gaussian", "exponential"))
    pairs = [
        (redrawn, sparse_vector.separate_thresholds(answers, *RIGHT)),
        (reused, sparse_vector.first_of_the_reused(answers, *RIGHT)),
        (highest, sparse_vector.highest_above(answers, *RIGHT)),
        (never_negative, stop_law(answers, *positive)),
        (bell_shaped, stop_law(answers, *bell)),
    ]
    for stop, law in pairs:
        assert np.abs(simulated(answers, stop) - law).max() < REACH
    last = simulated(answers, backwards)
    assert (
        np.abs(
            np.append(last[:-1][::-1], last[-1]) - sparse_vector.last_above(answers, *RIGHT)
        ).max()
        < REACH
    )
    # Each is far from the right law, so a mistake among them would be seen.
    right = stop_law(answers, *RIGHT)
    assert min(np.abs(law - right).max() for _, law in pairs) > 2 * REACH


def test_separate_thresholds_for_several_reports_multiply():
    answers = (1.0, -2.0, 3.0)
    above = [sparse_vector.chance_above(each, *RIGHT) for each in answers]
    law = sparse_vector.reports_law_with_separate_thresholds(answers, 2, *RIGHT)
    assert law[0, 2] == pytest.approx(above[0] * (1 - above[1]) * above[2])
    assert law[0, 1] == pytest.approx(above[0] * above[1])
    assert sum(law.values()) == pytest.approx(1)


def test_the_claims_use_these_laws():
    for name, units in (("above_threshold", lambda p: 1), ("sparse", lambda p: p["count"])):
        claim = CLAIMS[name]
        for p in claim.parameters(np.random.default_rng()):
            scale = units(p) * p["sensitivity"] / p["epsilon"]
            halved = 2 if p.get("monotone") else 1
            scales = {"threshold_scale": 2 * scale, "answer_scale": 4 * scale / halved}
            if name == "sparse":
                expected = outcome_laws.sparse_probabilities(
                    p["answers"], threshold=p["threshold"], count=p["count"], **scales
                )
                assert claim.law(p).keys() == expected.keys()
                expected = list(expected.values())
            else:
                expected = outcome_laws.above_threshold_probabilities(
                    p["answers"], threshold=p["threshold"], **scales
                )
            if len(p["answers"]) > 8 and name == "above_threshold":
                # All indices but the last are one outcome.
                expected = [sum(expected[:-2]), *expected[-2:]]
            assert list(claim.law(p).values()) == pytest.approx(expected, rel=1e-8)


def test_the_bound_and_the_ranges_are_counted_by_hand():
    claim = CLAIMS["auto_clipping_bound"]
    for p in claim.parameters(np.random.default_rng()):
        exceeding = [sum(value > each for value in p["values"]) for each in p["candidates"]]
        law = outcome_laws.above_threshold_probabilities(
            [-number for number in exceeding],
            threshold=0,
            threshold_scale=2 / p["epsilon"],
            answer_scale=4 / p["epsilon"],
        )
        expected = [*law[:-2], law[-2] + law[-1]]
        assert list(claim.law(p).values()) == pytest.approx(expected, rel=1e-9)
    numbers, search = CLAIMS["range_queries_above"].parts
    for p in search.parameters(np.random.default_rng()):
        inside = [sum(low <= value < high for value in p["values"]) for low, high in p["ranges"]]
        scale = 2 * p["count"] / p["epsilon"]
        expected = outcome_laws.sparse_probabilities(
            inside,
            threshold=p["threshold"],
            count=p["count"],
            threshold_scale=2 * scale,
            answer_scale=4 * scale,
        )
        assert list(search.law(p).values()) == pytest.approx(list(expected.values()), rel=1e-9)
    for p in numbers.parameters(np.random.default_rng()):
        inside = [sum(low <= value < high for value in p["values"]) for low, high in p["ranges"]]
        assert numbers.exact(p).tolist() == [each for each in inside if each > p["threshold"]]


@pytest.mark.long
def test_the_automatic_mean_follows_its_law():
    # Dvoretzky, Kiefer & Wolfowitz; Massart (1990): an empirical law of n draws strays further with
    # probability below 1e-10, for each of the two settings.
    reach = math.sqrt(math.log(2e10) / (2 * 20_000))
    generator = np.random.default_rng()
    for p in CLAIMS["auto_mean"].parts[0].parameters(generator):
        keywords = {"candidates": p["candidates"], "epsilon": p["epsilon"], "rng": generator}
        draws = np.sort([auto_mean(np.array(p["values"]), **keywords) for _ in range(20_000)])
        steps = np.arange(len(draws) + 1) / len(draws)

        def strays(law, draws=draws, steps=steps) -> float:
            levels = law(draws)
            return max(np.abs(levels - steps[1:]).max(), np.abs(levels - steps[:-1]).max())

        assert strays(mean_law(p)) < reach
        assert strays(mean_law(p, shares=(1, 1, 1))) > 2 * reach
        assert strays(mean_law(p, shares=(1 / 3, 2 / 3, 2 / 3))) > 2 * reach


@pytest.mark.parametrize("moved", [True, False])
@pytest.mark.parametrize("least", [1.0, None])
def test_the_mean_of_few_people_follows_one_of_four_laws(least, moved):
    draws = 200_000
    reach = math.sqrt(math.log(2e10) / (2 * draws))  # as above
    generator = np.random.default_rng()
    for p in _few_people._parameters(generator):
        bound, people, scale = p["candidates"][0], len(p["values"]), 3 / p["epsilon"]
        sums = sum(p["values"]) + generator.laplace(scale=scale * bound, size=draws)
        counts = people + generator.laplace(scale=scale, size=draws)
        kept = counts if least is None else np.maximum(counts, least)
        means = np.clip(sums / kept, 0, bound) if moved else sums / kept
        places, times = np.unique(means - p["middle"], return_counts=True)
        levels = np.cumsum(times) / draws
        right = _few_people._law(p, least, moved=moved)(places)
        assert np.abs(right - levels).max() < reach
        if people < 10:  # else no count is below 1
            wrong = _few_people._law(p, 1.0, instead=float(people), moved=moved)(places)
            assert np.abs(wrong - levels).max() > 2 * reach


def test_published_variants_have_dplibs_chances():
    generator = np.random.default_rng(6)
    compared = 0
    for _ in range(400):
        number, size = int(generator.integers(3, 7)), int(generator.integers(1, 20))
        answers, epsilon = generator.normal(0, 3, size).tolist(), generator.uniform(0.2, 2)
        outcome = [bool(each) for each in generator.random(size) < 0.5]
        unit = 1.0
        if number < 5:
            outcome = [False] * (size - 1) + [True]
        if number == 3:
            outcome[-1], unit = float(generator.normal(0, 2)), epsilon
        theirs = outcome_laws.VARIANTS[number].probability(
            answers, outcome, threshold=0, epsilon=epsilon
        )
        ours = unit * chance(VARIANTS[number], answers, outcome, epsilon)
        if theirs > 1e-8:  # they promise 1e-10 absolute
            compared += 1
            assert ours == pytest.approx(theirs, rel=1e-2 if theirs < 1e-6 else 1e-6)
        else:
            assert ours < 1e-7
    assert compared > 100


def test_a_wrong_law_would_be_seen():
    answers = (-3.0, 1.0, -1.0, 2.0, 0.5)
    right = outcome_laws.above_threshold_probabilities(
        answers, threshold=0, threshold_scale=2, answer_scale=4
    )
    assert stop_law(answers, Noise(2.0001), Noise(4.0)) != pytest.approx(right, rel=1e-6)
    assert stop_law(answers, Noise(2.0), Noise(4.0001)) != pytest.approx(right, rel=1e-6)
