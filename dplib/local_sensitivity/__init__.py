"""Noise that fits the data: local sensitivity, and the standard ways to use it safely."""

from dplib.local_sensitivity.mean import mean_sensitivity_at_distance
from dplib.local_sensitivity.median import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    local_sensitivity_median,
    passing_probability,
    passing_threshold,
    propose_test_release,
)
from dplib.local_sensitivity.smooth import (
    pure_smooth_median,
    smooth_median,
    smooth_sensitivity_median,
)

__all__ = [
    "distance_to_high_sensitivity",
    "local_sensitivity_at_distance",
    "local_sensitivity_median",
    "mean_sensitivity_at_distance",
    "passing_probability",
    "passing_threshold",
    "propose_test_release",
    "pure_smooth_median",
    "smooth_median",
    "smooth_sensitivity_median",
]
