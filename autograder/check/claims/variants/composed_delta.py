"""The exact account of several answers of a discrete mechanism: delta from the law of the loss."""

from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln, xlogy

from autograder.check.claims.variants._outcome_pairs import WITHOUT, rounded_laws
from autograder.check.function_claim import FunctionClaim


def composed_delta(first, second, *, count, epsilon):
    """The smallest delta for which `count` independent answers are (epsilon, delta)-private.

    `first` and `second` are the probabilities of the same outcomes of one answer on two neighbors.
    """
    return max(one_way(first, second, count, epsilon), one_way(second, first, count, epsilon))


def one_way(first, second, count: int, epsilon: float) -> float:
    """Return the delta of one direction."""
    # Dwork & Roth (2014), definition 2.4: the worst event holds what `first` gives above exp(eps).
    above, below = logs_of_runs(first, second, count)
    with np.errstate(invalid="ignore"):
        excess = -np.expm1(np.minimum(epsilon + below - above, 0))
    return float(np.sum(np.exp(above[above > -np.inf]) * excess[above > -np.inf]))


def logs_of_runs(first, second, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the log of how likely each multiset of `count` outcomes is, under both laws."""
    times = np.array(list(multisets(len(first), count)))
    orders = gammaln(count + 1) - gammaln(times + 1).sum(axis=1)
    with np.errstate(divide="ignore"):
        return tuple(orders + xlogy(times, np.asarray(law)).sum(axis=1) for law in (first, second))


def multisets(outcomes: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield how often each outcome comes, in every way in which `count` answers can be."""
    if outcomes == 1:
        yield (count,)
        return
    for often in range(count + 1):
        for rest in multisets(outcomes - 1, count - often):
            yield (often, *rest)


CLAIM = FunctionClaim(
    composed_delta,
    established="the worse of both directions, infinite losses included",
    # Losses may be rounded before they are added up.
    tolerance=1e-4,
    absolute=1e-12,
    ask="begin by hand, with one answer, then two: is yours right for two outcomes, for three, for "
    "one that only one of the tables can give? From where on is it another?",
)

# Outcomes, count, zeros of the laws, and the place of epsilon between the usual and largest loss.
SHAPES = (
    (2, 1, "", 0.5),
    (3, 1, "", 0.2),
    (4, 1, "first second", 0.2),
    (2, 2, "", 0.3),
    (2, 20, "", 0.6),
    (2, 40, "", 0.1),
    (2, 150, "", 0.25),
    (3, 7, "", 0.5),
    (3, 15, "", 0.05),
    (4, 12, "", 0.3),
    (3, 6, "second", 0.2),
    (4, 9, "first", 0.1),
    (4, 5, "first second", 0.3),
    (3, 4, "both", 0.4),
    # Two outcomes have one loss: an infinite one, or another.
    (4, 3, "second second", 0.2),
    (3, 5, "twins", 0.3),
)


@CLAIM.inputs
def sixteen(rng):
    """Laws of 2 to 4 outcomes, some with probability 0, 1 to 150 answers: simple ones come first.

    With the laws the other way round the other direction is the worse one.
    """
    for place, (outcomes, count, zeros, share) in enumerate(SHAPES):
        pair = two_laws(rng, outcomes, zeros)
        if place % 2:
            pair = pair[::-1]
        yield case(*pair, count, share)


@CLAIM.designed
def edges(rng):
    """The edges of epsilon, and two equal laws."""
    first, second = two_laws(rng, 3, "")
    given = {"first": first, "second": second, "count": 8}
    yield "epsilon 0", {**given, "epsilon": 0.0}
    yield (
        "epsilon above every loss",
        {**given, "epsilon": round(8 * largest(first, second) + 10, 2)},
    )
    yield "two equal laws", {"first": first, "second": first.copy(), "count": 5, "epsilon": 0.3}


def two_laws(rng: np.random.Generator, outcomes: int, zeros: str) -> list[np.ndarray]:
    """Return two laws, of which the first has the larger ratio to the second."""
    weights = rng.uniform(3, 5, (2, outcomes))
    weights[1, 0] *= 0.45
    if zeros == "twins":
        first, second = rounded_laws(weights, 4)
        return [np.append(law[:-1], [law[-1] / 2] * 2) for law in (first, second)]
    for place, kind in enumerate(zeros.split(), start=1):
        weights[WITHOUT[kind], place] = 0
        if kind != "both":
            # An outcome that only one law gives is rare, or it decides all.
            weights[:, place] /= 40
    return rounded_laws(weights, 4)


def largest(first, second) -> float:
    """Return the largest finite log ratio of two laws, in either direction."""
    both = (first > 0) & (second > 0)
    return float(np.abs(np.log(first[both] / second[both])).max())


def case(first, second, count: int, share: float) -> dict:
    epsilon = round(share * count * largest(first, second), 2)
    return {"first": first, "second": second, "count": count, "epsilon": epsilon}


def with_losses(formula):
    """Return a wrong function: `formula(probability, loss, epsilon)` instead of the right mean."""

    def function(first, second, count, epsilon):
        deltas = []
        for one, other in ((first, second), (second, first)):
            above, below = logs_of_runs(one, other, count)
            seen = above > -np.inf
            losses = above[seen] - below[seen]
            deltas.append(float(np.sum(formula(np.exp(above[seen]), losses, epsilon))))
        return max(deltas)

    return function


def with_infinite(chance):
    """Return a wrong function: `chance(lost, count)` is that of an infinite loss, where `lost` is
    that of one answer."""

    def one_direction(one, other, count, epsilon):
        seen = other > 0
        finite = one_way(one[seen], other[seen], count, epsilon)
        return finite + chance(float(one[~seen].sum()), count)

    return both_ways(max, one_direction)


def both_ways(of, way=one_way):
    """Return a function of the deltas of both directions."""
    return lambda first, second, count, epsilon: of(
        way(first, second, count, epsilon), way(second, first, count, epsilon)
    )


def with_losses_turned(first, second, count, epsilon):
    """The other direction has the losses with the other sign, and the probabilities of this one."""
    above, below = logs_of_runs(first, second, count)
    seen = above > -np.inf
    losses, chances = above[seen] - below[seen], np.exp(above[seen])
    ways = (mean_excess(chances, sign * losses, epsilon) for sign in (1, -1))
    return max(float(np.sum(each)) for each in ways)


def mean_excess(chance, loss, epsilon):
    return chance * -np.expm1(np.minimum(epsilon - loss, 0))


BOTH = "either of two neighbors may be the true table: which direction have you left out?"
SUM = "what does the total loss of several answers follow, if each has luck of its own?"
MEAN = "of an outcome whose loss is above epsilon, how much does exp(epsilon) not cover?"
INFINITE = "an outcome that only one of the two tables can give: is it allowed for?"
ONE_OF_THEM = (
    "how likely is it that at least one of the answers shows what only one table can give?"
)
NEEDED = "a promise holds for each of two tables: is a sum of both needed?"
LOOP = "with which law does your loop begin, and how often does it run?"

for name, ask, of in (
    ("only the direction from first to second is looked at", BOTH, lambda one, other: one),
    ("only the direction from second to first is looked at", BOTH, lambda one, other: other),
    ("the better of both directions is returned", BOTH, min),
    ("both directions are added up", NEEDED, lambda one, other: one + other),
    ("both directions are added up, to 1 at most", NEEDED, lambda one, other: min(1, one + other)),
):
    CLAIM.mistake(name, ask, both_ways(of))
CLAIM.mistake(
    "the other direction has the losses of the first one, with their sign turned",
    "the other table has other losses: how likely is each of them, if that one is the true table?",
    with_losses_turned,
)
CLAIM.mistake("one answer is counted, not all", SUM, given={"count": 1})
for name, ask, changed in (
    ("one answer too few is counted", LOOP, lambda count, epsilon: (count - 1, epsilon)),
    ("one answer too many is counted", LOOP, lambda count, epsilon: (count + 1, epsilon)),
    (
        "each answer has the same luck: one loss is multiplied by the number of answers",
        SUM,
        lambda count, epsilon: (1, epsilon / count),
    ),
    (
        "epsilon is read as one answer's",
        "for how many answers together does epsilon stand?",
        lambda count, epsilon: (count, count * epsilon),
    ),
):
    CLAIM.mistake(
        name,
        ask,
        lambda first, second, count, epsilon, changed=changed: both_ways(max)(
            first, second, *changed(count, epsilon)
        ),
    )
CLAIM.mistake(
    "the deltas of the answers are added up, each at its part of epsilon",
    "that is a bound, and not the least delta: " + SUM,
    lambda first, second, count, epsilon: (
        count * composed_delta(first, second, count=1, epsilon=epsilon / count)
    ),
)
for name, ask, formula in (
    (
        "the chance of a loss above epsilon is returned",
        MEAN,
        lambda chance, loss, epsilon: chance * (loss > epsilon),
    ),
    (
        "losses at or below epsilon count too, as less than nothing",
        "may the worst event leave out what does not help it?",
        lambda chance, loss, epsilon: -chance * np.expm1(epsilon - loss),
    ),
    (
        "the excess is weighted by the probability under the other law",
        "under which of the two laws are the outcomes drawn that the attacker sees?",
        lambda chance, loss, epsilon: mean_excess(chance * np.exp(-loss), loss, epsilon),
    ),
):
    CLAIM.mistake(name, ask, with_losses(formula))
for name, ask, chance in (
    ("outcomes with an infinite loss are left out", INFINITE, lambda lost, count: 0.0),
    (
        "an infinite loss counts as often as every answer shows one",
        ONE_OF_THEM,
        lambda lost, count: lost**count,
    ),
    (
        "the chance of an infinite loss is multiplied by the number of answers",
        ONE_OF_THEM,
        lambda lost, count: count * lost,
    ),
):
    CLAIM.mistake(name, ask, with_infinite(chance))
