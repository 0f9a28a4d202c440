"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np
from scipy.special import betaincinv

import dplib

LOW = betaincinv(1000, 1, 0.025)
SURE = betaincinv(100, 1, 0.0125)
PLACES = np.arange(-60, 61)
CHANCES = np.exp(-np.abs(PLACES) / 3) * np.array([0.95, 0.955, 1.14])[np.abs(PLACES) % 3]
ABOVE = np.cumsum(CHANCES[::-1])[::-1]  # of "at least c", without the ends at 60
HALF_LINES = np.log(ABOVE[:-1] / ABOVE[1:])[1:-30]

FACTS = [
    17450, 17449, 2000, 0.025, 1000, 0.9999, 0.999, 16_000, 400, 200, 100, 250, 120, 100_000,
    200_000, 1100,
    LOW, 1 - LOW, math.log(LOW / (1 - LOW)),
    0.7311, 0.2689, math.log(0.7311 / 0.2689), math.log(0.95 / 0.05),
    SURE, 1 - SURE, 2 * SURE - 1, 0.0125,
    26096, (math.e - 1 + 2e-5) / (math.e + 1),
    dplib.attack_epsilon(0.3, 0.01, delta=0.1), dplib.attack_epsilon(0.99, 0.4),
    dplib.sampled_gaussian_epsilon(rate=0.5, sigma=8, rounds=20, delta=1e-5), 1e-5,
    dplib.sampled_gaussian_epsilon(rate=0.5, sigma=0.8, rounds=20, delta=1e-5),
    99.99999999, 0.21,  # Tramèr and others (2022), abstract
    2 * math.exp(4), 2 * math.exp(5),  # Laplace noise of scale 1 exceeds 4, and 5
    (CHANCES / CHANCES.sum())[62], math.tanh(1 / 6) * math.exp(-2 / 3), 1 / 3, 2638,
    float(HALF_LINES.max()),
]  # fmt: skip
