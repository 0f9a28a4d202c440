"""Sliders of the chapter on approximate differential privacy."""

from collections.abc import Callable

from dplib import _validate
from dplib.explore.parts.frames import EPSILONS, SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure, explore_live, held
from dplib.explore.parts.releases import explore_releases
from dplib.explore.parts.words import amount, counted, people
from dplib.gaussian import analytic_gaussian_sigma
from dplib.plots.approximate import (
    ODDS,
    composition_costs,
    dimension_errors,
    draw_composition_costs,
    draw_dimension_errors,
    draw_noise_tails,
    noise_exceeded,
)
from dplib.plots.parts.laws import GaussianLaw

DELTAS = tuple(float(f"1e-{power}") for power in range(1, 13))
DIMENSIONS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
# A ledger of a hundred squares, each of which is seen: the two theorems change places at 29.
COUNTS = (1, 2, 5, 10, 15, 20, 25, 28, 29, 30, 35, 40, 50, 60, 70, 80, 90, 100)


def explore_tails(
    *, delta: float = 1e-5, mechanism: Callable | None = None
) -> SliderFigure | LiveFigure:
    """Show how large Gaussian and Laplace noise get and how often, with a slider for epsilon.

    Args:
      delta: of the Gaussian noise, strictly between 0 and 1; the sensitivity is 1.
      mechanism: a function of your own, called like `dplib.gaussian_mechanism`: then its
        releases are drawn beside their law, anew at each move.

    Raises:
      ValueError: delta is out of range.
    """
    delta = _validate.probability("delta", delta)
    if mechanism is not None:
        return _own_noise(mechanism, delta)
    return explore_frames(
        lambda axes, epsilon: draw_noise_tails(axes[0], epsilon=epsilon, delta=delta),
        lambda epsilon: _say_tails(epsilon, delta),
        stops=EPSILONS[::2],
    )


def _own_noise(mechanism: Callable, delta: float) -> LiveFigure:
    def law(epsilon):
        sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
        return GaussianLaw(0, sigma)

    return explore_releases(
        lambda epsilon: mechanism(0, l2_sensitivity=1, epsilon=epsilon, delta=delta),
        law,
        exact=lambda epsilon: "the exact answer",
        stops=EPSILONS[::2],
        start=1.0,
        x="released answer, when the exact one is 0 (people)",
    )


def explore_delta(*, epsilon: float | None = 1) -> SliderFigure | LiveFigure:
    """Show how large Gaussian and Laplace noise get and how often, with a slider for delta.

    Args:
      epsilon: privacy cost of both, > 0, without unit; the sensitivity is 1. None: it has a slider
        too.

    Raises:
      ValueError: epsilon is out of range.
    """
    if epsilon is not None:
        epsilon = _validate.positive("epsilon", epsilon)
    return explore_live(
        lambda axes, delta, own: draw_noise_tails(axes[0], epsilon=own, delta=delta),
        lambda delta, own: _say_tails(own, delta),
        sliders=[("δ", DELTAS, 1e-5), held("ε", epsilon, EPSILONS[::2], 1.0)],
        again=False,
    )


def _say_tails(epsilon: float, delta: float) -> str:
    (often, rarely), (often_laplace, rarely_laplace) = (
        [amount(size) for size in sizes]
        for sizes in noise_exceeded(ODDS, epsilon=epsilon, delta=delta)
    )
    return (
        f"With ε = {epsilon:g} and δ = {amount(delta)}, Gaussian noise is larger than {often} one "
        f"time in 20 (Laplace: {often_laplace}), and than {rarely} one time in a million (Laplace: "
        f"{rarely_laplace})."
    )


def explore_dimension(*, epsilon: float = 1, delta: float = 1e-5) -> SliderFigure:
    """Show what a vector costs by its L1 and by its L2 change, with a slider for its length.

    One person moves every entry by 1, as in a table of that many counts of the same people.

    Args:
      epsilon: privacy cost of the whole vector, > 0, without unit.
      delta: of the Gaussian noise, strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.
    """
    law = _validate.law(epsilon=epsilon, delta=delta)

    def draw(axes, dimension):
        draw_dimension_errors(axes[0], dimension=int(dimension), largest=DIMENSIONS[-1], **law)

    def caption(dimension):
        gaussian, laplace = dimension_errors(dimension, **law)
        entries = counted(dimension, "entry", "entries")
        return (
            f"With {entries} at ε = {epsilon:g}, each is off by about "
            f"{people(laplace)} with Laplace noise (L1), and by {people(gaussian)} with Gaussian "
            f"noise (L2, δ = {amount(delta)})."
        )

    return explore_frames(draw, caption, stops=DIMENSIONS, start=100, name="entries")


def explore_composition(*, epsilon: float = 0.1, delta_prime: float = 1e-5) -> SliderFigure:
    """Show what many releases cost by each composition theorem, with a slider for their number.

    Args:
      epsilon: of each release, > 0, without unit.
      delta_prime: the delta that the advanced theorem pays, strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.
    """
    law = _validate.law(epsilon=epsilon, delta_prime=delta_prime)

    def draw(axes, count):
        for ax, theorem in zip(axes, ("sequential", "advanced"), strict=True):
            draw_composition_costs(ax, theorem=theorem, count=int(count), largest=COUNTS[-1], **law)

    def caption(count):
        costs = composition_costs(int(count), **law)
        added, advanced = (amount(cost, digits=3) for cost in costs)
        releases = counted(count, "release")
        return (
            f"For {releases} with ε = {epsilon:g} each (a square), adding up gives ε = "
            f"{added}; the advanced theorem gives ε = {advanced} with δ = {amount(delta_prime)}."
        )

    return explore_frames(draw, caption, stops=COUNTS, start=50, name="releases", panels=(1, 1))
