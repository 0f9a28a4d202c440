"""Mistakes about the noise of the sparse vector technique: shared by several claims."""

from collections.abc import Callable, Sequence

import numpy as np

from autograder.check.claims.selection._noise import NO_NOISE, Noise, stop_law
from autograder.check.claims.sparse_vector import _sparse_vector as sparse_vector
from autograder.check.mistakes import Mistake, now_and_then

_BOTH = "by how much can an answer move against the noisy threshold, if both may move?"
_THRESHOLD = "what hides from an attacker that many answers were all below, on either table?"
_SHAPE = "which law does the task ask for, and what does numpy call it?"

# The scales of the threshold's and the answers' noise, in units of sensitivity / epsilon.
_SCALES = (
    ("the answers' noise has scale 2, not 4 times sensitivity / epsilon", (2, 2), _BOTH),
    ("the threshold's noise and the answers' are exchanged", (4, 2), _BOTH),
    ("both noises have scale sensitivity / epsilon", (1, 1), _BOTH),
    ("all noise is halved", (1, 2), _BOTH),
    ("all noise is doubled", (4, 8), "which factor 2 does the task not have?"),
    (
        "the scales are taken for standard deviations",
        (2 / 2**0.5, 4 / 2**0.5),
        "the standard deviation of Laplace noise is sqrt(2) times its scale: which one is asked?",
    ),
    ("the threshold's noise is halved", (1, 4), _THRESHOLD),
    ("the threshold's noise is as large as the answers'", (4, 4), _BOTH),
    ("the answers' noise has scale sensitivity / epsilon", (2, 1), _BOTH),
    ("the answers' noise is doubled", (2, 8), "which factor 2 does the task not have?"),
    ("the threshold gets no noise", (0, 4), _THRESHOLD),
    ("the answers get no noise", (2, 0), _BOTH),
    ("there is no noise at all", (0, 0), "where does your code draw a random number?"),
)


_FORMS = (
    (
        sparse_vector.separate_thresholds,
        "the threshold's noise is drawn again for every answer",
        "an attacker sees that ninety answers were below: how often is that paid for?",
    ),
    (
        sparse_vector.first_of_the_reused,
        "one draw of noise serves all answers",
        "does every answer get noise of its own?",
    ),
    (
        sparse_vector.last_above,
        "the last answer above is found, not the first",
        "when does the run stop?",
    ),
    (
        sparse_vector.highest_above,
        "the highest noisy answer is found, not the first above",
        "when does the run stop?",
    ),
    (
        lambda offsets, threshold, answer: stop_law(
            tuple(-each for each in offsets), threshold, answer
        ),
        "the first answer below is found, not above",
        "which of the two must be larger for the run to stop?",
    ),
)


def scale_mistakes(
    law: Callable[[dict, Noise, Noise], dict], *, without: Sequence[str] = ()
) -> tuple[Mistake, ...]:
    """Return the mistakes in the scales, but for some; `law` gives a law from both noises."""

    def scaled(scales, kind: str = "laplace", factor: Callable[[dict], float] = lambda p: 1.0):
        return lambda p: law(p, *(Noise(scale * factor(p), kind) for scale in scales))

    right, others = (2.0, 4.0), [each for each in _SCALES if each[0] not in without]
    return (
        *(Mistake(name, scaled(scales), ask) for name, scales, ask in others),
        Mistake(
            "epsilon is ignored",
            scaled(right, factor=lambda p: p["epsilon"]),
            "what should happen to the noise when less privacy may be lost?",
        ),
        Mistake(
            "epsilon multiplies the noise",
            scaled(right, factor=lambda p: p["epsilon"] ** 2),
            "does a larger epsilon mean more privacy or less?",
        ),
        Mistake("Gaussian noise is drawn, not Laplace noise", scaled(right, "gaussian"), _SHAPE),
        Mistake("noise is never negative", scaled(right, "exponential"), _SHAPE),
    )


def left_out_now_and_then(
    law: Callable[[dict, Noise, Noise], dict],
    seen: str = "of many answers that are nearly as high, the first above is found too often",
) -> Mistake:
    """Return the mistake of leaving noise out in a few calls; `law` takes both noises."""
    return now_and_then(
        lambda p: law(p, *map(Noise, sparse_vector.RIGHT_SCALES)),
        lambda p: law(p, NO_NOISE, NO_NOISE),
        name="now and then noise is left out",
        seen=seen,
    )


def stop_mistakes(
    law_of: Callable[[dict, np.ndarray], dict],
    offsets: Callable[[dict], tuple[float, ...]],
    noises: Callable[[dict], tuple[Noise, Noise]] = lambda p: (Noise(2.0), Noise(4.0)),
) -> tuple[Mistake, ...]:
    """Return the mistakes in how a run goes on and stops.

    `law_of` makes an answer's law of the probabilities to stop at each answer, or at none;
    `offsets` gives the answers of a setting, and `noises` its right noise.
    """
    return tuple(
        Mistake(name, lambda p, form=form: law_of(p, form(offsets(p), *noises(p))), ask)
        for form, name, ask in _FORMS
    )
