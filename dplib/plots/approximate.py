"""Figures of (epsilon, delta): tails, long vectors, many answers, and the tester's trade-off."""

import math
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.composition import advanced_composition
from dplib.gaussian import analytic_gaussian_sigma
from dplib.guarantees import PureDP
from dplib.plots.parts.clouds import draw_cloud, draw_sizes
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.squares import fill_squares, mark_squares
from dplib.plots.parts.style import BLACK, add_legend, describe_axes, in_digits
from dplib.trade_off import gaussian_miss_rate, least_miss_rate

#: How often the noise is larger than what the tails' figure marks.
ODDS = (1 / 20, 1e-6)
_END, _WORDS = 40, 11  # in mean sizes of Laplace noise: of the axis, and the width of words
# Of a cloud: how often noise is larger than each of its 100 dots.
_CHANCES = (np.arange(100) + 0.5) / 100


def noise_exceeded(probability, *, epsilon: float, delta: float) -> tuple:
    """Return what Gaussian and Laplace noise exceed in size with a probability, for sensitivity 1.

    Args:
      probability: strictly between 0 and 1, a number or an array.
      epsilon: privacy cost of both, > 0, without unit.
      delta: of the Gaussian noise, strictly between 0 and 1.

    Returns:
      Two numbers or arrays, in units of the sensitivity: Gaussian, Laplace.

    Raises:
      ValueError: an argument is out of range.

    Source: Balle & Wang (2018), theorem 8, for sigma; Dwork & Roth (2014), fact 3.7, for Laplace.
    """
    from scipy.special import ndtri

    chance = _validate.finite_array("probability", probability)
    if ((chance <= 0) | (chance >= 1)).any():
        raise ValueError(f"probability must lie between 0 and 1, got {probability!r}")
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    return -sigma * ndtri(chance / 2), -np.log(chance) / epsilon


def draw_noise_tails(ax: Axes, *, epsilon: float, delta: float) -> Axes:
    """Draw how large Gaussian and Laplace noise are, for sensitivity 1: a dot for each of 100.

    Args:
      ax: Axes to draw on.
      epsilon: privacy cost of both, > 0, without unit.
      delta: of the Gaussian noise, strictly between 0 and 1.

    Returns:
      `ax`, in mean sizes of the Laplace noise (1 / epsilon), so that this one stands still: a
      cloud for each noise, the sizes that it exceeds 1 time in 20 (a bar), and 1 time in a million
      (hollow).

    Raises:
      ValueError: an argument is out of range.
    """
    law = {"epsilon": epsilon, "delta": delta}
    clouds, marks = (np.multiply(noise_exceeded(each, **law), epsilon) for each in (_CHANCES, ODDS))
    names = "Gaussian", "Laplace"
    rows, end = name_rows(ax, names), max(_END, 1.1 * marks.max())
    beside = {"fontsize": "small", "textcoords": "offset points", "in_layout": False}
    for name, row, look, cloud, (often, rarely) in zip(
        names, rows, (FIRST, SECOND), clouds, marks, strict=True
    ):
        draw_cloud(ax, cloud, row, look, name, size=4, height=0.5)
        ax.plot([often, often], [row - 0.4, row + 0.4], color=BLACK, linewidth=2)
        rare = {"markerfacecolor": "none", "markeredgecolor": look.color, "markersize": 11}
        ax.plot([rarely], [row], look.marker, markeredgewidth=2, **rare)
        ax.annotate("1 in 20", (often, row + 0.33), (4, 0), va="center", **beside)
        side = 1 if rarely < end - _WORDS else -1  # where there is room for the words
        look = {"ha": "left" if side > 0 else "right", "va": "center", **beside}
        ax.annotate("1 in a million", (rarely, row), (9 * side, 0), **look)
    ax.set_xlim(-0.01 * end, end)  # the smallest dots are whole
    x = "size of the noise (Laplace noise: 1 on average)"
    return describe_axes(ax, x=x, y="100 equally likely draws of noise")


def dimension_errors(dimension, *, epsilon: float, delta: float) -> tuple:
    """Return the mean error of an entry of a vector that one person moves by 1 in every entry.

    Args:
      dimension: number of entries, > 0, a number or an array.
      epsilon, delta: of the whole vector, as in `noise_exceeded`.

    Returns:
      Two numbers or arrays, in units of one person's change of an entry: Gaussian, Laplace.

    Source: the L2 change is sqrt(d) and the L1 change d (Dwork & Roth 2014, definitions 3.1 and
    3.8); a normal variable has mean absolute value sigma * sqrt(2 / pi).
    """
    length = np.asarray(dimension, float)
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    return math.sqrt(2 / math.pi) * sigma * np.sqrt(length), length / epsilon


def draw_dimension_errors(
    ax: Axes, *, dimension: int, epsilon: float = 1, delta: float = 1e-5, largest: int = 10_000
) -> Axes:
    """Draw how far off the entries of a vector are, Gaussian and Laplace: a dot for each of 100.

    Args:
      ax: Axes to draw on.
      dimension: the number of entries, a whole number from 1 to `largest`.
      epsilon, delta: of the whole vector, as in `noise_exceeded`.
      largest: the largest number of entries, a whole number above 1; the axis ends beyond it.

    Returns:
      `ax`, on a logarithmic scale, with a cloud for each noise and its mean error as a line.

    Raises:
      ValueError: an argument is out of range.
    """
    _validate_place("dimension", dimension, largest)
    law = {"epsilon": epsilon, "delta": delta}
    gaussian, laplace = noise_exceeded(_CHANCES, **law)
    clouds = {"Gaussian, L2": math.sqrt(dimension) * gaussian, "Laplace, L1": dimension * laplace}
    window = (0.01 / epsilon, 6 * largest / epsilon)
    draw_sizes(ax, clouds, window=window, typical=dimension_errors(dimension, **law))
    return describe_axes(ax, x="an entry is off by (people)", y="100 draws of an entry")


def composition_costs(count: int, *, epsilon: float, delta_prime: float) -> tuple[float, float]:
    """Return what `count` releases cost together: by adding up, and by the advanced theorem.

    Args:
      count: number of releases, a whole number of at least 1.
      epsilon: of each release, > 0, without unit.
      delta_prime: the delta that the advanced theorem pays, strictly between 0 and 1.

    Returns:
      Two values of epsilon: sequential (delta 0) and advanced (delta delta_prime).

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), theorems 3.16 and 3.20.
    """
    each = PureDP(epsilon)
    together = advanced_composition(each, count=count, delta_prime=delta_prime)
    return count * each.epsilon, together.epsilon


def draw_composition_costs(
    ax: Axes,
    *,
    theorem: Literal["sequential", "advanced"],
    count: int,
    epsilon: float = 0.1,
    delta_prime: float = 1e-5,
    largest: int = 100,
) -> Axes:
    """Draw a ledger of the epsilon that many releases cost together, in rows of ten squares.

    Args:
      ax: Axes to draw on.
      theorem: whether to add up, or to use the advanced theorem.
      count: the number of releases, a whole number from 1 to `largest`.
      epsilon, delta_prime: as in `composition_costs`.
      largest: squares of the ledger, a whole number above 1. One square is the epsilon of a
        release.

    Returns:
      `ax`, with what is spent filled from the bottom, row by row, and its price above; on the
      ledger of the advanced theorem it is dashed where adding up would end.

    Raises:
      ValueError: an argument is out of range.
    """
    _validate_place("count", count, largest)
    looks = {"sequential": ("adding up", SECOND), "advanced": ("advanced", FIRST)}
    if theorem not in looks:
        raise ValueError(f"theorem must be one of {list(looks)}, got {theorem!r}")
    costs = composition_costs(count, epsilon=epsilon, delta_prime=delta_prime)
    cost, (name, look) = costs[list(looks).index(theorem)], looks[theorem]
    fill_squares(ax, cost / epsilon, across=10, rows=math.ceil(largest / 10), color=look.color)
    if theorem == "sequential":
        return describe_axes(ax, x=name, y=f"ε = {in_digits(cost, 3)}")
    mark_squares(ax, costs[0] / epsilon, across=10)
    price = f"ε = {in_digits(cost, 3)}, δ = {delta_prime:.2g}".replace("e-0", "e-")
    return describe_axes(ax, x=f"{name}; dashed: adding up", y=price)


def draw_trade_off(ax: Axes, *, epsilon: float, delta: float) -> Axes:
    """Draw the misses of the best test against its false alarms.

    Args:
      ax: Axes to draw on.
      epsilon: privacy cost, > 0, without unit.
      delta: strictly between 0 and 1.

    Returns:
      `ax`, in percent: the least misses that (epsilon, delta) allows, those of the least Gaussian
      noise that keeps it, and those of a test that throws a coin (dashed).

    Raises:
      ValueError: an argument is out of range.
    """
    law = {"epsilon": epsilon, "delta": delta}
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, **law)
    alarms = np.linspace(0, 1, 401)
    curves = [
        ("the promise", least_miss_rate(alarms, **law), SECOND),
        ("Gaussian noise", gaussian_miss_rate(alarms, sigma=sigma, l2_sensitivity=1), FIRST),
        ("a coin", 1 - alarms, REFERENCE),
    ]
    for name, misses, look in curves:
        style = {"color": look.color, "linestyle": look.line, "marker": look.marker}
        ax.plot(100 * alarms, 100 * misses, linewidth=2, markevery=80, label=name, **style)
    ax.set(xlim=(-2, 102), ylim=(-2, 102))
    add_legend(ax)
    return describe_axes(ax, x="false alarms (%)", y="misses (%)")


def show_trade_off(*, epsilon: float, delta: float) -> Figure:
    """Return the figure of `draw_trade_off`, with its description."""
    law = {"epsilon": epsilon, "delta": delta}
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, **law)
    allowed = least_miss_rate(0.05, **law)
    gaussian = gaussian_miss_rate(0.05, sigma=sigma, l2_sensitivity=1)
    figure, axes = described_figure(
        "Misses against false alarms: a straight line for a coin, a curve below it for Gaussian "
        "noise, and the promise's line below both. "
        f"At 5 % false alarms the promise allows {100 * allowed:.0f} % misses, Gaussian noise "
        f"gives {100 * gaussian:.0f} %, and a coin 95 %.",
        height=320,
    )
    draw_trade_off(axes, **law)
    return figure


def _validate_place(name: str, value, largest) -> None:
    """Raise ValueError unless the marked place is a whole number of the axis."""
    end = _validate.whole("largest", largest, least=2)
    if _validate.whole(name, value) > end:
        raise ValueError(f"{name} must be at most {end}, got {value!r}")
