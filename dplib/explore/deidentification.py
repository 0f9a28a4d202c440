"""Sliders of the chapters on de-identification and k-anonymity."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dplib.data import DOMAINS, REFERENCE_DATE
from dplib.deidentification import (
    clip_outliers,
    generalize,
    information_loss,
    k_anonymity,
    reconstructed_share,
    unique_fraction,
)
from dplib.explore.frames import SliderFigure, explore_frames
from dplib.explore.words import share
from dplib.plots.deidentification import (
    draw_crowds,
    draw_information_against_k,
    draw_reconstructed_shares,
    draw_suppressed_groups,
    draw_suppressed_shares,
    draw_unique_shares,
)

__all__ = [
    "explore_generalization",
    "explore_reconstruction",
    "explore_suppression",
    "explore_uniqueness",
]

DAYS = (1, 2, 4, 7, 14, 30, 61, 91, 183, 365, 731, 1826, 3652, 7305, 14610, 36525)
DIGITS = (5, 4, 3, 0)
NOISES = (0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
SMALLEST = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)


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
    _has_columns(table, ("DOB", "Zip"))
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


def explore_reconstruction(secret, *, questions: int = 300) -> SliderFigure:
    """Show how well a secret column is rebuilt from counts, with a slider for their noise.

    Args:
      secret: array of shape (n,) of 0 and 1: who has the secret.
      questions: number of counts published, each of a random half of the people, at least 1.

    Raises:
      ValueError: secret holds something else than 0 and 1, or questions is below 1.
    """
    rng = np.random.default_rng(1)  # the same figure for everybody
    found = {
        noise: reconstructed_share(
            secret, questions=questions, noise=noise, repetitions=20, rng=rng
        )
        for noise in NOISES
    }
    shares = pd.Series(found)
    majority = max(np.mean(secret), 1 - np.mean(secret))

    def draw(axes, noise):
        draw_reconstructed_shares(axes[0], shares, noise=noise, majority=majority)

    def caption(noise):
        return (
            f"With {questions} counts and noise of scale {noise:g}, {share(shares[noise])} of the "
            f"secrets are rebuilt rightly; the same answer for all is right for {share(majority)}."
        )

    return explore_frames(draw, caption, stops=NOISES, start=1, name="noise (people)")


def explore_generalization(
    table: pd.DataFrame,
    *,
    depth: int = 0,
    clip: Mapping[str, tuple[float, float]] | None = None,
) -> SliderFigure:
    """Show k and the information left, with a slider for how many digits Age loses.

    Left: the groups, darker for more people, with diamonds on the smallest. Right: k against the
    information that is left, for all depths of both columns, Age and Education-Num.

    Args:
      table: DataFrame with both columns, whole numbers of at least 0, one row a person.
      depth: how many digits Education-Num loses: 0, 1 or 2.
      clip: bounds to clip to first, as for `clip_outliers`; ages to 10–60 and years of education
        from 3 on if None, and nothing if empty.

    Raises:
      ValueError: an argument is out of range, or table lacks a column.
    """
    columns = ["Age", "Education-Num"]
    _has_columns(table, columns)
    if depth not in (0, 1, 2):
        raise ValueError(f"depth must be 0, 1 or 2, got {depth!r}")
    if clip is None:
        clip = {"Age": (10, 60), "Education-Num": (3, 16)}
    clipped = clip_outliers(table[columns], bounds=clip) if clip else table[columns]
    points = _k_and_information(table[columns], clipped)

    def draw(axes, stop):
        depths = dict(zip(columns, (int(stop), depth), strict=True))
        draw_crowds(axes[0], generalize(clipped, depths=depths), depths=depths)
        draw_information_against_k(axes[1], points, chosen=(int(stop), depth))

    def caption(stop):
        k, information = points.loc[(int(stop), depth)]
        return (
            f"With Age in steps of {10**stop:g} and Education-Num in steps of {10**depth}, the "
            f"smallest group holds {k:,.0f} of {len(table):,} people, and {share(information)} of "
            f"the information is left."
        )

    name = "digits of Age cut"
    return explore_frames(draw, caption, stops=(0, 1, 2), start=1, name=name, panels=(1, 1))


def _k_and_information(original: pd.DataFrame, clipped: pd.DataFrame) -> pd.DataFrame:
    """Return k and the share of information left, for each pair of depths from 0 to 2."""
    columns = list(original.columns)
    known = {"quasi_identifiers": columns}
    bounds = {column: DOMAINS[column] for column in columns}

    def point(depths):
        released = generalize(clipped, depths=dict(zip(columns, depths, strict=True)))
        loss = information_loss(original, released, bounds=bounds, **known)
        return {"k": k_anonymity(released, **known), "information": 1 - loss}

    every = pd.MultiIndex.from_product([range(3), range(3)], names=columns)
    return pd.DataFrame([point(depths) for depths in every], index=every)


def explore_suppression(
    table: pd.DataFrame,
    *,
    quasi_identifiers: Sequence[str] = ("Age", "Education-Num", "Hours per week"),
) -> SliderFigure:
    """Show how many rows must go so that the rest is k-anonymous, with a slider for k.

    Left: how large the groups are in which people stand. Right: the share suppressed if nothing is
    generalised, if the first column is cut to tens, and if all are.

    Args:
      table: DataFrame, one row a person.
      quasi_identifiers: two or more columns of whole numbers that an attacker may know.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.
    """
    columns = list(quasi_identifiers)
    if len(columns) < 2:
        raise ValueError(f"quasi_identifiers must be two columns or more, got {columns!r}")
    _has_columns(table, columns)
    sizes = _group_sizes(table[columns])

    def suppressed(k):
        return pd.Series({way: float((size < k).mean()) for way, size in sizes.items()})

    def draw(axes, k):
        draw_suppressed_groups(axes[0], sizes["none"], k=int(k))
        draw_suppressed_shares(axes[1], suppressed(k))

    def caption(k):
        none, first, every = (share(part) for part in suppressed(k))
        return (
            f"For k = {k:g}, {none} of {len(table):,} rows must go; {first} if {columns[0]} is cut "
            f"to tens, and {every} if all {len(columns)} columns are."
        )

    return explore_frames(draw, caption, stops=SMALLEST, start=5, name="k", panels=(3, 2))


def _group_sizes(exact: pd.DataFrame) -> dict[str, pd.Series]:
    """Return how large each row's group is, for three ways to cut the columns to tens."""
    columns = list(exact.columns)
    ways = {
        "none": exact,
        "first": generalize(exact, depths={columns[0]: 1}),
        "all": generalize(exact, depths=dict.fromkeys(columns, 1)),
    }
    # What `suppress_small_groups` compares with k, once for all stops.
    return {
        way: released.groupby(columns, dropna=False)[columns[0]].transform("size")
        for way, released in ways.items()
    }


def _has_columns(table, columns) -> None:
    if not isinstance(table, pd.DataFrame) or table.empty:
        raise ValueError("table must be a DataFrame with at least one row")
    lacking = [column for column in columns if column not in table.columns]
    if lacking:
        raise ValueError(f"table must have the columns {list(columns)}, it lacks {lacking}")
