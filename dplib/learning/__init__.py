"""Logistic regression, and how to train it with privacy by adding noise to gradients."""

from dplib.learning.allocation import allocated_delta, allocated_epsilon, allocated_loss
from dplib.learning.batches import clipped_gradients, dp_sgd
from dplib.learning.cost import amplify_by_sampling, gradient_descent_cost
from dplib.learning.descent import clip_rows_l2, noisy_gradient_descent
from dplib.learning.logistic import (
    accuracy,
    logistic_gradient,
    logistic_loss,
    majority_accuracy,
    predict,
    row_gradients,
)
from dplib.learning.metered import MeteredRows, best_private_model
from dplib.learning.sampling import (
    sampled_gaussian_epsilon,
    sampled_gaussian_rdp,
    sampled_gaussian_sigma,
    shuffled_epsilon_at_least,
)
from dplib.learning.users import user_clipped_sum

__all__ = [
    "MeteredRows",
    "accuracy",
    "allocated_delta",
    "allocated_epsilon",
    "allocated_loss",
    "amplify_by_sampling",
    "best_private_model",
    "clip_rows_l2",
    "clipped_gradients",
    "dp_sgd",
    "gradient_descent_cost",
    "logistic_gradient",
    "logistic_loss",
    "majority_accuracy",
    "noisy_gradient_descent",
    "predict",
    "row_gradients",
    "sampled_gaussian_epsilon",
    "sampled_gaussian_rdp",
    "sampled_gaussian_sigma",
    "shuffled_epsilon_at_least",
    "user_clipped_sum",
]
