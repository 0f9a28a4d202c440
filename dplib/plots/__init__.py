"""Figures: `draw_*(ax, ...)` draws on the Axes it is given and returns it."""

from dplib.plots.aggregation import (
    draw_chunk_answers,
    draw_chunk_errors,
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
from dplib.plots.audit import draw_certified_bounds, draw_float_gaps, show_float_gaps
from dplib.plots.composition import (
    draw_answer_errors,
    draw_budget_split,
    draw_cells_against_noise,
)
from dplib.plots.deidentification import draw_reconstructed_shares, draw_unique_shares
from dplib.plots.k_anonymity import (
    draw_crowds,
    draw_information_against_k,
    draw_suppressed_groups,
    draw_suppressed_shares,
)
from dplib.plots.laplace import (
    draw_error_against_epsilon,
    draw_household_beliefs,
    draw_neighbor_densities,
    draw_neighbor_ratio,
    draw_posterior,
    draw_release_histogram,
    show_error_against_epsilon,
    show_release_histogram,
)
from dplib.plots.learning import draw_accuracies, draw_boundaries, show_accuracies
from dplib.plots.local import (
    draw_crowd,
    draw_errors_by_epsilon,
    draw_errors_by_people,
    draw_protocols_by_epsilon,
    draw_protocols_by_people,
    draw_trust,
    draw_unary_epsilon,
    draw_unary_errors,
    show_protocols,
    show_trust,
)
from dplib.plots.local_sensitivity import (
    draw_median_errors,
    draw_passing_rate,
    draw_proposed_error,
    draw_sensitivity_at_distance,
    show_median_errors,
)
from dplib.plots.parts.described import described_figure
from dplib.plots.ranges import (
    draw_branching_errors,
    draw_nodes,
    draw_running_errors,
    draw_size_errors,
    draw_strategy_values,
    draw_width_errors,
    show_range_errors,
    show_running_errors,
)
from dplib.plots.selection import draw_best_chance, draw_selection_probabilities
from dplib.plots.sensitivity import draw_clipping_errors, draw_mean_errors, show_mean_errors
from dplib.plots.sparse_vector import draw_answers_and_threshold, draw_report_shares
from dplib.plots.synthetic import draw_marginals, draw_range_shares
from dplib.plots.variants import (
    draw_account_values,
    draw_accounts,
    draw_losses,
    draw_order_costs,
    draw_repeated_trade_off,
    show_order_costs,
    show_repeated_trade_off,
)

__all__ = [
    "described_figure",
    "draw_account_values",
    "draw_accounts",
    "draw_accuracies",
    "draw_answer_errors",
    "draw_answers_and_threshold",
    "draw_best_chance",
    "draw_boundaries",
    "draw_branching_errors",
    "draw_budget_split",
    "draw_cells_against_noise",
    "draw_certified_bounds",
    "draw_chunk_answers",
    "draw_chunk_errors",
    "draw_clipping_errors",
    "draw_composition_costs",
    "draw_crowd",
    "draw_crowds",
    "draw_dimension_errors",
    "draw_error_against_epsilon",
    "draw_errors_by_epsilon",
    "draw_errors_by_people",
    "draw_float_gaps",
    "draw_household_beliefs",
    "draw_information_against_k",
    "draw_losses",
    "draw_marginals",
    "draw_mean_errors",
    "draw_median_errors",
    "draw_neighbor_densities",
    "draw_neighbor_ratio",
    "draw_nodes",
    "draw_noise_tails",
    "draw_order_costs",
    "draw_passing_rate",
    "draw_posterior",
    "draw_proposed_error",
    "draw_protocols_by_epsilon",
    "draw_protocols_by_people",
    "draw_range_shares",
    "draw_reconstructed_shares",
    "draw_release_histogram",
    "draw_repeated_trade_off",
    "draw_report_shares",
    "draw_running_errors",
    "draw_selection_probabilities",
    "draw_sensitivity_at_distance",
    "draw_size_errors",
    "draw_strategy_values",
    "draw_suppressed_groups",
    "draw_suppressed_shares",
    "draw_trade_off",
    "draw_trust",
    "draw_unary_epsilon",
    "draw_unary_errors",
    "draw_unique_shares",
    "draw_vote_leads",
    "draw_width_errors",
    "show_accuracies",
    "show_chunk_answers",
    "show_error_against_epsilon",
    "show_float_gaps",
    "show_mean_errors",
    "show_median_errors",
    "show_order_costs",
    "show_protocols",
    "show_range_errors",
    "show_release_histogram",
    "show_repeated_trade_off",
    "show_running_errors",
    "show_trade_off",
    "show_trust",
    "show_vote_leads",
]
