"""Sliders of the chapter on variants of differential privacy."""

from dplib import _validate
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure, explore_live, held
from dplib.explore.parts.words import amount, counted, share
from dplib.plots.variants import (
    draw_accounts,
    draw_losses,
    gaussian_costs,
    response_losses,
)

COUNTS = (1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000)

SIGMAS = (10, 20, 30, 50)
ANSWERS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50)


def explore_accounts(*, sigma: float | None = 30, delta: float = 1e-5) -> SliderFigure | LiveFigure:
    """Show what k answers with Gaussian noise cost by five accounts, with a slider for k.

    Each bill is a square whose area is its epsilon.

    Args:
      sigma: standard deviation of each answer's noise, in units of its L2 sensitivity, > 0.
        None: it has a slider too.
      delta: of all answers together, strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.
    """
    delta = _validate.probability("delta", delta)
    if sigma is not None:
        sigma = _validate.positive("sigma", sigma)

    def draw(axes, count, own):
        # The bills that are furthest off are those of the most noise: the axis stays.
        look = {"delta": delta, "largest": COUNTS[-1], "room_for": sigma or SIGMAS[-1]}
        draw_accounts(axes[0], count=int(count), sigma=own, **look)

    def caption(count, own):
        cost = {
            account: amount(epsilon, digits=3)
            for account, epsilon in gaussian_costs(int(count), sigma=own, delta=delta).items()
        }
        releases_cost = counted(count, "release costs", "releases cost")
        return (
            f"{releases_cost} ε = {cost['sequential']} by sequential and {cost['advanced']} by "
            f"advanced composition, {cost['zCDP']} by zCDP, {cost['RDP']} by RDP and exactly "
            f"{cost['exact']}, all with δ = {amount(delta)}."
        )

    sliders = [("k", COUNTS, 100), held("σ", sigma, SIGMAS, SIGMAS[0])]
    return explore_live(draw, caption, sliders=sliders, again=False)


def explore_losses(*, epsilon: float = 0.3, delta: float = 1e-5) -> SliderFigure:
    """Show the law of the total loss of k answers of randomized response, with a slider for k.

    Args:
      epsilon: of each answer, > 0, without unit.
      delta: of all answers together, strictly between 0 and 1.

    Raises:
      ValueError: an argument is out of range.
    """
    law = _validate.law(epsilon=epsilon, delta=delta)

    def draw(axes, count):
        draw_losses(axes[0], count=int(count), largest=ANSWERS[-1], **law)

    def caption(count):
        losses, chances, promised = response_losses(int(count), **law)
        worst, average = float(losses[-1]), float(losses @ chances)
        return (
            f"With k = {count:g}, the worst luck each time adds up to {amount(worst, digits=3)}, "
            f"and comes with probability {share(chances[-1])}. For δ = {amount(delta)} the exact ε "
            f"is {amount(promised, digits=3)}; the average loss is {amount(average)}."
        )

    return explore_frames(draw, caption, stops=ANSWERS, start=20, name="k")
