"""The protocols of a local survey: their probabilities, their laws, and whose estimates came."""

import itertools
import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, shortened
from autograder.check.claims.learning._reports import lattice, numbers_of_shape
from autograder.check.claims.local._binomial import binomial

# A support is a whole number; rounding in the estimator moves it by less than this.
_ROOM = 1e-6

PROTOCOLS = {
    "direct encoding": lambda size, ratio: (ratio / (ratio + size - 1), 1 / (ratio + size - 1)),
    "optimal unary encoding": lambda size, ratio: (0.5, 1 / (ratio + 1)),
    "symmetric unary encoding": lambda size, ratio: (
        math.sqrt(ratio) / (1 + math.sqrt(ratio)),
        1 / (1 + math.sqrt(ratio)),
    ),
}


def total_variances(size: int, epsilon: float) -> dict[str, float]:
    """Return the variances of all estimates, added up, for one person, by protocol."""
    totals = {}
    for name, of in PROTOCOLS.items():
        p, q = of(size, math.exp(epsilon))
        # One person supports their category (chance p) and each other one (chance q).
        totals[name] = (p * (1 - p) + (size - 1) * q * (1 - q)) / (p - q) ** 2
    return totals


def best_protocol(size: int, epsilon: float) -> str:
    """Return the protocol of least total variance."""
    totals = total_variances(size, epsilon)
    return min(totals, key=totals.get)


def direct_report(code: int, size: int, truth: float) -> list[float]:
    """Return the chances of a report: the true code, or one of the others, evenly."""
    return [truth if other == code else (1 - truth) / (size - 1) for other in range(size)]


def direct_counts_law(reports: list[list[float]]) -> dict[tuple, float]:
    """Return the law of how many reports each category gets, from each person's chances."""
    size = len(reports[0])
    law = dict.fromkeys(_compositions(len(reports), size), 0.0)
    for codes in itertools.product(range(size), repeat=len(reports)):
        chance = math.prod(report[code] for report, code in zip(reports, codes, strict=True))
        law[tuple(codes.count(category) for category in range(size))] += chance
    return law


def _compositions(people: int, size: int) -> list[tuple]:
    """Return all lists of `size` counts that sum to `people`, in order."""
    if size == 1:
        return [(people,)]
    return [
        (first, *rest)
        for first in range(people + 1)
        for rest in _compositions(people - first, size - 1)
    ]


def unary_support_law(counts: list[int], p: float, q: float) -> list[dict[int, float]]:
    """Return, for each category, the law of how many of the reports have a 1 there."""
    people = sum(counts)
    # Two independent binomials, added up: Wang, Blocki, Li & Jha (2017).
    by_count = {
        count: np.convolve(binomial(count, p), binomial(people - count, q)).tolist()
        for count in set(counts)
    }
    return [dict(enumerate(by_count[count])) for count in counts]


def estimates_of(answer: Any, categories: list[str]) -> np.ndarray:
    """Return the estimates in the order of the categories, from a Series, dict or list."""
    names = list(answer) if isinstance(answer, dict) else None
    if names is None and hasattr(answer, "index") and hasattr(answer, "to_dict"):
        names = list(answer.index)
        if names == list(range(len(names))):
            names = None
    if names is not None:
        if len(names) != len(categories) or set(names) != set(categories):
            raise BadAnswer(
                "the categories of the answer are not the public ones",
                seen=f"it has {len(names)} categories, {len(categories)} are public",
                ask="what happens to a category that nobody has?",
            )
        table = dict(answer.items())
        answer = [table[category] for category in categories]
    return numbers_of_shape(answer, (len(categories),), "the estimates")


def supports_of(estimates: np.ndarray, parameters: dict) -> tuple[int, ...]:
    """Return how many reports support each category; BadAnswer where no protocol fits so."""
    size, people = parameters["size"], sum(parameters["counts"])
    name = parameters["protocol"]
    p, q = PROTOCOLS[name](size, math.exp(parameters["epsilon"]))
    supports = _whole(estimates, p, q, people)
    if supports is not None and (name != "direct encoding" or sum(supports) == people):
        return supports
    raise _explained(estimates, parameters, p, q)


def _whole(estimates: np.ndarray, p: float, q: float, people: int) -> tuple[int, ...] | None:
    supports = estimates * (p - q) + people * q
    whole = np.round(supports)
    fits = (np.abs(supports - whole) <= _ROOM) & (whole >= 0) & (whole <= people)
    return tuple(whole.astype(int).tolist()) if fits.all() else None


def _explained(estimates: np.ndarray, parameters: dict, p: float, q: float) -> BadAnswer:
    """Return the words for estimates that the best protocol cannot give."""
    people = sum(parameters["counts"])
    allowed = np.array([lattice(p, q, people, support) for support in range(people + 1)])
    for problem, fits, ask in (
        (
            "people are counted, nothing else",
            np.allclose(estimates, np.round(estimates)) and (estimates >= 0).all(),
            "which step adds chance to a person's report, and which one undoes it on average?",
        ),
        (
            "shares are returned, not counts",
            _whole(estimates * people, p, q, people) is not None,
            "what does the task say: shares or numbers of people?",
        ),
        (
            "negative estimates become 0",
            _all_in(estimates, np.append(allowed[allowed > 0], 0.0)),
            "an unbiased estimate may be negative: what does a 0 in its place do to the mean?",
        ),
        (
            "the estimates are rounded",
            _all_in(estimates, np.round(allowed)),
            "what does rounding gain? Leave the estimates as they come.",
        ),
    ):
        if fits:
            return BadAnswer(problem, seen=_came(estimates), ask=ask)
    return _another_protocol(estimates, parameters)


def _all_in(estimates: np.ndarray, allowed: np.ndarray) -> bool:
    distance = np.abs(estimates[:, None] - allowed[None, :]).min(axis=1)
    return bool((distance < _ROOM).all())


def _another_protocol(estimates: np.ndarray, parameters: dict) -> BadAnswer:
    size, epsilon, right = parameters["size"], parameters["epsilon"], parameters["protocol"]
    people = sum(parameters["counts"])
    for name, of in PROTOCOLS.items():
        if name != right and _whole(estimates, *of(size, math.exp(epsilon)), people) is not None:
            totals = total_variances(size, epsilon)
            return BadAnswer(
                f"{right} has less variance here than {name}",
                seen=f"the variances add up to {totals[name] * people:.3g} with {name}, and to "
                f"{totals[right] * people:.3g} with {right}",
                ask="which of your conditions chose it? Compare the two variances themselves.",
            )
    for name, of in PROTOCOLS.items():
        for factor, words in ((0.5, "half of epsilon"), (2.0, "twice epsilon")):
            ratio = math.exp(factor * epsilon)
            if _whole(estimates, *of(size, ratio), people) is not None:
                return BadAnswer(
                    f"the probabilities are those of {words}",
                    seen=f"the estimates are those of {name} at epsilon {factor * epsilon:g}",
                    ask="how much may one person's whole report cost?",
                )
    return BadAnswer(
        f"these estimates cannot come from {right}",
        seen=_came(estimates),
        ask="work one estimate out by hand from its number of reports, n, p and q.",
    )


def _came(estimates: np.ndarray) -> str:
    return f"it returned {shortened([round(float(each), 3) for each in estimates])}"
