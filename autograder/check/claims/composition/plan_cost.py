"""What a plan of releases about districts costs: sums within a district, the largest of these."""

import itertools
import math

from autograder.check.designed import at_edges, labels
from autograder.check.function_claim import FunctionClaim

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
def nine(rng):
    """One release, a triangle of pairs, all districts, single ones, and mixtures with twins."""
    every = list(DISTRICTS)
    yield {"releases": [([str(rng.choice(every))], some_epsilon(rng))]}
    first, second, third = (str(name) for name in rng.permutation(DISTRICTS)[:3])
    pairs = [first, second], [second, third], [first, third]
    yield {"releases": [(pair, some_epsilon(rng)) for pair in pairs]}
    yield {"releases": [(every, some_epsilon(rng)) for _ in range(3)]}
    yield {"releases": [([name], some_epsilon(rng)) for name in every]}
    for number in (3, 5, 6, 8, 12):
        releases = [(chosen(rng), some_epsilon(rng)) for _ in range(number)]
        twin = (list(releases[0][0]), releases[0][1])
        yield {"releases": [*releases, twin]}


@CLAIM.designed
def odd(rng):
    for name, districts in labels(rng).items():
        plan = [([each], some_epsilon(rng)) for each in [*districts, *districts[:2]]]
        yield f"districts: {name}", {"releases": plan}
    for epsilon in at_edges("epsilon", rng):
        plan = [(["north"], epsilon), (["north", "south"], 0.5), (["south"], epsilon / 2)]
        yield f"epsilon {epsilon}", {"releases": plan}
    many = [(chosen(rng), some_epsilon(rng)) for _ in range(150)]
    yield "more than 100 releases", {"releases": many}


def some_epsilon(rng):
    return round(rng.uniform(0.05, 1.5), 2)


def chosen(rng):
    number = int(rng.integers(1, 4))
    return [str(name) for name in rng.permutation(DISTRICTS)[:number]]


def of_epsilons(combine):
    return lambda releases: combine([epsilon for _, epsilon in releases])


PERSON = "a person lives in one district: which releases does this person touch?"
OVERLAP = "three releases, of which every two share a district: is one person in all three?"
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
    "the districts are added up", PERSON, lambda releases: math.fsum(by_district(releases).values())
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
    "of the releases that read the same districts only the last counts",
    "two releases about the same people: which composition is that?",
    lambda releases: plan_cost([*{frozenset(names): (names, e) for names, e in releases}.values()]),
)
CLAIM.mistake(
    "districts that no release reads alone are left out",
    "which districts do you go through? Write down the releases that each of them is in.",
    lambda releases: max(
        *(epsilon for _, epsilon in releases),
        *(by_district(releases)[names[0]] for names, _ in releases if len(names) == 1),
        0,
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
CLAIM.mistake(
    "a release of several districts is charged to everybody",
    "does a release of two districts read the people of a third?",
    lambda releases: (
        math.fsum(epsilon for names, epsilon in releases if len(names) > 1)
        + max(by_district([each for each in releases if len(each[0]) == 1]).values(), default=0)
    ),
)


def overlaps(release, batch):
    return any(set(release[0]) & set(names) for names, _ in batch)


CLAIM.mistake(
    "all releases that share a district with one are added up",
    OVERLAP,
    lambda releases: max(
        math.fsum(each[1] for each in releases if overlaps(each, [one])) for one in releases
    ),
)


@CLAIM.mistake("releases that overlap through others are all added up", OVERLAP)
def linked(releases):
    boxes = []
    for release in releases:
        joined = [box for box in boxes if overlaps(release, box)]
        boxes = [box for box in boxes if not overlaps(release, box)]
        boxes.append([release, *itertools.chain(*joined)])
    return max(math.fsum(epsilon for _, epsilon in box) for box in boxes)


@CLAIM.mistake("separate releases are paired off first, and the pairs are added up", OVERLAP)
def paired_off(releases):
    boxes = []
    for release in releases:
        box = next((each for each in boxes if not overlaps(release, each)), None)
        if box is None:
            boxes.append(box := [])
        box.append(release)
    return math.fsum(max(epsilon for _, epsilon in box) for box in boxes)
