"""Every figure with good arguments, and what is seen on its Axes."""

import inspect

import numpy as np
import pandas as pd

from dplib import plots
from dplib.audit import epsilon_lower_bound

AGES = np.random.default_rng(5).integers(16, 90, size=400)
GROUPS = pd.DataFrame({"Age": [10, 10, 20, 20, 20, 30], "Education-Num": [3, 3, 3, 4, 4, 3]})
SHARES = pd.Series({5: 0.6, 3: 0.2, 0: 0.001})
POINTS = pd.DataFrame(
    {"k": [1, 5, 9, 7], "information": [0.9, 0.5, 0.4, 0.2]},
    index=pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["Age", "Education-Num"]),
)
CHUNKS = pd.DataFrame({"mean": [40.0, 44.0], "max": [80.0, 90.0]})
EXACT = pd.Series({"mean": 42.0, "max": 93.0})
CLIP = {"bound": 60, "highest": 125, "epsilon": 0.1}
SCORES = pd.Series({"a": 30, "b": 10, "c": 25, "d": 0})
ANSWERS = pd.Series({"young": 50, "middle": 900, "old": 700}, name="people")
RUN = pd.DataFrame(
    {"answer": [40.0, 950.0], "threshold": [610.0, 610.0], "reported": [False, True]},
    index=["young", "middle"],
)
REPORT_SHARES = pd.Series({"young": 0.0, "middle": 1.0, "old": 0.25})
REPORT_KINDS = pd.Series({"young": "false", "middle": "right", "old": "late"})
AUDITS = {
    name: epsilon_lower_bound(
        lambda value, rng, scale=scale: value + rng.laplace(scale=scale),
        0,
        1,
        samples=4000,
        rng=np.random.default_rng(16),
    )
    for name, scale in (("right", 1), ("half", 0.5))
}
RANGE_ERRORS = pd.DataFrame({"synthetic": [2.0, 1.0], "direct": [1.0, 0.5], "split": [9.0, 1.0]})
ERRORS = {"flat": 5.0, "privelet": 3.0}
RANGE_ANSWERS = {name: np.linspace(-9, 9, 101) for name in ERRORS}
REAL, MADE = pd.Series({"x": 5, "y": 0}), pd.Series({"x": 3, "y": 2})
REBUILT = pd.Series({0: 1.0, 1: 0.9, 5: 0.6})

# Each figure with good arguments, the data first.
GOOD = {
    plots.draw_neighbor_densities: {"count_without": 17449, "epsilon": 1, "half_width": 10},
    plots.draw_neighbor_ratio: {"count_without": 17449, "epsilon": 1, "half_width": 10},
    plots.draw_posterior: {"prior": 0.5, "epsilon": 1},
    plots.draw_household: {"household": 5, "largest": 10},
    plots.draw_household_beliefs: {"household": 5, "epsilon": 1, "prior": 0.5},
    plots.draw_error_against_epsilon: {"error": 20, "probability": 0.9, "sensitivity": 1},
    plots.draw_float_gaps: {"output": 0.3, "steps": 10, "sensitivity": 1, "epsilon": 1},
    plots.draw_reconstructed_shares: {"shares": REBUILT, "noise": 1, "majority": 0.7},
    plots.draw_birth_steps: {"ages": [400, 10, 390, 9000], "days": 365, "name": "Karrie"},
    plots.draw_unique_shares: {"shares": SHARES},
    plots.draw_rebuilt: {"secret": [1, 0, 0, 1], "rebuilt": [1, 1, 0, 0], "name": "Karrie"},
    plots.draw_crowds: {"table": GROUPS, "depths": {"Age": 1, "Education-Num": 0}},
    plots.draw_information_against_k: {"points": POINTS, "chosen": (0, 1)},
    plots.draw_suppressed_people: {
        "sizes": [1, 2, 2, 5, 5, 5, 5, 5],
        "k": 5,
        "largest": 16,
        "way": "exact",
    },
    plots.draw_answer_clouds: {"answers": 10, "epsilon": 0.5, "largest": 100},
    plots.draw_split_clouds: {"share": 0.3, "answers": 4, "epsilon": 0.5},
    plots.draw_cells_against_noise: {"counts": [50, 9, 20], "cells": 12, "epsilon": 0.1},
    plots.draw_drowned_people: {"counts": [50, 9, 20], "epsilon": 0.1},
    plots.draw_clipped_values: {"values": AGES, "bound": 60, "highest": 125, "unit": "years"},
    plots.draw_clipping_parts: {"values": AGES, "bound": 60, "epsilon": 0.1},
    plots.draw_clipping_errors: {"values": AGES, **CLIP, "unit": "years"},
    plots.draw_noise_tails: {"epsilon": 0.7, "delta": 1e-6},
    plots.draw_dimension_errors: {
        "dimension": 10,
        "epsilon": 0.7,
        "delta": 1e-6,
        "largest": 100,
    },
    plots.draw_composition_costs: {
        "theorem": "sequential",
        "count": 20,
        "epsilon": 0.2,
        "delta_prime": 1e-6,
        "largest": 100,
    },
    plots.draw_tested_distances: {"distance": 26, "epsilon": 0.5, "delta": 1e-6},
    plots.draw_proposed_medians: {"rate": 0.5, "scale": 2, "other": 30, "unit": "years"},
    plots.draw_sensitivity_at_distance: {
        "values": AGES,
        "distance": 100,
        "lower": 0,
        "upper": 100,
        "unit": "years",
    },
    plots.draw_median_errors: {
        "values": AGES[:40],
        "bound": 2,
        "lower": 0,
        "upper": 100,
        "delta": 1e-6,
        "unit": "years",
    },
    plots.draw_intervals: {
        "table": [[5.0, 4, 6], [2, 1, 3]],
        "exact": [5.5, 3.5],
        "labels": ["x", "y"],
        "x": "letters",
    },
    plots.draw_mean_errors: {
        "values": AGES,
        "lower": 0,
        "upper": 125,
        "epsilon": 0.1,
        "unit": "years",
    },
    plots.draw_trade_off: {"epsilon": 0.7, "delta": 1e-6},
    plots.draw_vote_leads: {"leads": [0, 5, 30, 30], "voters": 30, "epsilon": 0.5},
    plots.draw_chunk_releases: {
        "answers": CHUNKS,
        "exact": EXACT,
        "lower": 0,
        "upper": 125,
        "epsilon": 1,
        "unit": "years",
    },
    plots.draw_chunk_answers: {"answers": [3, 7, 7, 12], "lower": 0, "upper": 10, "unit": "years"},
    plots.draw_accounts: {"count": 7, "sigma": 20, "delta": 1e-5, "largest": 50},
    plots.draw_order_costs: {"order": 9, "count": 7, "sigma": 20, "delta": 1e-5},
    plots.draw_losses: {"count": 4, "epsilon": 0.5, "delta": 1e-3, "largest": 9},
    plots.draw_repeated_trade_off: {"counts": (1, 4, 9), "sigma": 3},
    plots.draw_selection_probabilities: {
        "scores": SCORES,
        "epsilon": 0.1,
        "sensitivity": 2,
        "monotone": False,
        "shown": 2,
    },
    plots.draw_gap: {"gap": 3, "candidates": 4, "largest": 9},
    plots.draw_best_chance: {
        "mechanism": "exponential",
        "gap": 3,
        "candidates": 4,
        "epsilon": 1,
        "sensitivity": 1,
    },
    plots.draw_answers_and_threshold: {
        "answers": ANSWERS,
        "threshold": 600,
        "count": 1,
        "run": RUN,
        "window": (0, 1125),
    },
    plots.draw_report_shares: {"shares": REPORT_SHARES, "kinds": REPORT_KINDS, "runs": 200},
    plots.draw_accuracy: {"accuracy": 0.6, "baseline": 0.75, "name": "model 1"},
    plots.draw_boundaries: {
        "ages": [20, 50],
        "schooling": [9, 13],
        "labels": [-1, 1],
        "thetas": [[0, 1, 1]],
        "exact": [0, 1, 2],
    },
    plots.draw_local_errors: {"people": 400, "epsilon": 0.5, "largest": 1000},
    plots.draw_protocols_by_epsilon: {"domain_size": 5, "people": 400},
    plots.draw_trust: {"people": 1000, "delta": 1e-6},
    plots.draw_unary_reports: {"p": 0.7, "q": 0.2},
    plots.draw_unary_errors: {"p": 0.7, "q": 0.2, "people": 400},
    plots.draw_range_errors: {"errors": RANGE_ERRORS},
    plots.draw_marginals: {"real": REAL, "synthetic": MADE, "y": "letters"},
    plots.draw_range_clouds: {"answers": RANGE_ANSWERS, "errors": ERRORS, "reach": 20},
    plots.draw_band_errors: {
        "errors": {1: 2.0, 2: 1.5, 4: 1.6},
        "beside": {"ε = 1": {1: 3.0, 2: 3.1, 4: 3.6}},
    },
    plots.draw_running_errors: {"months": 16, "rho": 0.5},
    plots.draw_node_noise: {"nodes": 7, "noise": 2, "flat": 9, "reach": 20},
    plots.draw_audits: {"audits": AUDITS, "claim": 1},
}


def drawn(ax, draw, **changes):
    """The Axes after `draw` with its good arguments, changed."""
    arguments = GOOD[draw] | changes
    name, first = list(inspect.signature(draw).parameters.items())[1]
    # The data may be given by place; all else is keyword-only.
    if first.kind is first.KEYWORD_ONLY:
        return draw(ax, **arguments)
    return draw(ax, arguments.pop(name), **arguments)


def line(ax, label):
    """The places and heights of the line that the legend calls `label`."""
    (found,) = [each for each in ax.lines if each.get_label() == label]
    return np.asarray(found.get_xdata(), float), np.asarray(found.get_ydata(), float)
