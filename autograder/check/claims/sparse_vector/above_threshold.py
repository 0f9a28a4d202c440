"""Above threshold: the index of the first noisy answer above a noisy threshold, or None."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.selection._noise import Noise, stop_law
from autograder.check.claims.sparse_vector import _sparse_vector as sparse_vector
from autograder.check.claims.sparse_vector._threshold_mistakes import scale_mistakes, stop_mistakes
from autograder.check.outcomes import OutcomeClaim, OutcomeMistake

__all__ = ["CLAIM"]

# Answers minus the threshold, in units of sensitivity / epsilon, found by a random search: each of
# the mistakes shows in one of them at least. Then sensitivity and epsilon.
_SETTINGS = (
    ((-4.6, -3.0, -1.5, 4.8, 3.2, 1.7, 1.8), (2.2, 4.0), (0.3, 0.5)),
    ((-5.5,) * 6 + (1.7,), (0.2, 0.4), (1.7, 2.4)),
    ((1.2,) * 6 + (4.0,), (2.2, 4.0), (1.7, 2.4)),
)


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return three settings: a mixture, answers that are mostly passed over, and high ones."""
    settings = []
    for offsets, sensitivities, epsilons in _SETTINGS:
        sensitivity = round(generator.uniform(*sensitivities), 2)
        epsilon = round(generator.uniform(*epsilons), 2)
        threshold = round(generator.uniform(60, 500), 1)
        moved = np.array(offsets) + generator.uniform(-0.3, 0.3, len(offsets))
        answers = threshold + moved * sensitivity / epsilon
        settings.append(
            {
                "answers": np.round(answers, 3).tolist(),
                "threshold": threshold,
                "sensitivity": sensitivity,
                "epsilon": epsilon,
            }
        )
    return settings


def _arguments(p: dict) -> tuple[tuple, dict]:
    keywords = {name: p[name] for name in ("threshold", "epsilon", "sensitivity")}
    return (np.array(p["answers"]),), keywords


def _offsets(p: dict) -> tuple[float, ...]:
    answers = np.array(p["answers"])
    return tuple(((answers - p["threshold"]) * p["epsilon"] / p["sensitivity"]).tolist())


def _with(p: dict, threshold: Noise, answer: Noise) -> dict:
    return sparse_vector.by_index(stop_law(_offsets(p), threshold, answer))


def _law(p: dict) -> dict:
    # Dwork & Roth (2014), algorithm 1.
    return _with(p, Noise(2.0), Noise(4.0))


def _times(factor):
    """Return the law when all noise is multiplied by what `factor` gives."""
    return lambda p: _with(p, Noise(2.0 * factor(p)), Noise(4.0 * factor(p)))


def _instead_of_none(places):
    """Return the law when None is replaced by even chances of some places."""

    def law(p: dict) -> dict:
        changed = _law(p)
        lost, where = changed[sparse_vector.NOBODY], places(len(p["answers"]))
        changed[sparse_vector.NOBODY] = 0.0
        for place in where:
            changed[place] += lost / len(where)
        return changed

    return law


def _counted_from_one(p: dict) -> dict:
    right, size = _law(p), len(p["answers"])
    law = {place + 1: right[place] for place in range(size - 1)}
    return law | {sparse_vector.NOBODY: right[sparse_vector.NOBODY] + right[size - 1]}


_NONE = "how does a reader of your result learn that no answer was above?"

_MISTAKES = (
    *scale_mistakes(_with),
    OutcomeMistake(
        "the sensitivity is ignored",
        _times(lambda p: 1 / p["sensitivity"]),
        "what should happen to the noise when one person can change an answer by more?",
    ),
    OutcomeMistake(
        "epsilon is divided among the answers",
        _times(lambda p: len(p["answers"])),
        "for how many of the answers must be paid, if only the first above is published?",
    ),
    *stop_mistakes(lambda p, law: sparse_vector.by_index(law), _offsets),
    OutcomeMistake(
        "a random index comes back when no answer is above",
        _instead_of_none(lambda size: range(size)),
        _NONE,
    ),
    OutcomeMistake(
        "the last index comes back when no answer is above",
        _instead_of_none(lambda size: [size - 1]),
        _NONE,
    ),
    OutcomeMistake(
        "index 0 comes back when no answer is above",
        _instead_of_none(lambda size: [0]),
        _NONE,
    ),
    OutcomeMistake(
        "the index is counted from 1",
        _counted_from_one,
        "which index does the first answer have in Python?",
    ),
)


def _situation(p: dict) -> str:
    answers = ", ".join(f"{each:.5g}" for each in p["answers"])
    return (
        f"answers {answers}; threshold {p['threshold']:g}, sensitivity {p['sensitivity']:g}, "
        f"epsilon {p['epsilon']:g}"
    )


CLAIM = OutcomeClaim(
    name="above_threshold",
    about=(
        "Check `above_threshold(answers, *, threshold, epsilon, sensitivity=1)`: the index of the "
        "first noisy answer above a noisy threshold, or None."
    ),
    established="first above a noisy threshold, scales 2 and 4 times sensitivity / epsilon",
    parameters=_parameters,
    arguments=_arguments,
    law=_law,
    outcome=lambda answer, p: sparse_vector.index_of(answer, len(p["answers"])),
    say=lambda outcome: outcome if isinstance(outcome, str) else f"index {outcome}",
    mistakes=_MISTAKES,
    least_rate=0.01,
    situation=_situation,
)
