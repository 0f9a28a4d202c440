"""Range queries: which questions to ask with noise so that all ranges are answered well."""

from dplib.ranges.banded import banded_error, banded_root_strategy, participation_sensitivity
from dplib.ranges.errors import (
    accuracy_index,
    average_range_error,
    range_error,
    range_sensitivity,
)
from dplib.ranges.haar import haar_inverse, haar_restore, haar_strategy, haar_transform
from dplib.ranges.matrix import (
    matrix_mechanism,
    matrix_mechanism_zcdp,
    range_workload,
    strategy_error,
    strategy_sensitivity,
)
from dplib.ranges.release import answer_ranges, release_ranges
from dplib.ranges.running import (
    factorization_error,
    running_nodes,
    running_sum_factors,
    toeplitz_root_strategy,
)
from dplib.ranges.trees import consistent_counts, release_tree, tree_answers, tree_strategy

__all__ = [
    "accuracy_index",
    "answer_ranges",
    "average_range_error",
    "banded_error",
    "banded_root_strategy",
    "consistent_counts",
    "factorization_error",
    "haar_inverse",
    "haar_restore",
    "haar_strategy",
    "haar_transform",
    "matrix_mechanism",
    "matrix_mechanism_zcdp",
    "participation_sensitivity",
    "range_error",
    "range_sensitivity",
    "range_workload",
    "release_ranges",
    "release_tree",
    "running_nodes",
    "running_sum_factors",
    "strategy_error",
    "strategy_sensitivity",
    "toeplitz_root_strategy",
    "tree_answers",
    "tree_strategy",
]
