"""A private histogram: a noisy count for each of some public categories."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.check.claims.composition._noisy_counts import (
    MANY_COUNTS,
    count_mistakes,
    entries_of,
    raise_if_order_tells,
    raise_unless_labelled,
    scale_of,
    without_rows,
)
from autograder.check.claims.laplace._nobody import ClaimWithNobody
from autograder.check.designed import each_edge, indexed, labels
from autograder.check.mistakes import Mistake
from ville.distributions import laplace

_WORDS = (
    "amber",
    "beech",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "islet",
    "juniper",
)
# By place: the categories are neither in the order of the alphabet nor of their counts.
_ORDERS = ((2, 0, 3, 1, 4), (3, 1, 4, 0, 2), (1, 3, 0, 4, 2))
_COUNTS = ((9, 16), (0, 1), (22, 30), (2, 4), (40, 60))


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four settings: both neighbors, epsilon well below 1 and well above.

    Five categories, one of them empty, one with a few people; counts far apart.
    """
    for neighbors, epsilons in (
        ("add_remove", (0.2, 0.4)),
        ("replace_one", (0.2, 0.4)),
        ("add_remove", (2.8, 3.3)),
        ("replace_one", (3.5, 5.0)),
    ):
        words = np.sort(generator.choice(_WORDS, 5, replace=False))
        order = _ORDERS[generator.integers(len(_ORDERS))]
        yield {
            "categories": [str(words[place]) for place in order],
            "counts": [int(generator.integers(*span)) for span in _COUNTS],
            "neighbors": neighbors,
            "epsilon": round(generator.uniform(*epsilons), 2),
            "seed": int(generator.integers(2**32)),
        }


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return settings with categories that look alike, equal counts, large ones, and edges."""
    # At a large epsilon one person shows.
    base = list(_parameters(generator))[2]
    for name, words in labels(generator).items():
        yield name, _of_words(generator, base, words)
    for name, counts in {
        "equal counts": [4, 0, 4, 4, 0],
        "a count above 1,000": [int(generator.integers(1_500, 2_500)), 3, 0, 1, 1_200],
        "everybody in one category": [0, 0, 25, 0, 0],
        "one person": [0, 1, 0, 0, 0],
    }.items():
        yield name, {**base, "counts": counts}
    yield from each_edge(base, generator, "epsilon")
    two = {**base, "categories": ["wren", "teal"], "counts": [17, 9]}
    yield "two categories", {**two, "neighbors": "replace_one"}
    many = {**base, "categories": [f"team {place}" for place in range(MANY_COUNTS)]}
    yield "no two counts alike", {**many, "counts": generator.permutation(MANY_COUNTS).tolist()}


def _of_words(generator: np.random.Generator, base: dict, words: list) -> dict:
    counts = generator.integers(0, 9, len(words)).tolist()
    return {**base, "categories": words, "counts": counts}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return a column in random order; add_remove is left out where it is the default."""
    generator = np.random.default_rng(parameters["seed"])
    people = np.repeat(np.arange(len(parameters["counts"])), parameters["counts"])
    column = [parameters["categories"][place] for place in generator.permutation(people)]
    values = indexed(generator, np.array([*column, None], dtype=object)[:-1]).rename("team")
    keywords = {name: parameters[name] for name in ("categories", "epsilon", "neighbors")}
    if parameters["neighbors"] == "add_remove" and parameters["epsilon"] > 1:
        del keywords["neighbors"]
    return (values,), {**keywords, "categories": list(parameters["categories"])}


def _exact(parameters: dict) -> np.ndarray:
    return np.array(parameters["counts"], dtype=float)


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return the counts in the order of the categories: from a Series, a dict, a list or array."""
    categories = parameters["categories"]
    if hasattr(answer, "columns") and answer.shape[1] == 1:
        answer = answer.iloc[:, 0]
    if isinstance(answer, dict):
        answer = _by_label(list(answer), list(answer.values()), parameters)
    elif hasattr(answer, "index") and hasattr(answer, "to_numpy"):
        labels = list(answer.index)
        if labels != list(range(len(categories))):
            answer = _by_label(labels, answer.to_numpy().tolist(), parameters)
    return entries_of(answer, _exact(parameters))


def _by_label(labels: list, counts: list, parameters: dict) -> list:
    categories = parameters["categories"]
    if labels == categories:
        return counts
    pairs = zip(categories, parameters["counts"], strict=True)
    raise_unless_labelled(labels, categories, {label for label, count in pairs if not count})
    exact = dict(zip(categories, parameters["counts"], strict=True))
    raise_if_order_tells([exact[label] for label in labels], counts)
    by_label = dict(zip(labels, counts, strict=True))
    return [by_label[label] for label in categories]


def _in_order(order):
    """Return the law of counts that come in another order than the categories."""

    def law(parameters: dict) -> list:
        counts = np.array(parameters["counts"], dtype=float)
        shifts = counts[order(parameters)] - counts
        return [laplace(scale_of(parameters), shift) for shift in shifts.tolist()]

    return law


_ORDER = "in which order do the labels of your counts stand, and where does it change?"
_MISTAKES = (
    Mistake(
        "the counts come in the order of their size",
        _in_order(lambda p: np.argsort(p["counts"])[::-1]),
        _ORDER,
    ),
    Mistake(
        "the counts come in the order of the alphabet",
        _in_order(lambda p: np.argsort(p["categories"])),
        _ORDER,
    ),
    *count_mistakes(scale_of, _exact),
)

CLAIM = ClaimWithNobody(
    about=(
        'Check `private_histogram(values, *, categories, epsilon, neighbors="add_remove")`:\n'
        "a count with Laplace noise for each category: a Series indexed by the categories."
    ),
    established="a count for each category, each with Laplace noise of its own",
    law_name="Laplace",
    parameters=_parameters,
    designed=_designed,
    arguments=_arguments,
    read=_read,
    exact=_exact,
    scale=scale_of,
    law=laplace,
    mistakes=_MISTAKES,
    exponents={"epsilon": -1},
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {p['neighbors']}, {len(p['categories'])} categories"
        + without_rows(p)
    ),
    nobody=lambda p: {**p, "counts": [0] * len(p["counts"])},
)
