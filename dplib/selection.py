"""Choice of one candidate from a public list, by noisy scores."""

from __future__ import annotations

import numpy as np

from dplib import _validate
from dplib._categories import category_codes

__all__ = [
    "exponential_mechanism",
    "noisy_max_with_gap",
    "permute_and_flip",
    "permute_and_flip_probabilities",
    "private_median",
    "private_mode",
    "report_noisy_max",
    "selection_probabilities",
]


def selection_probabilities(scores, *, sensitivity, epsilon, monotone=False):
    """Return how likely `exponential_mechanism` is to choose each candidate.

    The probability of a score u is proportional to exp(epsilon * u / (2 * sensitivity)), without
    the 2 if the scores are monotone. Any finite scores are safe: only gaps to the best one are
    exponentiated. Taken literally, the formula gives NaN for scores in the thousands.

    Args:
      scores: one number for each candidate, shape (m,), finite; higher is better.
      sensitivity: largest change of any one score between neighbors, units of the scores, > 0.
      epsilon: as in `exponential_mechanism`, > 0.
      monotone: as in `exponential_mechanism`.

    Returns:
      Probabilities, array of shape (m,), with sum 1.

    Raises:
      ValueError: an argument is out of range, or scores is empty or not one-dimensional.

    Source: McSherry & Talwar (2007); Dwork & Roth (2014), definition 3.4.
    """
    exponents = _exponents(scores, sensitivity=sensitivity, epsilon=epsilon, monotone=monotone)
    weights = np.exp(exponents)
    return weights / weights.sum()


def exponential_mechanism(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Choose one candidate, a good one with high probability, with epsilon-differential privacy.

    The guarantee holds for the neighbors (add_remove or replace_one) for which `sensitivity` was
    computed. The candidates must be public: a list read off the data changes with one person, and
    then epsilon is infinite. State the true sensitivity: scores divided by 1000 that are declared
    with sensitivity 1 spend only epsilon / 1000, and choose accordingly badly.

    Args:
      candidates: m things to choose from, a sequence.
      scores: one number for each candidate, shape (m,), finite; higher is better.
      sensitivity: largest change of any one score between neighbors, units of the scores, > 0.
      epsilon: privacy loss spent by this choice, > 0, without unit.
      monotone: True if one more person moves all scores in the same direction (no score up while
        another goes down), as for counts under add_remove. Then the factor 2 is not needed.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      2 * sensitivity * ln(m / beta) / epsilon of the best score (half of that if monotone).

    Raises:
      ValueError: an argument is out of range, or scores are not one for each candidate.

    Source: McSherry & Talwar (2007); Dwork & Roth (2014), theorems 3.10 and 3.11.
    """
    options, scores = _matched(candidates, scores)
    # Privacy: between neighbors a weight grows by a factor of at most exp(epsilon / 2), and the sum
    # of the weights shrinks by at most the same. Monotone: weight and sum grow together, or shrink
    # together, each by a factor of at most exp(epsilon), so their ratio changes by one such factor.
    probabilities = selection_probabilities(
        scores, sensitivity=sensitivity, epsilon=epsilon, monotone=monotone
    )
    return options[_validate.generator(rng).choice(len(options), p=probabilities)]


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
      epsilon: privacy loss spent by this choice, > 0, without unit.
      monotone: True if one more person moves all scores in the same direction.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      4 * sensitivity * ln(m / beta) / epsilon of the best score (half of that if monotone).

    Raises:
      ValueError: an argument is out of range, or scores are not one for each candidate.

    Source: Dwork & Roth (2014), section 3.3, claim 3.9 (monotone scores).
    """
    options, scores = _matched(candidates, scores)
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
    options, scores = _matched(candidates, scores)
    if len(options) < 2:
        raise ValueError(f"candidates must be at least two, got {candidates!r}")
    noisy = _with_noise(scores, sensitivity, epsilon, monotone, rng)
    second, first = np.argsort(noisy)[-2:]
    return options[first], float(noisy[first] - noisy[second])


def permute_and_flip(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Choose one candidate with epsilon-differential privacy, never worse than the exponential.

    Candidates are visited in random order. Each is accepted with probability
    exp(epsilon * (score - best score) / (2 * sensitivity)), without the 2 if the scores are
    monotone, so the best one always is; the first to be accepted is returned. The expected score is
    at least that of `exponential_mechanism`.

    Args:
      candidates: m things to choose from, a sequence, public.
      scores: one number for each candidate, shape (m,), finite; higher is better.
      sensitivity: largest change of any one score between neighbors (add_remove or replace_one; the
        guarantee holds for the same ones), > 0.
      epsilon: privacy loss spent by this choice, > 0, without unit.
      monotone: True if one more person moves all scores in the same direction.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      2 * sensitivity * ln(m / beta) / epsilon of the best score (half of that if monotone).

    Raises:
      ValueError: an argument is out of range, or scores are not one for each candidate.

    Source: McKenna & Sheldon (2020).
    """
    options, scores = _matched(candidates, scores)
    law = {"sensitivity": sensitivity, "epsilon": epsilon, "monotone": monotone}
    chances = np.exp(_exponents(scores, **law))
    generator = _validate.generator(rng)
    order = generator.permutation(len(options))
    accepted = generator.random(len(options)) < chances[order]
    return options[order[int(np.argmax(accepted))]]


def permute_and_flip_probabilities(scores, *, sensitivity, epsilon, monotone=False):
    """Return how likely `permute_and_flip` is to choose each candidate, exact up to rounding.

    Args:
      scores: one number for each candidate, shape (m,), finite; higher is better. Time and memory
        grow with m**2: meant for up to some thousand candidates.
      sensitivity: as in `permute_and_flip`, > 0.
      epsilon: as in `permute_and_flip`, > 0.
      monotone: as in `permute_and_flip`.

    Returns:
      Probabilities, array of shape (m,), with sum 1.

    Raises:
      ValueError: an argument is out of range, or scores is empty or not one-dimensional.

    Source: the law of the mechanism of McKenna & Sheldon (2020). Let every candidate arrive at its
    own uniform time in [0, 1]. One that arrives at time t and is accepted wins unless another
    one has come before t and was accepted, which for that other one has probability t * chance.
    """
    from scipy.special import roots_legendre

    law = {"sensitivity": sensitivity, "epsilon": epsilon, "monotone": monotone}
    chances = np.exp(_exponents(scores, **law))
    # The product over the others is a polynomial in t of degree m - 1: these nodes integrate it
    # exactly. All terms are positive, so nothing cancels.
    nodes, weights = roots_legendre(len(chances) // 2 + 1)
    missed = np.log1p(-np.outer((nodes + 1) / 2, chances))
    others = np.exp(missed.sum(axis=1, keepdims=True) - missed)
    return chances * (weights / 2 @ others)


def private_median(values, *, candidates, epsilon, rng=None):
    """Choose a candidate near the median of `values`, with epsilon-differential privacy.

    A candidate's score is the number of values at or below it, or at or above it, whichever is
    smaller; it is largest at a median. One person more moves each of these two numbers up by 0
    or 1, so the score has sensitivity 1 and is monotone: the guarantee is epsilon for add_remove.
    One person replaced is one removed and one added: 2 * epsilon for replace_one.

    Args:
      values: array of shape (n,), finite.
      candidates: m numbers to choose from, public, in the units of the values.
      epsilon: privacy loss spent by this choice, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      ln(m / beta) / epsilon of the best candidate's: about so many people away from it.

    Raises:
      ValueError: an argument is out of range, or values or candidates are empty.

    Source: the exponential mechanism (McSherry & Talwar 2007) with a rank as score.
    """
    ordered, places = (
        np.sort(_validate.vector("values", values)),
        _validate.vector("candidates", candidates),
    )
    at_most = np.searchsorted(ordered, places, side="right")
    at_least = len(ordered) - np.searchsorted(ordered, places, side="left")
    scores = np.minimum(at_most, at_least)
    return exponential_mechanism(
        candidates, scores, sensitivity=1, epsilon=epsilon, monotone=True, rng=rng
    )


def private_mode(values, *, categories, epsilon, rng=None):
    """Choose a category that is among the most frequent, with epsilon-differential privacy.

    The score is the count of a category: sensitivity 1, and monotone under add_remove. So the
    guarantee is epsilon for add_remove, and 2 * epsilon for replace_one.

    Args:
      values: n categories, one a person, array of shape (n,) or Series.
      categories: every possible category, public, all different; never read off the data.
      epsilon: privacy loss spent by this choice, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the categories. With probability at least 1 - beta its count is within
      ln(m / beta) / epsilon of the largest count, where m is the number of categories.

    Raises:
      ValueError: an argument is out of range, values is empty, or a value is not a category
        (a missing value needs a category of its own).

    Source: the exponential mechanism (McSherry & Talwar 2007) with a count as score.
    """
    codes = category_codes("values", values, categories)
    if codes.size == 0:
        raise ValueError("values must not be empty")
    counts = np.bincount(codes, minlength=len(categories))
    return exponential_mechanism(
        categories, counts, sensitivity=1, epsilon=epsilon, monotone=True, rng=rng
    )


def _matched(candidates, scores) -> tuple[list, np.ndarray]:
    """Return the candidates as a list and their scores; ValueError unless there is one for each."""
    try:
        options = list(candidates)
    except TypeError:
        raise ValueError(f"candidates must be a sequence, got {candidates!r}") from None
    scores = _validate.vector("scores", scores)
    if len(scores) != len(options):
        raise ValueError(
            f"scores must be one for each of {len(options)} candidates, got {len(scores)}"
        )
    return options, scores


def _with_noise(scores: np.ndarray, sensitivity, epsilon, monotone, rng) -> np.ndarray:
    # Privacy, for any noise on the other candidates: one wins if its own noise exceeds the gap to
    # the best of the others. Between neighbors that gap moves by at most 2 * sensitivity; if the
    # scores move together, by at most sensitivity.
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    scale = scale if _flag(monotone) else 2 * scale
    return scores + _validate.generator(rng).laplace(scale=scale, size=scores.shape)


def _flag(monotone) -> bool:
    """Return `monotone`; ValueError unless it is a truth value: a wrong one halves the noise."""
    if not isinstance(monotone, bool | np.bool_):
        raise ValueError(f"monotone must be True or False, got {monotone!r}")
    return bool(monotone)


def _exponents(scores, *, sensitivity, epsilon, monotone=False) -> np.ndarray:
    """Return epsilon * (score - best score) / (2 * sensitivity), without the 2 if monotone."""
    scores = _validate.vector("scores", scores)
    sensitivity = _validate.positive("sensitivity", sensitivity)
    epsilon = _validate.positive("epsilon", epsilon)
    # Halved before the subtraction, a gap cannot overflow. What overflows after it becomes minus
    # infinity, so weight 0, which is right; the best score keeps exponent 0 whatever happens.
    half_gaps = scores / 2 - scores.max() / 2
    with np.errstate(over="ignore"):
        return half_gaps / sensitivity * epsilon * (2 if _flag(monotone) else 1)
