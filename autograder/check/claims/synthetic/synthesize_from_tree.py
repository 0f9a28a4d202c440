"""Rows from a tree of pairs that is chosen privately: a third of epsilon for each step."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.synthetic import _pair_trees as trees
from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.claims.synthetic._synthetic_parts import budget_part, leak_part
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


_CHOICE = "which pairs gain most from being measured? Score them all, and take the best."

_MISTAKES = (
    ValueMistake("the weakest pairs are chosen", _worst_tree, _CHOICE),
    *trees.row_mistakes(_tree),
)

_NAME = "synthesize_from_tree"

CLAIM = SeveralClaims(
    name=_NAME,
    about=(
        "Check `synthesize_from_tree(table, *, categories, epsilon, size=None,\n"
        'neighbors="add_remove")`: rows from a tree of pairs that is chosen privately.'
    ),
    library=_NAME,
    established="rows follow the best tree; one-way marginals cost a third; nobody is given away",
    parts=(
        ValuesClaim(
            name=_NAME,
            established="without noise, rows follow the best tree",
            cases=_noise_free,
            arguments=rows.arguments,
            expected=lambda p: trees.of_tree(trees.joint(p), _tree(p)),
            read=rows.shares_of,
            mistakes=_MISTAKES,
            chance=True,
            absolute=rows.ROOM,
            show=rows.show_shares,
            situation=lambda p: f"no noise, the best pairs are {_tree(p)}",
        ),
        budget_part(_NAME, kinds=3, share="a third"),
        leak_part(_NAME),
    ),
)
