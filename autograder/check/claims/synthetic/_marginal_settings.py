"""The tables of `private_marginal`: usual ones, and ones with odd counts or odd categories."""

import math
from collections.abc import Iterator

import numpy as np

from autograder.check.claims.composition._noisy_counts import moved
from autograder.check.designed import at_edges, labels
from autograder.check.designed.trials import NamedSetting

_COLUMNS = (("boat", "harbour", "flag"), ("tree", "valley", "path"), ("bird", "season", "song"))
_WORDS = ("topaz", "amber", "pearl", "onyx", "coral", "jade")
_NUMBERS = (3, 5, 8, 13, 21)
_SIDES = ["west", "east"]


def draw_settings(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: one to three columns, both neighbors, wide noise and narrow.

    In each one cell is empty, one has one person, and one is full. The value "Missing" is a
    category like any other, and it is the first or the second one.
    """
    for columns, neighbors, rates in (
        (2, "add_remove", (0.06, 0.12)),
        (1, "replace_one", (0.2, 0.4)),
        (1, "add_remove", (1.9, 2.4)),
        (3, "replace_one", (1.8, 2.2)),
    ):
        names = list(_COLUMNS[generator.integers(len(_COLUMNS))])[:columns]
        words = [str(each) for each in generator.permutation(_WORDS)[:3]]
        words[int(generator.integers(2))] = "Missing"
        numbers = [int(each) for each in generator.permutation(_NUMBERS)[:2]]
        cells = 3 * 2 ** (columns - 1)
        counts = generator.permutation([0, 1, *generator.integers(4, 40, cells - 2)])
        categories = dict(zip(names, [words, numbers, _SIDES], strict=False))
        given = {"neighbors": neighbors}
        given["epsilon"] = round(moved(given) * generator.uniform(*rates), 2)
        yield _setting(generator, categories, counts, **given)


def _setting(generator: np.random.Generator, categories: dict, counts, **given) -> dict:
    return {
        "categories": categories,
        "counts": np.ravel(counts).tolist(),
        "seed": int(generator.integers(2**32)),
        **given,
    }


def designed_settings(generator: np.random.Generator) -> list[NamedSetting]:
    """Return settings at the edges of epsilon, with odd counts, and with odd categories."""
    pair = {"harbour": [3, 5], "flag": _SIDES}
    usual = {"neighbors": str(generator.choice(["add_remove", "replace_one"])), "epsilon": 2.1}
    full, named = generator.integers(9, 40, 4), []
    # Where noise is rare, many cells show it sooner.
    many, given = {"harbour": [*range(6)], "flag": [*range(4)]}, {"neighbors": "replace_one"}
    for epsilon in at_edges("epsilon", generator, but=["below 0.05"]):
        given["epsilon"] = epsilon
        named.append((f"epsilon {epsilon}", _setting(generator, many, [9, 0, 2] * 8, **given)))
    # The law of noise that is wider still takes long.
    small = {"neighbors": "add_remove", "epsilon": round(generator.uniform(0.03, 0.045), 3)}
    named.append((f"epsilon {small['epsilon']}", _setting(generator, pair, full, **small)))
    odd_counts = {
        "equal counts": [7, 7, 7, 7],
        "a count above 1,000": [1, generator.integers(1_100, 1_900), 0, 3],
        "everybody in one cell": [0, 0, 25, 0],
        "one person": [0, 1, 0, 0],
    }
    named += [(name, _setting(generator, pair, each, **usual)) for name, each in odd_counts.items()]
    for name, categories in _odd_categories(generator).items():
        shape = [len(values) for values in categories.values()]
        counts = generator.integers(0, 9, math.prod(shape))
        named.append((name, _setting(generator, categories, counts, **usual)))
    turned = _setting(generator, pair, full, **usual) | {"columns_turned": True}
    return [*named, ("columns in another order", turned)]


def _odd_categories(generator: np.random.Generator) -> dict[str, dict]:
    """Return categories by what is special about them; in some, two pairs join to one text."""
    of_one, between = labels(generator), ["", " ", "_", "-", ",", ", ", "|", "/", ":"]
    some = generator.permutation(list(of_one))[:2].tolist()
    return {
        **{name: {"bird": of_one[name], "song": _SIDES} for name in some},
        "one cell": {"bird": ["wren"]},
        "one column of whole numbers": {"nests": generator.permutation([0, 2, 11]).tolist()},
        "more than 100 cells": {"tree": [*range(7)], "path": [f"p{k}" for k in range(15)]},
        "five columns": {f"item {k}": ["no", "yes"] for k in range(5)},
        "pairs that look alike when joined": {
            "bird": ["a", *(f"a{each}b" for each in between)],
            "song": [*(f"b{each}c" for each in between), "c"],
        },
    }
