"""Finds the generators of an answer whose seed somebody has chosen: everybody can foresee them."""

import contextlib
import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import numpy as np

from autograder.check.chance.cells import constants_beside, made_again
from autograder.check.chance.replay import reached, reseed
from autograder.check.chance.twister import seed_before
from autograder.check.elsewhere import beside

_KINDS = (np.random.Generator, np.random.RandomState, random.Random)
# Numbers below this are chosen, and texts of at most so many letters.
_FEW, _SHORT_TEXT = 1_000, 4
_LONGEST_AGE = 3_600  # seconds for which the time of day may be told from a seed
_CLOCKS = (1, 10**3, 10**6, 10**9)  # a clock's steps in a second
_WORD = 32  # bits
_LONGEST_SEED = 40  # characters of it that are shown

# The states of the global generators before they were seeded for an answer, the latest last.
_states_before: list[list[Any]] = []


@contextlib.contextmanager
def global_generators_reseeded() -> Iterator[None]:
    """Seed numpy's and Python's global generators from the system's entropy for a while."""
    kept = [_state(each) for each in _global_generators()]
    _states_before.append(kept)
    reseed()
    try:
        yield
    finally:
        _states_before.pop()
        np.random.mtrand._rand.set_state(kept[0])
        random.setstate(kept[1])


@beside
@contextlib.contextmanager
def fixed_seeds(function: Callable) -> Iterator[Callable[[], list[str]]]:
    """Yield a function that names the seeds of the answer's generators that were used since.

    Only seeds that somebody has chosen, of generators that the answer holds and has not made, or of
    the global ones: they are the same in every session, so whoever runs the notebook's cells knows
    what comes.
    """
    ours = _global_generators()
    held = [
        thing
        for thing in reached(function)
        if isinstance(thing, _KINDS) and not any(thing is each for each in ours)
    ]
    watched = [*held, *ours]
    before = [_state(thing) for thing in watched]
    first = before[: len(held)] + (_states_before[-1] if _states_before else before[len(held) :])

    def used() -> list[str]:
        triples = zip(watched, before, first, strict=True)
        moved = [(each, made) for each, state, made in triples if not _same(_state(each), state)]
        seeds = [(each, seed) for each, made in moved if (seed := _seed(each, made)) is not None]
        known = constants_beside(function) if seeds else ()
        return [
            _in_words(seed)
            for each, seed in seeds
            if _is_foreseen(seed, made_again(function, each), known)
        ]

    yield used


def _global_generators() -> list[Any]:
    return [np.random.mtrand._rand, random._inst]


def _is_foreseen(seed: Any, again: Any, known: Collection) -> bool:
    """Say whether the next session's seed is known: it is the same, or it looks chosen.

    A new seed may look chosen by chance. So what its statement makes now must look so, too, unless
    the seed stands in the text: then `seed(...)` may have set it after that statement.

    Args:
      seed: what a generator of the answer was made from.
      again: the generator that its statement makes now; anything else if that is unknown.
      known: the constants in the text of the cells.
    """
    if not isinstance(again, _KINDS):
        return _is_chosen(seed, known)
    other = _seed(again, _state(again))
    if other is not None and np.array_equal(other, seed):
        return True
    stands_there = isinstance(seed, int | bytes) and seed in known
    both = stands_there or other is None or _is_chosen(other, known)
    return both and _is_chosen(seed, known)


def _state(generator: Any) -> Any:
    """Return a generator's state, numpy's as a dictionary; None for one that has none."""
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    if isinstance(generator, np.random.RandomState):
        return generator.get_state(legacy=False)
    return None if isinstance(generator, random.SystemRandom) else generator.getstate()


def _same(one: Any, other: Any) -> bool:
    """Say whether two states of one generator are equal."""
    if isinstance(one, dict):
        return all(_same(one[name], other[name]) for name in one)
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other


def _seed(generator: Any, state: Any) -> Any:
    """Return the seed of a generator: a number, several, or bytes; None if it tells none."""
    if isinstance(generator, random.Random):
        return seed_before(state[1][:-1])
    bits = getattr(generator, "bit_generator", getattr(generator, "_bit_generator", None))
    entropy = getattr(bits.seed_seq, "entropy", None)
    if isinstance(generator, np.random.RandomState) and state["bit_generator"] == "MT19937":
        # `np.random.seed` leaves the generator's first entropy where it was.
        found = seed_before(state["state"]["key"])
        return entropy if found is None else found
    return entropy


def _is_chosen(seed: Any, known: Collection) -> bool:
    """Say whether a seed is the same again when the notebook's cells are run anew.

    It is if it stands in their text, if it is small, or if it is a time of day within the hour.
    A new seed from the system looks so with probability below one in 500,000 if it has 32 bits,
    and below 2**-38 if it has 64.

    Args:
      seed: a number, a list of numbers, or the bytes of a text.
      known: the constants in the text of the cells.
    """
    if isinstance(seed, bytes):
        return len(seed) <= _SHORT_TEXT or seed in known
    if isinstance(seed, Iterable):
        return all(_is_chosen(int(each), known) for each in np.ravel(seed))
    return seed in known or _is_time(seed) or all(_is_few(word, known) for word in _words(seed))


def _is_few(word: int, known: Collection) -> bool:
    return word < _FEW or word in known


def _is_time(seed: int) -> bool:
    """Say whether a number is a time of day within the last hour."""
    ages = (time.time() - seed / clock for clock in _CLOCKS)
    return any(-1 < age < _LONGEST_AGE for age in ages)


def _words(number: int) -> list[int]:
    """Return the words of 32 bits that a number consists of, the last one first."""
    places = range(0, max(number.bit_length(), 1), _WORD)
    return [number >> place & (2**_WORD - 1) for place in places]


def _in_words(seed: Any) -> str:
    return (repr(seed.decode(errors="replace")) if isinstance(seed, bytes) else f"{seed}")[
        :_LONGEST_SEED
    ]
