"""Rows are spread evenly over chunks, few or many: as by independent uniform draws."""

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.words import counted

# How far the share of rows in the first chunks, however many, may be from the fair one: further
# with probability below 2 * exp(-2 * 3,000 * 0.07**2) < 1e-12 (Massart 1990).
_FURTHEST = 0.07
# How far a chunk may be from its fair share, in standard deviations. Independent uniform draws, as
# which a hash of labels that it cannot foresee must look, go beyond it in one of four tables with
# probability below 2e-11 (binomial law, 900 rows, 5 to 11 chunks).
_MOST_SPREAD = 8.0


def raise_if_digits_run_out(given: np.ndarray, chunks: int) -> None:
    """Raise BadAnswer if rows meet in many chunks too often: a hash with few values.

    Pairs of rows share a chunk with probability 1 / chunks: their number has mean m = n * (n - 1) /
    (2 * chunks), here 140 or more, and variance below m. A right hash goes twelve standard
    deviations beyond with probability below 1e-15.
    """
    rows, sizes = len(given), np.bincount(given, minlength=chunks)
    pairs, fair = float(sizes @ (sizes - 1)) / 2, rows * (rows - 1) / (2 * chunks)
    if pairs > fair + 12 * np.sqrt(fair):
        raise BadAnswer(
            "among many chunks some come much more often",
            seen=f"in another call, with {counted(rows, 'row')} and {chunks:,} chunks, the largest "
            f"has {counted(int(sizes.max()), 'row')}, and {int(np.sum(sizes == 0)):,} have none",
            ask="how many values can your number take, before the division by `chunks`?",
        )


def raise_if_first_chunks_come_more(given: np.ndarray, chunks: int) -> None:
    """Raise BadAnswer if too many rows are in the first chunks, or too few."""
    shares = np.bincount(given, minlength=chunks).cumsum() / len(given)
    off = shares - np.linspace(1 / chunks, 1, chunks)
    place = int(np.argmax(np.abs(off)))
    if abs(off[place]) > _FURTHEST:
        raise BadAnswer(
            "the first of many chunks come too often, or too rarely",
            seen=f"in another call, with {counted(len(given), 'row')} and {chunks:,} chunks, the "
            f"first {place + 1:,} have {shares[place]:.0%} of the rows",
            ask="which remainders come from more values of your number than others?",
        )


def raise_if_uneven(given: np.ndarray, chunks: int) -> None:
    """Raise BadAnswer if a chunk is much larger or smaller than its fair share."""
    sizes = np.bincount(given, minlength=chunks)
    fair = len(given) / chunks
    room = _MOST_SPREAD * np.sqrt(fair * (1 - 1 / chunks))
    if np.max(np.abs(sizes - fair)) > room:
        raise BadAnswer(
            "the chunks are far from equally large",
            seen=f"the smallest has {counted(sizes.min(), 'row')}, the largest {sizes.max()}; "
            f"about {fair:.0f} are fair",
            ask="does every label have the same chance to come to each chunk, pattern or not?",
        )
