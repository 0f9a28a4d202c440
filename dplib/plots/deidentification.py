"""Figure of hiding without noise: who is unique."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dplib.plots.parts.curves import draw_bars, percents, write_numbers
from dplib.plots.parts.style import BLACK, ORANGE, add_legend, describe_axes

__all__ = ["draw_reconstructed_shares", "draw_unique_shares"]


def draw_unique_shares(ax: Axes, shares: pd.Series, *, exact: pd.Series) -> Axes:
    """Draw how many people are unique, for each number of Zip digits that a release keeps.

    Args:
      ax: Axes to draw on.
      shares: shares of unique people, between 0 and 1, indexed by the number of Zip digits kept.
      exact: the same for a release that keeps the date of birth to the day, with the same index.

    Returns:
      `ax`, with a bar and its number for each share, and the exact ones as dashed outlines.

    Raises:
      ValueError: shares are not between 0 and 1, or the indices differ.
    """
    heights, outlines = percents("shares", shares), percents("exact", exact)
    if list(shares.index) != list(exact.index):
        raise ValueError(f"exact must have the index of shares, got {list(exact.index)}")
    places = np.arange(len(heights))
    draw_bars(ax, places - 0.4, heights, width=0.8, facecolor=ORANGE, label="this release")
    dashed = {"facecolor": "none", "edgecolor": BLACK, "linestyle": "--"}
    draw_bars(ax, places - 0.4, outlines, width=0.8, label="exact date of birth", **dashed)
    write_numbers(ax, places, heights)
    ax.set(xlim=(-0.6, len(heights) - 0.4), ylim=(0, 85))
    ax.set_xticks(places, [f"{digits}" for digits in shares.index])
    ax.set_yticks([0, 20, 40, 60, 80])
    add_legend(ax)
    return describe_axes(ax, x="Zip digits kept", y="people who are unique (%)")


def draw_reconstructed_shares(
    ax: Axes, shares: pd.Series, *, noise: float, majority: float
) -> Axes:
    """Draw which share of a secret column is rebuilt from noisy counts, against their noise.

    Args:
      ax: Axes to draw on.
      shares: shares that are right, between 0 and 1, indexed by the scale of the noise in people.
      noise: the scale that is marked, one of the index.
      majority: the share that is right if everybody is given the commoner value, between 0 and 1.

    Returns:
      `ax`, with the lines "rebuilt" (solid) and "same for all" (dashed), and the marked scale.

    Raises:
      ValueError: shares are not between 0 and 1, or noise is not in the index.
    """
    heights = percents("shares", shares)
    if noise not in shares.index:
        raise ValueError(f"noise must be one of {list(shares.index)!r}, got {noise!r}")
    ax.plot(shares.index, heights, color=ORANGE, linewidth=2, label="rebuilt")
    ax.axhline(100 * majority, color=BLACK, linestyle="--", label="same for all")
    ax.plot([noise], [100 * shares[noise]], "o", color=ORANGE, markersize=9)
    ax.set(xlim=(min(shares.index), max(shares.index)), ylim=(0, 103))
    add_legend(ax)
    return describe_axes(ax, x="noise of each count (people)", y="people whose secret is right (%)")
