"""Slider of the chapter on a release: how many visits of one person may count."""

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.tables import require_columns
from dplib.explore.parts.words import amount
from dplib.plots.sensitivity import clipping_errors, draw_clipping_errors
from dplib.release.visits import MOST_ROWS

BOUNDS = (5, 10, 20, 30, 40, 60, 80, 100, 140, 180, 220, 300)


def explore_person_bound(table: pd.DataFrame, *, epsilon: float = 0.05) -> SliderFigure:
    """Show what a bound on a person's visits costs and saves, with a slider for the bound.

    It reads the exact table, so it is for a made-up one, or an old one that is public.

    Args:
      table: DataFrame with the column person, one row a visit, at most 300 for each.
      epsilon: privacy cost of the number of visits for one person, > 0, without unit.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    require_columns(table, ["person"])
    visits = table.groupby("person").size().to_numpy()

    def draw(axes, bound):
        law = {"bound": bound, "highest": MOST_ROWS, "epsilon": epsilon, "unit": "visits"}
        draw_clipping_errors(axes[0], visits, **law)

    def caption(bound):
        bias, noise, total = (
            amount(part) for part in clipping_errors(visits, bounds=bound, epsilon=epsilon)
        )
        above = int(np.sum(visits > bound))
        return (
            f"With at most {bound:g} visits a person, {above:,} of {len(visits):,} people are cut "
            f"and the number of visits loses {bias} %; with noise of {noise} % (ε = {epsilon:g}) "
            f"the total error is {total} %."
        )

    return explore_frames(draw, caption, stops=BOUNDS, start=140, name="visits a person")
