"""Sliders of the chapter on local sensitivity."""

import math
from collections.abc import Callable

import numpy as np

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure, explore_live, held
from dplib.explore.parts.releases import explore_answers_or_none
from dplib.explore.parts.words import amount, share
from dplib.local_sensitivity import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    passing_probability,
)
from dplib.plots.local_sensitivity import (
    draw_proposed_medians,
    draw_sensitivity_at_distance,
    draw_tested_distances,
)
from dplib.plots.parts.laws import LaplaceLaw

TESTED = (0.1, 0.2, 0.5, 1, 2)
PARTS = (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1)
BOUNDS = (0.05, 0.1, 0.2, 0.4, 0.45, 0.5, 0.6, 0.8, 0.95, 1, 1.5, 2, 3, 5, 10)


def explore_proposed_bound(
    values,
    *,
    lower: float = 0,
    upper: float = 125,
    epsilon: float | None = 0.5,
    delta: float = 1e-9,
    unit: str = "years",
    mechanism: Callable | None = None,
) -> SliderFigure | LiveFigure:
    """Show how often propose-test-release passes and how far off it is, against its bound.

    Left: fifty tests, and which of them pass. Right: the medians that are released then, beside
    Laplace noise for the global sensitivity with the same epsilon in all.

    Args:
      values: one finite number a person, shape (n,); each is clipped into [lower, upper].
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      epsilon: privacy cost of the test, and again of the release, > 0, without unit. None: it has a
        slider too, unless `mechanism` is given.
      delta: probability that the test passes wrongly, between 0 and 1/2.
      unit: the name of the units of the values.
      mechanism: a function of your own, called like `dplib.propose_test_release`: then it is drawn
        how often it answers beside how often it should, and its medians beside their law, anew at
        each move.

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    values = _validate.vector("values", values)
    if epsilon is not None or mechanism is not None:
        epsilon = _validate.positive("epsilon", epsilon)
    first = TESTED[2] if epsilon is None else epsilon
    steps = {bound: distance_to_high_sensitivity(values, bound=bound, **limits) for bound in BOUNDS}

    def rate(bound, epsilon):
        # Laplace noise has no end: where a float says 1, a run in a very great many fails.
        return min(passing_probability(steps[bound], epsilon=epsilon, delta=delta), 1 - 1e-12)

    start = next((bound for bound in BOUNDS if rate(bound, first) > 0.99), BOUNDS[-1])
    if mechanism is not None:
        rates = {bound: rate(bound, epsilon) for bound in BOUNDS}
        law = limits | {"epsilon": epsilon, "delta": delta}
        return _own_medians(mechanism, values, rates, start, unit=unit, **law)
    highest = local_sensitivity_at_distance(values, distance=len(values), **limits)

    def draw(axes, bound, epsilon):
        draw_tested_distances(axes[0], distance=steps[bound], epsilon=epsilon, delta=delta)
        # One window for all stops: the noise grows, and not the axis.
        look = {"scale": bound / epsilon, "other": highest / (2 * epsilon), "unit": unit}
        look["reach"] = 1.2 * highest / first
        draw_proposed_medians(axes[1], rate=rate(bound, epsilon), **look)

    def caption(bound, epsilon):
        return _say_tested(bound, epsilon, rate(bound, epsilon), highest, unit)

    sliders = [("bound", BOUNDS, start), held("ε", epsilon, TESTED, first)]
    return explore_live(draw, caption, sliders=sliders, panels=(1, 1), again=False)


def _say_tested(bound: float, epsilon: float, rate: float, highest: float, unit: str) -> str:
    tested, other = (amount(math.log(2) * size / epsilon) for size in (bound, highest / 2))
    return (
        f"With the bound {bound:g} (in {unit}) the test passes {share(rate)} of the time; if so, "
        f"half of the medians are off by more than {tested} {unit} (with noise for the worst "
        f"table, for the same 2ε = {2 * epsilon:g}, by more than {other})."
    )


def _own_medians(
    mechanism: Callable, values, rates: dict, start: float, *, unit: str, **law
) -> LiveFigure:
    exact = float(np.median(np.clip(values, law["lower"], law["upper"])))
    return explore_answers_or_none(
        lambda bound: mechanism(values, bound=bound, **law),
        lambda bound: LaplaceLaw(exact, bound / law["epsilon"]),
        rates.get,
        exact=f"the exact median, {exact:g} {unit}",
        stops=BOUNDS,
        start=start,
        x=f"released median ({unit})",
        name="bound",
    )


def explore_distance(
    values, *, lower: float = 0, upper: float = 99, unit: str = "hours"
) -> SliderFigure:
    """Show how sensitive the median can become, with a slider for the number of replaced rows.

    Args:
      values: one finite number a person, shape (n,); each is clipped into [lower, upper].
      lower, upper: public ends of the domain, in the units of the values, lower < upper.
      unit: the name of the units of the values.

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    values = _validate.vector("values", values)
    stops = sorted({round(part * len(values)) for part in PARTS})
    moves = dict(
        zip(stops, local_sensitivity_at_distance(values, distance=stops, **limits), strict=True)
    )

    def draw(axes, distance):
        draw_sensitivity_at_distance(axes[0], values, distance=int(distance), unit=unit, **limits)

    # The median of an even number of rows is the mean of the two in the middle.
    of_gap = "the gap" if len(values) % 2 else "half of the gap"

    def caption(distance):
        moved, most = (amount(moves[each], digits=3) for each in (distance, stops[-1]))
        return (
            f"After {distance:,g} of {len(values):,} rows are replaced, one row more can move the "
            f"median by up to {of_gap}, {moved} {unit}; in the worst table by {most}."
        )

    return explore_frames(draw, caption, stops=stops, start=stops[0], name="replaced rows")
