"""Rows that keep each column's shares and those of stated pairs, for half of epsilon each."""

from __future__ import annotations

import numpy as np

from autograder.check.claims.synthetic import _pair_trees as trees
from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.claims.synthetic._synthetic_parts import budget_part, leak_part
from autograder.check.several import SeveralClaims
from autograder.check.values import ValuesClaim

__all__ = ["CLAIM"]

_CHAIN = ((0, 1), (1, 2))


def _noise_free(generator: np.random.Generator) -> list[dict]:
    """Return three settings without noise: pairs not given, and given in two other ways."""
    settings = []
    for pairs in (None, ((0, 2), (1, 2)), ((0, 1), (0, 2))):
        setting = {
            "counts": trees.random_counts(generator).tolist(),
            "epsilon": rows.NO_NOISE,
            "size": rows.MANY,
            "seed": int(generator.integers(2**32)),
        }
        settings.append(setting | ({"pairs": pairs} if pairs else {}))
    return settings


def _pairs(parameters: dict) -> tuple:
    return tuple(parameters.get("pairs", _CHAIN))


_NAME = "synthesize_from_pairs"

CLAIM = SeveralClaims(
    name=_NAME,
    about=(
        "Check `synthesize_from_pairs(table, *, categories, epsilon, pairs=None, size=None,\n"
        'neighbors="add_remove")`: rows that keep the shares of columns and of pairs.'
    ),
    library=_NAME,
    established="rows follow the pairs; the one-way marginals cost half; nobody is given away",
    parts=(
        ValuesClaim(
            name=_NAME,
            established="without noise, rows follow the tree of pairs",
            cases=_noise_free,
            arguments=rows.arguments,
            expected=lambda p: trees.of_tree(trees.joint(p), _pairs(p)),
            read=rows.shares_of,
            mistakes=trees.row_mistakes(_pairs),
            chance=True,
            absolute=rows.ROOM,
            show=rows.show_shares,
            situation=lambda p: f"no noise, pairs {p.get('pairs', 'not given')}",
        ),
        budget_part(_NAME, kinds=2, share="half"),
        leak_part(_NAME),
    ),
)
