"""The tables that a publication holds: their cells, what is true, and how errors become points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dplib.release.visits import AGES, PLACES

_BLOCKS, _QUARTERS, _WEEKS = range(8), range(4), range(53)


@dataclass(frozen=True)
class Target:
    """One table of a publication.

    Attributes:
      cells: how many it has.
      exact: makes the true cells from cleaned rows (`dplib.clean_visits`).
      worst, best: the mean error, relative to the mean cell, with which there are no points, and
        all of them.
      points: of the 45 for accuracy.
    """

    cells: int
    exact: Callable[[pd.DataFrame], np.ndarray]
    worst: float
    best: float
    points: float

    def share(self, error: float) -> float:
        """Return the share of the points: every halving of the error earns the same."""
        share = np.log(self.worst / max(error, 1e-12)) / np.log(self.worst / self.best)
        return float(np.clip(share, 0, 1))


def _people(tidy: pd.DataFrame, column: str, cells: Sequence) -> np.ndarray:
    found = tidy.dropna(subset=column).groupby(column)["person"].nunique()
    return found.reindex(list(cells), fill_value=0).to_numpy(float)


def _visits(tidy: pd.DataFrame, column: str, cells: Sequence) -> np.ndarray:
    return tidy.groupby(column).size().reindex(list(cells), fill_value=0).to_numpy(float)


def _paid(tidy: pd.DataFrame) -> np.ndarray:
    paid = tidy.groupby("quarter")["paid"].sum()
    return paid.reindex(list(_QUARTERS), fill_value=0).to_numpy(float)


def _by_place_and_block(tidy: pd.DataFrame) -> np.ndarray:
    cells = pd.MultiIndex.from_product([PLACES, _BLOCKS])
    counts = tidy.dropna(subset="place").groupby(["place", "block"]).size()
    return counts.reindex(cells, fill_value=0).to_numpy(float)


def _until_each_week(tidy: pd.DataFrame) -> np.ndarray:
    return np.cumsum(_visits(tidy, "week", _WEEKS))


_PEOPLE_BY_PLACE = Target(12, lambda tidy: _people(tidy, "place", PLACES), 0.5, 0.025, 12)
#: What chapters 1 to 8 can publish: counts and sums of a few cells.
PLAIN: Mapping[str, Target] = {
    "people by place": _PEOPLE_BY_PLACE,
    "visits by hour": Target(8, lambda tidy: _visits(tidy, "block", _BLOCKS), 0.5, 0.04, 12),
    "paid by quarter": Target(4, _paid, 0.5, 0.03, 12),
    "people by age": Target(
        6, lambda tidy: _people(tidy, "age", range(len(AGES) - 1)), 0.1, 0.006, 9
    ),
}
#: What needs less noise for many cells (chapter 9), and other questions (chapter 15).
CONCENTRATED: Mapping[str, Target] = {
    "people by place": _PEOPLE_BY_PLACE,
    "visits by place and hour": Target(96, _by_place_and_block, 0.8, 0.15, 15),
    "visits until each week": Target(53, _until_each_week, 0.2, 0.01, 18),
}
