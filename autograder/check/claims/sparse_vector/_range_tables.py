"""Tables of values for ranges of which chance decides whether they are found, or does not."""

from collections.abc import Iterator

import numpy as np

# Numbers minus the threshold, in units of 2 * count / epsilon; then count and epsilon.
_SETTINGS = (
    ((1.5, 1.5, 0.5, 1.0, 4.0), 3, (0.9, 1.2)),
    ((-5.0, -5.0, 3.5, -5.5, 3.0), 2, (0.5, 0.7)),
)
# Here the threshold is so low that an empty range is often found.
_NEAR_ZERO = ((-0.5, 0.5, -0.5, 0.5), 2, (0.5, 0.7))


def draw_tables(generator: np.random.Generator) -> Iterator[dict]:
    """Return three settings in which it is a matter of chance which ranges are found.

    At the last two of four ranges are empty.
    """
    for offsets, count, epsilons in _SETTINGS:
        epsilon = round(generator.uniform(*epsilons), 2)
        threshold = int(generator.integers(70, 110))
        moved = np.array(offsets) + generator.uniform(-0.2, 0.2, len(offsets))
        numbers = np.round(threshold + moved * 2 * count / epsilon).astype(int)
        yield table(generator, numbers, threshold, count, epsilon)
    offsets, count, epsilons = _NEAR_ZERO
    epsilon = round(generator.uniform(*epsilons), 2)
    threshold = round(count / epsilon)
    numbers = np.where(np.array(offsets) < 0, 0, 2 * threshold)
    yield table(generator, numbers, threshold, count, epsilon)


def draw_clear_tables(generator: np.random.Generator) -> Iterator[dict]:
    """Return three settings in which chance does not decide: all gaps are above 200 units.

    An answer's noise has scale 4 units: it bridges a gap with probability below exp(-40).
    """
    for many, count, epsilons, units in (
        (3, 3, (3.0, 4.5), 400),
        (2, 4, (5.0, 7.0), 400),
        (2, 3, (0.1, 0.11), 220),
    ):
        epsilon = round(generator.uniform(*epsilons), 3)
        threshold = int(units * 2 * count / epsilon)
        numbers = threshold * np.where(np.arange(5) < many, 2, 0)
        numbers = generator.permutation(numbers + generator.integers(12, 60, 5))
        yield table(generator, numbers, threshold, count, epsilon)


def table(
    generator: np.random.Generator,
    numbers: np.ndarray,
    threshold: float,
    count: int,
    epsilon: float,
    *,
    whole: bool = False,
) -> dict:
    """Return a table with so many values in each range; some lie on a bound.

    Most values are not whole, unless all shall be.

    Each range is ten wide or more, and a gap of ten follows: nobody is in two ranges. They come in
    no order. "numbers" counts them in each range with its lower bound and without its upper one.
    """
    lowest = int(generator.integers(5, 30))
    ranges, values = {}, []
    for place in generator.permutation(len(numbers)).tolist():
        number = int(numbers[place])
        lower, upper = lowest, lowest + int(generator.integers(10, 20))
        on_lower = min(int(generator.integers(4, 7)), number)
        on_upper = int(generator.integers(10, 14))
        values += [lower] * on_lower + [upper] * on_upper
        inside = generator.uniform(lower + 0.1, upper - 0.1, number - on_lower)
        inside = np.floor(inside).astype(int) if whole else np.round(inside, 1)
        values += inside.tolist()
        ranges[place] = lower, upper
        lowest = upper + 10
    return {
        "values": generator.permutation(values).tolist(),
        "ranges": [ranges[place] for place in range(len(numbers))],
        "numbers": numbers.tolist(),
        "threshold": threshold,
        "count": count,
        "epsilon": epsilon,
    }
