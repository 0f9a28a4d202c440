"""What is said of estimates that the best protocol of a survey cannot give."""

import itertools
import math

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.learning._reports import solved
from autograder.check.claims.local._survey import PROTOCOLS, ROOM, total_variances, whole_supports

_DIRECT = "direct encoding"
_SHOWN = 6  # estimates


def supports_of(estimates: np.ndarray, parameters: dict) -> tuple[int, ...]:
    """Return how many reports support each category; BadAnswer where no protocol fits so."""
    people, name = sum(parameters["counts"]), parameters["protocol"]
    p, q = PROTOCOLS[name](parameters["size"], math.exp(parameters["epsilon"]))
    supports = whole_supports(estimates, p, q, people)
    if supports is None:
        raise _explained(estimates, parameters, p, q)
    if name == _DIRECT and sum(supports) != people:
        raise _another_protocol(estimates, parameters) or BadAnswer(
            "a report of direct encoding supports one category",
            seen=f"{_came(estimates)}: the reports support {sum(supports)} categories in all, "
            f"and {people} people send one report each",
            ask="which p and q did you use, and may one person's report say yes twice?",
        )
    return supports


def _explained(estimates: np.ndarray, parameters: dict, p: float, q: float) -> BadAnswer:
    """Return the words for estimates that no numbers of reports give."""
    allowed = _estimates_from(p, q, sum(parameters["counts"]))
    zero = bool((estimates == 0).any()) and not (allowed == 0).any()
    return (
        _changed(estimates, allowed, parameters, zero=zero)
        or _another_protocol(estimates, parameters)
        or _of_two_protocols(estimates, parameters)
        or _moved(estimates, parameters, p, q)
        or _unknown(estimates, parameters, zero)
    )


def _changed(
    estimates: np.ndarray, allowed: np.ndarray, parameters: dict, *, zero: bool
) -> BadAnswer | None:
    """Return the words for people who are counted, or right estimates that are changed at last."""
    shares = estimates * sum(parameters["counts"])
    for problem, fits, ask in (
        (
            "people are counted, or their reports, nothing else",
            np.allclose(estimates, np.round(estimates)) and (estimates >= 0).all(),
            "which step adds chance to a person's report, and which one undoes it on average?",
        ),
        (
            "shares are returned, not counts",
            _all_in(shares, allowed),
            "what does the task say: shares or numbers of people?",
        ),
        (
            "negative estimates become 0",
            zero and _all_in(estimates, np.append(allowed[allowed > 0], 0.0)),
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
    return None


def _all_in(estimates: np.ndarray, allowed: np.ndarray) -> bool:
    distance = np.abs(estimates[:, None] - allowed[None, :]).min(axis=1)
    return bool((distance < ROOM).all())


def _another_protocol(estimates: np.ndarray, parameters: dict) -> BadAnswer | None:
    size, epsilon, right = parameters["size"], parameters["epsilon"], parameters["protocol"]
    people = sum(parameters["counts"])
    for name, of in PROTOCOLS.items():
        fits = whole_supports(estimates, *of(size, math.exp(epsilon)), people) is not None
        if name != right and fits:
            totals = total_variances(size, epsilon)
            return BadAnswer(
                f"{right} has less variance here than {name}",
                seen=f"the variances add up to {totals[name] * people:.3g} with {name}, and to "
                f"{totals[right] * people:.3g} with {right}",
                ask="which of your conditions chose it? Compare the two variances themselves.",
            )
    for name, of in PROTOCOLS.items():
        for factor, words in (
            (0.5, "half of epsilon"),
            (2.0, "twice epsilon"),
            (1 / size, f"epsilon / {size}, a part for each category"),
        ):
            ratio = math.exp(factor * epsilon)
            if whole_supports(estimates, *of(size, ratio), people) is not None:
                return BadAnswer(
                    f"the probabilities are those of {words}",
                    seen=f"the estimates are those of {name} at epsilon {factor * epsilon:g}",
                    ask="how much may one person's whole report cost?",
                )
    return None


def _of_two_protocols(estimates: np.ndarray, parameters: dict) -> BadAnswer | None:
    """Return the words for a mean of two protocols' estimates, even or by their variances."""
    size, people = parameters["size"], sum(parameters["counts"])
    ratio, totals = math.exp(parameters["epsilon"]), total_variances(size, parameters["epsilon"])
    for pair in itertools.combinations(PROTOCOLS, 2):
        # The better one gets more weight: each the share of the other's variance.
        share = totals[pair[1]] / (totals[pair[0]] + totals[pair[1]])
        one, other = (_estimates_from(*PROTOCOLS[name](size, ratio), people) for name in pair)
        if any(
            _all_in(estimates, np.add.outer(part * one, (1 - part) * other).ravel())
            for part in (0.5, share)
        ):
            return BadAnswer(
                "the estimates of two protocols are averaged",
                seen=f"{_came(estimates)}: means of {pair[0]} and {pair[1]}, each at all of "
                "epsilon",
                ask="how many reports does each person send, and what does each of them cost?",
            )
    return None


def _estimates_from(p: float, q: float, people: int) -> np.ndarray:
    return solved(np.arange(people + 1), people, p, q)


def _moved(estimates: np.ndarray, parameters: dict, p: float, q: float) -> BadAnswer | None:
    """Return the words for estimates that are moved, or multiplied, so that they sum to n."""
    people = sum(parameters["counts"])
    steps = (estimates - estimates[0]) * (p - q)
    if abs(estimates.sum() - people) > ROOM:
        return None
    # Estimates of direct encoding sum to n anyway.
    if parameters["protocol"] == _DIRECT and np.abs(steps - np.round(steps)).max() > ROOM:
        return None
    return BadAnswer(
        "the estimates are made to sum to n",
        seen=_came(estimates),
        ask="which of the estimates is unbiased after that? Leave them as they come.",
    )


def _unknown(estimates: np.ndarray, parameters: dict, zero: bool) -> BadAnswer:
    right = parameters["protocol"]
    if zero:
        return BadAnswer(
            f"an estimate of exactly 0 cannot come from {right} here",
            seen=_came(estimates),
            ask="which categories take part: all that are public, or those that somebody has?",
        )
    return BadAnswer(
        f"these estimates cannot come from {right}",
        seen=_came(estimates),
        ask="are the p and q of your estimates those of the reports? Work one out by hand, from "
        "its number of reports.",
    )


def _came(estimates: np.ndarray) -> str:
    first = ", ".join(f"{each:.4g}" for each in estimates[:_SHOWN])
    more = f" and {len(estimates) - _SHOWN} more" if len(estimates) > _SHOWN else ""
    return f"it returned {first}{more}"
