"""The sparse vector technique: many questions asked, only the few above a threshold paid for."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.laplace import laplace_mechanism
from dplib.sensitivity import private_mean

__all__ = [
    "above_threshold",
    "auto_clipping_bound",
    "auto_mean",
    "range_queries_above",
    "sparse",
]


def above_threshold(
    answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None
) -> int | None:
    """Return the index of the first answer above a threshold, up to noise, at a cost of epsilon.

    The cost is epsilon however many answers are looked at. It holds for the neighbors (add_remove
    or replace_one) for which `sensitivity` was computed. Only the index may be published: an answer
    costs extra, and so does one more index (see `sparse`).

    Args:
      answers: exact answers. An array, list or Series of shape (m,), finite; or any other iterable
        of numbers: then each is asked for only when all before it were found to be below, so it
        may depend on that (and one that is not finite raises only when it is reached).
      threshold: public number, in the units of the answers.
      epsilon: privacy cost of the whole run, > 0, without unit.
      sensitivity: largest change of any one answer between neighbors, > 0.
      monotone: True if one more person moves no answer down (or none up), as for counts under
        add_remove. Then the answers get half of the noise.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      An index from 0, or None if no answer was found above. With probability at least 1 - beta no
      answer that was passed over is above threshold + alpha and the one reported is not below
      threshold - alpha, where alpha = 8 * sensitivity * (ln(m) + ln(2 / beta)) / epsilon (at most
      that if monotone).

    Raises:
      ValueError: an argument is out of range, or answers is an empty array.

    Source: Dwork & Roth (2014), section 3.6, algorithm 1 and theorems 3.23 and 3.24; Lyu, Su & Li
    (2017) for monotone answers.
    """
    law = {"threshold": threshold, "epsilon": epsilon, "sensitivity": sensitivity}
    return next(_runs(answers, **law, monotone=monotone, rng=rng), None)


def sparse(
    answers, *, threshold, count, epsilon, sensitivity=1, monotone=False, rng=None
) -> list[int]:
    """Return the indices of the first `count` answers above a threshold, up to noise.

    Runs `above_threshold` again on the answers that follow, with fresh noise, up to `count` times.
    Each run costs epsilon / count, so all of them cost epsilon (sequential composition), for the
    neighbors (add_remove or replace_one) for which `sensitivity` was computed.

    Args:
      answers: as in `above_threshold`; of an iterable, no answer is asked for after the last run.
      threshold: public number, in the units of the answers.
      count: how many indices at most, whole, at least 1.
      epsilon: privacy cost of all runs together, > 0, without unit.
      sensitivity: largest change of any one answer between neighbors, > 0.
      monotone: True if one more person moves no answer down (or none up), as for counts under
        add_remove. Then the answers get half of the noise.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      At most `count` indices from 0, ascending; an empty list if no answer was found above. Each
      run errs as `above_threshold` does at epsilon / count.

    Raises:
      ValueError: an argument is out of range, or answers is an empty array.

    Source: Dwork & Roth (2014), section 3.6, algorithm 2 with delta = 0. The threshold's noise is
    drawn afresh after each index: Lyu, Su & Li (2017) show what may be kept, and what may not.
    """
    count = _validate.whole("count", count)
    share = _validate.positive("epsilon", epsilon) / count
    law = {"threshold": threshold, "epsilon": share, "sensitivity": sensitivity}
    return list(islice(_runs(answers, **law, monotone=monotone, rng=rng), count))


def _runs(answers, *, threshold, epsilon, sensitivity, monotone, rng) -> Iterator[int]:
    """Check the arguments; return the indices at which successive runs stop, one at a time."""
    threshold = _validate.number("threshold", threshold)
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    if not isinstance(monotone, bool | np.bool_):
        raise ValueError(f"monotone must be True or False, got {monotone!r}")
    blocks, generator = _blocks(answers), _validate.generator(rng)

    def stops():
        place = 0
        # Dwork & Roth (2014), proof of theorem 3.23. The threshold's noise pays epsilon / 2 for all
        # answers below, whatever their number: if each rises by the sensitivity, a threshold higher
        # by as much hides it. The stop costs the other half: its answer against that threshold
        # moves by 2 * sensitivity. Monotone (Lyu, Su & Li 2017): if all answers rise, it
        # rises with them; if all fall, no other threshold is needed. Either way it moves by one.
        answer_scale = (2 if monotone else 4) * scale
        noisy_threshold = threshold + generator.laplace(scale=2 * scale)
        for block in blocks:
            while block.size:
                noise = generator.laplace(scale=answer_scale, size=block.shape)
                above = block + noise >= noisy_threshold
                if not above.any():
                    break
                passed = int(above.argmax()) + 1
                place, block = place + passed, block[passed:]
                yield place - 1
                noisy_threshold = threshold + generator.laplace(scale=2 * scale)
            place += block.size

    return stops()


def _blocks(answers) -> Iterable[np.ndarray]:
    """Return the answers as arrays: all in one if they are there, else one by one, when needed."""
    if isinstance(answers, Sequence | np.ndarray | pd.Series | pd.Index):
        return [_validate.vector("answers", answers)]
    if not isinstance(answers, Iterable):
        raise ValueError(f"answers must be an array or an iterable, got {answers!r}")
    return (np.array([_validate.number("answers", answer)]) for answer in answers)


def auto_clipping_bound(values, *, candidates, epsilon, rng=None):
    """Choose the smallest clipping bound that almost nobody exceeds, with epsilon-privacy.

    `above_threshold` is asked, candidate by candidate, whether minus the number of values above it
    reaches 0. One person moves that number by at most 1, for both neighbors, add_remove and
    replace_one; so the guarantee is epsilon for both.

    Args:
      values: array of shape (n,), finite.
      candidates: m possible bounds, public, > 0, strictly increasing, in the units of the values.
      epsilon: privacy cost of the choice, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the candidates; the largest if none was found good. With probability at least 1 - beta
      either it is that one, or at most 8 * (ln(m) + ln(2 / beta)) / epsilon values exceed it.

    Raises:
      ValueError: an argument is out of range, or values or candidates are empty.

    Source: Dwork & Roth (2014), algorithm 1, with a count as question.
    """
    bounds = _validate.vector("candidates", candidates)
    if bounds[0] <= 0 or (np.diff(bounds) <= 0).any():
        raise ValueError(f"candidates must be positive and strictly increasing, got {candidates!r}")
    ordered = np.sort(_validate.vector("values", values))
    exceeding = len(ordered) - np.searchsorted(ordered, bounds, side="right")
    index = above_threshold(-exceeding, threshold=0, epsilon=epsilon, rng=rng)
    return bounds[-1 if index is None else index].item()


def auto_mean(values, *, candidates, epsilon, rng=None) -> float:
    """Release the mean of values of at least 0, not knowing how large they are, for epsilon in all.

    A third of epsilon chooses the clipping bound b (`auto_clipping_bound`). Then b is public, and
    `private_mean` spends the rest: a third on the noisy sum of the values clipped to [0, b], which
    one person moves by at most b, a third on the noisy count, which one person moves by at most 1.
    By sequential composition the guarantee is epsilon, for both neighbors, add_remove and
    replace_one.

    Args:
      values: array of shape (n,), finite; below 0 they count as 0.
      candidates: m possible bounds, public, > 0, strictly increasing, in the units of the values.
      epsilon: privacy cost of all three releases together, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy mean, in [0, b]. Its error: what clipping takes from the values above b, and
      noise of about 3 * b / (n * epsilon) from the sum and as much at most from the count.

    Raises:
      ValueError: an argument is out of range, or values or candidates are empty.

    Source: sequential composition (Dwork & Roth 2014, theorem 3.16).
    """
    share = _validate.positive("epsilon", epsilon) / 3
    bound = auto_clipping_bound(values, candidates=candidates, epsilon=share, rng=rng)
    return private_mean(values, lower=0, upper=bound, epsilon=2 * share, rng=rng)


def range_queries_above(values, *, ranges, threshold, count, epsilon, rng=None) -> dict:
    """Release how many values lie in each of the first `count` ranges that hold many.

    Half of epsilon finds up to `count` ranges whose number of values is above the threshold, up to
    noise (`sparse`). The other half pays for their noisy numbers, epsilon / (2 * count) each. One
    person moves the number in a range by at most 1, for both neighbors, add_remove and replace_one;
    so the guarantee is epsilon for both.

    Args:
      values: array of shape (n,), finite; without values every range holds 0.
      ranges: m pairs (lower, upper) with lower < upper, public, all different. A range holds
        lower <= value < upper, so (30, 31) is one year of age; with both bounds excluded it would
        always be empty.
      threshold: public number of people.
      count: how many ranges are reported at most, whole, at least 1.
      epsilon: privacy cost of the whole release, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      {(lower, upper): noisy number}, in the order of `ranges`. A noisy number has Laplace noise of
      scale 2 * count / epsilon.

    Raises:
      ValueError: an argument is out of range, a range is empty, or two are the same.

    Source: sequential composition (Dwork & Roth 2014, theorem 3.16) of their algorithm 2 and the
    Laplace mechanism.
    """
    bounds = _validate.finite_array("ranges", ranges)
    if bounds.ndim != 2 or bounds.shape[1] != 2 or (bounds[:, 0] >= bounds[:, 1]).any():
        raise ValueError(f"ranges must be pairs with lower < upper, got {ranges!r}")
    pairs = [tuple(pair) for pair in ranges]
    if len(set(pairs)) < len(pairs):
        raise ValueError(f"ranges must be different, got {ranges!r}")
    # Without anybody the numbers are exactly 0: a count must not stop where a neighbor is answered.
    exact = _validate.vector("values", values) if np.size(values) else np.zeros(0)
    below = np.searchsorted(np.sort(exact), bounds, side="left")
    numbers = below[:, 1] - below[:, 0]
    half = _validate.positive("epsilon", epsilon) / 2
    found = sparse(numbers, threshold=threshold, count=count, epsilon=half, rng=rng)
    # At most `count` numbers, each moved by at most 1: their L1 sensitivity is at most `count`.
    if not found:
        return {}
    noisy = laplace_mechanism(numbers[found], sensitivity=count, epsilon=half, rng=rng)
    return {pairs[index]: float(answer) for index, answer in zip(found, noisy, strict=True)}
