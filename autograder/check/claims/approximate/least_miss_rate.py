"""The least rate of misses of an attacker who tests an (epsilon, delta)-private answer."""

import math

from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def least_miss_rate(false_alarm_rate, *, epsilon, delta):
    """The least share of misses of any test of an (epsilon, delta)-private answer."""
    # Wasserman & Zhou (2010); Kairouz, Oh & Viswanath (2015).
    return max(0.0, by_alarms(false_alarm_rate, epsilon, delta),
               by_misses(false_alarm_rate, epsilon, delta))  # fmt: skip


def by_alarms(rate, epsilon, delta):
    """Return the bound by the set of answers that raise the alarm."""
    return 1 - delta - math.exp(epsilon) * rate


def by_misses(rate, epsilon, delta):
    """Return the bound by the set of answers that raise none."""
    return math.exp(-epsilon) * (1 - delta - rate)


def meeting(epsilon, delta):
    """Return the rate at which both bounds meet: there both rates are the same."""
    return (1 - delta) / (1 + math.exp(epsilon))


CLAIM = FunctionClaim(
    least_miss_rate,
    established="no test has fewer misses, and some mechanism allows as few",
    # A linear program is right: its solver keeps a bound to 1e-7.
    absolute=2e-7,
)


@CLAIM.inputs
def fifteen(rng):
    """Few false alarms, some, many; delta 0, small, large; both ends.

    The last one lies between where the bounds meet, and where they would without delta.
    """
    yield {"false_alarm_rate": 0.0, "epsilon": 1.0, "delta": 0.02}
    yield {"false_alarm_rate": 1.0, "epsilon": 0.5, "delta": 0.0}
    for most in (0.0, 0.01, 0.3):
        epsilon, delta = round(rng.uniform(0.3, 2.5), 2), round(most * rng.uniform(1, 2), 4)
        meet = meeting(epsilon, delta)
        for rate in (
            meet * rng.uniform(0.1, 0.5),
            meet * rng.uniform(0.2, 0.8),
            meet + (1 - delta - meet) * rng.uniform(0.1, 0.6),
            1 - delta * rng.uniform(0.1, 0.9),
        ):
            rate = round(float(rate), 4)
            yield {"false_alarm_rate": rate, "epsilon": epsilon, "delta": delta}
    rate = round((meet + meeting(epsilon, 0)) / 2, 4)
    yield {"false_alarm_rate": rate, "epsilon": epsilon, "delta": delta}


@CLAIM.designed
def far(rng):
    # Up to 12: beyond, who solves the promise's inequalities numerically loses the digits.
    for epsilon in (*(min(each, 12.0) for each in at_edges("epsilon", rng)), 0.0):
        for delta in (0.0, 1e-12, round(rng.uniform(0.3, 0.95), 2)):
            for rate in (0.0, 1.0, 1 - delta, round(rng.uniform(0.001, 0.05), 4), 0.5):
                given = {"false_alarm_rate": rate, "epsilon": epsilon, "delta": delta}
                yield f"epsilon {epsilon}, delta {delta}, rate {rate}", given
    # Even where epsilon promises nothing, an alarm that is never false misses most.
    yield "epsilon 25, no false alarm", {"false_alarm_rate": 0.0, "epsilon": 25.0, "delta": 0.3}


def of_bounds(choose):
    """Return a function of both bounds."""
    return lambda false_alarm_rate, *, epsilon, delta: choose(
        by_alarms(false_alarm_rate, epsilon, delta), by_misses(false_alarm_rate, epsilon, delta)
    )


def with_numbers(change):
    """Return the right function of other numbers: change(epsilon, delta)."""

    def function(false_alarm_rate, *, epsilon, delta):
        epsilon, delta = change(epsilon, delta)
        return least_miss_rate(false_alarm_rate, epsilon=epsilon, delta=delta)

    return function


def delta_undivided(false_alarm_rate, *, epsilon, delta):
    misses = math.exp(-epsilon) * (1 - false_alarm_rate) - delta
    return max(0.0, by_alarms(false_alarm_rate, epsilon, delta), misses)


def with_the_plain_factor(false_alarm_rate, *, epsilon, delta):
    alarms = 1 - delta - (1 + epsilon) * false_alarm_rate
    return max(0.0, alarms, by_misses(false_alarm_rate, epsilon, delta))


SETS = "the promise holds for every set: for the answers with an alarm, and for those without?"
ROLES = "which of the two tables stands on the left of the promise? May it be either?"

CLAIM.mistake(
    "only the set of answers that raise the alarm is used",
    SETS,
    of_bounds(lambda alarms, misses: max(0.0, alarms)),
)
CLAIM.mistake(
    "only the set of answers without an alarm is used",
    SETS,
    of_bounds(lambda alarms, misses: max(0.0, misses)),
)
CLAIM.mistake(
    "the rate may become negative",
    "a rate of misses is a share: between which numbers does it lie?",
    of_bounds(max),
)
CLAIM.mistake(
    "the smaller of the two bounds is taken",
    "both bounds hold: which of them says more?",
    of_bounds(lambda alarms, misses: max(0.0, min(alarms, misses))),
)
CLAIM.mistake(
    "delta is ignored", "what does delta allow the attacker besides the factor?", given={"delta": 0}
)
CLAIM.mistake(
    "delta is counted twice",
    "how often is it added?",
    with_numbers(lambda epsilon, delta: (epsilon, 2 * delta)),
)
CLAIM.mistake(
    "delta is left out of the second bound",
    "does the promise for the answers without an alarm have a delta, too?",
    lambda false_alarm_rate, *, epsilon, delta: max(
        0.0, by_alarms(false_alarm_rate, epsilon, delta), by_misses(false_alarm_rate, epsilon, 0)
    ),
)
CLAIM.mistake(
    "delta is added where it is taken away",
    "does a larger delta help the attacker, or hinder them?",
    with_numbers(lambda epsilon, delta: (epsilon, -delta)),
)
CLAIM.mistake(
    "delta is not divided by exp(epsilon) in the second bound",
    "solve the promise for the rate of misses: what is divided by what?",
    delta_undivided,
)
CLAIM.mistake(
    "delta is multiplied by exp(epsilon) in the first bound",
    "write down the promise for the answers with an alarm: what does exp(epsilon) multiply?",
    lambda false_alarm_rate, *, epsilon, delta: max(
        0.0,
        by_alarms(false_alarm_rate + delta, epsilon, 0),
        by_misses(false_alarm_rate, epsilon, delta),
    ),
)
CLAIM.mistake(
    "the bound without delta is taken, times 1 - delta",
    "the promise has delta added, for each set of answers: solve it for the rate of misses. Which "
    "terms are multiplied?",
    lambda false_alarm_rate, *, epsilon, delta: (
        (1 - delta) * least_miss_rate(false_alarm_rate, epsilon=epsilon, delta=0)
    ),
)
CLAIM.mistake(
    "only the bound on the sum of both rates is used",
    "is there an attacker who reaches this sum without any false alarm? What does each of the two "
    "promises alone say there?",
    lambda false_alarm_rate, *, epsilon, delta: min(
        1.0, max(0.0, 2 * meeting(epsilon, delta) - false_alarm_rate)
    ),
)
CLAIM.mistake(
    "the second bound begins at 1 / (1 + exp(epsilon))",
    "at which rate of false alarms do the two bounds say the same?",
    lambda false_alarm_rate, *, epsilon, delta: max(
        0.0,
        (by_alarms if false_alarm_rate < meeting(epsilon, 0) else by_misses)(
            false_alarm_rate, epsilon, delta
        ),
    ),
)
CLAIM.mistake(
    "epsilon is used in place of exp(epsilon)",
    "which factor stands in the promise?",
    with_the_plain_factor,
)
CLAIM.mistake(
    "the sign of epsilon is wrong", ROLES, with_numbers(lambda epsilon, delta: (-epsilon, delta))
)
CLAIM.mistake(
    "epsilon is doubled",
    "which factor stands in the promise: exp(epsilon), or its square?",
    with_numbers(lambda epsilon, delta: (2 * epsilon, delta)),
)
CLAIM.mistake(
    "epsilon is ignored", "may the attacker do better when epsilon is larger?", given={"epsilon": 0}
)
CLAIM.mistake(
    "the power of the test is returned, not its misses",
    "a test that never misses: which rate has it?",
    then=lambda rate: 1 - rate,
)
CLAIM.mistake(
    "it is 1 minus the false alarms, as for an answer that says nothing",
    "that is a test which tosses a coin: can the attacker do better?",
    lambda false_alarm_rate, *, epsilon, delta: 1 - false_alarm_rate,
)
