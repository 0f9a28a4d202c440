"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import dplib
from dplib.data import DOMAINS, fill_missing, load_adult

adult = load_adult()
columns = ["Age", "Education-Num", "Hours per week"]
first = adult.head(1000)
cut = dplib.generalize(first, depths=dict.fromkeys(columns, 1))
kept = dplib.suppress_small_groups(cut, quasi_identifiers=columns, k=5)

# 1000! / (5!^200 200!) ways to divide 1,000 rows into 200 groups of 5.
digits = (math.lgamma(1001) - 200 * math.lgamma(6) - math.lgamma(201)) / math.log(10)
if digits <= 1700:
    raise ValueError(f"the ways have {digits} digits")

# "Each later row multiplies it by more than five": the ways to divide n rows in groups of 3 up.
ways = [1]
for n in range(1, 60):
    ways.append(sum(math.comb(n - 1, size - 1) * ways[n - size] for size in range(3, n + 1)))
if ways[9:12] != [491, 2557, 11353] or min(ways[n + 1] / ways[n] for n in range(11, 59)) <= 5:
    raise ArithmeticError("a later row multiplies the ways by less")

people = fill_missing(first)
offices = [
    dplib.publish_crowds(people, quasi_identifiers=["Age", other], secret="Occupation", k=5)
    for other in ("Zip", "Hours per week", "Education-Num")
]
jobs = dplib.intersection_attack(people, offices, secret="Occupation")

FACTS = [
    (jobs == "Missing").sum(),
    len(adult),
    len(first),
    1700,
    120,  # words
    DOMAINS["Age"][1],
    50_000,  # the line between the two incomes
    dplib.information_loss(first, kept, quasi_identifiers=columns, bounds=DOMAINS),
]
