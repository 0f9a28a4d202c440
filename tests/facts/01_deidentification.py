"""What the text of the chapter says in numbers that no cell of it prints."""

import numpy as np
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
# "Four of five were wrong": counts of a random half of seven people, rounded to 0 or 5.
_rich = int((adult[adult["Zip"] == 64152]["Target"] == ">50K").sum())
_counts = np.random.default_rng(1).binomial(_rich, 0.5, 100_000)
if not 0.78 < (_counts % 5 != 0).mean() < 0.88:
    raise ArithmeticError("another share of the rounded counts is wrong")
