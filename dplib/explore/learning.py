"""Sliders of the chapter on machine learning."""

import functools

import numpy as np

from dplib import _validate
from dplib.data import DOMAINS, load_features
from dplib.explore.parts.frames import SliderFigure, drawn_stops, explore_frames
from dplib.explore.parts.words import amount
from dplib.learning import (
    accuracy,
    clipped_gradients,
    majority_accuracy,
    noisy_gradient_descent,
)
from dplib.plots.learning import (
    boundary_rows,
    draw_accuracy,
    draw_boundaries,
    trained_accuracies,
)

# Few rows and rounds: each model takes a fiftieth of a second. With all 26,096 rows the same
# accuracies come with an epsilon that is about nine times smaller.
ROWS, SEEDS = 3000, (0, 1, 2)
# Most stops are where models differ: above 0.5 they are alike.
EPSILONS = (*(float(f"{10 ** (k / 4):.2g}") for k in range(-8, 1)), 10)
ROUNDS = (5, 7, 10, 15, 20, 30, 50, 70, 100)
# People whom the models of two columns learn from, and how many of them are drawn.
BOUNDARY_ROWS, SHOWN = 2000, 300


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
    law = _validate.law(clipping_bound=clipping_bound, delta=delta)
    law |= {"iterations": _validate.whole("iterations", iterations)}

    def lead(epsilon):
        return f"With ε = {epsilon:g} (δ = {amount(delta)})"

    return _explore("epsilon", law, lead, stops=EPSILONS, start=0.1)


def explore_learning_boundary(*, epsilon: float = 0.2, delta: float = 1e-5) -> SliderFigure:
    """Show where private models of two columns draw their line, with a slider for the rounds.

    They learn from the age and the schooling of the first 2,000 training rows of `load_features`,
    in rounds that share the budget, and are judged on its test rows; eight models for each stop,
    with noise of fixed seeds.

    Args:
      epsilon, delta: of the whole training, as in `noisy_gradient_descent`.

    Raises:
      ValueError: an argument is out of range.
    """
    budget = _validate.law(epsilon=epsilon, delta=delta)
    data = load_features()
    train = [each[:BOUNDARY_ROWS] for each in _two_columns(data.X_train, data.names)]
    y_train = data.y_train[:BOUNDARY_ROWS]
    rows = boundary_rows(*train)
    test = boundary_rows(*_two_columns(data.X_test, data.names)), data.y_test
    baseline = 100 * majority_accuracy(data.y_test)

    @functools.cache
    def models(rounds):
        return _noisy_and_exact(rows, y_train, int(rounds), budget)

    def draw(axes, rounds):
        thetas, exact = models(rounds)
        few = [each[:SHOWN] for each in (*train, y_train)]
        draw_boundaries(axes[0], *few, thetas=thetas, exact=exact)

    def caption(rounds):
        thetas, exact = models(rounds)
        found = 100 * np.array([accuracy(theta, *test) for theta in thetas])
        return (
            f"{rounds:g} rounds share ε = {epsilon:g}: eight models that look at age and schooling "
            f"are right for {_span(found)} % of the held-out people, without noise it is "
            f"{100 * accuracy(exact, *test):.1f} %, "
            f"by the majority's answer {baseline:.1f} %."
        )

    return explore_frames(draw, caption, stops=ROUNDS, start=20, name="rounds")


def _noisy_and_exact(rows, labels, rounds: int, budget: dict) -> tuple[list, np.ndarray]:
    """Return eight models that learnt with noise, and one without, in the same rounds."""
    fixed = {"iterations": rounds, "clipping_bound": 1, "learning_rate": 4, **budget}
    rngs = [np.random.default_rng(seed) for seed in range(8)]
    thetas = [noisy_gradient_descent(rows, labels, **fixed, rng=rng) for rng in rngs]
    exact = np.zeros(rows.shape[1])
    for _ in range(rounds):
        exact = exact - 4 * clipped_gradients(exact, rows, labels, bound=1).mean(axis=0)
    return thetas, exact


def _two_columns(X, names) -> list[np.ndarray]:
    """Return the ages and the years of schooling in rows whose columns have these names."""
    return [X[:, names.index(name)] * DOMAINS[name].upper for name in ("Age", "Education-Num")]


def _explore(parameter, law, lead, *, stops, start, **slider) -> SliderFigure:
    data = load_features()
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
        for place, (ax, found) in enumerate(zip(axes, accuracies()[stop], strict=True), start=1):
            draw_accuracy(ax, accuracy=found, baseline=baseline, name=f"model {place}")

    def caption(stop):
        found = 100 * accuracies()[stop]
        better = {0: "no more than", len(found): "more than"}
        beside = better.get(int((found > 100 * baseline).sum()), "around")
        return (
            f"{lead(stop)} three models are right for {_span(found)} % of "
            f"{len(data.y_test):,} people, {beside} the {100 * baseline:.1f} % (dashed) of "
            f"always answering “at most 50,000 dollars”."
        )

    slider["panels"] = [1] * len(SEEDS)
    return explore_frames(draw, caption, stops=stops, start=start, **slider)


def _span(shares) -> str:
    """Return the smallest and the largest of the shares, as one number where they agree."""
    low, high = f"{shares.min():.1f}", f"{shares.max():.1f}"
    return low if low == high else f"{low} to {high}"
