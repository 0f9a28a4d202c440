"""Sliders of the chapter on running sums and training."""

import functools

import numpy as np

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.words import amount, counted
from dplib.learning import sampled_gaussian_sigma
from dplib.plots.ranges.trees import draw_nodes
from dplib.plots.running import draw_band_errors
from dplib.ranges import banded_error, banded_root_strategy, running_nodes
from dplib.ranges.cells import power_of_two

EPSILONS = (1, 2, 3, 4, 6, 8, 16)
BESIDE = (1, 2, 4, 8, 16)  # what is seen beside each of them
# A person takes part in 8 of the 256 rounds on average, however many bands there are.
ROUNDS, APART = 256, 32
BANDS = (1, 2, 4, 8, 16, 32)


def explore_running_nodes(*, months: int = 32) -> SliderFigure:
    """Show which nodes of a binary tree make up a running sum, with a slider for the month.

    Args:
      months: a power of two from 8 to 64.

    Raises:
      ValueError: months is out of range.
    """
    size = power_of_two("months", months)
    if not 8 <= size <= 64:
        raise ValueError(f"months must lie between 8 and 64, got {months!r}")

    def draw(axes, until):
        lit = dict.fromkeys(running_nodes(int(until)), 1.0)
        draw_nodes(axes[0], lit, size=size, inside=(1, int(until)), unit="month")

    def caption(until):
        nodes = running_nodes(int(until))
        parts = " + ".join(f"{last - first + 1}" for first, last in nodes)
        first = "month" if until == 1 else f"{until:g} months"
        numbers = counted(len(nodes), "noisy number")
        return f"The sum of the first {first} is made of {numbers}: {parts}."

    stops = range(1, size + 1) if size < 32 else range(1, size)
    return explore_frames(draw, caption, stops=stops, start=size - 1, name="month")


def explore_bands(*, delta: float = 1e-6) -> SliderFigure:
    """Show how far off banded noise leaves the running sums, with a slider for epsilon.

    With b bands each person is put into one of b groups, and the group whose turn it is gives a
    Poisson batch of rate b / 32: 256 / b such batches see a person at all.

    Args:
      delta: of the whole training, strictly between 0 and 1.

    Raises:
      ValueError: delta is out of range.
    """
    delta = _validate.probability("delta", delta)

    # Source: Choquette-Choo and others (2023). A person's rounds are `bands` apart, so no question
    # is moved by two of them: 256 / b times, Gaussian noise on what a Poisson batch adds.
    @functools.cache
    def errors(epsilon):
        law = {"epsilon": epsilon, "delta": delta}
        return {bands: float(_spread(bands) * _sigma(bands, **law)) for bands in BANDS}

    def draw(axes, epsilon):
        others = {f"ε = {each:g}": errors(each) for each in BESIDE if each != epsilon}
        draw_band_errors(axes[0], errors(epsilon), beside=others)

    def caption(epsilon):
        found = errors(epsilon)
        best = min(found, key=found.get)
        if best == 1:
            rest = "is least with one band, which is DP-SGD"
        else:
            share = amount(found[best] / found[1])
            rest = f"is least with {counted(best, 'band')}: {share} of that with one band"
        given = f"With ε = {epsilon:g} and δ = {amount(delta)}"
        return f"{given} the largest error of a running sum over {ROUNDS} rounds {rest}."

    return explore_frames(draw, caption, stops=EPSILONS, start=4)


def _sigma(bands: int, **law) -> float:
    return sampled_gaussian_sigma(rate=bands / APART, rounds=ROUNDS // bands, **law)


@functools.cache
def _spread(bands: int) -> float:
    """Return the largest standard error for noise of deviation 1 and one turn of length 1."""
    strategy = banded_root_strategy(ROUNDS, bands=bands)
    return float(np.sqrt(banded_error(strategy, turns=1, apart=bands, rho=0.5).max()))
