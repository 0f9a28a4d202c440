"""Figures of composition: what several answers cost, and tables too fine for their noise."""

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.clouds import DOTS, SHARES, draw_clouds, laplace_dots
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND, plain_ticks
from dplib.plots.parts.style import GREY, ORANGE, add_legend, describe_axes

_ROWS = 5  # of the others; more would be too thin


def answer_errors(answers, *, epsilon: float):
    """Return the mean error of each of `answers` counts that share epsilon evenly, in people.

    Args:
      answers: number of answers, > 0, a number or an array.
      epsilon: privacy loss of all answers together, > 0.

    Source: Dwork & Roth (2014), theorem 3.16: each has epsilon / answers; definition 3.2: the mean
    absolute value of Laplace noise is its scale.
    """
    return np.asarray(answers, float) / _validate.positive("epsilon", epsilon)


def average_errors(answers, *, epsilon: float):
    """Return the mean error of the average of `answers` noisy counts of the same people, in people.

    Args:
      answers, epsilon: as in `answer_errors`.

    Source: a sum of n Laplace variables is the difference of two gamma variables of shape n (scale
    1), whose mean absolute value is 2 Gamma(n + 1/2) / (sqrt(pi) Gamma(n)).
    """
    from scipy.special import gammaln

    count = np.asarray(answers, float)
    spread = 2 * np.exp(gammaln(count + 0.5) - gammaln(count)) / np.sqrt(np.pi)
    # The average divides the sum by n; the scale of each is n / epsilon.
    return spread / _validate.positive("epsilon", epsilon)


def draw_answer_clouds(ax: Axes, *, answers: int, epsilon: float = 1, largest: int = 1000) -> Axes:
    """Draw how far off counts are that share one budget evenly: a dot for each that may come.

    Args:
      ax: Axes to draw on.
      answers: the number of answers, a whole number from 1 to `largest`.
      epsilon: privacy loss of all answers together, > 0, without unit.
      largest: the largest number of answers; a tenth of it is the end of the axis, over epsilon.

    Returns:
      `ax`, with a cloud for one answer that has the whole budget, for each of the answers, and for
      the average of all, if they answer the same question.

    Raises:
      ValueError: an argument is out of range.

    Source: as in `answer_errors` and `average_errors`.
    """
    largest = _validate.whole("largest", largest, least=2)
    if _validate.whole("answers", answers) > largest:
        raise ValueError(f"answers must be at most {largest}, got {answers!r}")
    scale = answers / _validate.positive("epsilon", epsilon)
    # A sum of n Laplace variables is the difference of two gamma variables of shape n.
    first, second = np.random.default_rng(1).gamma(answers, size=(2, 200 * DOTS))
    average = np.quantile((first - second) * scale / answers, SHARES)
    each = f"each of {answers:,}" if answers > 1 else "the only one"
    clouds = {
        "one alone": laplace_dots(1 / epsilon),
        each: laplace_dots(scale),
        "their average": average,
    }
    looks = dict(zip(clouds, (REFERENCE, FIRST, SECOND), strict=True))
    return draw_clouds(ax, clouds, looks, reach=largest / 10 / epsilon, x="off by (people)")


def split_errors(share, *, answers: int, epsilon: float) -> tuple:
    """Return the mean error of the first of `answers` counts and of each other one, in people.

    Args:
      share: the part of the budget that the first one gets, strictly between 0 and 1, a number or
        an array; the others share the rest evenly.
      answers: number of answers, a whole number of at least 2.
      epsilon: privacy loss of all answers together, > 0.

    Source: Dwork & Roth (2014), theorem 3.16, and definition 3.2 as in `answer_errors`.
    """
    part = np.asarray(share, float)
    first = 1 / (part * epsilon)
    return first, answer_errors(answers - 1, epsilon=epsilon) / (1 - part)


def draw_split_clouds(
    ax: Axes,
    *,
    share: float,
    answers: int = 5,
    epsilon: float = 1,
    reach: float | None = None,
) -> Axes:
    """Draw how far off the first count is, and each other one: a dot for each that may come.

    Args:
      ax: Axes to draw on.
      share: the first one's share of the budget, strictly between 0 and 1.
      answers: number of answers, a whole number of at least 2.
      epsilon: privacy loss of all answers together, > 0, without unit.
      reach: the end of the axis on both sides, in people, > 0; None: ten times the noise of an even
        split.

    Returns:
      `ax`, with a cloud for the first answer and one for each of the others; if they are many, the
      last ones share one.

    Raises:
      ValueError: an argument is out of range.

    Source: as in `split_errors`.
    """
    share = _validate.probability("share", share)
    others = _validate.whole("answers", answers, least=2) - 1
    budget = {"answers": answers, "epsilon": _validate.positive("epsilon", epsilon)}
    first, other = split_errors(share, **budget)
    clouds = {"the first": laplace_dots(first)}
    names = [f"answer {place}" for place in range(2, answers + 1)]
    if others > _ROWS + 1:
        names[_ROWS:] = [f"{_ROWS + 2} to {answers}"]
    clouds |= {name: laplace_dots(other) for name in names}
    looks = dict.fromkeys(clouds, SECOND) | {"the first": FIRST}
    reach = 10 * answers / epsilon if reach is None else reach
    return draw_clouds(ax, clouds, looks, reach=reach, x="off by (people)")


def _steps(exact: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the heights and the edges of the steps that counts in falling order make.

    Cells of one height are one step: thirty thousand cells make a few hundred.
    """
    ends = np.append(np.flatnonzero(np.diff(exact)) + 1, len(exact))
    return exact[ends - 1], 0.5 + np.append(0, ends)


def draw_cells_against_noise(ax: Axes, counts, *, cells: int, epsilon: float) -> Axes:
    """Draw the counts of a table's cells, largest first, against the noise that each gets.

    Args:
      ax: Axes to draw on.
      counts: people in each cell that is not empty, shape (m,), whole, at least 1.
      cells: number of cells of the table, empty ones included, at least m.
      epsilon: privacy loss of the whole table (a histogram: add_remove), > 0, without unit.

    Returns:
      `ax`, both scales logarithmic, with the exact counts (dashed; an empty cell stands at the
      bottom) and the mean error of each released count (solid), 1 / epsilon.

    Raises:
      ValueError: an argument is out of range.
    """
    exact = np.sort(_validate.integer_array("counts", counts))[::-1]
    if exact.ndim != 1 or exact[-1] < 1:
        raise ValueError(f"counts must be of shape (m,) and at least 1, got {counts!r}")
    if _validate.whole("cells", cells) < len(exact):
        raise ValueError(f"cells must be at least {len(exact)}, got {cells!r}")
    noise = float(answer_errors(1, epsilon=epsilon))
    low, high = 0.3, 1e5
    steps, edges = _steps(exact)
    empty = cells + 0.5
    places, heights = np.repeat(edges, 2)[1:-1], np.repeat(steps, 2)
    ax.plot(
        [*places, edges[-1], empty],
        [*heights, low, low],
        color=GREY,
        linestyle="--",
        linewidth=2,
        label="exact counts",
        clip_on=False,
    )
    ax.axhline(noise, color=ORANGE, linewidth=2, label="noise")
    drowned = np.count_nonzero(exact >= noise) + 0.5
    if drowned < empty:
        hatched = {"facecolor": "none", "edgecolor": ORANGE, "hatch": "//"}
        ax.axvspan(drowned, empty, linewidth=0, label="drowned", **hatched)
    ax.set(xscale="log", yscale="log", xlim=(0.5, 1e8), ylim=(low, high))
    ax.set_xticks([1, 1e2, 1e4, 1e6], ["1", "100", "10,000", "1 million"])
    plain_ticks(ax.yaxis)
    add_legend(ax)
    return describe_axes(ax, x="cells, largest first", y="people in the cell")
