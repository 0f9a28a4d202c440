"""The exhibits: releases whose draws have another law than they should; and the newest ones."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from ville import laws
from ville.outcomes import Choice

_E = math.exp(0.5)  # of symmetric unary encoding with epsilon = 1
_STAY, _FLIP = _E / (1 + _E), 1 / (1 + _E)
_SCORES = [0, 1, 2, 4]
_BEST = laws.permute_and_flip(_SCORES, epsilon=1, sensitivity=1).probabilities[3]


def analytic_deviation(epsilon: float, delta: float) -> float:
    """Return the least deviation of Gaussian noise (Balle & Wang 2018, theorem 8)."""

    def excess(deviation: float) -> float:
        near, far = 1 / (2 * deviation), epsilon * deviation
        return ndtr(near - far) - math.exp(epsilon) * ndtr(-near - far) - delta

    return brentq(excess, 1e-3, 1e6, xtol=1e-12)


def two_bits(first: float, second: float) -> Choice:
    """Return the law of two independent bits as one number: 1 for the first, 2 for the second."""
    chances = {
        one + 2 * two: (first if one else 1 - first) * (second if two else 1 - second)
        for one in (0, 1)
        for two in (0, 1)
    }
    return laws.categorical(chances)


@dataclass(frozen=True)
class Mechanism:
    """A call of a library, and the law that its draws should have.

    Attributes:
      environment: of pins.toml.
      sampler: "module.function" of the samplers.
      call: what is called, in words.
      law: makes the law.
      draws: how many are made; what takes long makes fewer.
    """

    environment: str
    sampler: str
    call: str
    law: Callable[[], object]
    draws: int = 100_000


@dataclass(frozen=True)
class Exhibit(Mechanism):
    """A release whose draws have another law.

    Attributes:
      published: where the library's own people wrote of it, and what they say.
      seen: what is seen in the draws, from the draws.
      epsilon, delta: what was promised.
    """

    published: str = ""
    seen: Callable[[np.ndarray], str] = lambda draws: ""
    epsilon: float = math.inf
    delta: float = 0.0


def _share_of(value: float, words: str, right: float) -> Callable[[np.ndarray], str]:
    return lambda draws: (
        f"{words} with probability {np.mean(draws == value):.4f}, should be {right:.4f}"
    )


def _deviation(right: float) -> Callable[[np.ndarray], str]:
    return lambda draws: f"a standard deviation of {np.std(draws):.3g}, should be {right:.3g}"


EXHIBITS = (
    Exhibit(
        "opendp-0-14-1",
        "opendp_recent.discrete_laplace",
        "`make_laplace` on a vector of integers, scale 3",
        lambda: laws.discrete_laplace(3),
        draws=200_000,
        published="issue 2638 of opendp/opendp, “Bias in additive noise samplers”: a library for "
        "long numbers divides wrongly",
        seen=_share_of(0, "a noise of 0", math.tanh(1 / 6)),
        epsilon=1 / 3,
    ),
    Exhibit(
        "opendp-0-15-1",
        "opendp_recent.report_noisy_max_gumbel",
        '`make_report_noisy_max_gumbel` (deprecated), scores 0, 1, 2, 4, scale 2, `optimize="max"`',
        lambda: laws.permute_and_flip(_SCORES, epsilon=1, sensitivity=1),
        draws=20_000,
        published="issue 2912 of opendp/opendp: it returns the noisy minimum",
        seen=_share_of(3, "the best of four", _BEST),
        epsilon=1.0,
    ),
    Exhibit(
        "opendp-0-4-0",
        "opendp_early.randomized_response_bool",
        "`make_randomized_response_bool(0.75)`, the truth is True",
        lambda: laws.categorical([0.25, 0.75]),
        draws=10_000,
        published="issue 480 of opendp/opendp, mended in 0.5.0: a lie may be the truth, too",
        seen=_share_of(1, "the truth", 0.75),
        epsilon=math.log(3),
    ),
    Exhibit(
        "pure-ldp-1-1-2",
        "pure_ldp_bits.unary_encoding",
        "`UEClient(epsilon=1, d=4).privatise(1)`, the bits of two values",
        lambda: two_bits(_STAY, _FLIP),
        draws=20_000,
        published="issue 11 of Samuel-Maddock/pure-LDP, mended in 1.2.0: a true bit is kept "
        "too often",
        seen=lambda draws: (
            f"the true bit is 1 with probability {np.mean(draws % 2):.4f}, should be {_STAY:.4f}"
        ),
        epsilon=1.0,
    ),
    Exhibit(
        "datasynthesizer-0-1-4",
        "datasynthesizer_counts.noise_of_counts",
        "`get_noisy_distribution_of_attributes`, one of two columns, 20,000 rows, epsilon 0.5",
        lambda: laws.clamped(laws.laplace(4), low=-100),
        draws=20_000,
        published="issue 34 of DataResponsibly/DataSynthesizer: the noise of a share, "
        "2 · (columns − parents) / (rows · epsilon), is added to a count. The law is the one "
        "that 0.1.13 documents, (columns − parents) / epsilon; the issue asks for twice as much",
        seen=lambda draws: f"a mean distance of {np.abs(draws).mean():.2g}, should be 4",
        epsilon=0.5,
    ),
    Exhibit(
        "smartnoise-core-0-2-0",
        "smartnoise_sum.analytic_gaussian",
        '`dp_sum` of ten numbers in [0, 1], mechanism="AnalyticGaussian", epsilon 0.1, delta 1e-6',
        lambda: laws.gaussian(analytic_deviation(0.1, 1e-6)),
        draws=1_000,
        published="pull request 315 of opendp/smartnoise-core, of November 2020, mends an analytic "
        "Gaussian with a “reduced sigma”. Whether this is that one we do not know: what was seen "
        "here agrees with a delta that was divided by (exp(epsilon) − 1)²",
        seen=_deviation(analytic_deviation(0.1, 1e-6)),
        epsilon=0.1,
        delta=1e-6,
    ),
)

_RECENT, _DIFFPRIVLIB = "opendp-0-16-0", "diffprivlib-0-6-6"
_DEVIATION = math.sqrt(2 * math.log(1.25e3)) / 0.5  # Dwork & Roth (2014), theorem A.1

NEWEST = (
    Mechanism(
        _RECENT,
        "opendp_recent.discrete_laplace",
        "Laplace, integers",
        lambda: laws.discrete_laplace(3),
    ),
    Mechanism(_RECENT, "opendp_recent.laplace", "Laplace, floats", lambda: laws.laplace(3)),
    Mechanism(
        _RECENT,
        "opendp_recent.discrete_gaussian",
        "Gaussian, integers",
        lambda: laws.discrete_gaussian(2),
    ),
    Mechanism(_RECENT, "opendp_recent.gaussian", "Gaussian, floats", lambda: laws.gaussian(2)),
    Mechanism(
        _RECENT,
        "opendp_recent.randomized_response_bool",
        "randomized response, bool",
        lambda: laws.categorical([0.25, 0.75]),
        30_000,
    ),
    Mechanism(
        _RECENT,
        "opendp_recent.randomized_response",
        "randomized response, three categories",
        lambda: laws.categorical([0.5, 0.25, 0.25]),
        30_000,
    ),
    Mechanism(
        _RECENT,
        "opendp_recent.report_noisy_max_gumbel",
        "report noisy max (deprecated; its documentation cites permute-and-flip)",
        lambda: laws.permute_and_flip(_SCORES, epsilon=1, sensitivity=1),
        30_000,
    ),
    Mechanism(
        _RECENT,
        "opendp_recent.noisy_max",
        "noisy max, exponential noise",
        lambda: laws.permute_and_flip(_SCORES, epsilon=1, sensitivity=1),
        30_000,
    ),
    Mechanism(_DIFFPRIVLIB, "diffprivlib_mechanisms.laplace", "Laplace", lambda: laws.laplace(2)),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.laplace_truncated",
        "Laplace, truncated",
        lambda: laws.clamped(laws.laplace(2), low=-1, high=3),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.geometric",
        "Geometric",
        lambda: laws.discrete_laplace(2),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.geometric_truncated",
        "Geometric, truncated",
        lambda: laws.clamped(laws.discrete_laplace(2), low=-2, high=3),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.gaussian",
        "Gaussian",
        lambda: laws.gaussian(_DEVIATION),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.gaussian_analytic",
        "Gaussian, analytic",
        lambda: laws.gaussian(analytic_deviation(0.5, 1e-3)),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.staircase",
        "staircase",
        lambda: laws.staircase(1, 0.5),
    ),
    Mechanism(
        _DIFFPRIVLIB, "diffprivlib_mechanisms.uniform", "uniform", lambda: laws.uniform(-2, 2)
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.binary",
        "randomized response",
        lambda: laws.categorical([1 / (1 + math.e), math.e / (1 + math.e)]),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.exponential",
        "exponential mechanism",
        lambda: laws.exponential_mechanism(_SCORES, epsilon=1, sensitivity=1),
    ),
    Mechanism(
        _DIFFPRIVLIB,
        "diffprivlib_mechanisms.permute_and_flip",
        "permute-and-flip",
        lambda: laws.permute_and_flip(_SCORES, epsilon=1, sensitivity=1),
    ),
    Mechanism(
        "python-dp-1-1-5", "python_dp_mechanisms.laplace", "Laplace", lambda: laws.laplace(2)
    ),
    Mechanism(
        "pure-ldp-1-2-0",
        "pure_ldp_bits.unary_encoding",
        "symmetric unary encoding, two bits",
        lambda: two_bits(_STAY, _FLIP),
        20_000,
    ),
    Mechanism(
        "datasynthesizer-0-1-13",
        "datasynthesizer_counts.noise_of_counts",
        "noise of a column's counts",
        lambda: laws.clamped(laws.laplace(4), low=-100),
        20_000,
    ),
)
