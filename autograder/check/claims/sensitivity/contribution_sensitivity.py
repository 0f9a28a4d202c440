"""How far one person can move a sum in which each row counts by itself, in any way."""

import numpy as np

from autograder.check.function_claim import FunctionClaim


def contribution_sensitivity(contribution, *, domain, neighbors):
    """How far one person moves the sum of contribution(value) over all rows."""
    # By the definition: a row is added to nothing, or takes the place of another.
    added = [float(contribution(value)) for value in domain]
    others = [0.0] if neighbors == "add_remove" else added
    return max(abs(one - other) for one in added for other in others)


CLAIM = FunctionClaim(
    contribution_sensitivity,
    established="the largest move of the sum, for both kinds of neighbors",
    absolute=1e-9,
)


def clipped(value, a, b):
    return min(max(value, a), b)


def above_a(value, a, b):
    return max(value - a, 0)


def from_the_middle(value, a, b):
    return value - (a + b) / 2


def minus_distance(value, a, b):
    return -abs(value - a)


def distance_less_b(value, a, b):
    return abs(value - a) - b


def counted_between(value, a, b):
    return float(a <= value < b)


def value_and_a(value, a, b):
    return value + a


KINDS = (
    clipped,
    above_a,
    from_the_middle,
    minus_distance,
    distance_less_b,
    counted_between,
    value_and_a,
)


@CLAIM.inputs
def sixteen(rng):
    """Each kind of contribution, and a domain of one value; both neighbors.

    The values come in no order, and reach beyond a and b on both sides.
    """
    for place, kind in enumerate((*KINDS, value_and_a)):
        start = int(rng.integers(-60, 30))
        size = 1 if place == len(KINDS) else int(rng.integers(30, 60))
        domain = rng.permutation(np.arange(start, start + size)).tolist()
        a = start + int(rng.integers(4, 9))
        b = a + int(rng.integers(7, 15))
        for neighbors in ("add_remove", "replace_one"):
            given = {"domain": list(domain), "neighbors": neighbors}
            yield {"contribution": with_numbers(kind, a, b), **given}


@CLAIM.designed
def odd(rng):
    """Domains and contributions with structure; a row need not hold a number."""
    start = int(rng.integers(2, 30))
    numbers = rng.permutation(np.arange(start, start + 20)).tolist()
    many = rng.permutation(400).tolist()
    heights = dict(zip(many, rng.normal(size=400).tolist(), strict=True))
    for name, contribution, domain in (
        ("words, which add their lengths", lambda word: len(word), ["ash", "birch", "oak", ""]),
        ("the only value adds -7.5", lambda value: -7.5, [3]),
        ("everybody adds nothing", lambda value: 0, numbers),
        ("a value adds 50 - value", lambda value: 50 - value, [*numbers, 0]),
        ("everybody adds the same", lambda value: start, numbers),
        ("nobody adds more than 0", lambda value: -value, numbers),
        ("a value adds a quarter of 1 / value", lambda value: 0.25 / value, numbers),
        ("a value adds 1e9 + value", lambda value: 1e9 + value, numbers),
        (
            "the first adds a whole number, the others do not",
            lambda value: 1 if value == numbers[0] else value / 8,
            numbers,
        ),
        ("many hills and valleys", lambda value: heights[value], many),
        ("the largest is inside the domain", lambda value: -((value - start - 7) ** 2), numbers),
        # Between its two values there are whole numbers that no row can have.
        ("a domain with a gap", lambda value: 30 - abs(value - start - 5), [start + 10, start]),
    ):
        contribution.__name__ = "as said"
        for neighbors in ("add_remove", "replace_one"):
            given = {"contribution": contribution, "domain": list(domain), "neighbors": neighbors}
            yield name, given


def with_numbers(kind, a, b):
    """Return a contribution whose name says its numbers."""

    def contribution(value):
        return kind(value, a, b)

    contribution.__name__ = f"{kind.__name__} with a = {a} and b = {b}"
    return contribution


def largest(rows):
    return np.abs(rows).max()


def of_rows(added=largest, replaced=np.ptp):
    """Return one formula for each kind of neighbors, of what the rows add."""

    def function(contribution, *, domain, neighbors):
        rows = np.array([contribution(value) for value in domain], dtype=float)
        return float((added if neighbors == "add_remove" else replaced)(rows))

    return function


def by_the_ends(contribution, *, domain, neighbors):
    ends = sorted({min(domain), max(domain)})
    return contribution_sensitivity(contribution, domain=ends, neighbors=neighbors)


def by_the_values(contribution, *, domain, neighbors):
    return contribution_sensitivity(lambda value: value, domain=domain, neighbors=neighbors)


COMES = "a row comes: from which sum to which does the answer go?"
CHANGES = "a row's value changes: from which sum to which does the answer go?"
SIGN = "may a row make the sum smaller? By how much does it move then?"

CLAIM.mistake("a row that comes is treated like a row that changes", COMES, of_rows(np.ptp))
CLAIM.mistake(
    "a row that changes is treated like a row that comes", CHANGES, of_rows(replaced=largest)
)
CLAIM.mistake("the two kinds of neighbors are exchanged", COMES, of_rows(np.ptp, largest))
CLAIM.mistake("the largest contribution is taken, with its sign", SIGN, of_rows(np.max))
CLAIM.mistake(
    "the largest contribution is taken, for both kinds of neighbors", SIGN, of_rows(np.max, np.max)
)
CLAIM.mistake(
    "a replaced row counts as one removed and one added",
    "that is a bound, not the largest move. " + CHANGES,
    of_rows(replaced=lambda rows: 2 * largest(rows)),
)
CLAIM.mistake(
    "the sizes of the largest and the smallest contribution are added",
    CHANGES,
    of_rows(replaced=lambda rows: abs(rows.max()) + abs(rows.min())),
)
CLAIM.mistake(
    "the sizes of the largest and the smallest contribution are subtracted",
    CHANGES,
    of_rows(replaced=lambda rows: abs(abs(rows.max()) - abs(rows.min()))),
)
CLAIM.mistake(
    "the sizes are subtracted, not the contributions",
    "one row adds 5 and another -5: how far does the sum go when the one becomes the other?",
    of_rows(replaced=lambda rows: np.ptp(np.abs(rows))),
)
CLAIM.mistake(
    "your code lets one row that comes move the sum up and down at once",
    "a row comes: which moves can it make, and does it make all of them?",
    of_rows(lambda rows: np.ptp([*rows, 0.0])),
)
CLAIM.mistake(
    "the smallest size is taken",
    "the sensitivity is the largest move: which row makes it?",
    of_rows(lambda rows: np.abs(rows).min()),
)
CLAIM.mistake(
    "only the smallest and the largest value of the domain are looked at",
    "does a larger value always add more?",
    by_the_ends,
)
CLAIM.mistake(
    "only the first and the last value of the domain are looked at",
    "which value of the domain adds most? Does it stand first or last?",
    of_rows(lambda rows: largest(rows[[0, -1]]), lambda rows: np.ptp(rows[[0, -1]])),
)
CLAIM.mistake(
    "a row that changes may also add 0",
    "every row of the domain adds what it adds: does one of them add 0 here?",
    of_rows(replaced=lambda rows: np.ptp([*rows, 0.0])),
)
CLAIM.mistake(
    "a row that comes is measured from the mean of the contributions",
    COMES,
    of_rows(lambda rows: largest(rows - rows.mean())),
)
CLAIM.mistake(
    "contributions are cut to whole numbers",
    "which step makes a whole number of what a row adds?",
    of_rows(lambda rows: largest(np.trunc(rows)), lambda rows: np.ptp(np.trunc(rows))),
)
CLAIM.mistake(
    "the values are compared, not what they add to the sum",
    "what does a row add to *this* sum?",
    by_the_values,
)
CLAIM.mistake(
    "only neighboring values of the domain are compared",
    "may a row change to any other value?",
    of_rows(replaced=lambda rows: np.abs(np.diff(rows)).max() if len(rows) > 1 else 0.0),
)
CLAIM.mistake(
    "the contributions are averaged",
    "the attacker waits for the row that moves the sum most: which one is it?",
    of_rows(lambda rows: np.abs(rows).mean()),
)
CLAIM.mistake(
    "the sum is treated like a count",
    "by how much does one row move this sum?",
    of_rows(lambda rows: 1.0, lambda rows: 1.0),
)
CLAIM.mistake(
    "the sign is wrong", "may a size be negative?", of_rows(replaced=lambda rows: -np.ptp(rows))
)
