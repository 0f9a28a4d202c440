"""What a plan of releases about districts costs: sums within a district, the largest of these."""

from __future__ import annotations

import math

from autograder.check.function_claim import FunctionClaim

__all__ = ["CLAIM"]

DISTRICTS = ("north", "south", "east", "west", "old town")


def plan_cost(releases):
    """The sum of the epsilons in the district that is read most."""
    return max(by_district(releases).values())


def by_district(releases, add=math.fsum):
    """Return what the releases that read a district come to, for each."""
    names = {name for districts, _ in releases for name in districts}
    return {
        name: add([epsilon for districts, epsilon in releases if name in districts])
        for name in names
    }


CLAIM = FunctionClaim(plan_cost)


@CLAIM.inputs
def eight(rng):
    """One release, releases of all districts, of single ones, and mixtures; some epsilons equal."""
    every = list(DISTRICTS)
    yield {"releases": [([str(rng.choice(every))], some_epsilon(rng))]}
    yield {"releases": [(every, some_epsilon(rng)) for _ in range(3)]}
    yield {"releases": [([name], some_epsilon(rng)) for name in every]}
    for number in (3, 5, 6, 8, 12):
        releases = [(chosen(rng), some_epsilon(rng)) for _ in range(number)]
        twin = (list(releases[0][0]), releases[0][1])
        yield {"releases": [*releases, twin]}


def some_epsilon(rng):
    return round(rng.uniform(0.05, 1.5), 2)


def chosen(rng):
    number = int(rng.integers(1, 4))
    return [str(name) for name in rng.permutation(DISTRICTS)[:number]]


def of_epsilons(combine):
    return lambda releases: combine([epsilon for _, epsilon in releases])


PERSON = "a person lives in one district: which releases does this person touch?"
WORST = "the promise is for everybody: whom do the releases touch most?"

CLAIM.mistake("all epsilons are added, whatever they read", PERSON, of_epsilons(math.fsum))
CLAIM.mistake(
    "the largest epsilon is taken, though one district is read more than once",
    "two releases about the same people: which composition is that?",
    of_epsilons(max),
)
CLAIM.mistake("only the last release counts", PERSON, of_epsilons(lambda each: each[-1]))
CLAIM.mistake("only the first release counts", PERSON, of_epsilons(lambda each: each[0]))
CLAIM.mistake(
    "the district that is read least is taken",
    WORST,
    lambda releases: min(by_district(releases).values()),
)
CLAIM.mistake(
    "the mean over the districts is taken",
    WORST,
    lambda releases: math.fsum(by_district(releases).values()) / len(by_district(releases)),
)
CLAIM.mistake(
    "the districts are added up",
    PERSON,
    lambda releases: math.fsum(by_district(releases).values()),
)
CLAIM.mistake(
    "within a district the largest epsilon is taken, and the districts are added up",
    "which of the two compositions is for the same people, and which for separate ones?",
    lambda releases: math.fsum(by_district(releases, add=max).values()),
)
CLAIM.mistake(
    "two releases that look alike are counted once",
    "the same question, answered with new noise: is the second answer free?",
    lambda releases: plan_cost(
        [(list(names), epsilon) for names, epsilon in {(tuple(n), e) for n, e in releases}]
    ),
)
CLAIM.mistake(
    "an epsilon is shared among the districts that a release reads",
    "of a release of two districts, how much does it promise to a person of one of them?",
    lambda releases: plan_cost([(names, epsilon / len(names)) for names, epsilon in releases]),
)
CLAIM.mistake(
    "the two districts that are read most are added up",
    "that is the price of a person who moves (replace_one): which neighbors does the task name?",
    lambda releases: math.fsum(sorted(by_district(releases).values())[-2:]),
)
