"""What an attacker believes after a noisy count: Bayes's rule with two Laplace densities."""

import math

from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim

# Where the release lies, counted from the exact count without the target: below both possible
# counts, between them (where the ratio is neither of its extremes), and above both.
PLACES = ((-9.0, -0.2), (0.05, 0.45), (0.55, 0.95), (1.2, 9.0))


def attacker_posterior(noisy_count, *, count_without, epsilon, prior):
    """The belief by Bayes's rule, with two Laplace densities."""
    return posterior(*densities(noisy_count - count_without, 1 / epsilon), prior)


def posterior(counted, without, prior):
    """Return Bayes's rule for two hypotheses, from how likely the release is under each."""
    return counted * prior / (counted * prior + without * (1 - prior))


def laplace_density(distance, scale):
    # Dwork & Roth (2014), definition 3.2.
    return math.exp(-abs(distance) / scale) / (2 * scale)


def gaussian_density(distance, deviation):
    return math.exp(-((distance / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))


def densities(distance, scale, density=laplace_density):
    """Return how likely the release is if the target is counted, and if not."""
    return density(distance - 1, scale), density(distance, scale)


# A belief far below this is too small for the densities that it is made of.
CLAIM = FunctionClaim(attacker_posterior, absolute=1e-12)


@CLAIM.inputs
def twelve(rng):
    """Three inputs for each place, with a prior below, around and above one half."""
    for place in PLACES:
        for priors in ((0.02, 0.2), (0.25, 0.45), (0.6, 0.95)):
            count_without = int(rng.integers(20, 300))
            yield {
                "noisy_count": round(count_without + rng.uniform(*place), 3),
                "count_without": count_without,
                "epsilon": round(rng.uniform(0.2, 2.5), 2),
                "prior": round(rng.uniform(*priors), 2),
            }


@CLAIM.designed
def far(rng):
    """Answers far away, as long as exp(-epsilon * distance) is a float of full precision."""
    for epsilon in (*at_edges("epsilon", rng), 1.0):
        for sign in (-1, 1):
            distance = sign * round(rng.uniform(200, 600) / epsilon, 2)
            yield "an answer far away", of(distance, epsilon, round(rng.uniform(0.2, 0.8), 2))
        for place in (0, 1, 0.5):
            yield "an answer at or between the counts", of(place, epsilon, 0.3)
    for prior in (1e-7, 1 - 1e-7):
        yield "a prior near an end", of(round(rng.uniform(-2, 3), 2), 0.7, prior)
    yield "nobody else is counted", {**of(-3.5, 0.7, 0.4), "count_without": 0, "noisy_count": -3.5}


def of(distance, epsilon, prior):
    given = {"noisy_count": 50 + distance, "count_without": 50}
    return {**given, "epsilon": epsilon, "prior": prior}


def mistaken(formula):
    """Return a wrong function of the distance to the count without the target, epsilon, prior."""
    return lambda noisy_count, count_without, epsilon, prior: formula(
        noisy_count - count_without, epsilon, prior
    )


def with_densities(formula):
    """Return a wrong function of the two right densities and the prior."""
    return mistaken(
        lambda distance, epsilon, prior: formula(*densities(distance, 1 / epsilon), prior)
    )


def with_scale(scale, density=laplace_density):
    """Return Bayes's rule with another scale, from epsilon, or with another density."""
    return mistaken(
        lambda distance, epsilon, prior: posterior(
            *densities(distance, scale(epsilon), density), prior
        )
    )


SCALE = "what is the scale of the noise in a count released with this epsilon?"
HYPOTHESES = "which two exact counts are possible, and under which one is the target counted?"
BAYES = "write Bayes's rule down: which two products are added in the denominator?"
LAW = "which law does the noise of the release follow?"
DISTANCES = "how far is this release from each of the two counts? Are distances ever negative?"

CLAIM.mistake(
    "the prior is ignored",
    "what did the attacker believe before the release?",
    given={"prior": 0.5},
)
CLAIM.mistake(
    "the release is ignored",
    "how likely is this release if the target is counted, and if not?",
    mistaken(lambda distance, epsilon, prior: prior),
)
CLAIM.mistake(
    "the two densities are exchanged",
    HYPOTHESES,
    with_densities(lambda counted, without, prior: posterior(without, counted, prior)),
)
CLAIM.mistake(
    "the probability that the target is not counted is returned",
    HYPOTHESES,
    then=lambda right: 1 - right,
)
CLAIM.mistake(
    "the prior is given to the wrong count",
    HYPOTHESES,
    with_densities(lambda counted, without, prior: posterior(counted, without, 1 - prior)),
)
CLAIM.mistake(
    "odds are returned, not a probability",
    "odds are p / (1 - p): how do you get p back?",
    then=lambda right: right / (1 - right),
)
CLAIM.mistake(
    "the ratio of the densities is returned",
    "that says what the release changes: what did the attacker believe before?",
    with_densities(lambda counted, without, prior: counted / without),
)
CLAIM.mistake(
    "the sum in the denominator is missing",
    BAYES,
    with_densities(lambda counted, without, prior: counted * prior),
)
CLAIM.mistake(
    "the sum in the denominator lacks the priors",
    BAYES,
    with_densities(lambda counted, without, prior: counted * prior / (counted + without)),
)
CLAIM.mistake("epsilon is used as the scale", SCALE, with_scale(lambda epsilon: epsilon))
CLAIM.mistake("epsilon is ignored", SCALE, given={"epsilon": 1.0})
CLAIM.mistake("the scale is doubled", SCALE, with_scale(lambda epsilon: 2 / epsilon))
CLAIM.mistake("the scale is halved", SCALE, with_scale(lambda epsilon: 0.5 / epsilon))
for words, deviation in {
    ", not Laplace": lambda epsilon: 1 / epsilon,
    " of the right variance": lambda epsilon: math.sqrt(2) / epsilon,
    " of variance 1 / epsilon": lambda epsilon: epsilon**-0.5,
}.items():
    CLAIM.mistake(
        f"the densities are Gaussian{words}", LAW, with_scale(deviation, gaussian_density)
    )
CLAIM.mistake(
    "the target is taken off the count, not added",
    HYPOTHESES,
    mistaken(lambda distance, epsilon, prior: posterior(*densities(-distance, 1 / epsilon), prior)),
)
CLAIM.mistake(
    "an epsilon above 1 counts as 1",
    "is there a largest epsilon in the definition?",
    with_scale(lambda epsilon: 1 / min(epsilon, 1)),
)
CLAIM.mistake(
    "the prior is multiplied by the ratio of the densities, and cut at 1",
    "the beliefs that the target is counted and that it is not: do yours add up to 1?",
    with_densities(lambda counted, without, prior: min(prior * counted / without, 1.0)),
)
for sign in ("", "-"):
    CLAIM.mistake(
        f"the ratio is taken to be exp({sign}epsilon) everywhere",
        DISTANCES,
        mistaken(
            lambda distance, epsilon, prior, sign=sign: posterior(
                math.exp(-epsilon if sign else epsilon), 1, prior
            )
        ),
    )
CLAIM.mistake(
    "between the two counts the ratio is not exp(epsilon) or exp(-epsilon)",
    "how far is a release of count_without + 0.3 from each of the two counts?",
    mistaken(
        lambda distance, epsilon, prior: posterior(
            math.exp(epsilon if distance > 0.5 else -epsilon), 1, prior
        )
    ),
)
