"""Figures of the Laplace mechanism, and of what an attacker believes after a release."""

from dplib.plots.laplace.beliefs import draw_household, draw_household_beliefs, draw_posterior
from dplib.plots.laplace.releases import (
    draw_error_against_epsilon,
    draw_neighbor_densities,
    draw_neighbor_ratio,
    show_error_against_epsilon,
)

__all__ = [
    "draw_error_against_epsilon",
    "draw_household",
    "draw_household_beliefs",
    "draw_neighbor_densities",
    "draw_neighbor_ratio",
    "draw_posterior",
    "show_error_against_epsilon",
]
