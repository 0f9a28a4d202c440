"""Every slider of the course: drawn once for all tests, and told once without its pictures."""

import functools
import re

import pytest

import dplib
from dplib import explore
from dplib.data import load_adult
from dplib.explore.parts import frames

adult = functools.cache(load_adult)


def clerks():
    return adult()[adult()["Occupation"] == "Adm-clerical"]


# What makes it, and the stop that is shown first.
SLIDERS = {
    "neighbors": (explore.explore_neighbors, 1),
    "posterior": (explore.explore_posterior, 1),
    "uniqueness": (lambda: explore.explore_uniqueness(adult()), 1),
    "generalization": (lambda: explore.explore_generalization(adult()), 1),
    "suppression": (lambda: explore.explore_suppression(adult()), 5),
    "answers": (explore.explore_answers, 10),
    "budget_split": (explore.explore_budget_split, 0.5),
    "table_dimension": (lambda: explore.explore_table_dimension(adult()), 5),
    "clip_age": (lambda: explore.explore_clipping_bound(adult()), 81.2),
    "clip_gain": (lambda: explore.explore_clipping_bound(adult(), column="Capital Gain"), 55_000),
    "table_epsilon": (lambda: explore.explore_table_epsilon(adult()), 0.1),
    "clip_epsilon": (
        lambda: explore.explore_clipping_epsilon(adult(), column="Capital Gain"),
        0.01,
    ),
    "tails": (explore.explore_tails, 1),
    "delta": (explore.explore_delta, 1e-5),
    "dimension": (explore.explore_dimension, 100),
    "composition": (explore.explore_composition, 50),
    "proposed_bound": (lambda: explore.explore_proposed_bound(clerks()["Age"]), 0.5),
    "distance": (lambda: explore.explore_distance(clerks()["Hours per week"]), 0),
    "chunks": (lambda: explore.explore_chunks(adult()["Age"], labels=adult()["SSN"]), 64),
    "accounts": (explore.explore_accounts, 100),
    "losses": (explore.explore_losses, 20),
    "selection": (lambda: explore.explore_selection(adult()), 0.01),
    "best_chance": (explore.explore_best_chance, 40),
    "reported_threshold": (lambda: explore.explore_reported_threshold(adult()), 10_000),
    "reported_epsilon": (lambda: explore.explore_reported_epsilon(adult()), 0.01),
    "learning_epsilon": (explore.explore_learning_epsilon, 0.1),
    "learning_boundary": (explore.explore_learning_boundary, 20),
    "crowd": (explore.explore_crowd, 1),
    "local_epsilon": (explore.explore_local_epsilon, 1),
    "local_people": (explore.explore_local_people, 32563),
    "unary": (explore.explore_unary, 0.75),
    "synthetic_ranges": (lambda: explore.explore_synthetic_ranges(adult()), 10),
    "marginals": (lambda: explore.explore_marginals(adult()), 0.1),
    "range_size": (explore.explore_range_size, 1024),
    "range_width": (explore.explore_range_width, 32),
    "branching": (explore.explore_branching, 16),
    "range_nodes": (explore.explore_range_nodes, 11),
    "running_nodes": (explore.explore_running_nodes, 31),
    "bands": (explore.explore_bands, 4),
    "person_bound": (lambda: explore.explore_person_bound(dplib.make_visits(18)), 140),
    "audit": (explore.explore_audit, 100),
    "float_window": (explore.explore_float_window, 0.3),
}


@functools.cache
def built(name):
    """Each figure is drawn once for all tests: that is what takes the time."""
    return SLIDERS[name][0]()


def _unseen(canvas, draw, caption, stops):
    return [("<svg></svg>", caption(stop)) for stop in stops]


@functools.cache
def told(name):
    """The figure with its sentences and without pictures: no sentence needs what was drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frames, "draw_frames", _unseen)
        return SLIDERS[name][0]()


def caption(name, stop):
    figure = told(name)
    figure.show(stop)
    return figure.caption


def numbers(name, stop):
    """The numbers of a stop's sentence; thousands as one number."""
    text = re.sub(r"(?<=\d),(?=\d)", "", caption(name, stop))
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?(?:e-\d+)?", text)]
