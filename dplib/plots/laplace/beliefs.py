"""Figures of attackers: what they believe after a release, of one person and of a household."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.laplace import attacker_posterior, household_beliefs
from dplib.plots.parts.clouds import draw_cloud, laplace_dots
from dplib.plots.parts.curves import FIRST, SECOND
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import BLACK, BLUE, ORANGE, SKY, add_legend, describe_axes

_PILE = 0.6  # per cent: dots that are nearer to each other hide each other


def draw_posterior(ax: Axes, *, prior: float, epsilon: float) -> Axes:
    """Draw what attackers who know everyone but one person believe after fifty releases each.

    Args:
      ax: Axes to draw on.
      prior: probability, before the release, that the person is counted; strictly between 0 and 1.
      epsilon: privacy cost of the release (a count, sensitivity 1), > 0, without unit.

    Returns:
      `ax`, with a dot for each belief, in per cent: in the upper row the person is counted, in the
      lower one not. Beside the piles at both ends stand their numbers. The prior is dashed, over
      the band that epsilon allows.

    Raises:
      ValueError: an argument is out of range.

    Source: Bayes's rule with Dwork & Roth (2014), definition 2.4.
    """
    law = {"count_without": 0, "epsilon": epsilon, "prior": prior}
    # Outside the two counts the ratio of the densities is at its bound: the extremes are there.
    low, high = 100 * attacker_posterior(np.array([-1.0, 2.0]), **law)
    ax.axvspan(low, high, color=SKY, alpha=0.25, linewidth=0, label="allowed by ε")
    beliefs = {
        name: 100 * attacker_posterior(count + laplace_dots(1 / epsilon), **law)
        for name, count in (("if counted", 1), ("if not", 0))
    }
    _draw_beliefs(ax, beliefs, prior=prior)
    add_legend(ax)
    return describe_axes(ax, x="belief that the person is counted", y="50 equally likely releases")


def _draw_beliefs(ax: Axes, beliefs: Mapping[str, np.ndarray], *, prior: float) -> None:
    """Draw beliefs in per cent, a row for each case, and the one before the release."""
    rows = name_rows(ax, list(beliefs))
    for (name, places), row, look in zip(beliefs.items(), rows, (FIRST, SECOND), strict=True):
        draw_cloud(ax, places, row, look, f"_{name}")
        _count_piles(ax, places, row)
    ax.axvline(100 * prior, color=BLACK, linewidth=1.5, linestyle="--", label="before")
    ax.set_xlim(-10, 108)  # with room for the numbers
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.xaxis.set_major_formatter("{x:.0f} %")


def _count_piles(ax: Axes, places: np.ndarray, row: float) -> None:
    """Write beside both ends of a row how many dots hide each other there."""
    low, high = float(places.min()), float(places.max())
    near = min(_PILE, (high - low) / 4)
    beside = {"textcoords": "offset points", "va": "center", "in_layout": False}
    ends = ((low, -8, "right"), (high, 8, "left"))
    # Where all beliefs are one there is one pile.
    for end, move, side in ends if high - low > 1e-9 else ends[1:]:
        if (pile := int(np.sum(np.abs(places - end) <= near))) > 1:
            ax.annotate(f"{pile}", (end, row), (move, 0), ha=side, **beside)


def draw_household(ax: Axes, *, household: int, largest: int = 10) -> Axes:
    """Draw the people of a household who are in the table, with one member's row and without it.

    Args:
      ax: Axes to draw on.
      household: number of people, a whole number of at least 1.
      largest: the largest household, a whole number of at least `household`.

    Returns:
      `ax`, with a dot for each person; the member whose row is left out is a cross.

    Raises:
      ValueError: an argument is out of range.
    """
    size = _validate.whole("household", household)
    end = _validate.whole("largest", largest, least=size)
    rows = name_rows(ax, ["with your row", "without it"])
    across = math.ceil(end / 2)
    places = np.arange(size) % across
    up = 0.15 - 0.3 * (np.arange(size) // across)
    look = {"linestyle": "", "markersize": 9}
    ax.plot(places, rows[0] + up, "o", color=ORANGE, label="in the table", **look)
    ax.plot(places[1:], rows[1] + up[1:], "s", color=BLUE, label="_others", **look)
    ax.plot(places[:1], rows[1] + up[:1], "x", color=BLACK, label="you", markeredgewidth=2, **look)
    ax.set(xlim=(-0.7, across - 0.3), xticks=[])
    return describe_axes(ax, x="the household", y="in the table")


def draw_household_beliefs(ax: Axes, *, household: int, epsilon: float, prior: float) -> Axes:
    """Draw what is believed of a household that is ill, with a member's row in the table or not.

    Args:
      ax: Axes to draw on.
      household, epsilon, prior: as in `household_beliefs`.

    Returns:
      `ax`, with a dot for the belief after each of fifty releases, in per cent: in the upper row
      all of the household are in the table, in the lower one all but one. The prior is dashed.

    Raises:
      ValueError: an argument is out of range.

    Source: `household_beliefs`.
    """
    law = {"others": 0, "household": household, "epsilon": epsilon, "prior": prior}
    noise = laplace_dots(1 / _validate.positive("epsilon", epsilon))
    with_row = household_beliefs(household + noise, **law)[0]
    without_row = household_beliefs(household - 1 + noise, **law)[1]
    _draw_beliefs(
        ax, {"with your row": 100 * with_row, "without it": 100 * without_row}, prior=prior
    )
    ax.set_yticks([])
    ax.set_xticks([0, 50, 100])
    return describe_axes(ax, x="belief that the household is ill", y="after each of 50 releases")
