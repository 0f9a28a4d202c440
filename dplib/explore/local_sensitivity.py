"""Sliders of the chapter on local sensitivity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

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
    draw_passing_rate,
    draw_proposed_error,
    draw_sensitivity_at_distance,
    passing_rate,
)
from dplib.sensitivity import private_mean

__all__ = ["explore_distance", "explore_proposed_bound", "explore_test_epsilon"]

PARTS = (0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1)
# Bounds in local sensitivities: denser where the test begins to pass.
TIMES = (*np.linspace(0.95, 1.25, 11), 1.35, 1.5, 1.75, 2, 2.25, 2.5, 3)
TRIALS = 500  # releases of the other mechanism: their mean error is known to about 5 %
# Where the test of a table of some ten thousand rows goes from failing to passing.
TEST_EPSILONS = (0.001, 0.0015, 0.002, 0.0027, 0.003, 0.004, 0.005, 0.007, 0.01, 0.02, 0.03)


def explore_proposed_bound(
    values,
    *,
    lower: float = 0,
    upper: float = 100,
    epsilon: float = 0.01,
    delta: float = 1e-9,
    unit: str = "years",
    mechanism: Callable | None = None,
) -> SliderFigure | LiveFigure:
    """Show how often propose-test-release passes and how far off it is, against its bound.

    Left: how often the test passes. Right: the mean error when it does, beside that of
    `private_mean` with the same epsilon in all (of 500 releases). The bounds go from a little below
    the local sensitivity of the values to three times of it: they are read off the data, to study
    the mechanism, which is not private.

    Args:
      values: one finite number a person, shape (n,); each is clipped into [lower, upper].
      lower, upper: public ends of the interval, in the units of the values, lower < upper.
      epsilon: privacy loss of the test, and again of the release, > 0, without unit.
      delta: probability that the test passes wrongly, between 0 and 1/2.
      unit: the name of the units of the values.
      mechanism: a function of your own, called like `dplib.propose_test_release`: then it is drawn
        how often it answers beside how often it should, anew at each move.

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    law = limits | {"epsilon": _validate.positive("epsilon", epsilon), "delta": delta}
    local = local_sensitivity_at_distance(values, distance=0, **limits)
    stops = [float(f"{local * times:.3g}") for times in TIMES]
    if mechanism is not None:
        return _own_tests(mechanism, values, stops, **law)
    bounds = np.union1d(np.linspace(stops[0], stops[-1], 60), stops)
    rates = [passing_rate(values, bound=bound, **law) for bound in bounds]
    other = _mean_error(values, epsilon=2 * epsilon, trials=TRIALS, **limits)

    def draw(axes, bound):
        draw_passing_rate(axes[0], bounds, rates, bound=bound, local=local, unit=unit)
        draw_proposed_error(axes[1], bounds, bound=bound, epsilon=epsilon, other=other, unit=unit)

    def caption(bound):
        rate = share(passing_rate(values, bound=bound, **law))
        return (
            f"With the bound {bound:g} {unit} the test passes {rate} of the time; the mean is then "
            f"off by about {amount(bound / epsilon)} {unit} (a noisy mean for the same 2ε = "
            f"{2 * epsilon:g} by {amount(other)})."
        )

    start = _first_passing(values, stops, **law)
    return explore_frames(draw, caption, stops=stops, start=start, name="bound", panels=(1, 1))


def _first_passing(values, stops, **law) -> float:
    passing = (stop for stop in stops if passing_rate(values, bound=stop, **law) > 0.99)
    return next(passing, stops[-1])


def _own_tests(mechanism: Callable, values, stops, **law) -> LiveFigure:
    def run(bound):
        released = mechanism(values, bound=bound, **law)
        return "no answer" if released is None else "an answer"

    def chances(bound):
        rate = passing_rate(values, bound=bound, **law)
        return {"an answer": rate, "no answer": 1 - rate}

    start = _first_passing(values, stops, **law)
    return explore_choices(run, chances, stops=stops, start=start, name="bound")


def explore_test_epsilon(
    values,
    *,
    bound: float = 0.0025,
    lower: float = 0,
    upper: float = 100,
    delta: float = 1e-9,
    unit: str = "years",
) -> SliderFigure:
    """Show which bounds propose-test-release passes, with a slider for epsilon.

    The sentence says the mean error too, beside that of `private_mean` with the same epsilon in
    all.

    Args:
      values, lower, upper, delta, unit: as in `explore_proposed_bound`.
      bound: the bound that is marked, > 0, in the units of the values.

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    local = local_sensitivity_at_distance(values, distance=0, **limits)
    bound = _validate.positive("bound", bound)
    bounds = np.linspace(0.9 * min(local, bound), 1.6 * max(local, bound), 80)
    bounds = np.union1d(bounds, [bound])
    steps = [distance_to_high_sensitivity(values, bound=each, **limits) for each in bounds]
    marked = distance_to_high_sensitivity(values, bound=bound, **limits)

    def draw(axes, epsilon):
        rates = passing_probability(steps, epsilon=epsilon, delta=delta)
        draw_passing_rate(axes[0], bounds, rates, bound=bound, local=local, unit=unit)

    def caption(epsilon):
        other = _mean_error(values, epsilon=2 * epsilon, trials=TRIALS // 2, **limits)
        rate = share(passing_probability(marked, epsilon=epsilon, delta=delta))
        return (
            f"With ε = {epsilon:g} the bound {bound:g} {unit} passes {rate} of the time; the mean "
            f"is then off by about {amount(bound / epsilon)} {unit} (a noisy mean for the same 2ε "
            f"= {2 * epsilon:g} by {amount(other)})."
        )

    rates = [passing_probability(marked, epsilon=each, delta=delta) for each in TEST_EPSILONS]
    passing = [each for each, rate in zip(TEST_EPSILONS, rates, strict=True) if rate > 0.99]
    start = passing[0] if passing else TEST_EPSILONS[-1]
    return explore_frames(draw, caption, stops=TEST_EPSILONS, start=start)


def _mean_error(values, *, epsilon: float, trials: int, lower: float, upper: float) -> float:
    """Return the mean error of `private_mean`; the same one for the same arguments."""
    rng = np.random.default_rng(7)
    law = {"lower": lower, "upper": upper, "epsilon": epsilon, "rng": rng}
    means = [private_mean(values, **law) for _ in range(trials)]
    return float(np.abs(means - np.clip(values, lower, upper).mean()).mean())


def explore_distance(
    values, *, lower: float = 0, upper: float = 100, unit: str = "years"
) -> SliderFigure:
    """Show how sensitive the clipped mean can become, with a slider for the number of edits.

    Args:
      values: one finite number a person, shape (n,); each is clipped into [lower, upper].
      lower, upper: public ends of the interval, in the units of the values, lower < upper.
      unit: the name of the units of the values.

    Raises:
      ValueError: an argument is out of range.
    """
    limits = {"lower": lower, "upper": upper}
    here = local_sensitivity_at_distance(values, distance=0, **limits)
    stops = sorted({round(part * len(values)) for part in PARTS})

    def draw(axes, distance):
        draw_sensitivity_at_distance(axes[0], values, distance=int(distance), unit=unit, **limits)

    def caption(distance):
        there = local_sensitivity_at_distance(values, distance=int(distance), **limits)
        if distance == 0:
            return (
                f"One person can move the mean of these {len(values):,} values by up to "
                f"{amount(here)} {unit}."
            )
        return (
            f"After {distance:,g} edits one person can move the mean by up to {amount(there)} "
            f"{unit}, against {amount(here)} here, and {amount((upper - lower) / 2)} in the worst "
            f"table."
        )

    half = stops[len(stops) // 2]
    return explore_frames(draw, caption, stops=stops, start=half, name="edits")
