"""Figures of range queries and of running sums."""

from dplib.plots.ranges.errors import (
    LABELS,
    SIZES,
    draw_branching_errors,
    draw_size_errors,
    draw_strategy_values,
    draw_width_errors,
    simulated_error,
    strategy_range_error,
    tree_branching,
)
from dplib.plots.ranges.trees import (
    draw_nodes,
    draw_running_errors,
    show_range_errors,
    show_running_errors,
)

__all__ = [
    "LABELS",
    "SIZES",
    "draw_branching_errors",
    "draw_nodes",
    "draw_running_errors",
    "draw_size_errors",
    "draw_strategy_values",
    "draw_width_errors",
    "show_range_errors",
    "show_running_errors",
    "simulated_error",
    "strategy_range_error",
    "tree_branching",
]
