"""Numbers that stand in the text of chapter 18, and that no cell gives."""

import math

from dplib.release.visits import AGES, CENTS_UNTIL, DAYS, DEAREST, MOST_ROWS

ROOM = 10 / 0.5 * math.log(1 / (1 - 0.9))  # of exercise 2

FACTS = [
    DAYS, CENTS_UNTIL, DEAREST, MOST_ROWS, AGES[-1], 999, 4000, 54_000, 200,
    1000, 1000 - ROOM, (1000 + ROOM) / (1 - 0.2),
    30 / math.sqrt(2 * 0.05),  # of exercise 4
    499.80, 100,
]  # fmt: skip
