"""Figures of (epsilon, delta): tails, long vectors, many answers, and the tester's trade-off."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.composition import advanced_composition
from dplib.gaussian import analytic_gaussian_sigma
from dplib.guarantees import PureDP
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND, Curve, draw_curves, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import GREY, add_legend, describe_axes
from dplib.trade_off import gaussian_miss_rate, least_miss_rate

__all__ = [
    "composition_costs",
    "dimension_errors",
    "draw_composition_costs",
    "draw_dimension_errors",
    "draw_noise_tails",
    "draw_trade_off",
    "noise_exceeded",
    "show_trade_off",
]

#: How often the noise is larger than what the tails' figure marks.
ODDS = (1 / 20, 1e-6)


def noise_exceeded(probability, *, epsilon: float, delta: float) -> tuple:
    """Return what Gaussian and Laplace noise exceed in size with a probability, for sensitivity 1.

    Args:
      probability: strictly between 0 and 1, a number or an array.
      epsilon: privacy loss of both, > 0, without unit.
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
    """Draw how often Gaussian and Laplace noise are larger than any size, for sensitivity 1.

    Args:
      ax: Axes to draw on.
      epsilon: privacy loss of both, > 0, without unit.
      delta: of the Gaussian noise, strictly between 0 and 1.

    Returns:
      `ax`, both scales logarithmic, with a line for each noise and marks at the odds 1 in 20 and
      1 in a million.

    Raises:
      ValueError: an argument is out of range.
    """
    chances = np.geomspace(1e-10, 0.9999, 121)
    law = {"epsilon": epsilon, "delta": delta}
    sizes, marks = noise_exceeded(chances, **law), noise_exceeded(ODDS, **law)
    for chance in ODDS:
        ax.axhline(chance, color=GREY, linewidth=1, zorder=0)
    looks = zip(("Gaussian", "Laplace"), (FIRST, SECOND), sizes, marks, strict=True)
    for name, look, size, mark in looks:
        style = {"color": look.color, "marker": look.marker}
        ax.plot(size, chances, linestyle=look.line, linewidth=2, markevery=[], label=name, **style)
        ax.plot(mark, ODDS, linestyle="", markersize=8, **style)
    ax.set(xscale="log", yscale="log", xlim=(0.05, 5000), ylim=(1e-9, 2))
    ax.set_yticks([1, *ODDS], ["always", "1 in 20", "1 in a million"])
    ax.yaxis.set_minor_formatter("")
    plain_ticks(ax.xaxis)
    add_legend(ax)
    return describe_axes(
        ax, x="size of the noise (sensitivities)", y="how often it is larger (probability)"
    )


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
    """Draw the error of an entry against the length of the vector, Gaussian and Laplace.

    Args:
      ax: Axes to draw on.
      dimension: the length that is marked, a whole number from 1 to `largest`.
      epsilon, delta: of the whole vector, as in `noise_exceeded`.
      largest: the largest length drawn, a whole number above 1.

    Returns:
      `ax`, both scales logarithmic, with a line for each noise.

    Raises:
      ValueError: an argument is out of range.
    """
    _validate_place("dimension", dimension, largest)
    law = {"epsilon": epsilon, "delta": delta}
    top = max(dimension_errors(largest, **law))
    curves = [
        Curve("Gaussian, from L2", lambda length: dimension_errors(length, **law)[0], FIRST),
        Curve("Laplace, from L1", lambda length: dimension_errors(length, **law)[1], SECOND),
    ]
    ax.set(xscale="log", yscale="log")
    draw_curves(ax, curves, places=np.geomspace(1, largest, 61), at=dimension)
    ax.set_ylim(0.5 * min(dimension_errors(1, **law)), 2 * top)
    plain_ticks(ax.xaxis)
    plain_ticks(ax.yaxis)
    return describe_axes(ax, x="entries of the vector", y="mean error of an entry (people)")


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
    count: int,
    epsilon: float = 0.1,
    delta_prime: float = 1e-5,
    largest: int = 1000,
) -> Axes:
    """Draw the epsilon that many releases cost together, against their number.

    Args:
      ax: Axes to draw on.
      count: the number of releases that is marked, a whole number from 1 to `largest`.
      epsilon, delta_prime: as in `composition_costs`.
      largest: the largest number drawn, a whole number above 1.

    Returns:
      `ax`, both scales logarithmic, with a line for each of the two bounds.

    Raises:
      ValueError: an argument is out of range.
    """
    _validate_place("count", count, largest)

    def cost(which):
        law = {"epsilon": epsilon, "delta_prime": delta_prime}
        return np.vectorize(lambda k: composition_costs(int(k), **law)[which], otypes=[float])

    curves = [
        Curve("sequential", cost(0), SECOND),
        Curve("advanced", cost(1), FIRST),
    ]
    ax.set(xscale="log", yscale="log")
    places = np.unique(np.geomspace(1, largest, 61).round())
    draw_curves(ax, curves, places=places, at=count)
    ends = [*composition_costs(1, epsilon=epsilon, delta_prime=delta_prime)]
    ends += composition_costs(largest, epsilon=epsilon, delta_prime=delta_prime)
    ax.set_ylim(0.6 * min(ends), 1.6 * max(ends))
    plain_ticks(ax.xaxis)
    plain_ticks(ax.yaxis)
    return describe_axes(ax, x="number of releases", y="ε of all together (no unit)")


def draw_trade_off(ax: Axes, *, epsilon: float, delta: float) -> Axes:
    """Draw the misses of the best test against its false alarms.

    Args:
      ax: Axes to draw on.
      epsilon: privacy loss, > 0, without unit.
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
        f"At 5 % false alarms the promise allows {100 * allowed:.0f} % misses, Gaussian noise "
        f"gives {100 * gaussian:.0f} %, and a coin 95 %.",
        height=3.6,
    )
    draw_trade_off(axes, **law)
    return figure


def _validate_place(name: str, value, largest) -> None:
    """Raise ValueError unless the marked place is a whole number of the axis."""
    end = _validate.whole("largest", largest, least=2)
    if _validate.whole(name, value) > end:
        raise ValueError(f"{name} must be at most {end}, got {value!r}")
