"""Sliders of the chapter on local sensitivity."""

import math
from collections.abc import Callable

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure
from dplib.explore.parts.releases import explore_choices
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

PARTS = (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1)
BOUNDS = (0.05, 0.1, 0.2, 0.4, 0.45, 0.5, 0.6, 0.8, 0.95, 1, 1.5, 2, 3, 5, 10)


def explore_proposed_bound(
    values,
    *,
    lower: float = 0,
    upper: float = 125,
    epsilon: float = 0.5,
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
      epsilon: privacy loss of the test, and again of the release, > 0, without unit.
      delta: probability that the test passes wrongly, between 0 and 1/2.
      unit: the name of the units of the values.
      mechanism: a function of your own, called like `dplib.propose_test_release`: then it is drawn
        how often it answers beside how often it should, anew at each move.

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    values = _validate.vector("values", values)
    law = limits | {"epsilon": _validate.positive("epsilon", epsilon), "delta": delta}
    steps = {bound: distance_to_high_sensitivity(values, bound=bound, **limits) for bound in BOUNDS}
    test = {"epsilon": epsilon, "delta": delta}
    rates = {bound: passing_probability(steps[bound], **test) for bound in BOUNDS}
    start = next((bound for bound in BOUNDS if rates[bound] > 0.99), BOUNDS[-1])
    if mechanism is not None:
        return _own_tests(mechanism, values, rates, start, **law)
    highest = local_sensitivity_at_distance(values, distance=len(values), **limits)
    other = highest / (2 * epsilon)

    def draw(axes, bound):
        draw_tested_distances(axes[0], distance=steps[bound], **test)
        look = {"scale": bound / epsilon, "other": other, "unit": unit}
        draw_proposed_medians(axes[1], rate=rates[bound], **look)

    def caption(bound):
        return (
            f"With the bound {bound:g} {unit} the test passes {share(rates[bound])} of the time; "
            f"then half of the medians are off by more than "
            f"{amount(math.log(2) * bound / epsilon)} {unit} (with noise for the worst table, for "
            f"the same 2ε = {2 * epsilon:g}, by more than {amount(math.log(2) * other)})."
        )

    return explore_frames(draw, caption, stops=BOUNDS, start=start, name="bound", panels=(1, 1))


def _own_tests(mechanism: Callable, values, rates: dict, start: float, **law) -> LiveFigure:
    def run(bound):
        released = mechanism(values, bound=bound, **law)
        return "no answer" if released is None else "an answer"

    def chances(bound):
        return {"an answer": rates[bound], "no answer": 1 - rates[bound]}

    return explore_choices(run, chances, stops=BOUNDS, start=start, name="bound")


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

    def caption(distance):
        return (
            f"After {distance:,g} of {len(values):,} rows are replaced, one row more can move the "
            f"median by up to {amount(moves[distance])} {unit}; in the worst table by "
            f"{amount(moves[stops[-1]])}."
        )

    return explore_frames(draw, caption, stops=stops, start=stops[0], name="replaced rows")
