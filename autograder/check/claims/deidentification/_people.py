"""Shared by the claims of chapters 01 and 02: invented people, as plain tables."""

import numpy as np

_FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ines", "Jan", "Kim", "Leo")
_LAST = ("Abbot", "Bloom", "Costa", "Dietz", "Evans", "Falk", "Greco", "Holm", "Ito", "Jung")
_JOBS = ("baker", "nurse", "driver", "clerk", "teacher")


def people(generator: np.random.Generator, count: int) -> dict[str, list]:
    """Return columns about so many people, no two of one name, each with a number of their own."""
    pairs = generator.choice(len(_FIRST) * len(_LAST), count, replace=False)
    return {
        "Name": [f"{_FIRST[pair % len(_FIRST)]} {_LAST[pair // len(_FIRST)]}" for pair in pairs],
        "SSN": [f"9{number:08d}" for number in generator.choice(10**8, count, replace=False)],
        "Email": [f"user{number}@example.org" for number in 1000 + generator.permutation(count)],
        "Born": [int(year) for year in generator.integers(1940, 2005, count)],
        "Zip": [int(code) for code in generator.integers(10_000, 99_999, count)],
        "Job": [str(job) for job in generator.choice(_JOBS, count)],
        "Visits": [int(number) for number in generator.integers(0, 40, count)],
    }


def some(generator: np.random.Generator, values: list, missing: int = 0) -> list:
    """Return a copy of `values` in which so many entries, drawn at random, are missing."""
    gone = generator.choice(len(values), missing, replace=False)
    return [None if place in gone else value for place, value in enumerate(values)]


def shuffled(generator: np.random.Generator, columns: dict[str, list]) -> dict:
    """Return a plain table of these columns, in a random order, with labels that are no places."""
    names = list(columns)
    count = len(columns[names[0]])
    order = generator.permutation(len(names))
    return {
        "columns": {names[place]: columns[names[place]] for place in order},
        "labels": [int(label) for label in 100 + generator.permutation(count)],
    }
