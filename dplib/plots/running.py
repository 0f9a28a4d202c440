"""Figures of running sums: their error by method, and by the number of bands."""

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.curves import FIRST, THIRD, Look
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLUE, GREY, ORANGE, add_legend, describe_axes
from dplib.ranges import factorization_error, running_sum_factors
from dplib.ranges.cells import power_of_two
from dplib.ranges.running import METHODS

_NONE_BESIDE: Mapping = MappingProxyType({})


def draw_running_errors(ax: Axes, *, months: int, rho: float) -> Axes:
    """Draw the standard error of each running sum, for four ways to add the noise.

    Args:
      ax: Axes to draw on.
      months: a power of two.
      rho: budget of zero-concentrated privacy for all sums together, > 0, without unit.

    Returns:
      `ax`, with a line for each method, named at its end.

    Raises:
      ValueError: an argument is out of range.
    """
    months = power_of_two("months", months)
    places = np.arange(1, months + 1)
    # A zigzag in dashes would fall apart: the tree's line is whole, and the other one has marks.
    tree = Look(BLUE, "-", "None")
    looks = (Look(GREY, (0, (3, 1, 1, 1)), "None"), THIRD._replace(marker="None"), tree, FIRST)
    for method, look in zip(METHODS, looks, strict=True):
        factors = running_sum_factors(months, method=method)
        error = np.sqrt(factorization_error(*factors, rho=rho))
        style = {"linestyle": look.line, "marker": look.marker, "markevery": (7, 16)}
        ax.plot(places, error, color=look.color, linewidth=2, label=method, **style)
    ax.set(xlim=(1, months), ylim=(0, None))
    add_legend(ax, columns=2)
    return describe_axes(ax, x="month", y="standard error of the sum so far (people)")


def show_running_errors(*, months: int, rho: float) -> Figure:
    """Return the figure of `draw_running_errors`, with its description."""
    worst = {
        method: math.sqrt(
            factorization_error(*running_sum_factors(months, method=method), rho=rho).max()
        )
        for method in METHODS
    }
    listed = ", ".join(f"{method} {error:.2g}" for method, error in worst.items())
    figure, axes = described_figure(
        f"The standard error of {months} running sums, in people: with each sum it is the same for "
        "all, with each month it grows most, with the tree it goes up and down in teeth, with the "
        f"square root it grows slowly. The largest by method: {listed}.",
        height=320,
    )
    draw_running_errors(axes, months=months, rho=rho)
    return figure


def draw_band_errors(
    ax: Axes,
    errors: Mapping[int, float],
    *,
    beside: Mapping[str, Mapping[int, float]] = _NONE_BESIDE,
) -> Axes:
    """Draw how far off the worst running sum is, for some numbers of bands.

    Args:
      ax: Axes to draw on.
      errors: {number of bands: its standard error}, all above 0, with 1 among the numbers.
      beside: the same for other settings, by name.

    Returns:
      `ax`, with the errors as shares of that with one band, the smallest one ringed, and thin lines
      for the other settings, named at their ends.

    Raises:
      ValueError: there is no error of one band, or an error is not positive.
    """
    places, shares = list(range(len(errors))), _shares(errors)
    for name, ends in _beside(beside, places).items():
        ax.plot(places, ends, color=GREY, linewidth=1)
        ax.text(places[-1] + 0.15, ends[-1], name, color=GREY, va="center")
    ax.axhline(1, color=BLUE, linestyle="--", linewidth=2, label="one band: DP-SGD")
    ax.plot(places, shares, "o-", color=ORANGE, linewidth=2, markersize=7, label="banded noise")
    best = int(np.argmin(shares))
    ring = {"markersize": 16, "markeredgewidth": 1.5, "markerfacecolor": "none"}
    ax.plot([best], [shares[best]], "o", color=GREY, label="least", **ring)
    ax.set_xticks(places, [str(bands) for bands in errors])
    ax.set(xlim=(-0.2, len(places) - 0.2 if beside else None), ylim=(0.4, 1.6))
    add_legend(ax)
    return describe_axes(ax, x="bands", y="standard error (times that of one band)")


def _beside(beside, places: list[int]) -> dict[str, list[float]]:
    if not isinstance(beside, Mapping):
        raise ValueError(f"beside must be errors by name, got {beside!r}")
    found = {name: _shares(others) for name, others in beside.items()}
    if any(len(shares) != len(places) for shares in found.values()):
        raise ValueError(f"beside must have {len(places)} numbers of bands, got {beside!r}")
    return found


def _shares(errors: Mapping[int, float]) -> list[float]:
    if not isinstance(errors, Mapping) or 1 not in errors:
        raise ValueError(f"errors must have an entry for 1 band, got {errors!r}")
    return [_validate.positive("errors", error) / errors[1] for error in errors.values()]
