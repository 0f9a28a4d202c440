"""Neighbors: both relations, how far each moves a table of counts, small tables to try them on."""

import pandas as pd

NEIGHBORS = ("add_remove", "replace_one")
# How many cells a neighbor differs in, which is how far the table moves in L1.
MOVED = {"add_remove": 1, "replace_one": 2}
# So large an epsilon that the noise does not reach the third decimal.
NO_NOISE = 1e12
LETTERS = {"x": ("a", "b", "c"), "y": (0, 1)}
TABLE = pd.DataFrame({"x": ["a", "b"], "y": [0, 1]})


def neighbor(rows, relation, place, newcomer):
    """`rows` with one row replaced, or with one fewer: to add a row is the same pair."""
    rows = list(rows)
    rows[place % len(rows)] = newcomer
    if relation == "add_remove":
        del rows[place % len(rows)]
    return rows
