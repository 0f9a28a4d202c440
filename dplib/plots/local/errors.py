"""Figures of the local model: its error beside the central one's, and what p and q buy."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from dplib import _validate
from dplib.local import direct_probabilities
from dplib.plots.parts.clouds import SHARES, draw_sizes, laplace_dots
from dplib.plots.parts.style import BLACK, GREY, ORANGE, describe_axes
from dplib.survey import estimate_variance, optimal_unary_probabilities, unary_epsilon

_NAMES = 1.1  # the height of the names of lines: above the dots and their numbers


def local_and_central_error(*, people: int, epsilon: float) -> tuple[float, float]:
    """Return the standard error of a count by randomized response, and by the Laplace mechanism.

    Args:
      people: number of people asked, a whole number of at least 1.
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.

    Returns:
      Two standard deviations, in people: local, central. Neither depends on the true count.

    Raises:
      ValueError: an argument is out of range.

    Source: Warner (1965); Dwork & Roth (2014), definition 3.2, variance 2 * scale^2.
    """
    p, q = direct_probabilities(domain_size=2, epsilon=epsilon)
    local = math.sqrt(estimate_variance(0, people=people, p=p, q=q))
    return local, math.sqrt(2) / _validate.positive("epsilon", epsilon)


def draw_local_errors(ax: Axes, *, people: int, epsilon: float, largest: int = 10**6) -> Axes:
    """Draw how far off a count is in the local and in the central model: a dot for each of 50.

    Args:
      ax: Axes to draw on.
      people, epsilon: as in `local_and_central_error`.
      largest: the most people of a slider, at least `people`; the axis ends beyond it.

    Returns:
      `ax`, on a logarithmic scale, with a cloud for each model and its standard error as a line,
      the number of people dashed: an error as large says nothing, and 1 % of it dotted. Both have
      their names beside them.

    Raises:
      ValueError: an argument is out of range.
    """
    errors = local_and_central_error(people=people, epsilon=epsilon)
    end = _validate.whole("largest", largest, least=int(people))
    p, q = direct_probabilities(domain_size=2, epsilon=epsilon)
    local = _estimates_of_nobody(people, p, q)
    clouds = {"local": local, "central": np.abs(laplace_dots(1 / epsilon))}
    draw_sizes(ax, clouds, window=(0.005, 3 * max(end, 1000)), typical=errors)
    beside = {"textcoords": "offset points", "va": "top", "in_layout": False}
    for part, line, side in ((1, "--", "left"), (0.01, ":", "right")):
        name, at = f"{100 * part:g} %", part * people
        ax.axvline(at, color=BLACK, linestyle=line, linewidth=1.5, label=name)
        ax.annotate(name, (at, _NAMES), (4 if side == "left" else -4, 0), ha=side, **beside)
    ax.set_ylim(top=_NAMES)
    ax.set_xticks([0.01, 1, 100, 1e4, 1e6], ["0.01", "1", "100", "10,000", "1 million"])
    x = "off by (people); lines: 1 % and 100 % of those asked"
    return describe_axes(ax, x=x, y="50 equally likely counts")


def _estimates_of_nobody(people: int, p: float, q: float) -> np.ndarray:
    """Return the sizes of 50 estimates of a count of 0, spread evenly over their law."""
    from scipy.special import bdtrik

    # Each of the people says yes with probability q; the estimate undoes that on average.
    reports = np.ceil(bdtrik(SHARES, int(people), q))
    return np.abs(reports - people * q) / (p - q)


def unary_errors(p: float, *, q: float, people: int) -> tuple[float, float]:
    """Return the standard error of unary encoding, and the least one for the same epsilon.

    Args:
      p: probability that a 1 stays 1, strictly between q and 1.
      q: probability that a 0 becomes 1, strictly between 0 and p.
      people: number of people asked, a whole number of at least 1.

    Returns:
      Two standard deviations of the count of a category that nobody has, in people: with p and q,
      and with the p and q of optimal unary encoding.

    Raises:
      ValueError: an argument is out of range.

    Source: Wang, Blocki, Li & Jha (2017).
    """
    best_p, best_q = optimal_unary_probabilities(epsilon=unary_epsilon(p, q))
    chosen = estimate_variance(0, people=people, p=p, q=q)
    return math.sqrt(chosen), math.sqrt(estimate_variance(0, people=people, p=best_p, q=best_q))


def draw_unary_reports(ax: Axes, *, p: float, q: float) -> Axes:
    """Draw what people report by unary encoding: a row of bits for each of them.

    Args:
      ax: Axes to draw on.
      p, q: as in `unary_errors`.

    Returns:
      `ax`, with 14 rows of 16 categories. A square is a person's own category, a circle another
      one; what is reported as 1 is filled. The same people toss the same coins at each p and q.

    Raises:
      ValueError: an argument is out of range.
    """
    epsilon = unary_epsilon(p, q)
    rng = np.random.default_rng(13)
    own = rng.integers(0, 16, size=14)[:, np.newaxis] == np.arange(16)
    filled = rng.random(own.shape) < np.where(own, p, q)
    for kind, marker, ink in ((~own, "o", GREY), (own, "s", BLACK)):
        for told, fill in ((filled, ORANGE), (~filled, "none")):
            rows, columns = np.nonzero(kind & told)
            look = {"markerfacecolor": fill, "markeredgecolor": ink, "linestyle": ""}
            ax.plot(columns, -rows, marker, markersize=7 if marker == "s" else 5, **look)
    ax.set(xlim=(-0.8, 15.8), ylim=(-13.8, 0.8), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_xticks([7.5], ["column: a category"])
    ax.tick_params(length=0)
    title = f"row: a person (ε = {epsilon:.2g})"
    return describe_axes(ax, x="□ own category; filled: 1", y=title)


def draw_unary_errors(ax: Axes, *, p: float, q: float, people: int) -> Axes:
    """Draw how far off the count of a category is that nobody has: a dot for each of 50.

    Args:
      ax: Axes to draw on.
      p, q, people: as in `unary_errors`.

    Returns:
      `ax`, on a logarithmic scale, with a cloud for p and q, and one for the best pair of the same
      epsilon; the standard error of each is a line.

    Raises:
      ValueError: an argument is out of range.
    """
    errors = unary_errors(p, q=q, people=people)
    best = optimal_unary_probabilities(epsilon=unary_epsilon(p, q))
    clouds = {
        name: _estimates_of_nobody(people, *pair)
        for name, pair in (("p and q", (p, q)), ("best pair", best))
    }
    reach = math.sqrt(people)
    draw_sizes(ax, clouds, window=(0.02 * reach, 100 * reach), typical=errors)
    ax.xaxis.set_major_locator(LogLocator(base=100))
    return describe_axes(ax, x="a count is off by (people)", y="50 counts")
