"""Beliefs about a household that shares one answer: with one member's row, and without it."""

import math

import numpy as np

from autograder.check.answers import BadAnswer, as_number, raise_if_none
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def household_beliefs(noisy_count, *, others, household, epsilon, prior):
    """Two beliefs, with one member's row and without it."""
    away = noisy_count - others
    return [belief(away, rows, 1 / epsilon, prior) for rows in (household, household - 1)]


def belief(away, rows, scale, prior):
    """Return Bayes's rule, if an ill household adds `rows` to the count and a well one none."""
    # Dwork & Roth (2014), definition 3.2: the ratio of two Laplace densities.
    ratio = math.exp((abs(away) - abs(away - rows)) / scale)
    return prior * ratio / (prior * ratio + 1 - prior)


def read(answer, given):
    """Return the two beliefs as an array."""
    pair = list(answer) if np.ndim(answer) or isinstance(answer, list | tuple) else []
    if len(pair) != 2:
        raise BadAnswer(
            "two beliefs are wanted",
            seen=f"it returned {answer!r:.80}",
            ask="which two tables does the task compare?",
        )
    raise_if_none(pair, "with_row, without_row")
    return np.array([as_number(each, given) for each in pair])


# A belief far below this is too small for the densities that it is made of.
CLAIM = FunctionClaim(household_beliefs, read=read, absolute=1e-12)


@CLAIM.inputs
def twelve(rng):
    """Households of 1 to 8, and answers below, inside and above the possible counts."""
    for household in (1, 2, 3, 5, 6, 8):
        most = 0.8 if household == 3 else 1.4  # once surely between the possible counts
        for place in (rng.uniform(-6, -0.2), rng.uniform(0.3, most) * household):
            others = int(rng.integers(0, 300))
            yield {
                "noisy_count": round(others + place, 3),
                "others": others,
                "household": household,
                "epsilon": round(rng.uniform(0.08, 0.9), 2),
                "prior": float(rng.choice([0.1, 0.35, 0.7, 0.9])),
            }


@CLAIM.designed
def far(rng):
    for epsilon in at_edges("epsilon", rng):
        # A belief that is 1 in floats is no belief that Bayes's rule can go on from.
        household = min(int(rng.integers(2, 9)), max(1, int(30 / epsilon)))
        for distance in (-rng.uniform(100, 500) / epsilon, rng.uniform(100, 500) / epsilon, 0.5):
            yield f"epsilon {epsilon}", of(round(distance, 2), household, epsilon, 0.4)
    for prior in (1e-7, 1 - 1e-7):
        yield "a prior near an end", of(1.5, 3, 0.5, prior)
    yield "a large household", of(20.25, 40, 0.3, 0.2)
    yield "the counts themselves", of(0, 4, 0.5, 0.3)


def of(away, household, epsilon, prior):
    given = {"noisy_count": away, "others": 0, "household": household}
    return {**given, "epsilon": epsilon, "prior": prior}


def mistaken(with_row, without_row, moved=0):
    """Return a wrong function in which an ill household adds so many rows to the count.

    Without the row, the answer lies so much higher beside the count of the others.
    """

    def function(noisy_count, others, household, epsilon, prior):
        away = noisy_count - others
        cases = (away, with_row(household)), (away + moved, without_row(household))
        return [belief(place, rows, 1 / epsilon, prior) for place, rows in cases]

    return function


def of_scale(scale):
    def function(noisy_count, others, household, epsilon, prior):
        away, wide = noisy_count - others, scale(household, epsilon)
        return [belief(away, rows, wide, prior) for rows in (household, household - 1)]

    return function


def everybody(household):
    return household


def but_one(household):
    return household - 1


TABLES = "how many rows of the household are in the table, in each of the two cases?"
COUNTS = "which two exact counts are possible: if the household was ill, and if it was not?"

CLAIM.mistake(
    "the two beliefs are exchanged",
    "which of the two is asked for first?",
    then=lambda beliefs: beliefs[::-1],
)
CLAIM.mistake("both beliefs are those with the row", TABLES, mistaken(everybody, everybody))
CLAIM.mistake("both beliefs are those without the row", TABLES, mistaken(but_one, but_one))
CLAIM.mistake(
    "the second belief is the prior, as if nothing were learned without the row",
    "does the rest of the household still tell something?",
    mistaken(everybody, lambda household: 0),
)
CLAIM.mistake(
    "your code makes both possible counts one lower when the row is left out",
    "is a healthy household's row in the count of the ill? Which counts are possible without it?",
    mistaken(everybody, everybody, 1),
)
for words, rows in {"": everybody, ", and the counts, too": but_one}.items():
    CLAIM.mistake(
        f"your code moves the answer by one when the row is left out{words}",
        "both beliefs are about the same answer: what changes when the row is left out?",
        mistaken(everybody, rows, -1),
    )


@CLAIM.mistake(
    "the second belief is the first, divided by exp(epsilon)",
    "the promise is a bound: how far apart are the two beliefs at this answer?",
)
def divided(noisy_count, *, others, household, epsilon, prior):
    with_row = belief(noisy_count - others, household, 1 / epsilon, prior)
    return [with_row, with_row * math.exp(-epsilon)]


CLAIM.mistake(
    "without the row, two members are left out",
    TABLES,
    mistaken(everybody, lambda household: max(household - 2, 0)),
)
CLAIM.mistake(
    "the answer is rounded to a whole number",
    "may a noisy count lie between whole numbers?",
    lambda noisy_count, **given: household_beliefs(round(noisy_count), **given),
)
CLAIM.mistake("the household counts as one person", COUNTS, given={"household": 1})
CLAIM.mistake(
    "the row that is left out is added",
    TABLES,
    mistaken(everybody, lambda household: household + 1),
)
CLAIM.mistake(
    "without the row, one member alone is left", TABLES, mistaken(everybody, lambda household: 1)
)
CLAIM.mistake(
    "the prior is ignored", "what did the attacker believe before the answer?", given={"prior": 0.5}
)
CLAIM.mistake(
    "the probability that the household was well is returned",
    "of which of the two cases is the probability asked for?",
    then=lambda beliefs: [1 - each for each in beliefs],
)
CLAIM.mistake(
    "odds are returned, not probabilities",
    "odds are p / (1 - p): how do you get p back?",
    then=lambda beliefs: [each / (1 - each) for each in beliefs],
)
CLAIM.mistake(
    "the scale grows with the household",
    "the county does not know of the household: with which scale did it add noise?",
    of_scale(lambda household, epsilon: household / epsilon),
)
CLAIM.mistake(
    "epsilon is used as the scale",
    "what is the scale of the noise in a count released with this epsilon?",
    of_scale(lambda household, epsilon: epsilon),
)


@CLAIM.mistake(
    "between the two counts the ratio is not one of its two extremes",
    "how far is an answer of others + 0.3 from each of the two counts?",
)
def extremes(noisy_count, others, household, epsilon, prior):
    away = noisy_count - others
    return [
        belief(rows if away >= rows / 2 else 0, rows, 1 / epsilon, prior)
        for rows in (household, household - 1)
    ]


@CLAIM.mistake(
    "the ratio is taken to be exp(household * epsilon) everywhere",
    "how far is this answer from each of the possible counts?",
)
def extreme(noisy_count, others, household, epsilon, prior):
    return household_beliefs(
        others + household, others=others, household=household, epsilon=epsilon, prior=prior
    )
