"""The exact law of the answers to a plan, composed from its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autograder.practice.columns import GROUPS
from autograder.practice.exact import candidates, exact, truth
from autograder.practice.quadrature import noisy_max_chances, quotient
from autograder.practice.scale import budget, scales, share
from autograder.practice.task_plan import CHOICES, Plan
from ville import distributions, laws
from ville.law import Law
from ville.outcomes import Choice

_QUADRATURE = 1e-10  # how far off an integral may be

_NOISES = {
    "laplace": laws.laplace,
    "discrete_laplace": laws.discrete_laplace,
    "gaussian": laws.gaussian,
    "gaussian_rho": laws.gaussian,
}
_SHAPES = {"laplace": laws.gaussian, "gaussian": laws.laplace, "gaussian_rho": laws.laplace}
_DISTRIBUTIONS = {
    "laplace": distributions.laplace,
    "gaussian": distributions.gaussian,
    "gaussian_rho": distributions.gaussian,
}


def answer_laws(plan: Plan, given: Mapping) -> list[Law | Choice]:
    """Return the law of each entry of the answers.

    Args:
      plan: the task's parts.
      given: the budget by name, with the table as "people", or one person's value as "value".

    Returns:
      Laws that are exact in closed form. A mean's is an integral, computed to about 1e-12.
    """
    if plan.question == "answer":
        return [_response(plan, given)]
    values, spread = exact(plan, given["people"]), scales(plan, given)
    if plan.noise in CHOICES:
        return [Choice(_chances(plan, values, float(spread[0])), plan.noise)]
    rows = len(next(iter(given["people"].values())))
    if plan.question == "mean":
        return [_quotient(plan, values, spread)]
    spread = np.broadcast_to(spread, values.shape)
    return [_entry(plan, *pair, rows) for pair in zip(values, spread, strict=True)]


def released(plan: Plan, given: Mapping) -> np.ndarray:
    """Return the numbers that a release without noise would hold."""
    values = exact(plan, given["people"])
    if plan.question == "mean":
        values = values[:1] / max(values[1], 1.0)
    rows = len(next(iter(given["people"].values())))
    return np.array([_step(plan, value, rows) for value in values])


def outcomes(plan: Plan) -> list:
    """Return what a choice, or one person's answer, may be."""
    if plan.question == "answer":
        return [False, True] if plan.condition else list(GROUPS[plan.columns[0]])
    return candidates(plan)


def _entry(plan: Plan, value: float, scale: float, rows: int) -> Law:
    """Return the law of one noisy number."""
    if plan.slip == "before the noise":
        plan, value = replace(plan, after="none"), _step(plan, value, rows)
    if plan.slip == "no noise":
        return laws.point(_step(plan, value, rows))
    table = _SHAPES if plan.slip == "other shape" else _NOISES
    return _stepped(plan, laws.shifted(table[plan.noise](scale), value), rows)


def _step(plan: Plan, value: float, rows: int) -> float:
    """Return one number after the step that follows the noise."""
    if plan.after == "bounds":
        return float(np.clip(value, *plan.bounds[0]))
    if plan.after == "tens":
        return 10.0 * np.round(value / 10)
    return max(value, 0.0) if plan.after == "clamp" else value / _divisor(plan, rows)


def _divisor(plan: Plan, rows: int) -> float:
    return float(rows) if plan.after == "per_row" and plan.slip != "no step" else 1.0


def _stepped(plan: Plan, law: Law, rows: int) -> Law:
    """Return the law of a number after the step that follows the noise."""
    if plan.slip == "no step" or plan.after == "none":
        return law
    if plan.after == "clamp":
        return _folded(law) if plan.slip == "sign lost" else laws.clamped(law, 0.0)
    if plan.after == "bounds":
        return laws.clamped(law, *map(float, plan.bounds[0]))
    if plan.after == "per_row":
        return laws.scaled(law, 1 / rows)
    if plan.slip == "whole numbers":
        return laws.rounded(law)
    return laws.rounded(laws.shifted(law, -5.0) if plan.slip == "rounded down" else law, 10.0)


def _folded(law: Law) -> Law:
    """Return the law of the sizes of draws, without their sign."""

    def sizes(x):
        below = -np.floor(x) - 1 if law.lattice else -x
        return np.where(x < 0, 0.0, law.smooth(x) - law.smooth(below))

    return Law(f"size of {law.name}", sizes, {}, law.lattice, (0.0, np.inf))


def _quotient(plan: Plan, values: np.ndarray, spread: np.ndarray) -> Law:
    """Return the law of a noisy sum over a noisy count, of which each below 1 counts as 1."""
    (total, count), (wide, narrow) = values, spread
    if plan.slip == "no noise":
        return laws.point(_step(plan, total / max(count, 1.0), 1))
    noise = _DISTRIBUTIONS[plan.noise]
    if plan.slip == "exact count":
        least = max(count, 1.0)
        law = laws.from_cdf(lambda x: noise(wide)(x * least - total))
    else:
        cdf = quotient(plan.noise != "laplace", (total, wide), (count, narrow))
        law = laws.from_cdf(cdf, error=_QUADRATURE)
    bare = replace(plan, after="none")
    law = replace(law, spread=lambda factor: _quotient(bare, values, factor * spread))
    return _stepped(plan, law, 1)


def _chances(plan: Plan, scores: np.ndarray, scale: float) -> dict:
    """Return the probability of each candidate."""
    options = candidates(plan)
    if plan.slip == "no noise":
        best = int(np.argmax(scores))
        return {each: float(place == best) for place, each in enumerate(options)}
    if plan.noise == "noisy_max":
        found = noisy_max_chances(scores / scale)
    else:
        make = getattr(laws, plan.noise)
        law = make(scores, epsilon=1.0, sensitivity=scale, factor=1.0)
        found = np.array([law.probabilities[place] for place in range(len(options))])
    return dict(zip(options, (found / found.sum()).tolist(), strict=True))


def _response(plan: Plan, given: Mapping) -> Choice:
    """Return the law of one person's randomized answer."""
    options: Sequence = outcomes(plan)
    told = truth(plan, given["value"])
    spent = budget(plan, given) * float(share(plan)[0])
    honest = np.exp(spent) / (np.exp(spent) + len(options) - 1)
    if plan.slip == "no noise":
        honest = 1.0
    elif plan.slip == "two answers":
        honest = np.exp(spent) / (np.exp(spent) + 1)
    elif plan.slip == "upside down":
        honest = 1 / (1 + (len(options) - 1) * np.exp(spent))
    elif plan.slip == "two coins":
        honest = 0.5 + 0.5 / len(options)
    elif plan.slip == "drawn among all":
        honest = honest + (1 - honest) / len(options)
    other = (1 - honest) / (len(options) - 1)
    return Choice({each: honest if each == told else other for each in options}, plan.noise)
