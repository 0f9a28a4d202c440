"""What one epoch costs where each person is put into one batch at random: "balls and bins".

Without the person each of the t batches has noise alone, x_i ~ N(0, sigma^2) in units of the
clipping bound; with the person one of them, at random, lies 1 higher. So the likelihood ratio is
S / t, where S is the sum of the W_i = exp((2 x_i - 1) / (2 sigma^2)).
"""

import math

import numpy as np

from dplib import _validate

_POINTS = 2**14  # of the grid that a sum S is computed on
#: S is computed up to this many times t e^epsilon at most; what lies beyond is counted in full.
_BEYOND = 24.0


def allocated_loss(sums, *, sigma):
    """Return the privacy loss of what an attacker sees of one epoch of random allocation.

    Args:
      sums: the noisy sums of the batches, less what everybody else adds, in units of the clipping
        bound: shape (batches,), or (epochs, batches) for several looks at one epoch each. The
        person's gradient is 1 long, in the direction that is looked at.
      sigma: standard deviation of the noise divided by the clipping bound, > 0.

    Returns:
      The log of how much likelier the sums are with the person than without: a number, or shape
      (epochs,).

    Raises:
      ValueError: an argument is out of range.

    Source: Chua, Ghazi, Harrison, Kamath, Kumar, Manurangsi, Sinha & Zhang (2025), Balls-and-bins
    sampling for DP-SGD.
    """
    from scipy.special import logsumexp

    seen = _validate.finite_array("sums", sums)
    if seen.ndim not in (1, 2) or seen.shape[-1] == 0:
        raise ValueError(f"sums must have shape (batches,) or (epochs, batches), got {seen.shape}")
    logs = (2 * seen - 1) / (2 * _validate.positive("sigma", sigma) ** 2)
    return logsumexp(logs, axis=-1) - math.log(seen.shape[-1])


def allocated_delta(*, batches, sigma, epsilon):
    """Return a delta for which one epoch of random allocation is (epsilon, delta)-private.

    Each person is put into one of the batches, all equally likely, independently of everybody else;
    nobody learns which. The sum of each batch gets Gaussian noise. Neighbors: add_remove.

    Args:
      batches: from 1 to 10,000.
      sigma: standard deviation of the noise divided by the clipping bound, from 0.2 to 100.
      epsilon: at least 0, at most 20.

    Returns:
      An upper bound on delta for both directions, whatever the other people's gradients are, and
      however each gradient depends on the sums before. It is attained, up to a few parts in a
      hundred of it and about 1e-10, by gradients that are as long as the bound.

    Raises:
      ValueError: an argument is out of range.

    Source: Chua and others (2025) for the pair of laws; the sum by a Fourier transform.
    """
    # Why one pair of laws is enough. Given the sums before, the loss of the person's gradient g in
    # batch i depends on its projection alone, whose noise under "without" is N(0, sigma^2) again,
    # whatever was chosen before. With |g| < 1 each W_i is the conditional mean of the W_i with
    # |g| = 1 (a Brownian motion stopped earlier), and delta is a mean of a convex function of S.
    batches, sigma, epsilon = _epoch(batches, sigma, epsilon)
    given = batches, sigma, epsilon
    return max(_with_over_without(*given), _without_over_with(*given))


def allocated_epsilon(*, batches, sigma, delta):
    """Return an epsilon for which one epoch of random allocation is (epsilon, delta)-private.

    Args:
      batches, sigma: as in `allocated_delta`.
      delta: from 1e-8, below 1.

    Returns:
      The smallest epsilon at which `allocated_delta` is at most delta; 0.0 if it is at 0.

    Raises:
      ValueError: an argument is out of range, or epsilon would be above 20.
    """
    from scipy.optimize import brentq

    batches, sigma, _ = _epoch(batches, sigma, 0.0)
    if _validate.probability("delta", delta) < 1e-8:
        raise ValueError(f"delta must be at least 1e-8, got {delta!r}")

    def excess(epsilon):
        found = allocated_delta(batches=batches, sigma=sigma, epsilon=epsilon)
        return math.log(max(found, 1e-300) / delta)

    if excess(0.0) <= 0:
        return 0.0
    if excess(20.0) > 0:
        raise ValueError(f"sigma must be larger for an epsilon up to 20, got {sigma!r}")
    found = brentq(excess, 0.0, 20.0, xtol=1e-4)
    return found if excess(found) <= 0 else min(found + 2e-4, 20.0)


def _epoch(batches, sigma, epsilon) -> tuple[int, float, float]:
    if _validate.whole("batches", batches) > 10_000:
        raise ValueError(f"batches must be at most 10000, got {batches!r}")
    if not 0.2 <= _validate.positive("sigma", sigma) <= 100:
        raise ValueError(f"sigma must lie between 0.2 and 100, got {sigma!r}")
    if not 0 <= _validate.number("epsilon", epsilon) <= 20:
        raise ValueError(f"epsilon must lie between 0 and 20, got {epsilon!r}")
    return int(batches), float(sigma), float(epsilon)


def _with_over_without(batches: int, sigma: float, epsilon: float) -> float:
    """Return the mean of (1 - e^epsilon t / S)+ where the person is in one batch."""
    scale = batches * math.exp(epsilon)
    top = min(_BEYOND * scale, max(2 * scale, _hardly_above(batches, sigma)))
    step = 2 * top / _POINTS
    places, masses = _lattice(sigma, step)
    # The person's own batch has each W with W times the probability (their mean is 1).
    # Hardly anything lies beyond the grid.
    law = _sum_law(masses, batches - 1, also=masses * places, damped=12)
    known = places <= top
    places, law = places[known], law[known]
    gained = 1 - scale / np.maximum(places, scale)  # 0 up to `scale`
    counted = float((law * gained).sum())
    return min(1.0, counted + max(0.0, 1 - float(law.sum())))


def _hardly_above(batches: int, sigma: float) -> float:
    """Return a place that S is hardly ever above; it only says how far the grid reaches."""
    one = math.exp(min((1 + 14 * sigma) / (2 * sigma**2), 500.0))  # the largest W, at 7 sigma
    spread = math.sqrt(batches * math.expm1(min(1 / sigma**2, 500.0)))
    return batches + 12 * spread + 2 * one


def _without_over_with(batches: int, sigma: float, epsilon: float) -> float:
    """Return the mean of (1 - e^epsilon S / t)+ where the person is in no batch."""
    scale = batches * math.exp(-epsilon)
    places, masses = _lattice(sigma, 4 * scale / _POINTS)
    # Nearly all of S lies beyond the grid, of which the first quarter alone is read.
    law = _sum_law(masses, batches, damped=30)
    return float((law * np.maximum(1 - places / scale, 0)).sum())


def _lattice(sigma: float, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Return places and masses of W without the person; each W is split between two places.

    The split keeps the mean, so the mean of a convex function of a sum of such W does not fall.
    Larger W than the last place are left out.
    """
    from scipy.special import ndtr

    places = np.arange(_POINTS) * step
    with np.errstate(divide="ignore"):
        x = sigma**2 * np.log(places) + 0.5
    # The mean of W up to a place is the probability of it with the person in the batch.
    mass, mean = np.diff(ndtr(x / sigma)), np.diff(ndtr((x - 1) / sigma))
    up = np.clip(mean / step - np.arange(_POINTS - 1) * mass, 0, mass)
    return places, np.append(mass - up, 0) + np.append(0, up)


def _sum_law(masses: np.ndarray, count: int, also=None, *, damped: float) -> np.ndarray:
    """Return the law of the sum of `count` such numbers, and of one more with the law `also`."""
    # The transform adds what lies beyond the grid to its beginning, of which exp(-damped) stays.
    # Rounding errors at a place grow by exp(damped * place / the grid's length).
    damping = np.exp(-damped / _POINTS * np.arange(_POINTS))
    total = float((masses * damping).sum())
    if total == 0:  # so small a sum is out of reach of floats
        return np.zeros(_POINTS)
    spectrum = np.fft.rfft(masses * damping / total) ** count
    if also is not None:
        spectrum *= np.fft.rfft(also * damping)
    law = np.fft.irfft(spectrum, _POINTS) / damping
    return np.maximum(law, 0) * math.exp(count * math.log(total))
