"""Exact laws of noisy choices: how likely each outcome is, by quadrature, right and wrong variants.

With them a claim of privacy is checked by arithmetic: take two neighbors' answers, and compare the
probabilities of every outcome. Nothing is simulated. Only positive terms are added, so small
probabilities, and their ratios, are right as well. Meant for up to some hundred answers.
"""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dplib import _validate

__all__ = [
    "VARIANTS",
    "SparseVectorVariant",
    "above_threshold_probabilities",
    "noisy_max_probabilities",
    "outcome_probability",
    "sparse_probabilities",
]


def noisy_max_probabilities(scores, *, scale):
    """Return how likely each score is to be the highest after Laplace noise of one scale.

    Args:
      scores: one number for each of m candidates, shape (m,), finite.
      scale: scale of the noise, > 0, in the units of the scores.

    Returns:
      Probabilities, array of shape (m,), each off by at most 1e-10.

    Raises:
      ValueError: an argument is out of range.
    """
    scores = _validate.vector("scores", scores)
    scale = _validate.positive("scale", scale)
    nodes, weights = _quadrature(scores, scales=(scale,))
    distances = nodes[:, None] - scores
    # Candidate r wins at noisy score z if all others are below: density of r, times their chances.
    below = _below(distances, scale)
    before = np.cumprod(np.column_stack([np.ones(len(nodes)), below[:, :-1]]), axis=1)
    after = np.cumprod(np.column_stack([np.ones(len(nodes)), below[:, :0:-1]]), axis=1)[:, ::-1]
    return weights @ (_density(distances, scale) * before * after)


def above_threshold_probabilities(answers, *, threshold, threshold_scale, answer_scale):
    """Return how likely `above_threshold` is to stop at each answer, for any scales of its noise.

    `dplib.above_threshold` has threshold_scale = 2 * sensitivity / epsilon and answer_scale twice
    that. Scale 0 is no noise.

    Args:
      answers: exact answers, shape (m,), finite.
      threshold: public number.
      threshold_scale: scale of the Laplace noise on the threshold, >= 0, units of the answers.
      answer_scale: scale of the Laplace noise on each answer, >= 0, units of the answers.

    Returns:
      Probabilities, shape (m + 1,), each off by at most 1e-10; the last one is that of None.

    Raises:
      ValueError: an argument is out of range.
    """
    scales = {"threshold_scale": threshold_scale, "answer_scale": answer_scale}
    answers, nodes, weights = _prepared(answers, threshold=threshold, **scales)
    distances = nodes[:, None] - answers
    passed = np.cumprod(_below(distances, answer_scale), axis=1)
    first = np.column_stack([np.ones(len(nodes)), passed[:, :-1]])
    stops = first * _above(distances, answer_scale)
    return weights @ np.column_stack([stops, passed[:, -1]])


def outcome_probability(answers, outcome, *, threshold, threshold_scale, answer_scale):
    """Return how likely one comparison of several answers with one noisy threshold ends like this.

    Args:
      answers: exact answers, shape (m,), finite.
      outcome: what was said of the first k of them, k <= m: False (below), True (above), or the
        noisy answer itself, a number, where a wrong variant releases it (then above, too).
      threshold: public number.
      threshold_scale: scale of the Laplace noise on the threshold, drawn once, >= 0.
      answer_scale: scale of the Laplace noise on each answer, >= 0; > 0 if a number is released.

    Returns:
      The probability, off by at most 1e-10; with released numbers the density, per unit of each.

    Raises:
      ValueError: an argument is out of range.
    """
    outcome = _said(outcome)
    if len(outcome) > len(answers):
        raise ValueError(f"outcome must say at most {len(answers)} things, got {len(outcome)}")
    released = [item for item in outcome if not isinstance(item, bool)]
    if released and not answer_scale:
        raise ValueError(f"answer_scale must be positive to release numbers, got {answer_scale!r}")
    scales = {"threshold_scale": threshold_scale, "answer_scale": answer_scale}
    answers, nodes, weights = _prepared(answers, threshold=threshold, places=released, **scales)
    product = weights
    for answer, item in zip(answers, outcome, strict=False):
        if not isinstance(item, bool):
            product = product * (nodes <= item) * _density(item - answer, answer_scale)
        else:
            product = product * (_above if item else _below)(nodes - answer, answer_scale)
    return float(product.sum())


def sparse_probabilities(
    answers, *, threshold, count, threshold_scale, answer_scale, redraw=True
) -> dict[tuple[int, ...], float]:
    """Return how likely `sparse` is to report each list of indices, for any scales of its noise.

    `dplib.sparse` has threshold_scale = 2 * count * sensitivity / epsilon, answer_scale twice that.

    Args:
      answers: exact answers, shape (m,), finite; m small, for every possible list is considered.
      threshold: public number.
      count: how many indices at most, whole, >= 1.
      threshold_scale: scale of the Laplace noise on the threshold, >= 0.
      answer_scale: scale of the Laplace noise on each answer, >= 0.
      redraw: True if the threshold's noise is drawn afresh after each index; False if it is kept.

    Returns:
      {indices: probability}, each off by at most 1e-10 for each index in it, and 1e-10.

    Raises:
      ValueError: an argument is out of range.
    """
    places = range(len(_validate.vector("answers", answers)))
    count = min(_validate.whole("count", count), len(places))
    scales = {"threshold_scale": threshold_scale, "answer_scale": answer_scale}
    law = {}
    for length in range(count + 1):
        for found in combinations(places, length):
            looked_at = found[-1] + 1 if length == count else len(places)
            outcome = [place in found for place in range(looked_at)]
            law[found] = _chance(answers, outcome, redraw=redraw, threshold=threshold, **scales)
    return law


@dataclass(frozen=True)
class SparseVectorVariant:
    """One of the six published forms of the sparse vector technique, as a law.

    Args:
      threshold_noise: scale of the threshold's noise, in units of sensitivity / epsilon.
      answer_noise: scale of an answer's noise, in the same units.
      times_count: which of the two is multiplied by the number of answers that may be above.
      limited: False if it never stops, however many answers are above.
      redraws: True if the threshold's noise is drawn afresh after each answer above.
      releases: True if an answer above is released as the noisy number that was compared.
    """

    threshold_noise: float
    answer_noise: float
    times_count: tuple[str, ...] = ()
    limited: bool = True
    redraws: bool = False
    releases: bool = False

    def probability(self, answers, outcome, *, threshold, epsilon, count=1, sensitivity=1):
        """Return how likely the variant is to say `outcome` of the first answers.

        Args:
          answers: exact answers, shape (m,).
          outcome: as in `outcome_probability`: numbers for answers above if the variant releases
            them, else truth values.
          threshold: public number.
          epsilon: privacy cost that was claimed, > 0.
          count: after how many answers above the variant stops.
          sensitivity: largest change of any one answer between neighbors, > 0.

        Returns:
          The probability (or density), off by at most 1e-10 for each threshold drawn.

        Raises:
          ValueError: an argument is out of range, or the variant cannot end like this.
        """
        outcome, count = _said(outcome), _validate.whole("count", count)
        self._check(outcome, count)
        unit = _validate.positive("sensitivity", sensitivity)
        unit /= _validate.positive("epsilon", epsilon)
        factors = {"threshold": self.threshold_noise, "answer": self.answer_noise}
        scales = {
            f"{name}_scale": factor * unit * (count if name in self.times_count else 1)
            for name, factor in factors.items()
        }
        return _chance(answers, outcome, redraw=self.redraws, threshold=threshold, **scales)

    def _check(self, outcome, count) -> None:
        """Raise ValueError unless the variant can say `outcome`."""
        above = [place for place, item in enumerate(outcome) if item is not False]
        if any(isinstance(outcome[place], bool) == self.releases for place in above):
            kind = "the released number" if self.releases else "True"
            raise ValueError(f"outcome must hold {kind} for an answer above, got {outcome!r}")
        if self.limited and len(above) >= count and above[count - 1] + 1 < len(outcome):
            raise ValueError(f"outcome must end with answer {count} above, got {outcome!r}")


#: Lyu, Su & Li (2017), algorithms 1 to 6. All claim epsilon; 1 and 2 keep it, 4 keeps
#: (1 + 6 * count) / 4 * epsilon, and 3, 5 and 6 keep none.
VARIANTS = {
    1: SparseVectorVariant(2, 4, times_count=("answer",)),
    2: SparseVectorVariant(2, 4, times_count=("threshold", "answer"), redraws=True),
    3: SparseVectorVariant(2, 2, times_count=("answer",), releases=True),
    4: SparseVectorVariant(4, 4 / 3),
    5: SparseVectorVariant(2, 0, limited=False),
    6: SparseVectorVariant(2, 2, limited=False),
}


def _said(outcome) -> list[bool | float]:
    """Return the outcome as a list of truth values and finite numbers; ValueError if it is none."""
    said = [
        bool(item) if isinstance(item, bool | np.bool_) else _validate.number("outcome", item)
        for item in outcome
    ]
    if not said:
        raise ValueError("outcome must not be empty")
    return said


def _chance(answers, outcome, *, redraw, **parameters) -> float:
    """Return how likely an outcome is, with one noisy threshold or a fresh one after each above."""
    pieces = _segments(outcome) if redraw else [(0, outcome)]
    return math.prod(
        outcome_probability(answers[start:], piece, **parameters) for start, piece in pieces
    )


def _segments(outcome):
    """Yield where each threshold begins, and what is said while it is in use."""
    start = 0
    for place, item in enumerate(outcome):
        if item is not False or place + 1 == len(outcome):
            yield start, outcome[start : place + 1]
            start = place + 1


def _prepared(answers, *, threshold, threshold_scale, answer_scale, places=()):
    """Check the arguments; return the answers, and nodes and weights for the threshold's law."""
    answers = _validate.vector("answers", answers)
    threshold = _validate.number("threshold", threshold)
    scales = []
    for name, scale in (("threshold_scale", threshold_scale), ("answer_scale", answer_scale)):
        if _validate.number(name, scale) < 0:
            raise ValueError(f"{name} must not be negative, got {scale!r}")
        scales.append(float(scale))
    if not threshold_scale:
        return answers, np.array([threshold]), np.ones(1)
    nodes, weights = _quadrature([threshold, *answers, *places], scales=scales)
    weights = weights * _density(nodes - threshold, threshold_scale)
    return answers, nodes[weights > 0], weights[weights > 0]


def _quadrature(points, *, scales):
    """Return nodes and weights for functions that bend at `points` and decay on the given scales.

    Gauss and Legendre's rule with 24 nodes on panels between the points: two of the finest scale
    wide up to 44 scales from a point (there exp(-44) is left, below 1e-19), then doubling.
    """
    from scipy.special import roots_legendre

    points, finest = np.unique(points), min(scale for scale in scales if scale > 0)
    reach = 44 * max(scales)
    grid = np.concatenate([[points[0] - reach], points, [points[-1] + reach]])
    gaps = np.diff(grid)[:, None]
    doublings = 2.0 ** np.arange(max(1, np.ceil(np.log2(gaps.max() / finest))))
    offsets = finest * np.concatenate([np.arange(0, 44, 2), 44 * doublings])
    near = offsets < gaps / 2
    low, high = (grid[:-1, None] + offsets)[near], (grid[1:, None] - offsets)[near]
    edges = np.unique(np.concatenate([low, high, grid]))
    places, weights = roots_legendre(24)
    halves = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + halves * (1 + places)).ravel(), (halves * weights).ravel()


def _density(distance, scale):
    """Return the density of Laplace noise at `distance` (Dwork & Roth 2014, definition 3.2)."""
    return np.exp(-np.abs(distance) / scale) / (2 * scale)


def _below(distance, scale):
    """Return the probability that noise is below `distance`; without noise, whether 0 is."""
    if not scale:
        return np.where(distance > 0, 1.0, 0.0)
    tail = np.exp(-np.abs(distance) / scale) / 2
    return np.where(distance > 0, 1 - tail, tail)


def _above(distance, scale):
    """Return the probability that noise is at or above `distance`; without noise, whether 0 is."""
    if not scale:
        return np.where(distance > 0, 0.0, 1.0)
    return _below(-np.asarray(distance), scale)
