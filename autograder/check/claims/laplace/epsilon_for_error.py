"""The epsilon with which a Laplace release is within an error with a stated probability."""

import math

from scipy.special import ndtri

from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def epsilon_for_error(error, *, probability, sensitivity):
    """The epsilon it needs: sensitivity * ln(1 / (1 - probability)) / error."""
    # Dwork & Roth (2014), fact 3.7: Pr(|Lap(b)| >= t * b) = exp(-t), here with t * b = error.
    return -sensitivity * math.log(1 - probability) / error


CLAIM = FunctionClaim(epsilon_for_error)


@CLAIM.inputs
def twelve(rng):
    """Probabilities from just above one half to nearly 1."""
    for probabilities in ((0.55, 0.75), (0.75, 0.9), (0.9, 0.995)):
        for _ in range(4):
            yield {
                "error": round(rng.uniform(0.5, 40), 2),
                "probability": round(rng.uniform(*probabilities), 3),
                "sensitivity": round(rng.uniform(1.5, 6), 2),
            }


@CLAIM.designed
def far(rng):
    for sensitivity in at_edges("sensitivity", rng):
        yield f"sensitivity {sensitivity}", of(3.0, 0.9, sensitivity)
    for error in (0.001, 0.2, 40_000.0):
        yield f"error {error}", of(error, 0.95, 2.0)
    for probability in (0.01, 0.4, 0.9999):
        yield f"probability {probability}", of(12.0, probability, 1.5)


def of(error, probability, sensitivity):
    return {"error": error, "probability": probability, "sensitivity": sensitivity}


def with_exponent(exponent):
    """Return the formula sensitivity * exponent(1 - probability) / error."""
    return lambda error, probability, sensitivity: sensitivity * exponent(1 - probability) / error


TAIL = "what is Pr(|noise| > error) for Laplace noise of scale b, as a formula?"
DEARER = "should a smaller error cost a smaller epsilon, or a larger one?"

CLAIM.mistake(
    "the probability of a smaller error is taken for that of a larger one",
    "how likely may it be that the release is further off than the error?",
    lambda error, probability, sensitivity: -sensitivity * math.log(probability) / error,
)
CLAIM.mistake(
    "the two tails are counted twice",
    "exp(-t) is the probability of which tails, one or both?",
    with_exponent(lambda beyond: math.log(2 / beyond)),
)
CLAIM.mistake(
    "only one tail is counted",
    "may the release be too low by more than the error?",
    with_exponent(lambda beyond: math.log(0.5 / beyond)),
)
CLAIM.mistake(
    "the sensitivity is ignored",
    "what should happen to epsilon when one person can change the answer by more?",
    lambda error, probability, sensitivity: -math.log(1 - probability) / error,
)
CLAIM.mistake(
    "the sensitivity is on the wrong side",
    "if errors and sensitivity are both counted in thousands, does epsilon change?",
    lambda error, probability, sensitivity: -math.log(1 - probability) / (error * sensitivity),
)
CLAIM.mistake(
    "error and sensitivity are exchanged",
    DEARER,
    lambda error, probability, sensitivity: -error * math.log(1 - probability) / sensitivity,
)
CLAIM.mistake("the result is upside down", DEARER, then=lambda epsilon: 1 / epsilon)
CLAIM.mistake(
    "the scale is returned, not epsilon",
    "how do you get epsilon from the scale and the sensitivity?",
    lambda error, probability, sensitivity: -error / math.log(1 - probability),
)
CLAIM.mistake("the error is ignored", DEARER, given={"error": 1})
CLAIM.mistake(
    "the result is divided by the error twice",
    DEARER,
    lambda error, **given: epsilon_for_error(error**2, **given),
)
CLAIM.mistake(
    "the error is cut to a whole number",
    "may an error lie between whole numbers? Which line makes one of it?",
    lambda error, **given: epsilon_for_error(max(1, int(error)), **given),
)
CLAIM.mistake(
    "the sign is wrong",
    "what is the sign of the logarithm of a probability?",
    then=lambda epsilon: -epsilon,
)
for base in (10, 2):
    CLAIM.mistake(
        f"the logarithm has base {base}",
        "which logarithm undoes exp?",
        then=lambda epsilon, base=base: epsilon / math.log(base),
    )
CLAIM.mistake(
    "the standard deviation is set equal to the error",
    "with which probability is noise within one standard deviation?",
    with_exponent(lambda beyond: math.sqrt(2)),
)
CLAIM.mistake(
    "the scale is set equal to the error",
    "with which probability is Laplace noise within one scale?",
    with_exponent(lambda beyond: 1.0),
)
CLAIM.mistake(
    "Chebyshev's bound is used",
    "that holds for every law of this variance; " + TAIL,
    with_exponent(lambda beyond: math.sqrt(2 / beyond)),
)
CLAIM.mistake(
    "Markov's bound is used",
    "that holds for every law of this mean distance; " + TAIL,
    with_exponent(lambda beyond: 1 / beyond),
)
for words, deviation in {"": 1, " of the same variance": math.sqrt(2)}.items():
    CLAIM.mistake(
        f"the quantile is that of a Gaussian{words}",
        "which law does the noise follow? " + TAIL,
        with_exponent(lambda beyond, deviation=deviation: -deviation * ndtri(beyond / 2)),
    )
CLAIM.mistake(
    "the logarithm is missing: exp(-t) is not 1 - t", TAIL, with_exponent(lambda beyond: 1 - beyond)
)
