"""In kind, what the best graded course of today accepts though it is wrong, and fails though right.

BLUNDERS and ACCEPTED hold (what it is, exercise, answer). None of it is that course's own code.
"""
# ruff: noqa: NPY002

import math

import numpy as np
import pandas as pd


def _laplace(scale_of):
    """Return an answer whose Laplace noise has this scale."""

    def answer(value, *, sensitivity, epsilon, rng=None):
        return value + np.random.laplace(scale=scale_of(sensitivity, epsilon))

    return answer


def _without_noise(value, *, sensitivity, epsilon, rng=None):
    return value


def _histogram_with_one_draw(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = pd.Series(values).value_counts().reindex(categories, fill_value=0)
    scale = (1 if neighbors == "add_remove" else 2) / epsilon
    return counts + np.random.laplace(scale=scale)


def _bound_without_noise(values, *, candidates, epsilon, rng=None):
    """The smallest bound that clipping does not feel any more, read off the data."""
    sums = [np.minimum(values, bound).sum() for bound in candidates]
    for bound, here, further in zip(candidates, sums, sums[1:], strict=False):
        if further - here <= 0:
            return bound
    return candidates[-1]


def _posterior_by_odds(noisy_count, *, count_without, epsilon, prior):
    """Bayes's rule in another form: equal in algebra, not bit for bit."""
    distance = noisy_count - count_without
    loss = epsilon * (abs(distance) - abs(distance - 1))
    return 1 / (1 + math.exp(-loss) * (1 / prior - 1))


BLUNDERS = [
    ("no noise", "laplace_mechanism", _without_noise),
    ("epsilon ignored", "laplace_mechanism", _laplace(lambda sensitivity, epsilon: sensitivity)),
    (
        "noise for epsilon 1 where 0.1 was asked",
        "laplace_mechanism",
        _laplace(lambda sensitivity, epsilon: sensitivity / (10 * epsilon)),
    ),
    (
        "1.67 times too little noise",
        "laplace_mechanism",
        _laplace(lambda sensitivity, epsilon: sensitivity / epsilon / 1.67),
    ),
    (
        "3.2 times too little noise",
        "laplace_mechanism",
        _laplace(lambda sensitivity, epsilon: sensitivity / epsilon / 3.2),
    ),
    ("the same noise in every bin", "private_histogram", _histogram_with_one_draw),
    ("a clipping bound found without noise", "auto_clipping_bound", _bound_without_noise),
]

ACCEPTED = [
    ("right, and written in another form", "attacker_posterior", _posterior_by_odds),
    (
        "right, and written in another form",
        "epsilon_for_error",
        lambda error, *, probability, sensitivity: (
            sensitivity * (math.log(error) - math.log(error * (1 - probability))) / error
        ),
    ),
]
