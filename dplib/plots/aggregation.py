"""Figures of sample and aggregate: the chunks' answers; bias, noise and error of their number."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.clouds import DOTS, SHARES, draw_cloud
from dplib.plots.parts.curves import FIRST, SECOND
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.outside import count_outside, leave_margins
from dplib.plots.parts.style import BLACK, BLUE, ORANGE, add_legend, describe_axes

#: The functions that are compared, by the names under which pandas knows them.
FUNCTIONS = ("mean", "median", "max")
_HALF = {"height": 0.3, "size": 4}  # of a row: two clouds share it


def answers_of_chunks(values, assigned, *, chunks: int, lower, upper) -> pd.DataFrame:
    """Return what each chunk answers for mean, median and max, clipped.

    It reads the exact answers, so it is for studying the mechanism, and not itself private.

    Args:
      values: one finite number a person, shape (n,).
      assigned: the chunk of each person, shape (n,), from 0 to chunks - 1, as `assign_chunks`
        gives it.
      chunks: number of chunks, a whole number of at least 1.
      lower, upper: public ends, in the units of the values, lower < upper; answers are clipped.

    Returns:
      A DataFrame with a row for each chunk and a column for each function. An empty chunk answers
      with the middle of the interval.

    Raises:
      ValueError: an argument is out of range.
    """
    low, high = _validate.interval(lower, upper)
    count = _validate.whole("chunks", chunks)
    rows = pd.Series(_validate.finite_array("values", values))
    places = _validate.integer_array("assigned", assigned)
    if places.shape != rows.shape or places.min() < 0 or places.max() >= count:
        raise ValueError(f"assigned must be {len(rows)} chunks from 0 to {count - 1}")
    answers = rows.groupby(places).agg(list(FUNCTIONS)).clip(low, high)
    return answers.reindex(np.arange(count), fill_value=(low + high) / 2)


def chunk_errors(values, answers: pd.DataFrame, *, lower, upper, epsilon: float) -> pd.DataFrame:
    """Return bias, noise and total error of `sample_and_aggregate` for mean, median and max.

    Args:
      values: one finite number a person, shape (n,).
      answers: of the chunks, as `answers_of_chunks` gives them.
      lower, upper: public ends, in the units of the values, lower < upper.
      epsilon: privacy cost of the release, > 0, without unit.

    Returns:
      A DataFrame with a row for each function and the columns "bias" (how far the mean of the
      chunks' answers is from the function of all values), "noise" (its standard deviation) and
      "total" (the root of the sum of their squares), in the units of the values.

    Raises:
      ValueError: an argument is out of range.

    Source: the variance of Laplace noise, twice its squared scale; bias and noise add in squares.
    """
    low, high = _validate.interval(lower, upper)
    rows = pd.Series(_validate.finite_array("values", values))
    bias = (answers.mean() - rows.agg(list(FUNCTIONS))).abs()
    scale = (high - low) / (len(answers) * _validate.positive("epsilon", epsilon))
    errors = pd.DataFrame({"bias": bias, "noise": math.sqrt(2) * scale})
    return errors.assign(total=np.hypot(errors["bias"], errors["noise"]))


def draw_chunk_releases(
    ax: Axes, answers: pd.DataFrame, exact: pd.Series, *, lower, upper, epsilon: float, unit: str
) -> Axes:
    """Draw the chunks' answers, what may be released for them, and the exact answers.

    Args:
      ax: Axes to draw on.
      answers: a row for each chunk and a column for each function, between lower and upper.
      exact: the answer of each function for all people, indexed as the columns.
      lower, upper: public ends, in the units of the values, lower < upper.
      epsilon: privacy cost of the release, > 0, without unit.
      unit: the name of these units.

    Returns:
      `ax`, with a row for each function: above, a dot for each chunk, or for fifty of them that
      share the answers evenly; below, fifty releases that share their law evenly; dashed, the
      exact answer. At the ends of a row stands how many releases lie outside.

    Raises:
      ValueError: an argument is out of range.
    """
    low, high = _validate.interval(lower, upper)
    if not isinstance(answers, pd.DataFrame) or answers.empty:
        raise ValueError("answers must be a DataFrame with at least one chunk")
    inside = _validate.finite_array("answers", answers)
    if inside.min() < low or inside.max() > high:
        raise ValueError(f"answers must lie between {low:g} and {high:g}, got {inside!r}")
    if not isinstance(exact, pd.Series) or list(exact.index) != list(answers.columns):
        raise ValueError(f"exact must have the index {list(answers.columns)}, got {exact!r}")
    _validate.finite_array("exact", exact)
    # Dwork & Roth (2014), definition 3.3; one person moves the answer of one chunk.
    law = LaplaceLaw(0, (high - low) / (len(answers) * _validate.positive("epsilon", epsilon)))
    window = (low - 0.05 * (high - low), high + 0.05 * (high - low))
    for row, name in zip(name_rows(ax, list(answers)), answers, strict=True):
        truth = {"color": BLACK, "linestyle": "--", "linewidth": 1.5, "zorder": 3}  # above the dots
        ax.plot([exact[name]] * 2, [row - 0.45, row + 0.45], **truth, label=_once("exact", row))
        one = min(DOTS, len(answers))
        seen = np.quantile(answers[name], (np.arange(one) + 0.5) / one)
        draw_cloud(ax, seen, row + 0.2, SECOND, _once("chunks", row), **_HALF)
        released = answers[name].mean() + law.ppf(SHARES)
        half = {"window": window, **_HALF}
        draw_cloud(ax, released, row - 0.2, FIRST, _once("released", row), **half)
        count_outside(ax, released, window, height=row - 0.2)
    leave_margins(ax, window)
    ax.set_xticks(np.linspace(low, high, 6))  # none in the margins
    ax.xaxis.set_major_formatter("{x:,.4g}")
    add_legend(ax)
    return describe_axes(ax, x=f"answer ({unit})", y="function")


def _once(label: str, row: float) -> str:
    """Return a name for the legend in the first row only."""
    return label if row == 0 else f"_{label}"


def draw_chunk_answers(ax: Axes, answers, *, lower, upper, unit: str) -> Axes:
    """Draw how the chunks' answers lie, the interval to which they are clipped, and their mean.

    Args:
      ax: Axes to draw on.
      answers: one finite number a chunk, shape (chunks,).
      lower, upper: public ends, in the units of the answers, lower < upper.
      unit: the name of these units.

    Returns:
      `ax`, with the histogram "answers" in twenty bins over the interval (an answer beyond an end
      counts in the bin at this end, and how many do stands above), the ends (dotted) and the "mean"
      of the clipped answers.

    Raises:
      ValueError: answers holds no number or one that is not finite, or the ends are out of range.
    """
    low, high = _validate.interval(lower, upper)
    exact = _validate.finite_array("answers", answers).ravel()
    clipped = np.clip(exact, low, high)
    if not clipped.size:
        raise ValueError(f"answers must hold at least one number, got {answers!r}")
    edges = np.linspace(low, high, 21)
    heights = np.histogram(clipped, edges)[0]
    ax.stairs(heights, edges, color=ORANGE, fill=True, alpha=0.35)
    ax.stairs(heights, edges, color=ORANGE, linewidth=1.5, label="answers")
    count_outside(ax, exact, (low, high), height=1.1 * heights.max())
    ax.axvline(clipped.mean(), color=BLACK, linewidth=2, linestyle="--", label="mean")
    for end in (low, high):
        ax.axvline(end, color=BLUE, linestyle=":", label="ends" if end == low else None)
    ax.set_xlim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    ax.set_ylim(0, 1.2 * heights.max())
    ax.yaxis.get_major_locator().set_params(integer=True)
    add_legend(ax)
    return describe_axes(ax, x=f"answer of a chunk ({unit})", y="number of chunks")


def show_chunk_answers(answers, *, lower, upper, unit: str) -> Figure:
    """Return the figure of `draw_chunk_answers`, with its description."""
    low, middle, high = np.quantile(_validate.finite_array("answers", answers), (0, 0.5, 1))
    figure, axes = described_figure(
        f"The answers of {np.size(answers)} chunks lie between {low:.2g} and {high:.2g} {unit}, "
        f"half of them below {middle:.2g}; they are clipped to {lower:g} and {upper:g}."
    )
    draw_chunk_answers(axes, answers, lower=lower, upper=upper, unit=unit)
    return figure


def draw_vote_leads(ax: Axes, leads, *, voters: int, epsilon: float) -> Axes:
    """Draw by how many votes the winner leads, question by question, beside the noise.

    Args:
      ax: Axes to draw on.
      leads: by how many votes the winner leads at each question, whole numbers of at least 0.
      voters: number of models, at least the largest lead.
      epsilon: of one noisy vote, > 0, without unit.

    Returns:
      `ax`, with a histogram of the leads, and (dashed) the lead below which noise changes the
      winner of two classes more than 1 time in 20.

    Raises:
      ValueError: an argument is out of range.
    """
    votes, count = _validate.integer_array("leads", leads), _validate.whole("voters", voters)
    if votes.min() < 0 or votes.max() > count:
        raise ValueError(f"leads must lie between 0 and {count}, got {leads!r}")
    limit = _lead_that_stays(epsilon)
    edges = np.linspace(0, count, 26)
    heights = np.histogram(votes, edges)[0]
    ax.stairs(heights, edges, color=ORANGE, fill=True, alpha=0.35)
    ax.stairs(heights, edges, color=ORANGE, linewidth=1.5, label="questions")
    look = {"color": BLACK, "linewidth": 2, "linestyle": "--"}
    ax.axvline(limit, label="left of it noise may change it", **look)
    ax.set_xlim(0, count)
    add_legend(ax)
    return describe_axes(ax, x="lead of the winner (votes)", y="number of questions")


def _lead_that_stays(epsilon: float) -> float:
    """Return the lead that the difference of two Laplace draws exceeds 1 time in 20."""
    leads = np.linspace(0, 20, 2001)
    # At scale 1 the difference exceeds g with probability (2 + g) / 4 * exp(-g).
    exceeded = (2 + leads) / 4 * np.exp(-leads)
    return float(leads[np.argmax(exceeded < 0.05)] * 2 / _validate.positive("epsilon", epsilon))


def show_vote_leads(leads, *, voters: int, epsilon: float) -> Figure:
    """Return the figure of `draw_vote_leads`, with its description."""
    limit = _lead_that_stays(epsilon)
    share = 100 * float(np.mean(np.asarray(leads) > limit))
    figure, axes = described_figure(
        f"At {share:.0f} % of {len(leads):,} questions the winner leads by more than {limit:.0f} "
        f"of {voters} votes, the lead that noise seldom changes."
    )
    draw_vote_leads(axes, leads, voters=voters, epsilon=epsilon)
    return figure
