"""Figures of training with privacy: how often a model is right, and where it draws its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.learning import accuracy, majority_accuracy, noisy_gradient_descent
from dplib.plots.parts.curves import FIRST, REFERENCE, Curve, draw_curves, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import BLACK, BLUE, GREY, ORANGE, add_legend, describe_axes

__all__ = [
    "boundary_rows",
    "draw_accuracies",
    "draw_boundaries",
    "show_accuracies",
    "trained_accuracies",
]

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


def draw_accuracies(
    ax: Axes, accuracies: Mapping[float, Sequence[float]], *, at: float, baseline: float, x: str
) -> Axes:
    """Draw the accuracy of models against what was varied, and the majority's accuracy.

    Args:
      ax: Axes to draw on.
      accuracies: {place on the x axis, > 0: accuracies of the models trained there}, in order.
      at: the place that is marked, one of these.
      baseline: the accuracy of always giving the most frequent label, between 0 and 1.
      x: what the x axis measures, with its unit.

    Returns:
      `ax`, x on a logarithmic scale, with a small mark for each model, the band that holds all of
      them, the line of their mean, and the majority's accuracy dashed, in per cent.

    Raises:
      ValueError: an argument is out of range.
    """
    if at not in accuracies:
        raise ValueError(f"at must be one of {list(accuracies)}, got {at!r}")
    level = _validate.probability("baseline", baseline)
    places = _validate.finite_array("accuracies", list(accuracies))
    shares = 100 * _validate.finite_array("accuracies", list(accuracies.values()))
    look = {"color": GREY, "markersize": 8, "clip_on": False, "label": "one model"}
    ax.plot(np.repeat(places, shares.shape[1]), shares.ravel(), ".", **look)
    ax.fill_between(places, shares.min(axis=1), shares.max(axis=1), color=GREY, alpha=0.25, lw=0)
    ax.set_xscale("log")
    curves = [
        Curve("mean", lambda place: np.interp(place, places, shares.mean(axis=1)), FIRST),
        Curve("majority", lambda place: 0 * place + 100 * level, REFERENCE),
    ]
    draw_curves(ax, curves, places=places, at=at)
    ax.set_ylim(min(70, shares.min() - 2), max(85, shares.max() + 2))
    ax.yaxis.set_major_formatter("{x:.0f} %")
    plain_ticks(ax.xaxis)
    return describe_axes(ax, x=x, y="people in the test set judged right")


def show_accuracies(train, test, *, epsilons: Sequence[float], seeds: int, **training) -> Figure:
    """Return the described figure of models at several epsilons, beside the majority's answer.

    Args:
      train, test, training: as in `trained_accuracies`.
      epsilons: > 0, increasing; the models of the last one are marked.
      seeds: number of models at each, at least 1.

    Raises:
      ValueError: an argument is out of range.
    """
    chosen = range(_validate.whole("seeds", seeds))
    found = {
        epsilon: trained_accuracies(train, test, seeds=chosen, epsilon=epsilon, **training)
        for epsilon in epsilons
    }
    baseline = majority_accuracy(test[1])
    shares = {epsilon: 100 * each for epsilon, each in found.items()}
    figure, axes = described_figure(
        f"Accuracy against ε, {seeds} models at each; always giving the majority's answer is right "
        f"for {100 * baseline:.1f} percent. "
        + " ".join(
            f"At ε = {epsilon:g} from {each.min():.1f} to {each.max():.1f} percent."
            for epsilon, each in shares.items()
        )
    )
    draw_accuracies(axes, found, at=epsilons[-1], baseline=baseline, x="ε (no unit)")
    return figure


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
        ax.plot(ends, _line(theta, ends), color=BLUE, linewidth=1.2, alpha=0.7, label=label)
    ax.plot(ends, _line(exact, ends), color=BLACK, linewidth=2, linestyle="--", label="no noise")
    ax.set(xlim=(14, 95), ylim=(0.3, 16.7))
    add_legend(ax)
    return describe_axes(ax, x="age (years)", y="schooling (Education-Num, 1 to 16)")


def _line(theta, ages: np.ndarray) -> np.ndarray:
    """Return the schooling at which a model's score is 0, at each age."""
    start, by_age, by_schooling = theta
    if by_schooling == 0:
        return np.full(len(ages), np.nan)
    scaled = (ages - _AGE[0]) / _AGE[1]
    return _SCHOOLING[0] - _SCHOOLING[1] * (start + by_age * scaled) / by_schooling
