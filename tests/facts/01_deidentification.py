"""What the text of the chapter says in numbers that no cell of it prints."""

import dplib
from dplib.data import load_adult

adult = load_adult()
zips = adult["Zip"].nunique()
days = 74 * 365.25  # about the days of birth of people who are not outliers
boxes = 191 * 27_000
alone = (1 - 1 / boxes) ** (len(adult) - 1)  # a box without any of the others

FACTS = [
    len(adult),
    zips,
    days,
    boxes,
    round(100 * alone),
    50_000,  # the line between the two incomes
    dplib.unique_fraction(adult, quasi_identifiers=["DOB"]),
    300,  # questions
    100,
    120,
    7 * 32_000 - 6 * 30_000,
    30_000,
    32_000,
]
