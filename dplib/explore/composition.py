"""Sliders of the chapter on composition."""

import functools
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.data import DOMAINS, fill_missing
from dplib.explore.parts.frames import EPSILONS, SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure, explore_live, held
from dplib.explore.parts.tables import require_columns
from dplib.explore.parts.words import amount, counted, people, share
from dplib.plots.composition import (
    answer_errors,
    average_errors,
    draw_answer_clouds,
    draw_cells_against_noise,
    draw_drowned_people,
    draw_split_clouds,
    split_errors,
)
from dplib.plots.parts.clouds import draw_budget

ANSWERS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
SHARED = (2, 3, 5, 7, 10)
SHARES = tuple(round(0.05 * step, 2) for step in range(1, 20))
BESIDE = (1, 5)  # a bar, and what comes of it
CELLS = (3, 2)  # cells, and the people in them
COLUMNS = (
    "Sex",
    "Target",
    "Race",
    "Relationship",
    "Marital Status",
    "Workclass",
    "Education",
    "Occupation",
    "Country",
)


def explore_answers(*, epsilon: float = 1) -> SliderFigure:
    """Show a budget cut evenly, and how far off its counts are, with a slider for their number.

    Args:
      epsilon: privacy cost of all answers together, > 0, without unit.

    Raises:
      ValueError: epsilon is out of range.
    """
    budget = {"epsilon": _validate.positive("epsilon", epsilon)}

    def draw(axes, answers):
        draw_budget(axes[0], [epsilon / answers] * int(answers), marked=int(answers))
        draw_answer_clouds(axes[1], answers=int(answers), largest=ANSWERS[-1], **budget)

    def caption(answers):
        each, average = (f(answers, **budget) for f in (answer_errors, average_errors))
        if answers == 1:
            return f"One answer with all of ε = {epsilon:g} is off by about {people(each)}."
        return (
            f"When {answers:,g} answers share ε = {epsilon:g}, each is off by about "
            f"{people(each)}, and the average of all by {amount(average)}; one answer with all of "
            f"ε by {amount(answer_errors(1, **budget))}."
        )

    return explore_frames(draw, caption, stops=ANSWERS, start=10, name="answers", panels=BESIDE)


def explore_budget_split(
    *, answers: int | None = 5, epsilon: float = 1
) -> SliderFigure | LiveFigure:
    """Show a budget cut in slices, and the noise that each buys; a slider for the first slice.

    Args:
      answers: number of answers, a whole number of at least 2; the others share the rest evenly.
        None: it has a slider too.
      epsilon: privacy cost of all answers together, > 0, without unit.

    Raises:
      ValueError: an argument is out of range.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    if answers is not None:
        answers = _validate.whole("answers", answers, least=2)
    # One window for all stops: the noise grows, and not the axis.
    reach = 10 * (answers or SHARED[-1]) / epsilon

    def draw(axes, part, answers):
        rest = (1 - part) / (answers - 1)
        draw_budget(axes[0], epsilon * np.array([part] + [rest] * (answers - 1)))
        budget = {"answers": answers, "epsilon": epsilon}
        draw_split_clouds(axes[1], share=part, **budget, reach=reach)

    def caption(part, answers):
        first, other = split_errors(part, answers=answers, epsilon=epsilon)
        rest = "the other" if answers == 2 else f"each of the other {answers - 1}"
        return (
            f"With {100 * part:.0f} % of ε = {epsilon:g} the first answer is off by about "
            f"{people(first)}, and {rest} by {people(other)}."
        )

    sliders = [("share of the first", SHARES, 0.5), held("answers", answers, SHARED, 5)]
    return explore_live(draw, caption, sliders=sliders, panels=BESIDE, again=False)


def explore_table_dimension(
    table: pd.DataFrame, *, columns: Sequence[str] = COLUMNS, epsilon: float = 0.1
) -> SliderFigure:
    """Show how many cells of a table drown in noise, with a slider for its number of columns.

    A cell drowns when fewer people are in it than its noise is large on average, 1 / epsilon. Left:
    the cells. Right: a hundred people, crossed where they are in a cell that drowns.

    Args:
      table: DataFrame, one row a person; missing values count as the category "Missing".
      columns: columns of `table` with public categories in `dplib.data.DOMAINS`, in the order in
        which they join.
      epsilon: privacy cost of the whole table, > 0, without unit; neighbors: add_remove.

    Raises:
      ValueError: an argument is out of range, or table lacks a column.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    names = _with_categories(table, columns)
    filled = fill_missing(table[names])

    @functools.cache
    def counts(dimension):
        return filled.groupby(names[: int(dimension)], observed=True).size().to_numpy()

    def cells(dimension):
        return math.prod(len(DOMAINS[name]) for name in names[: int(dimension)])

    def draw(axes, dimension):
        law = {"epsilon": epsilon, "largest": cells(len(names))}
        draw_cells_against_noise(axes[0], counts(dimension), cells=cells(dimension), **law)
        draw_drowned_people(axes[1], counts(dimension), epsilon=epsilon)

    def caption(dimension):
        width = counted(int(dimension), "column")
        size = f"With {width}, up to {names[int(dimension) - 1]}, the table has "
        return size + _say_drowned(counts(dimension), cells(dimension), epsilon)

    stops = range(1, len(names) + 1)
    slider = {"stops": stops, "start": min(5, len(names)), "name": "columns"}
    return explore_frames(draw, caption, **slider, panels=CELLS)


def explore_table_epsilon(
    table: pd.DataFrame, *, columns: Sequence[str] = COLUMNS[:5]
) -> SliderFigure:
    """Show how many cells of a table drown in noise, with a slider for epsilon.

    A cell drowns when fewer people are in it than its noise is large on average, 1 / epsilon. Left:
    the cells. Right: a hundred people, crossed where they are in a cell that drowns.

    Args:
      table: DataFrame, one row a person; missing values count as the category "Missing".
      columns: columns of `table` with public categories in `dplib.data.DOMAINS`. Epsilon is that of
        the whole table; neighbors: add_remove.

    Raises:
      ValueError: columns is out of range, or table lacks a column.
    """
    names = _with_categories(table, columns)
    counts = fill_missing(table[names]).groupby(names, observed=True).size().to_numpy()
    cells = math.prod(len(DOMAINS[name]) for name in names)

    def draw(axes, epsilon):
        draw_cells_against_noise(axes[0], counts, cells=cells, epsilon=epsilon)
        draw_drowned_people(axes[1], counts, epsilon=epsilon)

    def caption(epsilon):
        return f"At ε = {epsilon:g} the table has " + _say_drowned(counts, cells, epsilon)

    # Above 1 the noise is less than a person.
    return explore_frames(draw, caption, stops=EPSILONS[:21:2], start=0.1, panels=CELLS)


def _say_drowned(counts, cells: int, epsilon: float) -> str:
    """Return how many cells there are, and how many of them drown."""
    noise = answer_errors(1, epsilon=epsilon)
    above = counts >= noise
    drowned = 1 - np.count_nonzero(above) / cells
    inside = counts[~above].sum() / counts.sum()
    return (
        f"{cells:,} cells; noise of about {people(noise)} drowns {share(drowned)} of them, with "
        f"{share(inside)} of all people."
    )


def _with_categories(table, columns) -> list[str]:
    """Return the columns in a list; raise ValueError unless each has public categories."""
    require_columns(table, ())
    known = set(table.columns) & {name for name in DOMAINS if isinstance(DOMAINS[name][0], str)}
    names = list(columns)
    if not names or not set(names) <= known or len(set(names)) < len(names):
        raise ValueError(f"columns must be some of {sorted(known)}, got {names!r}")
    return names
