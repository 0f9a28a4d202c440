"""The local model as a crowd: who means yes, who says it."""

import numpy as np
from matplotlib.axes import Axes

from dplib import _validate
from dplib.plots.parts.style import BLACK, GREY, ORANGE

_ACROSS = 25  # people in a row


def draw_crowd(ax: Axes, answers, reports, *, yes: str, no: str, name: str = "") -> Axes:
    """Draw each person: the shape says what they mean, an orange fill that they say yes.

    Args:
      ax: Axes to draw on.
      answers: what each person means, truth values of shape (n,).
      reports: what each person says, of the same shape.
      yes, no: what it means, in a few words, for the legend.
      name: of the first person, who has a ring; nobody has one if it is empty.

    Returns:
      `ax`, with rows of 25 people, without ticks: squares mean yes, circles no.

    Raises:
      ValueError: answers and reports differ in shape, or hold something else.
    """
    means = _validate.integer_array("answers", np.asarray(answers).astype(int)).astype(bool)
    says = _validate.integer_array("reports", np.asarray(reports).astype(int)).astype(bool)
    if means.ndim != 1 or means.shape != says.shape:
        raise ValueError(f"reports must have the shape {means.shape}, got {says.shape}")
    down, across = np.divmod(np.arange(len(means)), _ACROSS)
    for kind, marker, words in ((means, "s", yes), (~means, "o", no)):
        for told, fill in ((says, ORANGE), (~says, "none")):
            here = kind & told
            ax.plot(
                across[here],
                -down[here],
                marker,
                markersize=8,
                markerfacecolor=fill,
                markeredgecolor=BLACK if marker == "s" else GREY,
                markeredgewidth=1.6 if marker == "s" else 0.8,
            )
        ax.plot(
            [], [], marker, markersize=8, markerfacecolor="none", markeredgecolor=BLACK, label=words
        )
    ax.plot([], [], "o", markersize=8, color=ORANGE, label="says yes")
    if name:
        ring = {"markerfacecolor": "none", "markeredgecolor": BLACK, "markeredgewidth": 1.5}
        ax.plot([0], [0], "o", markersize=15, label="_ring", **ring)
        ax.annotate(name, (0, 0), (-6, 9), textcoords="offset points")
    top = 1.7 if name else 0.8
    ax.set(xlim=(-1, _ACROSS), ylim=(-down[-1] - 0.8, top), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, borderaxespad=0)
    return ax
