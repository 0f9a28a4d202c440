"""Sliders of the chapter on k-anonymity."""

from collections.abc import Mapping, Sequence

import pandas as pd

from dplib.data import DOMAINS
from dplib.deidentification import clip_outliers, generalize, information_loss, k_anonymity
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.tables import first_name, require_columns
from dplib.explore.parts.words import share
from dplib.plots.k_anonymity import (
    draw_crowds,
    draw_information_against_k,
    draw_suppressed_people,
)

SMALLEST = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)


def explore_generalization(
    table: pd.DataFrame,
    *,
    depth: int = 0,
    clip: Mapping[str, tuple[float, float]] | None = None,
) -> SliderFigure:
    """Show k and the information left, with a slider for how many digits Age loses.

    Left: people as dots, the group of the first one shaded, and diamonds on the smallest groups.
    Right: k against the information left, for all depths of both columns, Age and Education-Num.

    Args:
      table: DataFrame with both columns, whole numbers of at least 0, one row a person.
      depth: how many digits Education-Num loses: 0, 1 or 2.
      clip: bounds to clip to first, as for `clip_outliers`; ages to 10–60 and years of education
        from 3 on if None, and nothing if empty.

    Raises:
      ValueError: an argument is out of range, or table lacks a column.
    """
    columns = ["Age", "Education-Num"]
    require_columns(table, columns)
    if depth not in (0, 1, 2):
        raise ValueError(f"depth must be 0, 1 or 2, got {depth!r}")
    if clip is None:
        clip = {"Age": (10, 60), "Education-Num": (3, 16)}
    clipped = clip_outliers(table[columns], bounds=clip) if clip else table[columns]
    points, name = _k_and_information(table[columns], clipped), first_name(table)

    def draw(axes, stop):
        depths = dict(zip(columns, (int(stop), depth), strict=True))
        released = generalize(clipped, depths=depths)
        draw_crowds(axes[0], released, depths=depths, name=name.split()[0])
        draw_information_against_k(axes[1], points, chosen=(int(stop), depth))

    def caption(stop):
        k, information = points.loc[(int(stop), depth)]
        depths = dict(zip(columns, (int(stop), depth), strict=True))
        shown = generalize(clipped, depths=depths)
        alike = int((shown == shown.iloc[0]).all(axis=1).sum())
        return (
            f"With Age in steps of {10**stop:g} and Education-Num in steps of {10**depth}, the "
            f"smallest group holds {k:,.0f} of {len(table):,} people, and {share(information)} of "
            f"the information is left; {name} is one of {alike:,} alike."
        )

    shown = {"stops": (0, 1, 2), "start": 1, "name": "digits of Age cut", "panels": (1, 1)}
    return explore_frames(draw, caption, **shown)


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

    A hundred people over the size of their group: if nothing is generalised, if the first column is
    cut to tens, and if all are.

    Args:
      table: DataFrame, one row a person.
      quasi_identifiers: two or more columns of whole numbers that an attacker may know.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.
    """
    columns = list(quasi_identifiers)
    if len(columns) < 2:
        raise ValueError(f"quasi_identifiers must be two columns or more, got {columns!r}")
    require_columns(table, columns)
    sizes = _group_sizes(table[columns])
    ways = {"none": "exact", "first": f"{columns[0]} in tens", "all": "all in tens"}

    def suppressed(k):
        return pd.Series({way: float((size < k).mean()) for way, size in sizes.items()})

    def draw(axes, k):
        for ax, (way, each) in zip(axes, sizes.items(), strict=True):
            draw_suppressed_people(ax, each, k=int(k), largest=4096, way=ways[way])

    def caption(k):
        none, first, every = (share(part) for part in suppressed(k))
        return (
            f"For k = {k:g}, {none} of {len(table):,} rows must go; {first} if {columns[0]} is cut "
            f"to tens, and {every} if all {len(columns)} columns are."
        )

    return explore_frames(draw, caption, stops=SMALLEST, start=5, name="k", panels=(1, 1, 1))


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
