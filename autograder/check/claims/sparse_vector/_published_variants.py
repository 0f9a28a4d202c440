"""The wrong published forms of the sparse vector technique, as exact laws of what they say.

Lyu, Su & Li (2017) compare six published algorithms. Their algorithms 1 and 2 keep their promise,
3 to 6 do not. Here the threshold is 0, the sensitivity 1, and 3 and 4 stop at the first above.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autograder.check.claims.selection._noise import Noise, nodes_between

# The longest list of answers that the quadrature's panels are made for.
MOST = 40


@dataclass(frozen=True)
class Variant:
    """Scales of the noise in units of 1 / epsilon; whether it stops, and what it says of one above.

    `releases` is True if the noisy answer itself is said.
    """

    threshold_scale: float
    answer_scale: float
    stops: bool
    releases: bool = False


VARIANTS = {
    3: Variant(2.0, 2.0, stops=True, releases=True),
    4: Variant(4.0, 4 / 3, stops=True),
    5: Variant(2.0, 0.0, stops=False),
    6: Variant(2.0, 2.0, stops=False),
}


def chance(
    variant: Variant, answers: Sequence[float], outcome: Sequence[bool | float], epsilon: float
) -> float:
    """Return how likely a variant says `outcome` of the first answers.

    Only positive terms are added: the relative error is below 1e-12, and what is left out of the
    tails is below 1e-18.

    Args:
      variant: one of VARIANTS.
      answers: exact answers minus the threshold, at most MOST.
      outcome: False (below), True (above), or the number released, for the first of the answers.
      epsilon: what the variant claims to cost.

    Returns:
      A probability; with a released number a density, per 1 / epsilon. It is continuous in that
      number, so a ratio of densities is one of probabilities of a short interval around it.
    """
    offsets = np.array(answers[: len(outcome)], dtype=float) * epsilon
    threshold = Noise(variant.threshold_scale)
    if not variant.answer_scale:
        return _without_answer_noise(offsets, outcome, threshold)
    answer = Noise(variant.answer_scale)
    numbers = [float(each) * epsilon for each in outcome if not isinstance(each, bool)]
    # The error bound of `_noise.py`, for more answers and so for panels that are narrower.
    finest = answer.scale * 4 / max(8, len(offsets))
    nodes, weights = nodes_between([0.0, *offsets, *numbers], [threshold.scale, finest])
    product = weights * threshold.density(nodes)
    for offset, said in zip(offsets, outcome, strict=True):
        if isinstance(said, bool):
            product = product * (answer.above if said else answer.below)(nodes - offset)
        else:
            number = np.array(float(said) * epsilon)
            product = product * (nodes <= number) * answer.density(number - offset)
    return float(product.sum())


def _without_answer_noise(offsets: np.ndarray, outcome: Sequence[bool], threshold: Noise) -> float:
    """Return the chance that the noisy threshold lies between those below and those above it."""
    said = np.array(outcome, dtype=bool)
    low = max(offsets[~said], default=-np.inf)
    high = min(offsets[said], default=np.inf)
    if low >= high:
        return 0.0
    # From the side on which both tails are small, so that nothing cancels.
    if low > 0:
        return float(threshold.above(np.array(low)) - threshold.above(np.array(high)))
    return float(threshold.below(np.array(high)) - threshold.below(np.array(low)))
