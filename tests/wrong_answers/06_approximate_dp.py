"""Answers to chapter 06's exercises, as data: wrong ones with the words that must name the mistake,
and right ones in many styles.

WRONG[exercise] is a list of (answer, fragment of the sentence); RIGHT[exercise] a list of answers.
Some styles are the old ones on purpose (numpy's global generator): students write them.
"""
# ruff: noqa: NPY002

import math
import random
from statistics import NormalDist

import numpy as np
import pandas as pd
from scipy import integrate, optimize, stats

import dplib
from dplib.guarantees import ApproximateDP, PureDP

GENERATOR = np.random.default_rng()
cdf = stats.norm.cdf


def exact_delta(sigma, l2_sensitivity, epsilon):
    half, shift = l2_sensitivity / (2 * sigma), epsilon * sigma / l2_sensitivity
    return cdf(half - shift) - math.exp(epsilon) * cdf(-half - shift)


# --- gaussian_mechanism -----------------------------------------------------------------------


def sigma_by_halving(l2_sensitivity, epsilon, delta, delta_of=exact_delta):
    low, high = 1e-3 * l2_sensitivity, 1e5 * l2_sensitivity
    for _ in range(100):
        middle = math.sqrt(low * high)
        if delta_of(middle, l2_sensitivity, epsilon) > delta:
            low = middle
        else:
            high = middle
    return high


KEPT = {}


def sigma(l2_sensitivity, epsilon, delta):
    """The right sigma, kept from call to call."""
    key = (l2_sensitivity, epsilon, delta)
    if key not in KEPT:
        KEPT[key] = sigma_by_halving(*key)
    return KEPT[key]


def classical(l2_sensitivity, epsilon, delta, number=1.25):
    return math.sqrt(2 * math.log(number / delta)) * l2_sensitivity / epsilon


def one_sided(l2_sensitivity, epsilon, delta):
    """The sigma with Pr(loss > epsilon) = delta."""
    key = ("first", l2_sensitivity, epsilon, delta)
    if key not in KEPT:
        KEPT[key] = sigma_by_halving(*key[1:], lambda s, d, e: cdf(d / (2 * s) - e * s / d))
    return KEPT[key]


def without_factor(l2_sensitivity, epsilon, delta):
    key = ("no factor", l2_sensitivity, epsilon, delta)
    if key not in KEPT:
        KEPT[key] = sigma_by_halving(
            *key[1:], lambda s, d, e: cdf(d / (2 * s) - e * s / d) - cdf(-d / (2 * s) - e * s / d)
        )
    return KEPT[key]


def with_sigma(formula, draw=np.random.normal):
    """Return a mechanism on one number whose standard deviation comes from a formula."""

    def answer(value, *, l2_sensitivity, epsilon, delta, rng=None):
        return value + draw(0, formula(l2_sensitivity, epsilon, delta))

    return answer


def with_noise(noise):
    """Return a mechanism on one number, from noise(sigma, value)."""

    def answer(value, *, l2_sensitivity, epsilon, delta):
        return noise(sigma(l2_sensitivity, epsilon, delta), value)

    return answer


def gaussian_by_box_and_muller(value, *, l2_sensitivity, epsilon, delta):
    radius = math.sqrt(-2 * math.log(1 - random.random()))
    scale = dplib.analytic_gaussian_sigma(
        l2_sensitivity=l2_sensitivity, epsilon=epsilon, delta=delta
    )
    return value + scale * radius * math.cos(2 * math.pi * random.random())


def gaussian_by_the_book(value, *, l2_sensitivity, epsilon, delta, rng=None):
    if epsilon <= 0 or not 0 < delta < 1:
        raise ValueError("epsilon and delta are out of range")
    rng = rng or np.random.default_rng()
    scale = dplib.analytic_gaussian_sigma(
        l2_sensitivity=l2_sensitivity, epsilon=epsilon, delta=delta
    )
    return rng.normal(value, scale)


def gaussian_that_seeds(value, *, l2_sensitivity, epsilon, delta):
    np.random.seed(1)
    return value + np.random.normal(0, sigma(l2_sensitivity, epsilon, delta))


def gaussian_unanswered(value, *, l2_sensitivity, epsilon, delta, rng=None):
    raise NotImplementedError


RIGHT_GAUSSIAN = [
    gaussian_by_box_and_muller,
    gaussian_by_the_book,
    with_sigma(sigma),
    with_sigma(sigma, random.gauss),
    with_sigma(sigma, GENERATOR.normal),
    with_noise(lambda s, value: value + s * NormalDist().inv_cdf(1 - random.random() or 0.5)),
    with_noise(lambda s, value: np.array([value - s * GENERATOR.standard_normal()])),
    with_noise(lambda s, value: stats.norm.rvs(value, s)),
    with_noise(lambda s, value: value + s * (random.gauss(0, 0.6) + random.gauss(0, 0.8))),
]

WRONG_GAUSSIAN = [
    (with_sigma(classical), "classical formula is used"),
    (
        with_sigma(lambda d, e, delta: classical(d, e, delta, 1)),
        ("with ln(1/delta)", "classical formula"),
    ),
    (
        with_sigma(lambda d, e, delta: classical(d, e, delta, 2)),
        ("with ln(2/delta)", "classical formula"),
    ),
    (with_sigma(lambda d, e, delta: classical(d, e, delta) / 2**0.5), "its 2 is missing"),
    (with_sigma(lambda d, e, delta: sigma(d, min(e, 1), delta)), "epsilon above 1 counts as 1"),
    (with_sigma(one_sided), "chance of a loss above epsilon"),
    (with_sigma(without_factor), "exp(epsilon) is missing"),
    (with_sigma(lambda d, e, delta: d / e), "delta is ignored"),
    (with_sigma(lambda d, e, delta: sigma(d, e, delta / 2)), "delta is divided by two"),
    (with_sigma(lambda d, e, delta: sigma(1, e, delta)), "sensitivity is ignored"),
    (with_sigma(lambda d, e, delta: d * sigma(d, e, delta)), "sensitivity is squared"),
    (with_sigma(lambda d, e, delta: sigma(1, e, delta) / d), "divides instead of multiplies"),
    (with_sigma(lambda d, e, delta: sigma(d, 1, delta)), "epsilon is ignored"),
    (with_sigma(lambda d, e, delta: sigma(d, 1 / e, delta)), "epsilon multiplies"),
    (with_sigma(lambda d, e, delta: 1), "sensitivity, epsilon and delta are ignored"),
    (with_sigma(lambda d, e, delta: sigma(d, e, delta) ** 2), "variance is given"),
    (with_sigma(lambda d, e, delta: sigma(d, e, delta) ** 0.5), "root of sigma"),
    (with_sigma(lambda d, e, delta: 2 * sigma(d, e, delta)), "doubled"),
    (with_sigma(lambda d, e, delta: sigma(d, e, delta) / 2), "halved"),
    (with_sigma(sigma, np.random.laplace), "Laplace, with sigma as its scale"),
    (
        with_sigma(lambda d, e, delta: sigma(d, e, delta) / 2**0.5, np.random.laplace),
        "Laplace of the right variance",
    ),
    (with_sigma(lambda d, e, delta: d / e, np.random.laplace), "of scale sensitivity / epsilon"),
    (with_noise(lambda s, value: value + random.uniform(-s, s)), "spread evenly"),
    (with_noise(lambda s, value: value + abs(random.gauss(0, s))), "never negative"),
    (with_noise(lambda s, value: value + np.random.normal(s)), "given as the centre"),
    (with_noise(lambda s, value: value + random.gauss(0, s) + random.gauss(0, s)), "added twice"),
    (
        with_noise(lambda s, value: value + (random.gauss(0, s) + random.gauss(0, s)) / 2),
        "averaged",
    ),
    (with_noise(lambda s, value: random.gauss(0, s)), "value is missing"),
    (with_noise(lambda s, value: value + random.gauss(value, s)), "value is added twice"),
    (with_noise(lambda s, value: value * (1 + random.gauss(0, s))), "multiplied by the value"),
    (with_noise(lambda s, value: max(0, value + random.gauss(0, s))), "negative answers become 0"),
    (with_noise(lambda s, value: abs(value + random.gauss(0, s))), "sign of the answer is lost"),
    (with_noise(lambda s, value: value), "no noise is added"),
    (with_noise(lambda s, value: round(value + random.gauss(0, s), 1)), "rounded to 1 decimal"),
    (with_noise(lambda s, value: None), "returns nothing"),
    (with_noise(lambda s, value: str(value)), "one number is wanted"),
    (with_noise(lambda s, value: value + 0.8 * random.gauss(0, s)), "× what it must be"),
    (
        with_noise(
            lambda s, value: value + s * (random.choice([-0.9, 0.9]) + random.gauss(0, 0.4))
        ),
        "does not follow the Gaussian law",
    ),
    (gaussian_that_seeds, "np.random.seed is called inside"),
    (gaussian_unanswered, "not answered yet"),
    (
        lambda value, *, l2_sensitivity, epsilon, delta: dplib.gaussian_mechanism(
            value, l2_sensitivity=l2_sensitivity, epsilon=epsilon, delta=delta
        ),
        "the library's own version",
    ),
]


# --- vector_laplace and vector_gaussian -------------------------------------------------------


def laplace_vector(noise):
    """Return an answer for vectors, from noise(scale, value)."""

    def answer(value, *, l1_sensitivity, epsilon, rng=None):
        return noise(l1_sensitivity / epsilon, value)

    return answer


def gaussian_vector(noise):
    """Return an answer for vectors, from noise(sigma, value)."""

    def answer(value, *, l2_sensitivity, epsilon, delta, rng=None):
        return noise(sigma(l2_sensitivity, epsilon, delta), value)

    return answer


def gaussian_vector_of(formula):
    def answer(value, *, l2_sensitivity, epsilon, delta):
        return value + np.random.normal(0, formula(l2_sensitivity, epsilon, delta), len(value))

    return answer


def laplace_vector_in_place(value, *, l1_sensitivity, epsilon):
    value += np.random.laplace(0, l1_sensitivity / epsilon, len(value))
    return value


def laplace_vector_by_numbers(value, *, l1_sensitivity, epsilon):
    return [
        dplib.laplace_mechanism(float(entry), sensitivity=l1_sensitivity, epsilon=epsilon)
        for entry in value
    ]


def gaussian_vector_by_numbers(value, *, l2_sensitivity, epsilon, delta):
    limits = {"l2_sensitivity": l2_sensitivity, "epsilon": epsilon, "delta": delta}
    return pd.Series([dplib.gaussian_mechanism(float(entry), **limits) for entry in value])


def _entries(draw):
    """Return noise for every entry, from a draw of one kind."""
    return lambda scale, value: value + draw(scale, len(value))


def _third_as_first(draw):
    def noise(scale, value):
        drawn = draw(scale, len(value))
        drawn[2] = drawn[0]
        return value + drawn

    return noise


def _third_against_first(draw):
    def noise(scale, value):
        drawn = draw(scale, len(value))
        drawn[2] = -drawn[0]
        return value + drawn

    return noise


def _alike(draw):
    """Return vectors whose mistakes have nothing to do with the law: answer and sentence."""
    return [
        (lambda s, v: v + draw(s, 1), "entries of one answer depend on each other"),
        (lambda s, v: v + float(draw(s, 1)[0]), "entries of one answer depend on each other"),
        (_third_as_first(draw), "entries of one answer depend on each other"),
        (_third_against_first(draw), "entries of one answer depend on each other"),
        (_entries(lambda s, n: draw(s / n, n)), "divided by the number of entries"),
        (_entries(lambda s, n: draw(s * n, n)), "multiplied by the number of entries"),
        (_entries(lambda s, n: draw(s / n**0.5, n)), "divided by sqrt(number of entries)"),
        (_entries(lambda s, n: draw(s * n**0.5, n)), "multiplied by sqrt(number of entries)"),
        (lambda s, v: draw(s, len(v)), "value is missing"),
        (lambda s, v: 2 * v + draw(s, len(v)), "value is added twice"),
        (lambda s, v: v * (1 + draw(s, len(v))), "multiplied by the value"),
        (lambda s, v: np.sort(v) + draw(s, len(v)), "another order"),
        (lambda s, v: np.mean(v) + draw(s, len(v)), "mean of the vector"),
        (lambda s, v: v + abs(draw(s, len(v))), "never negative"),
        (_entries(lambda s, n: draw(s, n) + draw(s, n)), "added twice"),
        (_entries(lambda s, n: (draw(s, n) + draw(s, n)) / 2), "averaged"),
        (_entries(lambda s, n: np.round(draw(s, n), 1)), "rounded to 1 decimal"),
        (_entries(lambda s, n: 0.8 * draw(s, n)), "× what it must be"),
        (lambda s, v: v, "no noise is added"),
        (lambda s, v: v + np.arange(len(v)), "the same noise comes at every call"),
        (lambda s, v: np.sum(v + draw(s, len(v))), "the shape of `value` is wanted"),
        (lambda s, v: v[:2] + draw(s, 2), "the shape of `value` is wanted"),
        (lambda s, v: v[:, None] + draw(s, len(v)), "the shape of `value` is wanted"),
        (lambda s, v: [f"{each:.1f}" for each in v], "an array of numbers is wanted"),
        (lambda s, v: v / 0 * draw(s, len(v)), "not a finite number"),
        (lambda s, v: None, "returns nothing"),
    ]


def _laplace(scale, entries):
    return np.random.laplace(0, scale, entries)


def _normal(scale, entries):
    return np.random.normal(0, scale, entries)


RIGHT_VECTOR_LAPLACE = [
    laplace_vector(_entries(_laplace)),
    laplace_vector(lambda s, v: np.random.laplace(v, s)),
    laplace_vector(lambda s, v: [each + np.random.laplace(0, s) for each in v]),
    laplace_vector(lambda s, v: tuple(stats.laplace.rvs(loc=v, scale=s))),
    laplace_vector(lambda s, v: pd.Series(v) - GENERATOR.laplace(scale=s, size=v.shape)),
    laplace_vector(
        lambda s, v: (
            v + s * (GENERATOR.exponential(size=len(v)) - GENERATOR.exponential(size=len(v)))
        )
    ),
    laplace_vector_by_numbers,
]

WRONG_VECTOR_LAPLACE = [
    *((laplace_vector(noise), words) for noise, words in _alike(_laplace)),
    (
        lambda value, *, l1_sensitivity, epsilon: value + _laplace(1 / epsilon, len(value)),
        "sensitivity is ignored",
    ),
    (
        lambda value, *, l1_sensitivity, epsilon: value + _laplace(l1_sensitivity, len(value)),
        "epsilon is ignored",
    ),
    (
        lambda value, *, l1_sensitivity, epsilon: (
            value + _laplace(l1_sensitivity * epsilon, len(value))
        ),
        "epsilon multiplies",
    ),
    (laplace_vector(lambda s, v: v + _laplace(1 / s, len(v))), "upside down"),
    (laplace_vector(_entries(_normal)), "Gaussian, not Laplace"),
    (
        laplace_vector(lambda s, v: v + _normal(2**0.5 * s, len(v))),
        "Gaussian of the right variance",
    ),
    (laplace_vector_in_place, "changes what it is given"),
    (
        lambda value, *, l1_sensitivity, epsilon: dplib.vector_laplace(
            value, l1_sensitivity=l1_sensitivity, epsilon=epsilon
        ),
        "the library's own version",
    ),
]

RIGHT_VECTOR_GAUSSIAN = [
    gaussian_vector(_entries(_normal)),
    gaussian_vector(lambda s, v: np.random.normal(v, s)),
    gaussian_vector(lambda s, v: [random.gauss(each, s) for each in v]),
    gaussian_vector(lambda s, v: GENERATOR.multivariate_normal(v, s * s * np.eye(len(v)))),
    gaussian_vector(lambda s, v: tuple(v + s * GENERATOR.standard_normal(len(v)))),
    gaussian_vector_by_numbers,
]


def _with_covariance(s, v):
    # A covariance matrix with 0.6 beside the diagonal, two places away.
    covariance = np.eye(len(v))
    covariance[0, 2] = covariance[2, 0] = 0.6
    return GENERATOR.multivariate_normal(v, s * s * covariance)


def _with_mean_zero(s, v):
    drawn = _normal(s, len(v))
    return v + (drawn - drawn.mean()) * math.sqrt(len(v) / (len(v) - 1))


WRONG_VECTOR_GAUSSIAN = [
    *((gaussian_vector(noise), words) for noise, words in _alike(_normal)),
    (gaussian_vector(_with_covariance), "entries of one answer depend on each other"),
    (gaussian_vector(_with_mean_zero), "entries of one answer depend on each other"),
    (
        gaussian_vector(lambda s, v: GENERATOR.multivariate_normal(v, s * np.eye(len(v)))),
        "root of sigma",
    ),
    (gaussian_vector_of(classical), "classical formula is used"),
    (gaussian_vector_of(one_sided), "chance of a loss above epsilon"),
    (gaussian_vector_of(lambda d, e, delta: sigma(1, e, delta)), "sensitivity is ignored"),
    (gaussian_vector_of(lambda d, e, delta: sigma(d, 1, delta)), "epsilon is ignored"),
    (gaussian_vector_of(lambda d, e, delta: d / e), "delta is ignored"),
    (gaussian_vector(_entries(_laplace)), "Laplace, with sigma as its scale"),
    (
        lambda value, *, l2_sensitivity, epsilon, delta: (
            value + _laplace(l2_sensitivity / epsilon, len(value))
        ),
        "of scale sensitivity / epsilon",
    ),
    (
        lambda value, *, l2_sensitivity, epsilon, delta: dplib.vector_gaussian(
            value, l2_sensitivity=l2_sensitivity, epsilon=epsilon, delta=delta
        ),
        "the library's own version",
    ),
]


# --- gaussian_delta ---------------------------------------------------------------------------


def delta_by_integration(*, sigma, l2_sensitivity, epsilon):
    # The definition: the largest Pr(F(x) in S) - exp(epsilon) Pr(F(x') in S), over all S.
    start = l2_sensitivity / 2 - epsilon * sigma**2 / l2_sensitivity

    def excess(x):
        return stats.norm.pdf(x, 0, sigma) - math.exp(epsilon) * stats.norm.pdf(
            x, l2_sensitivity, sigma
        )

    result, _ = integrate.quad(excess, start - 12 * sigma, start, epsabs=1e-15, epsrel=1e-11)
    return result


def delta_by_erf(*, sigma, l2_sensitivity, epsilon):
    def normal(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    half, shift = l2_sensitivity / sigma / 2, epsilon * sigma / l2_sensitivity
    return normal(half - shift) - math.exp(epsilon) * normal(-half - shift)


def by_terms(formula):
    """Return an answer from formula(ratio = l2_sensitivity / sigma, epsilon)."""
    return lambda *, sigma, l2_sensitivity, epsilon: formula(l2_sensitivity / sigma, epsilon)


RIGHT_DELTA = [
    lambda *, sigma, l2_sensitivity, epsilon: exact_delta(sigma, l2_sensitivity, epsilon),
    lambda *, sigma, l2_sensitivity, epsilon: np.array(
        [exact_delta(np.float64(sigma), l2_sensitivity, epsilon)]
    ),
    lambda *, sigma, l2_sensitivity, epsilon: (
        stats.norm(scale=sigma).sf(epsilon * sigma**2 / l2_sensitivity - l2_sensitivity / 2)
        - np.exp(epsilon)
        * stats.norm.sf(epsilon * sigma / l2_sensitivity + l2_sensitivity / sigma / 2)
    ),
    delta_by_integration,
    delta_by_erf,
]

WRONG_DELTA = [
    (by_terms(lambda r, e: 1.01 * exact_delta(1, r, e)), "the value is wrong at 12 of 12 inputs"),
    (by_terms(lambda r, e: exact_delta(1, r, e) * (1 + random.random())), "gives two answers"),
    (by_terms(lambda r, e: None), "returns nothing"),
    (by_terms(lambda r, e: f"{r:.1f}"), "one number is wanted"),
    (
        lambda *, sigma, l2_sensitivity, epsilon: dplib.gaussian_delta(
            sigma=sigma, l2_sensitivity=l2_sensitivity, epsilon=epsilon
        ),
        "the library's own version",
    ),
]


# --- analytic_gaussian_sigma ------------------------------------------------------------------


def sigma_by_brentq(*, l2_sensitivity, epsilon, delta):
    return optimize.brentq(
        lambda s: exact_delta(s, l2_sensitivity, epsilon) - delta,
        1e-2 * l2_sensitivity,
        1e3 * l2_sensitivity,
    )


def sigma_by_plain_halving(*, l2_sensitivity, epsilon, delta):
    low, high = 0.001, 1000.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        too_little = dplib.gaussian_delta(
            sigma=middle, l2_sensitivity=l2_sensitivity, epsilon=epsilon
        )
        low, high = (middle, high) if too_little > delta else (low, middle)
    return high


def by_formula(formula):
    return lambda *, l2_sensitivity, epsilon, delta: formula(l2_sensitivity, epsilon, delta)


RIGHT_SIGMA = [
    by_formula(sigma_by_halving),
    by_formula(lambda d, e, delta: np.float64(d * sigma_by_halving(1, e, delta))),
    sigma_by_brentq,
    sigma_by_plain_halving,
]

WRONG_SIGMA = [
    (by_formula(lambda d, e, delta: 1.001 * sigma(d, e, delta)), "the value is wrong at 12 of 12"),
    (by_formula(lambda d, e, delta: None), "returns nothing"),
    (by_formula(lambda d, e, delta: math.inf), "not a finite number"),
    (
        by_formula(
            lambda d, e, delta: dplib.analytic_gaussian_sigma(
                l2_sensitivity=d, epsilon=e, delta=delta
            )
        ),
        "the library's own version",
    ),
]


# --- advanced_composition ---------------------------------------------------------------------


def composed(epsilon, delta=None, neighbors=None):
    """Return an answer from epsilon(each, count, delta_prime), delta(each, count, delta_prime)."""

    def answer(guarantee, *, count, delta_prime):
        each = getattr(guarantee, "delta", 0.0)
        total = delta(each, count, delta_prime) if delta else count * each + delta_prime
        given = neighbors or guarantee.neighbors
        return ApproximateDP(epsilon(guarantee.epsilon, count, delta_prime), total, given)

    return answer


def _root(e, k, d):
    return e * math.sqrt(2 * k * math.log(1 / d))


def _right(e, k, d):
    return _root(e, k, d) + k * e * (math.exp(e) - 1)


def composed_by_kind(guarantee, *, count, delta_prime):
    epsilon = _root(guarantee.epsilon, count, delta_prime)
    epsilon += count * guarantee.epsilon * np.expm1(guarantee.epsilon)
    if isinstance(guarantee, PureDP):
        return ApproximateDP(epsilon, delta_prime, guarantee.neighbors)
    return ApproximateDP(epsilon, guarantee.delta * count + delta_prime, guarantee.neighbors)


class OwnGuarantee:
    """A guarantee of the answer's own."""

    def __init__(self, epsilon, delta, neighbors):
        self.epsilon, self.delta, self.neighbors = np.array([epsilon]), delta, neighbors


def composed_into_its_own(guarantee, *, count, delta_prime):
    right = composed_by_kind(guarantee, count=count, delta_prime=delta_prime)
    return OwnGuarantee(right.epsilon, right.delta, right.neighbors)


RIGHT_COMPOSITION = [composed(_right), composed_by_kind, composed_into_its_own]

WRONG_COMPOSITION = [
    (composed(lambda e, k, d: 1.1 * _right(e, k, d)), "the value is wrong at 8 of 8 inputs"),
    (lambda guarantee, *, count, delta_prime: None, "returns nothing"),
    (
        lambda guarantee, *, count, delta_prime: (_right(guarantee.epsilon, count, delta_prime), 0),
        "an ApproximateDP is wanted",
    ),
    (lambda guarantee, *, count, delta_prime: guarantee.delta, "AttributeError"),
    (
        lambda guarantee, *, count, delta_prime: dplib.advanced_composition(
            guarantee, count=count, delta_prime=delta_prime
        ),
        "the library's own version",
    ),
]


# --- classical_sigma_counterexample -----------------------------------------------------------


def smallest_counterexample(delta):
    epsilon = 1.0
    while exact_delta(classical(1, epsilon, delta), 1, epsilon) <= 1.01 * delta:
        epsilon *= 1.05
    return epsilon


RIGHT_BREAK = [
    lambda delta: 20,
    lambda delta: np.float64(40.0),
    lambda delta: 4 * math.log(1.25 / delta) + 10,
    smallest_counterexample,
]

WRONG_BREAK = [
    (lambda delta: 0.5, "below epsilon 1 the classical formula is proved"),
    (lambda delta: delta, "below epsilon 1 the classical formula is proved"),
    (lambda delta: 2.0, "the classical formula still holds"),
    (lambda delta: 3, "the classical formula still holds"),
    (lambda delta: -1, "epsilon must be positive"),
    (lambda delta: 0, "epsilon must be positive"),
    (lambda delta: 1e6, "too large to compute with"),
    (lambda delta: math.inf, "not a finite number"),
    (lambda delta: None, "returns nothing"),
    (lambda delta: "large", "one number is wanted"),
    (lambda delta: (20, delta), "one number is wanted"),
]


RIGHT = {
    "gaussian_mechanism": RIGHT_GAUSSIAN,
    "vector_laplace": RIGHT_VECTOR_LAPLACE,
    "vector_gaussian": RIGHT_VECTOR_GAUSSIAN,
    "gaussian_delta": RIGHT_DELTA,
    "analytic_gaussian_sigma": RIGHT_SIGMA,
    "advanced_composition": RIGHT_COMPOSITION,
    "classical_sigma_counterexample": RIGHT_BREAK,
}

WRONG = {
    "gaussian_mechanism": WRONG_GAUSSIAN,
    "vector_laplace": WRONG_VECTOR_LAPLACE,
    "vector_gaussian": WRONG_VECTOR_GAUSSIAN,
    "gaussian_delta": WRONG_DELTA,
    "analytic_gaussian_sigma": WRONG_SIGMA,
    "advanced_composition": WRONG_COMPOSITION,
    "classical_sigma_counterexample": WRONG_BREAK,
}
