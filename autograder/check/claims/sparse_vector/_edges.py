"""Settings of the sparse vector technique at the edges of its numbers, and with odd answers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.check.designed import EDGES, at_edges
from autograder.check.designed.trials import NamedSetting

# More answers than these are moved together, and not all said.
FEW = 8


def at_the_edges(
    generator: np.random.Generator, offsets: tuple[float, ...], usual: dict[str, Any]
) -> list[NamedSetting]:
    """Return settings with one number at an edge, and settings with odd answers.

    Args:
      generator: draws them.
      offsets: usual answers minus the threshold, in units of the noise; noise of another scale
        should show there in few draws.
      usual: the other parameters.
    """
    thresholds = [("threshold", each) for each in at_edges("value", generator)]
    numbers = [
        (name, each)
        for name in sorted(usual.keys() & EDGES.keys())
        for each in at_edges(name, generator)
    ]
    return [
        *(
            (f"{name} {each:,}", setting(offsets, {**usual, name: each}))
            for name, each in [*thresholds, *numbers]
        ),
        *_odd_answers(generator, usual),
        ("whole numbers", _whole(generator, usual)),
        ("defaults not given", _with_defaults(offsets, usual)),
    ]


def drawn(
    generator: np.random.Generator, offsets: tuple[float, ...], sensitivities, epsilons, **more: int
) -> dict:
    """Return a setting, with all numbers drawn; many answers are moved alike."""
    sensitivity = round(generator.uniform(*sensitivities), 2)
    epsilon = round(generator.uniform(*epsilons), 2)
    threshold = round(generator.uniform(60, 500), 1)
    moved = generator.uniform(-0.3, 0.3, len(offsets) if len(offsets) <= FEW else 1)
    given = {"threshold": threshold, **more, "sensitivity": sensitivity, "epsilon": epsilon}
    return setting(np.array(offsets) + moved, given)


def setting(offsets: Sequence[float], given: dict[str, Any]) -> dict:
    """Return a setting whose answers lie so many units of the noise above the threshold."""
    answers = given["threshold"] + np.array(offsets) * unit_of(given)
    return {"answers": np.round(answers, 3).tolist(), **given}


def unit_of(given: dict[str, Any]) -> float:
    """Return the unit of the noise: the threshold's has twice this scale."""
    return given.get("count", 1) * given["sensitivity"] / given["epsilon"]


def _odd_answers(generator: np.random.Generator, usual: dict[str, Any]) -> list[NamedSetting]:
    far = tuple(generator.uniform(300, 900, 4).tolist())
    low = {**usual, "threshold": round(generator.uniform(1, 3) * unit_of(usual), 2)}
    return [
        ("one answer", setting((generator.uniform(-2, 2),), usual)),
        ("two equal answers", setting((-3.0, -3.0), usual)),
        ("answers far above", setting(far, usual)),
        ("answers far below", setting(tuple(-each for each in far), usual)),
        ("answers of 0", {**low, "answers": [0.0] * 5}),
    ]


def _whole(generator: np.random.Generator, usual: dict[str, Any]) -> dict:
    """Return whole numbers at the threshold: noise that is cut to whole numbers is too low."""
    threshold = int(generator.integers(10, 90))
    narrow = {"threshold": threshold, "sensitivity": 1, "epsilon": 6 * usual.get("count", 1)}
    return {**usual, **narrow, "answers": [threshold] * 5}


def _with_defaults(offsets: tuple[float, ...], usual: dict[str, Any]) -> dict:
    """Return a setting that gives no argument which has a default."""
    defaults = {"sensitivity": 1, "monotone": False}
    named = {name: value for name, value in defaults.items() if name in usual}
    return {**setting(offsets, {**usual, **named}), "not_given": list(named)}
