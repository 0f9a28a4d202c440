"""The local model: each person adds the noise to their own answer, so nobody has to be trusted.

The neighbors are replace_one, for one person at a time: whatever the value of one person, no report
of theirs is more than exp(epsilon) times as likely as under any other value. Who takes part, and so
how many (n), is public. A person who reports again spends epsilon again.
"""

import math

import numpy as np

from dplib import _validate
from dplib._categories import category_codes

__all__ = [
    "aggregate",
    "direct_aggregate",
    "direct_encode",
    "direct_perturb",
    "direct_probabilities",
    "estimate_count",
    "perturb",
    "randomized_response",
    "unary_encode",
]


#: What the form of `randomized_response` with two coins spends: truth has probability 3/4.
TWO_COINS = math.log(3)


def randomized_response(answers, *, epsilon=TWO_COINS, rng=None):
    """Report each yes or no truthfully with probability exp(epsilon) / (1 + exp(epsilon)).

    Each report is epsilon-private for its own person (replace_one). At ln 3 truth has probability
    3/4: the form with two coins, where on tails a second coin answers instead.

    Args:
      answers: True or False (or 1, 0), one or an array of any shape, one entry a person.
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The reports, True or False, of the shape of `answers`; `estimate_count` reads them.

    Raises:
      ValueError: answers is empty or not of that kind, or epsilon is out of range.

    Source: Warner (1965); with two coins in Dwork & Roth (2014), section 3.2.
    """
    truth = _bits("answers", answers)
    _, lie = direct_probabilities(domain_size=2, epsilon=epsilon)
    # The small probability is the one compared, so that rounding can only add lies.
    return _validate.like_input(truth ^ (_validate.generator(rng).random(truth.shape) < lie))


def estimate_count(reports, *, epsilon):
    """Return the unbiased estimate of how many true answers were yes (post-processing: free).

    Args:
      reports: array of shape (n,) from `randomized_response`.
      epsilon: the epsilon of the reports.

    Returns:
      The estimate, a float, possibly below 0 or above n. At ln 3 it is 2 * (yes - n / 4), with
      variance 3 * n / 4 whatever the answers are.

    Raises:
      ValueError: reports is empty or not true or false, or epsilon is out of range.

    Source: Warner (1965).
    """
    seen = _bits("reports", np.ravel(reports))
    p, q = direct_probabilities(domain_size=2, epsilon=epsilon)
    return float(_unbiased(np.count_nonzero(seen), people=len(seen), p=p, q=q))


def direct_probabilities(*, domain_size, epsilon):
    """Return (p, q) of direct encoding: how likely the true category is, and each other one.

    Args:
      domain_size: number of categories k, >= 2.
      epsilon: privacy cost of each person, from 1e-6 to 30. p / q = exp(epsilon).

    Raises:
      ValueError: an argument is out of range.

    Source: Kairouz, Oh & Viswanath (2014), k-ary randomized response.
    """
    others = _validate.whole("domain_size", domain_size, least=2) - 1
    # p = e^epsilon / (e^epsilon + k - 1), q = 1 / (e^epsilon + k - 1).
    ratio = math.exp(-local_epsilon(epsilon))
    p = 1 / (1 + others * ratio)
    return p, ratio * p


def direct_encode(values, *, categories):
    """Return the place of each value in the public categories: 0 for the first.

    Args:
      values: one value, or a sequence of n; each in `categories`, none missing.
      categories: the public domain, two different values or more, fixed in advance. (Read off the
        data they show who is there: epsilon is infinite.)

    Returns:
      An int, or an int64 array of shape (n,).

    Raises:
      ValueError: categories repeat, are missing or fewer than two, or a value is not among them.
    """
    codes = _places(values, categories)
    return codes if np.ndim(codes) else int(codes)


def _places(values, categories) -> np.ndarray:
    single = np.ndim(values) == 0
    codes = category_codes("values", [values] if single else values, categories, least=2)
    if codes.size == 0:
        raise ValueError(f"values must not be empty, got {values!r}")
    return codes[0] if single else codes


def direct_perturb(codes, *, domain_size, epsilon, rng=None):
    """Report each code truthfully with probability p, else one of the others, all equally likely.

    Each report is epsilon-private for its own person (replace_one).

    Args:
      codes: whole number or array of any shape, from 0 to domain_size - 1, one entry a person.
      domain_size: number of categories k, >= 2.
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The reported codes, of the shape of `codes`.

    Raises:
      ValueError: a code or an argument is out of range.

    Source: Kairouz, Bonawitz & Ramage (2016); "direct encoding" in Wang, Blocki, Li & Jha (2017).
    """
    truth = _codes("codes", codes, domain_size)
    _, q = direct_probabilities(domain_size=domain_size, epsilon=epsilon)
    generator = _validate.generator(rng)
    lies = generator.random(truth.shape) < (domain_size - 1) * q
    # A shift by 1 to k - 1 places, around the circle, reaches each other category once.
    shift = generator.integers(1, domain_size, size=truth.shape)
    return _validate.like_input((truth + lies * shift) % int(domain_size))


def direct_aggregate(reports, *, domain_size, epsilon):
    """Return the unbiased estimate of each category's count (post-processing: free).

    Args:
      reports: codes from `direct_perturb`, shape (n,).
      domain_size: number of categories k, >= 2.
      epsilon: the epsilon of the reports.

    Returns:
      Array of shape (k,). It sums to n; an entry can be negative. `estimate_variance`, with the p
      and q of `direct_probabilities`, gives each variance.

    Raises:
      ValueError: a report or an argument is out of range.

    Source: Wang, Blocki, Li & Jha (2017), the estimator of a pure protocol.
    """
    seen = np.ravel(_codes("reports", reports, domain_size))
    p, q = direct_probabilities(domain_size=domain_size, epsilon=epsilon)
    return _unbiased(np.bincount(seen, minlength=int(domain_size)), people=len(seen), p=p, q=q)


def unary_encode(values, *, categories):
    """Return each value as a row of bits: 1 at the place of its category, 0 elsewhere.

    Args:
      values: one value, or a sequence of n; each in `categories`, none missing.
      categories: the public domain of k >= 2 different values, fixed in advance.

    Returns:
      int8 array of shape (k,) for one value, (n, k) for a sequence.

    Raises:
      ValueError: categories repeat, are missing or fewer than two, or a value is not among them.

    Source: Wang, Blocki, Li & Jha (2017), unary encoding.
    """
    # Not by `direct_encode`: an answer to that exercise may use this function.
    codes = np.asarray(_places(values, categories))
    return (codes[..., np.newaxis] == np.arange(len(categories))).astype(np.int8)


def perturb(bits, *, p, q, rng=None):
    """Report each bit anew: a 1 as 1 with probability p, a 0 as 1 with probability q.

    Two rows of `unary_encode` differ in two bits, so a person's report is private with
    `unary_epsilon(p, q)` (replace_one). Bits that differ in more places cost more.

    Args:
      bits: zeros and ones (or truth values), an array of any shape.
      p: probability that a 1 stays 1, strictly between q and 1.
      q: probability that a 0 becomes 1, strictly between 0 and p.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      int8 array of the shape of `bits`.

    Raises:
      ValueError: p or q is out of range, or bits is empty or holds something else.

    Source: Erlingsson, Pihur & Korolova (2014); Wang, Blocki, Li & Jha (2017).
    """
    truth = _bits("bits", bits)
    p, q = two_probabilities(p, q)
    uniform = _validate.generator(rng).random(truth.shape)
    return _validate.like_input(((uniform < q) | ((uniform < p) & truth)).view(np.int8))


def aggregate(reports, *, p, q):
    """Return the unbiased estimate of each category's count (post-processing: free).

    Args:
      reports: rows from `perturb`, shape (n, k).
      p, q: the probabilities of the reports.

    Returns:
      Array of shape (k,): an entry can be negative, and they need not sum to n.
      `estimate_variance` gives the variance of each.

    Raises:
      ValueError: reports has another shape or holds something else, or p or q is out of range.

    Source: Wang, Blocki, Li & Jha (2017), the estimator of a pure protocol.
    """
    seen = _bits("reports", reports)
    if seen.ndim != 2:
        raise ValueError(f"reports must have shape (n, k), got {seen.shape}")
    p, q = two_probabilities(p, q)
    return _unbiased(np.count_nonzero(seen, axis=0), people=len(seen), p=p, q=q)


def local_epsilon(value: object) -> float:
    """Return epsilon; beyond these bounds p and q are equal, or 1 and 0, in floating point."""
    epsilon = _validate.positive("epsilon", value)
    if not 1e-6 <= epsilon <= 30:
        raise ValueError(f"epsilon must lie between 1e-6 and 30, got {value!r}")
    return epsilon


def two_probabilities(p: object, q: object) -> tuple[float, float]:
    """Return p and q; ValueError unless 0 < q < p < 1."""
    high, low = _validate.probability("p", p), _validate.probability("q", q)
    if low >= high:
        raise ValueError(f"q must be below p, got p {p!r} and q {q!r}")
    return high, low


def _bits(name: str, value: object) -> np.ndarray:
    """Return `value` as truth values of its shape; ValueError unless all are 0 or 1."""
    array = np.asarray(value)
    if array.dtype.kind not in "bi":
        array = _validate.finite_array(name, value)
    truths = array == 1
    if not (truths | (array == 0)).all() or not array.size:
        raise ValueError(f"{name} must hold true or false, or 1 and 0, got {value!r}")
    return truths


def _codes(name: str, value: object, domain_size: object) -> np.ndarray:
    """Return `value` as int64 of its shape; ValueError unless all are below `domain_size`."""
    size = _validate.whole("domain_size", domain_size, least=2)
    codes = _validate.integer_array(name, value)
    if (codes < 0).any() or (codes >= size).any():
        raise ValueError(f"{name} must lie between 0 and {size - 1}, got {value!r}")
    return codes


def _unbiased(sums, *, people, p, q):
    """Solve E[sum] = count * p + (people - count) * q for the count."""
    return (sums - people * q) / (p - q)
