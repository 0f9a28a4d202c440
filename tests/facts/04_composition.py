"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from dplib.data import DOMAINS, fill_missing, load_adult
from dplib.explore.composition import COLUMNS

PEOPLE = fill_missing(load_adult())


def drowned_people(columns, epsilon):
    """The share of all people who are in cells with fewer people than 1 / epsilon."""
    sizes = PEOPLE.groupby(list(columns), observed=True).size()
    return sizes[sizes < 1 / epsilon].sum() / len(PEOPLE)


if not 0.4 < drowned_people(COLUMNS, 0.1) < 0.5:
    raise ArithmeticError("with all nine columns it is not nearly half of all people who drown")
# "From 0.17 on the people in drowned cells are fewer than 1 % of all"; most of them are empty.
if not drowned_people(COLUMNS[:5], 0.17) < 0.01 < drowned_people(COLUMNS[:5], 0.16):
    raise ArithmeticError("1 % of the people are reached at another epsilon")
if not (840 - PEOPLE.groupby(list(COLUMNS[:5]), observed=True).ngroups) > 840 / 2:
    raise ArithmeticError("most cells are not empty")

FACTS = [
    len(PEOPLE),
    0.16,
    0.17,
    0.25,
    840,
    math.prod(len(DOMAINS[name]) for name in COLUMNS) / 1e6,
    17449,
    17450,
    math.exp(5.2),
    100,
    120,  # words
    10.12,  # the version of macOS in the box
    # The worked number: noise of scale 1 / 3, twice; q = exp(-3).
    (1 / (1 + math.exp(-3))) ** 2,
    (math.exp(-3) / (1 + math.exp(-3))) ** 2,
    math.exp(6),
    math.exp(3),
]
