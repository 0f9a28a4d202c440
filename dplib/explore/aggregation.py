"""Slider of the chapter on sample and aggregate."""

import functools
from collections.abc import Callable

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.aggregation import assign_chunks, sample_and_aggregate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure
from dplib.explore.parts.releases import explore_releases
from dplib.explore.parts.words import amount, counted
from dplib.plots.aggregation import (
    FUNCTIONS,
    answers_of_chunks,
    chunk_errors,
    draw_chunk_releases,
)
from dplib.plots.parts.laws import LaplaceLaw

CHUNKS = tuple(2**power for power in range(16))
FEW = 1000  # people for a reader's own function, which is called many times


def explore_chunks(
    values,
    *,
    labels,
    lower: float = 0,
    upper: float = 125,
    epsilon: float = 1,
    unit: str = "years",
    mechanism: Callable | None = None,
) -> SliderFigure | LiveFigure:
    """Show what chunks answer and what is released for them, with a slider for their number.

    Args:
      values: one finite number a person, shape (n,).
      labels: one label a person, whole numbers or texts, as in `assign_chunks`.
      lower, upper: public ends, in the units of the values, lower < upper; answers are clipped.
      epsilon: privacy cost of the release, > 0, without unit.
      unit: the name of the units of the values.
      mechanism: a function of your own, called like `dplib.sample_and_aggregate`: then its means of
        the first 1,000 people are drawn beside their law, anew at each move.

    Raises:
      ValueError: an argument is out of range.
    """
    law = {"lower": lower, "upper": upper, "epsilon": epsilon}
    numbers = _validate.finite_array("values", values)
    # The chunk is a hash modulo the number of chunks. All stops divide 2**40, so hashing once does.
    hashes = assign_chunks(labels, chunks=2**40)
    if numbers.shape != hashes.shape:
        raise ValueError(f"labels must be {numbers.shape}, one a value, got {hashes.shape}")
    if mechanism is not None:
        return _own_means(mechanism, numbers[:FEW], labels[:FEW], unit=unit, **law)

    ends = {"lower": lower, "upper": upper}
    exact = pd.Series(numbers).agg(list(FUNCTIONS))

    @functools.cache
    def answers(chunks) -> pd.DataFrame:
        count = int(chunks)
        return answers_of_chunks(numbers, hashes % count, chunks=count, **ends)

    def draw(axes, chunks):
        draw_chunk_releases(axes[0], answers(chunks), exact, unit=unit, **law)

    def caption(chunks):
        return _say_errors(chunks, chunk_errors(numbers, answers(chunks), **law), unit)

    return explore_frames(draw, caption, stops=CHUNKS, start=64, name="chunks")


def _say_errors(chunks: float, errors: pd.DataFrame, unit: str) -> str:
    number, noise = counted(chunks, "chunk"), errors["noise"].iloc[0]
    mean, median, largest = (amount(errors["total"][name]) for name in FUNCTIONS)
    return (
        f"With {number} the noise has a standard deviation of {amount(noise)} {unit}; with the "
        f"bias, the root mean squared error is {mean} for the mean, {median} for the median and "
        f"{largest} for the maximum."
    )


def _own_means(mechanism, values, labels, *, lower, upper, epsilon, unit: str) -> LiveFigure:
    public = {"lower": lower, "upper": upper, "labels": labels}

    def release(function, chunks, epsilon):
        return function(values, np.mean, chunks=int(chunks), epsilon=epsilon, **public)

    @functools.cache
    def exact(chunks):
        # So large a budget leaves noise that nobody can see in a picture.
        return float(release(sample_and_aggregate, chunks, 1e9 * epsilon))

    return explore_releases(
        lambda chunks: release(mechanism, chunks, epsilon),
        # One person moves the answer of one chunk, by (upper - lower) at most.
        lambda chunks: LaplaceLaw(exact(chunks), (upper - lower) / (chunks * epsilon)),
        exact=lambda chunks: f"{exact(chunks):.3g}, the mean of the chunks' answers",
        stops=CHUNKS[:8],
        start=16,
        x=f"released mean ({unit})",
        name="chunks",
    )
