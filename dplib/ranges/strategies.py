"""Strategies for ranges that are better than Privelet's: found by search, or proved to be best.

Each is a matrix for `dplib.ranges.matrix_mechanism`; `strategy_error` gives its error C. All are
chosen without the data, so choosing costs no privacy.
"""

import math
from collections.abc import Iterator

import numpy as np

from dplib import _validate
from dplib.ranges import range_workload
from dplib.ranges.hierarchy import tree_scheme, tree_widths


def best_tree(size):
    """Return the branching of the best tree of sums for ranges under pure privacy, and its C.

    All ways to split the cells evenly, level by level, are compared: 2**(h - 1) for size = 2**h.
    The total is not asked: its level costs more than it gives. Every level asked has equal noise.

    Args:
      size: number of cells, at least 2.

    Returns:
      (branching, C): for `tree_strategy(size, branching=branching, total=False)`, and what
      `strategy_error` gives for it under add_remove.

    Raises:
      ValueError: size is not a whole number of at least 2.

    Source: Qardaji, Yang & Li (2013) compare branchings; the errors are those of
      `dplib.ranges.hierarchy`.
    """
    size = _validate.whole("size", size, least=2)

    def error(branching):
        widths = tree_widths(size, branching)[1:]
        return len(widths) ** 2 * tree_scheme(widths).average(size)

    best = min(_splits(size), key=error)
    return best, float(error(best))


def _splits(size: int) -> Iterator[tuple[int, ...]]:
    """Yield every ordered list of numbers above 1 whose product is `size`."""
    if size == 1:
        yield ()
    for first in range(2, size + 1):
        if size % first == 0:
            yield from ((first, *others) for others in _splits(size // first))


def p_identity_strategy(size, *, iterations=300):
    """Return a strategy for ranges under pure privacy, optimised over weighted wide questions.

    The strategy asks about every cell, and about some weighted sums of cells; the weights of a cell
    over all questions add up to 1, so its L1 sensitivity under add_remove is 1. The weights
    minimise the error C by L-BFGS with exact gradients. The start is fixed (sums of size / 4 cells
    and of 16), so the result is the same each time, up to rounding.

    Args:
      size: number of cells, at least 8.
      iterations: most steps of the search; 300 take about 5 seconds at 1024 cells.

    Returns:
      Array of shape (questions, size). At 1024 cells C is 60.6, where Privelet has 205.1.

    Raises:
      ValueError: size or iterations is out of range.

    Source: McKenna, Miklau, Hay & Machanavajjhala (2018), p-Identity strategies.
    """
    from scipy.optimize import Bounds, minimize

    size = _validate.whole("size", size, least=8)
    steps = _validate.whole("iterations", iterations)
    start = _first_weights(size)
    found = minimize(
        lambda weights: _p_identity_error(weights.reshape(start.shape)),
        start.ravel(),
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(0),
        options={"maxiter": steps, "maxfun": 2 * steps},
    )
    strategy = np.vstack([np.eye(size), found.x.reshape(start.shape)])
    return strategy / strategy.sum(axis=0)


def _first_weights(size: int) -> np.ndarray:
    """Return where the search starts: sums of two widths, and a little weight everywhere else."""
    cell = np.arange(size)
    blocks = [cell // width for width in sorted({-(-size // 4), min(16, -(-size // 4))})]
    questions = [block == np.arange(block[-1] + 1)[:, None] for block in blocks]
    return 0.5 * np.vstack(questions) + 0.02


def _p_identity_error(weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the error C of the strategy with these weights (before scaling), and its gradient.

    With the weights T, of shape (p, size), and S = diag(1 + column sums of T), the strategy is
    [I; T] S⁻¹, and C is proportional to trace(S (I + TᵀT)⁻¹ S V). By Woodbury's identity
    (I + TᵀT)⁻¹ = I - Tᵀ R T with R = (I + T Tᵀ)⁻¹: all products are with p rows.
    """
    size = weights.shape[1]
    cell = np.arange(1.0, size + 1)
    scale = 1 + weights.sum(axis=0)
    diagonal = cell * (size + 1 - cell)
    middle = np.linalg.solve(np.eye(len(weights)) + weights @ weights.T, weights)
    product = _times_workload(middle * scale) * scale
    shrunk = (weights * product).sum(axis=0)
    error = (scale**2 * diagonal).sum() - shrunk.sum()
    # The first part by way of the scale, which every weight of a column changes alike; the second
    # by way of TᵀT.
    gradient = 2 * (diagonal * scale - shrunk / scale)
    gradient = gradient - 2 * (product - (product @ weights.T) @ middle)
    ranges = math.comb(size + 1, 2)
    return error / ranges, gradient.ravel() / ranges


def _times_workload(rows: np.ndarray) -> np.ndarray:
    """Return rows @ range_workload(size) from running sums, without the matrix."""
    size = rows.shape[1]
    cell = np.arange(1.0, size + 1)
    rest = size + 1 - cell
    # V_ij = min(i, j) * (size + 1 - max(i, j)).
    until = np.cumsum(rows * cell, axis=1)
    after = np.cumsum((rows * rest)[:, ::-1], axis=1)[:, ::-1] - rows * rest
    return rest * until + cell * after


def root_strategy(size):
    """Return the strategy A with AᵀA = V^½, where V is the workload of all ranges.

    It would be the best for Gaussian noise if its columns were equally long. They nearly are.

    Args:
      size: number of cells.

    Returns:
      Array of shape (size, size), symmetric.

    Raises:
      ValueError: size is not a whole number of at least 1.

    Source: Li & Miklau (2013), the singular value bound and when it is reached.
    """
    values, vectors = np.linalg.eigh(range_workload(size))
    return (vectors * values**0.25) @ vectors.T


def optimal_strategy_zcdp(size, *, tolerance=1e-6):
    """Return the best strategy of all for ranges with Gaussian noise (zero-concentrated privacy).

    Among all X = AᵀA with diagonal at most 1 (L2 sensitivity 1 under add_remove), trace(X⁻¹V) is
    smallest for X = D⁻¹ (D V D)^½ D⁻¹ with D = diag(√v), where v is the diagonal of (D V D)^½. The
    steps stop when C is proved to be within `tolerance`, by the bound of `range_error_lower_bound`.

    Args:
      size: number of cells.
      tolerance: how far, relatively, C may be from the optimum, > 0; taken as 1e-9 if it is
        smaller, for rounding.

    Returns:
      Array of shape (size, size), upper triangular.

    Raises:
      ValueError: an argument is out of range.

    Source: Denisov, McMahan, Rush, Smith & Guha Thakurta (2022), the fixed point. The step here is
      squared, v * (diagonal / v)**2: near the fixed point the plain one halves the distance, this
      one nearly removes it.
    """
    tolerance = max(_validate.positive("tolerance", tolerance), 1e-9)
    root, sides = _optimum(_validate.whole("size", size), tolerance)
    squared = root / np.outer(sides, sides)
    return np.linalg.cholesky(squared / np.diag(squared).max()).T


def range_error_lower_bound(size, *, tolerance=1e-6):
    """Return a C below which no strategy for ranges can get, under pure or concentrated privacy.

    For every v > 0, trace(X⁻¹V) >= trace((D V D)^½)² / Σ_i v_i for all X whose diagonal is at most
    1, by Cauchy's inequality. With v = 1 this is the singular value bound; at the fixed point of
    `optimal_strategy_zcdp` it is the optimum under zero-concentrated privacy. Under pure privacy
    it is a bound, as no column is longer in L2 than in L1.

    Args:
      size, tolerance: as in `optimal_strategy_zcdp`.

    Returns:
      The bound on `strategy_error` under add_remove, for noise "gaussian" and "laplace".

    Raises:
      ValueError: an argument is out of range.

    Source: Li & Miklau (2013) for v = 1.
    """
    tolerance = max(_validate.positive("tolerance", tolerance), 1e-9)
    root, sides = _optimum(_validate.whole("size", size), tolerance)
    return float(np.trace(root) ** 2 / (sides**2).sum() / math.comb(size + 1, 2))


def _optimum(size: int, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (D V D)^½ and the diagonal of D, within `tolerance` of the fixed point."""
    workload = range_workload(size)
    sides = np.ones(size)
    while True:
        values, vectors = np.linalg.eigh(workload * np.outer(sides, sides))
        root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
        # What the strategy reaches is trace * (largest entry of X); the bound is trace² / Σ v.
        entries = np.diag(root) / sides**2
        if entries.max() * (sides**2).sum() <= (1 + tolerance) * np.trace(root):
            return root, sides
        sides = sides * entries
