"""Break it: with enough answers of their own noise, the average gives one person away."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_whole_number
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import counted, number

_WANTED = 0.99
# How many more answers than the fewest are accepted: a normal approximation with some reserve.
_WASTE = 1.1
# A formula is known again with as large a reserve, for the task asks for one.
_RESERVE = 1.1
# Up to here above the normal law's number, a reserve that is too large is the likely reason.
_LARGE_RESERVE, _LARGE_RESERVE_OF_ANSWERS = 1.21, 25
# From here on a power of two is hardly ever the value of a formula: a search has doubled.
_MANY = 256
# The sums below have positive terms only, so they are off by far less.
_ROUNDING = 1e-11


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six values of epsilon: from many thousand answers to a few."""
    ranges = ((0.05, 0.12), (0.15, 0.25), (0.3, 0.5), (0.5, 0.9), (0.9, 1.5), (1.8, 3.0))
    return [{"epsilon": round(generator.uniform(*each), 2)} for each in ranges]


def success(answers: int, epsilon: float) -> float:
    """Return how often the average of noisy counts is on the right side of the middle.

    The noise of each has scale 1 / epsilon; the middle of the two possible counts is 1/2 away.
    """
    from scipy.special import betainc, gammaln  # scipy.stats takes half a second to import

    # The sum of n Laplace variables of scale 1 is the difference of two gamma variables A and B of
    # shape n. A > B + t says that a Poisson process has had at most n - 1 events at time B + t:
    # Poisson(t) many up to t, and then, up to a time of law B, negative binomial (n, 1/2) many.
    reach = answers * epsilon / 2
    early = np.arange(answers)
    poisson = np.exp(early * math.log(reach) - reach - gammaln(early + 1))
    # The distribution function of negative binomial (n, 1/2) at k is the beta function I(n, k + 1).
    beyond = poisson @ betainc(answers, answers - early, 0.5)
    return 1.0 - float(beyond)


def wasteful(answers: int, epsilon: float) -> bool:
    """Say whether so many answers are more than a tenth, and one, above the fewest that do."""
    # The law of the average of n draws of a symmetric log-concave law is the narrower the larger n
    # is (Proschan 1965), so the attacker's success grows with n.
    fewer = math.ceil((answers - 1) / _WASTE) - 1
    return fewer >= 1 and success(fewer, epsilon) >= _WANTED + _ROUNDING


def _normal(quantile: float, *, variance: float = 2.0, distance: float = 0.5):
    """Return the number of answers by the normal law, for a variance and distance in mind."""
    return lambda epsilon: quantile**2 * variance / (distance * epsilon) ** 2


# Quantiles of the normal law: 0.99, 0.995 (two tails), and 0.975.
_Q99, _Q995, _Q975 = 2.326348, 2.575829, 1.959964
_TOO_FEW = (
    (
        _normal(_Q99),
        "the normal law is off by some answers: is your reserve large enough? Try it at a small "
        "epsilon and at a large one.",
    ),
    (
        _normal(_Q99, distance=1.0),
        "the counts are 1 apart: how far off must the average be to be nearer to the wrong one?",
    ),
    # As many come of the right variance and the quantile of 95 in 100.
    (
        _normal(_Q99, variance=1.0),
        "what is the variance of Laplace noise of scale b? And is your quantile that of 99 in 100?",
    ),
    (
        _normal(_Q99, variance=1.0, distance=1.0),
        "what is the variance of Laplace noise, and where is the middle of the two counts?",
    ),
    (
        lambda epsilon: 2 * math.log(50) / epsilon,
        "that is the tail of one draw; how does the spread of an average shrink?",
    ),
    (_normal(_Q975), "95 times in 100, or 99?"),
    (
        lambda epsilon: math.sqrt(_normal(_Q99)(epsilon)),
        "the spread of an average shrinks with the square root of the number: solve for it again.",
    ),
)
_TOO_MANY = (
    (
        _normal(_Q995),
        "an average that is far off on the right side is no mistake: how many tails count?",
    ),
    (
        lambda epsilon: 100 * _normal(1.0)(epsilon),
        "Chebyshev's bound holds for every law: which law does an average of many draws follow?",
    ),
)


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless so many answers are enough, and hardly more than enough."""
    epsilon = parameters["epsilon"]
    answers = int(as_whole_number(answer))
    if answers < 1:
        raise BadAnswer(
            "the number of answers is not positive",
            seen=f"it returned {answers}",
            ask="how many answers does the attacker average?",
        )
    # By the normal law, which is off by one answer or so; far above it nothing need be computed.
    about = _normal(_Q99)(epsilon)
    if answers > 3 * about + 10 or wasteful(answers, epsilon):
        raise BadAnswer(
            "fewer answers are enough",
            seen=f"{number(answers)} answers are {number(answers / about)} × as many as the normal "
            "law asks for",
            ask=_ask_too_many(answers, about, epsilon),
        )
    right = success(answers, epsilon)
    if right < _WANTED - _ROUNDING:
        raise BadAnswer(
            "so few answers are not enough",
            seen=f"with {counted(answers, 'answer')} the attacker is right in {_percent(right)} of "
            "cases",
            ask=_hint(_TOO_FEW, answers, epsilon)
            or "how does the spread of the average depend on the number of answers?",
        )


def _hint(known: tuple, answers: int, epsilon: float) -> str:
    """Return the question for the known formula that gives this number, or has a reserve above.

    Of several it is the nearest.
    """
    found = [
        (abs(answers - value), ask)
        for value, ask in ((formula(epsilon), ask) for formula, ask in known)
        if 0.99 * value - 1 <= answers <= _RESERVE * value + 1
    ]
    return min(found)[1] if found else ""


def _ask_too_many(answers: int, about: float, epsilon: float) -> str:
    """Return the question for more answers than are accepted; `about` is the normal law's."""
    if answers >= _MANY and answers.bit_count() == 1:
        return (
            "your number is a power of two: does your search try the numbers between two powers, "
            "and how do you know how often the attacker is right?"
        )
    if answers <= max(_LARGE_RESERVE * about, about + _LARGE_RESERVE_OF_ANSWERS):
        return (
            "your number is near that of the normal law: how large is your reserve? A tenth is the "
            "most, and where few answers are enough a tenth is little."
        )
    return (
        _hint(_TOO_MANY, answers, epsilon)
        or "what is the standard deviation of the average, and how many of them are 1/2?"
    )


def _percent(share: float) -> str:
    """Return a share in percent, with as many digits as tell it from 99 and 100."""
    for digits in range(1, 9):
        words = f"{100 * share:.{digits}f}"
        if float(words) not in (99.0, 100.0):
            break
    return f"{words} %"


CLAIM = CounterexampleClaim(
    about=(
        "Check `averaging_attack(epsilon)`: how many answers give one person away.\n\n"
        "Each answer is one count plus fresh Laplace noise of scale 1 / epsilon. The attacker\n"
        "knows that the count is one of two neighboring numbers, and names the one nearer to the\n"
        "average. The function returns a number of answers with which they are right at least 99\n"
        "times in 100, at most a tenth more than the fewest."
    ),
    established="with so many answers the attacker is right 99 times in 100",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"epsilon {p['epsilon']}",
)
