"""Canaries and what an attack certifies, against exact laws."""

import math

import numpy as np
import pytest
from scipy import stats

import dplib
from dplib.audit import attack_epsilon, canary_scores, true_positive_rate

X, Y = np.ones((5, 2)), np.ones(5)


def trainer(sigma, rounds=20):
    def train(rows, labels):
        law = {"rate": 0.5, "rounds": rounds, "sigma": sigma, "clipping_bound": 1}
        return dplib.dp_sgd(rows, labels, people=1, learning_rate=1e-7, **law)

    return train


def test_canaries_have_the_law_of_their_own_column():
    """Fails on right code with probability 1e-9: Massart (1990)."""
    inside, outside = canary_scores(trainer(0.3), X, Y, canaries=4000)
    # A step is 2e-7 times a sum; each round adds noise of 0.3, and 1 where the canary is drawn.
    scores, noise = outside / 2e-7, 0.3 * math.sqrt(20)
    steps = np.arange(1, len(scores) + 1) / len(scores)
    reach = math.sqrt(math.log(2e9) / (2 * 1800))
    assert len(inside) + len(outside) == 4000 and min(len(inside), len(outside)) > 1800
    assert np.abs(stats.norm.cdf(np.sort(scores), 0, noise) - steps).max() < reach
    drawn = np.arange(21)
    places = np.sort(inside / 2e-7)
    law = stats.norm.cdf(places[:, None], drawn, noise) @ stats.binom.pmf(drawn, 20, 0.5)
    steps = np.arange(1, len(places) + 1) / len(places)
    assert np.abs(law - steps).max() < reach


def test_canaries_refute_a_training_that_forgets_its_bound_and_no_right_one():
    claim = dplib.sampled_gaussian_epsilon(rate=0.5, sigma=8, rounds=20, delta=1e-5)
    found = []
    for sigma in (8, 0.8):
        inside, outside = canary_scores(trainer(sigma), X, Y, canaries=2000)
        audit = dplib.membership_inference(-inside, -outside, delta=1e-5)
        found.append(audit.epsilon)
    assert found[0] <= claim < found[1]


def test_the_rate_is_at_most_what_is_allowed():
    others = np.arange(1000.0)
    assert true_positive_rate([997.5, 998.5, 999.5], others, false_positive_rate=0.001) == 2 / 3
    assert true_positive_rate([998.5], others, false_positive_rate=0.0009) == 0
    # Ties with the threshold are not called members.
    assert true_positive_rate([5.0], [5.0, 5.0], false_positive_rate=0.5) == 0


def test_an_attack_certifies_what_least_miss_rate_allows():
    for epsilon, delta, alarm in ((1.0, 0.01, 0.05), (0.3, 0.0, 0.4), (2.0, 1e-5, 0.001)):
        misses = dplib.least_miss_rate(alarm, epsilon=epsilon, delta=delta)
        assert attack_epsilon(1 - misses, alarm, delta=delta) == pytest.approx(epsilon)
        # A little better, and it certifies more.
        assert attack_epsilon(1 - misses + 1e-3, alarm, delta=delta) > epsilon
    assert attack_epsilon(0.5, 0.5) == 0 and attack_epsilon(0.5, 0, delta=0.1) == math.inf
    assert attack_epsilon(0.1, 0.8) == pytest.approx(math.log(8))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: attack_epsilon(1.1, 0.1), "true_positive_rate"),
        (lambda: attack_epsilon(0.1, -0.1), "false_positive_rate"),
        (lambda: attack_epsilon(0.1, 0.1, delta=1), "delta"),
        (lambda: true_positive_rate([1], [1], false_positive_rate=0), "false_positive_rate"),
        (lambda: true_positive_rate([[1]], [1], false_positive_rate=0.5), "member_scores"),
        (lambda: canary_scores(trainer(1), X, Y, canaries=1), "canaries"),
        (lambda: canary_scores(lambda X, y: np.zeros(2), X, Y, canaries=3), "theta"),
    ],
)
def test_what_is_out_of_range_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} "):
        call()
