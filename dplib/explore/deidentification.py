"""Slider of the chapter on de-identification."""

from __future__ import annotations

import functools

import pandas as pd

from dplib.data import REFERENCE_DATE
from dplib.deidentification import generalize, unique_fraction
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.tables import require_columns
from dplib.explore.parts.words import share
from dplib.plots.deidentification import draw_unique_shares

__all__ = ["explore_uniqueness"]

DAYS = (1, 2, 4, 7, 14, 30, 61, 91, 183, 365, 731, 1826, 3652, 7305, 14610, 36525)
DIGITS = (5, 4, 3, 0)


def explore_uniqueness(table: pd.DataFrame) -> SliderFigure:
    """Show how many people date of birth and Zip single out, with a slider for the date of birth.

    The slider sets how coarse the date is: steps of so many days, counted back from
    `dplib.data.REFERENCE_DATE`. The bars are for each number of Zip digits kept.

    Args:
      table: DataFrame with the columns DOB (text, month/day/year) and Zip (a whole number), one
        row a person.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.
    """
    require_columns(table, ("DOB", "Zip"))
    born = pd.to_datetime(table["DOB"], format="%m/%d/%Y")
    days_old = (pd.Timestamp(REFERENCE_DATE) - born).dt.days
    zips = {digits: generalize(table[["Zip"]], depths={"Zip": 5 - digits}) for digits in DIGITS}

    @functools.cache
    def shares(days):
        found = {
            digits: unique_fraction(
                known.assign(born=days_old // int(days)), quasi_identifiers=["born", "Zip"]
            )
            for digits, known in zips.items()
        }
        return pd.Series(found)

    def draw(axes, days):
        draw_unique_shares(axes[0], shares(days), exact=shares(1))

    def caption(days):
        known = "the exact date of birth" if days == 1 else f"dates of birth by {days:,g} days"
        return (
            f"With {known}, {share(shares(days)[5])} of {len(table):,} people are unique if all "
            f"5 digits of the Zip are kept, and {share(shares(days)[0])} if none is."
        )

    return explore_frames(draw, caption, stops=DAYS, start=1, name="days in a step")
