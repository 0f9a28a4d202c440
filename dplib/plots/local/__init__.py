"""Figures of the local model."""

from dplib.plots.local.errors import (
    draw_errors_by_epsilon,
    draw_errors_by_people,
    draw_unary_epsilon,
    draw_unary_errors,
    local_and_central_error,
    unary_errors,
)
from dplib.plots.local.protocols import (
    draw_protocols_by_epsilon,
    draw_protocols_by_people,
    protocol_errors,
    simulated_errors,
)

__all__ = [
    "draw_errors_by_epsilon",
    "draw_errors_by_people",
    "draw_protocols_by_epsilon",
    "draw_protocols_by_people",
    "draw_unary_epsilon",
    "draw_unary_errors",
    "local_and_central_error",
    "protocol_errors",
    "simulated_errors",
    "unary_errors",
]
