"""Answers to chapter 09's exercises, as data: wrong ones with the words that must name the mistake,
and right ones in many styles.

WRONG[exercise] is a list of (answer, fragment of the sentence); RIGHT[exercise] a list of answers.
Some styles are the old ones on purpose (numpy's global generator): students write them.
"""
# ruff: noqa: NPY002

import itertools
import math
import random
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pandas as pd
from scipy import special, stats

import dplib

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


RIGHT_MAX = [max_by_loop, max_by_array, max_by_series, max_over_events]

WRONG_MAX = [
    (lambda first, second: np.log(first / second).max(), "not a number"),
    (lambda first, second: np.log(first / second), "one number is wanted"),
    (lambda first, second: None, "returns nothing"),
    (lambda first, second: max(math.log(a / b) for a, b in zip(first, second)), "stops with"),  # noqa: B905
    (dplib.max_divergence, "the library's own version"),
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


RIGHT_RENYI = [renyi_by_loop, renyi_by_array, renyi_by_logs, renyi_under_first]

WRONG_RENYI = [
    (
        lambda first, second, *, order: (
            np.log(np.sum(second * (first / second) ** order)) / (order - 1)
        ),
        "not a number",
    ),
    (lambda first, second, *, order: 0.5, "the value is wrong"),
    (lambda first, second, *, order: None, "returns nothing"),
    (lambda first, second, *, order: first**order, "one number is wanted"),
    (dplib.renyi_divergence, "the library's own version"),
]


# --- gaussian_renyi_divergence ----------------------------------------------------------------


def renyi_by_quadrature(distance, *, sigma, order):
    # Gauss and Hermite's rule on the definition, with the square completed by hand.
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    shift = distance / sigma
    places = nodes + order * shift
    logs = order * (places * shift - shift**2 / 2) - places**2 / 2 + nodes**2 / 2
    total = special.logsumexp(logs, b=weights / math.sqrt(2 * math.pi))
    return total / (order - 1)


RIGHT_GAUSSIAN_RENYI = [
    lambda distance, *, sigma, order: order * distance**2 / (2 * sigma**2),
    lambda distance, *, sigma, order: np.array([order / 2 * np.square(distance / sigma)]),
    lambda distance, *, sigma, order: float(
        Fraction(order) * (Fraction(distance) / Fraction(sigma)) ** 2 / 2
    ),
    renyi_by_quadrature,
]

WRONG_GAUSSIAN_RENYI = [
    (lambda distance, *, sigma, order: None, "returns nothing"),
    (lambda distance, *, sigma, order: "much", "one number is wanted"),
    (dplib.gaussian_renyi_divergence, "the library's own version"),
]


# --- gaussian_mechanism_rdp and gaussian_mechanism_zcdp -----------------------------------------


def rdp_sigma(l2_sensitivity, order, epsilon_bar):
    return l2_sensitivity * math.sqrt(order / (2 * epsilon_bar))


def rdp(noise):
    """An answer that adds noise(l2_sensitivity, order, epsilon_bar)."""

    def answer(value, *, l2_sensitivity, order, epsilon_bar, rng=None):
        return value + noise(l2_sensitivity, order, epsilon_bar)

    return answer


def zcdp(noise):
    """An answer that adds noise(l2_sensitivity, rho)."""
    return lambda value, *, l2_sensitivity, rho, rng=None: value + noise(l2_sensitivity, rho)


def zcdp_sigma(l2_sensitivity, rho):
    return l2_sensitivity / math.sqrt(2 * rho)


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
    """The mistakes that both mechanisms share: made(noise), and the right sigma."""
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
        (lambda *given: normal(0.8 * sigma(*given)), "× what it must be"),
        (lambda *given: 0.0, "no noise is added"),
        (lambda *given: np.random.default_rng(3).normal(0, sigma(*given)), "the same noise"),
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
        (changed(right, lambda release, value: None), "returns nothing"),
        (changed(right, lambda release, value: f"{release}"), "one number is wanted"),
    ]


RIGHT_RDP = in_all_styles(rdp, rdp_sigma)
RIGHT_ZCDP = in_all_styles(zcdp, zcdp_sigma)

WRONG_RDP = [
    *wrong_noise(rdp, rdp_sigma),
    *wrong_release(RIGHT_RDP[0]),
    (rdp(lambda size, order, bound: normal(size / math.sqrt(2 * bound))), "order is ignored"),
    (
        rdp(lambda size, order, bound: normal(size / math.sqrt(2 * bound * order))),
        "order is on the wrong side",
    ),
    (rdp(lambda size, order, bound: normal(size * math.sqrt(order / 2))), "epsilon_bar is ignored"),
    (
        rdp(lambda size, order, bound: normal(size * math.sqrt(order * bound / 2))),
        "epsilon_bar multiplies",
    ),
    (rdp(lambda size, order, bound: normal(size * order / (2 * bound))), "square root is missing"),
    (
        rdp(lambda size, order, bound: normal(size * math.sqrt(order) / (2 * bound))),
        "root is taken of the order only",
    ),
    (
        rdp(lambda size, order, bound: normal(size * math.sqrt(order / 2) / bound)),
        "epsilon_bar is squared",
    ),
    (
        rdp(lambda size, order, bound: normal(size * math.sqrt(2 * bound / order))),
        "formula is upside down",
    ),
    (
        rdp(lambda size, order, bound: normal(size * math.sqrt((order - 1) / (2 * bound)))),
        "order - 1 is used for order",
    ),
    (
        rdp(lambda size, order, bound: np.random.laplace(0, size / bound)),
        "Laplace, with epsilon_bar as its epsilon",
    ),
    (dplib.gaussian_mechanism_rdp, "the library's own version"),
]

WRONG_ZCDP = [
    *wrong_noise(zcdp, zcdp_sigma),
    *wrong_release(RIGHT_ZCDP[0]),
    (zcdp(lambda size, rho: normal(size / (2 * rho))), "square root is missing"),
    (zcdp(lambda size, rho: normal(size / rho)), "square root is missing, and the 2"),
    (zcdp(lambda size, rho: normal(size * math.sqrt(2 * rho))), "rho multiplies instead"),
    (zcdp(lambda size, rho: normal(size * math.sqrt(rho / 2))), "rho multiplies, and the 2"),
    (zcdp(lambda size, rho: normal(size)), "rho is ignored"),
    (zcdp(lambda size, rho: normal(2 * size / math.sqrt(rho))), "the 2 stands in the numerator"),
    (zcdp(lambda size, rho: np.random.laplace(0, size / rho)), "Laplace, with rho as its epsilon"),
    (dplib.gaussian_mechanism_zcdp, "the library's own version"),
]


# --- rdp_to_dp, zcdp_to_dp, best_order ------------------------------------------------------------

RIGHT_RDP_TO_DP = [
    lambda order, epsilon_bar, *, delta: epsilon_bar + math.log(1 / delta) / (order - 1),
    lambda order, epsilon_bar, *, delta: np.float64(epsilon_bar) - np.log(delta) / (order - 1),
    lambda order, epsilon_bar, delta: [epsilon_bar + math.log(delta ** (1 / (1 - order)))],
]

WRONG_RDP_TO_DP = [
    (lambda a, bound, *, delta: math.inf, "not a finite number"),
    (lambda a, bound, *, delta: None, "returns nothing"),
    (lambda a, bound: bound, "TypeError"),
    (dplib.rdp_to_dp, "the library's own version"),
]

RIGHT_ZCDP_TO_DP = [
    lambda rho, *, delta: rho + 2 * math.sqrt(rho * math.log(1 / delta)),
    lambda rho, *, delta: np.array(rho + np.sqrt(-4 * rho * np.log(delta))),
    # The best order in closed form, put into the conversion of a Rényi curve.
    lambda rho, delta: (lambda order: rho * order + math.log(1 / delta) / (order - 1))(
        1 + math.sqrt(math.log(1 / delta) / rho)
    ),
]

WRONG_ZCDP_TO_DP = [
    (lambda rho, *, delta: None, "returns nothing"),
    (lambda rho, *, delta: "a lot", "one number is wanted"),
    (dplib.zcdp_to_dp, "the library's own version"),
]


def epsilons(orders, bars, delta):
    return bars + math.log(1 / delta) / (orders - 1)


def order_by_loop(orders, epsilon_bars, *, delta):
    best, least = None, INFINITY
    for order, bar in zip(orders, epsilon_bars, strict=True):
        epsilon = bar + math.log(1 / delta) / (order - 1)
        if epsilon < least:
            best, least = order, epsilon
    return best


def order_where(values):
    """The order at which values(orders, epsilon_bars, delta) are smallest."""
    return lambda orders, bars, *, delta: orders[np.argmin(values(orders, bars, delta))]


RIGHT_ORDER = [
    order_where(epsilons),
    order_by_loop,
    lambda orders, epsilon_bars, *, delta: min(
        orders.tolist(),
        key=lambda order: dplib.rdp_to_dp(
            order, epsilon_bars[list(orders).index(order)], delta=delta
        ),
    ),
]

WRONG_ORDER = [
    (lambda orders, bars, *, delta: 4.5, "the value is wrong"),
    (lambda orders, bars, *, delta: orders, "one number is wanted"),
    (lambda orders, bars, *, delta: orders.fill(2) or 2.0, "changes what it is given"),
    (lambda orders, bars, *, delta: None, "returns nothing"),
    (dplib.best_order, "the library's own version"),
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


RIGHT_TOTAL = [total_by_loop, total_by_array, total_by_library]

WRONG_TOTAL = [
    (lambda releases, *, orders, delta: None, "returns nothing"),
    (lambda releases, *, orders, delta: releases.pop() and 1.0, "changes what it is given"),
    (lambda releases, *, orders, delta: converted(0, orders, delta), "one number is wanted"),
]


# --- not_concentrated_counterexample ----------------------------------------------------------


def by_chance_everything(epsilon, delta):
    """Randomized response that now and then says everything: each law has its own outcome."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    rest = 1 - delta
    return (
        [delta, 0, rest * truth, rest * (1 - truth)],
        [0, delta, rest * (1 - truth), rest * truth],
    )


RIGHT_NOT_CONCENTRATED = [
    lambda epsilon, delta: ([delta, 1 - delta], [0, 1]),
    lambda epsilon, delta: (np.array([1 - delta / 2, 0, delta / 2]), np.array([1.0, 0, 0])),
    lambda epsilon, delta: [(0, 0.5, 0.5), (delta, 0.5 - delta / 2, 0.5 - delta / 2)],
    by_chance_everything,
]

WRONG_NOT_CONCENTRATED = [
    (lambda epsilon, delta: ([0.5, 0.5], [0.5, 0.5]), "the same"),
    (
        lambda epsilon, delta: ([0.5 + delta / 4, 0.5 - delta / 4], [0.5, 0.5]),
        "rho-zCDP, for a large rho",
    ),
    (
        lambda epsilon, delta: ([delta, 1 - delta], [delta * 1e-9, 1 - delta * 1e-9]),
        "rho-zCDP, for a large rho",
    ),
    (lambda epsilon, delta: ([1, 0], [0, 1]), "not (epsilon, delta)-private"),
    (lambda epsilon, delta: ([2 * delta, 1 - 2 * delta], [0, 1]), "not (epsilon, delta)-private"),
    (lambda epsilon, delta: ([0, 1], [0.5, 0.5]), "not (epsilon, delta)-private"),
    (lambda epsilon, delta: ([delta, 1], [0, 1]), "is not a law"),
    (lambda epsilon, delta: ([1 + delta, -delta], [1, 0]), "is not a law"),
    (lambda epsilon, delta: ([1.0], [0.0, 1.0]), "about different outcomes"),
    (lambda epsilon, delta: (delta, 0), "not a list of probabilities"),
    (lambda epsilon, delta: (["a"], ["b"]), "not a list of probabilities"),
    (lambda epsilon, delta: ([math.nan, 1], [0, 1]), "not a list of probabilities"),
    (lambda epsilon, delta: [delta, 1 - delta, 0], "two laws are wanted"),
    (lambda epsilon, delta: None, "two laws are wanted"),
    (lambda epsilon, delta: 1 / 0, "ZeroDivisionError"),
]


RIGHT = {
    "max_divergence": RIGHT_MAX,
    "renyi_divergence": RIGHT_RENYI,
    "gaussian_renyi_divergence": RIGHT_GAUSSIAN_RENYI,
    "gaussian_mechanism_rdp": RIGHT_RDP,
    "gaussian_mechanism_zcdp": RIGHT_ZCDP,
    "rdp_to_dp": RIGHT_RDP_TO_DP,
    "zcdp_to_dp": RIGHT_ZCDP_TO_DP,
    "best_order": RIGHT_ORDER,
    "total_guarantee": RIGHT_TOTAL,
    "not_concentrated_counterexample": RIGHT_NOT_CONCENTRATED,
}

WRONG = {
    "max_divergence": WRONG_MAX,
    "renyi_divergence": WRONG_RENYI,
    "gaussian_renyi_divergence": WRONG_GAUSSIAN_RENYI,
    "gaussian_mechanism_rdp": WRONG_RDP,
    "gaussian_mechanism_zcdp": WRONG_ZCDP,
    "rdp_to_dp": WRONG_RDP_TO_DP,
    "zcdp_to_dp": WRONG_ZCDP_TO_DP,
    "best_order": WRONG_ORDER,
    "total_guarantee": WRONG_TOTAL,
    "not_concentrated_counterexample": WRONG_NOT_CONCENTRATED,
}
