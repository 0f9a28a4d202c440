"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import dp_accounting
import numpy as np

import dplib
from dplib.accounting import GaussianRelease, exact_epsilon
from dplib.data import load_features
from dplib.explore.learning import BOUNDARY_ROWS
from dplib.learning import accuracy, majority_accuracy

DATA = load_features()
FEW = DATA.X_train[:3000], DATA.y_train[:3000]
HELD_OUT = DATA.X_test, DATA.y_test
PEOPLE = len(DATA.y_train)


def rho(delta):
    surprise = math.log(1 / delta)
    return (math.sqrt(surprise + 1) - math.sqrt(surprise)) ** 2


def trained(rounds, rate):
    """The held-out accuracy of descent without noise on the first people, in per cent."""
    theta = np.zeros(110)
    for _ in range(rounds):
        theta = theta - rate * dplib.logistic_gradient(theta, *FEW)
    return 100 * accuracy(theta, *HELD_OUT)


BATCH = dp_accounting.PoissonSampledDpEvent(0.01, dp_accounting.GaussianDpEvent(1.2))
WHOLE = dp_accounting.pld.PLDAccountant().compose(BATCH, 300).get_epsilon(1e-5)
TRUTH = math.e / (1 + math.e)

FACTS = [
    PEOPLE, 3000, BOUNDARY_ROWS, 1e-5, 1e-10, 110, 1000,
    1.5e-9 if round(1 / PEOPLE**2, 10) == 1.5e-9 else 0,
    1e-5 * PEOPLE**2, rho(1e-5), rho(1e-10), math.sqrt(31 / (2 * rho(1e-5))),
    trained(100, 2), trained(10, 1), 100 * majority_accuracy(DATA.y_test),
    84.06,  # held in tests/library/learning/test_learning.py, by Newton's method
    0.01 * 26_000,
    exact_epsilon([GaussianRelease(sigma=1.2 / math.sqrt(300))], delta=1e-5),
    1 + 0.01 * (math.e - 1),
    dplib.sampled_gaussian_epsilon(rate=0.1, sigma=1, rounds=10, delta=1e-5),
    dplib.sampled_gaussian_epsilon(rate=0.01, sigma=0.7, rounds=100, delta=1e-5),
    dplib.sampled_gaussian_epsilon(rate=0.01, sigma=1.2, rounds=300, delta=1e-5), WHOLE,
    TRUTH, 1 - TRUTH, 26_000 * 1e-5,
    500, 200, 150, 10_000, 100, 199,
    1 / (2 * dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=1, delta=1e-5) ** 2),
]  # fmt: skip

# "Later it shortens the surprising ones: more than half of them are people whom the model judges
# wrong"
_THETA = np.zeros(110)
for _ in range(100):
    _THETA = _THETA - 2 * dplib.logistic_gradient(_THETA, *FEW)
_LONG = np.linalg.norm(dplib.row_gradients(_THETA, *FEW), axis=1) > 1
_WRONG = FEW[1] * (FEW[0] @ _THETA) <= 0
if not (0.2 < _LONG.mean() < 0.3 and 0.5 < _WRONG[_LONG].mean() < 0.65):
    raise ArithmeticError("the bound shortens other people")

# "about 20" in the model answer: a thousand Gaussian steps of (0.5, 1e-5), exactly accounted.
_SIGMA = dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=0.5, delta=1e-5)
_WHOLE = dp_accounting.get_epsilon_gaussian(_SIGMA / math.sqrt(1000), 0.01)
if not 15 < _WHOLE < 25:
    raise ArithmeticError(f"a thousand steps cost {_WHOLE}")
