"""Settings of a choice: scores that differ by gaps, and the edges of the other arguments."""

import numpy as np

from autograder.check.claims.selection._noise import step
from autograder.check.claims.selection._selection import words_of
from autograder.check.designed import at_edges

_USUAL_GAPS, _USUAL_BASES = (0, -0.7, -1.5), (-12, 12)


def setting(
    generator: np.random.Generator, gaps: np.ndarray, *, sensitivity, epsilon, monotone, bases
) -> dict:
    """Return a setting whose scores differ by these gaps, in steps of the exponent (or the noise).

    The best score is one of `bases` steps. Beyond 709 steps a weight is infinite, below -745 it is
    0: then the scores are extreme.
    """
    given = {"sensitivity": sensitivity, "epsilon": epsilon, "monotone": monotone}
    unit = step(given)
    # To so many digits that a gap is right to 1e-4.
    digits = max(0, 4 - int(np.floor(np.log10(unit))))
    scores = (generator.uniform(*bases) + np.asarray(gaps)) * unit
    return {
        "candidates": words_of(generator, len(gaps)),
        "scores": [round(float(score), digits) for score in scores],
        "extreme": abs(bases[0]) > 700,
        **given,
    }


def drawn(generator: np.random.Generator, gaps: np.ndarray, ranges: tuple) -> dict:
    """Return a setting whose sensitivity, epsilon and best score are drawn.

    `ranges` are those of the sensitivity and of epsilon, then `monotone`, then `bases`.
    """
    sensitivities, epsilons, monotone, bases = ranges
    return setting(
        generator,
        gaps,
        sensitivity=float(f"{generator.uniform(*sensitivities):.2g}"),
        epsilon=round(generator.uniform(*epsilons), 2),
        monotone=monotone,
        bases=bases,
    )


def at_the_edges(
    generator: np.random.Generator, *, far: float | None = None
) -> list[tuple[str, dict]]:
    """Return settings at the edges of epsilon and of the sensitivity, and others of odd scores.

    At one more the best candidate leads by `far` steps. There are so many others that one of them
    comes in about one answer of nine: who needs no noise there is found.
    """
    usual = {"sensitivity": 1.5, "epsilon": 0.7}
    edges = [
        (f"{name} {each}", usual | {name: each})
        for name in usual
        for each in at_edges(name, generator)
    ]
    named = [
        (name, setting(generator, _USUAL_GAPS, **given, monotone=False, bases=_USUAL_BASES))
        for name, given in [*edges, ("candidates that are numbers", usual)]
    ]
    # They stand in no order, and one is 0: in an `if` it is nothing, like a choice not yet made.
    first, other = generator.choice(np.arange(10, 90), 2, replace=False).tolist()
    named[-1][1]["candidates"] = [first, *generator.permutation([0, other]).tolist()]
    named += [("scores in whole numbers", _whole(generator)), ("counts", _counts(generator))]
    named += [("scores of 0", _zeros(generator)), ("scores in millions", _millions(generator, 1))]
    named.append(("scores far below 0", _millions(generator, -1)))
    if far is not None:
        crowd = generator.permutation(many_gaps(2_999, far))
        given = {"sensitivity": 1.0, "epsilon": 0.7, "monotone": True, "bases": _USUAL_BASES}
        named.append(("3,000 candidates, the best far ahead", setting(generator, crowd, **given)))
    return named


def _counts(generator: np.random.Generator) -> dict:
    """Return scores that look like counts and are not monotone: the caller says so, not they."""
    given = {"sensitivity": 1, "epsilon": 2.0, "monotone": False, "bases": (0, 0)}
    alike = setting(generator, np.zeros(6), **given)
    behind = generator.permutation([0, 2, 2, 2, 2, 3])
    return alike | {"scores": (generator.integers(9, 90) - behind).tolist()}


def _whole(generator: np.random.Generator) -> dict:
    """Return scores in whole numbers, four of them equal, that differ by more than the noise.

    Noise that is written into an array of such numbers is cut off: the first of equal ones wins.
    """
    given = {"sensitivity": 1, "epsilon": 5.0, "monotone": False, "bases": (0, 0)}
    whole = setting(generator, np.zeros(5), **given)
    return whole | {"scores": (generator.integers(3, 90) - np.array([0, 0, 1, 0, 0])).tolist()}


def _zeros(generator: np.random.Generator) -> dict:
    """Return scores of which some are 0: what nobody has takes part like everything else."""
    given = {"sensitivity": 1, "epsilon": 0.5, "monotone": True, "bases": (0, 0)}
    alike = setting(generator, np.zeros(5), **given)
    return alike | {"scores": generator.permutation([0, 0, 0, 1, 2]).tolist()}


def _millions(generator: np.random.Generator, sign: int) -> dict:
    """Return whole scores far from 0 that differ by 1 and 2: numbers of 32 bits hold no odd ones.

    Their size is above 2**24 and below 2**25.
    """
    given = {"sensitivity": 1, "epsilon": 3.0, "monotone": False, "bases": (0, 0)}
    alike = setting(generator, np.zeros(5), **given)
    behind = generator.permutation([0, 1, 1, 2, 2])
    return alike | {"scores": (sign * generator.integers(17_000_000, 33_000_000) - behind).tolist()}


def many_gaps(others: int, gap: float) -> np.ndarray:
    """Return the exponents of one candidate and of so many others that are `gap` behind it."""
    return np.append(0, np.full(others, -gap))


def crowd_gaps(generator: np.random.Generator) -> np.ndarray:
    """Return the exponents of one candidate that hardly leads 299 others.

    It comes in about one answer of 220, so a few answers without chance show.
    """
    return many_gaps(299, generator.uniform(0.2, 0.5))


def unlikely_gaps(generator: np.random.Generator) -> np.ndarray:
    """Return the exponents of one candidate, and of seven with 0.7 to 0.9 % of its weight each."""
    return np.append(0, generator.uniform(-5.0, -4.7, 7))


def seven_behind(generator: np.random.Generator) -> np.ndarray:
    """Return the exponents of one candidate that leads seven others by about two.

    Of eight candidates or fewer they tell Laplace noise from Gumbel noise best.
    """
    return np.append(0, generator.uniform(-2.0, -1.5, 7))
