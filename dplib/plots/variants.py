"""Figures of accounting: what many answers cost by each account, and the law of their loss."""

import functools
import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.accounting import GaussianRelease, RandomizedResponseRelease, exact_epsilon
from dplib.composition import advanced_composition, sequential_composition
from dplib.guarantees import ApproximateDP, ZeroConcentratedDP
from dplib.plots.parts.curves import (
    FIRST,
    FOURTH,
    REFERENCE,
    SECOND,
    THIRD,
    Curve,
    draw_bars,
    draw_curves,
)
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.named_rows import name_rows, ticks_in_steps
from dplib.plots.parts.style import BLACK, add_legend, describe_axes, in_digits
from dplib.privacy_loss import composed_losses
from dplib.trade_off import gaussian_miss_rate

_LOOKS = {
    "sequential": SECOND,
    "advanced": FOURTH,
    "zCDP": FIRST,
    "RDP": THIRD,
    "exact": REFERENCE,
}


def gaussian_costs(count: int, *, sigma: float, delta: float) -> dict[str, float]:
    """Return the epsilon of many answers with Gaussian noise, by each account, for one delta.

    Args:
      count: number of answers, a whole number of at least 1.
      sigma: standard deviation of each answer's noise, in units of its L2 sensitivity, > 0.
      delta: of all answers together, strictly between 0 and 1, the same for every account.

    Returns:
      {account: epsilon}, for "sequential" and "advanced" composition, "zCDP", "RDP" and "exact".

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), theorems 3.16 and 3.20; Bun & Steinke (2016), propositions 1.3 and
    1.6; Mironov (2017), corollary 3; Balle & Wang (2018), theorem 8, for the exact epsilon.
    """
    count = _validate.whole("count", count)
    sigma, delta = _validate.positive("sigma", sigma), _validate.probability("delta", delta)
    return dict(_costs(count, sigma, delta))


@functools.lru_cache(maxsize=4096)  # a slider asks for the same curve at each of its stops
def _costs(count: int, sigma: float, delta: float) -> tuple[tuple[str, float], ...]:
    one = ZeroConcentratedDP(1 / (2 * sigma**2))
    together = sequential_composition([one] * count)
    # Around the order that is best by Mironov (2017), proposition 3; the sharper one is near it.
    orders = 1 + math.sqrt(-math.log(delta) / together.rho) * np.geomspace(0.25, 4, 200)
    # Each answer gets the same part of delta; the advanced theorem pays one half for itself.
    added = sequential_composition([_guarantee(sigma, delta / count)] * count)
    advanced = advanced_composition(
        _guarantee(sigma, delta / (2 * count)), count=count, delta_prime=delta / 2
    )
    return (
        ("sequential", added.epsilon),
        ("advanced", advanced.epsilon),
        ("zCDP", together.to_approximate(delta=delta).epsilon),
        ("RDP", together.to_rdp(orders=orders).to_approximate(delta=delta).epsilon),
        ("exact", exact_epsilon([GaussianRelease(sigma, count)], delta=delta)),
    )


def _guarantee(sigma: float, delta: float) -> ApproximateDP:
    """Return the sharpest guarantee of one answer for this delta."""
    epsilon = exact_epsilon([GaussianRelease(sigma)], delta=delta)
    return ApproximateDP(max(epsilon, math.ulp(0.0)), delta)


def draw_accounts(
    ax: Axes,
    *,
    count: int,
    sigma: float = 30,
    delta: float = 1e-5,
    largest: int = 1000,
    room_for: float | None = None,
) -> Axes:
    """Draw how many times the exact epsilon of many answers each account bills.

    Args:
      ax: Axes to draw on.
      count: the number of answers, a whole number from 1 to `largest`.
      sigma, delta: as in `gaussian_costs`.
      largest: the largest number of a slider, a whole number above 1: its bills fit the axis.
      room_for: the most noise of a slider, > 0, for which they fit; None: `sigma`.

    Returns:
      `ax`, with a row for each account, on a logarithmic scale: a bar from 1, the exact epsilon
      (dashed), to how many times it the account bills. Its epsilon stands at the end.

    Raises:
      ValueError: an argument is out of range.
    """
    end = _validate.whole("largest", largest, least=2)
    if _validate.whole("count", count) > end:
        raise ValueError(f"count must be at most {end}, got {count!r}")
    costs = gaussian_costs(count, sigma=sigma, delta=delta)
    # The axis is the same at all stops: the bills that are furthest off fit.
    most = gaussian_costs(end, sigma=sigma if room_for is None else room_for, delta=delta)
    times, furthest = _times_exact(costs), _times_exact(most)
    rows = name_rows(ax, list(costs))
    ax.axvline(1, color=BLACK, linestyle="--", linewidth=2)
    beside = {"textcoords": "offset points", "va": "center", "in_layout": False}
    for (account, cost), reach, row in zip(costs.items(), times, rows, strict=True):
        color = _LOOKS[account].color
        draw_bars(ax, [1], 0.6, width=reach - 1, bottom=row - 0.3, color=color, label=account)
        ax.annotate(f"ε = {in_digits(cost, 3)}", (reach, row), (6, 0), **beside)
    # At the right there is room for the number of the longest bar.
    ax.set(xscale="log", xlim=(0.9, max(times + furthest) ** (4 / 3)))
    ticks_in_steps(ax.xaxis)
    x = "times the exact ε (on a logarithmic scale)"
    return describe_axes(ax, x=x, y="bill of each account")


def _times_exact(costs: dict[str, float]) -> list[float]:
    return [cost / costs["exact"] for cost in costs.values()]


def draw_order_costs(
    ax: Axes, *, order: float, count: int = 100, sigma: float = 30, delta: float = 1e-5
) -> Axes:
    """Draw the epsilon to which each order converts the Rényi curve of many Gaussian answers.

    Args:
      ax: Axes to draw on.
      order: the order that is marked, from 1.5 to 200.
      count, sigma, delta: as in `gaussian_costs`.

    Returns:
      `ax`, both scales logarithmic: "divergence" grows with the order, what delta adds ("from δ")
      falls, and "epsilon" is their sum.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2017), proposition 3 and corollary 3.
    """
    marked = _validate.number("order", order)
    if not 1.5 <= marked <= 200:
        raise ValueError(f"order must be from 1.5 to 200, got {order!r}")
    slope = _validate.whole("count", count) / (2 * _validate.positive("sigma", sigma) ** 2)
    log = -math.log(_validate.probability("delta", delta))
    curves = [
        Curve("epsilon", lambda orders: slope * orders + log / (orders - 1), FIRST),
        Curve("from δ", lambda orders: log / (orders - 1), SECOND),
        Curve("divergence", lambda orders: slope * orders, THIRD),
    ]
    ax.set(xscale="log", yscale="log")
    draw_curves(ax, curves, places=np.geomspace(1.5, 200, 200), at=marked)
    ax.xaxis.set_major_formatter("{x:,g}")
    ticks_in_steps(ax.xaxis)
    ticks_in_steps(ax.yaxis)
    return describe_axes(ax, x="order α", y="ε")


def show_order_costs(*, count: int = 100, sigma: float = 30, delta: float = 1e-5) -> Figure:
    """Return the figure of `draw_order_costs`, marked at its best order, with its description."""
    slope, log = count / (2 * sigma**2), -math.log(_validate.probability("delta", delta))
    # Bun & Steinke (2016), proposition 1.3: the order where the sum of both parts is smallest.
    best = min(max(1 + math.sqrt(log / slope), 1.5), 200)
    figure, axes = described_figure(
        f"Epsilon against the order: lowest near order {best:.0f}, where it is "
        f"{slope * best + log / (best - 1):.2g}; higher orders cost divergence, lower ones delta.",
        height=320,
    )
    draw_order_costs(axes, order=best, count=count, sigma=sigma, delta=delta)
    return figure


def response_losses(
    count: int, *, epsilon: float, delta: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the law of the total loss of many answers of randomized response, and their epsilon.

    Args:
      count: number of answers, a whole number of at least 1.
      epsilon: of each answer, > 0: the truth has probability e^epsilon / (1 + e^epsilon).
      delta: of all answers together, strictly between 0 and 1.

    Returns:
      The losses, shape (count + 1,), their probabilities, and the exact epsilon for this delta.

    Raises:
      ValueError: an argument is out of range.
    """
    truth = 1 / (1 + math.exp(-_validate.positive("epsilon", epsilon)))
    losses, chances = composed_losses([truth, 1 - truth], [1 - truth, truth], count=count)
    return losses, chances, exact_epsilon([RandomizedResponseRelease(epsilon, count)], delta=delta)


def draw_losses(
    ax: Axes, *, count: int, epsilon: float = 0.3, delta: float = 1e-5, largest: int = 50
) -> Axes:
    """Draw how likely each total loss of many answers of randomized response is.

    Args:
      ax: Axes to draw on; they are the same for every count up to `largest`.
      count, epsilon, delta: as in `response_losses`.
      largest: the largest number of answers, a whole number of at least `count`.

    Returns:
      `ax`, with a bar for each total loss, in per cent; the loss when all answers have their worst
      luck (dash and dot), and the epsilon that is promised with this delta (solid).

    Raises:
      ValueError: an argument is out of range.
    """
    end = _validate.whole("largest", largest, least=_validate.whole("count", count))
    losses, chances, promised = response_losses(count, epsilon=epsilon, delta=delta)
    draw_bars(ax, losses - 0.9 * epsilon, 100 * chances, width=1.8 * epsilon, color=THIRD.color)
    # Where both lines are one, the first one shows on both sides of the second.
    for place, look, name, width in (
        (promised, FIRST, f"ε for δ = {delta:g}".replace("e-0", "e-"), 5),
        (count * epsilon, SECOND, "worst luck each time", 2),
    ):
        ax.axvline(place, color=look.color, linestyle=look.line, linewidth=width, label=name)
    ax.set(xlim=(-0.45 * end * epsilon, 1.03 * end * epsilon), ylim=(0, 60))
    ax.yaxis.set_major_formatter("{x:.0f} %")
    add_legend(ax)
    return describe_axes(ax, x="total privacy loss", y="how likely it is")


def draw_repeated_trade_off(ax: Axes, *, counts=(1, 100, 1000), sigma: float = 30) -> Axes:
    """Draw the misses of the best test of many Gaussian answers against its false alarms.

    Args:
      ax: Axes to draw on.
      counts: three numbers of answers, each at least 1.
      sigma: standard deviation of each answer's noise, in units of its sensitivity, > 0.

    Returns:
      `ax`, in per cent, with a line for each number of answers, and one for a test that throws a
      coin (dashed).

    Raises:
      ValueError: an argument is out of range.
    """
    if not isinstance(counts, Sequence) or len(counts) != 3:
        raise ValueError(f"counts must be three numbers of answers, got {counts!r}")
    alarms = np.linspace(0, 1, 401)
    lines = [
        (f"k = {count:,}", gaussian_miss_rate(alarms, sigma=sigma, l2_sensitivity=distance), k)
        for count, k in zip(counts, (THIRD, SECOND, FIRST), strict=True)
        for distance in [math.sqrt(_validate.whole("counts", count))]
    ]
    # One answer tells next to nothing: its line is wider, to be seen behind that of a coin.
    for place, (name, misses, look) in enumerate([*lines, ("a coin", 1 - alarms, REFERENCE)]):
        style = {"color": look.color, "linestyle": look.line, "marker": look.marker}
        width = 2 if place else 5
        ax.plot(100 * alarms, 100 * misses, linewidth=width, markevery=80, label=name, **style)
    ax.set(xlim=(-2, 102), ylim=(-2, 102))
    add_legend(ax, columns=4)
    return describe_axes(ax, x="false alarms (%)", y="misses (%)")


def show_repeated_trade_off(*, counts=(1, 100, 1000), sigma: float = 30) -> Figure:
    """Return the figure of `draw_repeated_trade_off`, with its description."""
    misses = [
        f"{100 * gaussian_miss_rate(0.05, sigma=sigma, l2_sensitivity=math.sqrt(count)):.0f} % "
        f"after {count:,}"
        for count in counts
    ]
    figure, axes = described_figure(
        "Misses against false alarms, curves that sink as answers are added. At 5 % false alarms "
        f"the misses are {', '.join(misses)}.",
        height=320,
    )
    draw_repeated_trade_off(axes, counts=counts, sigma=sigma)
    return figure
