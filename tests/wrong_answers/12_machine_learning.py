"""Answers to chapter 12's exercises, as data: wrong ones with the words that must name the mistake,
and right ones in many styles.

WRONG[exercise] is a list of (answer, fragment of the sentence); RIGHT[exercise] a list of answers.
"""
# ruff: noqa: NPY002

import math
import random

import numpy as np
import pandas as pd
from scipy import special, stats

import dplib

# --- logistic_gradient ------------------------------------------------------------------------


def gradient(slope, combine=np.mean):
    """Return the answer that combines slope(score, label) * x over the rows."""

    def answer(theta, X, y):
        return combine(slope(X @ theta, y)[:, None] * X, axis=0)

    return answer


def sigmoid(score):
    return 1 / (1 + np.exp(-score))


def right_slope(score, label):
    return -label * sigmoid(-label * score)


def gradient_in_loops(theta, X, y):
    total = [0.0] * len(theta)
    for row, label in zip(X, y, strict=True):
        score = sum(weight * entry for weight, entry in zip(theta, row, strict=True))
        slope = -label / (1 + math.exp(label * score))
        for column, entry in enumerate(row):
            total[column] += slope * entry / len(y)
    return total


def gradient_for_zero_one(theta, X, y):
    return X.T @ (special.expit(X @ theta) - (y + 1) / 2) / len(X)


RIGHT_GRADIENT = [
    gradient(right_slope),
    gradient_in_loops,
    gradient_for_zero_one,
    lambda theta, X, y: (-(y / (1 + np.exp(y * X.dot(theta)))) @ X) / X.shape[0],
    lambda theta, X, y: pd.DataFrame(X).mul(right_slope(X @ theta, y), axis=0).mean(),
]

WRONG_GRADIENT = [
    (lambda theta, X, y: np.log1p(np.exp(-y * (X @ theta))).mean(), "another shape"),
    (lambda theta, X, y: right_slope(X @ theta, y)[:, None] * X, "another shape"),
    (gradient(lambda score, label: 1.1 * right_slope(score, label)), "wrong at 4 of 4"),
    (lambda theta, X, y: dplib.logistic_gradient(theta, X, y), "the library's own version"),
    (lambda theta, X, y: None, "returns nothing"),
    (lambda theta, X, y: "uphill", "must be an array of numbers"),
]


# --- clip_rows_l2 -----------------------------------------------------------------------------


def clip(norm, factor=lambda norms, bound: np.minimum(1, bound / np.maximum(norms, 1e-12))):
    """Return the answer that scales rows by a factor of a norm."""

    def answer(rows, *, bound):
        return rows * factor(norm(rows), bound)

    return answer


def l2(rows):
    return np.linalg.norm(rows, axis=1, keepdims=True)


def clip_in_loops(rows, *, bound):
    clipped = []
    for row in rows:
        norm = math.sqrt(sum(entry**2 for entry in row))
        clipped.append([entry * bound / norm if norm > bound else entry for entry in row])
    return clipped


def clip_where(rows, *, bound):
    norms = np.sqrt(np.sum(np.square(rows), axis=1))
    result = rows.copy()
    result[norms > bound] *= (bound / norms[norms > bound])[:, None]
    return result


def clip_in_place(rows, *, bound):
    rows *= np.minimum(1, bound / np.maximum(l2(rows), 1e-12))
    return rows


RIGHT_CLIP = [
    clip(l2),
    clip_in_loops,
    clip_where,
    lambda rows, *, bound: rows / np.maximum(1, l2(rows) / bound),
    lambda rows, *, bound: pd.DataFrame(
        [row / max(1, np.linalg.norm(row) / bound) for row in rows]
    ),
]

WRONG_CLIP = [
    (lambda rows, *, bound: bound * rows / l2(rows), "not a finite number"),
    (clip_in_place, "changes what it is given"),
    (clip(l2, lambda norms, bound: np.minimum(1, 1.01 * bound / (norms + 1e-12))), "wrong at 4 of"),
    (lambda rows, *, bound: dplib.clip_rows_l2(rows, bound=bound), "the library's own version"),
    (lambda rows, *, bound: None, "returns nothing"),
]


# --- noisy_gradient_descent -------------------------------------------------------------------


def right_rho(epsilon, delta):
    surprise = math.log(1 / delta)
    return (math.sqrt(surprise + epsilon) - math.sqrt(surprise)) ** 2


def clip_gradients(rows, bound):
    return rows / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True) / bound)


def summed(rows, bound):
    return clip_gradients(rows, bound).sum(axis=0)


def train(
    *,
    rho=right_rho,
    total=summed,
    sigma=lambda rho, releases: math.sqrt(releases / (2 * rho)),
    releases=lambda iterations: iterations + 1,
    count=lambda n, sigma: n + np.random.normal(0, sigma),
    noise=lambda sigma, bound, d: np.random.normal(0, bound * sigma, size=d),
    sign=-1,
    rounds=0,
):
    """Return an answer; each argument is one place where it may go wrong."""

    def answer(X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None):
        deviation = sigma(rho(epsilon, delta), releases(iterations))
        people, theta = max(1.0, count(len(y), deviation)), np.zeros(X.shape[1])
        for _ in range(iterations + rounds):
            rows = (-y * special.expit(-y * (X @ theta)))[:, None] * X
            step = total(rows, clipping_bound) + noise(deviation, clipping_bound, len(theta))
            theta = theta + sign * learning_rate * step / people
        return theta

    return answer


def train_in_loops(
    X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None
):
    rng = np.random.default_rng() if rng is None else rng
    share = right_rho(epsilon, delta) / (iterations + 1)
    count = len(X) + rng.normal(scale=1 / math.sqrt(2 * share))
    theta = [0.0] * len(X[0])
    for _ in range(iterations):
        total = rng.normal(scale=clipping_bound / math.sqrt(2 * share), size=len(theta))
        for row, label in zip(X, y, strict=True):
            score = label * float(np.dot(row, theta))
            row_gradient = -label * row / (1 + math.exp(score))
            total += row_gradient * min(1, clipping_bound / math.sqrt(row_gradient @ row_gradient))
        theta = [old - learning_rate * each / count for old, each in zip(theta, total, strict=True)]
    return theta


def train_with_dplib(
    X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None
):
    rho = right_rho(epsilon, delta) / (iterations + 1)
    people = dplib.gaussian_mechanism_zcdp(len(y), l2_sensitivity=1, rho=rho, rng=rng)
    theta = np.zeros(X.shape[1])
    for _ in range(iterations):
        rows = dplib.clip_rows_l2(dplib.learning.row_gradients(theta, X, y), bound=clipping_bound)
        theta -= (
            learning_rate
            / people
            * dplib.gaussian_mechanism_zcdp(
                rows.sum(axis=0), l2_sensitivity=clipping_bound, rho=rho, rng=rng
            )
        )
    return theta


def train_one_noise(
    X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None
):
    """One noise is drawn before the rounds and comes again in each."""
    kept = np.random.normal(size=X.shape[1])
    again = train(noise=lambda sigma, bound, d: bound * sigma * kept)
    return again(
        X,
        y,
        iterations=iterations,
        clipping_bound=clipping_bound,
        epsilon=epsilon,
        delta=delta,
        learning_rate=learning_rate,
    )


def shared_pair(epsilon, delta, releases):
    return 1 / math.sqrt(2 * right_rho(epsilon / releases, delta / releases))


def train_pair(X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None):
    """Epsilon and delta are divided by the releases, not rho."""
    deviation = shared_pair(epsilon, delta, iterations + 1)
    return train(sigma=lambda rho, releases: deviation)(
        X,
        y,
        iterations=iterations,
        clipping_bound=clipping_bound,
        epsilon=epsilon,
        delta=delta,
        learning_rate=learning_rate,
    )


RIGHT_DESCENT = [
    train(),
    train_in_loops,
    train_with_dplib,
    train(noise=lambda sigma, bound, d: [random.gauss(0, bound * sigma) for _ in range(d)]),
    train(noise=lambda sigma, bound, d: stats.norm.rvs(scale=bound * sigma, size=d)),
    lambda *data, rng=None, **settings: list(train()(*data, **settings)),
]

WRONG_DESCENT = [
    (
        train(noise=lambda sigma, bound, d: 0, count=lambda n, sigma: n),
        "no noise is added",
    ),
    (train(count=lambda n, sigma: n), "the number of rows is used without noise"),
    (
        train(count=lambda n, sigma: n, releases=lambda iterations: iterations),
        "the rounds share all the budget",
    ),
    (train(noise=lambda sigma, bound, d: 0), "only the count does"),
    (
        train(noise=lambda sigma, bound, d: np.random.normal(0, sigma, d)),
        "the clipping bound is missing in the noise",
    ),
    (
        train(noise=lambda sigma, bound, d: np.random.normal(0, 2 * bound * sigma, d)),
        "a change of twice the bound",
    ),
    (train(releases=lambda iterations: 1), "the budget is not shared"),
    (train(releases=lambda iterations: iterations), "divided by the rounds alone"),
    (train_pair, " shared out"),
    (
        train(sigma=lambda rho, releases: releases / math.sqrt(2 * rho)),
        " shared out",
    ),
    (train(rho=lambda epsilon, delta: epsilon), "rho is taken to be epsilon"),
    (train(rho=lambda epsilon, delta: epsilon**2 / 2), "epsilon^2 / 2"),
    (
        train(rho=lambda epsilon, delta: epsilon**2 / (4 * math.log(1 / delta))),
        "which is too much",
    ),
    (train(sigma=lambda rho, releases: math.sqrt(releases / rho)), "sigma^2 = 1 / rho"),
    (
        train(sigma=lambda rho, releases: releases / (2 * rho)),
        "the variance is taken for the standard deviation",
    ),
    (train_one_noise, "one noise is drawn"),
    (
        train(noise=lambda sigma, bound, d: np.random.normal(0, bound * sigma)),
        "one number is the noise of all entries",
    ),
    (
        train(noise=lambda sigma, bound, d: np.random.normal(0, bound * sigma / math.sqrt(d), d)),
        "shared out among the entries",
    ),
    (
        train(noise=lambda sigma, bound, d: np.random.normal(0, bound * sigma * math.sqrt(d), d)),
        "each entry pays for itself",
    ),
    (
        train(noise=lambda sigma, bound, d: np.random.laplace(0, bound * sigma, d)),
        "noisy_gradient_descent: ",
    ),
    (
        lambda X, y, **settings: dplib.noisy_gradient_descent(X, y, **settings),
        "the library's own version",
    ),
    (lambda X, y, **settings: None, "returns nothing"),
    (lambda X, y, **settings: train()(X, y, **settings)[:-1], "another shape"),
]


# --- gradient_descent_cost --------------------------------------------------------------------


def unit_sigma(epsilon, delta):
    return dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)


def cost(**other):
    """Return the answer whose formulas are right, but for those that are given."""

    def answer(*, iterations, epsilon, delta):
        given = {
            name: formula(iterations, epsilon, delta)
            for name, formula in other.items()
            if name != "sigma"
        }
        sigma = other.get("sigma", unit_sigma)(epsilon, delta)
        total = given.get("total", (iterations + 1) * delta)
        rho = given.get("rho", iterations / (2 * sigma**2))
        zcdp = rho + 2 * math.sqrt(rho * math.log(1 / total))
        orders = np.arange(2, 200)
        rdp = float(np.min(orders * rho + math.log(1 / total) / (orders - 1)))
        advanced = epsilon * math.sqrt(2 * iterations * math.log(1 / delta))
        advanced += iterations * epsilon * math.expm1(epsilon)
        return {
            "sequential": given.get("sequential", (iterations * epsilon, iterations * delta)),
            "advanced": given.get("advanced", (advanced, (iterations + 1) * delta)),
            "rdp": given.get("rdp", (rdp, total)),
            "zcdp": given.get("zcdp", (zcdp, total)),
        }

    return answer


def cost_with_dplib(*, iterations, epsilon, delta):
    each = dplib.ApproximateDP(epsilon, delta)
    rho = iterations / (2 * unit_sigma(epsilon, delta) ** 2)
    curve = dplib.ZeroConcentratedDP(rho).to_rdp()
    total = (iterations + 1) * delta
    return {
        "sequential": dplib.sequential_composition([each] * iterations),
        "advanced": dplib.advanced_composition(each, count=iterations, delta_prime=delta),
        "rdp": curve.to_approximate(delta=total),
        "zcdp": dplib.ZeroConcentratedDP(rho).to_approximate(delta=total),
    }


def as_guarantees(*, iterations, epsilon, delta):
    found = cost()(iterations=iterations, epsilon=epsilon, delta=delta)
    return {name: dplib.ApproximateDP(*pair) for name, pair in found.items()}


RIGHT_COST = [
    cost(),
    cost_with_dplib,
    as_guarantees,
    lambda **settings: dict(sorted(cost_with_dplib(**settings).items())),
]


WRONG_COST = [
    (
        cost(rdp=lambda k, epsilon, delta: (0.9 * k * epsilon, (k + 1) * delta)),
        "wrong at 4 of 4",
    ),
    (lambda **settings: list(cost()(**settings).values()), "a dict with four entries"),
    (lambda **settings: {"sequential": 3.0}, "a dict with four entries"),
    (
        lambda **settings: {name: pair[0] for name, pair in cost()(**settings).items()},
        "is not an ApproximateDP",
    ),
    (lambda **settings: dplib.gradient_descent_cost(**settings), "the library's own version"),
    (lambda **settings: None, "returns nothing"),
]


# --- best_private_model -----------------------------------------------------------------------


def model(**changes):
    """Return noisy gradient descent with fixed settings, and perhaps a fault of `train`."""
    fixed = {"iterations": 30, "clipping_bound": 1.0, "learning_rate": 4.0}

    def answer(X, y, *, epsilon, delta, rng=None):
        return train(**changes)(X, y, epsilon=epsilon, delta=delta, **fixed)

    return answer


def model_without_privacy(X, y, *, epsilon, delta, rng=None):
    theta = np.zeros(X.shape[1])
    for _ in range(30):
        theta -= 4 * right_slope(X @ theta, y) @ X / len(y)
    return theta


def model_by_library(X, y, *, epsilon, delta, rng=None):
    return dplib.noisy_gradient_descent(
        X,
        y,
        iterations=40,
        clipping_bound=0.7,
        learning_rate=5,
        epsilon=epsilon,
        delta=delta,
        rng=rng,
    )


def model_of_least_squares(X, y, *, epsilon, delta, rng=None):
    """Noisy second moments of clipped rows, solved once: no rounds at all."""
    sigma = dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    rows = clip_gradients(X, 3.0)
    table = np.column_stack([rows, y])
    # A row of X has norm 3 at most and the label norm 1: together a table of norm 10.
    moments = table.T @ table + np.random.normal(0, 10 * sigma, (table.shape[1],) * 2)
    matrix = (moments + moments.T)[:-1, :-1] / 2 + 1500 * np.eye(X.shape[1])
    return np.linalg.solve(matrix, moments[:-1, -1])


RIGHT_MODEL = [model_by_library, model(), model_of_least_squares]

WRONG_MODEL = [
    (model_without_privacy, "one person with large numbers decides theta"),
    (
        model(total=lambda rows, bound: rows.sum(axis=0)),
        "one person with large numbers decides theta",
    ),
    (
        model(
            total=lambda rows, bound: (
                len(rows) * clip_gradients(rows.mean(axis=0, keepdims=True), bound)[0]
            )
        ),
        "one person with large numbers decides theta",
    ),
    (
        model(noise=lambda sigma, bound, d: 0, count=lambda n, sigma: n),
        "one person with large numbers decides theta",
    ),
    (
        lambda X, y, *, epsilon, delta, rng=None: X.T @ y / len(y),
        "one person with large numbers decides theta",
    ),
    (
        lambda X, y, *, epsilon, delta, rng=None: -np.eye(X.shape[1])[0],
        "no better than always giving the majority",
    ),
    (
        lambda X, y, *, epsilon, delta, rng=None: np.random.normal(size=X.shape[1]),
        "no better than always giving the majority",
    ),
    (
        lambda X, y, *, epsilon, delta, rng=None: -model()(X, y, epsilon=epsilon, delta=delta),
        "no better than always giving the majority",
    ),
    (
        lambda X, y, *, epsilon, delta, rng=None: dplib.best_private_model(
            X, y, epsilon=epsilon, delta=delta
        ),
        "the library's own version",
    ),
    (lambda X, y, *, epsilon, delta, rng=None: None, "returns nothing"),
    (lambda X, y, *, epsilon, delta, rng=None: np.zeros(3) * np.nan, "must be finite"),
    (lambda X, y, *, epsilon, delta, rng=None: (np.zeros(X.shape[1]), 0.8), "one array theta"),
]


# --- averaged_clipping_counterexample ---------------------------------------------------------

RIGHT_AVERAGED = [
    lambda people, bound: (np.zeros((people, 1)), np.array([10.0 * people * bound])),
    lambda people, bound: (np.full((people, 2), bound), [-3.0 * people * bound] * 2),
    lambda people, bound: ([[0.0, 0.0, 0.0]] * people, (0.0, 1e9, 0.0)),
    lambda people, bound: (pd.DataFrame(np.ones((people, 2))), pd.Series([1e7, -1e7])),
]

WRONG_AVERAGED = [
    (lambda people, bound: (np.zeros((people, 2)), np.zeros(2)), "does not move"),
    (lambda people, bound: (np.full((people, 1), bound), np.array([1e9])), "does not move"),
    (lambda people, bound: (np.zeros((people, 1)), np.array([bound])), "as short as the clipped"),
    (lambda people, bound: (np.zeros((people, 1)), np.array([1.5 * bound])), "far enough"),
    (lambda people, bound: (np.zeros((people + 1, 1)), np.array([1e9])), "another shape"),
    (lambda people, bound: (np.zeros((people, 2)), np.array([1e9])), "number of columns"),
    (lambda people, bound: (np.zeros(people), np.array([1e9])), "another shape"),
    (lambda people, bound: (np.zeros((people, 1)), np.array([1e200])), "too large"),
    (lambda people, bound: (np.zeros((people, 1)), np.array([math.inf])), "must be finite"),
    (lambda people, bound: np.zeros((people, 1)), "two arrays are wanted"),
    (lambda people, bound: None, "two arrays are wanted"),
]


RIGHT = {
    "logistic_gradient": RIGHT_GRADIENT,
    "clip_rows_l2": RIGHT_CLIP,
    "noisy_gradient_descent": RIGHT_DESCENT,
    "gradient_descent_cost": RIGHT_COST,
    "best_private_model": RIGHT_MODEL,
    "averaged_clipping_counterexample": RIGHT_AVERAGED,
}

WRONG = {
    "logistic_gradient": WRONG_GRADIENT,
    "clip_rows_l2": WRONG_CLIP,
    "noisy_gradient_descent": WRONG_DESCENT,
    "gradient_descent_cost": WRONG_COST,
    "best_private_model": WRONG_MODEL,
    "averaged_clipping_counterexample": WRONG_AVERAGED,
}
