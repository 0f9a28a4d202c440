"""The L1 and the L2 sensitivity of a vector of sums, found by looking at all who could come."""

import itertools
import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.function_claim import FunctionClaim


def vector_sensitivities(contribution, *, domain, neighbors):
    """How far one person moves the vector of sums, in both norms: (l1, l2)."""
    return norms(changes(contribution, domain, neighbors))


def changes(contribution, domain, neighbors):
    """Return every change that one person can make: a row, or the difference of two rows."""
    rows = [[float(part) for part in contribution(value)] for value in domain]
    if neighbors == "add_remove":
        return rows
    pairs = itertools.product(rows, rows)
    return [[one - other for one, other in zip(*pair, strict=True)] for pair in pairs]


def l1(change):
    return math.fsum(abs(part) for part in change)


def l2(change):
    return math.sqrt(math.fsum(part * part for part in change))


def norms(moves, first=l1, second=l2):
    """Return the two largest norms of a change."""
    return max(map(first, moves)), max(map(second, moves))


def two_numbers(answer: Any, given: dict) -> np.ndarray:
    """Return (l1, l2) as an array, or raise BadAnswer."""
    parts = None
    if isinstance(answer, tuple | list) or (isinstance(answer, np.ndarray) and answer.ndim == 1):
        parts = list(answer)
    if parts is None or len(parts) != 2:
        raise BadAnswer(
            "two numbers are wanted: l1, l2",
            seen="it returned nothing" if answer is None else f"it returned {answer!r}"[:100],
            ask="does your function end in `return l1, l2`?",
        )
    return np.array([as_number(part) for part in parts])


def both(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    pairs = (tuple(round(float(part), 4) for part in each) for each in (wanted, came))
    return "(l1, l2) should be {}, yours is {}".format(*pairs)


CLAIM = FunctionClaim(
    vector_sensitivities,
    established="both norms of the largest change, for both kinds of neighbors",
    read=two_numbers,
    absolute=1e-9,
    show=both,
)


def at_least_each_cut(value, cuts, small, large):
    return [float(value >= cut) for cut in cuts]


def a_bin_each(value, cuts, small, large):
    return [float(value % len(cuts) == k) for k in range(len(cuts))]


def one_and_value_and_square(value, cuts, small, large):
    return [1.0, float(value), float(value * value) / 10]


def value_and_distance(value, cuts, small, large):
    return [float(value), -abs(value - cuts[0]), 2.0]


def much_to_one_or_little_to_many(value, cuts, small, large):
    return [large, *[0.0] * 7] if value % 5 == 0 else [0.0, *[small] * 7]


KINDS = (
    at_least_each_cut,
    a_bin_each,
    one_and_value_and_square,
    value_and_distance,
    much_to_one_or_little_to_many,
)


def letters_and_a(word):
    return np.array([len(word), "a" in word])


def odd_vectors(rng):
    """Return (what is special, the contribution in words, contribution, domain)."""
    numbers = rng.permutation(np.arange(-4, 7)).tolist()
    wide, hills = rng.uniform(-1, 1, (5, 1_100)), rng.normal(size=(50, 3))
    return (
        (
            "most at 0",
            "[9 - value**2, 1]",
            lambda value: np.array([9 - value**2, 1]),
            [2, 0, -3, 1],
        ),
        ("one entry", "[value - 1]", lambda value: np.array([value - 1]), numbers),
        ("more than 1,000 entries", "1,100 numbers", lambda value: wide[value], [2, 0, 1, 4]),
        ("many hills and valleys", "3 numbers", hills.__getitem__, rng.permutation(50).tolist()),
        ("nobody adds anything", "[0, 0, 0]", lambda value: np.zeros(3), numbers),
        ("a domain of one value", "[-3, 4]", lambda value: np.array([-3.0, 4.0]), ["only"]),
        ("everybody adds the same", "[0.5, -0.5]", lambda value: np.array([0.5, -0.5]), numbers),
        ("words", "[letters, an a]", letters_and_a, ["ash", "birch", "oak"]),
        (
            "parts of 1",
            "[0.01 * value, 0.02]",
            lambda value: np.array([0.01 * value, 0.02]),
            numbers,
        ),
    )


@CLAIM.designed
def odd(rng):
    for name, words, contribution, domain in odd_vectors(rng):
        for neighbors in ("add_remove", "replace_one"):
            given = {"domain": list(domain), "neighbors": neighbors}
            yield name, {"contribution": named(contribution, words), **given}


@CLAIM.inputs
def ten(rng):
    """Each kind of vector, for both neighbors."""
    for kind in KINDS:
        start = int(rng.integers(-12, -4))
        domain = list(range(start, start + int(rng.integers(24, 34))))
        cuts = sorted(rng.choice(range(start + 2, start + 20), 6, False).tolist())
        # The L1 norm is larger for the many small parts, the L2 norm for the large one.
        small = round(rng.uniform(1, 2), 2)
        numbers = cuts, small, round(small * rng.uniform(3.2, 5), 2)
        for neighbors in ("add_remove", "replace_one"):
            # A value of the middle comes first: no row changes most that comes from it.
            order = sorted(rng.permutation(domain).tolist(), key=domain[len(domain) // 2].__ne__)
            given = {"domain": order, "neighbors": neighbors}
            yield {"contribution": with_numbers(kind, numbers), **given}


def with_numbers(kind, numbers):
    """Return a contribution whose name says its numbers."""
    return named(lambda value: np.array(kind(value, *numbers)), f"{kind.__name__} of {numbers}")


def named(function, words):
    """Return a contribution with a name of its own, which messages print."""

    def contribution(value):
        return function(value)

    contribution.__name__ = words
    return contribution


def of_changes(choose):
    """Return a function of all changes that one person can make."""
    return lambda contribution, *, domain, neighbors: choose(
        changes(contribution, domain, neighbors)
    )


def of_one_change(moves):
    worst = max(moves, key=l1)
    return l1(worst), l2(worst)


def of_largest_entries(moves):
    """Return the norms of a change that is, in each sum, the largest: nobody need make it."""
    worst = np.abs(moves).max(axis=0).tolist()
    return l1(worst), l2(worst)


def doubled(contribution, *, domain, neighbors):
    factor = 1 if neighbors == "add_remove" else 2
    return tuple(factor * norm for norm in norms(changes(contribution, domain, "add_remove")))


def norms_apart(rows, neighbors):
    """Return how far the norms of two rows are apart, or the largest norms."""
    if neighbors == "add_remove":
        return norms(rows)
    return tuple(float(np.ptp([norm(row) for row in rows])) for norm in (l1, l2))


def of_rows(join):
    """Return a function of what join(rows) gives for the changes of a row that is replaced."""

    def function(contribution, *, domain, neighbors):
        rows = np.array(changes(contribution, domain, "add_remove"))
        return norms(rows if neighbors == "add_remove" or len(rows) < 2 else join(rows))

    return function


def whole(change):
    return abs(sum(change))


WHICH = "does one person make both the largest L1 change and the largest L2 change?"

CLAIM.mistake(
    "the two norms are exchanged", "which of the two has a root?", then=lambda pair: pair[::-1]
)
CLAIM.mistake("L2 is taken for the change that is largest in L1", WHICH, of_changes(of_one_change))
CLAIM.mistake(
    "each entry is taken at its largest",
    "is there one person who makes all these changes at once?",
    of_changes(of_largest_entries),
)
CLAIM.mistake(
    "the entries are added without absolute values",
    "one entry falls by 1 and another rises by 1: how large is the change?",
    of_changes(lambda moves: norms(moves, first=whole)),
)
CLAIM.mistake(
    "the changes keep their signs in the L1 sum",
    "one entry falls by 1 and another rises by 1: how large is the change?",
    of_changes(lambda moves: norms(moves, first=sum)),
)
CLAIM.mistake(
    "the root of L2 is missing",
    "in which units is the length of an arrow?",
    then=lambda pair: (pair[0], pair[1] ** 2),
)
CLAIM.mistake(
    "L2 is the root of L1",
    "are the entries squared before they are added?",
    then=lambda pair: (pair[0], math.sqrt(pair[0])),
)
CLAIM.mistake(
    "only the largest entry of a change counts",
    "one person may move several entries: how are their sizes joined?",
    of_changes(lambda moves: norms(moves, first=lambda change: max(map(abs, change)))),
)
CLAIM.mistake(
    "the neighbors are always add_remove",
    "a row is replaced: which two people does the change join?",
    given={"neighbors": "add_remove"},
)
CLAIM.mistake(
    "the neighbors are always replace_one",
    "a row comes: what was there before it?",
    given={"neighbors": "replace_one"},
)
CLAIM.mistake(
    "a replaced row counts as the worst one removed and the worst one added",
    "that is a bound: do the two changes add up in every entry?",
    doubled,
)
CLAIM.mistake(
    "the norms of two rows are subtracted, not the rows",
    "two arrows of one length may point apart: how long is the change from one to the other?",
    lambda contribution, *, domain, neighbors: norms_apart(
        changes(contribution, domain, "add_remove"), neighbors
    ),
)
CLAIM.mistake(
    "only neighboring values of the domain are compared",
    "may a row change to any other value?",
    of_rows(lambda rows: np.diff(rows, axis=0)),
)
CLAIM.mistake(
    "all values are compared with the first of the domain",
    "may a row change to any other value?",
    of_rows(lambda rows: rows - rows[0]),
)
CLAIM.mistake(
    "the sizes of two rows' entries are subtracted, not the entries",
    "one entry is 5 and becomes -5: how far does its sum go?",
    of_rows(lambda rows: (np.abs(rows[:, None]) - np.abs(rows)).reshape(-1, rows.shape[1])),
)
CLAIM.mistake(
    "the norm is that of all changes as one matrix",
    "numpy's `norm` of a table is one number of the whole table: which `axis` gives one a row?",
    of_changes(lambda moves: (np.linalg.norm(moves, 1), np.linalg.norm(moves, 2))),
)
CLAIM.mistake(
    "the number of entries is taken",
    "does each person move each entry, and by 1?",
    of_changes(lambda moves: (len(moves[0]), math.sqrt(len(moves[0])))),
)
CLAIM.mistake(
    "the smallest change is taken",
    "the sensitivity is the largest change: over whom?",
    of_changes(lambda moves: (min(map(l1, moves)), min(map(l2, moves)))),
)
