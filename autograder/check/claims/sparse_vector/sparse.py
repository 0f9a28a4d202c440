"""Sparse: above threshold again and again, with fresh noise, at epsilon / count each."""

from collections.abc import Iterator

import numpy as np

from autograder.check.claims.selection._noise import Noise
from autograder.check.claims.sparse_vector import _sparse_vector as sparse_vector
from autograder.check.claims.sparse_vector._edges import FEW, at_the_edges, drawn
from autograder.check.claims.sparse_vector._sparse_vector import reports_law
from autograder.check.claims.sparse_vector._threshold_mistakes import (
    left_out_now_and_then,
    scale_mistakes,
)
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim
from autograder.check.signature import taking

# Answers minus the threshold, in units of count * sensitivity / epsilon, found by a random search.
# Then the count, sensitivity and epsilon.
_SETTINGS = (
    # Four of many answers near the threshold: a threshold that is kept shows most here.
    ((-2.0, 0.5, -2.5, -5.0, 0.0, -0.5), 4, (2.2, 4.0), (0.6, 0.9)),
    ((-5.0, -5.0, 3.5, -5.5, 3.0), 2, (0.2, 0.4), (2.2, 3.2)),
    ((-1.5, -2.5, -4.5, -2.5, -4.0, 3.5, -4.5), 4, (2.2, 4.0), (1.5, 2.2)),
    ((1.0, 2.0, -2.0, 3.0), 1, (2.2, 4.0), (0.6, 0.9)),
    # One answer is above, and three may be found.
    ((-2.0, -1.5, 2.0, -2.5), 3, (2.2, 4.0), (0.6, 0.9)),
    # Many answers are hardly below: a run hardly ever comes to the one that is above.
    ((-1.0,) * 40 + (1.0,), 1, (2.2, 4.0), (0.3, 0.5)),
)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return six settings: answers near the threshold, answers mostly passed over, a mixture,
    one to find, one above, and one above after many.
    """
    for offsets, count, sensitivities, epsilons in _SETTINGS:
        yield drawn(generator, offsets, sensitivities, epsilons, count=count)


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    usual = {"threshold": 42.5, "count": 2, "sensitivity": 1.5, "epsilon": 0.7}
    return at_the_edges(generator, (-8.0,) * 5 + (8.0,) * 2, usual)


def _offsets(p: dict) -> tuple[float, ...]:
    unit = p["count"] * p["sensitivity"] / p["epsilon"]
    return tuple(((np.array(p["answers"]) - p["threshold"]) / unit).tolist())


def _with(p: dict, threshold: Noise, answer: Noise) -> dict:
    return reports_law(_offsets(p), p["count"], threshold, answer)


def _law(p: dict) -> dict:
    # Dwork & Roth (2014), algorithm 2 with delta = 0.
    return _with(p, Noise(2.0), Noise(4.0))


def _times(factor):
    """Return the law when all noise is multiplied by what `factor` gives."""
    return lambda p: _with(p, Noise(2.0 * factor(p)), Noise(4.0 * factor(p)))


def _kept(p: dict) -> dict:
    """The noisy threshold is drawn once."""
    return sparse_vector.reports_law_with_one_threshold(
        _offsets(p), p["count"], Noise(2.0), Noise(4.0)
    )


def _often_kept(p: dict) -> dict:
    """It is kept in half of the calls."""
    kept = _kept(p)
    return {found: (chance + kept[found]) / 2 for found, chance in _law(p).items()}


def _separate(p: dict) -> dict:
    return sparse_vector.reports_law_with_separate_thresholds(
        _offsets(p), p["count"], Noise(2.0), Noise(4.0)
    )


def _in_runs(p: dict, **runs) -> dict:
    """Return the law when runs are other ones, as in `reports_law`."""
    return reports_law(_offsets(p), p["count"], Noise(2.0), Noise(4.0), **runs)


def _at_most(number):
    """Return the law when the runs end after another number of indices."""
    return lambda p: reports_law(_offsets(p), number(p), Noise(2.0), Noise(4.0))


_COUNT = "how many runs are there, and what may each of them cost?"

_MISTAKES = (
    # With count 2 it is the noise without the count.
    *scale_mistakes(_with, without=["the threshold's noise is halved"]),
    left_out_now_and_then(_with),
    Mistake("epsilon is not divided by the count", _times(lambda p: 1 / p["count"]), _COUNT),
    Mistake("epsilon is divided by the count twice", _times(lambda p: p["count"]), _COUNT),
    Mistake(
        "epsilon is divided by the root of the count",
        _times(lambda p: p["count"] ** -0.5),
        "that would do with Gaussian noise and a delta: how do the epsilons of the runs add up?",
    ),
    Mistake(
        "epsilon is divided by the number of answers",
        _times(lambda p: len(p["answers"]) / p["count"]),
        _COUNT,
    ),
    Mistake(
        "the threshold's noise is not multiplied by the count",
        lambda p: _with(p, Noise(2.0 / p["count"]), Noise(4.0)),
        "that is enough if one noisy threshold serves all runs (Lyu, Su & Li 2017): does it here?",
    ),
    Mistake(
        "the answers' noise is not multiplied by the count",
        lambda p: _with(p, Noise(2.0), Noise(4.0 / p["count"])),
        _COUNT,
    ),
    Mistake(
        "the sensitivity is ignored",
        _times(lambda p: 1 / p["sensitivity"]),
        "what should happen to the noise when one person can change an answer by more?",
    ),
    Mistake("the noisy threshold is kept for all runs", _kept, "what does a new run begin with?"),
    Mistake(
        "one noisy threshold, of noise without the count, serves all runs",
        lambda p: sparse_vector.reports_law_with_one_threshold(
            _offsets(p), p["count"], Noise(2.0 / p["count"]), Noise(4.0)
        ),
        "this would be private, too (form 1 of Lyu, Su & Li). The task wants a new noisy threshold "
        "for each run: with which epsilon?",
    ),
    Mistake(
        "the noisy threshold is kept for some runs",
        _often_kept,
        "what does each new run begin with?",
    ),
    Mistake(
        "the threshold's noise is drawn again for every answer",
        _separate,
        "an attacker sees that ninety answers were below: how often is that paid for?",
    ),
    Mistake(
        "a run that stops at its first answer is taken for one that found none",
        lambda p: _in_runs(p, without_zero=True),
        "is 0 true or false in Python? What does `if index` do, if the index is 0?",
    ),
    Mistake(
        "a run gets epsilon divided by the number of runs still to come",
        lambda p: _in_runs(p, parts=tuple(left / p["count"] for left in range(p["count"], 0, -1))),
        "with count 2, which parts of epsilon do your two runs get, and what is their sum?",
    ),
    Mistake(
        "a run begins two places after the index found",
        lambda p: _in_runs(p, step=2),
        "may two neighboring indices be found together?",
    ),
    Mistake(
        "it stops after the first index", _at_most(lambda p: 1), "how many indices may be reported?"
    ),
    Mistake(
        "it stops one index too early",
        _at_most(lambda p: max(p["count"] - 1, 1)),
        "how many indices may be reported?",
    ),
    Mistake(
        "it stops one index too early, before the first where count is 1",
        _at_most(lambda p: p["count"] - 1),
        "how many indices may be reported?",
    ),
)


def _situation(p: dict) -> str:
    answers = "answers " + ", ".join(f"{each:.5g}" for each in p["answers"])
    if len(p["answers"]) > FEW:
        answers = f"{len(p['answers'])} answers, all but the last one below the threshold"
    return (
        f"{answers}; threshold {p['threshold']:g}, count {p['count']}, "
        f"sensitivity {p['sensitivity']:g}, epsilon {p['epsilon']:g}"
    )


CLAIM = OutcomeClaim(
    about=(
        "Check `sparse(answers, *, threshold, count, epsilon, sensitivity=1)`: the indices of the "
        "first noisy answers above, at most `count`."
    ),
    established="the right lists, for one index or several",
    parameters=_parameters,
    designed=_designed,
    edge_work=0.04,
    arguments=taking("answers, *, threshold, count, epsilon, sensitivity", answers=np.array),
    law=_law,
    outcome=lambda answer, p: sparse_vector.indices_of(answer, len(p["answers"]), p["count"]),
    say=lambda outcome: f"the list {list(outcome)}",
    mistakes=_MISTAKES,
    ask_first="is the threshold's noise drawn as the task says, and each answer's anew?",
    least_rate=0.0065,
    situation=_situation,
)
