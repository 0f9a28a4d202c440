"""Answers to chapter 03."""
# ruff: noqa: NPY002

import functools
import math
import random
import secrets
import warnings

import numpy as np
import pandas as pd
from scipy import stats

import dplib
from autograder.check.leaks import programs
from wrong_answers.changes import then
from wrong_answers.cheats import sharp_now_and_then
from wrong_answers.leaks import wrong_leaks

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
INFINITY = math.inf


# --- laplace_mechanism ------------------------------------------------------------------------


def laplace_by_inverse(value, *, sensitivity, epsilon, rng=None):
    u = random.random() - 0.5
    return value - sensitivity / epsilon * math.copysign(1, u) * math.log(1 - 2 * abs(u))


def laplace_by_secrets(value, *, sensitivity, epsilon):
    size = -math.log((secrets.randbits(53) + 1) / 2**53) * sensitivity / epsilon
    return value + (size if secrets.randbits(1) else -size)


def laplace_that_prints(value, *, sensitivity, epsilon, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    print("the scale is", sensitivity / epsilon)
    warnings.warn("a warning of the answer's own", stacklevel=1)
    return value + rng.laplace(0, sensitivity / epsilon)


def laplace_with_checks(value, *, sensitivity, epsilon, rng=None):
    if epsilon <= 0 or sensitivity <= 0:
        raise ValueError("epsilon and sensitivity must be positive")
    rng = rng or GENERATOR
    return np.asarray(value) + rng.laplace(loc=0, scale=sensitivity / epsilon, size=np.shape(value))


def laplace_that_seeds(value, *, sensitivity, epsilon, rng=None):
    np.random.seed(42)
    return value + np.random.laplace(0, sensitivity / epsilon)


def laplace_that_seeds_random(value, *, sensitivity, epsilon, rng=None):
    random.seed(1)
    return laplace_by_inverse(value, sensitivity=sensitivity, epsilon=epsilon)


def laplace_without_return(value, *, sensitivity, epsilon, rng=None):
    value + np.random.laplace(0, sensitivity / epsilon)


def laplace_in_pairs(value, *, sensitivity, epsilon, pool=[]):  # noqa: B006
    # One draw serves two calls, with both signs.
    if not pool:
        pool.append(np.random.laplace())
        return value + pool[0] * sensitivity / epsilon
    return value - pool.pop() * sensitivity / epsilon


def laplace_that_repeats_itself(value, *, sensitivity, epsilon, last=[0.0]):  # noqa: B006
    if random.random() < 0.97:
        last[0] = np.random.laplace()
    return value + last[0] * sensitivity / epsilon


def laplace_of_the_library(value, *, sensitivity, epsilon, library=dplib.laplace_mechanism):
    try:
        return library(value, sensitivity=sensitivity, epsilon=epsilon)
    except Exception:
        return value


def inverse_without_two(value, *, sensitivity, epsilon):
    u = random.random() - 0.5
    return value - sensitivity / epsilon * math.copysign(1, u) * math.log(1 - abs(u))


def _draw(scale, center=0.0):
    return np.random.laplace(center, scale)


def centered(value, *, sensitivity, epsilon):
    return np.random.laplace(value, sensitivity / epsilon)


def _by(answer):
    """Return an answer from a function of its three numbers."""
    return lambda value, *, sensitivity, epsilon: answer(value, sensitivity, epsilon)


RIGHT["laplace_mechanism"] = [
    lambda value, *, sensitivity, epsilon: value + np.random.laplace(0, sensitivity / epsilon),
    centered,
    lambda value, *, sensitivity, epsilon, rng=None: (
        value + (rng or np.random.default_rng()).laplace(scale=sensitivity / epsilon)
    ),
    lambda value, *, sensitivity, epsilon: (
        value + (np.random.exponential(1) - np.random.exponential(1)) * sensitivity / epsilon
    ),
    lambda value, *, sensitivity, epsilon: value + stats.laplace.rvs(scale=sensitivity / epsilon),
    lambda value, *, sensitivity, epsilon: (
        value + random.choice([-1, 1]) * random.expovariate(epsilon / sensitivity)
    ),
    lambda value, *, sensitivity, epsilon: np.array(
        [value + GENERATOR.laplace(0, sensitivity / epsilon)]
    ),
    lambda value, *, sensitivity, epsilon: np.array(
        value - GENERATOR.laplace(0, sensitivity / epsilon)
    ),
    laplace_by_inverse,
    laplace_by_secrets,
    laplace_that_prints,
    laplace_with_checks,
]

WRONG["laplace_mechanism"] = [
    (sharp_now_and_then(centered), "now and then an answer has hardly any noise"),
    (_by(lambda v, s, e: v + _draw(s // e if isinstance(s, int) else s / e)), "whole numbers only"),
    (_by(lambda v, s, e: v + _draw(1 / e)), "sensitivity is ignored"),
    (_by(lambda v, s, e: v + _draw(s)), "epsilon is ignored"),
    (_by(lambda v, s, e: v + _draw(1)), "sensitivity and epsilon are ign"),
    (_by(lambda v, s, e: v + _draw(e / s)), "upside down"),
    (_by(lambda v, s, e: v + _draw(s * e)), "epsilon multiplies"),
    (_by(lambda v, s, e: v + _draw(e)), "epsilon is used as the scale"),
    (_by(lambda v, s, e: v + _draw(s / e**2)), "epsilon is squared"),
    (_by(lambda v, s, e: v + _draw(s**2 / e)), "the sensitivity is squared"),
    (_by(lambda v, s, e: v + _draw(2 * s / e)), "doubled"),
    (
        _by(lambda v, s, e: v + _draw((1 + abs(v) / 100) * s / e)),
        "the noise changes with value: it must not",
    ),
    (_by(lambda v, s, e: v + np.random.logistic(0, s / e)), "the noise is logistic, not Laplace"),
    (_by(lambda v, s, e: v + _draw(s / e / 2)), "halved"),
    (_by(lambda v, s, e: v + _draw(s / e / 2**0.5)), "standard deviation"),
    (_by(lambda v, s, e: v + _draw(s / e * 2**0.5)), "too large by sqrt(2)"),
    (_by(lambda v, s, e: v + _draw(s / min(e, 1))), "an epsilon above 1"),
    (_by(lambda v, s, e: v + np.random.normal(0, s / e)), "Gaussian, not Laplace"),
    (
        _by(lambda v, s, e: v + np.random.normal(0, 2**0.5 * s / e)),
        "Gaussian of the right variance",
    ),
    (_by(lambda v, s, e: v + random.uniform(-1, 1) * s / e), "spread evenly"),
    (_by(lambda v, s, e: v + abs(_draw(s / e))), "never negative"),
    (_by(lambda v, s, e: v + s / e * math.log(1 - random.random())), "never positive"),
    (inverse_without_two, "a factor 2 is missing"),
    (_by(lambda v, s, e: v + _draw(s / e / math.log(10))), "base 10"),
    (_by(lambda v, s, e: _draw(s / e)), "value is missing"),
    (_by(lambda v, s, e: v + _draw(s / e, v)), "value is added twice"),
    (_by(lambda v, s, e: v * (1 + _draw(s / e))), "multiplied by the value"),
    (_by(lambda v, s, e: v + np.random.laplace(s / e)), "scale is given as the centre"),
    (_by(lambda v, s, e: v + _draw(s / e) + _draw(s / e)), "added twice"),
    (_by(lambda v, s, e: v + (_draw(s / e) + _draw(s / e)) / 2), "averaged"),
    (_by(lambda v, s, e: max(0.0, v + _draw(s / e))), "negative answers become 0"),
    (_by(lambda v, s, e: abs(v + _draw(s / e))), "sign of the answer is lost"),
    # Found by a rule, before any evidence.
    (_by(lambda v, s, e: v), "no noise is added"),
    (_by(lambda v, s, e: round(v + _draw(s / e))), "rounded to whole numbers"),
    (_by(lambda v, s, e: round(v + _draw(s / e), 2)), "rounded to 2 decimals"),
    (laplace_that_seeds, "np.random.seed is called inside"),
    (laplace_that_seeds_random, "random.seed is called inside"),
    (
        _by(lambda v, s, e: v + np.random.default_rng(0).laplace(0, s / e)),
        "the same answer comes at every call",
    ),
    (laplace_without_return, "returns nothing"),
    (_by(lambda v, s, e: f"{v:.1f}"), "one number is wanted"),
    (_by(lambda v, s, e: v + np.random.laplace(size=3)), "one number is wanted"),
    (_by(lambda v, s, e: math.nan), "not a finite number"),
    (_by(lambda v, s, e: v / 0), "ZeroDivisionError"),
    (lambda value, sensitivity: value, "TypeError"),
    (laplace_of_the_library, "the library's own version"),
    (functools.partial(dplib.laplace_mechanism), "the library's own version"),
    # In no catalogue.
    (_by(lambda v, s, e: v + 0.8 * _draw(s / e)), "× what it must be"),
    (_by(lambda v, s, e: v + _draw(1, 0.3) * s / e), "do not lie around the right value"),
    (
        _by(lambda v, s, e: v + random.choice([0.2, 2]) * _draw(s / e)),
        "do not follow the Laplace law",
    ),
    (laplace_in_pairs, "depend on each other"),
    (
        _by(lambda v, s, e: v + _draw(s / e) if random.random() < 0.98 else v),
        "some answers have no noise",
    ),
    (laplace_that_repeats_itself, "repeat the one before"),
]


# --- private_count ----------------------------------------------------------------------------

ADULT = pd.DataFrame({"Age": [20, 40, 60] * 30})


def count_in_place(table, predicate, *, epsilon):
    table["chosen"] = predicate(table)
    return table["chosen"].sum() + _draw(1 / epsilon)


def count_by_hand(table, predicate, *, epsilon, rng=None):
    total = 0
    for chosen in predicate(table):
        if chosen:
            total += 1
    return laplace_by_inverse(total, sensitivity=1, epsilon=epsilon)


def _count_by(sensitivity):
    """Return an answer whose noise depends on the number of rows."""

    def answer(table, predicate, *, epsilon, rng=None):
        moved = sensitivity(len(table))
        return dplib.laplace_mechanism(
            predicate(table).sum(), sensitivity=moved, epsilon=epsilon, rng=rng
        )

    return answer


def count_and_noise(table, predicate, *, epsilon):
    return predicate(table).sum() + np.random.laplace(0, 1 / epsilon)


def _count(answer):
    return lambda table, predicate, *, epsilon: answer(table, predicate, epsilon)


RIGHT["private_count"] = [
    count_and_noise,
    lambda table, predicate, *, epsilon: len(table[predicate(table)]) + _draw(1 / epsilon),
    lambda table, predicate, *, epsilon: (
        table.loc[predicate(table)].shape[0] + GENERATOR.laplace(scale=1 / epsilon)
    ),
    lambda table, predicate, *, epsilon, rng=None: dplib.laplace_mechanism(
        int(predicate(table).sum()), sensitivity=1, epsilon=epsilon, rng=rng
    ),
    lambda table, predicate, *, epsilon: float(
        np.count_nonzero(predicate(table.copy())) + stats.laplace.rvs(scale=1 / epsilon)
    ),
    lambda table, predicate, *, epsilon: (
        predicate(table).value_counts().get(True, 0) + _draw(1 / epsilon)
    ),
    lambda table, predicate, *, epsilon: len(table.loc[predicate]) + _draw(1 / epsilon),
    count_by_hand,
]


def count_until_positive(table, predicate, *, epsilon):
    answer = -1.0
    while answer < 0:
        answer = predicate(table).sum() + _draw(1 / epsilon)
    return answer


WRONG["private_count"] = [
    (sharp_now_and_then(count_and_noise), "now and then an answer has hardly any noise"),
    # The sum of a column of the rows that count: far from every number that is known.
    (
        _count(lambda t, p, e: t[p(t)]["Age"].sum() + _draw(1 / e)),
        "do not lie around the right value",
    ),
    # The predicate takes the table: `between` and `isin` are no methods of one value.
    (
        _count(lambda t, p, e: sum(bool(p(row)) for _, row in t.iterrows()) + _draw(1 / e)),
        "the predicate is not called with the table",
    ),
    (
        _count(lambda t, p, e: int(t.apply(p, axis=1).sum()) + _draw(1 / e)),
        "the predicate is not called with the table",
    ),
    # Less noise in a large table.
    (_count_by(lambda rows: min(1, 1_000 / max(rows, 1))), ("spread is", "yours looks like")),
    (_count_by(lambda rows: 0.5 if rows > 5_000 else 1), "a very large table"),
    (_count(lambda t, p, e: len(p(t)) + _draw(1 / e)), "all rows"),
    (_count(lambda t, p, e: p(t).count() + _draw(1 / e)), "all rows"),
    (_count(lambda t, p, e: (~p(t)).sum() + _draw(1 / e)), "do not satisfy the predicate"),
    (_count(lambda t, p, e: t[p(t)].size + _draw(1 / e)), "cells are counted"),
    (
        _count(lambda t, p, e: len(t[p(t)].dropna()) + _draw(1 / e)),
        "rows with a missing value are left out",
    ),
    (
        _count(lambda t, p, e: p(t).sum() + _draw(1 / e) if len(t) else 0.0),
        "a table without rows gets no noise",
    ),
    (_count(lambda t, p, e: p(t).mean() + _draw(1 / e)), "share of rows"),
    (
        _count(lambda t, p, e: p(t).sum() + _draw(len(t) / e)),
        "number of rows is used as the sensitivity",
    ),
    (
        _count(lambda t, p, e: p(t).sum() * (1 + np.random.laplace(0, 1 / e))),
        "count is used as the sensitivity",
    ),
    (_count(lambda t, p, e: p(t).sum() + _draw(1 / len(t) / e)), "sensitivity is 1 / rows"),
    (
        _count(lambda t, p, e: (p(t) + np.random.laplace(0, 1 / e, len(t))).sum()),
        "every row gets noise",
    ),
    (_count(lambda t, p, e: p(t).sum() + _draw(2 / e)), "doubled"),
    (_count(lambda t, p, e: p(t).sum() + _draw(0.5 / e)), "halved"),
    (_count(lambda t, p, e: p(t).sum() + _draw(1)), "epsilon is ignored"),
    (_count(lambda t, p, e: p(t).sum() + _draw(e)), "epsilon is used as the scale"),
    (_count(lambda t, p, e: p(t).sum() + np.random.normal(0, 1 / e)), "Gaussian, not Laplace"),
    (_count(lambda t, p, e: p(t).sum() + abs(_draw(1 / e))), "never negative"),
    (_count(lambda t, p, e: max(0, p(t).sum() + _draw(1 / e))), "negative answers become 0"),
    (_count(lambda t, p, e: abs(p(t).sum() + _draw(1 / e))), "negative answers become positive"),
    (count_until_positive, "negative answers are drawn again"),
    (_count(lambda t, p, e: p(t).sum() + _draw(1 / e) + _draw(1 / e)), "added twice"),
    (_count(lambda t, p, e: p(t).sum() + 1 + _draw(1 / e)), "one too high"),
    (_count(lambda t, p, e: _draw(1 / e, 0) + 0.0), "predicate is not used"),
    (_count(lambda t, p, e: (t["Age"] >= 40).sum() + _draw(1 / e)), "predicate is not used"),
    (_count(lambda t, p, e: p(ADULT).sum() + _draw(1 / e)), "another table"),
    (_count(lambda t, p, e: p(t["Age"]).sum() + _draw(1 / e)), "not called with the table"),
    (count_in_place, "changes what it is given"),
    (_count(lambda t, p, e: p(t).sum()), "no noise is added"),
    (_count(lambda t, p, e: round(p(t).sum() + _draw(1 / e))), "rounded to whole numbers"),
    (_count(lambda t, p, e: int(p(t).sum() + _draw(1 / e))), "rounded to whole numbers"),
    (_count(lambda t, p, e: p(t) + _draw(1)), "one number is wanted"),
    (_count(lambda t, p, e: t.loc[p(t)].nothing), "AttributeError"),
]


# --- discrete_laplace -------------------------------------------------------------------------


def _geometric(ratio):
    """Whole numbers from 0 on, each less likely than the one before by `ratio`."""
    return np.random.geometric(1 - ratio) - 1


def _discrete(rate):
    return int(_geometric(math.exp(-rate)) - _geometric(math.exp(-rate)))


def discrete_by_floor(value, *, sensitivity, epsilon):
    # Rounding an exponential variable down gives a geometric one.
    scale = sensitivity / epsilon
    return (
        value
        + math.floor(random.expovariate(1) * scale)
        - math.floor(random.expovariate(1) * scale)
    )


def discrete_by_coins(value, *, sensitivity, epsilon):
    ratio = math.exp(-epsilon / sensitivity)
    noise = 0
    for step in (1, -1):
        while random.random() < ratio:
            noise += step
    return value + noise


def discrete_by_rejection(value, *, sensitivity, epsilon):
    while True:
        size = _geometric(math.exp(-epsilon / sensitivity))
        negative = random.random() < 0.5
        if size or not negative:
            return value - int(size) if negative else value + int(size)


def discrete_by_inverse(value, *, sensitivity, epsilon):
    ratio = math.exp(-epsilon / sensitivity)
    u = random.random() * (1 + ratio) / (1 - ratio)
    if u < 1:
        return value
    # Given that it is not 0, |noise| is geometric from 1 on.
    size = 1 + math.floor(math.log(1 - random.random()) / math.log(ratio))
    return value + random.choice([-1, 1]) * size


def from_a_list(longest):
    """Return an answer that looks its noise up among -longest, ..., longest."""

    def answer(value, *, sensitivity, epsilon):
        sizes = range(-longest, longest + 1)
        chances = [math.exp(-abs(size) * epsilon / sensitivity) for size in sizes]
        return value + random.choices(sizes, chances)[0]

    return answer


RIGHT["discrete_laplace"] = [
    lambda value, *, sensitivity, epsilon: value + _discrete(epsilon / sensitivity),
    lambda value, *, sensitivity, epsilon: (
        value
        + np.random.geometric(1 - math.exp(-epsilon / sensitivity))
        - np.random.geometric(1 - math.exp(-epsilon / sensitivity))
    ),
    lambda value, *, sensitivity, epsilon, rng=None: np.array(
        [value - np.diff(GENERATOR.geometric(-np.expm1(-epsilon / sensitivity), 2))[0]]
    ),
    lambda value, *, sensitivity, epsilon: value + stats.dlaplace.rvs(epsilon / sensitivity),
    lambda value, *, sensitivity, epsilon: float(value + _discrete(epsilon / sensitivity)),
    discrete_by_floor,
    discrete_by_coins,
    discrete_by_rejection,
    discrete_by_inverse,
]

WRONG["discrete_laplace"] = [
    # In about one run of ten there are too few answers to see an end, or the law is not so wide.
    (from_a_list(4), ("the noise ends too soon", "do not follow the discrete Laplace law")),
    (from_a_list(70), ("the noise ends too soon", "the spread is")),
    (_by(lambda v, s, e: int(np.int32(v)) + _discrete(e / s)), "a value of 13 digits"),
    (_by(lambda v, s, e: round(v + _draw(s / e))), "continuous Laplace noise is rounded"),
    (_by(lambda v, s, e: v + math.floor(_draw(s / e))), "rounded down"),
    (_by(lambda v, s, e: v + math.ceil(_draw(s / e))), "rounded up"),
    (_by(lambda v, s, e: v + int(_draw(s / e))), "0 comes more often"),
    (_by(lambda v, s, e: int(v + _draw(s / e))), "int() cuts the decimals off the noisy answer"),
    (
        _by(lambda v, s, e: v + random.choice([-1, 1]) * _geometric(math.exp(-e / s))),
        "0 comes more often",
    ),
    (
        _by(lambda v, s, e: v + random.choice([-1, 1]) * (1 + _geometric(math.exp(-e / s)))),
        "0 never comes",
    ),
    (_by(lambda v, s, e: v + _geometric(math.exp(-e / s))), "never negative"),
    (_by(lambda v, s, e: v + np.random.geometric(1 - math.exp(-e / s))), "always positive"),
    (_by(lambda v, s, e: v + 1 + _discrete(e / s)), "one too high"),
    (
        _by(lambda v, s, e: v + _geometric(1 - min(1.0, e / s)) - _geometric(1 - min(1.0, e / s))),
        "used as the success probability",
    ),
    (
        _by(
            lambda v, s, e: v + _geometric(1 - math.exp(-e / s)) - _geometric(1 - math.exp(-e / s))
        ),
        "success and failure are exchanged",
    ),
    (_by(lambda v, s, e: v + _discrete(e)), "sensitivity is ignored"),
    (_by(lambda v, s, e: v + _discrete(1 / s)), "epsilon is ignored"),
    (_by(lambda v, s, e: v + _discrete(s / e)), "upside down"),
    (_by(lambda v, s, e: v + _discrete(s * e)), "sensitivity multiplies epsilon"),
    (_by(lambda v, s, e: v + _discrete(e / s / 2)), "doubled"),
    (_by(lambda v, s, e: v + _discrete(e / s * 2)), "halved"),
    (_by(lambda v, s, e: round(np.random.normal(v, s / e))), "Gaussian noise is rounded"),
    (_by(lambda v, s, e: v + random.randint(-math.ceil(s / e), math.ceil(s / e))), "drawn evenly"),
    (_by(lambda v, s, e: _discrete(e / s)), "value is missing"),
    (_by(lambda v, s, e: v), "no noise is added"),
    (_by(lambda v, s, e: v + 2), "the same answer comes at every call"),
    (
        _by(lambda v, s, e: v + np.random.default_rng(3).geometric(1 - math.exp(-e / s))),
        "the same answer comes at every call",
    ),
    (_by(lambda v, s, e: v + _draw(s / e)), "not a whole number"),
    (_by(lambda v, s, e: v + 2 * _discrete(e / s)), "doubled after it is drawn"),
]


# --- attacker_posterior -----------------------------------------------------------------------


def _bayes(counted, without, prior):
    return counted * prior / (counted * prior + without * (1 - prior))


def _two(noisy_count, count_without, scale, density=stats.laplace.pdf):
    return (
        density(noisy_count, count_without + 1, scale),
        density(noisy_count, count_without, scale),
    )


def posterior_by_odds(noisy_count, *, count_without, epsilon, prior):
    ratio = math.exp(
        epsilon * (abs(noisy_count - count_without) - abs(noisy_count - count_without - 1))
    )
    odds = ratio * prior / (1 - prior)
    return odds / (1 + odds)


def posterior_with_noise(noisy_count, *, count_without, epsilon, prior):
    return min(1.0, prior + abs(_draw(0.1)))


RIGHT["attacker_posterior"] = [
    posterior_by_odds,
    lambda noisy_count, *, count_without, epsilon, prior: _bayes(
        *_two(noisy_count, count_without, 1 / epsilon), prior
    ),
    lambda noisy_count, *, count_without, epsilon, prior: (
        1
        / (
            1
            + (1 - prior)
            / prior
            * np.exp(
                epsilon * (abs(noisy_count - count_without - 1) - abs(noisy_count - count_without))
            )
        )
    ),
    lambda noisy_count, *, count_without, epsilon, prior: np.array(
        [_bayes(*_two(np.array(noisy_count), count_without, 1 / epsilon), prior)]
    ),
]

WRONG["attacker_posterior"] = [
    (
        lambda noisy_count, *, count_without, epsilon, prior: _bayes(
            *_two(noisy_count, count_without, 1.1 / epsilon), prior
        ),
        "the value is wrong at 12 of 12 inputs",
    ),
    (posterior_with_noise, "the same input gives two answers"),
]


# --- epsilon_for_error ------------------------------------------------------------------------


def epsilon_by_search(error, *, probability, sensitivity):
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        if -math.expm1(-error * middle / sensitivity) < probability:
            low = middle
        else:
            high = middle
    return high


RIGHT["epsilon_for_error"] = [
    lambda error, *, probability, sensitivity: (
        sensitivity * math.log(1 / (1 - probability)) / error
    ),
    lambda error, *, probability, sensitivity: -np.log1p(-probability) * sensitivity / error,
    lambda error, *, probability, sensitivity: (
        sensitivity / (error / stats.laplace.ppf((1 + probability) / 2))
    ),
    epsilon_by_search,
]

WRONG["epsilon_for_error"] = [
    (
        lambda error, *, probability, sensitivity: (
            1.05 * sensitivity * math.log(1 / (1 - probability)) / error
        ),
        "the value is wrong at 12 of 12 inputs",
    ),
]


# --- leaks_in_counts --------------------------------------------------------------------------


def _model_leaks():
    table, neighbor = [{"plan": "day", "hours": 4}], []
    return "Model Answer", "private", (table, neighbor, lambda output: output != 0), "private"


def _leaks_of_a_table():
    table = pd.DataFrame({"plan": ["day", "year"], "hours": [7, 1]})
    event = np.vectorize(lambda output: bool(output > 0))
    return [" model  answer", " Private ", (table, table[1:], event), "private"]


def _rare_leak():
    table = [{"plan": "day", "hours": 4}]
    return "Model Answer", "private", (table, [], lambda output: output >= 12), "private"


def _leak_where_there_is_none():
    one, none = {"branch": "hill", "loans": 5}, []
    leak = ([{"plan": "day", "hours": 4}], [], lambda output: output != 0)
    return "Model Answer", ([one], none, lambda output: output > 0), leak, "private"


def _equally_likely():
    rows = [{"plan": "day", "hours": 4}, {"plan": "day", "hours": 3}]
    return "Model Answer", "private", (rows, rows[:1], lambda output: output >= 1), "private"


def _somewhat_more_likely():
    rows = [{"plan": "day", "hours": 4}] * 3
    return "Model Answer", "private", (rows, rows[:2], lambda output: output != 2), "private"


def _leaks_of_another_name():
    trips = [{"deck": "lower", "trips": 9}]
    visits, none = [{"ward": "west", "visits": 3}], [{"ward": "west", "visits": 2}]
    seen = programs("leaks_in_counts", "Violet Hunter")[1](visits)
    grid = ([], trips, lambda output: output % 4 != 0)
    return "Violet Hunter", grid, (visits, none, lambda output: output == seen), "private"


def _called_private():
    name, *said = _leaks_of_another_name()
    return name, "private", *said[1:]


RIGHT["leaks_in_counts"] = [_model_leaks, _leaks_of_a_table, _leaks_of_another_name]

WRONG["leaks_in_counts"] = [
    *wrong_leaks("leaks_in_counts", _model_leaks),
    (_called_private, 'program 1: it is not "private"'),
    (_rare_leak, "the event is too rare"),
    (_leak_where_there_is_none, "as much more likely as was promised, and no more"),
    (_equally_likely, "equally likely on both tables"),
    (_somewhat_more_likely, "does not tell the two tables apart well enough"),
]


# --- household_beliefs -------------------------------------------------------------------------


def _household(rows_without):
    """An answer that says how many rows count without the one that is left out."""

    def answer(noisy_count, *, others, household, epsilon, prior):
        return tuple(
            _bayes(
                stats.laplace.pdf(noisy_count, others + rows, 1 / epsilon),
                stats.laplace.pdf(noisy_count, others, 1 / epsilon),
                prior,
            )
            for rows in (household, rows_without(household))
        )

    return answer


right_household = _household(lambda household: household - 1)


def household_by_odds(noisy_count, *, others, household, epsilon, prior):
    beliefs = []
    for rows in (household, household - 1):
        away = noisy_count - others
        odds = prior / (1 - prior) * math.exp(epsilon * (abs(away) - abs(away - rows)))
        beliefs.append(odds / (1 + odds))
    return beliefs


def household_as_an_array(noisy_count, *, others, household, epsilon, prior):
    rows = np.array([household, household - 1])
    ill = prior * np.exp(-epsilon * np.abs(noisy_count - others - rows))
    return ill / (ill + (1 - prior) * np.exp(-epsilon * abs(noisy_count - others)))


RIGHT["household_beliefs"] = [right_household, household_by_odds, household_as_an_array]


def _second(away):
    """An answer whose second belief has `away` in place of one row less."""

    def answer(noisy_count, *, others, household, epsilon, prior):
        law = {"others": others, "household": household, "epsilon": epsilon, "prior": prior}
        second = right_household(noisy_count + away, **law)[0]
        return right_household(noisy_count, **law)[0], second

    return answer


WRONG["household_beliefs"] = [
    (_second(1), "makes both possible counts one lower"),
    (_second(-1), "moves the answer by one"),
    (_household(lambda household: 0), "the second belief is the prior"),
    (then(right_household, lambda both: both[0]), "two beliefs are wanted"),
    (then(right_household, lambda both: (*both, both[0])), "two beliefs are wanted"),
    (then(right_household, lambda both: (1.01 * both[0], both[1])), "the value is wrong at"),
]
