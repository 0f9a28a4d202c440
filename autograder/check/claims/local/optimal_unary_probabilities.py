"""The p and q of optimal unary encoding: a 1 is told by a fair coin, a 0 is protected."""

import math

from scipy.special import expit

from autograder.check.answers import BadAnswer
from autograder.check.claims.learning._reports import two_numbers
from autograder.check.function_claim import FunctionClaim


def optimal_unary_probabilities(*, epsilon):
    """The (p, q) that cost epsilon and have the least variance for a category that nobody has."""
    # Wang, Blocki, Li & Jha (2017): p = 1/2, q = 1 / (exp(epsilon) + 1).
    return 0.5, (1 - math.tanh(epsilon / 2)) / 2


def by_cost(wanted, came, given: dict) -> str:
    """Return what a pair costs, and its variance beside the least: not the best pair itself."""
    p, q = map(float, came)
    if not 0 < q < p < 1:
        return f"yours are p {p:.4g} and q {q:.4g}; 0 < q < p < 1 is wanted"
    cost, least = math.log(p * (1 - q) / ((1 - p) * q)), variance(*wanted)
    digits = 5
    while digits < 9 and f"{variance(p, q):.{digits}g}" == f"{least:.{digits}g}":
        digits += 1
    return (
        f"your p {p:.4g} and q {q:.4g} cost {cost:.4g}, with a variance of "
        f"{variance(p, q):.{digits}g} n; at this epsilon {least:.{digits}g} n is possible"
    )


def variance(p: float, q: float) -> float:
    """Return the variance for a category that nobody has, in units of the people."""
    return q * (1 - q) / (p - q) ** 2


def _pair(answer, given: dict):
    """Return p and q; BadAnswer for a pair that costs epsilon, and is none that has a name."""
    pair = two_numbers(answer, "p, q")
    p, q = map(float, pair)
    if not 0 < q < p < 1 or abs(p - 0.5) < _CLEARLY or abs(q - 0.5) < 1e-9 or abs(p + q - 1) < 1e-9:
        return pair
    if abs(math.log(p * (1 - q) / ((1 - p) * q)) - given["epsilon"]) < 1e-6 * given["epsilon"]:
        raise BadAnswer(
            "p and q are private, but their variance is not the least",
            seen=by_cost(optimal_unary_probabilities(**given), pair, given),
            ask="which p is best at several values of epsilon, exactly? And is yours best for a "
            "category that nobody has?",
        )
    return pair


# A right p is nearer to 1 / 2 than this, whatever rounding does.
_CLEARLY = 1e-5

CLAIM = FunctionClaim(
    optimal_unary_probabilities,
    established="p and q cost epsilon, with the least variance for a rare category",
    read=_pair,
    show=by_cost,
    ask="does your pair cost epsilon, no less and no more? And is another pair of that cost better "
    "for a category that nobody has?",
)


@CLAIM.inputs
def eight(rng):
    """Values of epsilon below and above 1."""
    ranges = ((0.05, 0.2), (0.3, 0.6), (0.7, 0.95), (1.05, 1.5), (1.7, 2.5), (3, 4), (5, 6), (7, 9))
    return [{"epsilon": round(rng.uniform(*each), 4)} for each in ranges]


SPENT = "two bits of a row differ between two values: which ratio does each of the two give?"

for name, ask, pair in (
    (
        "p and q are symmetric: q = 1 - p",
        "private, but the variance is not the least: which bit matters more, p's or q's?",
        lambda epsilon: (expit(epsilon / 2), expit(-epsilon / 2)),
    ),
    (
        "the p and q of randomized response: two bits spend twice",
        SPENT,
        lambda epsilon: (expit(epsilon), expit(-epsilon)),
    ),
    (
        "p and q are exchanged",
        "which of the two must be the larger?",
        lambda epsilon: (expit(-epsilon), 0.5),
    ),
    (
        "half of epsilon is spent",
        "one bit gives a ratio p / q, the other (1 - q) / (1 - p): what is their product?",
        lambda epsilon: (0.5, expit(-epsilon / 2)),
    ),
    ("twice epsilon is spent", SPENT, lambda epsilon: (0.5, expit(-2 * epsilon))),
    (
        "only the ratio p / q is counted, not that of the zeros",
        "what does a report of 0 show, at the place where the two values differ?",
        lambda epsilon: (0.5, math.exp(-epsilon) / 2),
    ),
    (
        "only the ratio of the zeros is counted, not p / q",
        "what does a report of 1 show, at the place where the two values differ?",
        lambda epsilon: (0.5, max(1 - math.exp(epsilon) / 2, 0.0)),
    ),
    (
        "q is the probability that a 0 stays 0",
        "a report of 1 from a person without the category: how likely is it?",
        lambda epsilon: (0.5, expit(epsilon)),
    ),
    ("q is 1 / (2 + epsilon)", SPENT, lambda epsilon: (0.5, 1 / (2 + epsilon))),
    (
        "an epsilon above 1 counts as 1",
        "is there a largest epsilon in the task?",
        lambda epsilon: (0.5, expit(-min(epsilon, 1))),
    ),
    ("q is exp(-epsilon)", SPENT, lambda epsilon: (0.5, math.exp(-epsilon))),
    (
        "q is 1 / (exp(epsilon) - 1)",
        "can your q be above 1?",
        lambda epsilon: (0.5, 1 / math.expm1(epsilon)),
    ),
    (
        "the p and q that spare the ones, not the zeros",
        "which of the two matters more for a category that few people have: p or q?",
        lambda epsilon: (expit(epsilon), 0.5),
    ),
):
    CLAIM.mistake(name, ask, pair)
