"""Noisy gradient descent against a loop over rows, and how much accuracy privacy costs.

Run as `python benchmarks/learning.py`.
"""

import math
import statistics

import numpy as np
from _figures import figure, seconds
from scipy.optimize import minimize

from dplib.data import load_features
from dplib.gaussian import analytic_gaussian_sigma
from dplib.learning import (
    MeteredRows,
    accuracy,
    best_private_model,
    logistic_gradient,
    logistic_loss,
    majority_accuracy,
    noisy_gradient_descent,
)

ROWS, COLUMNS, ROUNDS, PEER_ROWS = 32_000, 100, 10, 4_000
SETTING = {"clipping_bound": 1.0, "epsilon": 1.0, "delta": 1e-5}


def row_gradient(theta, row, label):
    """The gradient of one row, as a first program writes it."""
    return -(label * row) / (1 + np.exp(label * np.dot(row, theta)))


def clipped(vector, bound):
    """The vector, shortened to `bound` where it is longer."""
    norm = np.linalg.norm(vector, ord=2)
    return bound * vector / norm if norm > bound else vector


def row_by_row(X, y, *, iterations, clipping_bound, epsilon, delta, rng):
    """The algorithm of `noisy_gradient_descent` with a plain Python loop over the rows."""
    surprise = math.log(1 / delta)
    rho = (math.sqrt(surprise + epsilon) - math.sqrt(surprise)) ** 2 / (iterations + 1)
    sigma = 1 / math.sqrt(2 * rho)
    count = max(1.0, len(y) + rng.normal(scale=sigma))
    theta = np.zeros(X.shape[1])
    for _ in range(iterations):
        gradients = [
            clipped(row_gradient(theta, row, label), clipping_bound)
            for row, label in zip(X, y, strict=True)
        ]
        noise = rng.normal(scale=clipping_bound * sigma, size=len(theta))
        theta = theta - (np.sum(gradients, axis=0) + noise) / count
    return theta


def warm_median(function, *, repeats: int) -> float:
    """Return the median time of some calls, after one that warms the cache."""
    return statistics.median(seconds(function, repeats=repeats + 1)[1:])


def speed() -> float:
    """Return how many times faster the library is; the peer's time is extrapolated from a part."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = rng.choice([-1.0, 1.0], size=ROWS)
    part = X[:PEER_ROWS], y[:PEER_ROWS]

    def ours(data):
        rng = np.random.default_rng(1)
        return noisy_gradient_descent(*data, iterations=ROUNDS, rng=rng, **SETTING)

    def peer():
        return row_by_row(*part, iterations=ROUNDS, rng=np.random.default_rng(1), **SETTING)

    difference = np.abs(ours(part) - peer()).max()
    fast, slow = warm_median(lambda: ours((X, y)), repeats=9), warm_median(peer, repeats=3)
    slow *= ROWS / PEER_ROWS
    print(f"noisy_gradient_descent, {ROWS:,} x {COLUMNS}, {ROUNDS} rounds  {fast * 1000:8.1f} ms")
    print(
        f"row by row ({ROWS // PEER_ROWS} times that of {PEER_ROWS:,} rows)  {slow * 1000:8.1f} ms"
    )
    print(f"largest difference of the two results (same noise)  {difference:.1e}")
    if difference > 1e-12:
        raise SystemExit("the two results differ by more than rounding")
    return slow / fast


def optimum(X, y) -> np.ndarray:
    """Return the weights of the logistic regression without privacy."""
    start = np.zeros(X.shape[1])
    return minimize(
        lambda theta: (logistic_loss(theta, X, y), logistic_gradient(theta, X, y)),
        start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 1000, "maxfun": 2000},
    ).x


def gap(*, runs: int = 20) -> float:
    """Return how much held-out accuracy (1, 1e-5) costs, the mean of `runs` trainings."""
    data = load_features()
    test = data.X_test, data.y_test
    exact = accuracy(optimum(data.X_train, data.y_train), *test)
    rho = 1 / (2 * analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5) ** 2)
    law = {"columns": data.X_train.shape[1], "people": len(data.y_train), "rho": rho}
    meters = [MeteredRows(data.X_train, data.y_train, rho=rho) for _ in range(runs)]
    private = [accuracy(best_private_model(each.release, **law), *test) for each in meters]
    mean, spread = statistics.mean(private), statistics.stdev(private)
    print(
        f"held-out accuracy: majority {majority_accuracy(data.y_test):.4f}, no privacy {exact:.4f}"
    )
    print(f"private at (1, 1e-5), {runs} runs: mean {mean:.4f}, standard deviation {spread:.4f}")
    return exact - mean


def main() -> None:
    """Print the figures beside their targets."""
    figure("load_features_seconds", warm_median(load_features, repeats=5), 0.5)
    figure("noisy_gradient_descent", speed(), 50, least=True)
    figure("private_accuracy_gap", gap(), 0.005)


if __name__ == "__main__":
    main()
