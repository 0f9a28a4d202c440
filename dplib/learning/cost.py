"""The cost of training: many rounds together, and rounds on a random sample of the rows."""

import math

from dplib import _validate
from dplib.composition import advanced_composition, sequential_composition
from dplib.gaussian import analytic_gaussian_sigma
from dplib.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP


def gradient_descent_cost(*, iterations, epsilon, delta):
    """Return what noisy gradient descent costs in all when each round is (epsilon, delta)-private.

    A round adds the noise of `gaussian_mechanism`. The four ways to account for it are all right;
    they differ in how much they know about the noise. A noisy count is one round more.

    Args:
      iterations: number of rounds, at least 1.
      epsilon: of each round, > 0.
      delta: of each round, strictly between 0 and 1 / (iterations + 1).

    Returns:
      A dict: "sequential" and "advanced" composition, "rdp" and "zcdp" -> ApproximateDP, for the
      neighbors of the rounds, add_remove. The total delta is iterations * delta by sequential
      composition. The other three pay one delta more, since the advanced theorem needs it.

    Raises:
      ValueError: an argument is out of range, or the total delta would be 1 or more.

    Source: Dwork & Roth (2014), theorems 3.16 and 3.20; Mironov (2017), proposition 1 and corollary
    3; Bun & Steinke (2016), lemma 1.7 and proposition 1.6.
    """
    iterations = _validate.whole("iterations", iterations)
    each = ApproximateDP(epsilon, delta)
    total = (iterations + 1) * delta
    if total >= 1:
        raise ValueError(f"delta must be below 1 / {iterations + 1}, got {delta!r}")
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    # Bun & Steinke (2016), proposition 1.6. As a Rényi curve it is Mironov (2017), corollary 3.
    one = ZeroConcentratedDP(1 / (2 * sigma**2))
    return {
        "sequential": sequential_composition([each] * iterations),
        "advanced": advanced_composition(each, count=iterations, delta_prime=delta),
        "rdp": sequential_composition([one.to_rdp()] * iterations).to_approximate(delta=total),
        "zcdp": sequential_composition([one] * iterations).to_approximate(delta=total),
    }


def amplify_by_sampling(guarantee, *, rate):
    """Return what a mechanism promises when it sees a secret random sample of the rows.

    Each row is in the sample with probability `rate`, independently of the others (Poisson
    sampling), drawn afresh for each release. Who was in the sample must stay secret.

    Args:
      guarantee: PureDP or ApproximateDP of the mechanism on the sample, for add_remove, with an
        epsilon of at most 700.
      rate: above 0, at most 1.

    Returns:
      The guarantee for all rows, of the same kind: epsilon becomes ln(1 + rate * (e^epsilon - 1)),
      which is more than rate * epsilon; delta becomes rate * delta.

    Raises:
      ValueError: an argument is out of range.

    Source: Li, Qardaji & Su (2012); Balle, Barthe & Gaboardi (2018).
    """
    if not isinstance(guarantee, PureDP | ApproximateDP) or guarantee.neighbors != "add_remove":
        raise ValueError(f"guarantee must be pure or approximate, for add_remove: {guarantee!r}")
    if guarantee.epsilon > 700:
        raise ValueError(f"guarantee must have an epsilon of at most 700, got {guarantee!r}")
    rate = _validate.positive("rate", rate)
    if rate > 1:
        raise ValueError(f"rate must be at most 1, got {rate!r}")
    # Without the person the law is P. With them it is (1 - rate) * P + rate * Q, where P and Q are
    # (epsilon, delta)-close: Balle, Barthe & Gaboardi (2018).
    epsilon = math.log1p(rate * math.expm1(guarantee.epsilon))
    if isinstance(guarantee, PureDP):
        return PureDP(epsilon)
    return ApproximateDP(epsilon, rate * guarantee.delta)
