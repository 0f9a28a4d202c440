"""The error of one range from noisy Haar coefficients, for any number of cells at once."""

import math

from autograder.check.answers import BadAnswer
from autograder.check.chance.replay import processor_time
from autograder.check.claims.ranges._ranges import haar_coefficient
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims

SECONDS = 0.1
# A call that took longer than this many times what is allowed is not repeated.
_RETRY = 3.0


def range_error(left, right, *, size):
    """A range's error, in O(log size)."""
    return float(haar_coefficient(left, right, size))


def short_ranges(rng):
    """Return fifteen ranges of 1 to 64 cells: all, one, a few side by side, and most of them."""
    yield {"left": 1, "right": 8, "size": 8}
    yield {"left": 2, "right": 4, "size": 4}
    yield {"left": 1, "right": 1, "size": 1}
    for size in (8, 16, 32, 64):
        single = int(rng.integers(2, size - 1))
        narrow = int(rng.integers(1, size - 4))
        wide = int(rng.integers(2, size // 4 + 1))
        yield {"left": single, "right": single, "size": size}
        yield {"left": narrow, "right": narrow + int(rng.integers(2, 5)) - 1, "size": size}
        yield {"left": wide, "right": size - int(rng.integers(1, size // 4)), "size": size}


def long_ranges(rng):
    """Return long ranges of ever more cells: a rule that looks at all is slow before 2**30."""
    for levels in (10, 12, 14, 17, 20, 24, 26, 30):
        left, spare = (int(each) for each in rng.integers(1, 2**levels // 4, 2))
        yield {"left": left, "right": 2**levels - spare, "size": 2**levels}


def in_time(function, *positional, **keywords):
    """Call an answer, which may take so many seconds of processor time.

    Time that a busy machine spends elsewhere is not counted, and a slow call is tried once more:
    it may have had something to import. A right answer takes a thousandth of it.
    """
    for retry in (True, False):
        with processor_time(function) as clock:
            started = clock()
            answer = function(*positional, **keywords)
            spent = clock() - started
        if spent <= SECONDS:
            break
        if not retry or spent > _RETRY * SECONDS:
            raise BadAnswer(
                "the time grows with the number of cells",
                seen=f"one call took {spent:.2g} s, at most {SECONDS:g} s are allowed",
                ask="which nodes does a range cut? On each level there are at most two.",
            )
    return answer


def situation(given):
    return f"cells {given['left']} to {given['right']} of {given['size']:,}"


# Mistakes are named at few cells.
SHORT = FunctionClaim(
    range_error, established="right for few cells", tolerance=1e-9, situation=situation
)
SHORT.inputs(short_ranges)
LONG = FunctionClaim(
    range_error,
    established="right for many cells",
    tolerance=1e-9,
    situation=situation,
    use=in_time,
    ask="it is right for few cells: which numbers grow with the size, and how large a number, or "
    "its square, can the type hold that you keep them in?",
)
LONG.inputs(long_ranges)
CLAIM = SeveralClaims(
    name=SHORT.name,
    about=SHORT.about,
    established="the error of a range, at 15 ranges and at once for 2**30 cells",
    parts=(SHORT, LONG),
)


def nearest(x):
    """Return the distance of x to the nearest whole number."""
    return abs(x - round(x))


def rule(*, shift=(-1, 0), total=2, cross=-2.0, shared=True, power=2, tau=nearest, cut=(0, 0)):
    """Return the rule in O(log size) with one thing changed.

    With a = left - 1 and c = right, a level of nodes of 2**k cells adds tau(a / 2**k)**2 and
    tau(c / 2**k)**2, less twice their product if one node holds both ends (derived from Xiao, Wang
    & Gehrke 2010).
    """

    def function(left, right, *, size):
        start, stop = left + shift[0], right + shift[1]
        error = ((stop - start) / size) ** total if total else 0.0
        for level in range(1 + cut[0], size.bit_length() - cut[1]):
            one, other = tau(start / 2**level), tau(stop / 2**level)
            error += one**power + other**power
            if start // 2**level == stop // 2**level or not shared:
                error += cross * one * other
        return error

    return function


def own_errors(left, right, size):
    """Return the sum of the cells' own errors, (1 + 2 / size**2) / 3 each."""
    return (right - left + 1) * (1 + 2 / size**2) / 3


def covariances(first, pairs):
    """Return the sum over cells and pairs of cells, with the cells counted from `first`."""

    def function(left, right, *, size):
        total = own_errors(left, right, size)
        cells = range(left - 1 + first, right + first)
        for place, one in enumerate(cells):
            for other in cells[place + 1 :]:
                height = (one ^ other).bit_length()
                total += pairs * 2 / 3 * (1.0 / size**2 - 4.0**-height)
        return total

    return function


ENDS = "how many cells lie before the range, and how many up to its end?"
PAIRS = "expand the square of a difference: which term stands between the two squares?"
NOISE = "this is for noise of variance 1: who multiplies by the variance of the noise?"
FACTOR = "what does a factor do to a variance?"

for name, ask, function in (
    (
        "the cells' own errors are added, their covariances lost",
        "are the noisy counts of two neighboring cells independent?",
        own_errors,
    ),
    (
        "every pair of cells is counted once",
        "in the variance of a sum, how often does the covariance of one pair appear?",
        covariances(0, 1),
    ),
    (
        "cells are counted from 1 where they meet in the tree",
        "which cells share a node of two: 1 and 2, or 2 and 3? The XOR needs counts from 0.",
        covariances(1, 2),
    ),
    (
        "the cells are added as if each had noise of its own",
        "that is flat noise: what does the reconstruction matrix do to the noise?",
        lambda left, right, size: right - left + 1,
    ),
    ("the last cell of the range is left out", ENDS, rule(shift=(-1, -1))),
    ("the first cell of the range is left out", ENDS, rule(shift=(0, 0))),
    ("the range is moved by one cell", ENDS, rule(shift=(0, 1))),
    ("the ends of the range lie half a cell off", ENDS, rule(shift=(-0.5, 0.5))),
    ("the total is missing", "which question do all cells share?", rule(total=0)),
    ("the share of the total is not squared", FACTOR, rule(total=1)),
    (
        "a node that holds both ends is counted as two",
        "if both ends lie in one node, it has one coefficient: what stands before it?",
        rule(cross=0.0),
    ),
    ("the product in a node with both ends is halved", PAIRS, rule(cross=-1.0)),
    ("the product in a node with both ends is added", PAIRS, rule(cross=2.0)),
    (
        "both ends are paired in nodes that hold only one",
        "on which levels do both ends lie in the same node?",
        rule(shared=False),
    ),
    ("the distances are not squared", FACTOR, rule(power=1)),
    (
        "the remainder is used, not the distance to the nearest whole number",
        "past the middle of a node, does its coefficient count more or less?",
        rule(tau=lambda x: x - math.floor(x)),
    ),
    (
        "the top level is left out",
        "on which levels are there nodes? The widest has `size` cells.",
        rule(cut=(0, 1)),
    ),
    (
        "the lowest level is left out",
        "on which levels are there nodes? The narrowest has 2 cells.",
        rule(cut=(1, 0)),
    ),
    (
        "the sensitivity is in it",
        NOISE,
        lambda left, right, size: size.bit_length() ** 2 * rule()(left, right, size=size),
    ),
    (
        "the mean squared error at epsilon 1 is returned",
        NOISE,
        lambda left, right, size: 2 * size.bit_length() ** 2 * rule()(left, right, size=size),
    ),
):
    SHORT.mistake(name, ask, function)
SHORT.mistake(
    "the standard deviation is returned", "is a variance wanted, or its root?", then=math.sqrt
)
