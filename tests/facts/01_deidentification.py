"""What the text of the chapter says in numbers that no cell of it prints."""

from math import comb

import pandas as pd

import dplib
from dplib.data import REFERENCE_DATE, load_adult

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
    adult["Education"].value_counts()[["10th", "11th", "12th"]].min(),
    50_000,  # the line between the two incomes
    dplib.unique_fraction(adult, quasi_identifiers=["DOB"]),
    300,  # questions
    100,
    120,
    7 * 32_000 - 6 * 30_000,
    30_000,
    32_000,
]


def unique_with_steps(of_days):
    """The share of unique people where dates of birth come in steps of so many days."""
    born = pd.to_datetime(adult["DOB"], format="%m/%d/%Y")
    steps = (pd.Timestamp(REFERENCE_DATE) - born).dt.days // of_days
    return dplib.unique_fraction(adult.assign(born=steps), quasi_identifiers=["born", "Zip"])


# "It takes steps of ten years." "More than half of all live in one Zip."
if not unique_with_steps(3652) < 0.01 < unique_with_steps(1826):
    raise ArithmeticError("1 % is reached at other steps")
if not adult["Zip"].value_counts(normalize=True).iloc[0] > 0.5:
    raise ArithmeticError("no Zip holds more than half")
# "About four of five answers are not the true count": random halves of 29, rounded to 0 or 5.
_rich = int((adult[adult["Zip"] == 64152]["Target"] == ">50K").sum())
_in_group = [comb(_rich, count) / 2**_rich for count in range(_rich + 1)]
if not 0.78 < sum(p for count, p in enumerate(_in_group) if count % 5) < 0.84:
    raise ArithmeticError("another share of the rounded counts is wrong")
# "One rich person more is rounded up to 5 more often": given the others, who are in by a coin.
_others = [comb(_rich - 1, count) / 2 ** (_rich - 1) for count in range(_rich)]
_up = [sum(p for n, p in enumerate(_others) if 2.5 < n + more < 7.5) for more in (0, 1)]
if not _up[1] - _up[0] > 0.2:
    raise ArithmeticError("one rich person more hardly moves a rounded count")
