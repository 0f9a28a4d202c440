"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from dplib import attacker_posterior, epsilon_for_error, household_beliefs

ORDERS = [math.exp(epsilon) for epsilon in (0.1, 0.5, 1, 2, 10)]  # factors in the text
SMALL = attacker_posterior(1e6, count_without=0, epsilon=0.1, prior=0.5)

# The worked number of the leak: noise of scale 1/2 is at least -1, 0 or 1; q = exp(-2).
Q = math.exp(-2)
AT_LEAST = {-1: 1 - Q**2 / (1 + Q), 0: 1 / (1 + Q), 1: Q / (1 + Q)}

FACTS = [
    *AT_LEAST.values(),
    AT_LEAST[0] / AT_LEAST[1],
    AT_LEAST[-1] / AT_LEAST[0],
    17450,
    17449,
    *ORDERS,
    100 * SMALL,
    attacker_posterior(10.9, count_without=10, epsilon=1, prior=0.5),
    *household_beliefs(12, others=10, household=3, epsilon=0.5, prior=0.4),
    epsilon_for_error(40, probability=0.8, sensitivity=2),
    120,  # words
]

# "At ε = 1 it misses by 0.85 people on average, the rounded one by 0.96; at 0.1 both miss by 10."
for _epsilon, _whole, _rounded, _digits in ((1, 0.85, 0.96, 2), (0.1, 10, 10, 1)):
    _misses = (1 / math.sinh(_epsilon), 1 / (2 * math.sinh(_epsilon / 2)))
    if tuple(round(each, _digits) for each in _misses) != (_whole, _rounded):
        raise ArithmeticError(f"at epsilon {_epsilon} whole and rounded noise miss by {_misses}")
