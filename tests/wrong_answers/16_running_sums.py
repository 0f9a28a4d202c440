"""Answers to chapter 16."""

import math

import numpy as np
import pandas as pd
from scipy import special
from scipy.special import logsumexp
from scipy.stats import norm

import dplib

RIGHT, WRONG = {}, {}

# --- factorization_error ----------------------------------------------------------------------


def errors_in_loops(left, right, *, rho):
    columns = list(zip(*np.asarray(right).tolist(), strict=True))
    moved = max(sum(entry**2 for entry in column) for column in columns)
    return [moved / (2 * rho) * sum(w**2 for w in row) for row in np.asarray(left).tolist()]


def errors(moved=lambda right: np.linalg.norm(right, axis=0).max(), *, of=lambda e: e):
    def answer(left, right, *, rho):
        variance = moved(np.array(right)) ** 2 / (2 * rho)
        return of(variance * (np.array(left) ** 2).sum(axis=1))

    return answer


def errors_in_place(left, right, *, rho):
    left *= left
    return np.linalg.norm(right, axis=0).max() ** 2 / (2 * rho) * left.sum(axis=1)


RIGHT["factorization_error"] = [
    errors_in_loops,
    errors(),
    lambda left, right, *, rho: pd.Series(
        np.diag(np.array(left) @ np.array(left).T)
        * max(np.diag(np.array(right).T @ np.array(right)))
        / (2 * rho)
    ),
]

WRONG["factorization_error"] = [
    (errors(lambda right: np.linalg.norm(right, axis=1).max()), "a row of R"),
    (errors(lambda right: np.abs(right).sum(axis=0).max()), "the L1 length"),
    (errors(lambda right: 1.0), "taken as 1"),
    (errors(of=np.sqrt), "the root of the mean square"),
    (errors(of=np.mean), ("wrong shape", "an array", "must", "another shape")),
    (errors_in_place, "changes what it is given"),
    (
        lambda left, right, *, rho: dplib.factorization_error(left, right, rho=rho),
        "library's own",
    ),
]


# --- toeplitz_root_strategy -------------------------------------------------------------------


def root_by_binomials(size):
    column = [math.comb(2 * k, k) / 4**k for k in range(size)]
    return [[column[i - j] if i >= j else 0 for j in range(size)] for i in range(size)]


def root_by_rows(size):
    column = np.ones(size)
    for k in range(1, size):
        column[k] = (1 - column[1:k] @ column[1:k][::-1]) / 2
    places = np.subtract.outer(np.arange(size), np.arange(size))
    return np.where(places >= 0, column[np.maximum(places, 0)], 0)


def root_by_gamma(size):
    """Return the quotients of gamma functions as floats: right below 170 months."""
    k = np.arange(size)
    with np.errstate(all="ignore"):
        column = special.gamma(k + 0.5) / special.gamma(k + 1) / math.sqrt(math.pi)
    return np.tril(column[root_by_places(size)])


def root_by_powers(size):
    """Return the central binomials over powers of 4.0, of which a float holds 511."""
    column = np.array([math.comb(2 * k, k) / 4.0**k for k in range(size)])
    return np.tril(column[root_by_places(size)])


def root_by_places(size):
    return np.maximum(np.subtract.outer(np.arange(size), np.arange(size)), 0)


RIGHT["toeplitz_root_strategy"] = [
    root_by_binomials,
    root_by_rows,
    lambda size: pd.DataFrame(root_by_rows(size)),
]


def root_of_64_entries(size):
    """After the 64th diagonal the last one comes again."""
    column = root_by_rows(max(size, 64))[:, 0]
    places = np.subtract.outer(np.arange(size), np.arange(size))
    return np.tril(column[np.clip(places, 0, 63)])


WRONG["toeplitz_root_strategy"] = [
    (root_of_64_entries, "the 64 rows above it are right"),
    (lambda size: np.tril(0.5 ** np.array(root_by_places(size))), "half of the one before"),
    (lambda size: root_by_rows(size).T, "upper and lower"),
    (lambda size: np.tril(np.ones((size, size))), "the running sums themselves"),
    (lambda size: root_by_rows(size).round(3), "the value is wrong at"),
    (root_by_gamma, "not finite"),
    (root_by_powers, "OverflowError"),
    (lambda size: root_by_rows(size + 1), "the wrong shape"),
    (lambda size: dplib.toeplitz_root_strategy(size), "library's own"),
]


# --- banded_error -----------------------------------------------------------------------------


def banded_by_inverse(strategy, *, turns, apart, rho):
    lengths = (strategy**2).sum(axis=0)
    left = np.tril(np.ones(strategy.shape)) @ np.linalg.inv(strategy)
    return lengths[::apart][:turns].sum() / (2 * rho) * (left**2).sum(axis=1)


def banded_by_search(strategy, *, turns, apart, rho):
    """The best turns by trying all of them; L from running sums of the inverse's rows."""
    rounds = len(strategy)

    def best(first, left):
        if not left or first >= rounds:
            return 0.0
        here = np.linalg.norm(strategy[:, first]) ** 2 + best(first + apart, left - 1)
        return max(here, best(first + 1, left))

    weights = np.cumsum(np.linalg.inv(strategy), axis=0)
    return [best(0, turns) / (2 * rho) * float(row @ row) for row in weights]


def banded_by_moves(strategy, *, turns, apart, rho):
    """A person who comes as early and as often as possible, as a vector."""
    person = np.zeros(len(strategy))
    person[: apart * turns : apart] = 1
    variance = np.linalg.norm(strategy @ person) ** 2 / (2 * rho)
    ones = np.tril(np.ones(strategy.shape))
    return variance * np.diag(ones @ np.linalg.inv(strategy.T @ strategy) @ ones.T)


def banded(square, *, left=None, of=lambda e: e):
    def answer(strategy, *, turns, apart, rho):
        lengths = np.linalg.norm(strategy, axis=0)
        read = np.cumsum(np.linalg.inv(strategy), axis=0) if left is None else left(strategy)
        return of(square(lengths, turns, apart) / (2 * rho) * (read**2).sum(axis=1))

    return answer


def banded_in_place(strategy, *, turns, apart, rho):
    answer = banded_by_inverse(strategy, turns=turns, apart=apart, rho=rho)
    strategy *= strategy
    return answer


def squares(lengths, turns, apart):
    return (lengths[::apart][:turns] ** 2).sum()


# The sums of rounds' entries are of both signs nowhere: here the person's moves add up.
RIGHT["banded_error"] = [
    banded_by_inverse,
    banded_by_search,
    lambda strategy, *, turns, apart, rho: pd.Series(
        banded_by_inverse(strategy, turns=turns, apart=apart, rho=rho)
    ),
    banded_by_moves,
]

WRONG["banded_error"] = [
    (banded(lambda lengths, turns, apart: lengths[0] ** 2), "one turn is counted"),
    (
        banded(lambda lengths, turns, apart: lengths[::apart][:turns].sum() ** 2),
        "are added up, not their squares",
    ),
    (banded(squares, left=np.linalg.inv), "one round's gradient"),
    (banded(squares, left=lambda s: np.tril(np.ones(s.shape))), "L is taken as A"),
    (banded(squares, of=np.sqrt), "the root of the mean square"),
    (banded_in_place, "changes what it is given"),
    (banded(squares, of=lambda errors: errors.round(2)), "rounded to 2 decimals"),
    (banded(squares, of=np.max), ("wrong shape", "an array", "must", "another shape")),
    (
        lambda strategy, *, turns, apart, rho: dplib.banded_error(
            strategy, turns=turns, apart=apart, rho=rho
        ),
        "library's own",
    ),
]


# --- user_clipped_sum -------------------------------------------------------------------------


def users_in_loops(users, rows, *, bound):
    answer = np.zeros(rows.shape[1])
    for user in set(users.tolist()):
        total = rows[users == user].sum(axis=0)
        length = np.linalg.norm(total)
        answer += total if length <= bound else total / length * bound
    return answer


def users_in_frames(users, rows, *, bound):
    totals = pd.DataFrame(rows).groupby(users).sum().to_numpy(dtype=float)
    lengths = np.sqrt((totals**2).sum(axis=1))
    return (totals / np.maximum(1, lengths / bound)[:, None]).sum(axis=0)


def users_by_matrix(users, rows, *, bound):
    names, whose = np.unique(users, return_inverse=True)
    totals = (whose == np.arange(len(names))[:, None]) @ rows.astype(float)
    factors = [min(1, bound / length) if length else 1 for length in np.linalg.norm(totals, axis=1)]
    return (np.array(factors) @ totals).tolist()


def clipped(rows, bound):
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(1, lengths / bound)


RIGHT["user_clipped_sum"] = [users_in_loops, users_in_frames, users_by_matrix]

WRONG["user_clipped_sum"] = [
    (lambda users, rows, *, bound: clipped(rows, bound).sum(axis=0), "each row is clipped"),
    (lambda users, rows, *, bound: rows.sum(axis=0), "nothing is clipped"),
    (
        lambda users, rows, *, bound: clipped(rows.sum(axis=0, keepdims=True), bound)[0],
        "the sum over everybody",
    ),
    (
        lambda users, rows, *, bound: (
            users_in_loops(users, rows, bound=bound) / len(set(users.tolist()))
        ),
        "the number of users",
    ),
    (
        lambda users, rows, *, bound: clipped(
            pd.DataFrame(rows).groupby(users).mean().to_numpy(), bound
        ).sum(axis=0),
        "mean is clipped",
    ),
    (
        lambda users, rows, *, bound: clipped(
            pd.DataFrame(rows).groupby(users).sum().to_numpy(), bound
        ),
        ("wrong shape", "an array", "must", "another shape"),
    ),
    (
        lambda users, rows, *, bound: users_in_loops(users, rows, bound=bound) + bound / 50,
        "the value is wrong at",
    ),
    (
        lambda users, rows, *, bound: dplib.user_clipped_sum(users, rows, bound=bound),
        "library's own",
    ),
]


# --- allocated_loss ---------------------------------------------------------------------------


def loss_by_logsumexp(sums, *, sigma):
    return logsumexp((2 * np.asarray(sums) - 1) / (2 * sigma**2)) - np.log(len(sums))


def loss_by_densities(sums, *, sigma):
    """The two joint densities, each as logs."""
    sums = np.asarray(sums, dtype=float)
    without = norm.logpdf(sums, scale=sigma)
    moved = without.sum() - without + norm.logpdf(sums, loc=1, scale=sigma)
    return logsumexp(moved - np.log(len(sums))) - without.sum()


def loss_one_by_one(sums, *, sigma):
    logs = sorted((2 * x - 1) / (2 * sigma**2) for x in sums.tolist())
    return logs[-1] + math.log(sum(math.exp(each - logs[-1]) for each in logs) / len(logs))


def loss_by_plain_floats(sums, *, sigma):
    return float(np.log(np.mean(np.exp((2 * sums - 1) / (2 * sigma**2)))))


def loss_in_poisson_batches(sums, *, sigma):
    q = 1 / len(sums)
    return float(np.sum(np.log(1 - q + q * np.exp((2 * sums - 1) / (2 * sigma**2)))))


RIGHT["allocated_loss"] = [loss_by_logsumexp, loss_by_densities, loss_one_by_one]

WRONG["allocated_loss"] = [
    (loss_by_plain_floats, ("not finite", "hardly any noise", "finite")),
    (loss_in_poisson_batches, "Poisson"),
    (
        lambda sums, *, sigma: float(np.mean((2 * sums - 1) / (2 * sigma**2))),
        "averaged, not the densities",
    ),
    (
        lambda sums, *, sigma: float(np.max((2 * sums - 1) / (2 * sigma**2))),
        "largest sum is taken",
    ),
    (lambda sums, *, sigma: logsumexp(sums / sigma**2) - np.log(len(sums)), "the 1 is missing"),
    (lambda sums, *, sigma: loss_by_logsumexp(sums, sigma=math.sqrt(sigma)), "not squared"),
    (lambda sums, *, sigma: dplib.allocated_loss(sums, sigma=sigma), "library's own"),
]
