"""Answers to chapter 02."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd

import dplib

# --- k_anonymity ------------------------------------------------------------------------------


def _sizes(table, columns, dropna=False):
    return table.groupby(columns, dropna=dropna).size()


def k_by_counter(table, *, quasi_identifiers):
    rows = table[quasi_identifiers].astype(str).itertuples(index=False)
    return min(Counter(rows).values())


def k_by_a_query_for_each_row(table, *, quasi_identifiers):
    rows = table[quasi_identifiers].fillna(-1)
    least = len(rows)
    for _, row in rows.iterrows():
        least = min(least, int((rows == row).all(axis=1).sum()))
    return least


RIGHT_K = [
    lambda table, *, quasi_identifiers: _sizes(table, quasi_identifiers).min(),
    lambda table, *, quasi_identifiers: int(
        table.value_counts(quasi_identifiers, dropna=False).iloc[-1]
    ),
    lambda table, *, quasi_identifiers: float(
        table.groupby(quasi_identifiers, dropna=False)[quasi_identifiers[0]].transform("size").min()
    ),
    lambda table, *, quasi_identifiers: np.unique(
        table[quasi_identifiers].map(str).agg("|".join, axis=1), return_counts=True
    )[1].min(),
    k_by_counter,
    k_by_a_query_for_each_row,
]

WRONG_K = [
    (
        lambda table, *, quasi_identifiers: table.value_counts(quasi_identifiers).min(),
        "a missing value are left out",
    ),
    (
        lambda table, *, quasi_identifiers: _sizes(table, quasi_identifiers).median() + 0.25,
        "the value is wrong at 8 of 8 inputs",
    ),
    (
        lambda table, *, quasi_identifiers: bool(_sizes(table, quasi_identifiers).min() > 1),
        "one number is wanted",
    ),
    (lambda table, *, quasi_identifiers: _sizes(table, quasi_identifiers), "one number is wanted"),
    (
        lambda table, *, quasi_identifiers: dplib.k_anonymity(
            table, quasi_identifiers=quasi_identifiers
        ),
        "the library's own version",
    ),
    (lambda table, *, quasi_identifiers: None, "returns nothing"),
]


# --- generalize -------------------------------------------------------------------------------


def _changed(table, columns, change):
    """Return a copy in which each column is change(name, values)."""
    result = table.copy()
    for name in columns:
        result[name] = change(name, result[name])
    return result


def _generalized(change):
    return lambda table, *, depths: _changed(
        table, depths, lambda name, values: change(values, depths[name])
    )


def _digits(value, depth):
    """Truncate by writing zeros over the last digits of the number as text."""
    if math.isnan(value):
        return value
    text = str(abs(int(value)))
    kept = text[: len(text) - depth] if depth else text
    return math.copysign(float((kept + "0" * depth) or "0"), value)


def generalize_in_place(table, *, depths):
    for name, depth in depths.items():
        table[name] = np.trunc(table[name] / 10**depth) * 10**depth
    return table


def generalize_first(table, *, depths):
    for name, depth in depths.items():
        table = table.copy()
        table[name] = np.trunc(table[name] / 10**depth) * 10**depth
        break
    return table


def _ranges(values, depth):
    low = (values // 10**depth * 10**depth).astype(str)
    return low + "-"


RIGHT_GENERALIZE = [
    _generalized(lambda values, depth: np.trunc(values / 10**depth) * 10**depth),
    _generalized(lambda values, depth: values - np.fmod(values, 10**depth)),
    _generalized(lambda values, depth: np.sign(values) * (abs(values) // 10**depth) * 10**depth),
    _generalized(lambda values, depth: values.map(lambda value: _digits(value, depth))),
    lambda table, *, depths: table.assign(
        **{name: table[name] - np.fmod(table[name], 10**depth) for name, depth in depths.items()}
    ),
]

WRONG_GENERALIZE = [
    (
        _generalized(lambda values, depth: (values / 10**depth).round() * 10**depth),
        "it is rounded, not truncated",
    ),
    (generalize_in_place, "it changes what it is given"),
    (
        lambda table, *, depths: generalize_first(table, depths=depths)[list(depths)],
        "columns are lost",
    ),
    (_generalized(_ranges), "the value is wrong at 6 of 6 inputs"),
    (
        lambda table, *, depths: dplib.generalize(table, depths=depths).dropna(),
        "the library's own version",
    ),
    (lambda table, *, depths: None, "returns nothing"),
    (lambda table, *, depths: table.to_dict(), "a table is wanted"),
]


# --- clip_outliers ----------------------------------------------------------------------------


def _clipped(change):
    return lambda table, *, bounds: _changed(
        table, bounds, lambda name, values: change(values, *bounds[name])
    )


def clip_by_assignment(table, *, bounds):
    table = table.copy()
    for name, (lower, upper) in bounds.items():
        table[name] = table[name].astype(float)
        table.loc[table[name] < lower, name] = lower
        table.loc[table[name] > upper, name] = upper
    return table


def clip_in_place(table, *, bounds):
    for name, (lower, upper) in bounds.items():
        table[name] = table[name].clip(lower, upper)
    return table


RIGHT_CLIP = [
    _clipped(lambda values, lower, upper: values.clip(lower, upper)),
    _clipped(lambda values, lower, upper: np.clip(values, lower, upper)),
    _clipped(lambda values, lower, upper: np.minimum(np.maximum(values, lower), upper)),
    _clipped(
        lambda values, lower, upper: [
            value if math.isnan(value) else min(max(value, lower), upper) for value in values
        ]
    ),
    clip_by_assignment,
]

WRONG_CLIP = [
    (
        _clipped(lambda values, lower, upper: np.minimum(values, upper)),
        "only the upper bound",
    ),
    (clip_in_place, "it changes what it is given"),
    (lambda table, *, bounds: clip_by_assignment(table, bounds=bounds)[list(bounds)], "lost"),
    (
        _clipped(lambda values, lower, upper: values.clip(*values.quantile([0.05, 0.95]))),
        "the value is wrong at 6 of 6 inputs",
    ),
    (
        lambda table, *, bounds: dplib.clip_outliers(table, bounds=bounds),
        "the library's own version",
    ),
    (lambda table, *, bounds: None, "returns nothing"),
]


# --- anonymize --------------------------------------------------------------------------------


def one_crowd(table, *, quasi_identifiers, k):
    """Everybody in one group: correct, and it loses nearly everything."""
    return table.assign(**{name: table[name].mean() for name in quasi_identifiers})


def tens_and_suppress(table, *, quasi_identifiers, k):
    tens = dplib.generalize(table, depths=dict.fromkeys(quasi_identifiers, 1))
    return dplib.suppress_small_groups(tens, quasi_identifiers=quasi_identifiers, k=k)


def sorted_runs(table, *, quasi_identifiers, k):
    result = table.sort_values(list(quasi_identifiers[::-1])).astype(
        dict.fromkeys(quasi_identifiers, float)
    )
    runs = np.minimum(np.arange(len(table)) // k, len(table) // k - 1)
    for name in quasi_identifiers:
        result[name] = result[name].groupby(runs).transform("median")
    return result


def halves(table, *, quasi_identifiers, k):
    """Cut at the median of the widest column, and cut the parts again."""
    result = table.astype(dict.fromkeys(quasi_identifiers, float))
    widths = np.ptp(result[quasi_identifiers].to_numpy(), axis=0)

    def cut(rows):
        part = result.loc[rows, quasi_identifiers]
        for place in np.argsort(-np.ptp(part.to_numpy(), axis=0) / widths):
            values = part.iloc[:, place]
            for left in (values <= values.median(), values < values.median()):
                if left.sum() >= k and (~left).sum() >= k:
                    cut(rows[left])
                    cut(rows[~left])
                    return
        result.loc[rows, quasi_identifiers] = part.mean().to_numpy()

    cut(result.index)
    return result


def only_missing(table, *, quasi_identifiers, k):
    """Show no number at all: k-anonymous, and worth nothing."""
    return table.assign(**dict.fromkeys(quasi_identifiers, np.nan))


def halves_in_place(table, *, quasi_identifiers, k):
    table[quasi_identifiers] = halves(table, quasi_identifiers=quasi_identifiers, k=k)[
        quasi_identifiers
    ]
    return table


def runs_without_labels(table, *, quasi_identifiers, k):
    runs = sorted_runs(table, quasi_identifiers=quasi_identifiers, k=k)
    return runs.set_axis(table.index)


def nobody(table, *, quasi_identifiers, k):
    return table[:0]


RIGHT_ANONYMIZE = [one_crowd, tens_and_suppress, sorted_runs, halves, only_missing, nobody]

WRONG_ANONYMIZE = [
    (lambda table, *, quasi_identifiers, k: table, "the table is not k-anonymous"),
    (
        lambda table, *, quasi_identifiers, k: dplib.generalize(
            table, depths=dict.fromkeys(quasi_identifiers, 1)
        ),
        "the table is not k-anonymous",
    ),
    (
        lambda table, *, quasi_identifiers, k: halves(
            table, quasi_identifiers=quasi_identifiers, k=k - 1
        ),
        "the table is not k-anonymous",
    ),
    (
        # Right for the table that is scored, and for no other k.
        lambda table, *, quasi_identifiers, k: tens_and_suppress(
            table, quasi_identifiers=quasi_identifiers, k=5
        ),
        "the table is not k-anonymous",
    ),
    (
        lambda table, *, quasi_identifiers, k: halves(
            table, quasi_identifiers=quasi_identifiers[:1], k=k
        ),
        "the table is not k-anonymous",
    ),
    (
        lambda table, *, quasi_identifiers, k: halves(
            table, quasi_identifiers=quasi_identifiers, k=k
        ).reset_index(drop=True),
        "a row has a label that the table does not have",
    ),
    (
        lambda table, *, quasi_identifiers, k: halves(
            table, quasi_identifiers=quasi_identifiers, k=k
        )[quasi_identifiers],
        "a column is lost",
    ),
    (runs_without_labels, "a column that is no quasi-identifier is changed"),
    (
        lambda table, *, quasi_identifiers, k: pd.concat(
            [halves(table, quasi_identifiers=quasi_identifiers, k=k)] * 2
        ),
        "a row is there twice",
    ),
    (
        lambda table, *, quasi_identifiers, k: (
            tens_and_suppress(table, quasi_identifiers=quasi_identifiers, k=k).astype(
                dict.fromkeys(quasi_identifiers, str)
            )
            + "-"
        ),
        "a column that is no quasi-identifier is changed",
    ),
    (
        lambda table, *, quasi_identifiers, k: table.assign(
            **dict.fromkeys(quasi_identifiers, "10 to 19")
        ),
        "a quasi-identifier holds no numbers",
    ),
    (
        lambda table, *, quasi_identifiers, k: table.assign(
            **dict.fromkeys(quasi_identifiers, math.inf)
        ),
        "a number is infinite",
    ),
    (halves_in_place, "it changes what it is given"),
    (
        lambda table, *, quasi_identifiers, k: dplib.anonymize(
            table, quasi_identifiers=quasi_identifiers, k=k
        ),
        "the library's own version",
    ),
    (lambda table, *, quasi_identifiers, k: None, "returns nothing"),
    (lambda table, *, quasi_identifiers, k: table.to_numpy(), "a table is wanted"),
]


# --- homogeneous_table ------------------------------------------------------------------------


def _table(rows):
    return pd.DataFrame(rows, columns=["Age", "Zip", "Diagnosis"])


RIGHT_HOMOGENEOUS = [
    lambda k: _table([(30, 13053, "flu")] * k + [(40, 13068, "cancer")] * k),
    lambda k: pd.DataFrame(
        {
            "Diagnosis": ["cancer"] * k + ["flu", "asthma"] * k,
            "Zip": [100] * k + [200] * 2 * k,
            "Age": np.repeat([10, 20, 20], k),
        }
    ),
    lambda k: _table([("30-39", "130**", 1)] * (k + 3) + [("40-49", "130**", 2)] * (k + 1)),
]

WRONG_HOMOGENEOUS = [
    (
        lambda k: _table([(30, 13053, "flu")] * (k - 1) + [(40, 13068, "cancer")] * k),
        "the table is not k-anonymous",
    ),
    (
        # Five in a group, whatever k is.
        lambda k: _table([(30, 13053, "flu")] * 5 + [(40, 13068, "cancer")] * 5),
        "the table is not k-anonymous",
    ),
    (
        lambda k: _table([(30 + row, 13053, "flu" if row else "cancer") for row in range(k)]),
        "the table is not k-anonymous",
    ),
    (
        lambda k: _table([(30, 13053, "flu")] * 2 * k),
        "everybody in the table has the same diagnosis",
    ),
    (
        lambda k: _table([(30, 13053, "flu")] * k + [(40, 13053, "flu")] * k),
        "everybody in the table has the same diagnosis",
    ),
    (
        lambda k: _table([(30, 1, "flu"), (30, 1, "cancer"), (40, 1, "flu"), (40, 1, "pox")] * k),
        "no group gives a diagnosis away",
    ),
    (
        lambda k: _table([(30, 1, "flu")] * k + [(30, 1, "cancer")] * k),
        "no group gives a diagnosis away",
    ),
    (
        lambda k: _table([(30, 1, "flu")] * k + [(40, 2, None)] * k),
        "a value is missing",
    ),
    (
        lambda k: pd.DataFrame({"Age": [30] * k, "Diagnosis": ["flu"] * k}),
        "a column is lost",
    ),
    (
        lambda k: _table([(30, 1, "flu")] * k + [(40, 2, "cancer")] * k).assign(Name="Ada"),
        "a column is there that nobody asked for",
    ),
    (lambda k: _table([]), "the table has no rows"),
    (lambda k: [(30, 13053, "flu")] * k, "a table is wanted"),
    (lambda k: None, "returns nothing"),
]


RIGHT = {
    "k_anonymity": RIGHT_K,
    "generalize": RIGHT_GENERALIZE,
    "clip_outliers": RIGHT_CLIP,
    "anonymize": RIGHT_ANONYMIZE,
    "homogeneous_table": RIGHT_HOMOGENEOUS,
}

WRONG = {
    "k_anonymity": WRONG_K,
    "generalize": WRONG_GENERALIZE,
    "clip_outliers": WRONG_CLIP,
    "anonymize": WRONG_ANONYMIZE,
    "homogeneous_table": WRONG_HOMOGENEOUS,
}
