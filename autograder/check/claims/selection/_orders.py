"""Shuffles that are not fair: how often each order comes, and who comes first."""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

# How often each order of the candidates comes.
Orders = Mapping[tuple[int, ...], float]


def _shares(orders: Iterable[tuple[int, ...]]) -> Orders:
    counts = Counter(orders)
    return {order: count / counts.total() for order, count in counts.items()}


@cache
def turned(size: int) -> Orders:
    """Return the orders that begin anywhere and go round, forwards or backwards."""
    return _shares(
        tuple(np.roll(range(size), k)[::way].tolist()) for k in range(size) for way in (1, -1)
    )


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
