"""Sliders of the chapter on the Laplace mechanism."""

import math
from collections.abc import Callable

import numpy as np

from dplib import _validate
from dplib.explore.parts.frames import EPSILONS, SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure
from dplib.explore.parts.releases import explore_releases
from dplib.explore.parts.words import amount, people
from dplib.laplace import attacker_posterior, household_beliefs
from dplib.plots.laplace.beliefs import draw_household, draw_household_beliefs, draw_posterior
from dplib.plots.laplace.releases import draw_neighbor_densities, draw_neighbor_ratio
from dplib.plots.parts.laws import LaplaceLaw
from dplib.plots.parts.releases import FEW, draw_releases

MEMBERS = range(1, 11)
DROPS = (1, 3, 10, 30, 100, 300, 1000, 3000)


def explore_neighbors(
    *, count_without: float = 17449, mechanism: Callable | None = None
) -> SliderFigure | LiveFigure:
    """Show what one person changes in a noisy count, with a slider for epsilon.

    Left: how likely each release is with one person and without (add_remove, sensitivity 1). Right:
    how many times as likely it is with the person, which epsilon bounds.

    Args:
      count_without: exact count without the person, in people; with the person it is one more.
      mechanism: a function of your own, called like `dplib.laplace_mechanism`: then its
        releases are drawn beside their law, anew at each move.

    Raises:
      ValueError: count_without is not a finite number.
    """
    count_without = _validate.number("count_without", count_without)
    if mechanism is not None:
        return _own_releases(mechanism, count_without + 1)

    def draw(axes, epsilon):
        draw_neighbor_densities(axes[0], count_without=count_without, epsilon=epsilon)
        draw_neighbor_ratio(axes[1], count_without=count_without, epsilon=epsilon)

    def caption(epsilon):
        # The mean absolute value of Laplace noise is its scale, 1 / epsilon (Dwork & Roth 2014,
        # definition 3.2); the ratio of the densities is at most e^epsilon (theorem 3.6).
        times = amount(math.exp(epsilon), digits=3)
        return (
            f"With ε = {epsilon:g} the release is off by about {people(1 / epsilon)}, and no "
            f"release is more than {times} times as likely with one person as without."
        )

    return explore_frames(draw, caption, panels=(3, 2))


def _own_releases(mechanism: Callable, count: float) -> LiveFigure:
    return explore_releases(
        lambda epsilon: mechanism(count, sensitivity=1, epsilon=epsilon),
        # Dwork & Roth (2014), definition 3.3: the scale is sensitivity / epsilon.
        lambda epsilon: LaplaceLaw(count, 1 / epsilon),
        exact=lambda epsilon: "the exact count",
        stops=EPSILONS,
        start=1.0,
        x="released count (people)",
    )


def explore_rain(releases, *, value: float, sensitivity: float, epsilon: float) -> SliderFigure:
    """Show answers fall one after another where their law says, with a slider for how many.

    Args:
      releases: released numbers in the order in which they came, shape (n,), in people.
      value: the exact answer, in people.
      sensitivity, epsilon: as in `laplace_mechanism`.

    Raises:
      ValueError: an argument is out of range, or there is no release.
    """
    seen = _validate.vector("releases", releases)
    centre = _validate.number("value", value)
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    # Dwork & Roth (2014), definition 3.3.
    law = LaplaceLaw(centre, scale)
    stops = [*(count for count in DROPS if count < len(seen)), len(seen)]

    def draw(axes, count):
        y = "density; each dot is an answer" if count < FEW else "density"
        look = {"x": "answer (people)", "y": y, "name": "answers"}
        draw_releases(axes[0], seen[: int(count)], law, **look)

    def caption(count):
        off = people(float(np.abs(seen[: int(count)] - centre).mean()))
        law_says = f"the law says {amount(scale)}"
        if count == 1:
            return f"The first answer is off by {off}; {law_says} on average."
        return f"The first {count:,g} answers are off by {off} on average; {law_says}."

    start = max(stop for stop in stops if stop <= 30)
    return explore_frames(draw, caption, stops=stops, start=start, name="answers", play=True)


def explore_posterior(*, prior: float = 0.5, start: float = 1.0) -> SliderFigure:
    """Show what an attacker who knows everyone but one person learns from a count, against epsilon.

    Args:
      prior: the attacker's probability, before the release, that the person is counted; strictly
        between 0 and 1.
      start: the epsilon shown first, one of the slider's stops.

    Raises:
      ValueError: prior is out of range, or start is no stop of the slider.
    """
    prior = _validate.probability("prior", prior)

    def draw(axes, epsilon):
        draw_posterior(axes[0], prior=prior, epsilon=epsilon)

    def caption(epsilon):
        # The posterior is furthest from the prior outside the two counts, 0 and 1.
        low, high = attacker_posterior(
            np.array([-1.0, 2.0]), count_without=0, epsilon=epsilon, prior=prior
        )
        return (
            f"With ε = {epsilon:g} an attacker who thought {_percent(prior)} can come to believe "
            f"at most {_percent(high, prior)}, and at least {_percent(low, prior)}."
        )

    return explore_frames(draw, caption, start=start)


def explore_household(*, epsilon: float = 0.1) -> SliderFigure:
    """Show what a noisy count says of a household of one answer, with a slider for its size.

    Left: who of the household is in the table. Right: the beliefs after fifty releases, if all of
    the household are ill. Before the first, this has probability 1/2.

    Args:
      epsilon: privacy cost of the release, > 0, without unit.

    Raises:
      ValueError: epsilon is not positive and finite.
    """
    prior = 0.5
    law = {"epsilon": _validate.positive("epsilon", epsilon), "prior": prior}

    def draw(axes, household):
        draw_household(axes[0], household=int(household), largest=MEMBERS[-1])
        draw_household_beliefs(axes[1], household=int(household), **law)

    def caption(household):
        # Beyond all possible counts both beliefs are at their highest.
        size = int(household)
        highest = household_beliefs(size + 1, others=0, household=size, **law)
        with_row, without_row = (_percent(each, prior) for each in highest)
        members = "person who is" if size == 1 else "people who are all"
        return (
            f"A household of {size} {members} ill or {'well' if size == 1 else 'all well'}: with "
            f"your row the belief reaches {with_row}, without it {without_row}."
        )

    slider = {"stops": MEMBERS, "start": 5, "name": "household"}
    return explore_frames(draw, caption, **slider, panels=(2, 3))


def _percent(probability: float, unlike: float = 0.0) -> str:
    """Return a share in per cent, with two digits of its distance from 0, 1 and `unlike`."""
    gap = 100 * min(probability, 1 - probability, abs(probability - unlike) or 1)
    digits = max(0, 1 - math.floor(math.log10(gap)))
    return f"{100 * probability:.{digits}f} %"
