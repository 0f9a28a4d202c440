"""Sliders of the chapter on machine learning."""

from __future__ import annotations

import functools

from dplib import _validate
from dplib.data import Features, load_features
from dplib.explore.parts.frames import SliderFigure, drawn_stops, explore_frames
from dplib.explore.parts.words import amount
from dplib.learning import majority_accuracy
from dplib.plots.learning import draw_accuracies, trained_accuracies

__all__ = ["explore_learning_clipping", "explore_learning_epsilon", "explore_learning_iterations"]

# Few rows and rounds: each model takes a fiftieth of a second. With all 26,096 rows the same
# accuracies come with an epsilon that is about nine times smaller.
ROWS, SEEDS = 3000, (0, 1, 2)
EPSILONS = tuple(float(f"{10 ** (k / 4):.2g}") for k in range(-8, 5))
ITERATIONS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
BOUNDS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)


def explore_learning_epsilon(
    *, iterations: int = 30, clipping_bound: float = 1, delta: float = 1e-5
) -> SliderFigure:
    """Show the accuracy of noisy gradient descent, with a slider for epsilon.

    The models learn from the first 3,000 training rows of `load_features` and are judged on its
    test rows; three models for each stop, with noise of fixed seeds.

    Args:
      iterations, clipping_bound, delta: as in `noisy_gradient_descent`; its learning rate is 4.

    Raises:
      ValueError: an argument is out of range.
    """
    law = _checked(iterations=iterations, clipping_bound=clipping_bound, delta=delta)

    def lead(epsilon):
        return f"With ε = {epsilon:g} (δ = {amount(delta)})"

    return _explore("epsilon", law, lead, stops=EPSILONS, start=1, x="ε (no unit)")


def explore_learning_iterations(
    *, epsilon: float = 0.3, clipping_bound: float = 1, delta: float = 1e-5
) -> SliderFigure:
    """Show the accuracy of noisy gradient descent at one budget, with a slider for its rounds.

    Args:
      epsilon, clipping_bound, delta: as in `noisy_gradient_descent`; see
        `explore_learning_epsilon` for rows and models.

    Raises:
      ValueError: an argument is out of range.
    """
    law = _checked(epsilon=epsilon, clipping_bound=clipping_bound, delta=delta)

    def lead(iterations):
        rounds = "1 round" if iterations == 1 else f"{iterations:g} rounds"
        return f"In {rounds} that share ε = {epsilon:g}"

    slider = {"stops": ITERATIONS, "start": 20, "name": "rounds"}
    return _explore("iterations", law, lead, x="rounds of gradient descent", **slider)


def explore_learning_clipping(
    *, epsilon: float = 0.3, iterations: int = 30, delta: float = 1e-5
) -> SliderFigure:
    """Show the accuracy of noisy gradient descent, with a slider for the clipping bound.

    Args:
      epsilon, iterations, delta: as in `noisy_gradient_descent`; see `explore_learning_epsilon` for
        rows and models.

    Raises:
      ValueError: an argument is out of range.
    """
    law = _checked(epsilon=epsilon, iterations=iterations, delta=delta)

    def lead(bound):
        return f"With gradients clipped at norm {bound:g} (ε = {epsilon:g})"

    slider = {"stops": BOUNDS, "start": 1, "name": "clipping bound"}
    x = "clipping bound of a row's gradient (L2 norm)"
    return _explore("clipping_bound", law, lead, x=x, **slider)


def _checked(**law) -> dict:
    """Return the arguments of the training; ValueError names the one that is out of range."""
    for name, value in law.items():
        if name == "iterations":
            _validate.whole(name, value)
        else:
            (_validate.probability if name == "delta" else _validate.positive)(name, value)
    return law


@functools.cache
def _features() -> Features:
    """Return the data, read once for the sliders of a page."""
    return load_features()


def _explore(parameter, law, lead, *, x, stops, start, **slider) -> SliderFigure:
    data = _features()
    train = data.X_train[:ROWS], data.y_train[:ROWS]
    test = data.X_test, data.y_test
    baseline = majority_accuracy(data.y_test)

    @functools.cache
    def accuracies():
        fixed = {"learning_rate": 4, "seeds": SEEDS, **law}
        return {
            stop: trained_accuracies(train, test, **fixed, **{parameter: stop})
            for stop in drawn_stops(stops, start)
        }

    def draw(axes, stop):
        draw_accuracies(axes[0], accuracies(), at=stop, baseline=baseline, x=x)

    def caption(stop):
        found = 100 * accuracies()[stop]
        better = "more" if found.mean() > 100 * baseline else "no more"
        return (
            f"{lead(stop)} three models are right for {_span(found)} % of "
            f"{len(data.y_test):,} people, {better} than the {100 * baseline:.1f} % of always "
            f"answering “at most 50,000 dollars”."
        )

    return explore_frames(draw, caption, stops=stops, start=start, **slider)


def _span(shares) -> str:
    """Return the smallest and the largest of the shares, as one number where they agree."""
    low, high = f"{shares.min():.1f}", f"{shares.max():.1f}"
    return low if low == high else f"{low} to {high}"
