"""dplib: the teaching library of the course, one name for each thing that a chapter builds."""

from types import ModuleType as _Module

import dplib._word_size as _word_size
from dplib.aggregation import (
    aggregation_error,
    assign_chunks,
    best_chunks,
    noisy_vote,
    sample_and_aggregate,
)
from dplib.audit import attack_epsilon, epsilon_lower_bound, membership_inference
from dplib.composition import (
    advanced_composition,
    parallel_composition,
    plan_cost,
    sequential_composition,
)
from dplib.deidentification import (
    anonymize,
    clip_outliers,
    deidentify,
    differencing_attack,
    generalize,
    information_loss,
    intersection_attack,
    k_anonymity,
    linkage_attack,
    publish_crowds,
    reconstruct,
    reconstructed_share,
    suppress_small_groups,
    unique_fraction,
)
from dplib.floating_point import identified_fraction
from dplib.gaussian import (
    analytic_gaussian_sigma,
    classical_gaussian_sigma,
    gaussian_delta,
    gaussian_mechanism,
    vector_gaussian,
    vector_laplace,
)
from dplib.guarantees import ORDERS, ApproximateDP, PureDP, RenyiDP, ZeroConcentratedDP
from dplib.histograms import nonnegative_counts, private_crosstab, private_histogram
from dplib.laplace import (
    attacker_posterior,
    discrete_laplace,
    epsilon_for_error,
    household_beliefs,
    laplace_density,
    laplace_mechanism,
    private_count,
)
from dplib.learning import (
    MeteredRows,
    accuracy,
    allocated_delta,
    allocated_epsilon,
    allocated_loss,
    best_private_model,
    clip_rows_l2,
    clipped_gradients,
    dp_sgd,
    gradient_descent_cost,
    logistic_gradient,
    majority_accuracy,
    noisy_gradient_descent,
    row_gradients,
    sampled_gaussian_epsilon,
    sampled_gaussian_sigma,
    shuffled_epsilon_at_least,
    user_clipped_sum,
)
from dplib.ledger import BudgetExceededError, PrivacyLedger
from dplib.local import (
    aggregate,
    direct_aggregate,
    direct_encode,
    direct_perturb,
    direct_probabilities,
    estimate_count,
    perturb,
    randomized_response,
    unary_encode,
)
from dplib.local_sensitivity import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    local_sensitivity_median,
    mean_sensitivity_at_distance,
    passing_probability,
    propose_test_release,
    pure_smooth_median,
    smooth_median,
    smooth_sensitivity_median,
)
from dplib.privacy_loss import composed_delta, composed_losses
from dplib.projection import private_covariance, private_projection, publish_records
from dplib.ranges import (
    accuracy_index,
    answer_ranges,
    average_range_error,
    banded_error,
    banded_root_strategy,
    consistent_counts,
    factorization_error,
    haar_inverse,
    haar_restore,
    haar_strategy,
    haar_transform,
    matrix_mechanism,
    matrix_mechanism_zcdp,
    participation_sensitivity,
    range_error,
    range_sensitivity,
    range_workload,
    release_ranges,
    release_tree,
    strategy_error,
    strategy_sensitivity,
    toeplitz_root_strategy,
    tree_answers,
    tree_strategy,
)
from dplib.release import (
    MeteredVisits,
    RowExpression,
    RunEndedError,
    clean_visits,
    make_visits,
)
from dplib.selection import (
    exponential_mechanism,
    noisy_max_with_gap,
    permute_and_flip,
    permute_and_flip_probabilities,
    private_median,
    private_mode,
    report_noisy_max,
    selection_probabilities,
)
from dplib.sensitivity import (
    centered_mean,
    choose_clipping_bound,
    contribution_sensitivity,
    percent_error,
    private_mean,
    private_sum,
    sum_sensitivity,
    vector_sensitivities,
)
from dplib.shuffling import shuffled_delta, shuffled_epsilon
from dplib.sparse_vector import (
    above_threshold,
    auto_clipping_bound,
    auto_mean,
    range_queries_above,
    sparse,
)
from dplib.survey import (
    estimate_variance,
    optimal_unary_probabilities,
    private_survey,
    survey_variances,
    unary_epsilon,
)
from dplib.synthetic import private_marginal, synthesize, utility_report
from dplib.synthetic_tree import synthesize_from_pairs, synthesize_from_tree
from dplib.trade_off import gaussian_miss_rate, least_miss_rate
from dplib.variants import (
    best_order,
    gaussian_mechanism_rdp,
    gaussian_mechanism_zcdp,
    gaussian_renyi_divergence,
    max_divergence,
    rdp_to_dp,
    renyi_divergence,
    repeated_gaussian,
    zcdp_to_dp,
)

# Every name above, and no module.
__all__ = [
    name
    for name, value in list(globals().items())
    if not (name.startswith("_") or isinstance(value, _Module))
]
