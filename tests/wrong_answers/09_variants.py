"""Answers to chapter 09."""
# ruff: noqa: NPY002

import functools
import itertools
import math
import random
from statistics import NormalDist

import numpy as np
import pandas as pd
from scipy import special, stats

import dplib

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
INFINITY = math.inf


# --- max_divergence ---------------------------------------------------------------------------


def max_by_loop(first, second):
    largest = -INFINITY
    for above, below in zip(first, second, strict=True):
        if above > 0:
            largest = max(largest, math.log(above / below) if below > 0 else INFINITY)
    return largest


def max_by_array(first, second):
    possible = first > 0
    with np.errstate(divide="ignore"):
        return np.max(np.log(first[possible]) - np.log(second[possible]))


def max_by_series(first, second):
    table = pd.DataFrame({"first": first, "second": second})
    table = table[table["first"] > 0]
    return np.array([np.log((table["first"] / table["second"]).max())])


def max_over_events(first, second):
    # Every set of outcomes, as the definition says it.
    largest = -INFINITY
    for event in itertools.product((False, True), repeat=len(first)):
        above, below = first[np.array(event)].sum(), second[np.array(event)].sum()
        if above > 0:
            largest = max(largest, np.log(above / below) if below > 0 else INFINITY)
    return largest


RIGHT["max_divergence"] = [max_by_loop, max_by_array, max_by_series, max_over_events]


def max_without_the_rare(first, second):
    return max_by_loop(np.round(first, 7), np.round(second, 7) + 1e-300)


WRONG["max_divergence"] = [
    (max_without_the_rare, "the value is wrong"),
    (lambda first, second: np.log(first / second).max(), "not a number"),
    (lambda first, second: np.log(first / second), "one number is wanted"),
    (lambda first, second: max(math.log(a / b) for a, b in zip(first, second)), "stops with"),  # noqa: B905
]


# --- renyi_divergence -------------------------------------------------------------------------


def renyi_by_loop(first, second, *, order):
    total = 0
    for above, below in zip(first, second, strict=True):
        if above > 0 and below == 0:
            return INFINITY
        if above > 0:
            total += above**order * below ** (1 - order)
    return math.log(total) / (order - 1)


def renyi_by_array(first, second, *, order):
    possible = first > 0
    first, second = first[possible], second[possible]
    if np.any(second == 0):
        return np.inf
    return np.log(np.sum(second * (first / second) ** order)) / (order - 1)


def renyi_by_logs(first, second, *, order):
    with np.errstate(divide="ignore"):
        logs = order * np.log(first[first > 0]) + (1 - order) * np.log(second[first > 0])
    return special.logsumexp(logs) / (order - 1)


def renyi_under_first(first, second, *, order):
    # The mean under the first law, to the power of order - 1: the same sum.
    total = sum(
        above * (above / below if below else INFINITY) ** (order - 1)
        for above, below in zip(first.tolist(), second.tolist(), strict=True)
        if above
    )
    return np.float64(np.log(total)) / (order - 1)


RIGHT["renyi_divergence"] = [renyi_by_loop, renyi_by_array, renyi_by_logs, renyi_under_first]

WRONG["renyi_divergence"] = [
    (
        lambda first, second, *, order: (
            np.log(np.sum(second * (first / second) ** order)) / (order - 1)
        ),
        "not a number",
    ),
    (
        lambda first, second, *, order: renyi_by_array(first, second, order=max(order, 1.1)),
        "at an edge",
    ),
    (lambda first, second, *, order: 0.5, "the value is wrong"),
    (lambda first, second, *, order: first**order, "one number is wanted"),
]


# --- repeated_gaussian --------------------------------------------------------------------------


def rho_of(epsilon, delta):
    """The largest rho that converts to (epsilon, delta), by the quadratic formula for its root."""
    log = math.log(1 / delta)
    return ((-2 * math.sqrt(log) + math.sqrt(4 * log + 4 * epsilon)) / 2) ** 2


def repeated(noise):
    """An answer that adds noise(sensitivity, count, epsilon, delta) to the value."""

    def repeated_gaussian(value, *, l2_sensitivity, count, epsilon, delta, rng=None):
        return value + noise(l2_sensitivity, count, epsilon, delta)

    return repeated_gaussian


def repeated_sigma(l2_sensitivity, count, epsilon, delta):
    return l2_sensitivity / math.sqrt(2 * rho_of(epsilon, delta) / count)


@functools.cache
def rho_by_bisection(epsilon, delta):
    low, high = 0.0, 1e6
    for _ in range(100):
        rho = (low + high) / 2
        low, high = (rho, high) if dplib.zcdp_to_dp(rho, delta=delta) < epsilon else (low, rho)
    return low


def repeated_by_bisection(value, *, l2_sensitivity, count, epsilon, delta, rng=None):
    rho = rho_by_bisection(epsilon, delta) / count
    return dplib.gaussian_mechanism_zcdp(value, l2_sensitivity=l2_sensitivity, rho=rho, rng=rng)


def normal(scale):
    return np.random.normal(0, scale)


def normal_by_inverse(scale):
    return NormalDist(0, scale).inv_cdf(1 - random.random() or 0.5)


def normal_by_pair(scale):
    # Box and Muller's way, from two uniform draws.
    size = math.sqrt(-2 * math.log(1 - random.random()))
    return scale * size * math.cos(2 * math.pi * random.random())


STYLES = [
    normal,
    lambda scale: GENERATOR.normal(scale=scale),
    lambda scale: random.gauss(0, scale),
    lambda scale: stats.norm.rvs(scale=scale),
    lambda scale: scale * np.random.default_rng().standard_normal(),
    normal_by_inverse,
    normal_by_pair,
]


def in_all_styles(made, sigma):
    return [made(lambda *given, draw=draw: draw(sigma(*given))) for draw in STYLES]


def wrong_noise(made, sigma):
    """Mistakes about the size and the shape of the noise: made(noise), and the right sigma."""
    pairs = [
        (lambda *given: normal(sigma(*given) ** 2), "variance is given as the standard"),
        (lambda *given: normal(sigma(*given) ** 0.5), "root of sigma is given"),
        (lambda *given: normal(2 * sigma(*given)), "noise is doubled"),
        (lambda *given: normal(sigma(*given) / 2), "noise is halved"),
        (lambda *given: normal(2**0.5 * sigma(*given)), "too large by sqrt(2)"),
        (lambda *given: normal(sigma(*given)) + normal(sigma(*given)), "too large by sqrt(2)"),
        (lambda *given: normal(sigma(*given) / 2**0.5), "too small by sqrt(2)"),
        (lambda *given: np.random.laplace(0, sigma(*given)), "Laplace, with sigma as its scale"),
        (
            lambda *given: np.random.laplace(0, sigma(*given) / 2**0.5),
            "Laplace of the right variance",
        ),
        (lambda *given: random.uniform(-1, 1) * sigma(*given), "spread evenly"),
        (lambda *given: abs(normal(sigma(*given))), "never negative"),
        (lambda *given: np.random.normal(sigma(*given)), "scale is given as the centre"),
        (lambda *given: normal(sigma(*given) / given[0]), "sensitivity is ignored"),
        (lambda *given: normal(sigma(*given) * given[0]), "sensitivity is squared"),
        (lambda *given: normal(sigma(*given) / given[0] ** 0.5), "root of the sensitivity"),
        # With few answers 0.8 of the noise is about what the exact account asks for.
        (lambda *given: normal(0.8 * sigma(*given)), ("× what it must be", "the exact account")),
        (lambda *given: 0.0, "no noise is added"),
        (lambda *given: np.random.default_rng(3).normal(0, sigma(*given)), "the same answer"),
        (lambda *given: normal(sigma(*given)) * np.ones(2), "one number is wanted"),
    ]
    return [(made(noise), words) for noise, words in pairs]


def changed(answer, change):
    return lambda value, **given: change(answer(value, **given), value)


def wrong_release(right):
    """What is done to a right release, or to its value."""
    return [
        (changed(right, lambda release, value: release - value), "value is missing"),
        (changed(right, lambda release, value: release + value), "value is added twice"),
        (
            changed(right, lambda release, value: value + value * (release - value)),
            "multiplied by the value",
        ),
        (changed(right, lambda release, value: max(release, 0)), "negative answers become 0"),
        (changed(right, lambda release, value: abs(release)), "sign of the answer is lost"),
        (changed(right, lambda release, value: round(release, 1)), "rounded to 1 decimal"),
        (changed(right, lambda release, value: f"{release}"), "one number is wanted"),
    ]


RIGHT["repeated_gaussian"] = [*in_all_styles(repeated, repeated_sigma), repeated_by_bisection]


def share(unit):
    """An answer with the rho that unit(count, epsilon, delta) gives."""
    return repeated(
        lambda size, count, epsilon, delta: normal(
            size / math.sqrt(2 * unit(count, epsilon, delta))
        )
    )


def converted_rho(rho, delta):
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


WRONG["repeated_gaussian"] = [
    *wrong_noise(repeated, repeated_sigma),
    *wrong_release(repeated(lambda *given: normal(repeated_sigma(*given)))),
    (
        repeated(lambda size, k, e, d: normal(repeated_sigma(size, k, min(e, 12), max(d, 1e-8)))),
        "at an edge",
    ),
    (share(lambda k, e, d: rho_of(e, d)), "every answer spends the whole budget"),
    (share(lambda k, e, d: rho_of(e, d) / k**2), "not with its root"),
    (
        share(lambda k, e, d: rho_of(e / k, d / k)),
        ("and its part of delta", "the noise grows as count"),
    ),
    (share(lambda k, e, d: rho_of(e / k, d)), "its part of epsilon"),
    (share(lambda k, e, d: rho_of(e, d / k) / k), "delta is divided among the answers"),
    (share(lambda k, e, d: e**2 / 2 / k), "epsilon^2 / 2"),
    (share(lambda k, e, d: e / k), "taken to be epsilon"),
    (share(lambda k, e, d: e**2 / 4 / math.log(1 / d) / k), "first rho of the conversion"),
    (share(lambda k, e, d: math.sqrt(rho_of(e, d)) / k), "root of rho is taken for rho"),
    (share(lambda k, e, d: converted_rho(e, d) / k), "upside down"),
    (
        share(lambda k, e, d: (math.sqrt(-math.log10(d) + e) - math.sqrt(-math.log10(d))) ** 2 / k),
        "base 10",
    ),
    (
        share(
            lambda k, e, d: (
                ((math.sqrt(4 * e - math.log(d)) - math.sqrt(-math.log(d))) / 2) ** 2 / k
            )
        ),
        "2 before the root of the conversion",
    ),
    (
        repeated(lambda size, k, e, d: normal(size * k / (2 * rho_of(e, d)))),
        "square root of sigma is missing",
    ),
    (
        repeated(lambda size, k, e, d: normal(size * math.sqrt(2 * rho_of(e, d) * k))),
        "rho multiplies",
    ),
    (
        repeated(lambda size, k, e, d: np.random.laplace(0, size * k / e)),
        "Laplace, with one answer's part",
    ),
    (
        repeated(
            lambda size, k, e, d: normal(
                dplib.analytic_gaussian_sigma(l2_sensitivity=size, epsilon=e / k, delta=d / k)
            )
        ),
        "exact sigma for its part",
    ),
    (
        repeated(
            lambda size, k, e, d: normal(
                dplib.analytic_gaussian_sigma(
                    l2_sensitivity=size * math.sqrt(k), epsilon=e, delta=d
                )
            )
        ),
        "exact account is used",
    ),
]


# --- total_guarantee --------------------------------------------------------------------------


def gaussian_curve(order, ratio):
    return order / (2 * ratio**2)


def laplace_curve(order, epsilon):
    terms = [
        math.log(order / (2 * order - 1)) + (order - 1) * epsilon,
        math.log((order - 1) / (2 * order - 1)) - order * epsilon,
    ]
    return special.logsumexp(terms) / (order - 1)


def response_curve(order, epsilon):
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    return dplib.renyi_divergence([truth, 1 - truth], [1 - truth, truth], order=order)


CURVES = {
    "gaussian": gaussian_curve,
    "laplace": laplace_curve,
    "randomized_response": response_curve,
}


def curve_of(releases, orders, **other):
    curves = {**CURVES, **other}
    return np.array([sum(curves[kind](a, amount) for kind, amount in releases) for a in orders])


def converted(curve, orders, delta):
    return curve + math.log(1 / delta) / (np.array(orders) - 1)


def total_by_loop(releases, *, orders, delta):
    best = INFINITY
    for order in orders:
        total = 0
        for kind, amount in releases:
            if kind == "gaussian":
                total += order / 2 / amount / amount
            elif kind == "laplace":
                total += laplace_curve(order, amount)
            else:
                total += response_curve(order, amount)
        best = min(best, total + math.log(1 / delta) / (order - 1))
    return best


def total_by_array(releases, *, orders, delta):
    return converted(curve_of(releases, orders), orders, delta).min()


def total_by_library(releases, *, orders, delta):
    orders = tuple(sorted(orders))
    made = {
        "gaussian": lambda ratio: dplib.ZeroConcentratedDP(1 / (2 * ratio**2)).to_rdp(
            orders=orders
        ),
        "laplace": lambda epsilon: dplib.RenyiDP(
            orders, tuple(laplace_curve(order, epsilon) for order in orders)
        ),
        # The curve of randomized response is the highest that a pure guarantee can have.
        "randomized_response": lambda epsilon: dplib.PureDP(epsilon).to_rdp(orders=orders),
    }
    whole = dplib.sequential_composition(made[kind](amount) for kind, amount in releases)
    order = dplib.best_order(whole.orders, whole.epsilons, delta=delta)
    place = whole.orders.index(order)
    return dplib.rdp_to_dp(order, whole.epsilons[place], delta=delta)


def total_that_turns_the_orders(releases, *, orders, delta):
    if isinstance(orders, list):
        orders.reverse()
    return total_by_loop(releases, orders=orders, delta=delta)


RIGHT["total_guarantee"] = [total_by_loop, total_by_array, total_by_library]

WRONG["total_guarantee"] = [
    (total_that_turns_the_orders, "changes what it is given"),
    (
        lambda releases, *, orders, delta: total_by_loop(
            releases, orders=[math.floor(each) for each in orders if each >= 2], delta=delta
        ),
        "orders are cut to whole numbers",
    ),
    (lambda releases, *, orders, delta: releases.pop() and 1.0, "changes what it is given"),
    (lambda releases, *, orders, delta: converted(0, orders, delta), "one number is wanted"),
]


# --- composed_delta -----------------------------------------------------------------------------


def delta_by_dictionary(first, second, *, count, epsilon):
    def one_way(above, below):
        one = {}
        for p, q in zip(above, below, strict=True):
            if p > 0:
                loss = round(math.log(p / q), 9) if q > 0 else INFINITY
                one[loss] = one.get(loss, 0) + p
        law = {0.0: 1.0}
        for _ in range(count):
            longer = {}
            for (loss, p), (more, q) in itertools.product(law.items(), one.items()):
                total = round(loss + more, 9)
                longer[total] = longer.get(total, 0) + p * q
            law = longer
        return sum(p * (1 - math.exp(epsilon - loss)) for loss, p in law.items() if loss > epsilon)

    return max(one_way(first, second), one_way(second, first))


def delta_by_doubling(first, second, *, count, epsilon):
    """Losses on a fine grid, as arrays; twice as many answers at each step."""

    def merged(losses, chances):
        places, where = np.unique(np.round(losses, 8), return_inverse=True)
        return places, np.bincount(where.ravel(), weights=chances.ravel())

    def added(one, other):
        sums = np.add.outer(one[0], other[0]).ravel()
        return merged(sums, np.outer(one[1], other[1]).ravel())

    deltas = []
    for above, below in ((first, second), (second, first)):
        with np.errstate(divide="ignore"):
            power = merged(np.log(above[above > 0] / below[above > 0]), above[above > 0])
        total, left = (np.zeros(1), np.ones(1)), count
        while left:
            if left % 2:
                total = added(total, power)
            left //= 2
            if left:
                power = added(power, power)
        far = total[0] > epsilon
        deltas.append(np.sum(total[1][far] * (1 - np.exp(epsilon - total[0][far]))))
    return max(deltas)


def delta_by_multinomial(first, second, *, count, epsilon):
    outcomes = range(len(first))
    worst = [0.0, 0.0]
    for run in itertools.combinations_with_replacement(outcomes, count):
        often = np.bincount(run, minlength=len(first))
        p, q = (
            float(stats.multinomial.pmf(often, count, np.array(law) / np.sum(law)))
            for law in (first, second)
        )
        worst[0] += max(p - math.exp(epsilon) * q, 0)
        worst[1] += max(q - math.exp(epsilon) * p, 0)
    return max(worst)


RIGHT["composed_delta"] = [delta_by_dictionary, delta_by_doubling, delta_by_multinomial]

WRONG["composed_delta"] = [
    (lambda first, second, *, count, epsilon: math.nan, "not a finite number"),
    (lambda first, second, *, count, epsilon: 0.01, "the value is wrong"),
    # The advanced theorem's way: the largest loss, many times.
    (
        lambda first, second, *, count, epsilon: float(
            epsilon < count * dplib.max_divergence(first, second)
        ),
        "the value is wrong",
    ),
    # By the Gaussian law with the same mean and spread: the central limit.
    (
        lambda first, second, *, count, epsilon: delta_of_the_limit(first, second, count, epsilon),
        "the value is wrong",
    ),
]


def delta_of_the_limit(first, second, count, epsilon):
    seen = (first > 0) & (second > 0)
    loss = np.log(first[seen] / second[seen])
    mean = count * float(first[seen] @ loss)
    spread = math.sqrt(count * float(first[seen] @ loss**2) - mean**2 / count) or 1.0
    return float(stats.norm.sf((epsilon - mean) / spread))


# --- not_concentrated_counterexample ----------------------------------------------------------


def tiny(delta, rho):
    """A probability beside which delta makes the divergence of order 2 larger than 2 rho."""
    return delta**2 * math.exp(-2 * rho - 1)


def by_chance_everything(epsilon, delta, *, rho):
    """Randomized response that now and then says nearly everything."""
    truth, least = math.exp(epsilon) / (1 + math.exp(epsilon)), tiny(delta, rho)
    rest = 1 - delta - least
    return (
        [delta, least, rest * truth, rest * (1 - truth)],
        [least, delta, rest * (1 - truth), rest * truth],
    )


def of_three_outcomes(epsilon, delta, *, rho):
    few = tiny(delta / 2, rho)
    return np.array([1 - delta / 2, delta / 4, delta / 4]), np.array([1 - 2 * few, few, few])


RIGHT["not_concentrated_counterexample"] = [
    lambda epsilon, delta, *, rho: ([delta, 1 - delta], [tiny(delta, rho), 1 - tiny(delta, rho)]),
    lambda epsilon, delta, rho: ([1 - tiny(delta, rho), tiny(delta, rho)], [1 - delta, delta]),
    of_three_outcomes,
    by_chance_everything,
    lambda epsilon, delta, rho: [(delta, 0, 1 - delta), (1e-250, 0, 1)],
]


def with_an_outcome_beside_randomized_response(epsilon, delta, *, rho):
    """The telling outcome alone has all of delta, and the next one has a little too much."""
    p = 1 / (1 + math.exp(-epsilon))
    take = min(delta, (1 - p) / 2)
    return [take, p, 1 - p - take], [0.0, 1 - p - take / 2, p + take / 2]


def with_many_telling_outcomes(epsilon, delta, *, rho):
    """Each outcome keeps delta, all of them together do not."""
    part, none = [min(delta, 0.02)] * 20, [0.0] * 20
    return [1 - sum(part), *part, *none], [1 - sum(part), *none, *part]


def with_delta_off_one_law(epsilon, delta, *, rho):
    """Randomized response, in which an answer of the first law alone gives some to a third one."""
    p = 1 / (1 + math.exp(-epsilon))
    taken = min(delta, (1 - p) / 2)
    return [p, 1 - p - taken, taken], [1 - p, p, 0.0]


WRONG["not_concentrated_counterexample"] = [
    (with_an_outcome_beside_randomized_response, "outcomes 0 and 1 (counted from 0) together"),
    (with_many_telling_outcomes, "outcomes 1 to 20 (counted from 0) together have"),
    (with_delta_off_one_law, "both laws give this outcome"),
    (
        lambda epsilon, delta, *, rho: ([1 - round(delta, 4), round(delta, 4)], [1, 0]),
        "what becomes of it at a small delta?",
    ),
    (lambda epsilon, delta, *, rho: ([0.5, 0.5], [0.5, 0.5]), "the same"),
    (
        lambda epsilon, delta, *, rho: ([0.5 + delta / 4, 0.5 - delta / 4], [0.5, 0.5]),
        "stay within rho times the order",
    ),
    (
        lambda epsilon, delta, *, rho: ([delta, 1 - delta], [delta / 10, 1 - delta / 10]),
        "stay within rho times the order",
    ),
    (
        lambda epsilon, delta, *, rho: (
            [delta, 1 - delta],
            [delta * math.exp(-rho / 2), 1 - delta * math.exp(-rho / 2)],
        ),
        "stay within rho times the order",
    ),
    (lambda epsilon, delta, *, rho: ([delta, 1 - delta], [0, 1]), "never gives an outcome"),
    (lambda epsilon, delta, *, rho: ([1, 0], [0, 1]), "not (epsilon, delta)-private"),
    (
        lambda epsilon, delta, *, rho: ([2 * delta, 1 - 2 * delta], [0, 1]),
        "not (epsilon, delta)-private",
    ),
    (lambda epsilon, delta, *, rho: ([0, 1], [0.5, 0.5]), "not (epsilon, delta)-private"),
    (lambda epsilon, delta, *, rho: ([delta, 1], [0, 1]), "is not a law"),
    (lambda epsilon, delta, *, rho: ([1 + delta, -delta], [1, 0]), "is not a law"),
    (lambda epsilon, delta, *, rho: ([1.0], [0.0, 1.0]), "about different outcomes"),
    (lambda epsilon, delta, *, rho: (delta, 0), "not a list of probabilities"),
    (lambda epsilon, delta, *, rho: (["a"], ["b"]), "not a list of probabilities"),
    (lambda epsilon, delta, *, rho: ([math.nan, 1], [0, 1]), "not a list of probabilities"),
    (lambda epsilon, delta, *, rho: [delta, 1 - delta, 0], "two laws are wanted"),
    (lambda epsilon, delta, *, rho: 1 / 0, "ZeroDivisionError"),
]
