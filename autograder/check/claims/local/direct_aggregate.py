"""The unbiased estimate of each category's count, from reports of k-ary randomized response."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from autograder.check.claims.learning._reports import numbers_of_shape, people_of
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four inputs; in each nobody reports the last category, and most report one."""
    cases = []
    for low, high in ((0.3, 0.6), (0.8, 1.2), (1.5, 2.0), (2.4, 3.0)):
        domain_size = int(generator.integers(4, 8))
        counts = [people_of(generator, 5, 60) for _ in range(domain_size - 1)]
        counts[int(generator.integers(domain_size - 1))] += 20 * sum(counts)
        cases.append({"counts": [*counts, 0], "epsilon": round(generator.uniform(low, high), 2)})
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    codes = np.repeat(np.arange(len(parameters["counts"])), parameters["counts"])
    # 104,729 is prime, and larger than n: every report comes once, in a mixed order.
    reports = codes[np.arange(len(codes)) * 104_729 % len(codes)]
    keywords = {"domain_size": len(parameters["counts"]), "epsilon": parameters["epsilon"]}
    return (reports,), keywords


def _counts(p: dict) -> np.ndarray:
    return np.array(p["counts"], dtype=float)


def _solved(p: dict) -> np.ndarray:
    # Kairouz, Bonawitz & Ramage (2016): with r = exp(epsilon) and k categories
    # E[support] = (c * r + n - c) / (r + k - 1), solved for c.
    ratio, counts = math.exp(p["epsilon"]), _counts(p)
    return (counts * (ratio + len(counts) - 1) - counts.sum()) / (ratio - 1)


def _by(p: dict, high: float, low: float) -> np.ndarray:
    """Return the formula (support - n * low) / (high - low)."""
    counts = _counts(p)
    return (counts - counts.sum() * low) / (high - low)


def _p(p: dict) -> float:
    ratio = math.exp(p["epsilon"])
    return ratio / (ratio + len(p["counts"]) - 1)


def _q(p: dict) -> float:
    return 1 / (math.exp(p["epsilon"]) + len(p["counts"]) - 1)


_EXPECT = "how many reports of a category do you expect if c of n people are in it? Solve for c."
_FREE = "may an unbiased estimate be below 0, or above n? What happens to its mean if it may not?"
_PQ = "how likely is one given other category: which k probabilities must sum to one?"

_MISTAKES = (
    ValueMistake("reports are counted, nothing else", _counts, "which of the reports are false?"),
    ValueMistake(
        "p and q are those of two categories",
        lambda p: _by(p, expit(p["epsilon"]), expit(-p["epsilon"])),
        _PQ,
    ),
    ValueMistake(
        "q is 1 - p, not shared among the others",
        lambda p: _by(p, _p(p), 1 - _p(p)),
        _PQ,
    ),
    ValueMistake(
        "k stands where k - 1 belongs",
        lambda p: _by(
            p,
            math.exp(p["epsilon"]) / (math.exp(p["epsilon"]) + len(p["counts"])),
            1 / (math.exp(p["epsilon"]) + len(p["counts"])),
        ),
        _PQ,
    ),
    ValueMistake(
        "1 - p is shared among all k categories",
        lambda p: _by(p, _p(p), (1 - _p(p)) / len(p["counts"])),
        _PQ,
    ),
    ValueMistake(
        "p and q are those of optimal unary encoding",
        lambda p: _by(p, 0.5, expit(-p["epsilon"])),
        "which protocol made these reports?",
    ),
    ValueMistake("p and q are exchanged", lambda p: _by(p, _q(p), _p(p)), _EXPECT),
    ValueMistake(
        "n * p is subtracted where n * q belongs",
        lambda p: (_counts(p) - _counts(p).sum() * _p(p)) / (_p(p) - _q(p)),
        _EXPECT,
    ),
    ValueMistake(
        "the division by p - q is missing",
        lambda p: _counts(p) - _counts(p).sum() * _q(p),
        _EXPECT,
    ),
    ValueMistake(
        "the false reports are not subtracted",
        lambda p: _counts(p) / (_p(p) - _q(p)),
        _EXPECT,
    ),
    ValueMistake("reports are divided by p", lambda p: _counts(p) / _p(p), _EXPECT),
    ValueMistake(
        "it divides by p, not by p - q",
        lambda p: (_counts(p) - _counts(p).sum() * _q(p)) / _p(p),
        _EXPECT,
    ),
    ValueMistake(
        "shares are returned, not counts",
        lambda p: _solved(p) / _counts(p).sum(),
        "what does the docstring say: shares or numbers of people?",
    ),
    ValueMistake(
        "categories that nobody reports are left out",
        lambda p: _solved(p)[:-1],
        "how many categories are there, by the argument?",
    ),
    ValueMistake(
        "the estimates are kept between 0 and n",
        lambda p: np.clip(_solved(p), 0, _counts(p).sum()),
        _FREE,
    ),
    ValueMistake("negative estimates become 0", lambda p: np.maximum(_solved(p), 0), _FREE),
    ValueMistake(
        "a category that nobody reports gets 0",
        lambda p: np.where(_counts(p) > 0, _solved(p), 0),
        "what does the formula give for a support of 0?",
    ),
    ValueMistake(
        "the estimates are rounded",
        lambda p: np.round(_solved(p)),
        "what does rounding gain? Leave the estimates as they come.",
    ),
)


CLAIM = ValuesClaim(
    name="direct_aggregate",
    about=(
        "Check `direct_aggregate(reports, *, domain_size, epsilon)`: the unbiased estimate of\n"
        "each category's count from the reports of `direct_perturb`, shape (k,)."
    ),
    established="the unbiased estimates, also where they are below 0 or above n",
    cases=_cases,
    arguments=_arguments,
    expected=_solved,
    mistakes=_MISTAKES,
    read=lambda answer, p: numbers_of_shape(answer, (None,), "the estimates"),
    situation=lambda p: (
        f"reports by category {p['counts']}, domain_size {len(p['counts'])}, epsilon {p['epsilon']}"
    ),
)
