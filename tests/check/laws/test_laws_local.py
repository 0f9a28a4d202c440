"""The laws of chapter 13's claims against independent computations, exact or simulated.

Every test fails on a right law with probability below 1e-9.
"""

import itertools
import math

import numpy as np
import pytest

import dplib
from autograder.check.claims import CLAIMS
from autograder.check.claims.learning._reports import (
    independent_bits,
    joined_bits,
    repeats_after,
)
from autograder.check.claims.local import _survey as survey
from autograder.check.claims.local.daily_respondent import fewest_days, right_share

RANDOMISED = ("randomized_response", "perturb", "direct_perturb", "private_survey")


def laws_of(law) -> list[dict]:
    return [law] if isinstance(law, dict) else law


@pytest.mark.parametrize("name", RANDOMISED)
def test_laws_sum_to_one_and_so_do_those_of_the_mistakes(name):
    claim = CLAIMS[name]
    for parameters in claim.parameters(np.random.default_rng()):
        for law_of in (claim.law, *(mistake.law for mistake in claim.mistakes)):
            for law in laws_of(law_of(parameters)):
                assert math.fsum(law.values()) == pytest.approx(1, abs=1e-12)
                assert min(law.values()) >= 0


def test_a_period_is_seen_and_hardly_any_ones_have_none():
    # Of 1,150 bits 14 are 1: the last 150 are like the first 150, and that means nothing.
    rare = np.zeros(1150, dtype=bool)
    rare[200:700:37] = True
    fair = np.random.default_rng(13).integers(2, size=1000).astype(bool)
    assert repeats_after(rare) == 0
    assert repeats_after(fair) == 0
    assert repeats_after(np.tile(fair[:300], 4)) == 300
    assert repeats_after(np.ones(1150, dtype=bool)) == 0


def test_bits_that_one_draw_decides_are_those_of_an_integral():
    chances = [0.7, 0.2, 0.7, 0.45]
    law = joined_bits(chances)
    # The midpoint rule is exact up to one cell for each jump: 3 jumps, 1e5 cells.
    cells = (np.arange(100_000) + 0.5) / 100_000
    bits = (cells[:, None] < np.array(chances)).astype(int)
    for outcome, probability in law.items():
        share = np.mean((bits == outcome).all(axis=1))
        assert share == pytest.approx(probability, abs=4e-5)
    assert independent_bits(chances)[1, 0, 1, 1] == pytest.approx(0.7 * 0.8 * 0.7 * 0.45)


def test_counts_of_direct_reports_are_multinomial_when_all_people_are_alike():
    chances = [0.5, 0.2, 0.3]
    law = survey.direct_counts_law([chances] * 4)
    for counts, probability in law.items():
        ways = math.factorial(4) / math.prod(math.factorial(count) for count in counts)
        single = math.prod(chance**count for chance, count in zip(chances, counts, strict=True))
        assert probability == pytest.approx(ways * single, rel=1e-12)


def test_supports_of_unary_reports_are_enumerated():
    counts, p, q = [2, 1, 0], 0.5, 0.2
    for count, law in zip(counts, survey.unary_support_law(counts, p, q), strict=True):
        enumerated = dict.fromkeys(range(4), 0.0)
        for bits in itertools.product((0, 1), repeat=3):
            chances = [p] * count + [q] * (3 - count)
            pairs = zip(bits, chances, strict=True)
            enumerated[sum(bits)] += math.prod(c if b else 1 - c for b, c in pairs)
        for support, probability in enumerated.items():
            assert law[support] == pytest.approx(probability, rel=1e-12)


def test_total_variances_are_those_of_the_library():
    for size, epsilon in ((2, 0.5), (5, 1.0), (12, 2.4), (40, 1.0)):
        ours = survey.total_variances(size, epsilon)
        library = dplib.survey_variances(domain_size=size, people=1, epsilon=epsilon)
        assert sorted(ours.values()) == pytest.approx(sorted(library.values()), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.21, 0.5, 1.0986, 2.6])
def test_the_majority_is_right_as_often_as_a_recurrence_says(epsilon):
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    # The number of true reports, one day after the other: no binomial function is used.
    law, days = {0: 1.0}, 0
    while True:
        days += 1
        added: dict[int, float] = {}
        for true, probability in law.items():
            added[true + 1] = added.get(true + 1, 0.0) + probability * truth
            added[true] = added.get(true, 0.0) + probability * (1 - truth)
        law = added
        right = math.fsum(
            probability * (1.0 if 2 * true > days else 0.5 if 2 * true == days else 0.0)
            for true, probability in law.items()
        )
        assert right_share(days, epsilon) == pytest.approx(right, abs=1e-11)
        if right >= 0.99:
            break
    assert fewest_days(epsilon) == days
