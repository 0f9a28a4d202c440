"""Designed inputs: drawn to reach the edges that ordinary inputs never come to."""

from autograder.check.designed.inputs import (
    EDGES,
    Edge,
    at_edges,
    columns,
    each_edge,
    gaps,
    indexed,
    is_law,
    is_number,
    labels,
    unreached,
)

__all__ = [
    "EDGES",
    "Edge",
    "at_edges",
    "columns",
    "each_edge",
    "gaps",
    "indexed",
    "is_law",
    "is_number",
    "labels",
    "unreached",
]
