"""Inputs that the claims about encodings share: values in public categories, and wrong domains."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["four_surveys", "situation", "wrong_domains"]

_WORDS = ("never", "daily", "weekly", "yearly", "monthly", "once", "twice", "seldom", "often")

_DOMAIN = "the categories are public and fixed, in this order: what may you read off the data?"


def four_surveys(generator: np.random.Generator) -> list[dict]:
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
        made.append({"values": [categories[code] for code in codes], "categories": categories})
    return made


def situation(given: dict) -> str:
    values = given["values"]
    return f"categories {given['categories']}, values {values[:3]} and {len(values) - 3} more"


def wrong_domains(right: Callable) -> list[tuple[str, str, Callable]]:
    """Return the mistakes about the categories of an encoding: name, question, function."""

    def with_categories(chosen: Callable) -> Callable:
        return lambda values, categories: right(values, categories=chosen(values, categories))

    return [
        (name, _DOMAIN, with_categories(chosen))
        for name, chosen in (
            ("the categories are sorted", lambda values, categories: sorted(categories)),
            (
                "the categories are read off the data, sorted",
                lambda values, categories: sorted(set(values)),
            ),
            (
                "the categories are read off the data, as they come",
                lambda values, categories: list(dict.fromkeys(values)),
            ),
            (
                "categories that nobody has are left out",
                lambda values, categories: [each for each in categories if each in values],
            ),
        )
    ]
