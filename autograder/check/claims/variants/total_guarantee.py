"""An accountant: the epsilon of releases of several kinds, by one Rényi curve for all of them."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from autograder.check.function_claim import FunctionClaim


def total_guarantee(releases, *, orders, delta):
    """The epsilon of all releases.

    Each release is ("gaussian", sigma / sensitivity), ("laplace", epsilon) or
    ("randomized_response", epsilon). Their Rényi curves are added up at the orders and
    converted once (Mironov 2017, proposition 3); the smallest epsilon is returned.
    """
    return epsilons(releases, orders, delta).min()


def epsilons(releases: Sequence, orders, delta: float, **other: Callable) -> np.ndarray:
    # Mironov (2017), proposition 3, at each order.
    return added_curve(releases, orders, **other) + math.log(1 / delta) / (np.array(orders) - 1)


def added_curve(releases: Sequence, orders, **other: Callable) -> np.ndarray:
    """Return the added curve at the orders; `other` replaces the curve of a kind."""
    curves = {**CURVES, **other}
    return np.array(
        [math.fsum(curves[kind](order, amount) for kind, amount in releases) for order in orders]
    )


def gaussian(order: float, ratio: float) -> float:
    # Mironov (2017), corollary 3, with ratio = sigma / sensitivity.
    return order / (2 * ratio**2)


def laplace(order: float, epsilon: float) -> float:
    # Mironov (2017), proposition 6, with scale / sensitivity = 1 / epsilon.
    share = order / (2 * order - 1)
    moment = share * math.exp((order - 1) * epsilon) + (1 - share) * math.exp(-order * epsilon)
    return math.log(moment) / (order - 1)


def randomized_response(order: float, epsilon: float) -> float:
    # Mironov (2017), definition 3, on two outcomes: truth with probability e^eps / (1 + e^eps).
    truth = 1 / (1 + math.exp(-epsilon))
    moment = truth**order * (1 - truth) ** (1 - order) + (1 - truth) ** order * truth ** (1 - order)
    return math.log(moment) / (order - 1)


CURVES = {"gaussian": gaussian, "laplace": laplace, "randomized_response": randomized_response}


def situation(given: dict) -> str:
    shown = ", ".join(f"({kind}, {amount:g})" for kind, amount in given["releases"][:4])
    more = len(given["releases"]) - 4
    orders = f"orders {', '.join(f'{order:g}' for order in given['orders'])}"
    return f"{shown}{f' and {more} more' if more > 0 else ''}, {orders}, delta {given['delta']:g}"


CLAIM = FunctionClaim(
    total_guarantee,
    established="curves added up, converted once, at the best of the orders",
    situation=situation,
)


@CLAIM.inputs
def eighteen(rng):
    """One release of each kind at one order, which are soon worked out by hand; then lists of one
    kind, of all kinds, with releases that repeat, and some that cost much.

    Many releases are small each, so that the best order lies in between; the orders come in no
    order, from near 1 to above 100. In every other list no order is whole. The last release costs
    so little that the largest order is the best.
    """
    for kind, order in zip("glr", (2.5, 2.2, 2.8), strict=True):
        yield {"releases": [release(rng, kind, 1)], "orders": [order], "delta": 1e-5}
    mixed = "r" * 12 + "l" * 12 + "g" * 12
    for place, kinds in enumerate(
        ("g", "gg", "l" * 6, "r" * 8, "gl", "glr", "llrg" * 3, "g" * 20, mixed)
    ):
        releases = [release(rng, kind, len(kinds)) for kind in kinds]
        if kinds == "gg":
            releases[1] = releases[0]
        yield case(rng, releases, whole=place % 2 == 0)
    for kind in ("laplace", "randomized_response"):
        given = case(rng, [(kind, round(rng.uniform(4, 5), 2)), ("gaussian", 9.5)])
        yield given
        # Other releases, and all else the same: who looks up what was asked before is seen.
        yield given | {"releases": [release(rng, "g", 1), release(rng, "l", 1)]}
    yield case(rng, [("gaussian", round(rng.uniform(0.1, 0.15), 3))])
    yield case(rng, [("gaussian", round(rng.uniform(60, 90), 1))], whole=False)


def case(rng: np.random.Generator, releases: list, *, whole: bool = True) -> dict:
    delta = float(f"{10 ** rng.uniform(-11, -3):.2g}")
    orders = [1.1, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 64.0]
    orders = [order for order in orders if order < 2 or rng.random() < 0.9] + [128.0]
    if not whole:
        orders = [order if order < 2 else round(order * rng.uniform(0.9, 1), 2) for order in orders]
    # The first order is a bad one, and so is the last; neither is the least.
    middle = [float(each) for each in rng.permutation([1.05, *orders[1:]])]
    given = (list if whole else tuple)([1.1, *middle, 1.08])
    return {"releases": releases, "orders": given, "delta": delta}


def release(rng: np.random.Generator, kind: str, count: int) -> tuple[str, float]:
    if kind == "g":
        return "gaussian", round(rng.uniform(1.5, 3) * math.sqrt(count), 1)
    name = "laplace" if kind == "l" else "randomized_response"
    return name, round(rng.uniform(0.4, 0.9) / math.sqrt(count), 2)


def with_curves(**other):
    """Return a wrong function with another curve for some kinds."""
    return lambda releases, orders, delta: epsilons(releases, orders, delta, **other).min()


def with_releases(change):
    """Return the total of other releases than those given."""
    return lambda releases, orders, delta: epsilons(change(releases), orders, delta).min()


def one_by_one(releases, orders, delta):
    """Return the sum of the epsilons when each release is converted on its own."""
    return math.fsum(epsilons([each], orders, delta).min() for each in releases)


def pure_added(releases, orders, delta):
    """Return the sum of pure epsilons; a Gaussian release is converted on its own."""
    return math.fsum(
        epsilons([each], orders, delta).min() if each[0] == "gaussian" else each[1]
        for each in releases
    )


def sharper(releases, orders, delta):
    # Canonne, Kamath & Steinke (2020), proposition 12.
    shift = np.log1p(-1 / np.array(orders)) - np.log(orders) / (np.array(orders) - 1)
    return (epsilons(releases, orders, delta) + shift).min()


def until_it_rises(releases, orders, delta):
    """Return the last epsilon before the first that is larger than the one before."""
    found = epsilons(releases, orders, delta)
    return found[np.argmax(np.append(np.diff(found) > 0, True))]


def pure(order, epsilon):
    return epsilon


def without_left_tail(order, epsilon):
    return epsilon + math.log(order / (2 * order - 1)) / (order - 1)


def concentrated(order, epsilon):
    return order * epsilon**2 / 2


CONVERT = "what is added up, curves or epsilons? And when is delta paid?"
KIND = "which curve has this kind of release, by the table of the exercise?"
EVERY_PURE = "that holds for every pure release; " + KIND
PROMISE = "each order gives a valid epsilon: which one do you promise?"

CLAIM.mistake(
    "each release is converted on its own, with the whole delta",
    CONVERT + " What do the deltas add up to?",
    one_by_one,
)
CLAIM.mistake(
    "each release is converted on its own, with its part of delta",
    "that is valid, but it costs more than it must. " + CONVERT,
    lambda releases, orders, delta: one_by_one(releases, orders, delta / len(releases)),
)
CLAIM.mistake("pure epsilons are added up", CONVERT, pure_added)
CLAIM.mistake(
    "releases that are equal are counted once",
    "two equal releases cost twice: which line loses one of them?",
    with_releases(set),
)
CLAIM.mistake(
    "only the first release is counted",
    "where does your loop return?",
    with_releases(lambda releases: releases[:1]),
)
CLAIM.mistake(
    "only the last release is counted",
    "is the curve added up, or written over?",
    with_releases(lambda releases: releases[-1:]),
)
CLAIM.mistake(
    "the conversion is missing",
    "which term do you add to get from a Rényi divergence to (epsilon, delta)?",
    lambda releases, orders, delta: added_curve(releases, orders).min(),
)
CLAIM.mistake(
    "the first order is used, where epsilon is largest",
    PROMISE,
    lambda releases, orders, delta: epsilons(releases, orders, delta)[0],
)
CLAIM.mistake(
    "the last order is used",
    PROMISE,
    lambda releases, orders, delta: epsilons(releases, orders, delta)[-1],
)
CLAIM.mistake(
    "the order is chosen by the sum of the divergences, before the conversion",
    "the divergences grow with the order: what does the term with delta do?",
    lambda releases, orders, delta: epsilons(releases, orders, delta)[
        int(np.argmin(added_curve(releases, orders)))
    ],
)
CLAIM.mistake(
    "only one release of each kind is counted",
    "what happens to the first of two pairs with one name, when they go into a dict?",
    with_releases(lambda releases: list(dict(releases).items())),
)
CLAIM.mistake(
    "a sharper conversion is used than the one asked for",
    "that is valid and better, but the task names another formula: which?",
    sharper,
)
CLAIM.mistake(
    "the search ends at the first order at which epsilon rises",
    "are the orders of the list sorted? And which of them do you never come to?",
    until_it_rises,
)
CLAIM.mistake(
    "the divergences and the term with delta are taken at different orders",
    "which order gives the least sum of the two? Is it one order for both?",
    lambda releases, orders, delta: (
        added_curve(releases, orders).min() - math.log(delta) / (max(orders) - 1)
    ),
)
CLAIM.mistake(
    "the term with delta is added once for each release",
    CONVERT,
    lambda releases, orders, delta: epsilons(releases, orders, delta ** len(releases)).min(),
)
CLAIM.mistake(
    "orders are cut to whole numbers",
    "is 2.5 an order? What becomes of it in your code?",
    lambda releases, orders, delta: epsilons(
        releases, [max(2, int(order)) for order in orders], delta
    ).min(),
)
WRONG_CURVES = {
    "the ratio sigma / sensitivity of a Gaussian release is not squared": {
        "gaussian": lambda order, ratio: order / (2 * ratio)
    },
    "the ratio sigma / sensitivity is taken upside down": {
        "gaussian": lambda order, ratio: order * ratio**2 / 2
    },
    "the 2 of the Gaussian curve is missing": {"gaussian": lambda order, ratio: order / ratio**2},
    "a Laplace release counts as its epsilon at every order": {"laplace": pure},
    "the second term of the Laplace curve is missing": {"laplace": without_left_tail},
    "a Laplace release counts as epsilon^2 / 2 times the order": {"laplace": concentrated},
    "randomized response counts as its epsilon at every order": {"randomized_response": pure},
    "randomized response counts as epsilon^2 / 2 times the order": {
        "randomized_response": concentrated
    },
    "every pure release counts as epsilon^2 / 2 times the order": {
        "laplace": concentrated,
        "randomized_response": concentrated,
    },
    "every pure release counts as its epsilon at every order": {
        "laplace": pure,
        "randomized_response": pure,
    },
    "randomized response has the curve of a Laplace release": {"randomized_response": laplace},
    "a Laplace release has the curve of randomized response": {"laplace": randomized_response},
}
for name, curves in WRONG_CURVES.items():
    CLAIM.mistake(
        name, EVERY_PURE if concentrated in curves.values() else KIND, with_curves(**curves)
    )
