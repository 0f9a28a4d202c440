"""What holds for every figure: its labels, what tells its lines apart, what it refuses."""

import functools
import io
import math

import pytest
from contrast import faint
from figures import (
    AGES,
    CHUNKS,
    EXACT,
    GOOD,
    GROUPS,
    MADE,
    RANGE_ERRORS,
    REPORT_SHARES,
    SHARES,
    drawn,
)
from matplotlib.figure import Figure

from dplib import plots

pytestmark = pytest.mark.quick

DRAWINGS = pytest.mark.parametrize("draw", GOOD, ids=lambda draw: draw.__name__)
# Texts, and what is checked by hand below.
SKIPPED = {"unit", "name", "way", "x", "y", "monotone", "errors"}
SKIPPED_OF = {plots.draw_range_clouds: {"answers"}}
# These two leave it to others to refuse; what they do refuse is in test_figures_laplace.
UNASKED = {plots.draw_household_beliefs, plots.draw_reconstructed_shares}
# What a number must not be, where that is not 0 and -1.
OTHER = {"distance": [-1], "bound": [0], "rate": [-1], "leads": [], "lower": [], "upper": []}
OTHER |= {"threshold": [], "gap": [], "count_without": [], "output": []}
OTHER |= {(plots.draw_chunk_answers, "answers"): [], (plots.draw_cells_against_noise, "counts"): []}
OTHER |= {(plots.draw_drowned_people, "counts"): []}


@functools.cache
def seen(draw):
    """The Axes, drawn once."""
    ax = Figure().subplots()
    assert drawn(ax, draw) is ax
    return ax


@DRAWINGS
def test_every_figure_returns_its_axes_and_names_what_both_measure(draw):
    ax = seen(draw)
    assert ax.get_xlabel()
    # The label of the y axis stands level above it; the shares have the rows of their neighbor.
    assert ax.get_title(loc="left") or draw is plots.draw_report_shares
    ax.figure.savefig(io.BytesIO())  # and it can be drawn


@DRAWINGS
def test_nothing_is_told_apart_by_colour_alone(draw):
    named = [each for each in seen(draw).lines if not each.get_label().startswith("_")]
    looks = [(str(each.get_linestyle()), each.get_marker()) for each in named]
    # Only the two bounds of a ratio look alike: one stands above it and one below.
    assert len(set(looks)) == len(looks) - (draw is plots.draw_neighbor_ratio)


@DRAWINGS
def test_lines_and_small_marks_stand_out_on_a_light_page_and_on_a_dark_one(draw):
    assert faint(seen(draw)) == []


@DRAWINGS
def test_what_was_drawn_can_be_taken_away(draw):
    """The sliders draw again and again on the same Axes: no container may stay behind."""
    assert not seen(draw).containers


@pytest.mark.parametrize(
    "draw", [draw for draw in GOOD if draw not in UNASKED], ids=lambda draw: draw.__name__
)
def test_a_bad_argument_is_named_before_anything_is_drawn(ax, draw):
    for name in GOOD[draw].keys() - SKIPPED - SKIPPED_OF.get(draw, set()):
        others = OTHER.get((draw, name), OTHER.get(name, [0, -1]))
        for wrong in (math.nan, math.inf, "one", None, *others):
            with pytest.raises(ValueError, match=name):
                drawn(ax, draw, **{name: wrong})
    assert not ax.has_data() and ax.get_title() == ""


@pytest.mark.parametrize(
    ("draw", "name", "wrong"),
    [
        (plots.draw_float_gaps, "steps", 1.5),
        (plots.draw_float_gaps, "values", (0, 1, 2)),
        (plots.draw_neighbor_ratio, "epsilon", 1000),
        (plots.draw_unique_shares, "shares", SHARES * 2),
        (plots.draw_birth_steps, "ages", [-1]),
        (plots.draw_birth_steps, "days", 0.5),
        (plots.draw_rebuilt, "secret", [0, 2, 1, 1]),
        (plots.draw_rebuilt, "rebuilt", [0, 1]),
        (plots.draw_crowds, "depths", {"Age": 1}),
        (plots.draw_crowds, "table", GROUPS[:0]),
        (plots.draw_crowds, "table", -GROUPS),
        (plots.draw_information_against_k, "chosen", (0, 2)),
        (plots.draw_suppressed_people, "sizes", [0, 1]),
        (plots.draw_suppressed_people, "k", 1.5),
        (plots.draw_answer_clouds, "answers", 101),
        (plots.draw_split_clouds, "answers", 1),
        (plots.draw_clipped_values, "bound", 126),
        (plots.draw_clipping_parts, "values", -AGES),
        (plots.draw_cells_against_noise, "counts", [3, 0]),
        (plots.draw_cells_against_noise, "cells", 2),
        (plots.draw_cells_against_noise, "largest", 11),
        (plots.draw_drowned_people, "counts", [3, 0]),
        (plots.draw_clipping_errors, "bound", 126),
        (plots.draw_clipping_errors, "values", -AGES),
        (plots.draw_clipping_errors, "values", [0, 0]),
        (plots.draw_noise_tails, "delta", 1),
        (plots.draw_dimension_errors, "dimension", 2.5),
        (plots.draw_composition_costs, "count", 101),
        (plots.draw_tested_distances, "delta", 0.5),
        (plots.draw_proposed_medians, "rate", 1.1),
        (plots.draw_clipping_errors, "scale", "root"),
        (plots.draw_vote_leads, "leads", [31]),
        (plots.draw_sensitivity_at_distance, "distance", 401),
        (plots.draw_chunk_releases, "answers", CHUNKS + 100),
        (plots.draw_chunk_releases, "exact", EXACT[:1]),
        (plots.draw_chunk_answers, "answers", []),
        (plots.draw_chunk_answers, "upper", -1),
        (plots.draw_accounts, "count", 51),
        (plots.draw_accounts, "count", 1.5),
        (plots.draw_order_costs, "order", 1.2),
        (plots.draw_order_costs, "order", 300),
        (plots.draw_gap, "gap", 10),
        (plots.draw_best_chance, "mechanism", "laplace"),
        (plots.draw_best_chance, "candidates", 1),
        (plots.draw_selection_probabilities, "monotone", "no"),
        (plots.draw_answers_and_threshold, "answers", [1, 2]),
        (plots.draw_answers_and_threshold, "window", (600, 600)),
        (plots.draw_answers_and_threshold, "window", (0, math.inf)),
        (plots.draw_report_shares, "shares", REPORT_SHARES * 2),
        (plots.draw_report_shares, "kinds", REPORT_SHARES[:2]),
        (plots.draw_report_shares, "runs", 0.5),
        (plots.draw_boundaries, "schooling", [9]),
        (plots.draw_boundaries, "thetas", [[math.nan, 0, 1]]),
        (plots.draw_local_errors, "largest", 399),
        (plots.draw_trust, "delta", 1),
        (plots.draw_unary_errors, "q", 0.7),
        (plots.draw_range_errors, "errors", RANGE_ERRORS[["direct"]]),
        (plots.draw_range_errors, "errors", -RANGE_ERRORS),
        (plots.draw_marginals, "synthetic", MADE.rename({"x": "z"})),
        (plots.draw_range_clouds, "errors", {"round": 1.0}),
        (plots.draw_range_clouds, "errors", {"flat": 0}),
        (plots.draw_node_noise, "nodes", 1.5),
        (plots.draw_audits, "audits", {}),
        (plots.draw_audits, "audits", {"right": 1}),
        (plots.draw_audits, "confidence", 1),
    ],
)
def test_what_only_one_figure_refuses(ax, draw, name, wrong):
    with pytest.raises(ValueError, match=name):
        drawn(ax, draw, **{name: wrong})
