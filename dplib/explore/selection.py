"""Sliders of the chapter on the exponential mechanism."""

from collections.abc import Callable

import pandas as pd

from dplib import _validate
from dplib.data import DOMAINS, fill_missing
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure
from dplib.explore.parts.releases import explore_choices
from dplib.explore.parts.words import amount, people, share
from dplib.plots.selection import (
    best_chances,
    draw_best_chance,
    draw_gap,
    draw_selection_probabilities,
)
from dplib.selection import selection_probabilities

# 0.0001 to 0.16: counts of thousands of people need little.
EPSILONS = tuple(float(f"{10 ** (k / 5):.2g}") for k in range(-20, -3))
ROWS = 6  # the most frequent categories: as many rows as can be read beside a small picture
GAPS = (0, 1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200)


def explore_selection(
    table: pd.DataFrame, *, column: str = "Occupation", mechanism: Callable | None = None
) -> SliderFigure | LiveFigure:
    """Show how likely each category is to be called the most frequent, with a slider for epsilon.

    The score of a category is its count: sensitivity 1, monotone under add_remove.

    Args:
      table: DataFrame, one row a person; missing values count as the category "Missing".
      column: a column of `table` with public categories in `dplib.data.DOMAINS`.
      mechanism: a function of your own, called like `dplib.exponential_mechanism`: then its
        releases are drawn beside their law, anew at each move.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    counts = category_counts(table, column)
    best = counts.idxmax()
    if mechanism is not None:
        return _own_choices(mechanism, counts)

    def draw(axes, epsilon):
        draw_selection_probabilities(axes[0], counts, epsilon=epsilon, shown=ROWS)

    def caption(epsilon):
        chances = selection_probabilities(counts, sensitivity=1, epsilon=epsilon, monotone=True)
        chance = chances[counts.index.get_loc(best)]
        away = float(chances @ (counts.max() - counts))
        return (
            f"With ε = {epsilon:g} the most frequent of {len(counts)} categories, {best}, is "
            f"chosen with probability {share(chance)}; on average the choice has "
            f"{_fewer(away)} than the best."
        )

    return explore_frames(draw, caption, stops=EPSILONS, start=0.01)


def _own_choices(mechanism: Callable, counts: pd.Series) -> LiveFigure:
    names, scores = list(counts.index), counts.to_numpy()
    query = {"sensitivity": 1, "monotone": True}
    shown = list(counts.nlargest(ROWS).index)
    others = f"the other {len(names) - len(shown)}"

    def run(epsilon):
        chosen = mechanism(names, scores, epsilon=epsilon, **query)
        return others if chosen in names and chosen not in shown else chosen

    def law(epsilon):
        chances = selection_probabilities(scores, epsilon=epsilon, **query)
        of_name = dict(zip(names, chances.tolist(), strict=True))
        some = {name: of_name[name] for name in shown}
        rest = 1 - sum(some.values())
        return {**some, others: max(0.0, rest)} if len(names) > len(shown) else some

    return explore_choices(run, law, stops=EPSILONS, start=0.004)


def _fewer(number: float) -> str:
    return "less than 0.01 people fewer" if number < 0.01 else f"{people(number)} fewer"


def category_counts(table, column: str) -> pd.Series:
    """Return how many rows have each public category of the column; ValueError if it has none."""
    if column not in DOMAINS or not isinstance(DOMAINS[column][0], str):
        raise ValueError(f"column must have public categories, got {column!r}")
    if not isinstance(table, pd.DataFrame) or column not in table.columns or table.empty:
        raise ValueError(f"table must be a DataFrame with rows and the column {column!r}")
    values = fill_missing(table[[column]])[column]
    return values.value_counts().reindex(list(DOMAINS[column]), fill_value=0)


def explore_best_chance(*, candidates: int = 16, epsilon: float = 0.1) -> SliderFigure:
    """Show how often two mechanisms choose the best candidate, with a slider for how far it leads.

    Left: the scores. Right: a hundred choices of each mechanism, filled where the best is chosen.

    Args:
      candidates: their number, a whole number of at least 2.
      epsilon: privacy cost of the choice, > 0, without unit; the scores have sensitivity 1 and
        need not be monotone.

    Raises:
      ValueError: an argument is out of range.
    """
    law = {
        "candidates": _validate.whole("candidates", candidates, least=2),
        "epsilon": _validate.positive("epsilon", epsilon),
    }

    def draw(axes, gap):
        draw_gap(axes[0], gap=gap, candidates=candidates, largest=GAPS[-1])
        for ax, mechanism in zip(axes[1:], ("exponential", "permute-and-flip"), strict=True):
            draw_best_chance(ax, mechanism=mechanism, gap=gap, **law)

    def caption(gap):
        exponential, flip = best_chances(gap, **law)
        return (
            f"When the best of {candidates} candidates is {people(gap)} ahead of all others, "
            f"ε = {epsilon:g} finds it with probability {share(exponential)} by the exponential "
            f"mechanism, {share(flip)} by permute-and-flip and {amount(100 / candidates)} % by a "
            f"blind guess."
        )

    return explore_frames(draw, caption, stops=GAPS, start=40, name="gap", panels=(4, 5, 5))
