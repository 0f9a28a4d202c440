"""Figures of local sensitivity: how it grows with distance, propose-test-release, four medians."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.local_sensitivity import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    passing_probability,
    passing_threshold,
    smooth_sensitivity_median,
)
from dplib.plots.parts.clouds import DOTS, draw_clouds, laplace_dots, spread
from dplib.plots.parts.curves import (
    FIRST,
    REFERENCE,
    SECOND,
    THIRD,
    plain_ticks,
)
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLACK, BLUE, GREY, ORANGE, add_legend, describe_axes, rounded

# Half of the noise is larger than so many scales: the medians of |Laplace| and of |Cauchy|.
_LAPLACE, _CAUCHY = math.log(2), 1.0


def passing_rate(values, *, bound: float, lower, upper, epsilon: float, delta: float) -> float:
    """Return how likely the test of `propose_test_release` passes for these values.

    It depends on the data, so it is for studying the mechanism, and not itself private. Arguments
    and errors are those of `propose_test_release`.
    """
    distance = distance_to_high_sensitivity(values, bound=bound, lower=lower, upper=upper)
    return passing_probability(distance, epsilon=epsilon, delta=delta)


def draw_tested_distances(ax: Axes, *, distance: int, epsilon: float, delta: float) -> Axes:
    """Draw fifty tests of propose-test-release: the noisy distances, and what they must exceed.

    Args:
      ax: Axes to draw on.
      distance: how many rows must be replaced to break the bound, a whole number of at least 0.
      epsilon: privacy cost of the test, > 0, without unit.
      delta: probability that the test passes wrongly, between 0 and 1/2.

    Returns:
      `ax`, from 0 on a scale that is logarithmic beyond 10, with a filled dot for each test that
      passes, a cross for each that does not, and the threshold dashed.

    Raises:
      ValueError: an argument is out of range.
    """
    steps = _validate.whole("distance", distance, least=0)
    threshold = passing_threshold(epsilon=epsilon, delta=delta)
    noisy, heights = steps + laplace_dots(1 / epsilon), spread(0, DOTS)
    passed = noisy > threshold
    look = {"linestyle": "", "markersize": 5}
    ax.plot(noisy[passed], heights[passed], "o", color=ORANGE, label="passes", **look)
    ax.plot(noisy[~passed], heights[~passed], "x", color=GREY, label="fails", **look)
    ax.axvline(threshold, color=BLACK, linestyle="--", linewidth=1.5, label="needed")
    beside = {"textcoords": "offset points", "in_layout": False, "va": "top"}
    ax.annotate("needed", (threshold, 0.6), (4, 0), **beside)
    ax.set_xscale("symlog", linthresh=10)
    ax.set(xlim=(-8, 2000), ylim=(-0.5, 0.6), yticks=[])
    ax.set_xticks([0, 10, 100, 1000], ["0", "10", "100", "1,000"])
    return describe_axes(ax, x="rows to replace", y="50 tests (× fails)")


def draw_proposed_medians(
    ax: Axes, *, rate: float, scale: float, other: float, unit: str, reach: float | None = None
) -> Axes:
    """Draw how far off the released medians are: of propose-test-release, and for the worst table.

    Args:
      ax: Axes to draw on.
      rate: how often the test passes, between 0 and 1: so many of fifty dots are there.
      scale: of the noise after the test, in the units of the values, > 0.
      other: of the noise for the worst table with the same budget in all, > 0.
      unit: the name of these units.
      reach: the end of the axis on both sides, > 0; None: nearly all dots are seen.

    Returns:
      `ax`, with a cloud for each mechanism around 0.

    Raises:
      ValueError: an argument is out of range.
    """
    if not 0 <= _validate.number("rate", rate) <= 1:
        raise ValueError(f"rate must be between 0 and 1, got {rate!r}")
    wide = _validate.positive("other", other)
    released = laplace_dots(_validate.positive("scale", scale), round(DOTS * rate))
    clouds = {"tested": released, "worst case": laplace_dots(wide)}
    looks = dict(zip(clouds, (FIRST, SECOND), strict=True))
    reach = 2.4 * wide if reach is None else reach
    draw_clouds(ax, clouds, looks, reach=reach, x=f"off by ({unit})", y="medians of 50 runs")
    if not len(released):
        ax.text(-reach / 24, 0, "no answer", va="center", ha="right")
    ax.locator_params(axis="x", nbins=3)
    return ax


def draw_sensitivity_at_distance(
    ax: Axes, values, *, distance: int, lower, upper, unit: str
) -> Axes:
    """Draw the rows in order, those replaced where they hurt most, and the gap that this opens.

    Args:
      ax: Axes to draw on.
      values, lower, upper: as in `local_sensitivity_at_distance`.
      distance: the number of replaced rows, a whole number from 0 to that of rows.
      unit: the name of the units of the values.

    Returns:
      `ax`, with a dot for every row, or for 150 rows spread evenly; those replaced lie at the ends
      of the domain. A line in the middle is the gap: one row more moves the median over it, or over
      half of it if the number of rows is even.

    Raises:
      ValueError: an argument is out of range.
    """
    low, high = _validate.interval(lower, upper)
    rows = np.sort(np.clip(_validate.vector("values", values), low, high))
    if _validate.whole("distance", distance, least=0) > len(rows):
        raise ValueError(f"distance must be at most {len(rows)}, got {distance!r}")
    (first, last), middle = _widest_gap(rows, distance, low, high), (len(rows) - 1) // 2
    shown = np.unique(np.linspace(0, len(rows) - 1, 150).round().astype(int))
    # Of the rows in the gap, so many go to the lower end that the gap lies in the middle.
    gone = (shown > first) & (shown < min(last, first + distance + 1))
    ends = np.where(shown <= middle, low, high)
    dots = {"linestyle": "", "markersize": 4}
    ax.plot(rows[shown[~gone]], 1 + shown[~gone], "o", color=BLUE, label="as it is", **dots)
    ax.plot(ends[gone], 1 + shown[gone], "D", color=ORANGE, label="replaced", **dots)
    gap = _at(rows, np.array([first, last]), low, high)
    style = {"color": BLACK, "linewidth": 2.5, "marker": "|", "markersize": 14, "label": "gap"}
    ax.plot(gap, [middle + 1] * 2, markeredgewidth=2.5, **style)
    ax.set(xlim=(low - 0.04 * (high - low), high + 0.04 * (high - low)))
    ax.set_ylim(-0.03 * len(rows), 1.03 * len(rows))
    ax.yaxis.set_major_formatter("{x:,.0f}")
    add_legend(ax)
    return describe_axes(ax, x=f"value of a row ({unit})", y="rows, in order")


def _widest_gap(rows: np.ndarray, distance: int, low: float, high: float) -> tuple[int, int]:
    """Return between which two rows the widest gap can be brought to the middle.

    Source: Nissim, Raskhodnikova & Smith (2007), as in `local_sensitivity_at_distance`. Places -1
    and below are the lower end of the domain; the number of rows and above, the upper end.
    """
    left, right = (len(rows) - 1) // 2, len(rows) // 2
    steps = np.arange(distance + 2)
    above, below = right + steps, left + steps - len(steps) + 1
    widest = int(np.argmax(_at(rows, above, low, high) - _at(rows, below, low, high)))
    return int(below[widest]), int(above[widest])


def _at(rows: np.ndarray, places: np.ndarray, low: float, high: float) -> np.ndarray:
    inside = rows[np.clip(places, 0, len(rows) - 1)]
    return np.where(places < 0, low, np.where(places >= len(rows), high, inside))


def median_errors(
    values, *, bound: float, lower, upper, epsilon: float, delta: float
) -> dict[str, float]:
    """Return what half of the errors of four private medians exceed, for one budget.

    It depends on the data, so it is for studying the mechanisms, and not itself private.

    Args:
      values, lower, upper: as in `smooth_sensitivity_median`, for replace_one.
      bound: proposed by propose-test-release, > 0, in the units of the values.
      epsilon: of each mechanism in all, > 0: test and release of propose-test-release have half.
      delta: of the two mechanisms that need one, between 0 and 1/2.

    Returns:
      Four numbers in the units of the values. That of propose-test-release is NaN where its test
      passes less than 99 times in 100.

    Raises:
      ValueError: an argument is out of range.

    Source: `propose_test_release`, `smooth_median` and `pure_smooth_median`.
    """
    ends = {"lower": lower, "upper": upper}
    values = _validate.vector("values", values)
    highest = local_sensitivity_at_distance(values, distance=len(values), **ends)
    law = {"epsilon": _validate.positive("epsilon", epsilon) / 2, "delta": delta}
    passes = passing_rate(values, bound=bound, **ends, **law) >= 0.99
    beta = min(math.log1p(-epsilon / (2 * math.log(delta))), epsilon / 2)
    smooth, pure = (
        smooth_sensitivity_median(values, beta=each, **ends) for each in (beta, epsilon / 2)
    )
    return {
        "worst case": _LAPLACE * highest / epsilon,
        "propose, test": _LAPLACE * bound / law["epsilon"] if passes else math.nan,
        "smooth, with δ": _LAPLACE * 2 * smooth / epsilon,
        "smooth, pure": _CAUCHY * 2 * pure / epsilon,
    }


def draw_median_errors(
    ax: Axes, values, *, bound: float, lower, upper, delta: float, unit: str
) -> Axes:
    """Draw the typical errors of four private medians against epsilon.

    Args:
      ax: Axes to draw on.
      values, bound, lower, upper, delta: as in `median_errors`.
      unit: the name of the units of the values.

    Returns:
      `ax`, both scales logarithmic, with a line for each mechanism.

    Raises:
      ValueError: an argument is out of range.
    """
    epsilons = np.geomspace(0.02, 2, 41)
    law = {"bound": bound, "lower": lower, "upper": upper, "delta": delta}
    errors = [median_errors(values, epsilon=each, **law) for each in epsilons]
    for name, look in zip(errors[0], (REFERENCE, SECOND, THIRD, FIRST), strict=True):
        ax.plot(
            epsilons,
            [each[name] for each in errors],
            color=look.color,
            linestyle=look.line,
            linewidth=2.5 if look.line == ":" else 2,
            marker=look.marker,
            markevery=10,
            label=name,
            zorder=4 if look is SECOND else 2,  # the short one lies on another
        )
    _name_start(ax, epsilons, [each["propose, test"] for each in errors])
    ax.set(xscale="log", yscale="log", ylim=(3e-4, 1e4))
    plain_ticks(ax.xaxis)
    plain_ticks(ax.yaxis)
    add_legend(ax, columns=2)
    return describe_axes(ax, x="ε in all", y=f"typical error ({unit})")


def _name_start(ax: Axes, epsilons, errors) -> None:
    """Write where the line of propose-test-release begins, if it does."""
    there = np.flatnonzero(np.isfinite(errors))
    if len(there):
        begin = epsilons[there[0]], errors[there[0]]
        ax.plot(*begin, SECOND.marker, color=BLUE, markersize=9, zorder=4, label="_begins")
        look = {"textcoords": "offset points", "ha": "center", "color": BLUE}
        ax.annotate("begins here", begin, (6, 9), **look)


def show_median_errors(values, *, bound: float, lower, upper, delta: float, unit: str) -> Figure:
    """Return the figure of `draw_median_errors`, with its description."""
    law = {"bound": bound, "lower": lower, "upper": upper, "delta": delta}
    low, high = (median_errors(values, epsilon=each, **law) for each in (0.1, 1))
    said = "; ".join(f"“{name}” {_said(low[name])} and {_said(high[name])}" for name in low)
    figure, axes = described_figure(
        f"Typical errors of the median in {unit}, at epsilon 0.1 and at epsilon 1: {said}.",
        height=320,
    )
    draw_median_errors(axes, values, unit=unit, **law)
    return figure


def _said(error: float) -> str:
    return "no answer" if math.isnan(error) else rounded(error)
