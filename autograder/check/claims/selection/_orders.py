"""Orders of candidates: who is accepted first in a fair one, and shuffles that are not fair."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

import numpy as np

# How often each order of the candidates comes.
Orders = Mapping[tuple[int, ...], float]


def _shares(orders: Iterable[tuple[int, ...]]) -> Orders:
    counts = Counter(orders)
    return {order: count / counts.total() for order, count in counts.items()}


@cache
def turned(size: int, ways: tuple[int, ...] = (1, -1)) -> Orders:
    """Return the orders that begin anywhere and go round, forwards or backwards."""
    return _shares(
        tuple(np.roll(range(size), k)[::way].tolist()) for k in range(size) for way in ways
    )


def turned_forwards(size: int) -> Orders:
    return turned(size, (1,))


def _swapped(size: int, places: Iterable[int], others: Iterable[Iterable[int]]) -> Orders:
    """Return the orders of a shuffle that swaps each of these places with one of its others."""
    places, orders = list(places), []
    for chosen in itertools.product(*others):
        order = list(range(size))
        for place, other in zip(places, chosen, strict=True):
            order[place], order[other] = order[other], order[place]
        orders.append(tuple(order))
    return _shares(orders)


@cache
def displaced(size: int) -> Orders:
    """Return the orders of a shuffle that swaps with an earlier place, never with itself.

    Source: Sattolo (1986).
    """
    places = range(size - 1, 0, -1)
    return _swapped(size, places, (range(place) for place in places))


@cache
def swapped_with_any(size: int) -> Orders:
    """Return the orders of a shuffle that swaps each place with any other, or with itself."""
    return _swapped(size, range(size), [range(size)] * size)


@cache
def first_when_swapped_with_any(size: int) -> np.ndarray:
    """Return how often each candidate comes first after such a shuffle."""
    chances = np.eye(size)  # of each candidate to stand at each place
    for place in range(size):
        chances += (chances[:, [place]] - chances) / size
        chances[:, place] = 1 / size
    return chances[:, 0]


def evenly_first(size: int) -> np.ndarray:
    return np.full(size, 1 / size)


def first_when_displaced(size: int) -> np.ndarray:
    return np.append(0, np.full(size - 1, 1 / (size - 1)))


@lru_cache(maxsize=512)
def first_accepted(chances: tuple[float, ...], visits: int | None = None) -> np.ndarray:
    """Return how likely each candidate is the first to be accepted, in a random order of all.

    Among m candidates in random order, a certain set of k others comes before one candidate, and
    nobody else, with probability k! * (m - 1 - k)! / m!. All of them must be rejected; the products
    over sets of k are added up by the recursion of the elementary symmetric polynomials. Only
    positive terms are added. If all are rejected, the rest of the probability is lost.
    With `visits` only so many candidates are visited, and the last of them needs no coin.
    """
    size = len(chances)
    shares = [1 / (size * math.comb(size - 1, before)) for before in range(visits or size)]
    law = {}  # candidates that are equally good are equally likely
    for place, chance in enumerate(chances):
        if chance not in law:
            missed = np.eye(1, size)[0]
            for other in (*chances[:place], *chances[place + 1 :]):
                missed[1:] += (1 - other) * missed[:-1]
            ways = missed[: len(shares)] * shares
            law[chance] = float(chance * ways.sum() + (1 - chance) * (ways[-1] if visits else 0.0))
    return np.array([law[chance] for chance in chances])
