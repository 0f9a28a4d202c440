"""Figure of training with privacy: how often the model is right, beside the majority's answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.learning import accuracy, noisy_gradient_descent
from dplib.plots.parts.curves import FIRST, REFERENCE, Curve, draw_curves, plain_ticks
from dplib.plots.parts.style import GREY, describe_axes

__all__ = ["draw_accuracies", "trained_accuracies"]


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
