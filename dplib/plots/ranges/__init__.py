"""Figures of range queries and of running sums."""

from dplib.plots.ranges.errors import (
    LABELS,
    SIZES,
    draw_range_clouds,
    node_noise,
    simulated_answers,
    strategy_range_error,
    tree_branching,
)
from dplib.plots.ranges.trees import (
    draw_node_noise,
    draw_nodes,
    draw_running_errors,
    show_range_errors,
    show_running_errors,
    whole_nodes,
)

__all__ = [
    "LABELS",
    "SIZES",
    "draw_node_noise",
    "draw_nodes",
    "draw_range_clouds",
    "draw_running_errors",
    "node_noise",
    "show_range_errors",
    "show_running_errors",
    "simulated_answers",
    "strategy_range_error",
    "tree_branching",
    "whole_nodes",
]
