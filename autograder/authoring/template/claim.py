"""✎ What the exercise asks for: here the scale of Laplace noise, sensitivity / epsilon."""

from autograder.check.function_claim import FunctionClaim


# ✎ The right function, worked out without dplib. Its docstring is what `help` shows.
def exercise_name(sensitivity, *, epsilon):
    """The scale of Laplace noise: sensitivity / epsilon."""
    # Dwork & Roth (2014), definition 3.3.
    return sensitivity / epsilon


CLAIM = FunctionClaim(exercise_name)


@CLAIM.inputs
def six(rng):
    """Epsilon well below 1 and well above."""
    for epsilons in ((0.2, 0.45), (1.7, 3.0)):
        for _ in range(3):
            yield {
                "sensitivity": round(rng.uniform(2.2, 6.0), 2),
                "epsilon": round(rng.uniform(*epsilons), 2),
            }


# ✎ One for each wrong idea that a student may have: its name, a question, a function that has it.
CLAIM.mistake(
    "the sensitivity is ignored",
    "what should happen to the noise when one person can change the answer by more?",
    lambda sensitivity, epsilon: 1 / epsilon,
)
CLAIM.mistake(
    "epsilon is ignored",
    "what should happen to the noise when less privacy may be lost?",
    given={"epsilon": 1},
)
CLAIM.mistake(
    "the value is upside down",
    "which of sensitivity and epsilon should make the noise larger, and which smaller?",
    then=lambda scale: 1 / scale,
)
CLAIM.mistake(
    "epsilon multiplies instead of divides",
    "does a larger epsilon mean more privacy or less?",
    lambda sensitivity, epsilon: sensitivity * epsilon,
)
