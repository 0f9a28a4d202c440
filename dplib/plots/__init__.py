"""Figures: `draw_*(ax, ...)` draws on the Axes it is given and returns it."""

from dplib.plots.described import described_figure
from dplib.plots.floating_point import draw_float_gaps
from dplib.plots.laplace import (
    draw_error_against_epsilon,
    draw_neighbor_densities,
    draw_neighbor_ratio,
    draw_posterior,
    draw_release_histogram,
)

__all__ = [
    "described_figure",
    "draw_error_against_epsilon",
    "draw_float_gaps",
    "draw_neighbor_densities",
    "draw_neighbor_ratio",
    "draw_posterior",
    "draw_release_histogram",
]
