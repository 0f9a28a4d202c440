"""Figures of the local model."""

from dplib.plots.local.crowd import draw_crowd
from dplib.plots.local.errors import (
    draw_local_errors,
    draw_unary_errors,
    draw_unary_reports,
    local_and_central_error,
    unary_errors,
)
from dplib.plots.local.protocols import (
    draw_protocols_by_epsilon,
    draw_protocols_by_people,
    protocol_errors,
    show_protocols,
    simulated_errors,
)
from dplib.plots.local.shuffled import draw_trust, show_trust, trust_errors

__all__ = [
    "draw_crowd",
    "draw_local_errors",
    "draw_protocols_by_epsilon",
    "draw_protocols_by_people",
    "draw_trust",
    "draw_unary_errors",
    "draw_unary_reports",
    "local_and_central_error",
    "protocol_errors",
    "show_protocols",
    "show_trust",
    "simulated_errors",
    "trust_errors",
    "unary_errors",
]
