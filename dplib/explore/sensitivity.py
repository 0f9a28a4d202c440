"""Slider of the chapter on sensitivity."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.data import DOMAINS
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure
from dplib.explore.parts.releases import Truth, explore_releases
from dplib.explore.parts.words import amount, counted
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.sensitivity import (
    clipping_errors,
    draw_clipped_values,
    draw_clipping_errors,
    draw_clipping_parts,
)

# 0.001 to 0.16 on a logarithmic scale: above, hardly any noise is left to weigh against the bias.
SMALL_EPSILONS = tuple(float(f"{10 ** (k / 5):.2g}") for k in range(-15, -3))
UNITS = {
    "Age": "years",
    "Hours per week": "hours",
    "Capital Gain": "dollars",
    "Capital Loss": "dollars",
}


def explore_clipping_bound(
    table: pd.DataFrame,
    *,
    column: str = "Age",
    epsilon: float = 0.01,
    mechanism: Callable | None = None,
) -> SliderFigure | LiveFigure:
    """Show people pile up at a bound, and what the sum loses, with a slider for the bound.

    The bounds go from 5 % of the public upper end of the column to 100 %. The first view is the
    stop with the least error: choosing a bound so, by looking at the data, is not private.

    Args:
      table: DataFrame, one row a person.
      column: "Age", "Hours per week", "Capital Gain" or "Capital Loss".
      epsilon: privacy cost of the sum, > 0, without unit; neighbors: add_remove.
      mechanism: a function of your own, called like `dplib.private_sum`: then its
        releases are drawn beside their law, anew at each move.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    values, unit, highest, stops = _of_column(table, column)
    law = {"epsilon": _validate.positive("epsilon", epsilon)}
    best = stops[int(clipping_errors(values, bounds=stops, **law)[2].argmin())]
    if mechanism is not None:
        return _own_sums(mechanism, values, stops, best, f"released sum ({unit})", **law)

    def draw(axes, bound):
        draw_clipped_values(axes[0], values, bound=bound, highest=highest, unit=unit)
        draw_clipping_parts(axes[1], values, bound=bound, scale=_scale(column), **law)

    def caption(bound):
        bias, noise, total = (amount(part) for part in clipping_errors(values, bounds=bound, **law))
        return (
            f"Clipped at {bound:,.10g} {unit}, the values of {_cut(values, bound)} are cut and the "
            f"sum loses {bias} %; with noise of {noise} % (ε = {epsilon:g}) the total error is "
            f"{total} %."
        )

    return explore_frames(draw, caption, stops=stops, start=best, name="bound", panels=(3, 2))


def _own_sums(mechanism, values, stops, start, x: str, *, epsilon: float) -> LiveFigure:
    def total(bound):
        return float(np.clip(values, 0, bound).sum())

    return explore_releases(
        lambda bound: mechanism(values, lower=0, upper=bound, epsilon=epsilon),
        # One person more adds at most the bound (add_remove).
        lambda bound: LaplaceLaw(total(bound), bound / epsilon),
        exact=lambda bound: f"the clipped sum, {total(bound):,.0f}",
        stops=stops,
        start=start,
        x=x,
        name="bound",
        truth=Truth("exact sum", float(values.sum())),
    )


def explore_clipping_epsilon(table: pd.DataFrame, *, column: str = "Age") -> SliderFigure:
    """Show the error of a private sum at every clipping bound, with a slider for epsilon.

    The bound with the least error is marked: to find it so, by looking at the data, is not private.

    Args:
      table, column: as in `explore_clipping_bound`.

    Raises:
      ValueError: column is unknown, or table lacks it.
    """
    values, unit, highest, bounds = _of_column(table, column)

    def best(epsilon):
        return bounds[int(clipping_errors(values, bounds=bounds, epsilon=epsilon)[2].argmin())]

    def draw(axes, epsilon):
        look = {"highest": highest, "unit": unit, "scale": _scale(column)}
        draw_clipping_errors(axes[0], values, bound=best(epsilon), epsilon=epsilon, **look)

    def caption(epsilon):
        bound = best(epsilon)
        total = clipping_errors(values, bounds=bound, epsilon=epsilon)[2]
        return (
            f"At ε = {epsilon:g} the least error, {amount(total)} %, is at a bound of "
            f"{bound:,.10g} {unit}; there the values of {_cut(values, bound)} are cut."
        )

    return explore_frames(draw, caption, stops=SMALL_EPSILONS, start=0.01)


def _cut(values, bound: float) -> str:
    return counted(int((values > bound).sum()), "person", "people")


def _scale(column: str) -> str:
    """Return the scale of the errors: where they stay large, a linear one shows their shape."""
    return "linear" if column.startswith("Capital") else "log"


def _of_column(table, column) -> tuple:
    """Return values, unit, highest value and twenty bounds of a column; or raise ValueError."""
    if column not in UNITS:
        raise ValueError(f"column must be one of {list(UNITS)}, got {column!r}")
    if not isinstance(table, pd.DataFrame) or column not in table.columns:
        raise ValueError(f"table must be a DataFrame with the column {column!r}")
    values, unit, highest = table[column].to_numpy(), UNITS[column], DOMAINS[column].upper
    # Three digits are enough for a bound, and people choose round ones.
    bounds = [float(f"{highest * part / 20:.3g}") for part in range(1, 20)] + [float(highest)]
    return values, unit, highest, bounds
