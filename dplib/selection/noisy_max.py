"""The best candidate after Laplace noise, alone or with its lead."""

import numpy as np

from dplib import _validate
from dplib.selection._scores import flag, matched


def report_noisy_max(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Choose the candidate whose score is highest after Laplace noise, with epsilon-privacy.

    The noise has scale 2 * sensitivity / epsilon, or sensitivity / epsilon if the scores are
    monotone. With the smaller scale and other scores the claim is false: at epsilon 1, two
    candidates whose scores go from a tie to a gap of 2 give a ratio of 3.69, not e.
    Only the candidate may be published, not its noisy score.

    Args:
      candidates: m things to choose from, a sequence, public.
      scores: one number for each candidate, shape (m,), finite; higher is better.
      sensitivity: largest change of any one score between neighbors (add_remove or replace_one; the
        guarantee holds for the same ones), > 0.
      epsilon: privacy cost spent by this choice, > 0, without unit.
      monotone: True if one more person moves all scores in the same direction.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      4 * sensitivity * ln(m / beta) / epsilon of the best score (half of that if monotone).

    Raises:
      ValueError: an argument is out of range, or scores are not one for each candidate.

    Source: Dwork & Roth (2014), section 3.3, claim 3.9 (monotone scores).
    """
    options, scores = matched(candidates, scores)
    noisy = _with_noise(scores, sensitivity, epsilon, monotone, rng)
    return options[int(np.argmax(noisy))]


def noisy_max_with_gap(
    candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None
) -> tuple:
    """Choose as `report_noisy_max` does, and say by how much: the gap costs no more.

    The noise is that of `report_noisy_max`. On a neighbor the winner's noise can make up for the
    moves of all scores, so that the same candidate wins by the same gap; it has to move by at most
    2 * sensitivity, or by at most sensitivity if the scores are monotone.

    Args:
      candidates, scores, sensitivity, epsilon, monotone, rng: as in `report_noisy_max`; at least
        two candidates.

    Returns:
      The candidate, and the noisy gap: how far its noisy score is above the next one, >= 0, in the
      units of the scores. It is a noisy number of the gap between the two exact scores, and too
      large on average, since the winner's noise is.

    Raises:
      ValueError: an argument is out of range, or there are fewer than two candidates.

    Source: Ding, Wang, Zhang & Kifer (2019), "Free gap information".
    """
    options, scores = matched(candidates, scores)
    if len(options) < 2:
        raise ValueError(f"candidates must be at least two, got {candidates!r}")
    noisy = _with_noise(scores, sensitivity, epsilon, monotone, rng)
    second, first = np.argsort(noisy)[-2:]
    return options[first], float(noisy[first] - noisy[second])


def _with_noise(scores: np.ndarray, sensitivity, epsilon, monotone, rng) -> np.ndarray:
    # Privacy, for any noise on the other candidates: one wins if its own noise exceeds the gap to
    # the best of the others. Between neighbors that gap moves by at most 2 * sensitivity; if the
    # scores move together, by at most sensitivity.
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    scale = scale if flag(monotone) else 2 * scale
    return scores + _validate.generator(rng).laplace(scale=scale, size=scores.shape)
