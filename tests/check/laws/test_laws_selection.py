"""The exact laws behind chapter 10's checks, against independent computations.

dplib's `outcome_laws` and `selection` were written apart from the checks; scipy's adaptive
quadrature and the enumeration of all orders are a third opinion. Each comparison would see a wrong
law: the last test says so.
"""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy import integrate, stats

from autograder.check.claims import CLAIMS
from autograder.check.claims.selection import _orders as orders
from autograder.check.claims.selection._noise import NO_NOISE, Noise, winner_law
from autograder.check.claims.selection._orders import first_accepted
from dplib.outcome_laws import noisy_max_probabilities
from dplib.selection import permute_and_flip_probabilities, selection_probabilities

GENERATOR = np.random.default_rng(10)
SCORES = [tuple(GENERATOR.normal(scale=3, size=size).tolist()) for size in (2, 3, 5, 8)]
SCORES.append((-1.5, 0.0, 0.0, -1.5))
SCIPY = {
    "laplace": stats.laplace,
    "exponential": stats.expon,
    "gumbel": stats.gumbel_r,
    "gaussian": stats.norm,
}


@pytest.mark.parametrize("scores", SCORES)
@pytest.mark.parametrize("scale", [0.2, 1.0, 7.0])
def test_the_noisy_winner_has_dplibs_law(scores, scale):
    expected = noisy_max_probabilities(scores, scale=scale)
    assert winner_law(scores, Noise(scale)) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.long
@pytest.mark.parametrize("kind", SCIPY)
@pytest.mark.parametrize("scores", SCORES[:3])
def test_the_noisy_winner_agrees_with_scipy(kind, scores):
    law = SCIPY[kind](scale=1.3)

    def density(z, place):
        others = [law.cdf(z - score) for k, score in enumerate(scores) if k != place]
        return law.pdf(z - scores[place]) * math.prod(others)

    points = np.sort([min(scores) - 40, *scores, max(scores) + 60])
    for place, chance in enumerate(winner_law(scores, Noise(1.3, kind))):
        pieces = [
            integrate.quad(density, low, high, args=(place,), epsabs=1e-13, limit=200)[0]
            for low, high in pairwise(points)
        ]
        assert chance == pytest.approx(sum(pieces), abs=1e-10)


def test_even_noise_follows_its_law_and_without_noise_the_best_wins():
    scores, draws = (0.0, 0.7, -0.4), 200_000
    noisy = np.array(scores) + np.random.default_rng().uniform(-1.2, 1.2, (draws, 3))
    shares = np.bincount(noisy.argmax(axis=1), minlength=3) / draws
    # Hoeffding (1963): each share is off by more with probability below 1e-10, so 3e-10 in all.
    reach = math.sqrt(math.log(2e10) / (2 * draws))
    assert np.abs(shares - winner_law(scores, Noise(1.2, "uniform"))).max() < reach
    assert winner_law(scores, NO_NOISE).tolist() == [0, 1, 0]


def test_two_candidates_have_the_closed_form_of_the_seeds():
    # Two Laplace draws of scale 1: Pr(difference > gap) = (2 + gap) * exp(-gap) / 4.
    for gap in (0.0, 0.5, 2.0, 9.0, 62.0):
        expected = (2 + gap) * math.exp(-gap) / 4
        assert winner_law((0.0, gap), Noise(1.0))[0] == pytest.approx(expected, rel=1e-12)


def test_a_winner_far_behind_seven_others_is_as_exact():
    # The noise z above the seven others' score 0, in three parts: z > 0, -gap < z < 0, z < -gap.
    for gap in (20.0, 40.0, 66.0):
        above = math.exp(-gap) * (1 - 2.0**-8) / 8
        between = math.exp(-gap) * -math.expm1(-6 * gap) / 6 / 2**8
        expected = above + between + math.exp(-7 * gap) / 2**8 / 8
        scores = (-gap, *[0.0] * 7)
        assert winner_law(scores, Noise(1.0))[0] == pytest.approx(expected, rel=1e-11, abs=0)


def by_enumeration(chances, visits=None) -> np.ndarray:
    """The law of permute-and-flip, order by order; the last of some visits needs no coin."""
    law, orders = np.zeros(len(chances)), list(permutations(range(len(chances))))
    for order in orders:
        left = 1 / len(orders)
        for number, place in enumerate(order[:visits], start=1):
            chance = 1.0 if number == visits else chances[place]
            law[place] += left * chance
            left *= 1 - chance
    return law


@pytest.mark.parametrize("visits", [1, 2, 4])
def test_who_stops_early_has_the_law_of_all_orders(visits):
    chances = np.append(GENERATOR.random(4), 1.0)
    law = first_accepted(tuple(chances.tolist()), visits)
    assert law == pytest.approx(by_enumeration(chances, visits), rel=1e-12)
    assert law.sum() == pytest.approx(1, abs=1e-13)


@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_the_first_accepted_has_the_law_of_all_orders(size):
    for _ in range(5):
        chances = np.append(GENERATOR.random(size - 1), 1.0)
        law = first_accepted(tuple(chances.tolist()))
        assert law == pytest.approx(by_enumeration(chances), rel=1e-12)
        assert law.sum() == pytest.approx(1, abs=1e-13)
        scores = np.log(chances)
        theirs = permute_and_flip_probabilities(scores, sensitivity=1, epsilon=2)
        assert law == pytest.approx(theirs, rel=1e-9)


def settings(name):
    claim = CLAIMS[name]
    return claim, [p for _ in range(5) for p in claim.parameters(np.random.default_rng())]


def test_the_claims_use_these_laws():
    laws = {
        "exponential_mechanism": lambda p: selection_probabilities(
            p["scores"], sensitivity=p["sensitivity"], epsilon=p["epsilon"], monotone=p["monotone"]
        ),
        "report_noisy_max": lambda p: noisy_max_probabilities(
            p["scores"], scale=(2 - p["monotone"]) * p["sensitivity"] / p["epsilon"]
        ),
        "permute_and_flip": lambda p: permute_and_flip_probabilities(
            p["scores"], sensitivity=p["sensitivity"], epsilon=p["epsilon"], monotone=p["monotone"]
        ),
    }
    for name, expected in laws.items():
        claim, drawn = settings(name)
        for p in drawn:
            right = expected(p)
            if len(right) > 8:
                # All but the best are one outcome.
                right = [max(right), sum(right) - max(right)]
            assert list(claim.law(p).values()) == pytest.approx(right, rel=1e-8)


def wins_by_more(scores, place, gap, noise):
    """How likely one wins by more than the gap, by scipy's quadrature over its noisy score."""
    others, scale = np.delete(scores, place), noise.std() / math.sqrt(2)

    def density(z):
        return noise.pdf(z - scores[place]) * np.prod(noise.cdf(z - gap - others))

    ends = [min(scores) - 40 * scale, max(scores) + 40 * scale]
    points = np.sort([*ends, *scores, *(scores + gap)])
    return sum(integrate.quad(density, *pair, limit=200)[0] for pair in pairwise(points))


@pytest.mark.long
def test_the_gap_of_the_winner_has_its_law():
    claim, drawn = settings("noisy_max_with_gap")
    for p in drawn[:5]:
        scale, law = (2 - p["monotone"]) * p["sensitivity"] / p["epsilon"], claim.law(p)
        noise, scores = stats.laplace(scale=scale), np.array(p["scores"])
        for place, candidate in enumerate(p["candidates"]):
            # 1.3 scales is the third of the places at which gaps are told apart.
            ours = sum(law[candidate, k] for k in range(3))
            wins, by_far = (wins_by_more(scores, place, cut * scale, noise) for cut in (0, 1.3))
            assert ours == pytest.approx(wins - by_far, abs=1e-7)


def test_the_median_is_scored_by_hand():
    claim, drawn = settings("private_median")
    for p in drawn:
        scores = [
            min(sum(v <= c for v in p["values"]), sum(v >= c for v in p["values"]))
            for c in p["candidates"]
        ]
        expected = selection_probabilities(
            scores, sensitivity=1, epsilon=p["epsilon"], monotone=True
        )
        if len(expected) > 8:  # all but the best are one outcome
            best = expected[int(np.argmax(scores))]
            expected = [best, 1 - best]
        assert list(claim.law(p).values()) == pytest.approx(expected, rel=1e-9)


def test_scaling_scores_and_sensitivity_together_changes_no_law():
    for name in ("exponential_mechanism", "report_noisy_max", "permute_and_flip"):
        claim, drawn = settings(name)
        for p in drawn:
            scaled = p | {
                "scores": [8 * score for score in p["scores"]],
                "sensitivity": 8 * p["sensitivity"],
            }
            assert list(claim.law(scaled).values()) == pytest.approx(
                list(claim.law(p).values()), rel=1e-9
            )


def test_a_wrong_law_would_be_seen():
    scores = SCORES[2]
    right = noisy_max_probabilities(scores, scale=1.0)
    assert winner_law(scores, Noise(1.0001)) != pytest.approx(right, rel=1e-6)
    chances = np.array([0.3, 0.8, 1.0])
    assert first_accepted((0.3, 0.8001, 1.0)) != pytest.approx(by_enumeration(chances), rel=1e-6)


@pytest.mark.parametrize(
    ("orders_of", "first_of"),
    [
        (orders.turned, orders.evenly_first),
        (orders.displaced, orders.first_when_displaced),
        (orders.swapped_with_any, orders.first_when_swapped_with_any),
    ],
)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_who_comes_first_after_a_bad_shuffle(orders_of, first_of, size):
    first = np.zeros(size)
    for order, share in orders_of(size).items():
        first[order[0]] += share
    assert first_of(size) == pytest.approx(first)
    assert first.sum() == pytest.approx(1)


def test_swaps_with_any_place_favor_the_front():
    # Of three, 27 ways to swap: the second comes first in 10 of them, the third in 8.
    assert 27 * orders.first_when_swapped_with_any(3) == pytest.approx([9, 10, 8])
