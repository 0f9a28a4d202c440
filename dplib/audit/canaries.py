"""Canaries: made-up people, put into a training to see whether it gives them away."""

import math

import numpy as np

from dplib import _validate

_LONG = 1000.0  # a canary's only entry: so long that its gradient is clipped in every round


def canary_scores(train, X, y, *, canaries, rng=None) -> tuple[np.ndarray, np.ndarray]:
    """Train once with about half of many canaries, and return how much the model knows of each.

    Each canary has a column of its own, where everybody else has 0. A coin decides for each whether
    it is trained on. Gradients that are clipped row by row never mix the columns of two canaries,
    so with independent noise on each column their scores are independent.

    Args:
      train: function of X and y that returns theta, one entry for each column.
      X: shape (n, d): the people that the model is about.
      y: shape (n,): labels, -1 or +1.
      canaries: how many, at least 2.
      rng: numpy Generator for the coins; a fresh one from the system's entropy if None.

    Returns:
      Two arrays: the weights at the columns of those that were in, and of those that were not.

    Raises:
      ValueError: an argument is out of range, or theta has another shape.

    Source: Jagielski, Ullman & Oprea (2020); Steinke, Nasr & Jagielski (2023) for many in one run.
    """
    X, y = _validate.matrix("X", X), _validate.vector("y", y)
    canaries = _validate.whole("canaries", canaries, least=2)
    inside = _validate.generator(rng).random(canaries) < 0.5
    people = np.hstack([X, np.zeros((len(X), canaries))])
    birds = np.hstack([np.zeros((canaries, X.shape[1])), _LONG * np.eye(canaries)])[inside]
    rows, labels = np.vstack([people, birds]), np.append(y, np.ones(len(birds)))
    theta = _validate.vector("theta", train(rows, labels))
    if theta.shape != rows.shape[1:]:
        raise ValueError(f"theta must have shape {rows.shape[1:]}, got shape {theta.shape}")
    scores = theta[X.shape[1] :]
    return scores[inside], scores[~inside]


def true_positive_rate(member_scores, other_scores, *, false_positive_rate) -> float:
    """Return the share of members above the score that at most so many of the others exceed.

    Args:
      member_scores, other_scores: shape (m,) and (n,), at least one each; high means member.
      false_positive_rate: strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.

    Source: Carlini, Chien, Nasr, Song, Terzis & Tramèr (2022).
    """
    members = _validate.vector("member_scores", member_scores)
    others = np.sort(_validate.vector("other_scores", other_scores))
    rate = _validate.probability("false_positive_rate", false_positive_rate)
    allowed = math.floor(rate * len(others) + 1e-9)
    return float(np.mean(members > others[len(others) - 1 - allowed]))


def attack_epsilon(true_positive_rate, false_positive_rate, *, delta=0.0) -> float:
    """Return the smallest epsilon at which an attack with these rates is possible.

    Args:
      true_positive_rate: share of members that it calls members, from 0 to 1.
      false_positive_rate: share of others that it calls members, from 0 to 1.
      delta: of the promise, at least 0 and below 1.

    Returns:
      epsilon, at least 0; infinity where no epsilon is enough. The rates are those of the attack
      itself: of shares in a sample, first take bounds.

    Raises:
      ValueError: an argument is out of range.

    Source: Kairouz, Oh & Viswanath (2015), on the rates that (epsilon, delta) allows.
    """
    hit, alarm = (
        _validate.number(name, value)
        for name, value in (
            ("true_positive_rate", true_positive_rate),
            ("false_positive_rate", false_positive_rate),
        )
    )
    for name, value in (("true_positive_rate", hit), ("false_positive_rate", alarm)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")
    if not 0 <= _validate.number("delta", delta) < 1:
        raise ValueError(f"delta must be at least 0 and below 1, got {delta!r}")
    # The promise for the event "called a member" and for its complement, with either table first.
    pairs = ((hit, alarm), (1 - alarm, 1 - hit), (alarm, hit), (1 - hit, 1 - alarm))
    return max(_loss(likely - delta, rare) for likely, rare in pairs)


def _loss(likely: float, rare: float) -> float:
    if likely <= rare:
        return 0.0
    return math.log(likely / rare) if rare > 0 else math.inf
