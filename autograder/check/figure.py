"""The figure beside a failure: the answers against the law that they should follow."""

from __future__ import annotations

import base64
import io
import textwrap

import numpy as np

from autograder.check.result import in_notebook

__all__ = ["show_answers"]

# Okabe and Ito's colours, which colour-blind readers can tell apart.
_ANSWERS, _LAW = "#E69F00", "#0072B2"

_CAPTION_WIDTH = 85


def show_answers(answers, *, law, exact, scale, whole, caption) -> None:
    """Show a histogram of the answers with the law, if this runs in a notebook; else do nothing.

    It also does nothing if no answer is a number: a mechanism that always refuses has no histogram.
    """
    if not in_notebook() or not np.isfinite(answers).any():
        return
    from IPython.display import display

    text = (
        f"Histogram of {len(answers)} of your answers. {caption}: the dashed line is the law that "
        f"they should follow, around {exact:g} with scale {scale:.3g}."
    )
    picture = base64.b64encode(_draw(answers, law, exact, scale, whole, caption)).decode()
    display(
        {"image/png": picture, "text/plain": text},
        metadata={"image/png": {"alt": text}},
        raw=True,
    )


def _draw(answers, law, exact, scale, whole, caption) -> bytes:
    """Return the figure as a PNG."""
    # Not pyplot: the reader's own figures and settings stay as they are.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.1), layout="constrained")
    axes = figure.subplots()
    edges = _bins(answers - exact, scale, whole)
    inside = answers[np.isfinite(answers)] - exact
    inside = inside[(inside >= edges[0]) & (inside <= edges[-1])]
    weights = np.full(len(inside), 1 / len(answers))
    axes.hist(inside + exact, edges + exact, weights=weights, color=_ANSWERS, label="your answers")
    expected = np.diff(law(edges))
    law_is = textwrap.fill(caption, _CAPTION_WIDTH)
    axes.stairs(expected, edges + exact, color=_LAW, linestyle="--", linewidth=2, label=law_is)
    axes.set_xlabel("answer")
    axes.set_ylabel("share of answers")
    # Outside the axes, in one column: it then covers no answers, and a long caption fits.
    figure.legend(loc="outside upper center", frameon=False, fontsize="small")
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=100)
    return target.getvalue()


def _bins(noise, scale, whole) -> np.ndarray:
    """Return edges that show the law, and most of the answers if they lie elsewhere."""
    low, high = np.quantile(noise[np.isfinite(noise)], [0.02, 0.98])
    low, high = min(low, -5 * scale), max(high, 5 * scale)
    if not whole:
        return np.linspace(low, high, 41)
    step = max(1, round((high - low) / 40))
    return np.arange(np.floor(low), np.ceil(high) + 2 * step, step) - 0.5
