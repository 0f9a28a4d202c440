"""Choice of one candidate from a public list, by noisy scores."""

from dplib.selection.exponential import (
    exponential_mechanism,
    private_median,
    private_mode,
    selection_probabilities,
)
from dplib.selection.noisy_max import noisy_max_with_gap, report_noisy_max
from dplib.selection.permutation import permute_and_flip, permute_and_flip_probabilities

__all__ = [
    "exponential_mechanism",
    "noisy_max_with_gap",
    "permute_and_flip",
    "permute_and_flip_probabilities",
    "private_median",
    "private_mode",
    "report_noisy_max",
    "selection_probabilities",
]
