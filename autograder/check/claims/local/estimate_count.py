"""The unbiased estimate of how many people mean yes, from randomized responses."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit

from autograder.check.claims.learning._reports import people_of
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return inputs whose estimates lie below 0, between 0 and n, and above n."""
    cases = []
    for low, high in ((0.02, 0.15), (0.35, 0.45), (0.55, 0.65), (0.85, 0.98)) * 2:
        people = people_of(generator, 60, 1500)
        epsilon = generator.uniform(*((0.3, 0.9) if len(cases) < 4 else (1.3, 3.0)))
        yes = max(1, round(people * generator.uniform(low, high)))
        cases.append({"people": people, "yes": yes, "epsilon": round(epsilon, 2)})
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    # The order of the reports means nothing. 7919 is prime, and larger than n: all places come.
    places = np.arange(parameters["people"]) * 7919 % parameters["people"]
    return (places < parameters["yes"],), {"epsilon": parameters["epsilon"]}


def _expected(p: dict) -> float:
    # Warner (1965): E[yes] = c * t + (n - c) * (1 - t). With t - (1 - t) = tanh(epsilon / 2) it is
    # n / 2 + (c - n / 2) * tanh(epsilon / 2), solved for c.
    return p["people"] / 2 + (p["yes"] - p["people"] / 2) / math.tanh(p["epsilon"] / 2)


def _by(truth, lie):
    """Return the formula (yes - n * lie) / (truth - lie) with other probabilities."""

    def value(p):
        high, low = truth(p["epsilon"]), lie(p["epsilon"])
        return (p["yes"] - p["people"] * low) / (high - low)

    return value


_EXPECT = "how many reports of yes do you expect if c of n people mean yes? Solve for c."
_FREE = "may an unbiased estimate be below 0, or above n? What happens to its mean if it may not?"

_MISTAKES = (
    ValueMistake(
        "the reports of yes are counted, nothing else",
        lambda p: p["yes"],
        "some reports are lies: what do they do to the count?",
    ),
    ValueMistake(
        "epsilon is ignored: the formula of two coins is used",
        lambda p: 2 * (p["yes"] - p["people"] / 4),
        "the 2 and the n / 4 belong to epsilon = ln 3: where do they come from?",
    ),
    ValueMistake(
        "the estimate is for the people who mean no",
        lambda p: p["people"] - _expected(p),
        "which count is asked for?",
    ),
    ValueMistake(
        "a share is returned, not a count",
        lambda p: _expected(p) / p["people"],
        "what does the docstring say: a share or a number of people?",
    ),
    ValueMistake(
        "the false reports of yes are not subtracted",
        lambda p: p["yes"] / math.tanh(p["epsilon"] / 2),
        "how many of the reports of yes come from people who mean no?",
    ),
    ValueMistake(
        "the division by p - q is missing",
        lambda p: p["yes"] - p["people"] * expit(-p["epsilon"]),
        _EXPECT,
    ),
    ValueMistake(
        "it divides by p, not by p - q",
        lambda p: (p["yes"] - p["people"] * expit(-p["epsilon"])) / expit(p["epsilon"]),
        _EXPECT,
    ),
    ValueMistake(
        "the reports of yes are divided by p",
        lambda p: p["yes"] / expit(p["epsilon"]),
        _EXPECT,
    ),
    ValueMistake(
        "it multiplies by p - q instead of dividing",
        lambda p: (p["yes"] - p["people"] * expit(-p["epsilon"])) * math.tanh(p["epsilon"] / 2),
        _EXPECT,
    ),
    ValueMistake(
        "n * p is subtracted where n * q belongs",
        lambda p: (p["yes"] - p["people"] * expit(p["epsilon"])) / math.tanh(p["epsilon"] / 2),
        _EXPECT,
    ),
    ValueMistake(
        "half of n is subtracted, and not added again",
        lambda p: (p["yes"] - p["people"] / 2) / math.tanh(p["epsilon"] / 2),
        _EXPECT,
    ),
    ValueMistake(
        "half of epsilon is used",
        _by(lambda epsilon: expit(epsilon / 2), lambda epsilon: expit(-epsilon / 2)),
        "with which probability is one report true, at this epsilon?",
    ),
    ValueMistake(
        "twice epsilon is used",
        _by(lambda epsilon: expit(2 * epsilon), lambda epsilon: expit(-2 * epsilon)),
        "with which probability is one report true, at this epsilon?",
    ),
    ValueMistake(
        "a fair coin is taken to answer where a lie is due",
        _by(lambda epsilon: (1 + expit(epsilon)) / 2, lambda epsilon: expit(-epsilon) / 2),
        "with which probability is one report true, at this epsilon?",
    ),
    ValueMistake(
        "the estimate is kept between 0 and n",
        lambda p: min(max(_expected(p), 0), p["people"]),
        _FREE,
    ),
    ValueMistake("negative estimates become 0", lambda p: max(_expected(p), 0), _FREE),
    ValueMistake(
        "the estimate is rounded",
        lambda p: round(_expected(p)),
        "what does rounding gain? Leave the estimate as it comes.",
    ),
)


CLAIM = ValuesClaim(
    name="estimate_count",
    about=(
        "Check `estimate_count(reports, *, epsilon)`: the unbiased estimate of how many people\n"
        "mean yes, from the reports of `randomized_response`."
    ),
    established="the unbiased estimate, also where it is below 0 or above n",
    cases=_cases,
    arguments=_arguments,
    expected=_expected,
    mistakes=_MISTAKES,
    situation=lambda p: f"{p['yes']} of {p['people']} reports are yes, epsilon {p['epsilon']}",
)
