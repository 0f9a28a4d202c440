"""The price of a count by whom one trusts: nobody, a shuffler, or a curator."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dplib import _validate
from dplib.plots.local.errors import local_and_central_error
from dplib.plots.parts.curves import FIRST, REFERENCE, SECOND, plain_ticks
from dplib.plots.parts.described import described_figure
from dplib.plots.parts.style import add_legend, describe_axes
from dplib.shuffling import shuffled_epsilon

_LOOKS = {"nobody": FIRST, "a shuffler": SECOND, "a curator": REFERENCE}


def trust_errors(local_epsilon: float, *, people: int, delta: float) -> tuple[float, dict]:
    """Return the epsilon of shuffled reports, and the error of a count by whom one trusts.

    Args:
      local_epsilon: of each report that is shuffled, from 1e-6 to 30, without unit.
      people: number of reports, >= 1.
      delta: of the shuffled reports, strictly between 0 and 1.

    Returns:
      epsilon (others all alike), and {trusted: standard error in people}, each at this epsilon:
      reports that are sent openly, these shuffled ones, and Laplace noise of a curator.

    Raises:
      ValueError: an argument is out of range.
    """
    people = _validate.whole("people", people)
    total = shuffled_epsilon(0, people - 1, local_epsilon=local_epsilon, delta=delta)
    shuffled, _ = local_and_central_error(people=people, epsilon=local_epsilon)
    openly, central = local_and_central_error(people=people, epsilon=max(total, 1e-6))
    return total, dict(zip(_LOOKS, (openly, shuffled, central), strict=True))


def draw_trust(ax: Axes, *, people: int, delta: float) -> Axes:
    """Draw the standard error of a count against epsilon, by whom one trusts.

    Args:
      ax: Axes to draw on.
      people, delta: as in `trust_errors`.

    Returns:
      `ax`, both scales logarithmic, from epsilon 0.02 to 2.

    Raises:
      ValueError: an argument is out of range.
    """
    people, delta = _validate.whole("people", people), _validate.probability("delta", delta)
    # Shuffling divides epsilon by about the root of the people, so local ones reach far up.
    found = [
        trust_errors(place, people=people, delta=delta)
        for place in np.linspace(0.3, math.log(people) - 2.5, 24)
    ]
    places = [total for total, _ in found]
    for name, look in _LOOKS.items():
        heights = [errors[name] for _, errors in found]
        ax.plot(
            places,
            heights,
            color=look.color,
            linestyle=look.line,
            linewidth=2,
            label=f"trust {name}",
        )
    ax.set(xscale="log", yscale="log", xlim=(0.02, 2))
    plain_ticks(ax.xaxis)
    plain_ticks(ax.yaxis)
    add_legend(ax)
    return describe_axes(
        ax, x="ε of what the attacker sees", y="standard error of a count (people)"
    )


def show_trust(*, people: int, delta: float) -> Figure:
    """Return the figure of `draw_trust`, with its description."""
    figure, axes = described_figure(
        f"The error of a count of {people:,} people against epsilon, for reports sent openly, "
        "shuffled reports, and a curator. The shuffled line lies a few times above the curator's, "
        "and far below that of the open reports."
    )
    draw_trust(axes, people=people, delta=delta)
    return figure
