"""Slider of the chapter on sample and aggregate."""

from __future__ import annotations

import functools

import pandas as pd

from dplib import _validate
from dplib.aggregation import assign_chunks
from dplib.explore.frames import SliderFigure, explore_frames
from dplib.explore.words import amount
from dplib.plots.aggregation import FUNCTIONS, chunk_errors, draw_chunk_errors

__all__ = ["explore_chunks"]

CHUNKS = tuple(2**power for power in range(16))


def explore_chunks(
    values,
    *,
    labels,
    lower: float = 0,
    upper: float = 125,
    epsilon: float = 1,
    unit: str = "years",
) -> SliderFigure:
    """Show bias, noise and total error of sample and aggregate, with a slider for the chunks.

    Args:
      values: one finite number a person, shape (n,).
      labels: one label a person, whole numbers or texts, as in `assign_chunks`.
      lower, upper: public ends, in the units of the values, lower < upper; answers are clipped.
      epsilon: privacy loss of the release, > 0, without unit.
      unit: the name of the units of the values.

    Raises:
      ValueError: an argument is out of range.
    """
    law = {"lower": lower, "upper": upper, "epsilon": epsilon}
    numbers = _validate.finite_array("values", values)
    # The chunk is a hash modulo the number of chunks. All stops divide 2**40, so hashing once does.
    hashes = assign_chunks(labels, chunks=2**40)
    if numbers.shape != hashes.shape:
        raise ValueError(f"labels must be {numbers.shape}, one a value, got {hashes.shape}")

    @functools.cache
    def errors(chunks) -> pd.DataFrame:
        count = int(chunks)
        return chunk_errors(numbers, hashes % count, chunks=count, **law)

    highest = 2 * errors(1)["total"].max()

    def draw(axes, chunks):
        draw_chunk_errors(axes[0], errors(chunks), unit=unit, lowest=highest / 1e6, highest=highest)

    def caption(chunks):
        one = "chunk" if chunks == 1 else "chunks"
        noise = errors(chunks)["noise"].iloc[0]
        mean, median, largest = (amount(errors(chunks)["total"][name]) for name in FUNCTIONS)
        return (
            f"With {chunks:,g} {one} the noise is about {amount(noise)} {unit}; with the bias, the "
            f"mean is off by {mean} {unit} in all, the median by {median}, and the maximum by "
            f"{largest}."
        )

    return explore_frames(draw, caption, stops=CHUNKS, start=64, name="chunks")
