"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from dplib import attacker_posterior, epsilon_for_error, household_beliefs

ORDERS = [math.exp(epsilon) for epsilon in (0.1, 0.5, 1, 2, 10)]  # factors in the text
SMALL = attacker_posterior(1e6, count_without=0, epsilon=0.1, prior=0.5)

FACTS = [
    17450,
    17449,
    *ORDERS,
    100 * SMALL,
    attacker_posterior(10.9, count_without=10, epsilon=1, prior=0.5),
    *household_beliefs(12, others=10, household=3, epsilon=0.5, prior=0.4),
    epsilon_for_error(40, probability=0.8, sensitivity=2),
    120,  # words
]
