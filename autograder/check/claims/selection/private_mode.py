"""The private mode: the exponential mechanism with a count as score, monotone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection._selection import by_weights
from autograder.check.outcomes import OutcomeClaim, OutcomeMistake

__all__ = ["CLAIM"]


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return five tables: small ones, one of them with an empty category; a large one; and one
    in which all categories but one are unlikely: together they are about one answer in 17.
    """
    small, many = generator.integers(0, 3), generator.integers(450, 500)
    return [
        _table(generator, small + np.array([10, 9, 7, 5]), (0.4, 0.6)),
        _table(generator, np.array([3, 2, 2, 1, 0]), (0.5, 0.8)),
        _table(generator, small + np.array([3, 6, 8, 11, 12]), (0.25, 0.35)),
        _table(generator, many - np.array([0, 1, 1, 3]), (1.6, 2.0)),
        _table(generator, small + np.array([14] + [4] * 7), (0.47, 0.49)),
    ]


def _table(generator, counts: np.ndarray, epsilons: tuple) -> dict:
    """Return a table with these numbers of people, in random order, in categories likewise."""
    counts = generator.permutation(counts).tolist()
    categories = selection.words_of(generator, len(counts))
    return {
        "values": generator.permutation(np.repeat(categories, counts)).tolist(),
        "candidates": categories,
        "scores": counts,
        "epsilon": round(generator.uniform(*epsilons), 2),
        "extreme": sum(counts) > 1000,
    }


def _arguments(p: dict) -> tuple[tuple, dict]:
    keywords = {"categories": list(p["candidates"]), "epsilon": p["epsilon"]}
    return (pd.Series(p["values"], name="door"),), keywords


def _law(p: dict) -> dict:
    return by_weights(p, p["epsilon"] * np.array(p["scores"]))


def _proportional(p: dict) -> dict:
    counts = np.array(p["scores"])
    return dict(zip(p["candidates"], (counts / counts.sum()).tolist(), strict=True))


def _seen_only(p: dict) -> dict:
    counts = np.array(p["scores"])
    return by_weights(p, np.where(counts > 0, p["epsilon"] * counts, -np.inf))


_FACTOR = "one person more moves one count up and no count down: is the factor 2 needed?"
_LESS = "does a larger epsilon make the most frequent category more likely, or less?"
_CHANCE = "where does your code draw a random number, and how likely should each category be?"
_PUBLIC = "if the only person of a category leaves, may the list of categories change?"

_MISTAKES = (
    *selection.factor_mistakes(lambda p: p["scores"], factor=_FACTOR, less=_LESS),
    OutcomeMistake("categories without a person never come", _seen_only, _PUBLIC),
    selection.striking_out(lambda p: p["epsilon"] * np.array(p["scores"]), by_weights),
    OutcomeMistake(
        "the most frequent category always wins",
        lambda p: selection.always(p, int(np.argmax(p["scores"]))),
        _CHANCE,
        seen="the most frequent category should not come every time",
    ),
    OutcomeMistake(
        "rare categories are the likeliest",
        lambda p: by_weights(p, -p["epsilon"] * np.array(p["scores"])),
        "is a high count good or bad here? Which sign must the exponent have?",
    ),
    OutcomeMistake(
        "the category of a random person is returned",
        _proportional,
        "who learns the category of a person when it is drawn from the table?",
    ),
    OutcomeMistake(
        "all categories are about equally likely",
        selection.evenly,
        "are the counts used at all, or divided by something large?",
    ),
    *selection.unsafe_mistakes(_law),
)


def _situation(p: dict) -> str:
    counts = ", ".join(map(str, p["scores"]))
    return f"categories with {counts} people, epsilon {p['epsilon']:g}"


CLAIM = OutcomeClaim(
    name="private_mode",
    about="Check `private_mode(values, *, categories, epsilon)`: one of the frequent categories.",
    established="probabilities ~ exp(epsilon * count), categories as given",
    parameters=_parameters,
    arguments=_arguments,
    law=_law,
    outcome=selection.candidate_of,
    say=lambda outcome: f'"{outcome}"',
    use=selection.choose,
    mistakes=_MISTAKES,
    least_rate=0.01,
    situation=_situation,
)
