"""The chances of a report of k-ary randomized response, right and wrong."""

import math
from collections import Counter
from collections.abc import Callable

# The chances of one person's report, by code, from their own code, the domain's size and epsilon.
Report = Callable[[int, int, float], list[float]]


def groups(parameters: dict, report: Report) -> list[tuple[int, float]]:
    """Return how many people report their own code with each chance."""
    size, epsilon = parameters["domain_size"], parameters["epsilon"]
    found = Counter()
    for code, people in Counter(parameters["codes"]).items():
        found[report(code, size, epsilon)[code]] += people
    return [(people, chance) for chance, people in found.items()]


def true_with(probability: Callable[[int, float], float]) -> Report:
    """Return the report that is true with this probability, else one of the others, evenly."""

    def report(code, size, epsilon):
        truth = probability(size, epsilon)
        return [truth if other == code else (1 - truth) / (size - 1) for other in range(size)]

    return report


def truth_of(size: int, epsilon: float) -> float:
    # Kairouz, Oh & Viswanath (2014): p = exp(epsilon) / (exp(epsilon) + k - 1).
    return 1 / (1 + (size - 1) * math.exp(-epsilon))


def moved_by(shifts: Callable[[int], set[int]]) -> Report:
    """Return the report whose lies are the own code moved by one of these shifts, in a circle."""

    def report(code, size, epsilon):
        truth, moved = truth_of(size, epsilon), {(code + shift) % size for shift in shifts(size)}
        return [
            truth if k == code else (1 - truth) / len(moved) * (k in moved) for k in range(size)
        ]

    return report


def without(last: bool) -> Report:
    """Return the report whose lies never come to the first, or to the last, code."""

    def report(code, size, epsilon):
        missing = size - 1 if last else 0
        truth = truth_of(size, epsilon)
        others = [k for k in range(size) if k not in (code, missing)]
        return [
            truth if k == code else (1 - truth) / max(len(others), 1) * (k in others)
            for k in range(size)
        ]

    return report


def even_with(probability: Callable[[int, float], float]) -> Report:
    """Return the report that is true with this probability, else any code, the true one too."""
    return true_with(
        lambda size, epsilon: probability(size, epsilon) + (1 - probability(size, epsilon)) / size
    )
