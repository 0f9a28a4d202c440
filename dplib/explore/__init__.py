"""Sliders: `explore_*()` is one line in a notebook and shows a figure that a reader can move."""

import gc

from dplib.explore.aggregation import explore_chunks
from dplib.explore.approximate import (
    explore_composition,
    explore_delta,
    explore_dimension,
    explore_tails,
)
from dplib.explore.audit import explore_audit, explore_float_window
from dplib.explore.composition import (
    explore_answers,
    explore_budget_split,
    explore_table_dimension,
    explore_table_epsilon,
)
from dplib.explore.deidentification import explore_reconstruction, explore_uniqueness
from dplib.explore.k_anonymity import explore_generalization, explore_suppression
from dplib.explore.laplace import (
    explore_household,
    explore_neighbors,
    explore_posterior,
    explore_rain,
)
from dplib.explore.learning import (
    explore_learning_boundary,
    explore_learning_epsilon,
)
from dplib.explore.local import (
    explore_crowd,
    explore_local_epsilon,
    explore_local_people,
    explore_unary,
)
from dplib.explore.local_sensitivity import explore_distance, explore_proposed_bound
from dplib.explore.ranges import (
    explore_branching,
    explore_range_nodes,
    explore_range_size,
    explore_range_width,
)
from dplib.explore.release import explore_person_bound
from dplib.explore.running import explore_bands, explore_running_nodes
from dplib.explore.selection import explore_best_chance, explore_selection
from dplib.explore.sensitivity import explore_clipping_bound, explore_clipping_epsilon
from dplib.explore.sparse_vector import explore_reported_epsilon, explore_reported_threshold
from dplib.explore.synthetic import explore_marginals, explore_synthetic_ranges
from dplib.explore.variants import explore_accounts, explore_losses

__all__ = [
    "explore_accounts",
    "explore_answers",
    "explore_audit",
    "explore_bands",
    "explore_best_chance",
    "explore_branching",
    "explore_budget_split",
    "explore_chunks",
    "explore_clipping_bound",
    "explore_clipping_epsilon",
    "explore_composition",
    "explore_crowd",
    "explore_delta",
    "explore_dimension",
    "explore_distance",
    "explore_float_window",
    "explore_generalization",
    "explore_household",
    "explore_learning_boundary",
    "explore_learning_epsilon",
    "explore_local_epsilon",
    "explore_local_people",
    "explore_losses",
    "explore_marginals",
    "explore_neighbors",
    "explore_person_bound",
    "explore_posterior",
    "explore_proposed_bound",
    "explore_rain",
    "explore_range_nodes",
    "explore_range_size",
    "explore_range_width",
    "explore_reconstruction",
    "explore_reported_epsilon",
    "explore_reported_threshold",
    "explore_running_nodes",
    "explore_selection",
    "explore_suppression",
    "explore_synthetic_ranges",
    "explore_table_dimension",
    "explore_table_epsilon",
    "explore_tails",
    "explore_unary",
    "explore_uniqueness",
]

# pandas and matplotlib are loaded now, and stay: the collector of garbage takes a tenth of a second
# to look through them, again and again, and half a second when the notebook is closed.
gc.freeze()
