"""✎ What the exercise asks for: here the scale of Laplace noise, sensitivity / epsilon."""

from __future__ import annotations

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six inputs: epsilon well below 1 and well above."""
    return [
        {
            "sensitivity": round(generator.uniform(2.2, 6.0), 2),
            "epsilon": round(generator.uniform(*epsilons), 2),
        }
        for epsilons in ((0.2, 0.45), (1.7, 3.0))
        for _ in range(3)
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    return (parameters["sensitivity"],), {"epsilon": parameters["epsilon"]}


# ✎ One for each wrong idea that a student may have: its name, the value it gives, a question.
_MISTAKES = (
    ValueMistake(
        "the sensitivity is ignored",
        lambda p: 1 / p["epsilon"],
        "what should happen to the noise when one person can change the answer by more?",
    ),
    ValueMistake(
        "epsilon is ignored",
        lambda p: p["sensitivity"],
        "what should happen to the noise when less privacy may be lost?",
    ),
    ValueMistake(
        "the value is upside down",
        lambda p: p["epsilon"] / p["sensitivity"],
        "which of sensitivity and epsilon should make the noise larger, and which smaller?",
    ),
    ValueMistake(
        "epsilon multiplies instead of divides",
        lambda p: p["sensitivity"] * p["epsilon"],
        "does a larger epsilon mean more privacy or less?",
    ),
    ValueMistake(
        "epsilon is squared",
        lambda p: p["sensitivity"] / p["epsilon"] ** 2,
        "how often do you divide by epsilon?",
    ),
)

CLAIM = ValuesClaim(
    name="exercise_name",
    about="Check `exercise_name(sensitivity, *, epsilon)`: the scale of Laplace noise.",
    established="sensitivity / epsilon",
    cases=_cases,
    arguments=_arguments,
    # Dwork & Roth (2014), definition 3.3.
    expected=lambda p: p["sensitivity"] / p["epsilon"],
    mistakes=_MISTAKES,
    situation=lambda p: f"sensitivity {p['sensitivity']}, epsilon {p['epsilon']}",
)
