"""Shared by the claims about groups of equal rows: tables whose groups have known sizes."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.check.claims.deidentification._people import people, shuffled, some
from autograder.check.claims.deidentification._tables import frame
from autograder.check.designed import gaps, indexed, labels

LINKS = ("Born", "Zip", "Sex")  # columns that an attacker may know


def crowds(
    generator: np.random.Generator,
    sizes: list[int],
    *,
    missing: bool = False,
    together: bool = False,
) -> Any:
    """Return a table whose groups of rows that agree in all of LINKS have these sizes.

    Groups share values of one column or two. If `missing`, the rows of the last group miss "Born":
    its size should be 1, as opinions differ on whether two missing values are equal. If `together`,
    there are five groups, and rows of the last agree with those of others in any two columns.
    """
    values = [generator.choice(range(*ends), 4, replace=False) for ends in ((1940, 2005), (1, 10))]
    grid = list(itertools.product(map(int, values[0]), map(int, values[1]), ("F", "M")))
    order = [0, 3, 9, 10, 1] if together else generator.permutation(len(grid))
    keys = [grid[place] for place in order[: len(sizes)]]
    if missing:
        keys[-1] = (None, *keys[-1][1:])
    rows = [key for key, size in zip(keys, sizes, strict=True) for _ in range(size)]
    columns = people(generator, len(rows))
    # Nobody asks for this column: gaps in it change nothing.
    columns["Job"] = some(generator, columns["Job"], missing=len(rows) // 2)
    order = generator.permutation(len(rows))
    for place, name in enumerate(LINKS):
        columns[name] = [rows[row][place] for row in order]
    return frame(shuffled(generator, columns))


def crowd_sizes(table: Any, columns: Sequence[str]) -> np.ndarray:
    """Return for each row how many rows agree with it in these columns, itself included."""
    lists = [[None if each != each else each for each in table[name]] for name in columns]
    rows = list(zip(*lists, strict=True))
    counts = Counter(rows)
    return np.array([counts[row] for row in rows])


def asked(table: Any, *links: int) -> dict[str, Any]:
    """Return the input that asks for a table's columns of LINKS at these places."""
    return {"table": table, "quasi_identifiers": [LINKS[place] for place in links]}


def of_sizes(formula: Callable[[np.ndarray], Any]) -> Callable:
    """Return a wrong function of the size of each row's group."""
    return lambda table, quasi_identifiers: formula(crowd_sizes(table, quasi_identifiers))


def odd_crowds(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Yield inputs of tables in which careless code joins or splits groups, with their names."""
    year = int(generator.integers(1940, 2005))
    # One value comes once: alone, unless it is taken for another.
    several = {name: [*words, *words[1:]] for name, words in labels(generator).items()}
    columns = {
        **{name: [values, values] for name, values in gaps(generator, 5).items()},
        **{name: [several[name], [7]] for name in ("capital letters", "blanks")},
        # As numbers they do not equal themselves: careless code makes a group of each.
        "several missing values": [[None, year, None, year, year, None], [7]],
        # Cut, rounded up or rounded to whole numbers, nobody is alone.
        "numbers of one whole part": [[30.2, 30.4, 30.8, 30.8, 31.3, 31.3], [7]],
        # Written one after the other, 1 and 11 look like 11 and 1; in any order they are the same.
        "pairs that look alike when joined, or in any order": [[1, 11, 2, 2], [11, 1, 2, 2]],
        "one row": [[1950], [7]],
        "rows that are all equal": [[1950] * 6, [7]],
        "rows that are all different": [list(range(1950, 1962)), [7, 8]],
        "more than 1,000 rows": [generator.integers(0, 400, 1_300).tolist(), [1, 2, 3]],
    }
    for name, given in columns.items():
        table = _odd_table(generator, *given)
        yield name, asked(table, 0, 1)
        yield name, asked(table, 0)


def each_missing_alone(table: Any, columns: Sequence[str]) -> np.ndarray:
    """Return the sizes of groups for somebody to whom no missing value equals another."""
    return np.where(nothing_missing(table, columns), crowd_sizes(table, columns), 1)


def _odd_table(generator: np.random.Generator, born: list, zips: list) -> Any:
    """Return a table of two columns, and others in which every second value is missing."""
    rows = len(born)
    table = {
        "Born": born,
        "Zip": np.resize(np.array(zips, dtype=object), rows).tolist(),
        "Sex": ["F"] * rows,
        "Job": np.resize(np.array([None, "clerk"], dtype=object), rows).tolist(),
        "Visits": np.resize(np.array([3.0, np.nan, np.nan]), rows).tolist(),
    }
    return frame({"columns": table, "labels": indexed(generator, np.zeros(rows)).index})


def nothing_missing(table: Any, columns: Sequence[str]) -> np.ndarray:
    """Say for each row whether it has a value in each of these columns."""
    return table[list(columns)].notna().all(axis=1).to_numpy()
