"""Laws that any code passed, and right code that failed: each case here is one that was found."""

import math

import numpy as np
import pytest
from scipy import stats

import ville
from ville import laws

# Right draws fail with probability at most ville's alpha, 1e-9, whatever the law is.
RNG = np.random.default_rng()
POISSON = stats.poisson(1e-7).cdf


def now_and_then(share, wrong):
    """Return a sampler of N(0, 1) of which a share is `wrong`, a function of their number."""

    def sampler(n):
        draws = RNG.normal(size=n)
        which = RNG.random(n) < share
        draws[which] = wrong(int(which.sum()))
        return draws

    return sampler


# The draws, the law, and what is said.
WRONG = {
    "one cell: discrete Laplace": (lambda n: np.full(n, 2), laws.discrete_laplace(0.07), "rare"),
    "one cell: discrete Gaussian": (lambda n: np.full(n, 1), laws.discrete_gaussian(0.15), "rare"),
    "one cell: rounded": (lambda n: np.full(n, -1), laws.rounded(laws.gaussian(0.1)), "rare"),
    "one cell: geometric": (lambda n: np.full(n, 2), laws.geometric(1 - 1e-7), "rare"),
    "one cell: Poisson": (lambda n: np.full(n, 1), laws.from_cdf(POISSON, whole=True), "rare"),
    "a rare place in the middle": (
        lambda n: RNG.choice([0, 1, 2], n, p=[0.495, 0.01, 0.495]),
        laws.from_pmf({0: 0.5 - 5e-7, 1: 1e-6, 2: 0.5 - 5e-7}),
        "rare",
    ),
    "half-integers give NaN": (
        lambda n: np.full(n, 3),
        laws.from_cdf(stats.hypergeom(50, 20, 10).cdf, whole=True, support=(0, 10)),
        "",
    ),
    "a tiny scale": (lambda n: RNG.laplace(scale=2e-25, size=n), laws.laplace(1e-25), "spread"),
    "huge outliers": (now_and_then(3e-5, lambda n: np.full(n, 1e6)), laws.gaussian(1), ""),
    "huge outliers, all different": (
        now_and_then(1e-4, lambda n: RNG.uniform(1e6, 2e6, n)),
        laws.gaussian(1),
        "draws above 7.0",
    ),
    "1 % near the centre": (
        now_and_then(0.01, lambda n: RNG.normal(scale=0.01, size=n)),
        laws.gaussian(1),
        "draws within",
    ),
    "1 % near a quartile": (
        now_and_then(0.01, lambda n: RNG.normal(0.67, 0.01, size=n)),
        laws.gaussian(1),
        "draws within",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_draws_that_passed_fail(case):
    draws, law, words = WRONG[case]
    result = ville.follows(draws, law)
    assert not result and words in str(result)


def drawn(name, *given, shift=0.0):
    return lambda n: shift + getattr(RNG, name)(*given, size=n)


def mixed(n):
    return [("a" if RNG.random() < 0.378 else 7) for _ in range(n)]


GAMMA = {shape: stats.gamma(shape).cdf for shape in (0.001, 0.05)}
POSITIVE = {"support": (0, math.inf)}
BIG, PAIRS = [10**30, 10**30 + 1], [(0, "x"), (1, "y")]
RIGHT = {
    "one cell": (lambda n: np.zeros(n), laws.discrete_laplace(0.07)),
    "a cdf that is none outside of its support": (
        drawn("random"),
        laws.from_cdf(lambda x: x, support=(0, 1)),
    ),
    "a cdf that goes on beyond": (
        drawn("vonmises", 0, 2),
        laws.from_cdf(stats.vonmises(2).cdf, support=(-math.pi, math.pi)),
    ),
    "a cdf that goes on beyond, without support": (
        drawn("vonmises", 0, 2),
        laws.from_cdf(stats.vonmises(2).cdf),
    ),
    "a cdf of half-integers": (
        drawn("hypergeometric", 20, 30, 10),
        laws.from_scipy(stats.hypergeom(50, 20, 10)),
    ),
    "words and numbers": (mixed, laws.categorical({"a": 0.378, 7: 0.622})),
    "bytes": (
        lambda n: [[b"a\0", b"a"][k] for k in RNG.integers(0, 2, n)],
        laws.categorical({b"a\0": 0.5, b"a": 0.5}),
    ),
    "big whole numbers": (
        lambda n: [BIG[k] for k in RNG.integers(0, 2, n)],
        laws.categorical(dict.fromkeys(BIG, 0.5)),
    ),
    "tuples": (
        lambda n: [PAIRS[k] for k in RNG.integers(0, 2, n)],
        laws.categorical(dict.fromkeys(PAIRS, 0.5)),
    ),
    "two choices": (
        lambda n: [(["a", 1][k], k == 1) for k in RNG.integers(0, 2, n)],
        None,
    ),
    "cut above": (
        lambda n: stats.truncnorm(0.5, math.inf).rvs(n, random_state=RNG),
        laws.truncated(laws.gaussian(1), 0.5),
    ),
    "cut on both sides": (
        lambda n: stats.truncnorm(1, 2).rvs(n, random_state=RNG),
        laws.truncated(laws.gaussian(1), 1, 2),
    ),
    "cut below": (
        lambda n: stats.truncnorm(-math.inf, -1).rvs(n, random_state=RNG),
        laws.truncated(laws.gaussian(1), -math.inf, -1),
    ),
    "coarse floats": (
        drawn("laplace", 0, 1e-6, shift=1.7e9),
        laws.shifted(laws.laplace(1e-6), 1.7e9),
    ),
    "coarser floats": (drawn("laplace", 1e17, 3), laws.laplace(3, center=1e17)),
    "floats that are fine but for 1": (
        drawn("gamma", 0.05, shift=1),
        laws.shifted(laws.from_cdf(GAMMA[0.05], **POSITIVE), 1),
    ),
    "an infinite density": (drawn("gamma", 0.05), laws.from_cdf(GAMMA[0.05], **POSITIVE)),
    "smaller than floats": (drawn("gamma", 0.001), laws.from_cdf(GAMMA[0.001], **POSITIVE)),
    "the last digit of an end": (
        np.append(RNG.uniform(0, 0.3, 9_999), np.nextafter(0.3, 1)),
        laws.uniform(0, 0.3),
    ),
}
RIGHT["two choices"] = (
    lambda n: [(["a", 1][one], bool(two)) for one, two in RNG.integers(0, 2, (n, 2))],
    [laws.categorical({"a": 0.5, 1: 0.5}), laws.categorical({False: 0.5, True: 0.5})],
)


@pytest.mark.parametrize("case", RIGHT)
def test_right_draws_that_failed_pass(case):
    draws, law = RIGHT[case]
    result = ville.follows(draws, law, max_draws=20_000)
    assert result and str(result)


@pytest.mark.parametrize("case", ["coarse floats", "coarser floats", "smaller than floats"])
def test_a_law_that_is_finer_than_floats_says_so(case):
    draws, law = RIGHT[case]
    assert "floats are coarser than the law" in str(ville.follows(draws, law, max_draws=1_000))


def test_draws_far_from_a_law_finer_than_floats_fail_even_so():
    result = ville.follows(drawn("laplace", 0, 1e-3, shift=1.7e9), RIGHT["coarse floats"][1])
    assert not result and "rare" in str(result)


def test_what_equals_no_outcome_is_refused_as_it_came():
    law = laws.categorical({"a": 0.378, 7: 0.622})
    for wrong in ("7", ["a"], 7.5, None):
        result = ville.follows([wrong], law)
        assert result.kind == "impossible" and repr(wrong) in str(result)


# A cdf that is broken, and what is said of it.
BROKEN = {
    "nan at 0.3": lambda x: np.where(x > 0.3, np.nan, stats.norm.cdf(x)),
    "never reaches": lambda x: 0.9 * stats.norm.cdf(x),
    "must not fall": lambda x: 1 - stats.norm.cdf(x),
    "whole=True": stats.poisson(3).cdf,
    "np.vectorize": math.erf,
    "shape": lambda x: 0.5,
}


@pytest.mark.parametrize("words", BROKEN)
def test_a_broken_cdf_is_refused_by_name(words):
    law = laws.from_cdf(BROKEN[words], name="my law")
    with pytest.raises(ValueError, match=words) as caught:
        ville.follows([0.5], law)
    assert str(caught.value).startswith("my law: ")


def test_a_cdf_is_1_at_the_end_of_its_support():
    with pytest.raises(ValueError, match="must be 1 at 1"):
        ville.follows([0.5], laws.from_cdf(lambda x: x / 2, support=(0, 1)))


def test_a_law_of_one_place_is_told_in_words():
    result = ville.follows(np.zeros(50_000), laws.discrete_laplace(0.02))
    assert "all but impossible, once in" in str(result) and result.worth.total_variation is None


def test_an_audit_sees_nan_on_one_side():
    def sometimes(n):
        return np.where(RNG.random(n) < 0.3, np.nan, RNG.laplace(size=n))

    certificate = ville.audit(sometimes, lambda n: RNG.laplace(size=n), epsilon=1.0)
    assert certificate.refuted and "no finite number" in certificate.event
    # A true claim is refuted with probability at most 1e-9.
    assert ville.audit(sometimes, sometimes, epsilon=0.1, max_draws=20_000)
    assert not certificate


def test_alternatives_that_sum_to_more_than_one_are_no_evidence():
    """A cdf may give anything beyond its support, where only a bet asks for it."""
    law = laws.from_cdf(stats.vonmises(2).cdf)
    cells = law.cells()
    for factor in (0.05, 0.3, 3.0):
        assert cells.probabilities(law.at_scale(factor)).sum() <= 1 + 1e-12
