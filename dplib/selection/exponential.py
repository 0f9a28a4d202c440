"""The exponential mechanism, and a median and a mode chosen by it."""

import numpy as np

from dplib import _validate
from dplib._categories import category_codes
from dplib.selection._scores import exponents, matched


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
    law = {"sensitivity": sensitivity, "epsilon": epsilon, "monotone": monotone}
    weights = np.exp(exponents(scores, **law))
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
      epsilon: privacy cost spent by this choice, > 0, without unit.
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
    options, scores = matched(candidates, scores)
    # Privacy: between neighbors a weight grows by a factor of at most exp(epsilon / 2), and the sum
    # of the weights shrinks by at most the same. Monotone: weight and sum grow together, or shrink
    # together, each by a factor of at most exp(epsilon), so their ratio changes by one such factor.
    probabilities = selection_probabilities(
        scores, sensitivity=sensitivity, epsilon=epsilon, monotone=monotone
    )
    return options[_validate.generator(rng).choice(len(options), p=probabilities)]


def private_median(values, *, candidates, epsilon, rng=None):
    """Choose a candidate near the median of `values`, with epsilon-differential privacy.

    A candidate's score is the number of values at or below it, or at or above it, whichever is
    smaller; it is largest at a median. One person more moves each of these two numbers up by 0
    or 1, so the score has sensitivity 1 and is monotone: the guarantee is epsilon for add_remove.
    One person replaced is one removed and one added: 2 * epsilon for replace_one.

    Args:
      values: array of shape (n,), finite.
      candidates: m numbers to choose from, public, in the units of the values.
      epsilon: privacy cost spent by this choice, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates. With probability at least 1 - beta its score is within
      ln(m / beta) / epsilon of the best candidate's: about so many people away from it.

    Raises:
      ValueError: an argument is out of range, or values or candidates are empty.

    Source: the exponential mechanism (McSherry & Talwar 2007) with a rank as score.
    """
    ordered = np.sort(_validate.vector("values", values))
    places = _validate.vector("candidates", candidates)
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
      epsilon: privacy cost spent by this choice, > 0, without unit.
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
