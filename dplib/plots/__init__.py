"""Figures: `draw_*(ax, ...)` draws on the Axes it is given and returns it."""

from dplib.plots.aggregation import (
    draw_chunk_answers,
    draw_chunk_releases,
    draw_vote_leads,
    show_chunk_answers,
    show_vote_leads,
)
from dplib.plots.approximate import (
    draw_composition_costs,
    draw_dimension_errors,
    draw_noise_tails,
    draw_trade_off,
    show_trade_off,
)
from dplib.plots.audit import draw_audits, draw_float_gaps, show_float_gaps
from dplib.plots.composition import (
    draw_answer_clouds,
    draw_cells_against_noise,
    draw_drowned_people,
    draw_split_clouds,
)
from dplib.plots.deidentification import (
    draw_birth_steps,
    draw_rebuilt,
    draw_reconstructed_shares,
    draw_unique_shares,
)
from dplib.plots.k_anonymity import (
    draw_crowds,
    draw_information_against_k,
    draw_suppressed_people,
)
from dplib.plots.laplace.beliefs import draw_household, draw_household_beliefs, draw_posterior
from dplib.plots.laplace.releases import (
    draw_error_against_epsilon,
    draw_neighbor_densities,
    draw_neighbor_ratio,
    show_error_against_epsilon,
)
from dplib.plots.learning import draw_accuracy, draw_boundaries
from dplib.plots.local.crowd import draw_crowd
from dplib.plots.local.errors import draw_local_errors, draw_unary_errors, draw_unary_reports
from dplib.plots.local.protocols import (
    draw_protocols_by_epsilon,
    show_protocols,
)
from dplib.plots.local.shuffled import draw_trust, show_trust
from dplib.plots.local_sensitivity import (
    draw_median_errors,
    draw_proposed_medians,
    draw_sensitivity_at_distance,
    draw_tested_distances,
    show_median_errors,
)
from dplib.plots.parts.described import described_figure
from dplib.plots.ranges.errors import draw_range_clouds
from dplib.plots.ranges.trees import (
    draw_node_noise,
    draw_nodes,
    show_range_errors,
)
from dplib.plots.release import draw_intervals, show_intervals
from dplib.plots.running import draw_band_errors, draw_running_errors, show_running_errors
from dplib.plots.selection import draw_best_chance, draw_gap, draw_selection_probabilities
from dplib.plots.sensitivity import (
    draw_clipped_values,
    draw_clipping_errors,
    draw_clipping_parts,
    draw_mean_errors,
    show_mean_errors,
)
from dplib.plots.sparse_vector import draw_answers_and_threshold, draw_report_shares
from dplib.plots.synthetic import draw_marginals, draw_range_errors
from dplib.plots.variants import (
    draw_accounts,
    draw_losses,
    draw_order_costs,
    draw_repeated_trade_off,
    show_order_costs,
    show_repeated_trade_off,
)

__all__ = [
    "described_figure",
    "draw_accounts",
    "draw_accuracy",
    "draw_answer_clouds",
    "draw_answers_and_threshold",
    "draw_audits",
    "draw_band_errors",
    "draw_best_chance",
    "draw_birth_steps",
    "draw_boundaries",
    "draw_cells_against_noise",
    "draw_chunk_answers",
    "draw_chunk_releases",
    "draw_clipped_values",
    "draw_clipping_errors",
    "draw_clipping_parts",
    "draw_composition_costs",
    "draw_crowd",
    "draw_crowds",
    "draw_dimension_errors",
    "draw_drowned_people",
    "draw_error_against_epsilon",
    "draw_float_gaps",
    "draw_gap",
    "draw_household",
    "draw_household_beliefs",
    "draw_information_against_k",
    "draw_intervals",
    "draw_local_errors",
    "draw_losses",
    "draw_marginals",
    "draw_mean_errors",
    "draw_median_errors",
    "draw_neighbor_densities",
    "draw_neighbor_ratio",
    "draw_node_noise",
    "draw_nodes",
    "draw_noise_tails",
    "draw_order_costs",
    "draw_posterior",
    "draw_proposed_medians",
    "draw_protocols_by_epsilon",
    "draw_range_clouds",
    "draw_range_errors",
    "draw_rebuilt",
    "draw_reconstructed_shares",
    "draw_repeated_trade_off",
    "draw_report_shares",
    "draw_running_errors",
    "draw_selection_probabilities",
    "draw_sensitivity_at_distance",
    "draw_split_clouds",
    "draw_suppressed_people",
    "draw_tested_distances",
    "draw_trade_off",
    "draw_trust",
    "draw_unary_errors",
    "draw_unary_reports",
    "draw_unique_shares",
    "draw_vote_leads",
    "show_chunk_answers",
    "show_error_against_epsilon",
    "show_float_gaps",
    "show_intervals",
    "show_mean_errors",
    "show_median_errors",
    "show_order_costs",
    "show_protocols",
    "show_range_errors",
    "show_repeated_trade_off",
    "show_running_errors",
    "show_trade_off",
    "show_trust",
    "show_vote_leads",
]
