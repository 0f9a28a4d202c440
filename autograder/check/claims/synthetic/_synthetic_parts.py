"""The parts that the claims about rows from pairs of columns share: what marginals cost, and leaks.

How many of a column's values come, at a small epsilon, tells the noise of a marginal: a value comes
if its count is above 0 once the noisy counts are made at least 0. Values that nobody has count
apart. For the first column it is the one-way marginal. Where the other columns have one value only,
the second column tells the noise of its pair's marginal, whichever pair it is drawn by.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from autograder.check.claims.composition._noisy_counts import moved
from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.claims.synthetic._kept_values import kept_law
from autograder.check.claims.synthetic._leaks import LeakClaim
from autograder.check.judge import ALPHA
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim
from autograder.check.several import EitherClaim

# A column has so many values, and the noise of a right answer has such a scale: there an answer
# tells 0.7 nats and more about noise of two thirds of the scale. Laws take long to work out, and
# are kept: a second look finds most of those that it needs.
VALUES = 24
_SCALES = (0.42, 0.44, 0.46, 0.48, 0.5)
LARGEST_SCALE = 0.51
# One person has each value, or nobody has six of them.
_EVERYBODY = (1,) * VALUES
_SOME = (1,) * 18 + (0,) * 6
# A short look does not wait until it has ruled out what an answer tells less about, in nats.
_LEAST_SHORT_RATE = 0.45
# So many rows show every value that has a share.
SIZE = 2000


def _settings(generator: np.random.Generator) -> Iterator[dict]:
    """Return settings whose noise is as wide as it should be for half of epsilon.

    Two tell of the one-way marginal of the first column, two of a pair. Where pairs can be given,
    the first of them in one setting is not the first column's.
    """
    for watched, people, others, neighbors in (
        (0, _EVERYBODY, (1, 1), "replace_one"),
        (0, _SOME, (2,), "add_remove"),
        (1, _SOME, (1,), "add_remove"),
        (1, _EVERYBODY, (1, 1), "replace_one"),
    ):
        cells = np.eye(math.prod(others), dtype=int)
        counts = generator.choice(cells, VALUES).reshape(VALUES, *others)
        counts *= generator.permutation(people).reshape(VALUES, *(1 for _ in others))
        setting = {"counts": np.moveaxis(counts, 0, watched).tolist(), "neighbors": neighbors}
        setting |= {"watched": watched, "size": SIZE, "seed": int(generator.integers(2**32))}
        if (watched, others) == (0, (1, 1)):
            setting["pairs"] = ((1, 2), (0, 1))
        wide = moved(setting) * 2 * _marginals(setting)
        yield setting | {"epsilon": round(wide / float(generator.choice(_SCALES)), 2)}


def _marginals(parameters: dict) -> int:
    """Return how many marginals of the watched kind there are."""
    return np.ndim(parameters["counts"]) - parameters["watched"]


def _people(parameters: dict) -> tuple[int, ...]:
    """Return how many people have each value of the watched column."""
    return tuple(rows.watched_counts(parameters).tolist())


def _law(
    parts: Callable[[dict], float],
    *,
    moved: Callable[[dict], int] = moved,
    people: Callable[[dict], tuple[int, ...]] = _people,
):
    """Return the law when a count of the watched marginal gets epsilon / parts(parameters)."""

    def law(parameters: dict) -> dict:
        scale = round(moved(parameters) * parts(parameters) / parameters["epsilon"], 12)
        counts = people(parameters)
        absent = len(set(_people(parameters))) - len(set(counts))
        kept = kept_law(tuple(sorted(counts)), scale)
        return {(0,) * absent + each: chance for each, chance in kept.items()}

    return law


_SPLIT = "how many marginals are bought in all, and which part of epsilon may each cost?"


# How many parts a watched marginal's share of epsilon is cut into, at a setting.
Parts = Callable[[dict], float]


def _all_columns(parameters: dict) -> int:
    return np.ndim(parameters["counts"])


def _mistakes(marginals: Parts = _marginals) -> tuple[Mistake, ...]:
    """Return what the marginals of a kind may cost instead of half of epsilon together.

    `marginals` is how many there are of the kind that the watched column tells of.
    """

    def right(p: dict) -> float:
        return 2 * marginals(p)

    def where(watched: int, parts: Parts):
        return _law(lambda p: parts(p) if p["watched"] == watched else right(p))

    named = {
        "every marginal gets all of epsilon": _law(lambda p: 1),
        "every marginal gets epsilon / 2": _law(lambda p: 2),
        "each kind of marginal gets all of epsilon, not 1 / 2": _law(marginals),
        "all of epsilon goes to the one-way marginals": where(0, marginals),
        "all of epsilon goes to the pairs": where(1, marginals),
        "every one-way marginal gets epsilon / 2": where(0, lambda p: 2),
        "every pair gets all of epsilon": where(1, lambda p: 1),
        "the one-way marginals have no noise": where(0, lambda p: 0),
        "the pairs have no noise": where(1, lambda p: 0),
        # Where these two differ from a right answer, there are two pairs, and a row is replaced.
        "every pair gets epsilon / 2, or the pairs do not look at `neighbors`": where(
            1, lambda p: 2
        ),
        "one-way marginals and pairs get equal parts": _law(lambda p: 2 * _all_columns(p) - 1),
    }
    others = (*_other_mistakes(right), _given_pairs(right))
    return (*(Mistake(name, law, _SPLIT) for name, law in named.items()), *others)


def _given_pairs(right: Parts) -> Mistake:
    """Return the mistake that a given pair may lead to."""
    return Mistake(
        "a column of the first pair comes first, not the first column",
        # Then the first column comes by the marginal of its pair: of pairs there is one less.
        _law(lambda p: right(p) - 2 * ("pairs" in p)),
        "from which marginal come the shares of the first column of `categories`?",
    )


def _other_mistakes(right: Parts) -> tuple[Mistake, ...]:
    """Return the mistakes that cut epsilon into the right parts."""
    return (
        Mistake(
            "replace_one is treated as add_remove",
            _law(right, moved=lambda parameters: 1),
            "how many counts of one marginal move when a row is replaced?",
        ),
        Mistake(
            "a value that nobody has never comes",
            _law(right, people=lambda p: tuple(each for each in _people(p) if each)),
            "the list of values is public. What does it tell if one of them can never come?",
        ),
    )


def _say(seen: tuple[int, ...]) -> str:
    if len(seen) == 1:
        return f"{seen[0]} different values in that column"
    return f"{seen[-1]} values that somebody has, and {sum(seen[:-1])} that nobody has,"


def _situation(p: dict) -> str:
    with_person, column = _people(p).count(1), ("first", "second")[p["watched"]]
    each = "one person each" if with_person == VALUES else f"{with_person} of them one person each"
    return (
        f"{np.ndim(p['counts'])} columns, the {column} one has {VALUES} values, {each}; "
        f"epsilon {p['epsilon']}, {p['neighbors']}"
        + ("; the pairs join the last two, then the first two" if "pairs" in p else "")
    )


def budget_part(name: str) -> EitherClaim:
    """Return the claim that marginals of a kind share half of epsilon, in equal parts.

    An answer may make its pairs agree with the one-way marginals, as the library's version does.
    Then the second column tells the noise of its own one-way marginal.
    """
    drawn = OutcomeClaim(
        name=name,
        established="the one-way marginals get half of epsilon together, and so do the pairs",
        parameters=_settings,
        arguments=rows.arguments,
        law=_law(lambda p: 2 * _marginals(p)),
        outcome=rows.values_seen,
        say=_say,
        mistakes=_mistakes(),
        situation=_situation,
        least_short_rate=_LEAST_SHORT_RATE,
        level=0.7 * ALPHA,
    )
    return EitherClaim(ways=(drawn, _fitted(drawn)))


def _fitted(drawn: OutcomeClaim) -> OutcomeClaim:
    """Return the claim for answers whose pairs agree with the one-way marginals.

    Its catalogue has the mistakes of both ways, so that a wrong answer of the first is not passed.
    """
    own = _mistakes(_all_columns)
    others = [replace(each, name=f"{each.name} (by pairs)") for each in drawn.mistakes]
    law = _law(lambda p: 2 * _all_columns(p))
    return replace(drawn, law=law, mistakes=(*own, *others))


def leak_part(name: str) -> LeakClaim:
    """Return the claim that neither a pair of values nor the number of rows gives one away."""
    return LeakClaim(
        name=name,
        established="no person is given away",
        pairs=rows.leaks,
        arguments=rows.arguments,
        read=rows.happened,
        situation=lambda p: (
            f"{np.ndim(p['counts'])} columns, {int(np.sum(p['counts']))} rows, epsilon 0.5"
        ),
        level=0.2 * ALPHA,
    )
