"""What an attacker believes after a noisy count: Bayes's rule with two Laplace densities."""

from __future__ import annotations

import math

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]

# Where the release lies, counted from the exact count without the target: below both possible
# counts, between them (where the ratio is neither of its extremes), and above both.
_PLACES = ((-9.0, -0.2), (0.05, 0.45), (0.55, 0.95), (1.2, 9.0))


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return three inputs for each place, with a prior below, around and above one half."""
    cases = []
    for low, high in _PLACES:
        for prior in ((0.02, 0.2), (0.25, 0.45), (0.6, 0.95)):
            without = int(generator.integers(20, 300))
            cases.append(
                {
                    "noisy_count": round(without + generator.uniform(low, high), 3),
                    "count_without": without,
                    "epsilon": round(generator.uniform(0.2, 2.5), 2),
                    "prior": round(generator.uniform(*prior), 2),
                }
            )
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("count_without", "epsilon", "prior")}
    return (parameters["noisy_count"],), keywords


def _laplace_density(distance: float, scale: float) -> float:
    # Dwork & Roth (2014), definition 3.2.
    return math.exp(-abs(distance) / scale) / (2 * scale)


def _gaussian_density(distance: float, deviation: float) -> float:
    return math.exp(-((distance / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))


def _densities(p: dict, *, scale=None, density=_laplace_density, step=1) -> tuple[float, float]:
    """Return how likely the release is if the target is counted, and if not."""
    scale = 1 / p["epsilon"] if scale is None else scale
    distance = p["noisy_count"] - p["count_without"]
    return density(distance - step, scale), density(distance, scale)


def _posterior(counted: float, without: float, prior: float) -> float:
    """Return Bayes's rule for two hypotheses."""
    return counted * prior / (counted * prior + without * (1 - prior))


def _expected(p: dict) -> float:
    return _posterior(*_densities(p), p["prior"])


def _odds(p: dict) -> float:
    counted, without = _densities(p)
    return counted / without * p["prior"] / (1 - p["prior"])


def _nearest_extreme(p: dict) -> float:
    """Return the posterior if the ratio were exp(epsilon) or exp(-epsilon), by the nearer count."""
    nearer = p["noisy_count"] - p["count_without"] > 0.5
    return _posterior(math.exp(p["epsilon"] if nearer else -p["epsilon"]), 1, p["prior"])


_SCALE = "what is the scale of the noise in a count released with this epsilon?"
_HYPOTHESES = "which two exact counts are possible, and under which one is the target counted?"
_BAYES = "write Bayes's rule down: which two products are added in the denominator?"

_MISTAKES = (
    ValueMistake(
        "the prior is ignored",
        lambda p: _posterior(*_densities(p), 0.5),
        "what did the attacker believe before the release?",
    ),
    ValueMistake(
        "the release is ignored",
        lambda p: p["prior"],
        "how likely is this release if the target is counted, and if not?",
    ),
    ValueMistake(
        "the two densities are exchanged",
        lambda p: _posterior(*reversed(_densities(p)), p["prior"]),
        _HYPOTHESES,
    ),
    ValueMistake(
        "the probability that the target is not counted is returned",
        lambda p: 1 - _expected(p),
        _HYPOTHESES,
    ),
    ValueMistake(
        "the prior is given to the wrong count",
        lambda p: _posterior(*_densities(p), 1 - p["prior"]),
        _HYPOTHESES,
    ),
    ValueMistake(
        "odds are returned, not a probability",
        _odds,
        "odds are p / (1 - p): how do you get p back?",
    ),
    ValueMistake(
        "the ratio of the densities is returned",
        lambda p: _densities(p)[0] / _densities(p)[1],
        "that says what the release changes: what did the attacker believe before?",
    ),
    ValueMistake(
        "the sum in the denominator is missing",
        lambda p: _densities(p)[0] * p["prior"],
        _BAYES,
    ),
    ValueMistake(
        "the sum in the denominator lacks the priors",
        lambda p: _densities(p)[0] * p["prior"] / sum(_densities(p)),
        _BAYES,
    ),
    ValueMistake(
        "epsilon is used as the scale",
        lambda p: _posterior(*_densities(p, scale=p["epsilon"]), p["prior"]),
        _SCALE,
    ),
    ValueMistake(
        "epsilon is ignored",
        lambda p: _posterior(*_densities(p, scale=1.0), p["prior"]),
        _SCALE,
    ),
    ValueMistake(
        "the scale is doubled",
        lambda p: _posterior(*_densities(p, scale=2 / p["epsilon"]), p["prior"]),
        _SCALE,
    ),
    ValueMistake(
        "the scale is halved",
        lambda p: _posterior(*_densities(p, scale=0.5 / p["epsilon"]), p["prior"]),
        _SCALE,
    ),
    ValueMistake(
        "the densities are Gaussian, not Laplace",
        lambda p: _posterior(*_densities(p, density=_gaussian_density), p["prior"]),
        "which law does the noise of the release follow?",
    ),
    ValueMistake(
        "the densities are Gaussian of the right variance",
        lambda p: _posterior(
            *_densities(p, density=_gaussian_density, scale=math.sqrt(2) / p["epsilon"]),
            p["prior"],
        ),
        "which law does the noise of the release follow?",
    ),
    ValueMistake(
        "the target is taken off the count, not added",
        lambda p: _posterior(*_densities(p, step=-1), p["prior"]),
        _HYPOTHESES,
    ),
    ValueMistake(
        "the ratio is taken to be exp(epsilon) everywhere",
        lambda p: _posterior(math.exp(p["epsilon"]), 1, p["prior"]),
        "how far is this release from each of the two counts? Are distances ever negative?",
    ),
    ValueMistake(
        "the ratio is taken to be exp(-epsilon) everywhere",
        lambda p: _posterior(math.exp(-p["epsilon"]), 1, p["prior"]),
        "how far is this release from each of the two counts? Are distances ever negative?",
    ),
    ValueMistake(
        "between the two counts the ratio is not exp(epsilon) or exp(-epsilon)",
        _nearest_extreme,
        "how far is a release of count_without + 0.3 from each of the two counts?",
    ),
)

CLAIM = ValuesClaim(
    name="attacker_posterior",
    about="Check `attacker_posterior(noisy_count, *, count_without, epsilon, prior)`.",
    established="Bayes's rule with two Laplace densities",
    cases=_cases,
    arguments=_arguments,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=lambda p: (
        f"noisy_count {p['noisy_count']}, count_without {p['count_without']}, "
        f"epsilon {p['epsilon']}, prior {p['prior']}"
    ),
)
