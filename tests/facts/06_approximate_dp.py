"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import dplib
from dplib.plots.approximate import noise_exceeded

SIGMA = dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5)
HALF = {"l2_sensitivity": 1, "epsilon": 0.5, "delta": 1e-5}
SAVED = dplib.classical_gaussian_sigma(**HALF) / dplib.analytic_gaussian_sigma(**HALF)
AT_TWO = math.sqrt(2 * math.log(1.25 / 1e-5)) / 2

FACTS = [
    0.0001, 1e-5, 1e-6, 100_000, 99_999, 2_000_000, 30_000,  # as the text chooses them
    1.96,
    dplib.least_miss_rate(0.05, epsilon=1, delta=0.01),
    dplib.least_miss_rate(0.4, epsilon=1, delta=0.01),
    *noise_exceeded(1e-6, epsilon=0.01, delta=1e-5),
    *noise_exceeded(1e-12, epsilon=1, delta=1e-5),
    SIGMA,
    100 * (SAVED - 1),
    math.sqrt(200),  # the worked number of exercise 4
    dplib.advanced_composition(dplib.PureDP(0.1), count=100, delta_prime=1e-5).epsilon,
    dplib.advanced_composition(dplib.PureDP(0.1), count=1000, delta_prime=1e-5).epsilon,
    dplib.advanced_composition(dplib.PureDP(1), count=500, delta_prime=1e-5).epsilon,
    2 * math.sqrt(2 * 500 * math.log(1e5)),
    311.8,  # test_the_short_formula_of_the_seeds_breaks_on_randomized_response
    math.e, math.e - 1,
    dplib.gaussian_delta(sigma=AT_TWO, l2_sensitivity=1, epsilon=2),
    1.09,  # the code shown for production says so
    120,
]  # fmt: skip
