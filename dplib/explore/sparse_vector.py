"""Sliders of the chapter on the sparse vector technique."""

import functools
from collections.abc import Callable

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure
from dplib.explore.parts.releases import explore_choices
from dplib.explore.parts.words import amount
from dplib.plots.sparse_vector import (
    draw_answers_and_threshold,
    draw_report_shares,
    first_report_chances,
    one_run,
    report_kinds,
    report_shares,
    window_counts,
)

# Close together where queries begin to be reported, and cease.
THRESHOLDS = tuple(range(9000, 12_001, 250))
EPSILONS = tuple(float(f"{10 ** (k / 5):.2g}") for k in range(-15, -2))
RUNS, KINDS = 200, ("right", "late", "false")
BELOW, ABOVE = 2000, 2500  # people around 10,000: so wide is the axis, at every stop
# Of the one run that is drawn: the same noise at each stop but for its scale. It is right at most
# stops, and late or false at others: a run that never errs would hide what the slider is about.
SEED = 309


def explore_reported_threshold(
    table: pd.DataFrame,
    *,
    epsilon: float = 0.05,
    count: int = 3,
    mechanism: Callable | None = None,
) -> SliderFigure | LiveFigure:
    """Show which of nine windows of ages are reported as large, with a slider for the threshold.

    Left: how far the exact counts, asked from top to bottom, are from the threshold, and what one
    run of `sparse` compares: a noisy answer with a noisy threshold. Right: in how many of 200 runs
    each is reported, and whether it is one of the first that reach the threshold.

    Args:
      table: DataFrame with the column Age, one row a person.
      epsilon: privacy cost of a run, > 0, without unit.
      count: how many queries a run reports at most, a whole number of at least 1.
      mechanism: a function of your own, called like `dplib.above_threshold`: then the first query
        that it reports is drawn beside its law, anew at each move.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    epsilon = _validate.positive("epsilon", epsilon)
    if mechanism is not None:
        return _own_reports(mechanism, window_counts(table), epsilon)
    return _explore(
        table,
        count,
        lambda threshold: {"threshold": threshold, "epsilon": epsilon},
        middle=10_000,
        stops=THRESHOLDS,
        start=10_000,
        name="threshold",
    )


def _own_reports(mechanism: Callable, answers: pd.Series, epsilon: float) -> LiveFigure:
    def run(threshold):
        index = mechanism(answers.to_numpy(), threshold=threshold, epsilon=epsilon)
        return "none" if index is None else answers.index[index]

    def law(threshold):
        chances = first_report_chances(answers, threshold=threshold, epsilon=epsilon)
        return {**chances.to_dict(), "none": max(0.0, 1 - chances.sum())}

    return explore_choices(run, law, stops=THRESHOLDS, start=11_000, name="threshold")


def explore_reported_epsilon(
    table: pd.DataFrame, *, threshold: float = 10_000, count: int = 3
) -> SliderFigure:
    """Show which of nine windows of ages are reported as large, with a slider for epsilon.

    Args:
      table, count: as in `explore_reported_threshold`.
      threshold: public number of people.

    Raises:
      ValueError: an argument is out of range, or table lacks the column.
    """
    threshold = _validate.number("threshold", threshold)
    return _explore(
        table,
        count,
        lambda epsilon: {"threshold": threshold, "epsilon": epsilon},
        middle=threshold,
        stops=EPSILONS,
        start=0.01,
        name="ε",
    )


def _explore(table, count, law, *, middle: float, **slider) -> SliderFigure:
    answers = window_counts(table)
    count = _validate.whole("count", count)

    @functools.cache
    def shares(stop):
        # The same random numbers for each stop, so that the eye sees one thing change.
        generator = np.random.default_rng(11)
        return report_shares(answers, count=count, runs=RUNS, rng=generator, **law(stop))

    def kinds(stop):
        return report_kinds(answers, threshold=law(stop)["threshold"], count=count)

    def draw(axes, stop):
        run = one_run(answers, count=count, rng=np.random.default_rng(SEED), **law(stop))
        look = {"threshold": law(stop)["threshold"], "window": (middle - BELOW, middle + ABOVE)}
        draw_answers_and_threshold(axes[0], answers, count=count, run=run, **look)
        draw_report_shares(axes[1], shares(stop), kinds=kinds(stop), runs=RUNS)
        axes[1].tick_params(labelleft=False)  # the rows are those of the left panel

    def caption(stop):
        return _say_reports(shares(stop), kinds(stop), **law(stop))

    return explore_frames(draw, caption, panels=(3, 2), **slider)


def _say_reports(shares, kinds, *, threshold: float, epsilon: float) -> str:
    right, late, false = (amount(shares[kinds == kind].sum()) for kind in KINDS)
    lead, each = f"With threshold {threshold:,.10g} and ε = {epsilon:g}", f"each of {RUNS} runs"
    first = int((kinds == "right").sum())
    if not first:
        return f"{lead} no query is above it; on average {each} reports {false} below it (hatched)."
    these = "one" if first == 1 else f"first {first}"
    return (
        f"{lead}, {each} reports on average {right} of the {these} above it, {late} above it but "
        f"too late, and {false} below it (hatched)."
    )
