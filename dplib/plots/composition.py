"""Figures of composition: what several answers cost, and tables too fine for their noise."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator

from dplib import _validate
from dplib.plots.parts.clouds import DOTS, SHARES, draw_clouds, draw_sizes, laplace_dots
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND, plain_ticks
from dplib.plots.parts.style import BEHIND_WORDS, BLACK, BLUE, ORANGE, describe_axes, of_hundred

_ROWS = 5  # of the others; more would be too thin
_PEOPLE = 0.3, 1e5  # the ends of an axis of people in a cell


def answer_errors(answers, *, epsilon: float):
    """Return the mean error of each of `answers` counts that share epsilon evenly, in people.

    Args:
      answers: number of answers, > 0, a number or an array.
      epsilon: privacy cost of all answers together, > 0.

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


def draw_answer_clouds(ax: Axes, *, answers: int, epsilon: float = 1, largest: int = 100) -> Axes:
    """Draw how far off counts are that share one budget evenly: a dot for each that may come.

    Args:
      ax: Axes to draw on.
      answers: the number of answers, a whole number from 1 to `largest`.
      epsilon: privacy cost of all answers together, > 0, without unit.
      largest: the largest number of answers; the axis ends beyond it.

    Returns:
      `ax`, on a logarithmic scale, with a cloud for one answer that has the whole budget, for each
      of the answers, and for the average of all, if they answer the same question; the mean error
      of each is a line.

    Raises:
      ValueError: an argument is out of range.

    Source: as in `answer_errors` and `average_errors`.
    """
    largest = _validate.whole("largest", largest, least=2)
    if _validate.whole("answers", answers) > largest:
        raise ValueError(f"answers must be at most {largest}, got {answers!r}")
    scale = answers / _validate.positive("epsilon", epsilon)
    average = _average_dots(answers, scale) if answers > 1 else laplace_dots(scale)
    each = f"each of {answers:,}" if answers > 1 else "the only one"
    clouds = {
        "one alone": np.abs(laplace_dots(1 / epsilon)),
        each: np.abs(laplace_dots(scale)),
        "their average": np.abs(average),
    }
    means = [1 / epsilon, scale, average_errors(answers, epsilon=epsilon)]
    window, looks = (0.01 / epsilon, 5 * largest / epsilon), (REFERENCE, FIRST, SECOND)
    draw_sizes(ax, clouds, window=window, typical=means, looks=looks)
    return describe_axes(ax, x="off by (people; each mark × 10)", y="noise of")


def _average_dots(answers: int, scale: float) -> np.ndarray:
    """Return places that share the law of an average of so many Laplace draws evenly."""
    # A sum of n Laplace variables is the difference of two gamma variables of shape n.
    first, second = np.random.default_rng(1).gamma(answers, size=(2, 200 * DOTS))
    return np.quantile((first - second) * scale / answers, SHARES)


def split_errors(share, *, answers: int, epsilon: float) -> tuple:
    """Return the mean error of the first of `answers` counts and of each other one, in people.

    Args:
      share: the part of the budget that the first one gets, strictly between 0 and 1, a number or
        an array; the others share the rest evenly.
      answers: number of answers, a whole number of at least 2.
      epsilon: privacy cost of all answers together, > 0.

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
      epsilon: privacy cost of all answers together, > 0, without unit.
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


def draw_cells_against_noise(
    ax: Axes, counts, *, cells: int, epsilon: float, largest: int | None = None
) -> Axes:
    """Draw the counts of a table's cells, largest first, against the noise that each gets.

    Args:
      ax: Axes to draw on.
      counts: people in each cell that is not empty, shape (m,), whole, at least 1.
      cells: number of cells of the table, empty ones included, at least m.
      epsilon: privacy cost of the whole table (a histogram: add_remove), > 0, without unit.
      largest: the most cells of a slider, at least `cells`: the axis ends beyond it; None: `cells`.

    Returns:
      `ax`, both scales logarithmic, with the exact counts (dashed; an empty cell stands at the
      bottom) and the mean error of each released count (solid), 1 / epsilon. The cells below it are
      hatched, and their share stands there.

    Raises:
      ValueError: an argument is out of range.
    """
    exact = _cell_counts(counts)
    if _validate.whole("cells", cells) < len(exact):
        raise ValueError(f"cells must be at least {len(exact)}, got {cells!r}")
    end = cells if largest is None else _validate.whole("largest", largest, least=cells)
    noise = float(answer_errors(1, epsilon=epsilon))
    steps, edges = _steps(exact)
    places = [*np.repeat(edges, 2)[1:-1], edges[-1], cells + 0.5]
    heights = [*np.repeat(steps, 2), _PEOPLE[0], _PEOPLE[0]]
    look = {"color": BLACK, "linestyle": "--", "linewidth": 2, "clip_on": False}
    ax.plot(places, heights, label="exact counts", **look)
    ax.axhline(noise, color=ORANGE, linewidth=2, label="noise")
    # At the left all cells are larger: there is room above the line.
    beside = {"textcoords": "offset points", "in_layout": False, "bbox": BEHIND_WORDS}
    ax.annotate("noise", (0.5, noise), (4, 5), **beside)
    ax.set(xscale="log", yscale="log", xlim=(0.5, 2 * end), ylim=_PEOPLE)
    _hatch_drowned(ax, np.count_nonzero(exact >= noise), cells)
    ax.xaxis.set_major_locator(LogLocator(10 if end < 1e5 else 1000))
    ax.xaxis.set_minor_locator(NullLocator())
    for axis in (ax.xaxis, ax.yaxis):
        plain_ticks(axis)
    return describe_axes(ax, x="cells, largest first", y="people in the cell")


def _hatch_drowned(ax: Axes, above: int, cells: int) -> None:
    """Hatch the cells below the noise, and write at the top which part of all they are."""
    if above == cells:
        return
    hatched = {"facecolor": "none", "edgecolor": ORANGE, "hatch": "//", "linewidth": 0}
    ends = above + 0.5, cells + 0.5
    ax.axvspan(*ends, label="drowned", **hatched)
    # The words begin or end with the hatch: where they have more room.
    half = np.sqrt(np.prod(ax.get_xlim()))
    at, side = (ends[0], "left") if ends[0] < half else (ends[1], "right")
    look = {"va": "top", "ha": side, "in_layout": False, "bbox": BEHIND_WORDS}
    words = f"{of_hundred(100 * (1 - above / cells))} % drown"
    ax.text(at, 1, words, transform=ax.get_xaxis_transform(), **look)


def draw_drowned_people(ax: Axes, counts, *, epsilon: float) -> Axes:
    """Draw a hundred people of a table, and which of them live in a cell below its noise.

    Args:
      ax: Axes to draw on.
      counts, epsilon: as in `draw_cells_against_noise`.

    Returns:
      `ax`, with a dot for each hundredth of the people, and from the bottom a cross for each one
      that drowns, rounded; no cross is fewer than 1 person in 100. The share stands above.

    Raises:
      ValueError: an argument is out of range.
    """
    exact = _cell_counts(counts)
    share = float(exact[exact < answer_errors(1, epsilon=epsilon)].sum() / exact.sum())
    up, across = np.divmod(np.arange(100), 10)
    lost = np.arange(100) < (round(100 * share) if share >= 0.01 else 0)
    ax.plot(across[~lost], up[~lost], "o", color=BLUE, markersize=6, linestyle="", label="kept")
    crosses = {"color": ORANGE, "markersize": 6.5, "markeredgewidth": 2, "linestyle": ""}
    ax.plot(across[lost], up[lost], "x", label="drowned", **crosses)
    ax.set(xlim=(-0.8, 9.8), ylim=(-0.8, 9.8), xticks=[], yticks=[])
    describe_axes(ax, x="100 people", y=f"{of_hundred(100 * share)} % drown (×)")
    ax.spines[:].set_visible(False)
    return ax


def _cell_counts(counts) -> np.ndarray:
    """Return the counts, the largest first; raise ValueError unless they are of people in cells."""
    exact = np.sort(_validate.integer_array("counts", counts))[::-1]
    if exact.ndim != 1 or exact[-1] < 1:
        raise ValueError(f"counts must be of shape (m,) and at least 1, got {counts!r}")
    return exact
