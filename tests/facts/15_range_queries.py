"""What the text of the chapter says in numbers that no cell of it prints."""

import math
from fractions import Fraction

import numpy as np

import dplib
from dplib import ranges
from dplib.ranges import strategies

N = 1024
COEFFICIENTS = [
    (1, 1, "174763/524288"), (1, 1024, "1"), (1, 512, "1/2"), (257, 768, "3/4"),
    (2, 1023, "435883/262144"), (342, 683, "611859/262144"), (512, 513, "174763/262144"),
    (171, 854, "160275/65536"), (1, 683, "874003/524288"), (300, 900, "1096131/524288"),
    (37, 911, "1165563/524288"),
]  # fmt: skip
MEANS = ["1", "2/3", "3/5", "187/288", "1645/2176", "15073/16896"]
NAMES = ("flat", "binary", "boost", "privelet")


def cost(size, strategy):
    given = {"size": size, "strategy": strategy}
    return ranges.range_sensitivity(**given) ** 2 * dplib.average_range_error(**given)


for _left, _right, _exact in COEFFICIENTS:
    if abs(dplib.range_error(_left, _right, size=N) - float(Fraction(_exact))) > 1e-12:
        raise ArithmeticError(f"[{_left}, {_right}] has another coefficient")
for _h, _exact in enumerate(MEANS):
    if abs(dplib.average_range_error(size=2**_h) - float(Fraction(_exact))) > 1e-12:
        raise ArithmeticError(f"{2**_h} cells have another mean")

Q = math.exp(-1)
LIMIT = 10 / 6 + 1 / 36
MEAN = dplib.average_range_error(size=N)
INDEX = [ranges.accuracy_index(size=N, strategy=name) for name in ("privelet", "boost", "binary")]

# The table of strategies. The search for p-Identity takes long; its C is held by another test.
TABLE = [cost(size, name) for size in (64, 256, 1024, 4096) for name in NAMES]
BEST_TREES = [strategies.best_tree(size)[1] for size in (64, 256, 1024, 4096)]
P_IDENTITY = [15.41, 32.44, 60.54]
BOUNDS = [strategies.range_error_lower_bound(size) for size in (64, 256, 1024)] + [17.09]

ROOT = dplib.toeplitz_root_strategy(128)
RUNNING = {
    method: dplib.factorization_error(*ranges.running_sum_factors(128, method=method), rho=0.5)
    for method in ("each month", "each sum", "tree", "square root")
}
if not (math.isclose(RUNNING["each month"][-1], 128) and math.isclose(RUNNING["each sum"][0], 128)):
    raise ArithmeticError("the simple ways end elsewhere")
if not (RUNNING["square root"] < RUNNING["tree"]).mean() > 0.9:
    raise ArithmeticError("the square root is not better nearly everywhere")
_spread = np.sqrt(RUNNING["square root"])
if not (_spread.min() > 1.5 and _spread.max() < 3.5):
    raise ArithmeticError("the square root is off by more, or by less, than two or three people")

FACTS = [
    128, 256, 2 * Q / (1 - Q) ** 2, 1000, 1024, 500, 120,
    *(each for left, right, exact in COEFFICIENTS for each in (left, right)),
    *(part for *_, exact in COEFFICIENTS for part in map(int, exact.split("/"))),
    *(part for exact in MEANS for part in map(int, exact.split("/"))),
    cost(512, "privelet"), cost(512, "flat"), *INDEX, 3 * 13 * math.log2(13) ** 3 / 12**2,
    *TABLE, *BEST_TREES, *P_IDENTITY, *BOUNDS, 8192, 205.1,
    2**20 * (2**20 + 1) / 2 / 1e9, 20 / 11, MEAN, 342, 100 * (1 - LIMIT / MEAN),
    31 / 32 + 2 / 4 / 8, 123456789, 987654321, 100 * math.sqrt(2 / 100),
]  # fmt: skip
