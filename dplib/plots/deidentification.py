"""Figures of hiding without noise: who is alone, and whose secret is rebuilt from counts."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from dplib import _validate
from dplib.plots.parts.curves import percents
from dplib.plots.parts.style import (
    BEHIND_WORDS,
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    add_legend,
    describe_axes,
    rounded,
)

_YEAR = 365.25  # days
_FOOT = 0.001  # per cent: where 0 stands on a logarithmic axis


def draw_birth_steps(ax: Axes, ages, *, days: int, name: str) -> Axes:
    """Draw people of one place by their date of birth, and who is alone in a step of the time line.

    Args:
      ax: Axes to draw on.
      ages: days since each was born, shape (n,), whole, at least 0; the first is marked.
      days: length of a step, a whole number of at least 1; steps count from age 0.
      name: of the first person.

    Returns:
      `ax`, with a diamond for whoever is alone in a step and a circle for the others; every second
      step is shaded where they can be told apart.

    Raises:
      ValueError: an argument is out of range.
    """
    ages = _validate.integer_array("ages", ages)
    if ages.ndim != 1 or len(ages) == 0 or (ages < 0).any():
        raise ValueError(f"ages must be of shape (n,) and at least 0, got {ages!r}")
    steps = ages // _validate.whole("days", days)
    alone = np.isin(steps, np.flatnonzero(np.bincount(steps) == 1))
    years, heights = ages / _YEAR, np.arange(len(ages)) * 0.618034 % 1
    heights[0] = -0.2  # below the others, so that the name hides nobody
    if days / _YEAR >= 1.9:
        for left in np.arange(0, 100, 2 * days / _YEAR):
            ax.axvspan(left, min(left + days / _YEAR, 100), color=SKY, alpha=0.25, linewidth=0)
    looks = {"alone": (alone, "D", ORANGE, ORANGE), "in a crowd": (~alone, "o", "none", GREY)}
    for label, (who, marker, fill, edge) in looks.items():
        look = {"markerfacecolor": fill, "markeredgecolor": edge, "markersize": 7, "label": label}
        ax.plot(years[who], heights[who], marker, linestyle="", **look)
    ring = {"markerfacecolor": "none", "markeredgecolor": BLACK, "markeredgewidth": 1.5}
    ax.plot(years[:1], heights[:1], "o", markersize=14, **ring)
    beside = {"textcoords": "offset points", "va": "center"}
    ax.annotate(name, (years[0], heights[0]), (10, 0), **beside)
    ax.set(xlim=(100, 0), ylim=(-0.4, 1.15), yticks=[])
    add_legend(ax)
    return describe_axes(ax, x="born so many years ago", y="people of one Zip")


def draw_unique_shares(ax: Axes, shares: pd.Series) -> Axes:
    """Draw how many people are unique, for each number of Zip digits that a release keeps.

    Args:
      ax: Axes to draw on.
      shares: shares of unique people, between 0 and 1, indexed by the number of Zip digits kept.

    Returns:
      `ax`, on a logarithmic scale, with a diamond and its number for each share: filled from 1
      person in 100 on (dashed), hollow below. Nobody unique stands at the foot.

    Raises:
      ValueError: shares are not between 0 and 1.
    """
    heights = percents("shares", shares)
    places, many = np.arange(len(heights)), heights >= 1
    ax.axhline(1, color=BLACK, linestyle="--", linewidth=1.5, label="1 in 100", zorder=1)
    shown = np.maximum(heights, _FOOT)
    for who, fill in ((many, ORANGE), (~many, "#ffffff")):
        look = {"markerfacecolor": fill, "markeredgecolor": ORANGE, "markeredgewidth": 2}
        ax.plot(places[who], shown[who], "D", markersize=8, **look)
    # Above the line, and below the diamonds.
    beside = {"textcoords": "offset points", "va": "center", "bbox": BEHIND_WORDS, "zorder": 1.5}
    for place, at, height in zip(places, shown, heights, strict=True):
        digits = 2 if height >= 0.1 else 1  # for which there is room
        ax.annotate(rounded(height, digits), (place, at), (8, 0), in_layout=False, **beside)
    ax.set(yscale="log", xlim=(-0.3, len(heights) + 0.2), ylim=(0.3 * _FOOT, 150))
    ax.set_xticks(places, [f"{digits}" for digits in shares.index])
    ax.set_yticks([_FOOT, 0.01, 0.1, 1, 10, 100], ["0", "0.01", "0.1", "1", "10", "100"])
    ax.yaxis.set_minor_locator(NullLocator())
    add_legend(ax)
    return describe_axes(ax, x="Zip digits kept", y="unique, of all (%)")


def draw_rebuilt(ax: Axes, secret, rebuilt, *, name: str) -> Axes:
    """Draw people whose secret was rebuilt: the shape is the truth, a cross says where it is wrong.

    Args:
      ax: Axes to draw on.
      secret: 0 or 1 for each person, shape (n,); the first person is named.
      rebuilt: what an attacker takes it for, of the same shape.
      name: of the first person.

    Returns:
      `ax`, with rows of people: squares have the secret, circles have not.

    Raises:
      ValueError: secret or rebuilt holds something else, or their shapes differ.
    """
    truth, told = (
        _validate.integer_array(what, given)
        for what, given in (("secret", secret), ("rebuilt", rebuilt))
    )
    if truth.ndim != 1 or set(np.unique(truth)) - {0, 1}:
        raise ValueError(f"secret must hold 0 and 1, of shape (n,), got {secret!r}")
    if told.shape != truth.shape or set(np.unique(told)) - {0, 1}:
        raise ValueError(f"rebuilt must hold 0 and 1, of shape {truth.shape}, got {rebuilt!r}")
    width = int(np.ceil(np.sqrt(2 * len(truth))))
    down, across = np.divmod(np.arange(len(truth)), width)
    for label, value, marker, color in (("secret", 1, "s", ORANGE), ("no secret", 0, "o", BLUE)):
        who = truth == value
        look = {"markerfacecolor": "none", "markeredgecolor": color, "markeredgewidth": 1.8}
        ax.plot(across[who], -down[who], marker, markersize=13, label=label, **look)
    wrong = truth != told
    ax.plot(
        across[wrong],
        -down[wrong],
        "x",
        color=BLACK,
        markersize=12,
        markeredgewidth=2,
        label="wrong",
    )
    ax.annotate(name, (0, 0), (-6, 10), textcoords="offset points")
    ax.set(xlim=(-0.8, width - 0.2), ylim=(-down[-1] - 0.7, 1), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    add_legend(ax)
    return describe_axes(ax, x=f"{np.sum(~wrong)} of {len(truth)} right", y=f"{len(truth)} people")


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
      `ax`, with the line "rebuilt" (solid) and "same for all" (dashed), and the marked scale.

    Raises:
      ValueError: shares are not between 0 and 1, or noise is not in the index.
    """
    heights = percents("shares", shares)
    if noise not in shares.index:
        raise ValueError(f"noise must be one of {list(shares.index)!r}, got {noise!r}")
    ax.plot(shares.index, heights, color=ORANGE, linewidth=2, label="rebuilt")
    ax.axhline(100 * majority, color=BLACK, linestyle="--", label="same for all")
    ax.text(0.3, 100 * majority - 12, "same for all", va="top")
    beside = shares.index[len(shares) // 3], heights[len(shares) // 3]
    ax.annotate("rebuilt", beside, (9, 2), textcoords="offset points", va="center")
    ax.plot([noise], [100 * shares[noise]], "o", color=ORANGE, markersize=9, clip_on=False)
    ax.set(xlim=(min(shares.index), max(shares.index)), ylim=(0, 103))
    return describe_axes(ax, x="noise (people)", y="right (%)")
