"""Permute-and-flip: candidates in random order, each accepted by chance."""

import numpy as np

from dplib import _validate
from dplib.selection._scores import exponents, matched


def permute_and_flip(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Choose one candidate with epsilon-differential privacy, never worse than the exponential.

    Candidates are visited in random order. Each is accepted with probability
    exp(epsilon * (score - best score) / (2 * sensitivity)), without the 2 if the scores are
    monotone, so the best one always is; the first to be accepted is returned. The expected score is
    at least that of `exponential_mechanism`.

    Args:
      candidates: m things to choose from, a sequence, public.
      scores: one number for each candidate, shape (m,), finite; higher is better.
      sensitivity: largest change of any one score between neighbors (add_remove or replace_one; the
        guarantee holds for the same ones), > 0.
      epsilon: privacy cost spent by this choice, > 0, without unit.
      monotone: True if one more person moves all scores in the same direction.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      2 * sensitivity * ln(m / beta) / epsilon of the best score (half of that if monotone).

    Raises:
      ValueError: an argument is out of range, or scores are not one for each candidate.

    Source: McKenna & Sheldon (2020).
    """
    options, scores = matched(candidates, scores)
    law = {"sensitivity": sensitivity, "epsilon": epsilon, "monotone": monotone}
    chances = np.exp(exponents(scores, **law))
    generator = _validate.generator(rng)
    order = generator.permutation(len(options))
    accepted = generator.random(len(options)) < chances[order]
    return options[order[int(np.argmax(accepted))]]


def permute_and_flip_probabilities(scores, *, sensitivity, epsilon, monotone=False):
    """Return how likely `permute_and_flip` is to choose each candidate, exact up to rounding.

    Args:
      scores: one number for each candidate, shape (m,), finite; higher is better. Time and memory
        grow with m**2: meant for up to some thousand candidates.
      sensitivity: as in `permute_and_flip`, > 0.
      epsilon: as in `permute_and_flip`, > 0.
      monotone: as in `permute_and_flip`.

    Returns:
      Probabilities, array of shape (m,), with sum 1.

    Raises:
      ValueError: an argument is out of range, or scores is empty or not one-dimensional.

    Source: the law of the mechanism of McKenna & Sheldon (2020). Let every candidate arrive at its
    own uniform time in [0, 1]. One that arrives at time t and is accepted wins unless another
    one has come before t and was accepted, which for that other one has probability t * chance.
    """
    from scipy.special import roots_legendre

    law = {"sensitivity": sensitivity, "epsilon": epsilon, "monotone": monotone}
    chances = np.exp(exponents(scores, **law))
    # The product over the others is a polynomial in t of degree m - 1: these nodes integrate it
    # exactly. All terms are positive, so nothing cancels.
    nodes, weights = roots_legendre(len(chances) // 2 + 1)
    missed = np.log1p(-np.outer((nodes + 1) / 2, chances))
    others = np.exp(missed.sum(axis=1, keepdims=True) - missed)
    return chances * (weights / 2 @ others)
