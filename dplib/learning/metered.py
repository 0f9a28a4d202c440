"""Rows behind a meter: every look at them is a noisy sum, and is billed."""

import math

import numpy as np

from dplib import _validate
from dplib.learning.batches import clipped_gradients
from dplib.learning.descent import clip_rows_l2
from dplib.learning.logistic import checked_data
from dplib.ledger import BudgetExceededError


class MeteredRows:
    """Holds people's rows and labels, and answers with noisy sums until its budget is spent.

    All answers together are Gaussian releases whose rhos add up to at most `rho`, also where later
    questions depend on earlier answers. They hold for add_remove.

    Args:
      X: shape (n, d): one row a person.
      y: shape (n,): labels, -1 or +1.
      rho: the budget, > 0; rho = 1 / (2 sigma^2) is worth what one Gaussian release with this
        sigma, for sensitivity 1, is worth.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Raises:
      ValueError: an argument is out of range.

    Source: composition of Gaussian releases: Dong, Roth & Su (2022).
    """

    def __init__(self, X, y, *, rho, rng=None):
        self._X, self._y = (np.array(each) for each in checked_data(X, y))
        for each in (self._X, self._y):
            each.setflags(write=False)
        self.budget, self.spent = _validate.positive("rho", rho), 0.0
        self._rng = _validate.generator(rng)

    def release(self, part, *, l2_sensitivity, rho):
        """Return the sum over all people of their parts, with Gaussian noise; bill rho.

        Args:
          part: a function of rows and labels (X, y) that returns an array with one row for each
            person, shape (n, k), or (n,). A person's part must depend on this person alone.
          l2_sensitivity: parts with a larger L2 norm are shortened to it, > 0.
          rho: what this release costs, > 0.

        Returns:
          Shape (k,), or a number: each entry has noise of standard deviation
          l2_sensitivity / sqrt(2 rho).

        Raises:
          BudgetExceededError: it would cost more than is left. Nothing was released.
          ValueError: an argument is out of range, or there is not one part for each person.
        """
        bound = _validate.positive("l2_sensitivity", l2_sensitivity)
        total = self.spent + _validate.positive("rho", rho)
        if total > self.budget * (1 + 1e-9):
            raise BudgetExceededError(
                f"rho={rho:.4g} refused: the bill would be {total:.4g}, and the budget is "
                f"{self.budget:.4g}"
            )
        parts = _validate.finite_array("part", part(self._X, self._y))
        if parts.ndim not in (1, 2) or len(parts) != len(self._y):
            raise ValueError(f"part must give one row for each person, got shape {parts.shape}")
        self.spent = total
        exact = clip_rows_l2(parts.reshape(len(parts), -1), bound=bound).sum(axis=0)
        noisy = exact + self._rng.normal(scale=bound / math.sqrt(2 * rho), size=exact.shape)
        return float(noisy[0]) if parts.ndim == 1 else noisy


#: How `best_private_model` works: longest row, longest gradient, rounds, learning rate, and the
#: share of a step that goes on into the next. Chosen on the data of the course, which are public; a
#: choice by the accuracy on private rows would have to be paid for.
ROW_BOUND, GRADIENT_BOUND, ROUNDS, RATE, MOMENTUM = 1.5, 1.0, 30, 20.0, 0.8


def best_private_model(release, *, columns, people, rho, rng=None):
    """Train a logistic regression that reaches the rows only through a metered `release`.

    Rows are shortened to norm ROW_BOUND. Each of ROUNDS rounds releases the sum of their clipped
    gradients for an equal share of rho; a step keeps a part of the one before (momentum). The mean
    of theta over the later half of the rounds has less noise than the last one.

    Args:
      release: `MeteredRows.release`, or a function like it.
      columns: number of entries of a row, at least 1.
      people: a public guess of how many people there are, > 0.
      rho: what may be spent in all, > 0.
      rng: not used: all chance is in `release`.

    Returns:
      theta, shape (columns,), for `predict`.

    Raises:
      ValueError: an argument is out of range.

    Source: Abadi et al. (2016), algorithm 1, with all rows in each round.
    """
    theta = np.zeros(_validate.whole("columns", columns))
    people = _validate.positive("people", people)
    share, speed, path = _validate.positive("rho", rho) / ROUNDS, np.zeros(columns), []
    for _ in range(ROUNDS):
        here = theta

        def part(X, y, here=here):
            rows = clip_rows_l2(X, bound=ROW_BOUND)
            return clipped_gradients(here, rows, y, bound=GRADIENT_BOUND)

        total = release(part, l2_sensitivity=GRADIENT_BOUND, rho=share)
        speed = MOMENTUM * speed + total / people
        theta = theta - RATE * speed
        path.append(theta)
    return np.mean(path[ROUNDS // 2 :], axis=0)
