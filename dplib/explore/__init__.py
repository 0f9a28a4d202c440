"""Sliders: `explore_*()` is one line in a notebook and shows a figure that a reader can move."""

from dplib.explore.laplace import explore_neighbors, explore_posterior

__all__ = ["explore_neighbors", "explore_posterior"]
