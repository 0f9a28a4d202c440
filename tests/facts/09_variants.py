"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import dplib
from dplib.accounting import GaussianRelease, exact_epsilon
from dplib.plots.variants import gaussian_costs

DELTA = 1e-5
HALF, BACK = [0.5, 0.5], [0.25, 0.75]
TRUTH, LIE = [0.75, 0.25], [0.25, 0.75]
ONE_SIDED = [0.9, 0.1, 0], [0.85, 0.1, 0.05]


def sigma_by_rho(count):
    log = math.log(1 / DELTA)
    return math.sqrt(count / (2 * (math.sqrt(log + 1) - math.sqrt(log)) ** 2))


def laplace(order, epsilon):
    share = order / (2 * order - 1)
    moment = share * math.exp((order - 1) * epsilon) + (1 - share) * math.exp(-order * epsilon)
    return math.log(moment) / (order - 1)


SUMS = [order / (2 * 4**2) + laplace(order, 0.5) for order in (2, 8, 32)]
RHO = 100 / (2 * 30**2)
TABLE = []
for _count in (10, 100, 1000):
    _costs = gaussian_costs(_count, sigma=30, delta=DELTA)
    TABLE += [*_costs.values(), *[each / _costs["exact"] for each in _costs.values()]]

FACTS = [
    17449, 17449.5, 10_000, 120, 150, 100_000, 1000, 200, 0.001,
    dplib.max_divergence(TRUTH, LIE),
    dplib.renyi_divergence(TRUTH, LIE, order=2),
    math.log(1 / DELTA),
    sigma_by_rho(100),
    dplib.analytic_gaussian_sigma(l2_sensitivity=1, epsilon=0.01, delta=DELTA / 100),
    *SUMS, SUMS[2] + math.log(1 / DELTA) / 31,
    *[dplib.composed_delta(TRUTH, LIE, count=count, epsilon=2) for count in (2, 10)],
    dplib.composed_delta(*ONE_SIDED, count=3, epsilon=0.5),
    *TABLE, 100,
    dplib.max_divergence(HALF, BACK),
    dplib.zcdp_to_dp(0.1, delta=DELTA),
    RHO * 2, dplib.rdp_to_dp(2, RHO * 2, delta=DELTA), dplib.zcdp_to_dp(RHO, delta=DELTA),
    RHO, RHO * 16,
    exact_epsilon([GaussianRelease(30, 100)], delta=DELTA),
]  # fmt: skip

# "If it adds up, that buys eight weeks."
if not [k * exact_epsilon([GaussianRelease(30)], delta=DELTA / k) <= 1 for k in (8, 9)] == [1, 0]:
    raise ArithmeticError("adding up buys another number of weeks")
# "Up to about fifteen answers the worst luck is likely enough to count."
if not (1 / (1 + math.exp(-0.3))) ** 15 > 20 * DELTA:
    raise ArithmeticError("fifteen answers seldom have their worst luck")
