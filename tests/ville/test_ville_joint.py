"""Joint laws: right draws pass as often as the level says; wrong ones are told of an entry."""

import itertools

import numpy as np
import pytest
from scipy import stats

import ville
from ville import laws

RNG = np.random.default_rng()
SHARES = [0.2, 0.3, 0.5]


def adaptive(n, second=2.0, keep=1.0):
    """One Laplace draw, and another about it."""
    first = RNG.laplace(size=n)
    return np.column_stack([first, keep * first + RNG.laplace(scale=second, size=n)])


def sparse(n, above=0.3):
    """A bit, and a number only if it is True."""
    return [(bool(bit), RNG.laplace() if bit else 0.0) for bit in RNG.random(n) < above]


ADAPTIVE = laws.chain(laws.laplace(1), lambda first: laws.laplace(2, center=first))
SPARSE = laws.chain(
    laws.categorical({True: 0.3, False: 0.7}), lambda bit: laws.laplace(1) if bit else laws.point(0)
)
RIGHT = {
    "adaptive": (adaptive, ADAPTIVE),
    "of choices": (sparse, SPARSE),
    "whole numbers": (
        lambda n: np.column_stack([one := RNG.poisson(3.0, n), RNG.binomial(one, 0.4)]),
        laws.chain(
            laws.from_scipy(stats.poisson(3)),
            lambda one: (
                laws.from_scipy(stats.binom(int(one), 0.4)) if one else laws.from_pmf({0: 1.0})
            ),
        ),
    ),
    "clamped": (
        lambda n: np.column_stack([one := RNG.random(n), np.clip(one + RNG.normal(size=n), 0, 1)]),
        laws.chain(
            laws.uniform(0, 1), lambda one: laws.clamped(laws.gaussian(1, float(one)), 0, 1)
        ),
    ),
    "multinomial": (lambda n: RNG.multinomial(10, SHARES, n), laws.multinomial(10, SHARES)),
    "rare outcome": (
        lambda n: RNG.multinomial(3, [1e-9, 1 - 1e-9], n),
        laws.multinomial(3, [1e-9, 1 - 1e-9]),
    ),
    "Dirichlet": (lambda n: RNG.dirichlet([0.3, 2, 40], n), laws.dirichlet([0.3, 2, 40])),
    "small shares": (lambda n: RNG.dirichlet([0.1] * 4, n), laws.dirichlet([0.1] * 4)),
}
WRONG = {
    "a scale": (lambda n: adaptive(n, second=2.6), ADAPTIVE, "entry 1"),
    "what it depends on": (lambda n: adaptive(n, keep=0.5), ADAPTIVE, "entr"),
    "a choice": (lambda n: sparse(n, above=0.36), SPARSE, "entry 0"),
    "a share": (
        lambda n: RNG.multinomial(10, [0.2, 0.34, 0.46], n),
        laws.multinomial(10, SHARES),
        "entry 1",
    ),
    "equal counts": (
        lambda n: np.tile([2, 3, 5], (n, 1)), laws.multinomial(10, SHARES), "entr",
    ),
    "a concentration": (
        lambda n: RNG.dirichlet([1.3, 2, 0.5], n), laws.dirichlet([1, 2, 0.5]), "entry 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_right_draws_pass(name):
    """Each fails with probability 1e-9 at most, by Ville's inequality."""
    sampler, law = RIGHT[name]
    assert ville.follows(sampler, law, max_draws=3_000)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_draws_fail_and_are_told_of_an_entry(name):
    sampler, law, words = WRONG[name]
    result = ville.follows(sampler, law, max_draws=20_000)
    assert not result
    assert words in result.mistake


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.long
def test_the_level_is_kept(name):
    """Of 200 runs at level 0.01, 20 or more fail with probability below 1e-13 (binomial)."""
    sampler, law = RIGHT[name]
    failed = sum(
        not ville.follows(sampler, law, alpha=0.01, max_draws=200, repeats=False)
        for _ in range(200)
    )
    assert stats.binom.sf(19, 200, 0.01) < 1e-13
    assert failed < 20


def test_levels_of_a_multinomial_have_the_widths_of_its_probabilities():
    """Over all counts, the product of the levels' widths is the probability of the counts."""
    law = laws.multinomial(4, SHARES)
    counts = np.array([c for c in itertools.product(range(5), repeat=3) if sum(c) == 4], float)
    low, high = law.ends(counts)
    expected = stats.multinomial(4, SHARES).pmf(counts)
    assert np.prod(high - low, axis=1) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("draws", "law", "words"),
    [
        (np.array([[2, 2, 5]]), laws.multinomial(10, SHARES), "does not sum to 10"),
        (np.array([[2.5, 2.5, 5]]), laws.multinomial(10, SHARES), "no count"),
        (np.array([[1, 9]]), laws.multinomial(10, [0, 1]), "what never comes"),
        (np.array([[0.5, 0.6]]), laws.dirichlet([1, 1]), "does not sum to 1"),
        (np.array([[1.5, -0.5]]), laws.dirichlet([1, 1]), "no share"),
        ([(False, 0.5)], SPARSE, "lies above 0"),
        ([("no", 0.0)], SPARSE, "none of the outcomes"),
        (np.array([[0.0, np.nan]]), ADAPTIVE, "not a finite number"),
    ],
)
def test_what_the_law_never_gives_is_a_certain_failure(draws, law, words):
    result = ville.follows(draws, law)
    assert result.kind == "impossible"
    assert words in result.mistake


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: laws.multinomial(0, SHARES), "trials"),
        (lambda: laws.multinomial(3, [0.5, 0.6]), "sum to 1"),
        (lambda: laws.multinomial(3, [1.0]), "two outcomes"),
        (lambda: laws.dirichlet([0.05, 1]), "concentrations"),
        (lambda: laws.dirichlet([1.0]), "concentrations"),
        (lambda: laws.chain(laws.laplace(1)), "parts"),
        (lambda: laws.chain(lambda: 1, laws.laplace(1)), "each part"),
        (lambda: laws.chain(laws.laplace(1), "laplace"), "each part"),
        (
            lambda: laws.chain(laws.laplace(1), laws.from_cdf(stats.norm.cdf, error=1e-6)),
            "error must be at least",
        ),
        (lambda: ville.follows(np.zeros(3), ADAPTIVE), "each draw must hold 2"),
        (lambda: ville.follows(adaptive, laws.chain(laws.laplace(1), lambda x: x)), "a law"),
        (lambda: ville.follows(adaptive, ADAPTIVE, mistakes={"x": laws.laplace(1)}), "mistakes"),
        (
            lambda: ville.follows(
                lambda n: np.column_stack([RNG.laplace(size=n), np.full(n, 1e17)]),
                laws.chain(laws.laplace(1), laws.laplace(3, center=1e17)),
            ),
            "floats are too coarse",
        ),
        (lambda: laws.snapping(1, 1.5, bound=9), "bound"),
    ],
)
def test_arguments_out_of_range_are_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_verdict_on_given_draws_is_the_same_each_time():
    """Levels within a place are drawn, but always the same for the same draws."""
    draws, law = RNG.multinomial(10, SHARES, 500), laws.multinomial(10, SHARES)
    found = {ville.follows(draws, law).log_evidence for _ in range(3)}
    assert len(found) == 1


def test_snapping_is_what_its_steps_give():
    def snapped(n):
        noisy = np.clip(3.3, -10, 10) + RNG.laplace(scale=1.5, size=n)
        return np.clip(np.rint(noisy / 2) * 2, -10, 10)

    assert ville.follows(snapped, laws.snapping(3.3, 1.5, bound=10), max_draws=5_000)
    assert not ville.follows(snapped, laws.snapping(2.3, 1.5, bound=10), max_draws=20_000)
