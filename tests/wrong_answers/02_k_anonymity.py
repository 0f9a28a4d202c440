"""Answers to chapter 02."""

import math
from collections import Counter

import numpy as np
import pandas as pd

import dplib
from wrong_answers.changes import given, then

RIGHT, WRONG = {}, {}

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


RIGHT["k_anonymity"] = [
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


def k_of_whole_parts(table, *, quasi_identifiers):
    numbers = table[quasi_identifiers].select_dtypes("float")
    whole = table[quasi_identifiers].assign(**{name: np.floor(numbers[name]) for name in numbers})
    return whole.groupby(quasi_identifiers, dropna=False).size().min()


def k_by_dictionary(table, *, quasi_identifiers):
    """Count rows in a dictionary, to which one NaN is not another."""
    crowds = {}
    for row in zip(*(table[name].tolist() for name in quasi_identifiers), strict=True):
        crowds[row] = crowds.get(row, 0) + 1
    return min(crowds.values())


WRONG["k_anonymity"] = [
    (k_by_dictionary, "two missing values are taken for different ones"),
    (k_of_whole_parts, "numbers of one whole part"),
    # k is looked for among the first numbers only.
    *(
        (
            lambda table, *, quasi_identifiers, most=most: min(
                _sizes(table, quasi_identifiers).min(), most
            ),
            words,
        )
        for most, words in ((10, "k above 10"), (50, "k above 100"))
    ),
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


RIGHT["anonymize"] = [one_crowd, tens_and_suppress, sorted_runs, halves, only_missing, nobody]


def rows_k_times(table, *, quasi_identifiers, k):
    return table.loc[table.index.repeat(k)]


def rows_invented(table, *, quasi_identifiers, k):
    twins = [table.set_axis(table.index + (1 + turn) * 10**6) for turn in range(k - 1)]
    return pd.concat([table, *twins])


WRONG["anonymize"] = [
    (rows_k_times, "which step gives a row more than once?"),
    (rows_invented, "whose row is that?"),
    (given(halves, k=5), "which number decides in your code how small a group may be"),
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
    # Right for the table that is scored, and for no other k.
    (given(tens_and_suppress, k=5), "the table is not k-anonymous"),
    (
        lambda table, *, quasi_identifiers, k: halves(
            table, quasi_identifiers=quasi_identifiers[:1], k=k
        ),
        "the table is not k-anonymous",
    ),
    (
        then(halves, lambda released: released.reset_index(drop=True)),
        "a row has a label that the table does not have",
    ),
    (
        lambda table, *, quasi_identifiers, k: halves(
            table, quasi_identifiers=quasi_identifiers, k=k
        )[quasi_identifiers],
        "columns are lost",
    ),
    (runs_without_labels, "a column that is no quasi-identifier is changed"),
    (then(halves, lambda released: pd.concat([released] * 2)), "a row is there twice"),
    (
        lambda table, *, quasi_identifiers, k: (
            tens_and_suppress(table, quasi_identifiers=quasi_identifiers, k=k).astype(
                dict.fromkeys([*quasi_identifiers, "Capital Gain"], str)
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
    (lambda table, *, quasi_identifiers, k: table.to_numpy(), "a table is wanted"),
]


# --- skewed_table ------------------------------------------------------------------------------


def _table(rows):
    return pd.DataFrame(rows, columns=["Age", "Zip", "Diagnosis"])


def _skewed(k, kinds, before, after, *, plain=None, sick=None, other=None):
    """One group with cancer in it and others without; the options are slips."""
    others = [f"kind {number}" for number in range(kinds - 1)] if other is None else other
    ill = max(k, math.ceil(len(others) * after / (1 - after))) if sick is None else sick
    rows = [(30, 13053, "cancer")] * ill + [(30, 13053, each) for each in others]
    size = max(k, kinds)
    well = [(f"kind {number % kinds}") for number in range(size)]
    many = math.ceil(ill / before / size) + 1 if plain is None else plain
    for group in range(many):
        rows += [(100 + group, 13068, each) for each in well]
    return rows


def skewed_loop(k, *, kinds, before, after):
    return _fitted(_skewed(k, kinds, before, after), k, kinds)


def _fitted(rows, k, kinds):
    """Add a group of exactly k rows and `kinds` diagnoses, where the groups are larger."""
    if kinds <= k:
        return _table(rows + [(7, 1, f"kind {number % kinds}") for number in range(k)])
    return _table(rows)


def skewed_with_pandas(k, *, kinds, before, after):
    table = skewed_loop(k, kinds=kinds, before=before, after=after)
    return table.sample(frac=1, random_state=1).assign(Zip=table["Zip"].astype(str))


def skewed_generously(k, *, kinds, before, after):
    return skewed_loop(k, kinds=kinds, before=before / 1.5, after=1 - (1 - after) / 1.2)


def _one_off(**slips):
    def answer(k, *, kinds, before, after):
        return _fitted(_skewed(k, kinds, before, after, **slips), k, kinds)

    return answer


RIGHT["skewed_table"] = [skewed_loop, skewed_with_pandas, skewed_generously]

_TWENTY = [f"kind {number}" for number in range(20)]

WRONG["skewed_table"] = [
    # A list that somebody has written by hand comes to its end.
    (
        lambda k, *, kinds, before, after: skewed_loop(
            k, kinds=min(kinds, 1 + len(_TWENTY)), before=before, after=after
        ),
        "a group has too few different diagnoses",
    ),
    (_one_off(plain=1), "too many in the whole table have cancer"),
    (
        _one_off(sick=12, other=[f"kind {each}" for each in range(40)]),
        "rows of a",
    ),
    (_one_off(other=[]), "a group has too few different diagnoses"),
    (
        lambda k, *, kinds, before, after: skewed_loop(5, kinds=2, before=0.02, after=0.9),
        ("larger than k", "not k-anonymous", "much larger than it needs"),
    ),
    (
        lambda k, *, kinds, before, after: skewed_loop(40, kinds=kinds, before=0.02, after=0.9),
        "larger than k",
    ),
    (
        lambda k, *, kinds, before, after: skewed_loop(
            k, kinds=kinds + 1, before=before, after=after
        ),
        ("every group has more", "larger than k"),
    ),
    (
        lambda k, *, kinds, before, after: _table(
            [(30, 13053, "flu")] * k + [(40, 13068, "cancer")] * k
        ),
        "a group has too few different diagnoses",
    ),
    (
        then(skewed_loop, lambda table: table.rename(columns={"Diagnosis": "Illness"})),
        ("column", "missing"),
    ),
    (then(skewed_loop, lambda table: table.replace("kind 0", None)), "a value is missing"),
    (given(skewed_loop, before=0.02, after=0.9), "much larger than it needs"),
    (given(skewed_loop, before=0.02), "much larger than it needs"),
    (lambda k, *, kinds, before, after: _table([]), "no rows"),
]


# --- intersection_attack ----------------------------------------------------------------------


def _rows_that_fit(person, release):
    fits = np.ones(len(release), dtype=bool)
    for name in release.columns:
        if name.endswith(" from"):
            column = name[: -len(" from")]
            low, high = release[name].to_numpy(), release[column + " to"].to_numpy()
            fits &= (low <= person[column]) & (person[column] <= high)
    return fits


def intersection_in_a_loop(known, releases, *, secret):
    found = {}
    for label in known.index:
        left = None
        for release in releases:
            here = set(release.loc[_rows_that_fit(known.loc[label], release), secret])
            if here:
                left = here if left is None else left & here
        if left is not None and len(left) == 1:
            found[label] = left.pop()
    return found


def _with_ends_moved(end, step):
    def answer(known, releases, *, secret):
        moved = []
        for release in releases:
            ends = [name for name in release.columns if name.endswith(end)]
            moved.append(release.assign(**{name: release[name] + step for name in ends}))
        return intersection_in_a_loop(known, moved, secret=secret)

    return answer


def intersection_by_merge(known, releases, *, secret):
    """Count for each person and secret in how many releases it is possible."""
    votes, asked = Counter(), Counter()
    for release in releases:
        for label, person in known.iterrows():
            here = release[_rows_that_fit(person, release)][secret].unique()
            asked[label] += len(here) > 0
            votes.update((label, each) for each in here)
    certain = {}
    for (label, each), number in votes.items():
        if number == asked[label]:
            certain.setdefault(label, []).append(each)
    return pd.Series({label: each[0] for label, each in certain.items() if len(each) == 1})


def intersection_until_found(known, releases, *, secret):
    """Stop at the first release in which the person is."""
    found = {}
    for label in known.index:
        crowds = [each.loc[_rows_that_fit(known.loc[label], each), secret] for each in releases]
        first = next((set(crowd) for crowd in crowds if len(crowd)), set())
        if len(first) == 1:
            found[label] = first.pop()
    return found


def intersection_by_first_words(known, releases, *, secret):
    """Take what stands before the first blank for the name of a column."""
    releases = [
        each[[secret, *(name for name in each if name.split()[0] in known)]] for each in releases
    ]
    return intersection_in_a_loop(known, releases, secret=secret)


def intersection_that_peeks(known, releases, *, secret):
    """Take what `known` says, where it says it."""
    found = intersection_in_a_loop(known, releases, secret=secret)
    return {**found, **known.get(secret, pd.Series(dtype=object)).to_dict()}


def intersection_of_rows(known, releases, *, secret):
    """Keep the rows of the first crowd whose secret is in the others; one row must be left."""
    found = {}
    for label in known.index:
        left = None
        for release in releases:
            here = list(release.loc[_rows_that_fit(known.loc[label], release), secret])
            if here:
                left = here if left is None else [each for each in left if each in here]
        if left is not None and len(left) == 1:
            found[label] = left[0]
    return found


def intersection_of_first_ranges(known, releases, *, secret):
    """Read off the first release which columns have ranges; the others may lack them."""
    first = [name for name in (releases[0] if releases else ()) if name != secret]
    return intersection_in_a_loop(
        known,
        [each[[secret, *(name for name in first if name in each)]] for each in releases],
        secret=secret,
    )


RIGHT["intersection_attack"] = [
    intersection_in_a_loop,
    intersection_by_merge,
    then(intersection_in_a_loop, lambda found: pd.Series(found, dtype=object)),
]

WRONG["intersection_attack"] = [
    (_with_ends_moved(" to", -1), "the upper end of a range is left out"),
    (_with_ends_moved(" from", 1), "the lower end of a range is left out"),
    (intersection_that_peeks, "the secret's column is in `known` too"),
    (intersection_by_first_words, ("names of several words", "the secret's column is in")),
    (given(intersection_in_a_loop, secret="Job"), "names of several words"),
    (intersection_until_found, "only the first release that has the person"),
    (intersection_of_first_ranges, "only the columns of the first release are compared"),
    (intersection_of_rows, "rows are counted, not different secrets"),
    (
        lambda known, releases, *, secret: dict.fromkeys(known.index, "nurse"),
        "the value is wrong at",
    ),
    (
        then(intersection_in_a_loop, lambda found: dict(enumerate(found.values()))),
        "not among the known people",
    ),
    (
        lambda known, releases, *, secret: {label: {"nurse"} for label in known.index},
        "none of the secrets",
    ),
    (then(intersection_in_a_loop, len), "a dictionary is wanted"),
]
