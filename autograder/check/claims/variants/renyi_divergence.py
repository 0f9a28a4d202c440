"""The Rényi divergence of two laws of the same outcomes."""

import math

import numpy as np

from autograder.check.claims.variants._outcome_pairs import draw_pairs, on_both, read_divergence
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def renyi_divergence(first, second, *, order):
    """The Rényi divergence of first from second.

    Both are arrays of probabilities of the same outcomes; some may be 0.
    """
    # Mironov (2017), definition 3: the sum of first^order * second^(1 - order).
    total = 0.0
    for above, below in zip(first.tolist(), second.tolist(), strict=True):
        if above > 0:
            total += math.inf if below == 0 else below * (above / below) ** order
    return math.log(total) / (order - 1)


CLAIM = FunctionClaim(
    renyi_divergence,
    established="orders near 1 and large ones, zeros included",
    read=read_divergence,
)


@CLAIM.inputs
def fourteen(rng):
    """Pairs of laws with an order: near 1, whole, in between, and large.

    The last power is as large as the task allows.
    """
    ranges = [(1.2, 1.6), (2, 2), (2.2, 4.8), (3, 3), (1.2, 1.6), (2.2, 4.8), (20, 50)]
    ranges += [(2, 2), (5, 9), (2.2, 4.8), (2, 2), (60, 95), (105, 150), (145, 150)]
    pairs = draw_pairs(rng)
    rare = round(rng.uniform(0.011, 0.015), 4)
    unlike = {"first": np.array([0.98, 0.02]), "second": np.array([rare, 1 - rare])}
    for pair, orders in zip([*pairs, *pairs[:2], unlike], ranges, strict=True):
        yield {**pair, "order": round(rng.uniform(*orders), 2)}


@CLAIM.designed
def orders(rng):
    """Pairs of laws at an order that is hardly above 1; large ones are among the inputs."""
    for pair in draw_pairs(rng)[:2]:
        for order in at_edges("order", rng, but=["above 64"]):
            yield f"order {order:.5g}", {**pair, "order": order}


def times(factor):
    """Return the right value, times a function of the order."""
    return lambda first, second, order: renyi_divergence(first, second, order=order) * factor(order)


def infinite_or(formula):
    """Return formula(first, second, order) on what the first law gives, or infinity where due."""

    def function(first, second, order):
        first, second = first[first > 0], second[first > 0]
        return math.inf if np.any(second == 0) else formula(first, second, order)

    return function


FACTOR = "what stands before the logarithm in the definition?"
WEIGHT = "the mean of the ratio to the power of the order: under which of the two laws?"

for name, factor in (
    ("1 / (order - 1) is missing", lambda order: order - 1),
    ("order divides, not order - 1", lambda order: (order - 1) / order),
    ("1 - order divides: the sign", lambda order: -1),
    ("order - 1 multiplies", lambda order: (order - 1) ** 2),
):
    CLAIM.mistake(name, FACTOR, times(factor))
for base in (2, 10):
    CLAIM.mistake(
        f"the logarithm has base {base}",
        "which logarithm undoes exp?",
        then=lambda divergence, base=base: divergence / math.log(base),
    )
for name, whole in (("cut", int), ("rounded", round)):
    CLAIM.mistake(
        f"the order is {name} to a whole number",
        "what becomes of an order that is no whole number, on its way into your formula?",
        lambda first, second, order, whole=whole: renyi_divergence(
            first, second, order=max(whole(order), 2)
        ),
    )
CLAIM.mistake(
    "the two laws are exchanged",
    WEIGHT,
    lambda first, second, order: renyi_divergence(second, first, order=order),
)
CLAIM.mistake(
    "the larger of both directions is taken",
    "a divergence has a direction: which law is the first?",
    lambda first, second, order: max(
        renyi_divergence(first, second, order=order), renyi_divergence(second, first, order=order)
    ),
)
CLAIM.mistake(
    "outcomes that the second law cannot give are left out",
    "the first law gives an outcome that the second cannot: how large is the ratio there?",
    lambda first, second, order: renyi_divergence(*on_both(first, second), order=order),
)
CLAIM.mistake(
    "the mean is taken under the first law",
    WEIGHT,
    infinite_or(lambda p, q, order: np.log(np.sum(p * (p / q) ** order)) / (order - 1)),
)
CLAIM.mistake(
    "the ratios are added up without weights",
    WEIGHT,
    # Of an outcome that only the second law gives, the ratio is 0.
    infinite_or(lambda p, q, order: np.log(np.sum((p / q) ** order)) / (order - 1)),
)
CLAIM.mistake(
    "the sum is divided by order - 1 before the logarithm is taken",
    "look at the parentheses: of what is the logarithm taken, and what is then divided?",
    infinite_or(lambda p, q, order: np.log(np.sum(q * (p / q) ** order) / (order - 1))),
)
CLAIM.mistake(
    "the power is order - 1 while the mean is taken under the second law",
    WEIGHT,
    infinite_or(lambda p, q, order: np.log(np.sum(q * (p / q) ** (order - 1))) / (order - 1)),
)
CLAIM.mistake(
    "the logarithm is missing",
    "what is done with the sum before it is divided by order - 1?",
    infinite_or(lambda p, q, order: np.sum(q * (p / q) ** order) / (order - 1)),
)
CLAIM.mistake(
    "the max divergence is returned, not that of the order",
    "that is the limit for ever larger orders: what does the definition say for this one?",
    infinite_or(lambda p, q, order: np.log(p / q).max()),
)
CLAIM.mistake(
    "the mean log ratio is returned: the limit of order 1",
    "what does the definition say for this order?",
    infinite_or(lambda p, q, order: np.sum(p * np.log(p / q))),
)
