"""Sliders of the chapter on synthetic data."""

import functools

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.data import DOMAINS, fill_missing
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.tables import require_columns
from dplib.explore.parts.words import amount, counted, people
from dplib.plots.synthetic import (
    draw_marginals,
    draw_range_errors,
    range_errors,
    released_errors,
)
from dplib.synthetic import exact_counts
from dplib.synthetic_tree import synthesize_from_pairs

WIDTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60)
# Ranges within these ages: nearly nobody is younger or older.
INSIDE = (16, 90)
EPSILONS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
COLUMNS = ("Workclass", "Sex", "Target")


def explore_synthetic_ranges(table: pd.DataFrame, *, epsilon: float = 1) -> SliderFigure:
    """Show how exact ranges of ages are in synthetic rows, with a slider for their width.

    One synthetic table answers all ranges for one epsilon. A direct answer is more exact, and each
    costs epsilon again.

    Args:
      table: DataFrame with the column Age, one row a person.
      epsilon: of a synthetic table, and of a direct answer, > 0, without unit.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    require_columns(table, ["Age"])
    ages = range(DOMAINS["Age"].lower, DOMAINS["Age"].upper + 1)

    @functools.cache
    def errors(width):
        return range_errors(*released(), width=int(width), epsilon=epsilon)

    @functools.cache
    def released():
        law = {"categories": ages, "inside": INSIDE, "epsilon": epsilon}
        return released_errors(table["Age"], **law, rng=np.random.default_rng(14))

    def draw(axes, width):
        draw_range_errors(axes[0], errors(width))

    def caption(width):
        synthetic, direct, split = (amount(part) for part in errors(width).mean())
        years = counted(width, "year")
        return (
            f"Ranges of {years} are off by {synthetic} % of their people in synthetic rows "
            f"(ε = {epsilon:g} for all of them); one direct answer by {direct} %, and by {split} % "
            f"if all {INSIDE[1] - INSIDE[0] + 2 - int(width)} such ranges share that ε."
        )

    return explore_frames(draw, caption, stops=WIDTHS, start=10, name="width")


def explore_marginals(table: pd.DataFrame) -> SliderFigure:
    """Show the marginals of a real and a synthetic table side by side, with a slider for epsilon.

    The synthetic rows have the columns Workclass, Sex and Target and come from
    `synthesize_from_pairs`. Left: Workclass. Right: Sex with Target.

    Args:
      table: DataFrame with these columns, one row a person.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.
    """
    require_columns(table, COLUMNS)
    categories = {column: DOMAINS[column] for column in COLUMNS}
    filled = fill_missing(table[list(COLUMNS)])
    real = _marginals(filled)

    @functools.cache
    def synthetic(epsilon):
        generator = np.random.default_rng(14)
        law = {"categories": categories, "epsilon": epsilon, "rng": generator}
        return _marginals(synthesize_from_pairs(filled, **law))

    def draw(axes, epsilon):
        draw_marginals(axes[0], real[0], synthetic(epsilon)[0], y="Workclass")
        draw_marginals(axes[1], real[1], synthetic(epsilon)[1], y="Sex, Target")
        axes[1].get_legend().remove()

    def caption(epsilon):
        gaps = [(made - exact).abs() for made, exact in zip(synthetic(epsilon), real, strict=True)]
        lost = int(((synthetic(epsilon)[0] == 0) & (real[0] > 0)).sum())
        gone = f"{lost or 'none'} of the {len(real[0])} work classes"
        return (
            f"With ε = {epsilon:g} for all synthetic rows, a work class is off by "
            f"{people(gaps[0].mean())} on average, a pair of sex and income by "
            f"{people(gaps[1].mean())}; {gone} {'vanishes' if lost == 1 else 'vanish'}."
        )

    return explore_frames(draw, caption, stops=EPSILONS, start=0.1, panels=(1, 1))


def _marginals(rows: pd.DataFrame) -> list[pd.Series]:
    """Return the counts of Workclass, and of Sex and Target."""
    counts = exact_counts(rows, {column: DOMAINS[column] for column in COLUMNS})
    names = [f"{sex[0]} {target}" for sex in DOMAINS["Sex"] for target in DOMAINS["Target"]]
    return [
        pd.Series(counts.sum(axis=(1, 2)), index=list(DOMAINS["Workclass"])),
        pd.Series(counts.sum(axis=0).ravel(), index=names),
    ]
