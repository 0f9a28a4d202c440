"""What the text of the chapter says in numbers that no cell of it prints."""

import math

from scipy.optimize import brentq
from scipy.stats import binom

import dplib
from dplib.plots.local.errors import local_and_central_error
from dplib.plots.local.shuffled import trust_errors

PEOPLE = 32563
TWO_COINS = {"p": 0.75, "q": 0.25}


def variance_gap(epsilon, first="optimal_unary", second="symmetric_unary", domain_size=16):
    """How much worse the first protocol is than the second, by its total variance."""
    total = dplib.survey_variances(domain_size=domain_size, people=1, epsilon=epsilon)
    return total[first] - total[second]


def sent(people):
    """The epsilon of the reports that are shuffled to epsilon 1 and delta 1e-6."""
    return brentq(lambda e: trust_errors(e, people=people, delta=1e-6)[0] - 1, 1.5, 10, xtol=1e-4)


def deviation(p, q):
    return math.sqrt(dplib.estimate_variance(0, people=PEOPLE, p=p, q=q))


RIGHT_AFTER = [binom.sf(days // 2, days, 0.75) for days in (1, 3, 19)]
OWN = sent(PEOPLE)
OTHERS = [(people, sent(people)) for people in (1000, 100_000)]
ERRORS = [local_and_central_error(people=people, epsilon=epsilon)[0] for people, epsilon in OTHERS]

FACTS = [
    *(epsilon for _, epsilon in OTHERS),
    PEOPLE, PEOPLE - 1, 3650, math.log(3), 19 * math.log(3),
    100 * deviation(**TWO_COINS) / 3650, deviation(**TWO_COINS),
    deviation(*dplib.optimal_unary_probabilities(epsilon=math.log(9))),
    *RIGHT_AFTER,
    math.ceil(math.sqrt(2) / 0.01),  # a curator's error of 1 % at epsilon 1
    OWN, *local_and_central_error(people=PEOPLE, epsilon=1), *ERRORS,
    1000 / (1 + math.exp(-OWN)),
    0.3125, 1000, 100_000, 120,
]  # fmt: skip

if not 5 < brentq(variance_gap, 2, 10) < 5.5:
    raise ArithmeticError("optimal unary encoding crosses the symmetric one elsewhere")
if binom.sf(17 // 2, 17, 0.75) >= 0.99 or RIGHT_AFTER[-1] < 0.99:
    raise ArithmeticError("99 % is not reached after 19 days")
# "Roughly, direct encoding wins while k < 3 e^epsilon + 2": by the total variance, within 0.4.
for _k in (8, 16, 100, 1000):
    _crossing = brentq(variance_gap, 0.2, 10, args=("direct", "optimal_unary", _k))
    if abs(_crossing - math.log((_k - 2) / 3)) > 0.4:
        raise ArithmeticError(f"for {_k} categories the protocols cross at {_crossing}")
# "At epsilon 0.1, are a million people enough for 1 %?" They are, and not many fewer.
_truth = 1 / (1 + math.exp(-0.1))
for _people, _enough in ((1_000_000, True), (990_000, False)):
    _variance = dplib.estimate_variance(0, people=_people, p=_truth, q=1 - _truth)
    if (math.sqrt(_variance) / _people <= 0.01) != _enough:
        raise ArithmeticError(f"{_people} people have another error")
# "At this delta the others hide Karrie least when they are all alike."
_LAW = {"local_epsilon": 1, "delta": 1e-6}
_ALIKE = dplib.shuffled_epsilon(0, PEOPLE - 1, **_LAW)
for _yes in (1, 10, 100, 3650, 16281):
    if dplib.shuffled_epsilon(_yes, PEOPLE - 1 - _yes, **_LAW) > _ALIKE * (1 + 1e-6):
        raise ArithmeticError(f"with {_yes} others who mean yes the attacker sees more")
