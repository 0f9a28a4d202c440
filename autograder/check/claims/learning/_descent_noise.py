"""The law of one direction of theta after noisy gradient descent, and what changes it.

Where no gradient depends on theta (one round from theta = 0; or rows so long that all gradients are
clipped to the bound), theta is -rate * (M + G) / (n + W): a fixed sum M, Gaussian noise G of all
rounds together, and the Gaussian noise W of the number of rows. Along a direction u that is one
number, and its distribution function has a closed form.
"""

import math
from collections.abc import Callable

import numpy as np

from autograder.check.claims.approximate._gaussian_noise import exact_sigma
from autograder.check.claims.learning._training import clipped, gradients
from autograder.check.mistakes import Mistake, mistakes_by
from ville.distributions import Distribution as Law
from ville.distributions import gaussian, laplace, point


def rho_of(epsilon: float, delta: float) -> float:
    """Return the rho that is worth (epsilon, delta): epsilon = rho + 2 sqrt(rho ln(1 / delta))."""
    # Bun & Steinke (2016), proposition 1.3: a quadratic equation in sqrt(rho).
    surprise = math.log(1 / delta)
    return (math.sqrt(surprise + epsilon) - math.sqrt(surprise)) ** 2


def deviation_of(p: dict, *, rho: float | None = None, releases: int | None = None) -> float:
    """Return the standard deviation of the noise for sensitivity 1, with an equal share of rho."""
    rho = rho_of(p["epsilon"], p["delta"]) if rho is None else rho
    releases = p["iterations"] + 1 if releases is None else releases
    # Bun & Steinke (2016), proposition 1.6: rho = sensitivity^2 / (2 sigma^2).
    return math.sqrt(releases / (2 * rho))


def pull_of(p: dict) -> float:
    """Return the sum of the clipped gradients at theta = 0, along the direction."""
    rows, labels = np.array(p["rows"]), np.array(p["labels"], dtype=float)
    total = clipped(gradients(np.zeros(rows.shape[1]), rows, labels), p["clipping_bound"]).sum(0)
    return float(total @ p["direction"])


def exact_of(p: dict) -> float:
    """Return what `read` makes of theta when there is no noise."""
    return -math.sqrt(p["iterations"]) * p["pull"]


def _ratio(p: dict, gradient_noise: float, count_noise: float) -> Law:
    """Return the law of -(M + G) * n / (n + W) less the noise-free -M.

    `gradient_noise` and `count_noise` are the standard deviations of G and W. The unit is such that
    one round's noise in the sum of gradients is in units of its own.
    """
    people, middle = len(p["labels"]), exact_of(p)
    if gradient_noise == count_noise == 0:
        return point(0.0)

    def law(x):
        # Pr(-(M + G) n <= (middle + x) (n + W)), a sum of two Gaussians: n + W is positive but for
        # a probability below 1e-25, as n is 12 deviations or more.
        spread = np.hypot(gradient_noise * people, (middle + x) * count_noise)
        return gaussian(1.0)(x * people / np.maximum(spread, 1e-300))

    return law


def _noise(sigma: Callable[[dict], float], *, count: Callable[[dict], float] | None = None):
    """Return the law when the noise of sensitivity 1 has another deviation; `count`: for W only."""
    count = sigma if count is None else count
    return lambda p: _ratio(p, p["clipping_bound"] * sigma(p), count(p))


def _gradient_noise(factor: Callable[[dict], float]):
    """Return the law when only the noise of the gradients is changed, by a factor."""
    return lambda p: _ratio(p, factor(p) * p["clipping_bound"] * deviation_of(p), deviation_of(p))


def right_law(p: dict) -> Law:
    """Return the law of (what `read` makes of theta) - (the same without noise)."""
    return _gradient_noise(lambda p: 1.0)(p)


def scale_of(p: dict) -> float:
    """Return about the standard deviation of that law."""
    sigma = deviation_of(p)
    return math.hypot(p["clipping_bound"] * sigma, exact_of(p) * sigma / len(p["labels"]))


def _none_at_zero(p: dict) -> Law:
    """Return the law when a sum that is 0 along the direction gets no noise."""
    return _ratio(p, 0.0, 0.0) if p["pull"] == 0 else right_law(p)


def _classical(p: dict) -> float:
    """Return the classical deviation when epsilon and delta are shared among the releases."""
    # Dwork & Roth (2014), theorem A.1.
    releases = p["iterations"] + 1
    return math.sqrt(2 * math.log(1.25 * releases / p["delta"])) * releases / p["epsilon"]


def _laplace(p: dict) -> Law:
    """Return nearly the law when one column of one round has Laplace noise of that deviation."""
    if p["iterations"] > 1 or max(p["direction"]) < 1:
        return right_law(p)
    return laplace(p["clipping_bound"] * deviation_of(p) / math.sqrt(2))


def _shared_pair(p: dict) -> float:
    """Return the deviation when each release is worth its share of epsilon and of delta."""
    releases = p["iterations"] + 1
    rho = rho_of(p["epsilon"] / releases, p["delta"] / releases)
    return deviation_of(p, rho=rho, releases=1)


def _from_rho(rho: Callable[[float, float], float]) -> Callable[[dict], float]:
    """Return the deviation when another formula makes rho of epsilon and delta."""
    return lambda p: deviation_of(p, rho=rho(p["epsilon"], p["delta"]))


def _surprise(delta: float) -> float:
    return math.log(1 / delta)


def _shared_by_two(p: dict) -> float:
    """Return the factor of the noise when the first two entries have one draw, and so on."""
    direction = np.append(p["direction"], 0.0)[: 2 * ((len(p["direction"]) + 1) // 2)]
    return float(np.linalg.norm(direction.reshape(-1, 2).sum(axis=1)))


_SHARE = "how many releases share the budget: which ones, besides the rounds?"
_RHO = "solve epsilon = rho + 2 sqrt(rho ln(1 / delta)) for rho. What do you get for these numbers?"
_SIGMA = "rho = sensitivity^2 / (2 sigma^2): what is sigma?"
_COUNT = "is the number of rows public? One person more or less changes it by 1."
_DRAWS = "who draws noise, and how often: each round? Each entry?"

NOISE_MISTAKES = (
    Mistake("no noise is added", lambda p: point(0.0), "where is a random number drawn?"),
    Mistake(
        "the number of rows is used without noise",
        _noise(deviation_of, count=lambda p: 0.0),
        _COUNT,
        seen="the noise in the number of rows is missing",
    ),
    Mistake(
        "the rows are not counted privately: the rounds share all the budget",
        _noise(lambda p: deviation_of(p, releases=p["iterations"]), count=lambda p: 0.0),
        _COUNT,
    ),
    Mistake(
        "the gradients get no noise, only the count does",
        _noise(lambda p: 0.0, count=deviation_of),
        "what does a round look at, and what does it release?",
    ),
    Mistake(
        "a sum that is 0 gets no noise",
        _none_at_zero,
        "who learns that nobody has anything in that column?",
    ),
    Mistake(
        "the clipping bound is missing in the noise",
        lambda p: _ratio(p, deviation_of(p), deviation_of(p)),
        "how far can one person move a sum of clipped gradients?",
    ),
    Mistake(
        "the number of rows is made noisy anew in each round",
        _noise(deviation_of, count=lambda p: deviation_of(p) / math.sqrt(p["iterations"])),
        "how many releases are there then, and how many share the budget?",
    ),
    Mistake(
        "the count's noise is made for the bound",
        _noise(deviation_of, count=lambda p: p["clipping_bound"] * deviation_of(p)),
        "by how much does one row change the number of rows?",
    ),
    Mistake(
        "the noise is for a change of half the bound",
        _gradient_noise(lambda p: 0.5),
        "one row more or less: how far does a sum of clipped gradients move?",
    ),
    Mistake(
        "the noise is for a change of twice the bound",
        _gradient_noise(lambda p: 2.0),
        "one row more or less: how far does a sum of clipped gradients move?",
    ),
    Mistake(
        "the budget is not shared among the releases",
        _noise(lambda p: deviation_of(p, releases=1)),
        "what do all rounds together cost, if each spends the whole budget?",
    ),
    Mistake(
        "the count has no share: the budget is divided by the rounds alone",
        _noise(lambda p: deviation_of(p, releases=p["iterations"])),
        _SHARE,
    ),
    Mistake(
        "the budget is halved: one half for the count, one for the rounds",
        _noise(
            lambda p: deviation_of(p, releases=2 * p["iterations"]),
            count=lambda p: deviation_of(p, releases=2),
        ),
        "does each release get the same share, the count too?",
    ),
    Mistake(
        "the noise is Laplace noise", _laplace, "which noise has rho = sensitivity^2 / (2 sigma^2)?"
    ),
    *mistakes_by(
        _noise,
        {
            "epsilon and delta are shared out, not rho": (
                _shared_pair,
                "rhos of Gaussian noise add up: what is each release's share of rho?",
            ),
            "epsilon is shared out by the classical formula, not rho": (
                _classical,
                "rhos of Gaussian noise add up: what is each release's share of rho?",
            ),
            "epsilon is shared out, not rho: the deviation grows too fast": (
                lambda p: deviation_of(p, releases=(p["iterations"] + 1) ** 2),
                "rho is divided by the number of releases: by what is sigma multiplied?",
            ),
            "rho is that of one exact Gaussian release, not that of the formula": (
                lambda p: math.sqrt(p["iterations"] + 1) * exact_sigma(p["epsilon"], p["delta"]),
                "this is private, and less noise. Which formula for rho does the task name?",
            ),
            "rho is taken to be epsilon^2 / (8 ln(1 / delta)), which is too little": _from_rho(
                lambda epsilon, delta: epsilon**2 / (8 * _surprise(delta))
            ),
            "rho is taken to be epsilon": _from_rho(lambda epsilon, delta: epsilon),
            "rho is taken to be epsilon^2 / 2": _from_rho(lambda epsilon, delta: epsilon**2 / 2),
            "rho is taken to be epsilon^2 / (4 ln(1 / delta)), which is too much": _from_rho(
                lambda epsilon, delta: epsilon**2 / (4 * _surprise(delta))
            ),
            "the 2 before the root is lost in the equation for rho": _from_rho(
                lambda epsilon, delta: (
                    (math.sqrt(_surprise(delta) + 4 * epsilon) - math.sqrt(_surprise(delta))) ** 2
                    / 4
                )
            ),
            "the logarithm has base 10": (
                _from_rho(lambda epsilon, delta: rho_of(epsilon, math.exp(math.log10(delta)))),
                "which logarithm undoes exp?",
            ),
            "the noise is too large by sqrt(2): sigma^2 = 1 / rho": (
                lambda p: math.sqrt(2) * deviation_of(p),
                _SIGMA,
            ),
            "the variance is taken for the standard deviation": (
                lambda p: deviation_of(p) ** 2,
                _SIGMA,
            ),
        },
        _RHO,
    ),
    *mistakes_by(
        _gradient_noise,
        {
            "one noise is drawn, and comes again in every round": lambda p: math.sqrt(
                p["iterations"]
            ),
            "one number is the noise of all entries": lambda p: abs(sum(p["direction"])),
            "two entries share their noise": _shared_by_two,
            "only one round has noise": lambda p: 1 / math.sqrt(p["iterations"]),
            "the noise is shared out among the entries": (
                lambda p: 1 / math.sqrt(len(p["direction"])),
                "the L2 norm of a whole row is bounded: which noise does each entry need?",
            ),
            "each entry pays for itself: the noise grows with the columns": (
                lambda p: math.sqrt(len(p["direction"])),
                "the L2 norm of a whole row is bounded: which noise does each entry need?",
            ),
            "the mean gets the noise of the sum": (
                lambda p: len(p["labels"]),
                "how far can one person move a mean, compared with a sum?",
            ),
        },
        _DRAWS,
    ),
)
