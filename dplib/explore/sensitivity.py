"""Slider of the chapter on sensitivity."""

from __future__ import annotations

import pandas as pd

from dplib import _validate
from dplib.data import DOMAINS
from dplib.explore.frames import SliderFigure, explore_frames
from dplib.explore.words import amount
from dplib.plots.sensitivity import clipping_errors, draw_clipping_errors

__all__ = ["explore_clipping_bound"]

UNITS = {
    "Age": "years",
    "Hours per week": "hours",
    "Capital Gain": "dollars",
    "Capital Loss": "dollars",
}


def explore_clipping_bound(
    table: pd.DataFrame, *, column: str = "Age", epsilon: float = 0.01
) -> SliderFigure:
    """Show bias, noise and total error of a private sum, with a slider for the clipping bound.

    The bounds go from 5 % of the public upper end of the column to 100 %. The first view is the
    stop with the least error: choosing a bound so, by looking at the data, is not private.

    Args:
      table: DataFrame, one row a person.
      column: "Age", "Hours per week", "Capital Gain" or "Capital Loss".
      epsilon: privacy loss of the sum, > 0, without unit; neighbors: add_remove.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    if column not in UNITS:
        raise ValueError(f"column must be one of {list(UNITS)}, got {column!r}")
    if not isinstance(table, pd.DataFrame) or column not in table.columns:
        raise ValueError(f"table must be a DataFrame with the column {column!r}")
    values, unit, highest = table[column].to_numpy(), UNITS[column], DOMAINS[column].upper
    # Three digits are enough for a bound, and people choose round ones.
    stops = [float(f"{highest * part / 20:.3g}") for part in range(1, 20)] + [float(highest)]
    law = {"epsilon": _validate.positive("epsilon", epsilon)}
    best = stops[int(clipping_errors(values, bounds=stops, **law)[2].argmin())]

    def draw(axes, bound):
        draw_clipping_errors(axes[0], values, bound=bound, highest=highest, unit=unit, **law)

    def caption(bound):
        bias, noise, total = (amount(part) for part in clipping_errors(values, bounds=bound, **law))
        return (
            f"Clipped at {bound:,.10g} {unit}, {int((values > bound).sum()):,} people are cut and "
            f"the sum loses {bias} %; with noise of {noise} % (ε = {epsilon:g}) the total error is "
            f"{total} %."
        )

    return explore_frames(draw, caption, stops=stops, start=best, name="bound")
