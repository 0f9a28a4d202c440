"""Inputs that the claims about encodings share: values in public categories, and wrong domains."""

from __future__ import annotations

import numpy as np

__all__ = ["DOMAIN_MISTAKES", "arguments", "cases", "situation"]

_WORDS = ("never", "daily", "weekly", "yearly", "monthly", "once", "twice", "seldom", "often")

_DOMAIN = "the categories are public and fixed, in this order: what may you read off the data?"


def cases(generator: np.random.Generator) -> list[dict]:
    """Return four surveys: words and whole numbers, in no order; one category has nobody."""
    made = []
    for words in (True, False, True, False):
        size = int(generator.integers(4, 8))
        pool = list(_WORDS) if words else [int(each) for each in generator.permutation(90)]
        categories = ordered = []
        # The first category is nobody's: it may not come last in order, or leaving it out would
        # change no place.
        while categories in (ordered, ordered[::-1]) or categories[0] == ordered[-1]:
            categories = [pool[k] for k in generator.permutation(len(pool))[:size]]
            ordered = sorted(categories)
        # The first value is neither the least nor the second.
        codes = generator.integers(1, size, size=int(generator.integers(8, 16)))
        codes[0] = size - 1
        made.append({"categories": categories, "codes": [int(code) for code in codes]})
    return made


def arguments(parameters: dict) -> tuple[tuple, dict]:
    values = [parameters["categories"][code] for code in parameters["codes"]]
    return (values,), {"categories": list(parameters["categories"])}


def situation(parameters: dict) -> str:
    values = [parameters["categories"][code] for code in parameters["codes"]]
    return f"categories {parameters['categories']}, values {values[:3]} and {len(values) - 3} more"


def _ranks(parameters: dict) -> list[int]:
    """Return the place of each category among the sorted categories."""
    ordered = sorted(parameters["categories"])
    return [ordered.index(category) for category in parameters["categories"]]


def _sorted_categories(parameters: dict) -> tuple[list[int], int]:
    ranks = _ranks(parameters)
    return [ranks[code] for code in parameters["codes"]], len(ranks)


def _sorted_values(parameters: dict) -> tuple[list[int], int]:
    ranks = _ranks(parameters)
    present = sorted({ranks[code] for code in parameters["codes"]})
    return [present.index(ranks[code]) for code in parameters["codes"]], len(present)


def _first_seen(parameters: dict) -> tuple[list[int], int]:
    present = list(dict.fromkeys(parameters["codes"]))
    return [present.index(code) for code in parameters["codes"]], len(present)


def _seen_in_order(parameters: dict) -> tuple[list[int], int]:
    present = sorted(set(parameters["codes"]))
    return [present.index(code) for code in parameters["codes"]], len(present)


# Name, what gives (the codes of the values, the number of categories), and the question.
DOMAIN_MISTAKES = (
    ("the categories are sorted", _sorted_categories, _DOMAIN),
    ("the categories are read off the data, sorted", _sorted_values, _DOMAIN),
    ("the categories are read off the data, as they come", _first_seen, _DOMAIN),
    ("categories that nobody has are left out", _seen_in_order, _DOMAIN),
)
