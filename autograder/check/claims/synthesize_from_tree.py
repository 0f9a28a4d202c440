"""Rows from a tree of pairs that is chosen privately: a third of epsilon for each step."""

from __future__ import annotations

import numpy as np

from autograder.check.claims import _pair_trees as trees
from autograder.check.claims import _synthetic_rows as rows
from autograder.check.claims._leaks import LeakClaim
from autograder.check.claims.synthesize_from_pairs import budget_mistakes
from autograder.check.judge import ALPHA
from autograder.check.outcomes import OutcomeClaim
from autograder.check.several import SeveralClaims
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _noise_free(generator: np.random.Generator) -> list[dict]:
    """Return two settings without noise, whose best trees differ."""
    return [
        {
            "counts": trees.random_counts(generator, weakest).tolist(),
            "epsilon": rows.NO_NOISE,
            "size": rows.MANY,
            "seed": int(generator.integers(2**32)),
        }
        for weakest in ((0, 1), (1, 2), (0, 2))
    ]


def _tree(parameters: dict) -> tuple:
    """Return the two pairs that hang together most, the best one first."""
    scores = trees.dependence(np.array(parameters["counts"]))
    return tuple(sorted(scores, key=scores.get, reverse=True)[:2])


def _worst_tree(parameters: dict) -> np.ndarray:
    scores = trees.dependence(np.array(parameters["counts"]))
    return trees.of_tree(trees.joint(parameters), sorted(scores, key=scores.get)[:2])


def _scale(parameters: dict) -> float:
    moved = 1 if parameters["neighbors"] == "add_remove" else 2
    return moved * 3 * np.ndim(parameters["counts"]) / parameters["epsilon"]


_CHOICE = "which pairs gain most from being measured? Score them all, and take the best."

_MISTAKES = (
    ValueMistake("the weakest pairs are chosen", _worst_tree, _CHOICE),
    *trees.row_mistakes(_tree),
)

_SHARED = {"name": "synthesize_from_tree", "arguments": rows.arguments}

CLAIM = SeveralClaims(
    name="synthesize_from_tree",
    about=(
        "Check `synthesize_from_tree(table, *, categories, epsilon, size=None,\n"
        'neighbors="add_remove")`: rows from a tree of pairs that is chosen privately.'
    ),
    library="synthesize_from_tree",
    established="rows follow the best tree; one-way marginals cost a third; nobody is given away",
    parts=(
        ValuesClaim(
            established="without noise, rows follow the best tree",
            cases=_noise_free,
            expected=lambda p: trees.of_tree(trees.joint(p), _tree(p)),
            read=rows.shares_of,
            mistakes=_MISTAKES,
            chance=True,
            absolute=rows.ROOM,
            show=rows.show_shares,
            situation=lambda p: f"no noise, the best pairs are {_tree(p)}",
            **_SHARED,
        ),
        OutcomeClaim(
            established="the one-way marginals get a third of epsilon together",
            parameters=lambda generator: rows.noisy_settings(generator, kinds=3),
            law=rows.budget_law(_scale),
            outcome=rows.values_seen,
            say=lambda seen: rows.SEEN[seen],
            mistakes=budget_mistakes(3),
            situation=lambda p: (
                f"{np.ndim(p['counts'])} columns, epsilon {p['epsilon']}, {p['neighbors']}"
            ),
            level=0.7 * ALPHA,
            **_SHARED,
        ),
        LeakClaim(
            established="no person is given away",
            pairs=rows.leaks,
            read=rows.happened,
            situation=lambda p: f"two columns, {int(np.sum(p['counts']))} rows, epsilon 0.5",
            level=0.2 * ALPHA,
            **_SHARED,
        ),
    ),
)
