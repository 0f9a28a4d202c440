"""Figures of sample and aggregate: the chunks' answers; bias, noise and error of their number."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.parts.curves import draw_bars, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLACK, BLUE, ORANGE, SKY, add_legend, describe_axes

__all__ = [
    "FUNCTIONS",
    "chunk_errors",
    "draw_chunk_answers",
    "draw_chunk_errors",
    "draw_vote_leads",
    "show_chunk_answers",
    "show_vote_leads",
]

#: The functions that are compared, by the names under which pandas knows them.
FUNCTIONS = ("mean", "median", "max")


def chunk_errors(values, assigned, *, chunks: int, lower, upper, epsilon: float) -> pd.DataFrame:
    """Return bias, noise and total error of `sample_and_aggregate` for mean, median and max.

    It reads the exact answers, so it is for studying the mechanism, and not itself private.

    Args:
      values: one finite number a person, shape (n,).
      assigned: the chunk of each person, shape (n,), from 0 to chunks - 1, as `assign_chunks`
        gives it.
      chunks: number of chunks, a whole number of at least 1.
      lower, upper: public ends, in the units of the values, lower < upper; answers are clipped.
      epsilon: privacy loss of the release, > 0, without unit.

    Returns:
      A DataFrame with a row for each function and the columns "bias" (how far the mean of the
      chunks' answers is from the function of all values), "noise" (its standard deviation) and
      "total" (the root of the sum of their squares), in the units of the values.

    Raises:
      ValueError: an argument is out of range.

    Source: the variance of Laplace noise, twice its squared scale; bias and noise add in squares.
    """
    low, high = _validate.interval(lower, upper)
    count = _validate.whole("chunks", chunks)
    rows = pd.Series(_validate.finite_array("values", values))
    places = _validate.integer_array("assigned", assigned)
    if places.shape != rows.shape or places.min() < 0 or places.max() >= count:
        raise ValueError(f"assigned must be {len(rows)} chunks from 0 to {count - 1}")
    answers = rows.groupby(places).agg(list(FUNCTIONS)).clip(low, high)
    # An empty chunk answers with the middle of the interval.
    released = answers.reindex(np.arange(count), fill_value=(low + high) / 2).mean()
    bias = (released - rows.agg(list(FUNCTIONS))).abs()
    scale = (high - low) / (count * _validate.positive("epsilon", epsilon))
    errors = pd.DataFrame({"bias": bias, "noise": math.sqrt(2) * scale})
    return errors.assign(total=np.hypot(errors["bias"], errors["noise"]))


def draw_chunk_errors(
    ax: Axes, errors: pd.DataFrame, *, unit: str, lowest: float, highest: float
) -> Axes:
    """Draw bias, noise and total error of each function, side by side.

    Args:
      ax: Axes to draw on.
      errors: a row for each function, with the columns "bias", "noise" and "total", at least 0.
      unit: the name of their units.
      lowest, highest: the ends of the axis, same units, 0 < lowest < highest.

    Returns:
      `ax`, the y axis logarithmic, with three bars for each function; no bar for an error below
      `lowest`.

    Raises:
      ValueError: errors lacks a column, or the ends are out of range.
    """
    if not isinstance(errors, pd.DataFrame) or not {"bias", "noise", "total"} <= set(errors):
        raise ValueError("errors must be a DataFrame with the columns bias, noise and total")
    floor, top = _validate.positive("lowest", lowest), _validate.number("highest", highest)
    if top <= floor:
        raise ValueError(f"highest must be above lowest, got {highest!r} and {lowest!r}")
    places = np.arange(len(errors))
    looks = {
        "bias": {"facecolor": BLUE, "hatch": "\\\\"},
        "noise": {"facecolor": SKY, "hatch": ".."},
        "total": {"facecolor": ORANGE},
    }
    for shift, (part, look) in zip((-0.4, -0.13, 0.14), looks.items(), strict=True):
        height = np.maximum(errors[part].to_numpy() - floor, 0)
        style = {"width": 0.25, "bottom": floor, "edgecolor": "white", "linewidth": 0.5}
        draw_bars(ax, places + shift, height, label=part, **style, **look)
    ax.set(yscale="log", xlim=(-0.5, len(errors) - 0.5), ylim=(floor, top))
    ax.set_xticks(places, list(errors.index))
    plain_ticks(ax.yaxis)
    add_legend(ax)
    return describe_axes(ax, x="function of the values", y=f"error ({unit})")


def draw_chunk_answers(ax: Axes, answers, *, lower, upper, unit: str) -> Axes:
    """Draw how the chunks' answers lie, the interval to which they are clipped, and their mean.

    Args:
      ax: Axes to draw on.
      answers: one finite number a chunk, shape (chunks,).
      lower, upper: public ends, in the units of the answers, lower < upper.
      unit: the name of these units.

    Returns:
      `ax`, with the histogram "answers" in twenty bins over the interval (an answer beyond an end
      counts in the bin at this end), the ends (dotted) and the "mean" of the clipped answers.

    Raises:
      ValueError: answers holds no number or one that is not finite, or the ends are out of range.
    """
    low, high = _validate.interval(lower, upper)
    clipped = np.clip(_validate.finite_array("answers", answers).ravel(), low, high)
    if not clipped.size:
        raise ValueError(f"answers must hold at least one number, got {answers!r}")
    edges = np.linspace(low, high, 21)
    ax.stairs(np.histogram(clipped, edges)[0], edges, color=ORANGE, fill=True, alpha=0.35)
    ax.stairs(np.histogram(clipped, edges)[0], edges, color=ORANGE, linewidth=1.5, label="answers")
    ax.axvline(clipped.mean(), color=BLACK, linewidth=2, linestyle="--", label="mean")
    for end in (low, high):
        ax.axvline(end, color=BLUE, linestyle=":", label="ends" if end == low else None)
    ax.set_xlim(low - 0.05 * (high - low), high + 0.05 * (high - low))
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
    edges = np.linspace(0, count, 26)
    heights = np.histogram(votes, edges)[0]
    ax.stairs(heights, edges, color=ORANGE, fill=True, alpha=0.35)
    ax.stairs(heights, edges, color=ORANGE, linewidth=1.5, label="questions")
    limit = _lead_that_stays(epsilon)
    ax.axvline(limit, color=BLACK, linewidth=2, linestyle="--", label="noise may change it")
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
