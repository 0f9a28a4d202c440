"""Logistic regression, and how to train it with privacy by adding noise to gradients."""

from dplib.learning.cost import amplify_by_sampling, gradient_descent_cost
from dplib.learning.descent import best_private_model, clip_rows_l2, noisy_gradient_descent
from dplib.learning.logistic import (
    accuracy,
    logistic_gradient,
    logistic_loss,
    majority_accuracy,
    predict,
    row_gradients,
)

__all__ = [
    "accuracy",
    "amplify_by_sampling",
    "best_private_model",
    "clip_rows_l2",
    "gradient_descent_cost",
    "logistic_gradient",
    "logistic_loss",
    "majority_accuracy",
    "noisy_gradient_descent",
    "predict",
    "row_gradients",
]
