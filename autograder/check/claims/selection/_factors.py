"""Wrong factors in the exponents of scores, which several mechanisms can have alike."""

from collections.abc import Callable

from autograder.check.mistakes import Mistake, mistakes_by

GAP = "by how much can the gap between two scores change, if one rises and the other falls?"
MORE = "what should happen to the noise when one person can change a score by more?"
LESS = "does a larger epsilon mean more noise, or less?"
_Number = Callable[[dict], float]
_Times = Callable[[_Number], Callable[[dict], dict]]


def monotone_mistakes(times: _Times, *, factor: str, together: str) -> tuple[Mistake, ...]:
    """Return what goes wrong with the factor 2, which monotone scores do not need.

    `times` gives the law of exponents multiplied by a number. `factor` is the question about the 2,
    `together` the one about scores that all move the same way.
    """
    return (
        Mistake(
            "the factor 2 is missing where scores are not monotone",
            times(lambda p: 1 if p["monotone"] else 2),
            factor,
        ),
        Mistake("monotone is ignored", times(lambda p: 0.5 if p["monotone"] else 1), together),
        Mistake(
            "monotone is taken the wrong way round",
            times(lambda p: 0.5 if p["monotone"] else 2),
            "for which scores is the factor 2 needed?",
        ),
    )


def exponent_mistakes(
    times: _Times, *, factor: str, together: str, more: str, less: str
) -> tuple[Mistake, ...]:
    """Return the wrong factors of exponents epsilon * score / (2 * sensitivity).

    `more` is the question about the sensitivity, `less` the one about epsilon; the others are those
    of `monotone_mistakes`.
    """
    return (
        *monotone_mistakes(times, factor=factor, together=together),
        *(
            Mistake(name, times(number), ask)
            for name, number, ask in (
                ("the exponent is divided by 2 twice", lambda p: 0.5, factor),
                (
                    "the exponent is multiplied by 2, not divided",
                    lambda p: 1 if p["monotone"] else 4,
                    factor,
                ),
                ("the sensitivity is ignored", lambda p: p["sensitivity"], more),
                ("the sensitivity multiplies the exponent", lambda p: p["sensitivity"] ** 2, more),
                (
                    "the sensitivity and the factor 2 are missing",
                    lambda p: p["sensitivity"] * (1 if p["monotone"] else 2),
                    more,
                ),
                ("epsilon is ignored", lambda p: 1 / p["epsilon"], less),
                ("epsilon divides the exponent", lambda p: p["epsilon"] ** -2, less),
                ("epsilon is squared", lambda p: p["epsilon"], less),
            )
        ),
    )


def noisy_max_mistakes(times: _Times) -> tuple[Mistake, ...]:
    """Return the wrong factors of noise on scores; `times` multiplies it by a number."""
    return (
        *monotone_mistakes(
            # As much less noise as the exponents would be larger.
            lambda factor: times(lambda p: 1 / factor(p)),
            factor=GAP,
            together="by how much can the gap between two scores change, if all scores move the "
            "same way?",
        ),
        *mistakes_by(
            times,
            {
                "the noise is halved": (lambda p: 0.5, GAP),
                "the sensitivity is ignored": (lambda p: 1 / p["sensitivity"], MORE),
                "epsilon is ignored": (lambda p: p["epsilon"], LESS),
                "epsilon multiplies the noise": (lambda p: p["epsilon"] ** 2, LESS),
            },
        ),
    )
