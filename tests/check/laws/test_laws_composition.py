"""Laws of the chapters on composition and sensitivity, against independent computations."""

import itertools
import math

import numpy as np
import pytest
from library_copy import copy_of
from scipy import integrate, stats
from wrong_answers import sentence

import dplib
from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.claims.sensitivity._first_share import first_share, first_share_of
from autograder.check.claims.sensitivity._ratio_law import NoisyRatio


def reach(draws: int) -> float:
    """Return how far a frequency of independent draws is from its probability, but for 1e-9."""
    # Hoeffding (1963), two-sided.
    return math.sqrt(math.log(2e9) / (2 * draws))


# --- a noisy sum over a noisy count -------------------------------------------------------------

RATIOS = [(100, 20, 5, 2.0), (100, 20, 1.5, 3.0), (-50, 30, 40, 1.0), (3, 5, 0.5, 2.0)]
PLACES = (-30.0, -2.0, -0.1, 0.0, 0.3, 1.0, 7.0, 19.0, 25.0, 60.0)


def below_by_quadrature(ratio: float, law: NoisyRatio) -> float:
    """Return Pr(T <= ratio * C) as an integral over the noisy count C."""
    count = stats.laplace(law.count, law.count_scale)
    total = stats.laplace(law.total, law.total_scale)
    low, least = law.count - 45 * law.count_scale, law.least
    start = 0.0 if least is None else least
    ends = {low, start, law.count, law.count + 45 * law.count_scale + 45}
    ends |= {law.total / ratio} if ratio else set()
    ends = sorted(end for end in ends if end >= (low if least is None else start))

    def integrand(c):
        if c > 0 or least is not None:
            return count.pdf(c) * total.cdf(ratio * max(c, start))
        return count.pdf(c) * total.sf(ratio * c)

    pieces = [
        integrate.quad(integrand, *pair, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for pair in itertools.pairwise(ends)
    ]
    atom = 0.0 if least is None else count.cdf(start) * total.cdf(ratio * start)
    return sum(pieces) + atom


@pytest.mark.long
@pytest.mark.parametrize("least", [1.0, None])
@pytest.mark.parametrize("numbers", RATIOS)
def test_the_law_of_a_noisy_ratio_agrees_with_quadrature(numbers, least):
    law = NoisyRatio(*numbers, least=least)
    expected = [below_by_quadrature(place, law) for place in PLACES]
    assert law.below(np.array(PLACES)) == pytest.approx(expected, rel=1e-9, abs=1e-11)


# What becomes of a noisy count: the counts that are divided by, by their law.
LAWS_OF_A_RATIO = {
    "below": lambda counts: np.maximum(counts, 1),
    "below_without_sign": lambda counts: np.maximum(np.abs(counts), 1),
    "below_if_drawn_again": lambda counts: counts[counts >= 1],
    "below of any count": lambda counts: counts,
    "below_without_sign of any count": np.abs,
    "below_if_drawn_again of any count": lambda counts: counts[counts > 0],
}


@pytest.mark.parametrize("name", LAWS_OF_A_RATIO)
def test_the_law_of_a_noisy_ratio_agrees_with_draws_and_a_wrong_one_does_not(name):
    draws, generator = 400_000, np.random.default_rng()
    counts = LAWS_OF_A_RATIO[name](2 + generator.laplace(scale=2, size=draws))
    total = 44 + generator.laplace(scale=56, size=len(counts))
    empirical = np.searchsorted(np.sort(total / counts), PLACES, side="right") / len(counts)
    method, least = name.split()[0], None if "any" in name else 1.0

    def off(law: NoisyRatio, method: str = method) -> float:
        return np.abs(empirical - getattr(law, method)(np.array(PLACES))).max()

    # Ten places, so the test fails on a right law with probability below 1e-8.
    right = NoisyRatio(44, 56, 2, 2.0, least=least)
    assert off(right) < reach(len(counts))
    wrong = [NoisyRatio(44, 60, 2, 2.0, least=least), NoisyRatio(44, 56, 2, 2.0, least=0.5)]
    others = [other.split()[0] for other in LAWS_OF_A_RATIO if not other.startswith(f"{method} ")]
    assert min(off(law) for law in wrong) > reach(len(counts))
    assert min(off(right, other) for other in others if other != method) > reach(len(counts))


def test_the_law_of_a_ratio_with_a_whole_count_agrees_with_draws_and_the_usual_one_does_not():
    draws, generator = 400_000, np.random.default_rng()
    counts = np.maximum(np.round(3 + generator.laplace(scale=0.4, size=draws)), 1)
    ratios = np.sort((44 + generator.laplace(scale=2, size=draws)) / counts)
    places = np.array([10.0, 13, 14, 14.5, 15, 17, 20, 25, 40, 45])
    empirical = np.searchsorted(ratios, places, side="right") / draws
    law = NoisyRatio(44, 2, 3, 0.4)
    # Ten places, so the test fails on a right law with probability below 1e-8.
    assert np.abs(empirical - law.below_with_whole_count(places)).max() < reach(draws)
    assert np.abs(empirical - law.below(places)).max() > reach(draws)


# --- the first bound with the share -------------------------------------------------------------

COUNTS = [((84, 12, 20, 10), 3.0, 0.67), ((30, 2, 6), 2.0, 0.8), ((40, 0, 1, 3), 1.0, 0.92)]


@pytest.mark.parametrize(("counts", "scale", "share"), COUNTS)
def test_the_first_share_agrees_with_draws_and_a_wrong_law_does_not(counts, scale, share):
    draws = 400_000
    noisy = np.array(counts) + np.random.default_rng().laplace(
        scale=scale, size=(draws, len(counts))
    )
    sums, total = noisy.cumsum(axis=1), sum(counts)
    # Eight frequencies: each is off by more than `reach` with probability 1e-9.
    for least, law in (
        (share * sums[:, -1], first_share(counts, scale, share)),
        (share * total, first_share_of(counts, scale, share * total)),
    ):
        first = sums[:, 0] >= least
        second = ~first & (sums[:, 1] >= least)
        came = np.array([first.mean(), second.mean(), 1 - first.mean() - second.mean()])
        assert np.abs(came - law).max() < reach(draws)
        assert np.abs(came - first_share(counts, 1.5 * scale, share)).max() > reach(draws)


@pytest.mark.long
@pytest.mark.parametrize(("counts", "scale", "share"), COUNTS)
def test_the_first_share_agrees_with_inversion_and_nested_quadrature(counts, scale, share):
    odds, rest = share / (1 - share), sum(counts[2:])
    others = len(counts) - 1

    # X1 - odds * (X2 + X3 + ...) >= 0, by its characteristic function (Gil-Pelaez 1951).
    shift = counts[0] - odds * sum(counts[1:])

    def integrand(u):
        damped = (1 + (scale * u) ** 2) * (1 + (odds * scale * u) ** 2) ** others
        return math.sin(u * shift) / (u * damped)

    ends = np.linspace(1e-12, 60 / scale, 400)
    inverted = sum(integrate.quad(integrand, *pair)[0] for pair in itertools.pairwise(ends))
    law = first_share(counts, scale, share)
    assert law[0] == pytest.approx(0.5 + inverted / math.pi, abs=1e-8)

    # The third outcome by conditioning on the people above the second bound, and then on X2.
    first, second = stats.laplace(counts[0], scale), stats.laplace(counts[1], scale)

    def neither(above):
        ends = sorted([counts[1] - 40 * scale, 0.0, float(counts[1]), counts[1] + 40 * scale])
        kink = odds * above - counts[0]
        kinks = np.clip([kink, -kink / odds], ends[0], ends[-1])
        ends = sorted({*ends, *kinks.tolist()})
        places, weights = _nodes(ends, pieces=16)
        limit = odds * above - np.where(places < 0, -odds * places, places)
        return float(weights @ (second.pdf(places) * first.cdf(limit)))

    # `neither` has kinks where its own kinks meet.
    low, high = rest - 45 * scale, rest + 45 * scale
    kinks = np.array([counts[0], sum(counts[:2]), counts[0] - odds * counts[1]]) / odds
    places, weights = _nodes(sorted({low, rest, high, *np.clip(kinks, low, high)}), pieces=20)
    distance = np.abs(places - rest) / scale
    density = np.exp(-distance) / scale / 2
    if len(counts) == 4:
        density *= (1 + distance) / 2
    expected = weights @ (density * [neither(place) for place in places])
    assert law[2] == pytest.approx(expected, rel=1e-8)


def _nodes(ends, pieces: int) -> tuple[np.ndarray, np.ndarray]:
    """Return places and weights of Gauss and Legendre's rule, on pieces between the ends."""
    fine = np.concatenate([np.linspace(*pair, pieces + 1) for pair in itertools.pairwise(ends)])
    nodes, weights = np.polynomial.legendre.leggauss(24)
    low, high = fine[:-1, None], fine[1:, None]
    return ((low + high) / 2 + (high - low) / 2 * nodes).ravel(), (
        (high - low) / 2 * weights
    ).ravel()


# --- the library --------------------------------------------------------------------------------


def test_the_librarys_ledger_keeps_the_claim_and_is_refused_as_an_answer():
    members = dict(vars(dplib.PrivacyLedger))
    members["__init__"] = copy_of(members["__init__"])
    check.privacy_ledger(type("PrivacyLedger", (), members))
    assert "the library's own version" in sentence("privacy_ledger", dplib.PrivacyLedger)


def test_no_two_mistakes_of_a_claim_in_parts_have_one_value():
    claim = CLAIMS["privacy_ledger"].parts[0]
    cases = claim.cases(np.random.default_rng())
    for mistake in claim.mistakes:
        values = [claim.value(mistake.function, given) for given in cases]
        assert claim.explaining(claim.mistakes, cases, values) == [mistake]
