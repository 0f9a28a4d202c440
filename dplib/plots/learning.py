"""Figures of training with privacy: how often a model is right, and where it draws its line."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.learning import accuracy, noisy_gradient_descent
from dplib.plots.parts.squares import fill_squares, mark_squares
from dplib.plots.parts.style import BLACK, BLUE, GREY, ORANGE, add_legend, describe_axes

# Public numbers in the middle and a half width: rows of two columns lie between about -1 and 1.
_AGE, _SCHOOLING = (45, 30), (10, 6)


def trained_accuracies(train, test, *, seeds: Sequence[int], **training) -> np.ndarray:
    """Return the accuracy on `test` of models trained on `train` with noise of these seeds.

    Args:
      train, test: pairs (X, y) as in `noisy_gradient_descent` and `accuracy`.
      seeds: whole numbers of at least 0, one for each model.
      training: the other arguments of `noisy_gradient_descent`.

    Returns:
      Shares between 0 and 1, one for each seed. They are exact, not private.

    Raises:
      ValueError: an argument is out of range.
    """
    seeds = [_validate.whole("seeds", seed, least=0) for seed in seeds]
    generators = [np.random.default_rng(seed) for seed in seeds]
    return np.array(
        [accuracy(noisy_gradient_descent(*train, **training, rng=rng), *test) for rng in generators]
    )


def draw_accuracy(ax: Axes, *, accuracy: float, baseline: float, name: str) -> Axes:
    """Draw a hundred people of a test set, filled if a model judges them right.

    Args:
      ax: Axes to draw on.
      accuracy: of the model, between 0 and 1.
      baseline: the accuracy of always giving the most frequent label, between 0 and 1.
      name: of the model.

    Returns:
      `ax`, with so many squares filled, the accuracy in per cent above, and dashed where they
      would end if the model gave the most frequent label.

    Raises:
      ValueError: an argument is out of range.
    """
    right, level = (
        100 * _validate.probability(each, value)
        for each, value in (("accuracy", accuracy), ("baseline", baseline))
    )
    fill_squares(ax, right, across=10, rows=10, color=ORANGE)
    mark_squares(ax, level, across=10)
    return describe_axes(ax, x=name, y=f"{right:.1f} %")


def boundary_rows(ages, schooling) -> np.ndarray:
    """Return rows of a model of two columns, shape (n, 3): 1, the age, the years of schooling.

    Args:
      ages, schooling: shape (n,), in years. Both are moved and scaled by public numbers.

    Raises:
      ValueError: they are not numbers of one shape.
    """
    ages, years = _validate.vector("ages", ages), _validate.vector("schooling", schooling)
    if ages.shape != years.shape:
        raise ValueError(f"schooling must have shape {ages.shape}, got shape {years.shape}")
    scaled = [(each - at) / by for each, (at, by) in ((ages, _AGE), (years, _SCHOOLING))]
    return np.column_stack([np.ones(len(ages)), *scaled])


def draw_boundaries(ax: Axes, ages, schooling, labels, *, thetas, exact) -> Axes:
    """Draw people by age and schooling, and the line at which each model changes its answer.

    Args:
      ax: Axes to draw on.
      ages, schooling: as in `boundary_rows`.
      labels: shape (n,), -1 or +1.
      thetas: models that learnt with noise, shape (k, 3), k >= 1.
      exact: a model that learnt without noise, shape (3,).

    Returns:
      `ax`, with a dot for each person, +1 filled; a line for each model, and dashed the one of
      `exact`. A model that gives everybody one answer has no line.

    Raises:
      ValueError: an argument is out of range.
    """
    boundary_rows(ages, schooling)
    labels = _validate.vector("labels", labels)
    models, exact = _validate.matrix("thetas", thetas), _validate.vector("exact", exact)
    # Dots on whole years would hide each other; the shifts are fixed, and follow no person's data.
    shifts = np.random.default_rng(0).uniform(-0.35, 0.35, size=(2, len(labels)))
    for sign, face, edge, name in (
        (-1, "none", GREY, "≤ 50,000"),
        (1, ORANGE, ORANGE, "> 50,000"),
    ):
        chosen = labels == sign
        places = np.asarray(ages)[chosen], np.asarray(schooling)[chosen] + shifts[0][chosen]
        ax.scatter(*places, s=12, facecolors=face, edgecolors=edge, linewidths=0.8, label=name)
    ends = np.array([14.0, 95.0])
    for place, theta in enumerate(models):
        label = "private" if place == 0 else None
        ax.plot(ends, _line(theta, ends), color=BLUE, linewidth=1.2, label=label)
    ax.plot(ends, _line(exact, ends), color=BLACK, linewidth=2, linestyle="--", label="no noise")
    ax.set(xlim=(14, 95), ylim=(0.3, 16.7))
    add_legend(ax, columns=4)
    return describe_axes(ax, x="age (years)", y="schooling (Education-Num, 1 to 16)")


def _line(theta, ages: np.ndarray) -> np.ndarray:
    """Return the schooling at which a model's score is 0, at each age."""
    start, by_age, by_schooling = theta
    if by_schooling == 0:
        return np.full(len(ages), np.nan)
    scaled = (ages - _AGE[0]) / _AGE[1]
    return _SCHOOLING[0] - _SCHOOLING[1] * (start + by_age * scaled) / by_schooling
