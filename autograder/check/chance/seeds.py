"""Finds the generators of an answer whose seed somebody has chosen: everybody can foresee them."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder.check.chance.twister import chosen_seed
from autograder.check.elsewhere import beside
from autograder.check.replay import reached

__all__ = ["fixed_seeds"]

_KINDS = (np.random.Generator, np.random.RandomState, random.Random)
# The operating system's entropy has 128 bits: it is below this with probability 2**-64.
_LEAST_ENTROPY = 2**64
_LONGEST_SEED = 40  # characters of it that are shown


@beside
@contextlib.contextmanager
def fixed_seeds(function: Callable) -> Iterator[Callable[[], list[str]]]:
    """Yield a function that names the seeds of the answer's generators that were used since.

    Only seeds that somebody has chosen, of generators that the answer holds and has not made: they
    are the same in every session, so whoever runs the notebook's cells knows what comes.
    """
    ours = (np.random.mtrand._rand, random._inst)  # seeded anew before an answer is called
    held = [
        thing
        for thing in reached(function)
        if isinstance(thing, _KINDS) and not any(thing is each for each in ours)
    ]
    before = [_state(thing) for thing in held]

    def used() -> list[str]:
        pairs = zip(held, before, strict=True)
        moved = [(thing, state) for thing, state in pairs if repr(_state(thing)) != repr(state)]
        return [seed for thing, state in moved if (seed := _chosen_seed(thing, state))]

    yield used


def _state(generator: Any) -> Any:
    """Return a generator's state, numpy's as a dictionary; None for one that has none."""
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    if isinstance(generator, np.random.RandomState):
        return generator.get_state(legacy=False)
    return None if isinstance(generator, random.SystemRandom) else generator.getstate()


def _chosen_seed(generator: Any, state: Any) -> str:
    """Return the seed that a generator was made from, in words; "" for the system's entropy."""
    if isinstance(generator, random.Random):
        return chosen_seed(state[1][:-1])[:_LONGEST_SEED]
    bits = getattr(generator, "bit_generator", getattr(generator, "_bit_generator", None))
    entropy = getattr(bits.seed_seq, "entropy", None)
    if entropy is not None and not (isinstance(entropy, int) and entropy >= _LEAST_ENTROPY):
        return f"{entropy}"[:_LONGEST_SEED]
    twister = isinstance(generator, np.random.RandomState) and state["bit_generator"] == "MT19937"
    return chosen_seed(state["state"]["key"])[:_LONGEST_SEED] if twister else ""
