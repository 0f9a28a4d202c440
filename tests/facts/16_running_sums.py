"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import dp_accounting
import numpy as np
from dp_accounting import pld

import dplib
from dplib import ranges

ROOT = dplib.toeplitz_root_strategy(128)
RUNNING = {
    method: dplib.factorization_error(*ranges.running_sum_factors(128, method=method), rho=0.5)
    for method in ("each month", "each sum", "tree", "square root")
}
if not (math.isclose(RUNNING["each month"][-1], 128) and math.isclose(RUNNING["each sum"][0], 128)):
    raise ArithmeticError("the simple ways end elsewhere")
if not (RUNNING["square root"] < RUNNING["tree"]).mean() > 0.9:
    raise ArithmeticError("the square root is not better nearly everywhere")
# "Only in the first three months is plain noise on each month the better way."
if list(np.flatnonzero(RUNNING["each month"] < RUNNING["square root"])) != [0, 1, 2]:
    raise ArithmeticError("plain noise is better in other months")
_spread = np.sqrt(RUNNING["square root"])
if not (_spread.min() > 1.5 and _spread.max() < 3.5):
    raise ArithmeticError("the square root is off by more, or by less, than two or three people")

# "(1.07 + ln T / pi)^2"; ten times as many months.
for _months in (12, 128, 1000):
    _root = dplib.toeplitz_root_strategy(_months)
    _most = dplib.factorization_error(_root, _root, rho=0.5).max()
    if not math.isclose(_most, (1.07 + math.log(_months) / math.pi) ** 2, rel_tol=0.02):
        raise ArithmeticError(f"the square root's error over {_months} months is {_most}")

# "The third round's noise is z_3 - z_2/2 - z_1/8": the inverse of the square root of sums.
if not np.allclose(np.linalg.inv(dplib.toeplitz_root_strategy(3))[2], [-1 / 8, -1 / 2, 1]):
    raise ArithmeticError("the square root takes other parts back")
# Section 3: four turns of a phone, 16 bands; turns that come too often, with bands that overlap.
_strategy = dplib.banded_root_strategy(128, bands=16)
_once = dplib.participation_sensitivity(_strategy, turns=1, apart=32)
if not math.isclose(dplib.participation_sensitivity(_strategy, turns=4, apart=32), 2 * _once):
    raise ArithmeticError("four turns need another factor")
_person = np.zeros(128)
_person[:128:8] = 1  # every 8 rounds: 16 turns in place of 4
if not np.linalg.norm(_strategy @ _person) > 1.05 * math.sqrt(16) * _once:
    raise ArithmeticError("where bands overlap, lengths do not add up")


def poisson(batches, sigma):
    """One epoch of Poisson batches, by the whole law of the loss."""
    noise = dp_accounting.GaussianDpEvent(sigma)
    batch = dp_accounting.PoissonSampledDpEvent(1 / batches, noise)
    accountant = pld.PLDAccountant(value_discretization_interval=1e-3)
    return accountant.compose(dp_accounting.SelfComposedDpEvent(batch, batches))


# "By the whole law of the loss these four are ..., still a little above random allocation."
SIGMAS = (0.5, 0.7, 1.0, 2.0)
WHOLE = [poisson(100, sigma).get_epsilon(1e-5) for sigma in SIGMAS]
ALLOCATED = [dplib.allocated_epsilon(batches=100, sigma=s, delta=1e-5) for s in SIGMAS]
if not all(0.75 < one / other < 1 for one, other in zip(ALLOCATED, WHOLE, strict=True)):
    raise ArithmeticError("random allocation costs something else than a little less")
# "For 10 batches, sigma = 0.4 and epsilon = 2 ..."
AT_A_LARGE_DELTA = [
    dplib.allocated_delta(batches=10, sigma=0.4, epsilon=2),
    poisson(10, 0.4).get_delta(2),
]
SHUFFLED = dplib.shuffled_epsilon_at_least(batches=100, sigma=0.7, delta=1e-5)
POISSON = dplib.sampled_gaussian_epsilon(rate=0.01, rounds=100, sigma=0.7, delta=1e-5)

# The worked numbers.
_small = np.array([[2.0, 0, 0], [1, 2, 0], [0, 1, 2]])
WORKED = [
    *dplib.banded_error(_small, turns=2, apart=2, rho=0.5),
    float(dplib.allocated_loss([0.5, 1.5], sigma=1)),
]
COUNTS = 60 / (2 * 20**2)  # rho of the counts of adaptive clipping, each moved by 1

FACTS = [
    128, 1000, 500, 120, 150, 200, 300, 2000, math.log(10) / math.pi, 1.07,
    *WHOLE, *AT_A_LARGE_DELTA, SHUFFLED, POISSON, *WORKED, COUNTS, 256, 100, 0.005,
]  # fmt: skip
