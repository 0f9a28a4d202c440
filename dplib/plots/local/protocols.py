"""Figures of the local protocols beside the central model: theory as lines, simulation as marks."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.local import (
    aggregate,
    direct_aggregate,
    direct_perturb,
    direct_probabilities,
    estimate_count,
    perturb,
    randomized_response,
)
from dplib.plots.parts.curves import FIRST, SECOND, THIRD, Look, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.named_rows import ticks_in_steps
from dplib.plots.parts.style import BLACK, GREY, add_legend, describe_axes
from dplib.survey import estimate_variance, optimal_unary_probabilities, survey_variances

# {place on the x axis: {protocol: error}}
Simulated = Mapping[float, Mapping[str, float]]


_LOOKS = {
    "one yes or no": Look(GREY, (0, (3, 1, 1, 1)), "v"),
    "direct": FIRST,
    "symmetric unary": THIRD,
    "optimal unary": SECOND,
    "central": Look(BLACK, "--", "None"),  # it is not simulated
}


def protocol_errors(*, domain_size: int, people: int, epsilon: float) -> dict[str, float]:
    """Return the standard error of an estimated count, by protocol, for replace_one.

    Args:
      domain_size: number of categories k, >= 2.
      people: number of reports n, >= 1.
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit.

    Returns:
      {protocol: root of the mean of the k variances, in people}. Randomized response counts one
      category only. "central" is Laplace noise on all k counts, of which one person moves two.

    Raises:
      ValueError: an argument is out of range.

    Source: `survey_variances`; Dwork & Roth (2014), definition 3.3.
    """
    totals = survey_variances(domain_size=domain_size, people=people, epsilon=epsilon)
    p, q = direct_probabilities(domain_size=2, epsilon=epsilon)
    one = math.sqrt(estimate_variance(0, people=people, p=p, q=q))
    local = (math.sqrt(totals[name] / domain_size) for name in totals)
    return dict(zip(_LOOKS, (one, *local, 2 * math.sqrt(2) / float(epsilon)), strict=True))


def simulated_errors(
    codes, *, domain_size: int, epsilon: float, repeats: int = 1, rng=None
) -> dict[str, float]:
    """Run every local protocol, and return how far its counts are off.

    Args:
      codes: the true categories, from 0 to domain_size - 1, shape (n,).
      domain_size, epsilon: as in `protocol_errors`.
      repeats: number of runs, >= 1.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      {protocol: root mean square of the k errors of all runs, in people}; randomized response asks
      about each category in a survey of its own.

    Raises:
      ValueError: an argument is out of range.
    """
    rng, repeats = _validate.generator(rng), _validate.whole("repeats", repeats)
    codes = _validate.integer_array("codes", codes)
    runs = [_squared_errors(codes, domain_size, epsilon, rng) for _ in range(repeats)]
    means = np.sqrt(np.mean(runs, axis=0)).tolist()
    return dict(zip(_LOOKS, means, strict=False))


def _squared_errors(codes, domain_size, epsilon, rng) -> list[float]:
    """Return the mean squared error of one run of each local protocol, in the order of _LOOKS."""
    bits = np.eye(domain_size, dtype=bool)[codes]
    true, lie = bits.sum(axis=0), math.exp(-epsilon / 2)
    asked = [randomized_response(column, epsilon=epsilon, rng=rng) for column in bits.T]
    reports = direct_perturb(codes, domain_size=domain_size, epsilon=epsilon, rng=rng)
    pairs = ((1 / (1 + lie), lie / (1 + lie)), optimal_unary_probabilities(epsilon=epsilon))
    errors = [
        [estimate_count(answers, epsilon=epsilon) for answers in asked] - true,
        direct_aggregate(reports, domain_size=domain_size, epsilon=epsilon) - true,
        *(aggregate(perturb(bits, p=p, q=q, rng=rng), p=p, q=q) - true for p, q in pairs),
    ]
    return [float(np.mean(np.square(error))) for error in errors]


def draw_protocols_by_epsilon(
    ax: Axes, *, domain_size: int, people: int, simulated: Simulated | None = None
) -> Axes:
    """Draw the standard error of a count by each protocol against epsilon, from 0.1 to 10.

    Args:
      ax: Axes to draw on.
      domain_size, people: as in `protocol_errors`.
      simulated: {epsilon: {protocol: error}} from `simulated_errors`, drawn as marks.

    Returns:
      `ax`, both scales logarithmic, with a line for each protocol and the central model dashed.

    Raises:
      ValueError: an argument is out of range.
    """
    places = np.geomspace(0.1, 10, 47)
    tables = [
        protocol_errors(domain_size=domain_size, people=people, epsilon=place) for place in places
    ]
    for name, look in _LOOKS.items():
        marks = {
            place: errors[name] for place, errors in (simulated or {}).items() if name in errors
        }
        ax.plot(list(marks), list(marks.values()), look.marker, color=look.color, markersize=6)
        ax.plot(
            places,
            [table[name] for table in tables],
            color=look.color,
            linestyle=look.line,
            linewidth=2,
            marker=look.marker,
            markevery=[],  # for the legend only: the marks are the simulated errors
            label=name,
        )
    ax.set(xscale="log", yscale="log", xlim=(places[0], places[-1]))
    _name_crossing(ax, places, tables)
    ticks_in_steps(ax.xaxis)
    plain_ticks(ax.yaxis)
    add_legend(ax, columns=2)
    return describe_axes(ax, x="ε", y="standard error of a count (people)")


def _name_crossing(ax: Axes, places: np.ndarray, tables: list[dict[str, float]]) -> None:
    """Point at the place from which on symmetric unary encoding is better than the optimal one."""
    better = [table["symmetric unary"] < table["optimal unary"] for table in tables]
    if any(better):
        first = better.index(True)
        at = places[first], tables[first]["optimal unary"]
        line = {"arrowstyle": "-", "color": BLACK, "shrinkB": 4}
        look = {"textcoords": "offset points", "ha": "center", "arrowprops": line}
        ax.annotate("from here symmetric is better", at, (-4, 34), **look)


def show_protocols(codes, *, domain_size: int, repeats: int = 10, rng=None) -> Figure:
    """Return the figure of the protocols for these people, with simulated surveys as marks.

    Args:
      codes, domain_size, repeats, rng: as in `simulated_errors`.

    Raises:
      ValueError: an argument is out of range.
    """
    codes = _validate.integer_array("codes", codes)
    people = len(codes)
    given = {"domain_size": domain_size, "repeats": repeats, "rng": rng}
    marks = {place: simulated_errors(codes, epsilon=place, **given) for place in (0.2, 1, 4)}
    figure, axes = described_figure(
        f"The error of a count of {people:,} people in {domain_size} categories falls with "
        "epsilon. Direct encoding begins above the unary ones and falls below them; optimal unary "
        "encoding stops falling near epsilon 5, from where symmetric is better. The central model "
        "lies below them all.",
        height=400,
    )
    draw_protocols_by_epsilon(axes, domain_size=domain_size, people=people, simulated=marks)
    return figure
