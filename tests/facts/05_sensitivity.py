"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from dplib import sum_sensitivity
from dplib.data import load_adult

ADULT = load_adult()
GAIN, AGES = ADULT["Capital Gain"], ADULT["Age"]

FACTS = [
    len(ADULT),
    (GAIN > 0).sum(),
    GAIN.max(),
    (GAIN.max() == GAIN).sum(),
    GAIN[ADULT["Name"] == "Karrie Trusslove"].iloc[0],
    100 * 99_999 * (GAIN == 99_999).sum() / GAIN.sum(),
    100 * (1 - GAIN.clip(upper=20_000).sum() / GAIN.sum()),
    100 * (1 - AGES.clip(upper=31.2).sum() / AGES.sum()),
    31.2,  # a stop of the slider
    sum_sensitivity(0, 125, neighbors="add_remove"),
    sum_sensitivity(0, 125, neighbors="add_remove") / 0.1,
    math.exp(7),
    # Examples of people and amounts that could be.
    120, 1000, 1_000_000, 310_000, 5_000, 10_000, 20_000, 50_000, 100_000,
    # The worked number of exercise 4.
    52.1, 41.3, 52.1 + 41.3 + 3.2 + 0.9, 0.95 * 97.5, 52.1 + 41.3,
]  # fmt: skip
