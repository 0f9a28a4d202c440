"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from dplib.data import load_adult

FACTS = [
    len(load_adult()),
    17449,
    17450,
    math.exp(5.2),
    100,
    120,  # words
    2.326,  # the quantile in the task
    174,  # held by tests/check/test_check_laws_04.py
    192,
]
