"""Figures of the sparse vector technique: exact answers, and how often each is reported."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from dplib import _validate
from dplib.plots.parts.curves import draw_bars
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.named_rows import name_rows
from dplib.plots.parts.style import BLACK, BLUE, GREY, ORANGE, SKY, add_legend, describe_axes
from dplib.sparse_vector import sparse

_MARGIN, _FURTHER = 0.03, 0.09  # beside the axis, for answers and thresholds that lie outside
# How far a query is from the threshold, and how often it is reported, each in a look of its kind.
_GAPS = {
    "right": {"facecolor": SKY, "edgecolor": GREY},
    "late": {"facecolor": "none", "edgecolor": GREY},
    "false": {"facecolor": "none", "edgecolor": GREY, "hatch": "//"},
}
_REPORTS = {
    "right": ("_right", {"facecolor": ORANGE}),
    "late": ("late", {"facecolor": (*to_rgb(ORANGE), 0.3)}),
    "false": ("below", {"facecolor": "none", "hatch": "///"}),
}
# Twenty ages in each query, so nearly everybody is in two; the last one holds all from 90 on.
WINDOWS = (*((low, low + 20) for low in range(10, 90, 10)), (90, 126))


def window_counts(table: pd.DataFrame) -> pd.Series:
    """Return how many people of a table are in each of nine windows of ages, most of twenty years.

    Raises:
      ValueError: table is not a DataFrame with rows and the column Age.
    """
    if not isinstance(table, pd.DataFrame) or "Age" not in table.columns or table.empty:
        raise ValueError("table must be a DataFrame with rows and the column 'Age'")
    ages = table["Age"]
    counts = [int(((ages >= low) & (ages < high)).sum()) for low, high in WINDOWS]
    names = [f"{low}–{high - 1}" for low, high in WINDOWS[:-1]] + [f"{WINDOWS[-1][0]} and over"]
    return pd.Series(counts, index=pd.Index(names, name="age (query)"))


def report_shares(
    answers: pd.Series, *, threshold: float, count: int, epsilon: float, runs: int = 200, rng=None
) -> pd.Series:
    """Return in which share of many runs of `sparse` each query is reported.

    Args:
      answers: Series of the exact answers, shape (m,), in the order in which they are asked.
      threshold, count, epsilon, rng: as in `sparse`; the answers have sensitivity 1.
      runs: number of runs, a whole number of at least 1.

    Returns:
      Series of shares between 0 and 1, indexed as `answers`; they add up to at most `count`.

    Raises:
      ValueError: an argument is out of range.
    """
    _named("answers", answers)
    generator = _validate.generator(rng)
    law = {"threshold": threshold, "count": count, "epsilon": epsilon, "rng": generator}
    exact = answers.to_numpy(dtype=float)
    runs = _validate.whole("runs", runs)
    reported = np.concatenate([sparse(exact, **law) for _ in range(runs)]).astype(int)
    return pd.Series(np.bincount(reported, minlength=len(exact)) / runs, index=answers.index)


def first_report_chances(answers: pd.Series, *, threshold: float, epsilon: float) -> pd.Series:
    """Return the probability that `above_threshold` reports each query, to about five digits.

    Args:
      answers: Series of the exact answers, shape (m,), in the order in which they are asked.
      threshold: public number, in the units of the answers, which have sensitivity 1.
      epsilon: privacy cost of the run, > 0, without unit.

    Returns:
      Series of probabilities, indexed as `answers`; what is missing to 1 is a run without report.

    Raises:
      ValueError: an argument is out of range.

    Source: the laws of noise of Dwork & Roth (2014), algorithm 1.
    """
    _named("answers", answers)
    epsilon = _validate.positive("epsilon", epsilon)
    exact = _validate.finite_array("answers", answers.to_numpy(dtype=float))
    # Averaged over the noise of the threshold, taken at the middles of equally likely pieces.
    middles = (np.arange(10_000) + 0.5) / 10_000
    limits = _validate.number("threshold", threshold) + LaplaceLaw(0, 2 / epsilon).ppf(middles)
    below = LaplaceLaw(0, 4 / epsilon).cdf(limits - exact[:, None])
    nobody_before = np.cumprod(np.vstack([np.ones_like(limits), below[:-1]]), axis=0)
    return pd.Series((nobody_before * (1 - below)).mean(axis=1), index=answers.index)


def one_run(
    answers: pd.Series, *, threshold: float, count: int, epsilon: float, rng=None
) -> pd.DataFrame:
    """Return what one run of `sparse` compares, which it must never publish.

    Args:
      answers, threshold, count, epsilon, rng: as in `report_shares`.

    Returns:
      A row for each query that is asked, with the columns "answer" and "threshold", both with their
      noise, and "reported".

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), algorithm 2 with delta = 0; the threshold's noise is fresh after
    each report.
    """
    exact, generator = _named("answers", answers), _validate.generator(rng)
    limit, most = _validate.number("threshold", threshold), _validate.whole("count", count)
    scale = most / _validate.positive("epsilon", epsilon)
    noisy = exact + 4 * scale * generator.laplace(size=len(exact))
    limits = limit + 2 * scale * generator.laplace(size=most)
    rows, found = [], 0
    for value in noisy:
        if found == most:
            break
        above = bool(value >= limits[found])
        rows.append((value, limits[found], above))
        found += above
    columns = ["answer", "threshold", "reported"]
    return pd.DataFrame(rows, index=answers.index[: len(rows)], columns=columns)


def report_kinds(answers: pd.Series, *, threshold: float, count: int) -> pd.Series:
    """Return what a report of each query would be: right, late or false.

    Args:
      answers: Series of exact answers.
      threshold, count: as in `sparse`.

    Returns:
      Series indexed as `answers`: "right" for the first `count` answers that reach the threshold,
      which a run without noise would report, "late" for the others that reach it, else "false".

    Raises:
      ValueError: an argument is out of range.
    """
    above = _named("answers", answers) >= _validate.number("threshold", threshold)
    first = above & (np.cumsum(above) <= _validate.whole("count", count))
    kinds = np.select([first, above], ["right", "late"], "false")
    return pd.Series(kinds, index=answers.index)


def draw_answers_and_threshold(
    ax: Axes,
    answers: pd.Series,
    *,
    threshold: float,
    count: int,
    run: pd.DataFrame,
    window: tuple[float, float],
) -> Axes:
    """Draw the queue of queries: how far each is from the threshold, and what one run compares.

    Args:
      ax: Axes to draw on.
      answers: Series of exact answers, indexed by the names of the queries.
      threshold, count: as in `sparse`.
      run: as `one_run` gives it; the queries after its last row are not asked.
      window: the ends of the axis, in people.

    Returns:
      `ax`, with the threshold as a dashed line and a bar from it to each exact answer: filled for
      the first `count` that reach it, hatched for those that do not. In each row that is asked:
      the noisy threshold, and the noisy answer as a diamond if it is reported. What lies outside
      the axis is an arrowhead at its edge.

    Raises:
      ValueError: an argument is out of range.
    """
    kinds = report_kinds(answers, threshold=threshold, count=count)
    if not isinstance(run, pd.DataFrame) or not {"answer", "threshold", "reported"} <= set(run):
        raise ValueError("run must be a DataFrame with the columns answer, threshold and reported")
    ends = _validate.finite_array("window", window)
    if ends.shape != (2,) or ends[0] >= ends[1]:
        raise ValueError(f"window must be two ends in order, got {window!r}")
    rows, away = name_rows(ax, answers.index), answers.to_numpy() - threshold
    for kind, look in _GAPS.items():
        chosen = (kinds == kind).to_numpy()
        draw_bars(ax, threshold, 0.7, width=away[chosen], bottom=rows[chosen] - 0.35, **look)
    ax.axvline(threshold, color=BLACK, linewidth=1.5, linestyle="--")
    _draw_run(ax, run, rows[: len(run)], window)
    margin = (_FURTHER + 0.6 * _MARGIN) * (window[1] - window[0])
    ax.set_xlim(window[0] - margin, window[1] + margin)
    ax.xaxis.set_major_formatter("{x:,.10g}")
    ax.locator_params(axis="x", nbins=3)
    add_legend(ax)
    named = f"{answers.index.name or 'query'}"
    return describe_axes(ax, x="people (◁ ▷ lie outside)", y=named)


def _draw_run(ax: Axes, run: pd.DataFrame, rows: np.ndarray, window: tuple[float, float]) -> None:
    """Draw the noisy thresholds and answers of a run; an arrow points at what lies outside."""
    limits, answers = (run[name].to_numpy(dtype=float) for name in ("threshold", "answer"))
    reported = run["reported"].to_numpy(dtype=bool)
    inside = _inside(limits, window)
    low, high = rows[inside] - 0.5, rows[inside] + 0.5
    ax.vlines(limits[inside], low, high, color=BLUE, linewidth=2.5)
    dots = {"linestyle": "", "clip_on": False, "in_layout": False}
    # Where both lie outside in a row, they stand in their order: reported is what is above.
    look = {"color": BLUE, "markersize": 6, **dots}
    _point_outside(ax, limits, rows, window, look, lower=reported)
    dots["markeredgecolor"] = BLACK
    for chosen, marker, name, look in (
        (reported, "D", "reported", {"color": ORANGE, "markersize": 9}),
        (~reported, "o", "passed over", {"markerfacecolor": "none", "markersize": 7}),
    ):
        seen = chosen & _inside(answers, window)
        ax.plot(answers[seen], rows[seen], marker, label=name, **dots, **look)
        lower = ~reported[chosen]
        _point_outside(ax, answers[chosen], rows[chosen], window, dots | look, lower=lower)


def _inside(places: np.ndarray, window: tuple[float, float]) -> np.ndarray:
    return (places >= window[0]) & (places <= window[1])


def _point_outside(ax, places, rows, window, look: dict, *, lower: np.ndarray) -> None:
    """Draw an arrowhead in the margin for each place that lies beyond it, further left if lower."""
    (low, high), width = window, window[1] - window[0]
    left, right = (np.where(further, _FURTHER, _MARGIN) * width for further in (lower, ~lower))
    for beyond, edges, marker in (
        (places < low, low - left, "<"),
        (places > high, high + right, ">"),
    ):
        ax.plot(edges[beyond], rows[beyond], marker, label="_outside", **look)


def draw_report_shares(ax: Axes, shares: pd.Series, *, kinds: pd.Series, runs: int) -> Axes:
    """Draw how often each query is reported, as a row, and whether rightly.

    Args:
      ax: Axes to draw on.
      shares: Series of shares between 0 and 1, indexed by the names of the queries.
      kinds: as `report_kinds` gives it, with the same index.
      runs: how many runs there were, a whole number of at least 1.

    Returns:
      `ax`, with a bar for each query, as long as the number of runs that report it: full where this
      is right, pale where it is late, hatched where it is false.

    Raises:
      ValueError: shares is not a Series of shares, or kinds has another index, or runs is no whole
        number.
    """
    parts = _named("shares", shares)
    if (parts < 0).any() or (parts > 1).any():
        raise ValueError(f"shares must lie between 0 and 1, got {shares!r}")
    if not isinstance(kinds, pd.Series) or not kinds.index.equals(shares.index):
        raise ValueError(f"kinds must be a Series with the index of shares, got {kinds!r}")
    count = _validate.whole("runs", runs)
    rows, wide = name_rows(ax, shares.index), count * parts
    for kind, (label, look) in _REPORTS.items():
        chosen = (kinds == kind).to_numpy()
        place = {"width": wide[chosen], "bottom": rows[chosen] - 0.35}
        draw_bars(ax, 0, 0.7, **place, edgecolor=ORANGE, label=label, **look)
    ax.set_xlim(0, 1.05 * count)
    ax.set_xticks([0, count / 2, count])
    ax.xaxis.set_major_formatter("{x:,.10g}")
    # Where the last queries are, which few runs report: above there is the neighbor's legend.
    ax.legend(loc="lower right", frameon=False, borderaxespad=0, handlelength=1.5)
    return describe_axes(ax, x=f"of {count:,} runs", y="reported in")


def _named(name: str, value) -> np.ndarray:
    """Return a Series as a float array of shape (m,); ValueError unless it is one, and finite."""
    if not isinstance(value, pd.Series):
        raise ValueError(f"{name} must be a Series, got {type(value).__name__}")
    return _validate.finite_array(name, value)
