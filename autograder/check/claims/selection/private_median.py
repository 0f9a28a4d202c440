"""The private median: the exponential mechanism with a rank as score, monotone."""

import numpy as np

from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection._choosing import choose
from autograder.check.claims.selection._selection import by_weights
from autograder.check.designed import at_edges
from autograder.check.mistakes import Mistake, mistakes_by
from autograder.check.outcomes import OutcomeClaim
from autograder.check.signature import taking
from autograder.check.words import counted


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return eight tables: ties and few people; a long tail; both; many people, with large ranks;
    so few people that candidates beyond all of them come often; shares from 0 to 1; most people
    beyond the candidates; and one person, who meets one of 300 candidates.

    Ages are whole numbers, so candidates meet many of them, but nobody is 35; incomes are not.
    """
    ages = np.sort(generator.choice([31, 32, 33, 34, 36, 37, 38, 39, 40], 25)).astype(float)
    tail = np.sort(np.round(np.exp(generator.normal(3.2, 1.1, 20)) + 12, 1))
    mixed = np.sort(np.round(np.exp(generator.normal(3.4, 0.5, 31)) + 11)).astype(float)
    many = np.sort(generator.choice(np.arange(10.0, 60_000.0), 1401, replace=False))
    middle = len(many) // 2 + np.array([-4, -2, 0, 1, 3]) + generator.integers(-1, 2)
    few = np.sort(generator.choice(np.arange(20.0, 40.0), 8, replace=False))
    beyond = [few[0] - 3, few[0] - 1, *_spread(few, (0.3, 0.7)), few[-1] + 2]
    shares = np.sort(np.round(generator.uniform(0, 1, 23), 3))
    outside = np.sort(np.round(generator.uniform(100, 200, 40), 1)) * generator.choice([-1, 1])
    crowd = generator.permutation(np.arange(20.0, 320.0))
    return [
        _table(generator, shares, [0.2, 0.4, 0.55, 0.6, 0.8], (0.25, 0.35)),
        _table(generator, ages, [32.0, 34.0, 35.0, 37.0, 39.0], (0.2, 0.3)),
        _table(generator, tail, _spread(tail, (0.1, 0.35, 0.55, 0.75, 0.97)), (0.25, 0.35)),
        _table(generator, mixed, _met(generator, mixed), (0.3, 0.5)),
        _table(generator, many, many[middle].tolist(), (1.1, 1.4)),
        _table(generator, few, beyond, (0.3, 0.4)),
        _table(generator, outside, _spread(outside, (0.1, 0.2, 0.3)), (0.12, 0.18)),
        _table(generator, crowd[:1], crowd.tolist(), (0.2, 0.5)),
    ]


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return tables at the edges: of epsilon, of the number of people, and of what values are."""
    ages = np.sort(generator.choice(np.arange(20, 70), 30, replace=False)).astype(float)
    middle = [float(each) for each in ages[[9, 14, 20]]]
    centre = middle[1]
    # Scores are at most half of the people, but where many values are equal.
    tied = np.sort(np.append(ages[::5], np.full(20, centre)))
    # Of a few values far above, each candidate between has as many above it.
    far = np.append(ages[:24], generator.uniform(900, 3_000, 6).round())
    whole = np.sort(generator.integers(20, 60, 25))
    tables = {
        "most values are equal": (tied, [*middle, 19.0, 71.0], 0.15),
        "a few values far away": (far, [*_spread(far, (0.1, 0.4, 0.7)), 400.0, 800.0], 0.6),
        "values below 0": (-ages, [-each for each in middle], 0.3),
        "values of 0": (np.append(np.zeros(12), ages[:9]), [0.0, *ages[[3, 7]].tolist()], 0.2),
        "whole numbers": (whole, np.unique(whole)[[3, 8, 12]].tolist(), 0.3),
        "one person": (ages[:1], [ages[0], ages[0] - 1, ages[0] + 1], 2.0),
        "two people": (ages[[3, 9]], [*ages[[3, 9]].tolist(), ages[6], ages[20]], 1.5),
        "two candidates": (ages, middle[:2], 0.3),
        # All scores are 0: each candidate is as good as any other.
        "no candidate between the values": (ages, [ages[0] - 6, ages[0] - 2, ages[-1] + 3], 0.4),
    }
    # Where epsilon is large, only many candidates that are one behind come now and then.
    many = [float(each) for each in generator.permutation(np.arange(ages[0], ages[0] + 300))]
    for epsilon in at_edges("epsilon", generator):
        named = (ages[:1], many) if epsilon > 1 else (ages, middle)
        tables[f"epsilon {epsilon}"] = (*named, epsilon)
    return [
        (name, _table(generator, values, candidates, (1, 1)) | {"epsilon": epsilon})
        for name, (values, candidates, epsilon) in tables.items()
    ]


def _spread(ordered: np.ndarray, shares: tuple[float, ...]) -> list[float]:
    """Return numbers between the values, at these shares of them."""
    return [float(np.round(np.quantile(ordered, share) + 0.25, 2)) for share in shares]


def _met(generator: np.random.Generator, ordered: np.ndarray) -> list[float]:
    """Return five different values, from all parts of the table."""
    different = np.unique(ordered)
    places = np.linspace(1, len(different) - 2, 5).astype(int)
    return different[places].tolist()


def _table(generator, ordered: np.ndarray, candidates: list, epsilons: tuple) -> dict:
    table = {
        "values": generator.permutation(ordered).tolist(),
        "candidates": generator.permutation(sorted(set(candidates))).tolist(),
        "epsilon": round(generator.uniform(*epsilons), 2),
        "extreme": len(ordered) > 1000,
    }
    return table | {"scores": _scores(table).tolist()}


def _numbers(p: dict) -> tuple[np.ndarray, ...]:
    """Return how many values lie below each candidate, at it, and above it."""
    values, places = np.array(p["values"]), np.array(p["candidates"])[:, None]
    return (values < places).sum(1), (values == places).sum(1), (values > places).sum(1)


def _scores(p: dict) -> np.ndarray:
    below, equal, above = _numbers(p)
    return np.minimum(below, above) + equal


def _law(p: dict) -> dict:
    return by_weights(p, p["epsilon"] * _scores(p))


def _scored(score):
    """Return the law with another score, made of the numbers below, at and above."""
    return lambda p: by_weights(p, p["epsilon"] * score(*_numbers(p)))


def _proportional(p: dict) -> dict:
    scores = _scores(p) + 1e-9
    return dict(zip(p["candidates"], (scores / scores.sum()).tolist(), strict=True))


def _inside(p: dict) -> dict:
    """Return the law when candidates beyond all values are left out."""
    places = np.array(p["candidates"])
    inside = (places >= min(p["values"])) & (places <= max(p["values"]))
    return by_weights(p, np.where(inside, p["epsilon"] * _scores(p), -np.inf))


def _met_only(p: dict) -> dict:
    """Return the law when candidates that no value equals are left out, if one equals some."""
    met = _numbers(p)[1] > 0
    return by_weights(p, np.where(met | ~met.any(), p["epsilon"] * _scores(p), -np.inf))


def _moved(p: dict) -> dict:
    """Return the law when values beyond the candidates count as the nearest of them."""
    nearest = np.clip(p["values"], min(p["candidates"]), max(p["candidates"]))
    return by_weights(p, p["epsilon"] * _scores(p | {"values": nearest}))


def _of_other(values):
    """Return the law when the scores are those of other values, made of the table's."""
    return lambda p: _law(p | {"values": values(np.array(p["values"]))})


def _from(middle):
    """Return the law when the score is minus the distance from `middle` of the values."""
    return lambda p: by_weights(
        p, -p["epsilon"] * np.abs(np.array(p["candidates"]) - middle(p["values"]))
    )


_FACTOR = "one person more moves every score up or leaves it: is the factor 2 needed?"
_LESS = "does a larger epsilon make the best candidate more likely, or less?"
_TIES = "is a value that equals the candidate at or below it? Is it at or above it?"
_BOTH = "what is a number at which as many values lie on the one side as on the other?"
_DISTANCE = "by how much can one person move the median, and so each of these scores?"
_CHANCE = "where does your code draw a random number, and how likely should each candidate be?"

_MISTAKES = (
    *mistakes_by(
        lambda number: lambda p: by_weights(p, number(p["epsilon"]) * _scores(p)),
        {
            "the factor 2 is kept, though the scores are monotone": (lambda e: e / 2, _FACTOR),
            "the exponent is multiplied by 2": (lambda e: e * 2, _FACTOR),
            "epsilon is ignored": lambda e: 1,
            "epsilon is ignored, and 2 kept": lambda e: 0.5,
            "epsilon divides the exponent": lambda e: 1 / e,
            "epsilon is squared": lambda e: e**2,
        },
        _LESS,
    ),
    *mistakes_by(
        _scored,
        {
            "only the values at or below are counted": lambda below, equal, above: below + equal,
            "only the values at or above are counted": lambda below, equal, above: above + equal,
            "the larger of the two numbers is taken": (
                lambda below, equal, above: np.maximum(below, above) + equal
            ),
            "the two numbers are added up": lambda below, equal, above: below + 2 * equal + above,
        },
        _BOTH,
    ),
    *mistakes_by(
        _scored,
        {
            "values equal to a candidate are not counted": (
                lambda below, equal, above: np.minimum(below, above)
            ),
            "values equal to a candidate count on the lower side only": (
                lambda below, equal, above: np.minimum(below + equal, above)
            ),
            "values equal to a candidate count on the upper side only": (
                lambda below, equal, above: np.minimum(below, above + equal)
            ),
        },
        _TIES,
    ),
    *mistakes_by(
        _of_other,
        {
            "values are cut to whole numbers": (np.trunc, "is 30.7 at or below 30.5?"),
            "people with the same value count once": (np.unique, "how many are 30, if ten are?"),
            "only the first 1,000 values count": (lambda values: values[:1000], "who is left out?"),
        },
    ),
    Mistake(
        "the score is minus the difference of the two numbers",
        _scored(lambda below, equal, above: -np.abs(below - above)),
        "by how much can one person change the difference, and by how much the smaller number?",
    ),
    Mistake("the score is the distance to the exact median", _from(np.median), _DISTANCE),
    Mistake("the score is the distance to the exact mean", _from(np.mean), _DISTANCE),
    Mistake(
        "candidates beyond the smallest and the largest value are struck out",
        _inside,
        "the person with the largest value leaves: which candidates can come back then?",
        seen="no candidate came that lies beyond all values",
    ),
    Mistake(
        "candidates that no value equals are struck out",
        _met_only,
        "the only person with that value leaves: which candidates can come back then?",
        seen="no candidate came that is not one of the values",
    ),
    Mistake(
        "values beyond the candidates are moved to the nearest one",
        _moved,
        "is a value above all candidates at or below the largest of them?",
    ),
    Mistake(
        "the best candidate always wins",
        lambda p: selection.always(p, int(np.argmax(_scores(p)))),
        _CHANCE,
        seen="the best candidate should not come every time: that tells what its score is",
    ),
    Mistake(
        "the worst candidates are the likeliest",
        lambda p: by_weights(p, -p["epsilon"] * _scores(p)),
        "is a high score good or bad here? Which sign must the exponent have?",
    ),
    Mistake("the chances are proportional to the scores", _proportional, _CHANCE),
    Mistake(
        "all candidates are about equally likely",
        selection.evenly,
        "are the scores used at all, or divided by something large?",
    ),
    selection.now_and_then_exact(_law),
    *selection.unsafe_mistakes(_law),
)


def _situation(p: dict) -> str:
    people, many = counted(len(p["values"]), "value"), len(p["candidates"])
    if many > 20:
        return f"{people}, equal to one of {many} candidates; epsilon {p['epsilon']:g}"
    candidates = ", ".join(f"{each:g}" for each in p["candidates"])
    scores = ", ".join(map(str, p["scores"]))
    return f"{people}, candidates {candidates} with scores {scores}; epsilon {p['epsilon']:g}"


CLAIM = OutcomeClaim(
    about="Check `private_median(values, *, candidates, epsilon)`: a candidate near the median.",
    established="the right probabilities, any table",
    parameters=_parameters,
    designed=_designed,
    arguments=taking("values, *, candidates, epsilon", values=np.array, candidates=list),
    law=selection.pooled(_law),
    outcome=selection.candidate_of,
    say=lambda outcome: outcome if isinstance(outcome, str) else f"{outcome:g}",
    use=choose,
    mistakes=selection.all_pooled(_MISTAKES),
    least_rate=0.0033,
    least_long_rate=0.003,
    situation=_situation,
    apart={"apart": True},
    alike="candidates with equal scores",
    ask_alike=selection.ASK_ALIKE,
    ask_first="does your code give each candidate the score that is its own here?",
)
