"""Sliders of the chapter on local differential privacy."""

import math
from collections.abc import Callable

import numpy as np

from dplib import _validate
from dplib.explore.parts.frames import EPSILONS, SliderFigure, explore_frames
from dplib.explore.parts.live import LiveFigure, explore_live, held
from dplib.explore.parts.releases import explore_choices
from dplib.explore.parts.words import amount, counted, share
from dplib.explore.parts.words import people as persons
from dplib.local import direct_probabilities, estimate_count, local_epsilon, two_probabilities
from dplib.plots.local.crowd import draw_crowd
from dplib.plots.local.errors import (
    draw_local_errors,
    draw_unary_errors,
    draw_unary_reports,
    local_and_central_error,
    unary_errors,
)
from dplib.survey import unary_epsilon

PEOPLE = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 32_563, 100_000, 300_000, 1_000_000)
STEPS = 20


def explore_crowd() -> SliderFigure:
    """Show two hundred people who answer by randomized response, with a slider for epsilon.

    At each stop the same people toss the same coins: what changes is the chance of a lie.
    """
    rng = np.random.default_rng(200)
    means, coins = np.arange(200) < 22, rng.random(200)
    means = means[rng.permutation(200)]
    means[0], means[1] = False, means[0] | means[1]  # the first one is Karrie: no

    def reports(epsilon):
        return means ^ (coins < direct_probabilities(domain_size=2, epsilon=epsilon)[1])

    def draw(axes, epsilon):
        words = {"yes": "works in sales", "no": "does not", "name": "Karrie"}
        draw_crowd(axes[0], means, reports(epsilon), **words)

    def caption(epsilon):
        told = reports(epsilon)
        estimate = estimate_count(told, epsilon=epsilon)
        return (
            f"At ε = {epsilon:g}, {(told & means).sum()} of the {means.sum()} who work in sales "
            f"say yes, and {(told & ~means).sum()} of the {(~means).sum()} others. The estimate "
            f"from the {told.sum()} yes is {estimate:,.0f}."
        )

    return explore_frames(draw, caption, stops=(0.01, 0.1, 0.25, 0.63, 1.0, 1.6, 2.5, 4.0, 6.3))


def explore_local_epsilon(
    *, people: int = 32563, mechanism: Callable | None = None
) -> SliderFigure | LiveFigure:
    """Show the error of a count in the local and in the central model, with a slider for epsilon.

    Args:
      people: number of people asked, a whole number of at least 1.
      mechanism: a function of your own, called like `dplib.randomized_response`: then the reports
        of a person whose answer is yes are drawn beside their law, anew at each move.

    Raises:
      ValueError: people is out of range.
    """
    people = _validate.whole("people", people)
    if mechanism is not None:
        return _own_reports(mechanism)
    return explore_frames(
        lambda axes, epsilon: draw_local_errors(
            axes[0], epsilon=epsilon, people=people, largest=people
        ),
        lambda epsilon: _say_errors(people, epsilon),
        stops=EPSILONS[::2],
    )


def _own_reports(mechanism: Callable) -> LiveFigure:
    def report(epsilon):
        given = mechanism(np.array([True]), epsilon=epsilon)
        return "yes" if np.asarray(given)[0] else "no"

    def law(epsilon):
        # Warner (1965), with the probability of the truth that spends epsilon.
        truth = 1 / (1 + math.exp(-epsilon))
        return {"yes": truth, "no": 1 - truth}

    return explore_choices(report, law, stops=EPSILONS[::2], start=1.0)


def explore_local_people(*, epsilon: float | None = 1) -> SliderFigure | LiveFigure:
    """Show the error of a count in both models, with a slider for the number of people.

    Args:
      epsilon: privacy cost of each person, from 1e-6 to 30, without unit. None: it has a slider
        too.

    Raises:
      ValueError: epsilon is out of range.
    """
    if epsilon is not None:
        epsilon = local_epsilon(epsilon)
    return explore_live(
        lambda axes, n, own: draw_local_errors(
            axes[0], people=int(n), epsilon=own, largest=PEOPLE[-1]
        ),
        lambda n, own: _say_errors(int(n), own),
        sliders=[("n", PEOPLE, 32_563), held("ε", epsilon, EPSILONS[::2], 1.0)],
        again=False,
    )


def _say_errors(people: int, epsilon: float) -> str:
    local, central = local_and_central_error(people=people, epsilon=epsilon)
    asked = counted(people, "person", "people")
    return (
        f"With ε = {epsilon:g} and {asked}, a count has a standard error of {persons(local)} in "
        f"the local model ({share(local / people)} of those asked), {amount(local / central)} "
        f"times the {persons(central)} of the central model."
    )


def explore_unary(*, q: float = 0.25, people: int = 32563) -> SliderFigure:
    """Show what unary encoding costs and how exact it is, with a slider for p.

    Args:
      q: probability that a 0 becomes 1, strictly between 0 and 0.95.
      people: number of people asked, a whole number of at least 1.

    Raises:
      ValueError: an argument is out of range.
    """
    _, q = two_probabilities(0.95, q)
    people = _validate.whole("people", people)
    stops = [round(step / STEPS, 2) for step in range(1, STEPS) if step / STEPS > q + 0.01]
    start = min(stops, key=lambda p: abs(p - 0.75))

    def draw(axes, p):
        draw_unary_reports(axes[0], p=p, q=q)
        draw_unary_errors(axes[1], p=p, q=q, people=people)

    def caption(p):
        chosen, best = unary_errors(p, q=q, people=people)
        epsilon = unary_epsilon(p, q)
        # In three digits: near the best p the two errors are nearly the same.
        more = chosen / best
        chosen, best = (amount(error, digits=3) for error in (chosen, best))
        than = f"exactly the {best}" if more < 1.0005 else f"{more:.3f} times the {best}"
        return (
            f"p = {p:g} and q = {q:g} cost ε = {amount(epsilon)}; the count of a category that "
            f"nobody has then has a standard error of {chosen} people, {than} of the best p and q "
            f"for this ε."
        )

    return explore_frames(draw, caption, stops=stops, start=start, name="p", panels=(1, 1))
