"""Figures of the Laplace mechanism: each draws on the given Axes and returns it."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.laplace import epsilon_for_error, laplace_density
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    add_legend,
    describe_axes,
    rounded,
)

_ENDLESS = 1e9  # a ratio at the end of the stretched axis


def _window(first: float, half_width: float) -> np.ndarray:
    """Return places to draw at, around the middle of `first` and `first` + 1, with both corners."""
    reach = _validate.positive("half_width", half_width)
    middle = _validate.number("count_without", first) + 0.5
    places = np.linspace(middle - reach, middle + reach, 401)
    # The curves have their corners at the two counts: without these places the peaks are cut off.
    return np.union1d(places, [middle - 0.5, middle + 0.5])


def draw_neighbor_densities(
    ax: Axes, *, count_without: float, epsilon: float, half_width: float = 10
) -> Axes:
    """Draw how likely each release is with one person and without, for a count of sensitivity 1.

    Args:
      ax: Axes to draw on.
      count_without: exact count without the person, in people; with the person it is one more.
      epsilon: privacy cost of the release, > 0, without unit.
      half_width: how far the window reaches on both sides, in people, > 0.

    Returns:
      `ax`, with the line "counted" (solid) and the line "not counted" (dashed).

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), definitions 2.4 and 3.3.
    """
    places = _window(count_without, half_width)
    law = {"sensitivity": 1, "epsilon": epsilon}
    counted = laplace_density(places, value=count_without + 1, **law)
    not_counted = laplace_density(places, value=count_without, **law)
    ax.plot(places, counted, color=ORANGE, linewidth=2, label="counted")
    ax.plot(places, not_counted, color=BLUE, linewidth=2, linestyle="--", label="not counted")
    # The peak is always as high as the window: what changes is how wide the noise is.
    peak = float(counted.max())
    ax.set(xlim=(places[0], places[-1]), ylim=(0, 1.06 * peak))
    # A short number below the peak: a longer one would be cut off at the left.
    round_one = float(f"{peak / 2:.1g}")
    ax.set_yticks([0, round_one], ["0", f"{round_one:g}"])
    step = max(1, round(0.8 * half_width))
    _mark_counts(ax, count_without, beside=(-step, step))
    add_legend(ax)
    return describe_axes(ax, x="released count (people)", y="density (per person)")


def draw_neighbor_ratio(
    ax: Axes, *, count_without: float, epsilon: float, half_width: float = 10
) -> Axes:
    """Draw how many times as likely each release is with one person, and the bounds on it.

    The y axis is stretched so that a ratio r stands at the height r / (1 + r): every ratio from 0
    to infinity has its place, and r and 1 / r stand equally far from 1.

    Args:
      ax: Axes to draw on.
      count_without, epsilon, half_width: as in `draw_neighbor_densities`.

    Returns:
      `ax`, with the line "counted : not counted" (solid) and the two bounds (dashed).

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), theorem 3.6 and its proof.
    """
    places = _window(count_without, half_width)
    # Beyond exp(-700) a density is too small for a float, and the ratio would be 0 / 0.
    if _validate.positive("epsilon", epsilon) * (half_width + 0.5) > 700:
        raise ValueError(f"epsilon * (half_width + 0.5) must be at most 700, got {epsilon!r}")
    law = {"sensitivity": 1, "epsilon": epsilon}
    ratio = laplace_density(places, value=count_without + 1, **law) / laplace_density(
        places, value=count_without, **law
    )
    low, high = math.exp(-epsilon), math.exp(epsilon)
    ax.set_yscale("function", functions=(lambda r: r / (1 + r), lambda p: p / (1 - p)))
    ax.axhspan(low, high, color=SKY, alpha=0.25, linewidth=0, label="allowed")
    # The axis is stretched: without its number a bound near the end could be any.
    # Where it is long it has a line of its own: the ratio's line is in the middle.
    number = f"{' ' if high < 1000 else chr(10)}= {rounded(high, 3)}"
    for bound, name, more in (
        (low, r"$e^{-\varepsilon}$", ""),
        (high, r"$e^{\varepsilon}$", number),
    ):
        ax.axhline(bound, color=BLACK, linewidth=1, linestyle="--", label=name)
        _name_bound(ax, name + more, (places[0], bound))
    ax.plot(places, ratio, color=ORANGE, linewidth=2, label="counted : not counted")
    ax.set(xlim=(places[0], places[-1]), ylim=(0, _ENDLESS))
    ax.set_yticks([0, 0.25, 1, 4, _ENDLESS], ["0", "1/4", "1", "4", "∞"])
    _mark_counts(ax, count_without)
    return describe_axes(ax, x="released count", y="counted : not")


def _name_bound(ax: Axes, name: str, place: tuple[float, float]) -> None:
    """Write the name of a bound at its line: outside the band while there is room for it."""
    outside = 0.2 < place[1] / (1 + place[1]) < 0.8
    upwards = outside == (place[1] > 1)
    side = {"xytext": (5, 3 if upwards else -3), "va": "bottom" if upwards else "top"}
    ax.annotate(name, place, textcoords="offset points", fontsize="small", **side)


def _mark_counts(ax: Axes, count_without: float, *, beside: Sequence[float] = ()) -> None:
    """Mark the count with the person, and those so many people `beside` it."""
    ax.set_xticks([count_without + 1 + each for each in (0, *beside)])
    ax.xaxis.set_major_formatter("{x:,.0f}")


def show_error_against_epsilon(*, error: float, probability: float) -> Figure:
    """Return the described figure of `draw_error_against_epsilon` for a count."""
    epsilon = epsilon_for_error(error, probability=probability, sensitivity=1)
    figure, axes = described_figure(
        f"On log scales the error that is kept falls in a straight line as epsilon grows; an error "
        f"of at most {error:g} people is kept {100 * probability:g} % of the time at epsilon "
        f"{epsilon:.2g}."
    )
    draw_error_against_epsilon(axes, error=error, probability=probability)
    return figure


def draw_error_against_epsilon(
    ax: Axes, *, error: float, probability: float, sensitivity: float = 1, unit: str = "people"
) -> Axes:
    """Draw the error that a release keeps within `probability` of the time, against epsilon.

    Args:
      ax: Axes to draw on.
      error: the error of the marked example, in the query's units, > 0.
      probability: how often the error must be kept, strictly between 0 and 1.
      sensitivity: as in `laplace_mechanism`, > 0.
      unit: the name of the query's units, written at the axis.

    Returns:
      `ax`, both scales logarithmic, with the line "error kept" and the marked example.

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), fact 3.7.
    """
    goal = {"probability": probability, "sensitivity": sensitivity}
    epsilon = epsilon_for_error(error, **goal)
    errors = error * np.geomspace(1 / 30, 30, 61)
    epsilons = [epsilon_for_error(each, **goal) for each in errors]
    ax.loglog(epsilons, errors, color=BLUE, linewidth=2, label="error kept")
    ax.set(xlim=(min(epsilons), max(epsilons)), ylim=(errors[0], errors[-1]))
    ax.plot(
        [epsilon, epsilon, ax.get_xlim()[0]],
        [ax.get_ylim()[0], error, error],
        color=GREY,
        linestyle=":",
    )
    ax.xaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_major_formatter("{x:,g}")
    ax.plot([epsilon], [error], "o", color=ORANGE, markersize=9, label="example")
    ax.annotate(
        f"within {error:g} at ε = {epsilon:.2g}",
        (epsilon, error),
        xytext=(10, 6),
        textcoords="offset points",
    )
    return describe_axes(ax, x="ε", y=f"error kept {100 * probability:g} % of the time ({unit})")
