"""The least sigma with which Gaussian noise is (epsilon, delta)-private."""

import math

from autograder.check.claims.approximate._gaussian_noise import FORMULA_MISTAKES, exact_sigma
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def analytic_gaussian_sigma(*, l2_sensitivity, epsilon, delta):
    """The least sigma, with a relative error of at most 1e-5."""
    return l2_sensitivity * exact_sigma(epsilon, delta)


CLAIM = FunctionClaim(
    analytic_gaussian_sigma,
    established="the least sigma for (epsilon, delta), to one part in 100,000",
    # A search by halving that stops at an absolute error of 1e-6 is near enough.
    tolerance=1e-5,
    ask="is `gaussian_delta` of your sigma above the delta that is asked for, or below it? Where "
    "does your search begin and end?",
)


@CLAIM.inputs
def twelve(rng):
    """Epsilon on both sides of 1, delta from 0.3 down to 1e-7."""
    for epsilons in ((0.2, 0.9), (1.2, 3.0), (3.0, 12.0)):
        for logs in ((-7, -5), (-5, -3), (-3, -1.5), (-1.5, -0.5)):
            yield {
                "l2_sensitivity": round(rng.uniform(1.5, 6.0), 2),
                "epsilon": round(rng.uniform(*epsilons), 2),
                "delta": float(f"{10 ** rng.uniform(*logs):.2g}"),
            }


@CLAIM.designed
def far(rng):
    for epsilon in (*at_edges("epsilon", rng), 1.5):
        for delta in at_edges("delta", rng):
            for sensitivity in at_edges("l2_sensitivity", rng):
                name = f"epsilon {epsilon}, delta {delta}, sensitivity {sensitivity}"
                given = {"l2_sensitivity": sensitivity, "epsilon": epsilon, "delta": delta}
                yield name, given


def with_unit_sigma(formula):
    """Return a wrong function from the sigma of sensitivity 1."""
    return lambda l2_sensitivity, epsilon, delta: l2_sensitivity * formula(epsilon, delta)


MOVED = "what should happen to the noise when one person can change the answer by more?"
SOLVED = "delta grows with l2_sensitivity / sigma: for which of the two did you solve?"

for name, formula, ask in FORMULA_MISTAKES:
    CLAIM.mistake(name, ask, with_unit_sigma(formula))
CLAIM.mistake("the sensitivity is ignored", MOVED, given={"l2_sensitivity": 1})
CLAIM.mistake(
    "the sensitivity divides instead of multiplies",
    MOVED,
    lambda l2_sensitivity, epsilon, delta: exact_sigma(epsilon, delta) / l2_sensitivity,
)
CLAIM.mistake(
    "the sensitivity is squared",
    "how often do you multiply by the sensitivity?",
    lambda l2_sensitivity, epsilon, delta: l2_sensitivity**2 * exact_sigma(epsilon, delta),
)
CLAIM.mistake(
    "the variance is returned",
    "is sigma a standard deviation, or its square?",
    then=lambda sigma: sigma**2,
)
CLAIM.mistake("1 / sigma is returned", SOLVED, then=lambda sigma: 1 / sigma)
CLAIM.mistake(
    "sensitivity / sigma is returned",
    SOLVED,
    lambda l2_sensitivity, epsilon, delta: 1 / exact_sigma(epsilon, delta),
)
CLAIM.mistake(
    "epsilon and delta are exchanged",
    "which of the two is the small probability?",
    with_unit_sigma(lambda epsilon, delta: exact_sigma(delta, min(epsilon, 0.999))),
)
CLAIM.mistake(
    "it is the standard deviation of Laplace noise",
    "what should happen to the noise when delta is made smaller?",
    with_unit_sigma(lambda epsilon, delta: math.sqrt(2) / epsilon),
)
CLAIM.mistake(
    "epsilon is halved",
    "how many releases does this epsilon pay for?",
    with_unit_sigma(lambda epsilon, delta: exact_sigma(epsilon / 2, delta)),
)
CLAIM.mistake(
    "sigma is rounded to 2 decimals",
    "what does rounding down do to the delta that was promised?",
    then=lambda sigma: round(sigma, 2),
)
