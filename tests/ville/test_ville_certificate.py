"""`ville.audit` certifies what is false, and nothing else."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import ville
from ville.certificate import Audit

FALSE_ALARM = 1e-9
RNG = np.random.default_rng()


def laplace_pair(epsilon):
    """Draws that lose exactly epsilon."""
    return (
        lambda n: RNG.laplace(0.0, 1 / epsilon, n),
        lambda n: RNG.laplace(1.0, 1 / epsilon, n),
    )


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_a_true_claim_is_not_refuted_and_a_false_one_is(epsilon):
    true = ville.audit(*laplace_pair(epsilon), epsilon=epsilon, max_draws=50_000)
    assert true and true.epsilon_at_least <= epsilon and true.draws <= 50_000
    false = ville.audit(*laplace_pair(2 * epsilon), epsilon=epsilon, max_draws=50_000)
    # It stops as soon as the claim is refuted: the bound may be the claim itself.
    assert not false and epsilon <= false.epsilon_at_least <= 2 * epsilon
    assert false.draws < 20_000 and "is false" in str(false)


def test_delta_is_allowed_for():
    # The event has probability 0.01 on one side alone.
    sides = (lambda n: (RNG.random(n) < 0.01).astype(float)), (lambda n: np.zeros(n))
    assert ville.audit(*sides, epsilon=0.1, delta=0.0101, max_draws=100_000)
    found = ville.audit(*sides, epsilon=0.1, delta=0.001, max_draws=100_000)
    assert not found and "the draw is" in str(found)


def test_draws_that_are_there_already_are_judged_as_far_as_both_sides_go():
    first, second = laplace_pair(4.0)
    found = ville.audit(first(20_000), second(15_000).tolist(), epsilon=1.0)
    assert not found and found.draws <= 30_000
    assert ville.audit(first(4), second(40), epsilon=1.0)
    with pytest.raises(ValueError, match="neighbor_draws must hold at least 4 draws, got 3"):
        ville.audit(first(9), second(3), epsilon=1.0)
    with pytest.raises(ValueError, match="draws must be a sampler"):
        ville.audit({1, 2}, second(3), epsilon=1.0)


def test_columns_are_looked_at_one_at_a_time():
    def side(mean):
        return lambda n: np.column_stack([RNG.normal(size=n), RNG.normal(mean, size=n)])

    found = ville.audit(side(0.0), side(4.0), epsilon=1.0)
    assert not found and "entry 1" in found.event


def test_the_evidence_of_a_true_claim_has_mean_at_most_one():
    # Enumerated over two draws a side of a bit, at the exact border of the claim, either way.
    epsilon = 0.8
    for share, other in [(0.5, 0.5 * math.exp(-epsilon)), (0.9, 0.9 * math.exp(-epsilon))]:
        mean = np.zeros(2)
        for bits in itertools.product((0.0, 1.0), repeat=4):
            first, second = np.array(bits[:2]), np.array(bits[2:])
            chance = np.prod(np.where(first > 0, share, 1 - share))
            chance *= np.prod(np.where(second > 0, other, 1 - other))
            audit = Audit(epsilon=epsilon)
            audit.choose(np.repeat([0.0, 1.0], [5, 20]), np.repeat([0.0, 1.0], [20, 5]))
            audit.bet(first, second)
            mean += chance * np.array([math.exp(audit.log_evidence()), 1.0])
        assert mean[1] == pytest.approx(1)
        assert mean[0] <= 1 + 1e-12


@pytest.mark.long
def test_the_evidence_is_calibrated():
    runs = 300
    heights = [
        ville.audit(*laplace_pair(1.0), epsilon=1.0, max_draws=3_000).log_evidence
        for _ in range(runs)
    ]
    for level in (10, 100):
        reached = int(np.sum(np.array(heights) >= math.log(level)))
        assert reached <= stats.binom.isf(FALSE_ALARM / 2, runs, 1 / level)


def test_exact_bounds_agree_with_scipy():
    found = ville.certified_epsilon(np.array([400, 0, 1_000]), np.array([10, 5, 0]), 1_000)
    low = stats.beta.ppf(5e-10, 400, 601)
    assert found[0] == pytest.approx(math.log(low / stats.beta.isf(5e-10, 11, 990)))
    assert found[1] == -math.inf and found[2] > 3.5
    assert ville.certified_epsilon(1, 1_000, 1_000) == pytest.approx(
        math.log(stats.beta.ppf(5e-10, 1, 1_000))
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"epsilon": -1.0}, "epsilon"),
        ({"epsilon": math.nan}, "epsilon"),
        ({"epsilon": 1.0, "delta": 1.0}, "delta"),
        ({"epsilon": 1.0, "alpha": 2.0}, "alpha"),
        ({"epsilon": 1.0, "max_draws": 0}, "max_draws"),
    ],
)
def test_arguments_out_of_range_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        ville.audit(*laplace_pair(1.0), **options)
    with pytest.raises(ValueError, match="choose"):
        Audit(epsilon=1.0).bet(np.zeros(1), np.zeros(1))
