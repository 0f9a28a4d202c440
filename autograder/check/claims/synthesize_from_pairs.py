"""Rows that keep each column's shares and those of stated pairs, for half of epsilon each."""

from __future__ import annotations

import numpy as np

from autograder.check.claims import _pair_trees as trees
from autograder.check.claims import _synthetic_rows as rows
from autograder.check.claims._leaks import LeakClaim
from autograder.check.judge import ALPHA
from autograder.check.outcomes import OutcomeClaim, OutcomeMistake
from autograder.check.several import SeveralClaims
from autograder.check.values import ValuesClaim

__all__ = ["CLAIM", "budget_mistakes"]

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


def _scale_of(parts):
    """Return the noise of a one-way count when it gets epsilon / parts(columns)."""

    def scale(parameters: dict) -> float:
        columns = np.ndim(parameters["counts"])
        moved = 1 if parameters["neighbors"] == "add_remove" else 2
        return moved * parts(columns) / parameters["epsilon"]

    return scale


def budget_mistakes(kinds: int) -> tuple[OutcomeMistake, ...]:
    """Return what the one-way counts may cost instead of epsilon / (kinds * columns) each."""
    split = "how many marginals are bought in all, and which part of epsilon may each cost?"
    right = _scale_of(lambda columns: kinds * columns)

    def neighbors_ignored(parameters: dict) -> float:
        return right({**parameters, "neighbors": "add_remove"})

    return (
        OutcomeMistake(
            "every marginal gets all of epsilon",
            rows.budget_law(_scale_of(lambda columns: 1)),
            split,
        ),
        OutcomeMistake(
            f"every marginal gets epsilon / {kinds}",
            rows.budget_law(_scale_of(lambda columns: kinds)),
            split,
        ),
        OutcomeMistake(
            "all of epsilon goes to the one-way marginals",
            rows.budget_law(_scale_of(lambda columns: columns)),
            split,
        ),
        OutcomeMistake(
            "replace_one is treated as add_remove",
            rows.budget_law(neighbors_ignored),
            "how many counts of one marginal move when a row is replaced?",
        ),
    )


_SHARED = {"name": "synthesize_from_pairs", "arguments": rows.arguments}

CLAIM = SeveralClaims(
    name="synthesize_from_pairs",
    about=(
        "Check `synthesize_from_pairs(table, *, categories, epsilon, pairs=None, size=None,\n"
        'neighbors="add_remove")`: rows that keep the shares of columns and of pairs.'
    ),
    library="synthesize_from_pairs",
    established="rows follow the pairs; the one-way marginals cost half; nobody is given away",
    parts=(
        ValuesClaim(
            established="without noise, rows follow the tree of pairs",
            cases=_noise_free,
            expected=lambda p: trees.of_tree(trees.joint(p), _pairs(p)),
            read=rows.shares_of,
            mistakes=trees.row_mistakes(_pairs),
            chance=True,
            absolute=rows.ROOM,
            show=rows.show_shares,
            situation=lambda p: f"no noise, pairs {p.get('pairs', 'not given')}",
            **_SHARED,
        ),
        OutcomeClaim(
            established="the one-way marginals get half of epsilon together",
            parameters=lambda generator: rows.noisy_settings(generator, kinds=2),
            law=rows.budget_law(_scale_of(lambda columns: 2 * columns)),
            outcome=rows.values_seen,
            say=lambda seen: rows.SEEN[seen],
            mistakes=budget_mistakes(2),
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
