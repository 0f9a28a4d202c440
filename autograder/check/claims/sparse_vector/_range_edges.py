"""Tables of values for ranges at the edges of the numbers, and ranges that overlap."""

from collections.abc import Sequence

import numpy as np

from autograder.check.claims.composition._noisy_counts import MANY_COUNTS
from autograder.check.claims.sparse_vector._range_tables import table
from autograder.check.designed import at_edges
from autograder.check.designed.trials import NamedSetting

# Two ranges hold many, after five that hold few: minus the threshold, in units of 2 * count /
# epsilon. Noise of another scale shows here in few draws.
_OFFSETS = np.array([-8.0] * 5 + [8.0] * 2)
# Here every range is found whatever the chance: so far below all numbers is the threshold.
_CLEAR = -230


def search_edges(generator: np.random.Generator) -> list[NamedSetting]:
    """Return settings in which it is a matter of chance which ranges are found.

    At a smaller epsilon than here the tables would be very long.
    """
    little, many = round(generator.uniform(0.03, 0.045), 3), int(generator.integers(101, 150))
    named = [
        (f"{name} {each}", _by_chance(generator, **{"count": 2, "epsilon": 0.9, **given}))
        for name, each, given in (
            *(
                ("epsilon", each, {"epsilon": each})
                for each in at_edges("epsilon", generator, but=["below 0.05"])
            ),
            ("epsilon", little, {"count": 1, "epsilon": little}),
            ("count", 1, {"count": 1}),
            ("count", many, {"count": many, "epsilon": 9.5}),
        )
    ]
    high = {"threshold": int(generator.integers(10_001, 15_000)), "count": 2, "epsilon": 0.9}
    few = {"threshold": 9, "count": 2, "epsilon": 0.9}
    near = np.array([1, 5, 9, 5])
    return [
        *named,
        *_low_thresholds(generator),
        ("a threshold above 10,000", table(generator, np.array([30, 60, 0]), **high)),
        ("one range", table(generator, np.array([11]), **few)),
        ("no values", table(generator, np.zeros(4, int), **few) | {"values": []}),
        ("values in whole numbers", table(generator, np.array([3, 25, 8]), whole=True, **few)),
        ("ranges that overlap, whose ends are not whole", _overlapping(generator, **few)),
        # That a range was found says nothing about the noise of its number.
        ("numbers near the threshold", table(generator, near, **few) | {"with_sides": True}),
    ]


def _low_thresholds(generator: np.random.Generator) -> list[NamedSetting]:
    low, numbers = -int(generator.integers(15, 25)), np.array([0, 2, 2, 2, 2])
    thresholds = {"of 0": (0, 0.9), "below 0": (low, 0.9), "that is not whole": (2.5, 16.0)}
    return [
        (f"a threshold {name}", table(generator, numbers, threshold, count=2, epsilon=epsilon))
        for name, (threshold, epsilon) in thresholds.items()
    ]


def number_edges(generator: np.random.Generator) -> list[NamedSetting]:
    """Return settings in which the first ranges are found whatever the chance."""
    usual, many = {"count": 2, "epsilon": 0.9}, int(generator.integers(101, 150))
    named = [
        (f"{name} {each}", _found(generator, **{**usual, name: each}))
        for name, each in (
            *(("epsilon", each) for each in at_edges("epsilon", generator)),
            *(("count", each) for each in (1, many)),
        )
    ]
    narrow = {"count": 2, "epsilon": 30.0}
    high = int(generator.integers(10_001, 12_000))
    overlapping = _overlapping(
        generator, threshold=round(_CLEAR * 2 * 5 / 0.9), count=5, epsilon=0.9
    )
    differ = generator.permutation(np.arange(1, MANY_COUNTS + 1)).tolist()
    return [
        *named,
        ("a threshold of 0", table(generator, np.array([60, 90, 75]), threshold=0, **narrow)),
        (
            "a threshold above 10,000",
            table(generator, np.array([high + 90]), threshold=high, **narrow),
        ),
        ("one range", _found(generator, ranges=1, **usual)),
        ("values in whole numbers", _found(generator, whole=True, **usual)),
        ("ranges that overlap, whose ends are not whole", overlapping),
        ("ranges that hold nobody", _found(generator, numbers=[0, 0], **usual)),
        ("no two numbers alike", _found(generator, numbers=differ, count=MANY_COUNTS, epsilon=0.9)),
    ]


def _by_chance(generator: np.random.Generator, *, count: int, epsilon: float) -> dict:
    unit = 2 * count / epsilon
    threshold = int(np.ceil(-_OFFSETS.min() * unit))
    numbers = np.round(threshold + _OFFSETS * unit).clip(0).astype(int)
    return table(generator, numbers, threshold=threshold, count=count, epsilon=epsilon)


def _found(
    generator: np.random.Generator,
    *,
    count: int,
    epsilon: float,
    ranges: int = 3,
    whole: bool = False,
    numbers: Sequence[int] = (),
) -> dict:
    # An answer that never reports an empty range is named where it is a matter of chance.
    numbers = np.array(numbers or generator.integers(1, 40, ranges))
    threshold = int(_CLEAR * 2 * count / epsilon)
    return table(generator, numbers, threshold=threshold, count=count, epsilon=epsilon, whole=whole)


def _overlapping(generator: np.random.Generator, **given) -> dict:
    """Return ranges: one lies in another, two share a part, two a bound, and two begin alike.

    Many values lie nearer than 1 to the shared bound: whoever cuts them moves them across it.
    """
    low = round(generator.uniform(-30, -20)) + 0.5
    ranges = [
        (low, low + 40),
        (low, low + 12),
        (low + 10, low + 20),
        (low + 15, low + 60),
        (low + 20, low + 25.5),
    ]
    ranges = [ranges[place] for place in generator.permutation(len(ranges))]
    near = np.repeat([low + 19.8, low + 20.2], 25)
    values = np.round(np.append(generator.uniform(low - 5, low + 70, 100), near), 1)
    numbers = [int(((values >= lower) & (values < upper)).sum()) for lower, upper in ranges]
    return {"values": values.tolist(), "ranges": ranges, "numbers": numbers, **given}
