"""Distribution functions of noise, on arrays and by broadcasting: x -> Pr(noise <= x)."""

import math
from collections.abc import Callable

import numpy as np

# x -> Pr(noise <= x).
Distribution = Callable[[np.ndarray], np.ndarray]


def laplace(scale: float, center: float = 0.0) -> Distribution:
    """Laplace noise: density exp(-|x - center| / scale) / (2 * scale)."""

    def law(x):
        distance = np.abs(x - center) / scale
        tail = 0.5 * np.exp(-distance)
        return np.where(x < center, tail, 1 - tail)

    return law


def gaussian(deviation: float, center: float = 0.0) -> Distribution:
    """Gaussian noise of one standard deviation."""

    def law(x):
        from scipy.special import ndtr

        return ndtr((x - center) / deviation)

    return law


def exponential(scale: float, *, sign: int = 1) -> Distribution:
    """Noise on one side only: exponential, times `sign`."""
    if sign > 0:
        return lambda x: -np.expm1(-np.maximum(x, 0) / scale)
    return lambda x: np.exp(np.minimum(x, 0) / scale)


def uniform(low: float, high: float) -> Distribution:
    """Noise spread evenly between two numbers."""
    return lambda x: np.clip((x - low) / (high - low), 0, 1)


def point(center: float) -> Distribution:
    """No noise: always the same number."""
    return lambda x: np.where(x >= center, 1.0, 0.0)


def laplace_sum(scale: float, count: int = 2) -> Distribution:
    """The sum of so many independent Laplace draws of one scale."""
    # The density at scale 1 is exp(-|x|) times a polynomial (partial fractions of 1/(1 + t^2)^n);
    # its tail is too, by parts: for two draws exp(-|x|) (2 + |x|) / 4.
    weights = [
        math.comb(2 * count - 2 - power, count - 1) * 2.0 ** (power + 1 - 2 * count)
        for power in range(count)
    ]
    terms = [sum(weights[power:]) / math.factorial(power) for power in range(count)]

    def law(x):
        distance = np.minimum(np.abs(x) / scale, 700.0)  # beyond, there is less than 1e-200
        tail = np.polynomial.polynomial.polyval(distance, terms) * np.exp(-distance)
        return np.where(x < 0, tail, 1 - tail)

    return law


def laplace_average(scale: float) -> Distribution:
    """The mean of two independent Laplace draws of one scale."""
    return laplace_sum(scale / 2)


def clamped(law: Distribution, low: float, high: float = math.inf) -> Distribution:
    """Noise whose values below `low` are replaced by `low`, and those above `high` by `high`."""
    return lambda x: np.where(x < low, 0.0, np.where(x >= high, 1.0, law(x)))


def folded(law: Distribution, center: float) -> Distribution:
    """Noise that lands below `center` is mirrored there: what abs() does to an answer."""
    return lambda x: np.where(x < center, 0.0, law(x) - law(2 * center - x))


def rounded_down(law: Distribution) -> Distribution:
    """Continuous noise, rounded down to a whole number."""
    return lambda x: law(np.floor(x) + 1)


def rounded_up(law: Distribution) -> Distribution:
    """Continuous noise, rounded up to a whole number."""
    return lambda x: law(np.floor(x))


def discrete_laplace(rate: float, center: float = 0.0) -> Distribution:
    """Whole-number noise k with probability proportional to exp(-rate * |k - center|)."""

    # Pr(k <= -j) = q**j / (1 + q) with q = exp(-rate), for j = 1, 2, ... (a geometric series).
    def law(x):
        below = np.floor(x - center)
        ratio = np.exp(-rate)
        lower = np.exp(-rate * np.maximum(-below, 0)) / (1 + ratio)
        upper = 1 - np.exp(-rate * (np.maximum(below, 0) + 1)) / (1 + ratio)
        return np.where(below < 0, lower, upper)

    return law


def geometric(rate: float, *, first: int = 1, sign: int = 1) -> Distribution:
    """Noise on one side: geometric from `first` on, ratio exp(-rate), times `sign`."""

    def upward(x):
        return np.where(x < first, 0.0, -np.expm1(-rate * (np.floor(x) - first + 1)))

    if sign > 0:
        return upward
    # Pr(-G <= x) = Pr(G >= -x) = 1 - Pr(G <= ceil(-x) - 1).
    return lambda x: 1 - upward(np.ceil(-x) - 1)


def signed_geometric(rate: float, *, first: int) -> Distribution:
    """A geometric draw from `first` on, ratio exp(-rate), with a random sign."""

    # Half of the draws go each way; a draw of 0 stays 0 with either sign.
    def law(x):
        return (geometric(rate, first=first)(x) + geometric(rate, first=first, sign=-1)(x)) / 2

    return law


def discrete_gaussian(deviation: float) -> Distribution:
    """Whole-number noise k with probability proportional to exp(-(k / deviation)**2 / 2)."""
    reach = int(12 * deviation) + 10  # the numbers beyond have less than 1e-31
    weights = np.exp(-((np.arange(-reach, 1) / deviation) ** 2) / 2)
    below = np.cumsum(weights, dtype=np.longdouble)
    below = (below / (2 * below[-1] - weights[-1])).astype(float)

    # Both tails come from sums of small numbers, so each is right to its last digits.
    def law(x):
        floor = np.clip(np.floor(x), -reach - 1, reach)
        lower = np.where(floor < -reach, 0.0, below[np.clip(floor + reach, 0, reach).astype(int)])
        upper = np.where(
            floor >= reach, 0.0, below[np.clip(reach - floor - 1, 0, reach).astype(int)]
        )
        return np.where(floor < 0, lower, 1 - upper)

    return law


def staircase(sensitivity: float, epsilon: float, share: float) -> Distribution:
    """Staircase noise: steps as wide as the sensitivity, of which `share` is the higher part."""
    # Geng & Viswanath (2014), "The optimal mechanism in differential privacy", definition of f.
    fall = np.exp(-epsilon)
    height = (1 - fall) / (2 * sensitivity * (share + fall * (1 - share)))

    def law(x):
        distance = np.abs(x)
        step = np.floor(distance / sensitivity)
        rest = distance - step * sensitivity
        high = np.minimum(rest, share * sensitivity)
        inside = height * (high + fall * (rest - high))
        tail = np.exp(-epsilon * step) * (0.5 - inside)
        return np.where(x < 0, tail, 1 - tail)

    return law
