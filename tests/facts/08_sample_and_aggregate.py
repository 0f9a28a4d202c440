"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from dplib.data import load_adult

ADULT = load_adult()
LEAD, SCALE = 2, 2 / 2  # the worked number of noisy_vote: three votes to one, epsilon 2

FACTS = [
    13_000, 50_000, 100_000, 32_562,  # as the text chooses them
    len(ADULT), len(ADULT) + 1, len(ADULT) - 32_000, math.ceil(len(ADULT) / 10),
    325, 651,  # 326 rows a chunk
    0.1 * (len(ADULT) - 32_000),
    30 / 0.5 / len(ADULT),  # the scale of the centered mean's sum, over the count
    11 / 3,
    100 * (1 - (2 + LEAD / SCALE) / 4 * math.exp(-LEAD / SCALE)),
    300, 900, 120,
]  # fmt: skip
