"""What else may be released of the answers on chunks: wrong centers, and a wrong scale."""

from collections.abc import Callable

import numpy as np

from autograder.check.claims.aggregation._chunk_answers import (
    answer_to,
    clipped,
    filled,
    mean,
    middle,
    special_rows,
)


def left_out(p: dict, answers: np.ndarray) -> float:
    return float(clipped(p, answers).mean())


def after_averaging(p: dict, answers: np.ndarray) -> float:
    numbers = np.where(np.isnan(answers), middle(p), answers)
    return float(np.clip(filled(p, numbers, middle(p)).mean(), p["lower"], p["upper"]))


def not_clipped(p: dict, answers: np.ndarray) -> float:
    return float(filled(p, np.where(np.isnan(answers), middle(p), answers), middle(p)).mean())


def rows_clipped(p: dict, answers: np.ndarray) -> float:
    """Return the center when no row lies above the interval any more."""
    if special_rows(p):
        answers = np.full(len(answers), p["part"])
    return mean(p, answers)


def nan_as(value: Callable[[dict], float]) -> Callable:
    def center(p: dict, answers: np.ndarray) -> float:
        return mean(p, np.where(np.isnan(answers), value(p), answers))

    return center


def empty_as(value: Callable[[dict], float]) -> Callable:
    return lambda p, answers: float(filled(p, clipped(p, answers), value(p)).mean())


def missing_as(value: Callable[[dict], float]) -> Callable:
    """Return the center when chunks without rows, and without a number, answer the same."""

    def center(p: dict, answers: np.ndarray) -> float:
        numbers = np.where(np.isnan(answers), value(p), answers)
        return float(filled(p, clipped(p, numbers), value(p)).mean())

    return center


def nan_left_out(p: dict, answers: np.ndarray) -> float:
    given = filled(p, answers, middle(p))
    return float(np.clip(given[~np.isnan(given)], p["lower"], p["upper"]).mean())


def median(p: dict, answers: np.ndarray) -> float:
    return float(np.median(filled(p, clipped(p, answers), middle(p))))


def all_rows(p: dict, answers: np.ndarray) -> float:
    return float(clipped(p, answer_to(p, p["rows"], special=bool(special_rows(p)))))


def seen_range(p: dict, answers: np.ndarray) -> float:
    """Return the scale when the answers that came decide the sensitivity."""
    given = filled(p, clipped(p, answers), middle(p))
    return max(float(np.ptp(given)), 1e-6) / (p["chunks"] * p["epsilon"])
