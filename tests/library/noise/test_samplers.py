"""The exact samplers: every piece against its exact probability, then laws, wrong twins."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import discrete_gaussian_cdf, discrete_laplace_cdf, follows
from scipy import stats

from dplib import samplers
from dplib.samplers import (
    discrete_gaussian_variance,
    exact_discrete_gaussian,
    exact_discrete_laplace,
)

pytestmark = pytest.mark.quick

DRAWS = 30_000


def test_noise_that_does_not_fit_64_bits_is_refused():
    with pytest.raises(ValueError, match="epsilon / sensitivity"):
        exact_discrete_laplace(2, sensitivity=1e9, epsilon=1e-9)
    with pytest.raises(ValueError, match="rho"):
        exact_discrete_gaussian(2, l2_sensitivity=1e9, rho=1e-9)


@given(scale=st.floats(1e-6, 1e11), seed=st.integers(0, 2**32), value=st.integers(-(2**53), 2**53))
def test_a_number_gives_a_number_whatever_the_scale(scale, seed, value):
    rng = np.random.default_rng(seed)
    released = exact_discrete_laplace(value, sensitivity=scale, epsilon=1, rng=rng)
    assert type(released) is int and abs(released - value) < 200 * scale + 1
    released = exact_discrete_gaussian(value, l2_sensitivity=scale, rho=0.5, rng=rng)
    assert type(released) is int and abs(released - value) < 40 * scale + 1


def test_any_number_is_read_as_the_fraction_that_it_is():
    tenth = Fraction(3602879701896397, 2**55)
    for same in (0.1, np.float64(0.1), tenth, np.array(0.1)):
        assert samplers._ratio("epsilon", same) == tenth.as_integer_ratio()
    assert samplers._ratio("epsilon", Fraction(1, 3)) == (1, 3)
    assert samplers._ratio("epsilon", np.float32(0.1)) == float(np.float32(0.1)).as_integer_ratio()
    assert samplers._ratio("epsilon", 2**60 + 1) == (2**60 + 1, 1)
    assert samplers._ratio("epsilon", np.int64(3)) == (3, 1)


class Ended(Exception):
    """The script says no more; holds the probabilities of what could come next."""


class Scripted(samplers._Bits):
    """Fair bits that follow a script, and remember how likely it was."""

    def __init__(self, script):
        self.script, self.likelihood, self.trials = list(reversed(script)), 1.0, 0

    def choose(self, chances):
        if not self.script:
            raise Ended(chances)
        choice = self.script.pop()
        self.likelihood *= chances[choice]
        return choice

    def word(self):
        return self.choose([0.5, 0.5])

    def below(self, limit):
        # Each trial of the two samplers begins here. They are alike, so one trial has the law of
        # the result, up to a factor.
        self.trials += 1
        return self.choose([1 / limit] * limit) if self.trials == 1 else self.choose([])

    def happens(self, numerator, denominator):
        return bool(self.choose([1 - numerator / denominator, numerator / denominator]))


class ScriptedAbove(Scripted):
    """The same, with `survives` as one event: it has a test of its own."""

    def survives(self, numerator, denominator):
        chance = math.exp(-numerator / denominator)
        return bool(self.choose([1 - chance, chance]))


def enumerated(draw, source, *, least=1e-15):
    """Return the probability of each result of `draw`, over all scripts at least so likely."""
    found, scripts = {}, [()]
    while scripts:
        script = scripts.pop()
        bits = source(script)
        try:
            result = draw(bits)
        except Ended as end:
            (chances,) = end.args
            likely = (
                number for number, chance in enumerate(chances) if bits.likelihood * chance >= least
            )
            scripts += [(*script, number) for number in likely]
        else:
            found[result] = found.get(result, 0) + bits.likelihood
    return found


@pytest.mark.parametrize(("above", "below"), [(0, 1), (1, 7), (1, 1), (9, 10), (5, 2), (3, 1)])
def test_survives_has_its_exact_probability(above, below):
    shares = enumerated(lambda bits: bits.survives(above, below), Scripted, least=1e-13)
    assert shares[True] == pytest.approx(math.exp(-above / below), abs=1e-10)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize(("above", "below"), [(2, 3), (1, 1), (7, 2), (40, 1)])
def test_all_scripts_together_have_the_law_of_laplace(above, below):
    shares = enumerated(lambda bits: samplers._laplace(bits, above, below), ScriptedAbove)
    check(shares, lambda number: math.exp(-abs(number) * below / above))


@pytest.mark.parametrize(("above", "below"), [(1, 2), (2, 3), (4, 1), (50, 3)])
def test_all_scripts_together_have_the_law_of_gauss(above, below):
    shares = enumerated(lambda bits: samplers._gaussian(bits, above, below), ScriptedAbove)
    check(shares, lambda number: math.exp(-(number**2) * below / (2 * above)))


def check(shares, law):
    """Compare the shares, which add up to how often a trial succeeds, with the law."""
    total, exact = sum(shares.values()), sum(law(number) for number in range(-3000, 3001))
    for number in range(-300, 301):
        assert shares.get(number, 0) / total == pytest.approx(law(number) / exact, abs=1e-10)


@pytest.mark.slow
def test_below_is_fair():
    bits = samplers._Bits(np.random.default_rng())
    for limit in (1, 3, 2**64, 3 * 2**70):
        draws = [bits.below(limit) for _ in range(20_000)]
        assert min(draws) >= 0 and max(draws) < limit
        if limit > 3:
            assert follows([draw / limit for draw in draws], stats.uniform.cdf)
        else:
            assert follows(draws, lambda place, n=limit: np.clip((np.floor(place) + 1) / n, 0, 1))


def test_a_tie_of_the_first_word_is_decided_by_the_second():
    bits = samplers._Bits(np.random.default_rng())
    # The first 64 binary digits of 1/3 make this word; what is left of 1/3 is 1/3 again.
    third = 2**64 // 3
    bits._words = [third - 1, third]
    assert bits.happens(1, 3)
    bits._words = [third + 1, third]
    assert not bits.happens(1, 3)
    # The ends are certain, whatever the words are.
    bits._words = [0, 0, 2**64 - 1]
    assert bits.happens(5, 5)
    bits._words = [5, 0]
    assert not bits.happens(0, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "sensitivity", "epsilon"), [(0, 1, 0.1), (1, 3, 2.0), (-7, 1, 3.0)]
)
def test_laplace_noise_has_its_exact_law(value, sensitivity, epsilon):
    values = np.full(DRAWS, value)
    draws = exact_discrete_laplace(values, sensitivity=sensitivity, epsilon=epsilon)
    assert follows(draws - value, discrete_laplace_cdf(epsilon / sensitivity))


@pytest.mark.slow
@pytest.mark.parametrize("variance", [0.3, 2.0, 150.0])
def test_gaussian_noise_has_its_exact_law(variance):
    draws = exact_discrete_gaussian(np.zeros(DRAWS), l2_sensitivity=1, rho=1 / (2 * variance))
    assert follows(draws, discrete_gaussian_cdf(variance))


@pytest.mark.slow
def test_a_proposal_that_is_kept_half_of_the_time_is_seen(monkeypatch):
    monkeypatch.setattr(samplers._Bits, "survives", lambda self, above, below: self.happens(1, 2))
    wrong = exact_discrete_gaussian(np.zeros(20_000), l2_sensitivity=1, rho=0.25)
    assert not follows(wrong, discrete_gaussian_cdf(2.0))


def test_the_enumeration_rejects_a_zero_with_two_signs():
    def twin(bits):
        steps = 0
        while bits.survives(1, 1):
            steps += 1
        return (-1) ** bits.word() * steps

    with pytest.raises(AssertionError):
        check(enumerated(twin, ScriptedAbove), lambda number: math.exp(-abs(number)))


@pytest.mark.parametrize("variance", [0.02, 0.3, 1, 5, 8.9, 9.1, 1000])
def test_the_variance_is_the_sum(variance):
    numbers = np.arange(-2000.0, 2001)
    weights = np.exp(-(numbers**2) / (2 * variance))
    exact = (weights * numbers**2).sum() / weights.sum()
    ours = discrete_gaussian_variance(l2_sensitivity=3, rho=9 / (2 * variance))
    assert ours == pytest.approx(exact, rel=1e-12)
    assert ours <= variance * (1 + 1e-12)


@pytest.mark.slow
@given(variance=st.floats(0.2, 50), order=st.floats(1.01, 100), distance=st.integers(1, 5))
def test_the_renyi_divergence_is_at_most_rho_times_the_order(variance, order, distance):
    # The guarantee itself, exactly: the law and its shift by a whole number (Canonne, Kamath &
    # Steinke 2020), for every order.
    numbers = np.arange(-6000.0, 6001)
    logs = -(numbers**2) / (2 * variance)
    shifted = -((numbers - distance) ** 2) / (2 * variance)
    total = np.logaddexp.reduce(logs)
    divergence = (np.logaddexp.reduce(order * logs + (1 - order) * shifted) - total) / (order - 1)
    rho = distance**2 / (2 * variance)
    assert divergence <= rho * order * (1 + 1e-9)
