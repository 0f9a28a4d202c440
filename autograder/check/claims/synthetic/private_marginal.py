"""A private marginal: a count for every combination of public categories, with discrete noise."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.composition._noisy_counts import moved, scale_of, without_rows
from autograder.check.claims.laplace._nobody import ClaimWithNobody
from autograder.check.claims.laplace.discrete_laplace import looks_like_scale
from autograder.check.claims.synthetic._marginal_settings import (
    designed_settings,
    draw_settings,
)
from autograder.check.claims.synthetic._marginals import listed, table_of
from autograder.check.claims.synthetic._synthesized import cells_of
from autograder.check.claims.synthetic._whole_noise import folded_whole, whole_noise_mistakes
from autograder.check.mistakes import Mistake, mistakes_by
from ville.distributions import clamped, discrete_laplace, point


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return the table; neighbors is left out where it is the default.

    With "columns_turned" the table has the columns in another order than the categories.
    """
    cells = np.repeat(np.arange(len(parameters["counts"])), parameters["counts"])
    values = [cells_of(parameters)[place] for place in cells]
    columns = {
        name: [each[place] for each in values]
        for place, name in enumerate(parameters["categories"])
    }
    if parameters.get("columns_turned"):
        columns = dict(reversed(columns.items()))
    keywords = {name: parameters[name] for name in ("categories", "epsilon")}
    if parameters["neighbors"] != "add_remove":
        keywords["neighbors"] = parameters["neighbors"]
    return (table_of(columns, parameters["seed"]),), keywords


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return the counts of a Series in the order of the categories, whole numbers."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not hasattr(answer, "index") or hasattr(answer, "columns") or callable(answer.index):
        raise BadAnswer(
            "a Series of counts is wanted",
            seen=f"it returned a {type(answer).__name__}",
            ask="which pandas object has one number for each combination of categories?",
        )
    wanted = cells_of(parameters)
    wanted = [each[0] for each in wanted] if len(parameters["categories"]) == 1 else wanted
    found = list(answer.index)
    if found != wanted:
        _raise_unless_labelled(found, wanted, parameters)
        by_label = dict(zip(found, answer, strict=True))
        answer = [by_label[each] for each in wanted]
    return _whole(np.asarray(answer, dtype=float))


def _whole(counts: np.ndarray) -> np.ndarray:
    if not np.isfinite(counts).all():
        raise BadAnswer(
            "a count is not a finite number",
            seen=f"it returned {counts.tolist()}",
            ask="what stands in a cell without people, before the noise is added?",
        )
    if abs(counts.sum() - 1) < 1e-9 and (counts != np.round(counts)).any():
        raise BadAnswer(
            "shares come back, not counts",
            seen=f"the {len(counts)} numbers sum to 1",
            ask="what is wanted for each combination: a number of people, or its part of all?",
        )
    if (counts != np.round(counts)).any():
        raise BadAnswer(
            "the counts are not whole numbers",
            seen=f"it returned {', '.join(f'{each:.3f}' for each in counts[:3])}, ...",
            ask="which mechanism of chapter 03 adds whole numbers to a count?",
        )
    return counts


def _raise_unless_labelled(found: list, wanted: list, parameters: dict) -> None:
    if len(found) == len(wanted) and set(found) == set(wanted):
        return
    missing = [each for each in wanted if each not in set(found)]
    empty = {each for each, count in zip(wanted, parameters["counts"], strict=True) if not count}
    if missing and set(found) <= set(wanted) and set(missing) <= empty:
        raise BadAnswer(
            "cells that nobody has are left out",
            seen=f"{listed(missing)} is missing: nobody is there",
            ask="what does an attacker learn when a cell is there, or is not?",
        )
    if missing and all("Missing" in str(each) for each in missing):
        raise BadAnswer(
            "the missing values are left out",
            seen=f"{listed(missing)} is not among the cells",
            ask='"Missing" is a category: who are the people in it?',
        )
    raise BadAnswer(
        "the index is not the combinations of the categories",
        seen=f"it has {len(found)} labels, {listed(found)}; wanted are {len(wanted)}, "
        f"{listed(wanted)}",
        ask="`pd.MultiIndex.from_product` gives every combination: of which lists, in which order?"
        if len(parameters["categories"]) > 1
        else "of one column no combinations are wanted: which labels has a plain Index?",
    )


def _exact(parameters: dict) -> np.ndarray:
    return np.array(parameters["counts"], dtype=float)


def _rate(parameters: dict) -> float:
    return 1 / scale_of(parameters)


def _rate_of(rate):
    return lambda p: discrete_laplace(rate(p))


def _around(change):
    """Return the laws of counts that are changed before the noise."""
    return lambda p: [
        discrete_laplace(_rate(p), float(shift)) for shift in change(_exact(p), p) - _exact(p)
    ]


def _dropped(counts: np.ndarray, parameters: dict) -> np.ndarray:
    """Return the counts when the rows with "Missing" are left out."""
    kept = ["Missing" not in cell for cell in cells_of(parameters)]
    return counts * kept


def _spread(counts: np.ndarray, parameters: dict) -> np.ndarray:
    """Return the counts when "Missing" is left out and the others are scaled up."""
    kept = _dropped(counts, parameters)
    return np.round(kept * counts.sum() / kept.sum())


def _first_column(counts: np.ndarray, parameters: dict) -> np.ndarray:
    """Return for each cell the count of its first value alone."""
    table = counts.reshape(3, -1)
    return np.repeat(table.sum(axis=1), table.shape[1])


_NEIGHBORS = "how many counts change when a row is added? And when a row is replaced by another?"
_PARALLEL = "in how many cells is one person? Who else pays for the other cells?"
_EPSILON = "does a larger epsilon mean more privacy or less, and so less noise or more?"
_NEGATIVE = "may a noisy count be negative? And what does your step do to its average?"

_MISTAKES = (
    *mistakes_by(
        _rate_of,
        {
            "replace_one is treated as add_remove": lambda p: p["epsilon"],
            "add_remove is treated as replace_one": lambda p: p["epsilon"] / 2,
            "add_remove and replace_one are exchanged": lambda p: p["epsilon"] / (3 - moved(p)),
            "the noise is doubled": lambda p: _rate(p) / 2,
            "the noise is halved": lambda p: _rate(p) * 2,
            "epsilon is divided among the cells": (
                lambda p: _rate(p) / len(p["counts"]),
                _PARALLEL,
            ),
            "the noise grows with the number of columns": (
                lambda p: _rate(p) / len(p["categories"]),
                "one person moves one cell of this table: how often is the person counted?",
            ),
            "the number of rows is used as the sensitivity": lambda p: (
                p["epsilon"] / sum(p["counts"])
            ),
            "epsilon is ignored": (lambda p: 1 / moved(p), _EPSILON),
            "sensitivity and epsilon are ignored": (lambda p: 1.0, _EPSILON),
            "the rate is upside down": (scale_of, _EPSILON),
            "an epsilon above 1 counts as 1": (
                lambda p: min(p["epsilon"], 1) / moved(p),
                "is there a largest epsilon in the definition?",
            ),
        },
        _NEIGHBORS,
    ),
    Mistake("no noise is added", lambda p: point(0), "where is a random number drawn?"),
    Mistake(
        "empty cells get no noise",
        lambda p: [discrete_laplace(_rate(p)) if count else point(0) for count in p["counts"]],
        "what does an attacker learn from a cell that is exactly 0?",
        seen="where nobody is, your count is always exactly 0",
    ),
    Mistake(
        "negative counts become 0",
        lambda p: [clamped(discrete_laplace(_rate(p)), -count) for count in p["counts"]],
        _NEGATIVE,
        seen="a noisy count near 0 is often negative, none of yours is",
    ),
    Mistake(
        "negative counts become positive",
        lambda p: [folded_whole(_rate(p), count) for count in p["counts"]],
        _NEGATIVE,
        seen="a noisy count near 0 is often negative, none of yours is",
    ),
    *mistakes_by(
        _around,
        {
            "the rows with missing values are not counted": (
                _dropped,
                '"Missing" is a category: who are the people in it?',
                'the cells of "Missing" lie around 0, though there are people in them',
            ),
            "missing values are left out and all shares grow": (
                _spread,
                "n keeps the people that the table has lost: by how much does each cell grow?",
            ),
            "only the first column is counted": (
                _first_column,
                "how many people have both values?",
            ),
            "the counts are missing": (lambda counts, p: 0 * counts, "to what is the noise added?"),
        },
    ),
    *whole_noise_mistakes(scale_of),
)


CLAIM = ClaimWithNobody(
    about=(
        'Check `private_marginal(table, *, categories, epsilon, neighbors="add_remove")`:\n'
        "a count for every combination of categories, with discrete Laplace noise: a Series."
    ),
    established="a count for every combination, each with discrete Laplace noise of its own",
    law_name="discrete Laplace",
    parameters=draw_settings,
    designed=designed_settings,
    edge_work=0.04,
    arguments=_arguments,
    read=_read,
    exact=_exact,
    scale=scale_of,
    law=lambda scale: discrete_laplace(1 / scale),
    looks_like=looks_like_scale,
    whole=True,
    mistakes=_MISTAKES,
    # Rounded continuous noise shows where the noise is narrow, and there alone: at 0.02 nats.
    least_rate=0.015,
    situation=lambda p: (
        f"epsilon {p['epsilon']:g}, {p['neighbors']}, {len(p['counts'])} cells of "
        f"{' × '.join(p['categories'])}" + without_rows(p)
    ),
    nobody=lambda p: {**p, "counts": [0] * len(p["counts"])},
)
