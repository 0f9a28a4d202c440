"""A picture of the cells' shares: the draws' beside the law's."""

from pathlib import Path

import numpy as np

from ville.result import Result

# One of Okabe and Ito's colours on black lines: colour-blind readers can tell them apart.
_CAME, _LAW = "#D55E00", "#000000"
_MOST_LABELS = 12


def save_picture(result: Result, path: Path) -> None:
    """Save the share of the draws in each cell beside the law's, as a PNG; needs matplotlib.

    Raises:
      ImportError: there is no matplotlib.
    """
    from matplotlib.figure import Figure

    shares, law, labels = result.cells()
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(law))
    axes.bar(places, shares, color=_CAME, alpha=0.7, label=f"{result.draws:,} draws")
    look = {"color": _LAW, "linestyle": "--", "linewidth": 2}
    axes.step(places, law, where="mid", label=result.law, **look)
    shown = places[:: -(-len(places) // _MOST_LABELS)]
    axes.set_xticks(shown, [labels[place] for place in shown], rotation=45, ha="right")
    axes.set_ylabel("share of the draws")
    axes.set_xlabel("cell")
    figure.legend(loc="outside upper center", frameon=False, fontsize="small")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)
