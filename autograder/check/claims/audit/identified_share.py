"""How often whole noise, or noise on any grid, tells which of two inputs an output came from."""

from __future__ import annotations

import numpy as np

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]


def identified_share(noise, *, first, second):
    """How often an output tells which of two inputs it came from."""
    return np.mean(shares(*outputs(noise, first, second)))


def outputs(noise, first, second) -> list[dict[float, float]]:
    """Return the law of the output for each of the two inputs."""
    return [{given + value: share for value, share in noise.items()} for given in (first, second)]


def shares(one, other) -> list[float]:
    """Return how likely an output is that the other input cannot give, for each input."""
    return [
        sum(share for output, share in mine.items() if output not in theirs)
        for mine, theirs in ((one, other), (other, one))
    ]


CLAIM = FunctionClaim(
    identified_share,
    established="the probability of outputs that the other input cannot give, averaged",
    absolute=1e-9,
    situation=lambda given: (
        f"{len(given['noise'])} values of noise from {min(given['noise']):g} to "
        f"{max(given['noise']):g}, inputs {given['first']:g} and {given['second']:g}"
    ),
)


@CLAIM.inputs
def twenty_four(rng):
    """Noise on whole numbers and on finer grids, two-sided and one-sided, with gaps."""
    for step, distance, low, high, gaps in (
        (1.0, 1, -4, 4, 0),
        (1.0, 1, -3, 5, 2),
        (1.0, 2, 0, 6, 0),
        (1.0, 3, -5, 3, 3),
        (0.5, 1, -6, 6, 2),
        (0.25, 1, -4, 9, 3),
        (0.5, 0.25, -3, 3, 0),
        (1.0, 5, -2, 2, 0),
    ) * 3:
        places = np.arange(low, high + int(rng.integers(1, 4)))
        kept = step * np.sort(rng.permutation(places)[gaps:])
        weights = rng.integers(1, 30, size=len(kept)).astype(float)
        first = float(rng.integers(-20, 20))
        yield {
            "noise": dict(zip(kept.tolist(), (weights / weights.sum()).tolist(), strict=True)),
            "first": first,
            "second": first + float(distance) * int(rng.choice([-1, 1])),
        }


def of_outputs(formula):
    """Return a wrong function of the laws of the output for the two inputs."""
    return lambda noise, first, second: formula(*outputs(noise, first, second))


def over_both(combine):
    """Return a wrong function that adds combine(share, share) over all possible outputs."""
    return of_outputs(
        lambda one, other: sum(
            combine(one.get(output, 0), other.get(output, 0)) for output in one | other
        )
    )


def beyond_the_ends(one, other):
    """Return the share of outputs beyond the other input's smallest and largest."""
    beyond = [
        sum(share for output, share in mine.items() if not min(theirs) <= output <= max(theirs))
        for mine, theirs in ((one, other), (other, one))
    ]
    return np.mean(beyond)


BOTH = "an output may come from either input, equally often: what is the average?"
CERTAIN = "an output identifies its input only when the other input cannot give it at all: which?"
WEIGHED = "is every value of the noise equally likely?"

CLAIM.mistake(
    "only outputs of the first input are looked at",
    BOTH,
    of_outputs(lambda one, other: shares(one, other)[0]),
)
CLAIM.mistake(
    "only outputs of the second input are looked at",
    BOTH,
    of_outputs(lambda one, other: shares(one, other)[1]),
)
CLAIM.mistake(
    "the two shares are added, not averaged",
    BOTH,
    of_outputs(lambda one, other: sum(shares(one, other))),
)
CLAIM.mistake(
    "the larger of the two shares is returned",
    BOTH,
    of_outputs(lambda one, other: max(shares(one, other))),
)
CLAIM.mistake("the share that does not identify is returned", CERTAIN, then=lambda share: 1 - share)
CLAIM.mistake(
    "outputs are counted, not weighed with their probabilities",
    WEIGHED,
    of_outputs(lambda one, other: len(one.keys() - other.keys()) / len(one)),
)
CLAIM.mistake(
    "the share of all possible outputs is returned",
    WEIGHED,
    of_outputs(lambda one, other: len(one.keys() ^ other.keys()) / len(one | other)),
)
CLAIM.mistake(
    "the distance between the two laws is returned",
    CERTAIN,
    over_both(lambda one, other: abs(one - other) / 2),
)
CLAIM.mistake(
    "the share of good guesses is returned",
    CERTAIN,
    over_both(lambda one, other: max(one, other) / 2),
)
CLAIM.mistake(
    "gaps inside the range of the outputs are overlooked",
    "can the other input give every number between its smallest and its largest output?",
    of_outputs(beyond_the_ends),
)
CLAIM.mistake(
    "noise is compared with noise, not output with output",
    "to what is the noise added, for each of the two inputs?",
    lambda noise, first, second: 0.0,
)
