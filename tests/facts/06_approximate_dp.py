"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np

import dplib
from dplib.plots.approximate import noise_exceeded

SIGMA = dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5)
HALF = {"l2_sensitivity": 1, "epsilon": 0.5, "delta": 1e-5}
SAVED = dplib.classical_gaussian_sigma(**HALF) / dplib.analytic_gaussian_sigma(**HALF)
AT_TWO = math.sqrt(2 * math.log(1.25 / 1e-5)) / 2

# Geng and others (2020): Laplace noise of scale 1, cut off here, is (1, 1e-5)-private.
CUT = math.log(1 + (math.e - 1) / (2 * 1e-5))
# A hundred questions, each of which one person moves by up to 1, at epsilon 1 (Hardt & Talwar 2010:
# the largest entry of noise with density exp(-max |z|) is gamma(100), any other is uniform below).
HUNDRED = {
    "laplace": 100,
    "largest entry": 100 * (1 / 100 + 99 / 100 / 2),
    "gaussian": 10 * SIGMA * math.sqrt(2 / math.pi),
}

FACTS = [
    # The worked number of the leak: a noisy count of one is above 2, or above 5.6.
    math.exp(-2) / (1 + math.exp(-1)),
    math.exp(-5) / (1 + math.exp(-1)),
    0.01,
    0.0001, 1e-5, 1e-6, 100_000, 99_999, 2_000_000, 30_000,  # as the text chooses them
    1.96,
    dplib.least_miss_rate(0.05, epsilon=1, delta=0.01),
    dplib.least_miss_rate(0.4, epsilon=1, delta=0.01),
    *noise_exceeded(1e-6, epsilon=0.01, delta=1e-5),
    *noise_exceeded(1e-12, epsilon=1, delta=1e-5),
    SIGMA,
    100 * (SAVED - 1),
    CUT, math.exp(CUT),  # Laplace noise of scale 1 exceeds it once in so many answers
    *HUNDRED.values(),
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


def delta_of_cut_noise(shift):
    """The least delta at epsilon 1, where noise is cut off at CUT and answers differ by shift."""
    places = np.linspace(-CUT - 1, CUT + 1, 2_000_001)

    def density(z):
        return np.where(abs(z) <= CUT, np.exp(-abs(z)), 0) / (2 - 2 * math.exp(-CUT))

    excess = np.maximum(density(places) - math.e * density(places - shift), 0)
    return np.sum(excess) * (places[1] - places[0])


for _shift in (-1, -0.5, 0.3, 1):
    if not delta_of_cut_noise(_shift) < 1.0001e-5:
        raise ArithmeticError(f"noise cut off at {CUT} is not (1, 1e-5)-private")
# "On average over many releases it is 7.6": the error of the sum of the last m of 100 bins.
_sums = [2 * m * math.comb(2 * m, m) / 4**m for m in range(1, 101)]
if round(sum(_sums) / 100, 1) != 7.6:
    raise ArithmeticError("the running sums have another mean error")
