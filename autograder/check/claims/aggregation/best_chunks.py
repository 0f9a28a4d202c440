"""The number of chunks with the least error: what few rows lose, empty chunks, and noise."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.check.door import as_whole_number
from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]

# Two numbers of chunks whose errors agree to this share could be told apart by rounding only.
CLEARLY = 1e-9


def best_chunks(size, *, lower, upper, epsilon, bias):
    """The number of chunks with the least error, a whole number from 1 to size.

    The squared error of k chunks is (bias(size / k) + empty)**2 + 2 * scale**2, where
    empty = (1 - 1 / k)**size * (upper - lower) / 2 and
    scale = (upper - lower) / (k * epsilon).
    """
    return np.argmin(errors(size, lower, upper, epsilon, bias)) + 1


def errors(
    size: int,
    lower: float,
    upper: float,
    epsilon: float,
    bias: Callable,
    *,
    rows: Callable = lambda size, counts: size / counts,
    empty: float = 0.5,
    scale: Callable = lambda width, counts, epsilon, upper: width / (counts * epsilon),
    variance: float = 2.0,
    total: Callable = lambda lost, empty, noise: (lost + empty) ** 2 + noise**2,
) -> np.ndarray:
    """Return the squared error of every number of chunks; the rest says what is done otherwise.

    `empty` is how far an empty chunk is off, in units of the interval's width.
    """
    width, counts = upper - lower, np.arange(1, size + 1)
    lost = bias(rows(size, counts) * np.ones(len(counts)))
    noise = math.sqrt(variance) * scale(width, counts, epsilon, upper)
    return total(lost, empty * (1 - 1 / counts) ** size * width, noise)


CLAIM = FunctionClaim(
    best_chunks,
    established="the number of chunks with the least error in the public model",
    read=as_whole_number,
)


@CLAIM.inputs
def ten(rng):
    """Ten inputs, among them one where as many chunks as rows are best."""
    for power, epsilons, sizes in (
        *((1.0, (0.05, 3.0), (300, 1500)) for _ in range(3)),
        (0.5, (0.05, 1.0), (300, 1500)),
        # Here few rows lose something, chunks are empty, and noise counts, all at once.
        *((0.5, (0.02, 0.08), (300, 900)) for _ in range(3)),
        *((None, (0.3, 3.0), (200, 900)) for _ in range(2)),
        (1.0, (0.0005, 0.002), (20, 60)),
    ):
        yield clear_case(rng, power, epsilons, sizes)


def clear_case(rng: np.random.Generator, power: float | None, epsilons, sizes) -> dict:
    """Return one input, drawn again until its best number of chunks is clear."""
    while True:
        lower = float(rng.integers(-30, 20))
        case = {
            "size": int(rng.integers(*sizes)),
            "lower": lower,
            "upper": lower + float(rng.integers(40, 200)),
            "epsilon": float(f"{math.exp(rng.uniform(*np.log(epsilons))):.2g}"),
            "bias": public_guess(int(rng.integers(2, 90)), power),
        }
        two = np.partition(errors(**case), 1)[:2]
        if two[1] > (1 + CLEARLY) * two[0]:
            return case


def public_guess(amount: int, power: float | None) -> Callable:
    """Return what a function loses on a number of rows (or an array of them); None: nothing."""

    def bias(rows):
        return 0 * rows if power is None else amount / rows**power

    words = {1.0: f"{amount} / rows", 0.5: f"{amount} / sqrt(rows)", None: "0"}
    bias.__name__ = words[power]
    return bias


def least(**how):
    """Return the number of chunks at which an error that is worked out otherwise is least."""
    return lambda size, lower, upper, epsilon, bias: (
        np.argmin(errors(size, lower, upper, epsilon, bias, **how)) + 1
    )


def least_of_divisors(size, **given):
    found = errors(size, **given)
    return min((k for k in range(1, size + 1) if size % k == 0), key=lambda k: found[k - 1])


NOISE = "which scale does the noise have, and what is the variance of Laplace noise of scale b?"
ROWS = "with k chunks, how many rows has each of them?"
EMPTY = "how likely is it that all n rows miss one chunk of k, and how far off is its answer?"
ADDED = "bias and noise add in squares: which parts come with the same sign every time?"

CLAIM.mistake(
    "the place of the best number is returned",
    "which number does argmin return for the first of the numbers you tried?",
    then=lambda chunks: chunks - 1,
)
CLAIM.mistake(
    "the number of rows in a chunk is returned",
    ROWS,
    lambda size, **given: size // best_chunks(size, **given),
)
CLAIM.mistake(
    "the best number is sought among the divisors of size",
    "may chunks differ in size? Which numbers of chunks does a hash allow?",
    least_of_divisors,
)
CLAIM.mistake("empty chunks are forgotten", EMPTY, least(empty=0.0))
CLAIM.mistake(
    "an empty chunk is off by the whole interval, not by half of it", EMPTY, least(empty=1.0)
)
CLAIM.mistake(
    "the bias is forgotten",
    "what does the function lose when it sees few rows only?",
    least(total=lambda lost, empty, noise: empty**2 + noise**2),
)
CLAIM.mistake(
    "one chunk is always the best: nothing rewards more of them",
    "which part of the error falls when there are more chunks?",
    lambda size, **given: 1,
)
CLAIM.mistake(
    "bias and noise are added, not their squares",
    ADDED,
    least(total=lambda lost, empty, noise: lost + empty + noise),
)
CLAIM.mistake(
    "bias and empty chunks are added in squares",
    ADDED,
    least(total=lambda lost, empty, noise: lost**2 + empty**2 + noise**2),
)
CLAIM.mistake("the scale is taken for the standard deviation", NOISE, least(variance=1.0))
for name, scale in (
    ("epsilon is ignored", lambda width, counts, epsilon, upper: width / counts),
    ("epsilon multiplies", lambda width, counts, epsilon, upper: width * epsilon / counts),
    (
        "the width of the interval is left out of the noise",
        lambda width, counts, epsilon, upper: 1 / (counts * epsilon),
    ),
):
    CLAIM.mistake(name, NOISE, least(scale=scale))
CLAIM.mistake(
    "the upper end is used for the width",
    "how far is it from the lower end to the upper one?",
    least(scale=lambda width, counts, epsilon, upper: upper / (counts * epsilon)),
)
for name, rows in (
    ("the bias is that of `chunks` rows", lambda size, counts: counts),
    ("the bias is that of all rows", lambda size, counts: size),
    ("the rows of a chunk are rounded down", lambda size, counts: size // counts),
    ("the rows of a chunk are rounded up", lambda size, counts: np.ceil(size / counts)),
):
    CLAIM.mistake(name, ROWS, least(rows=rows))
