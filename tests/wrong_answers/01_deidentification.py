"""Answers to chapter 01."""

from collections import Counter

import numpy as np
import pandas as pd

from wrong_answers.changes import then

RIGHT, WRONG = {}, {}

# --- linkage_attack ---------------------------------------------------------------------------


def linkage_in_a_loop(known, released, *, on):
    found = []
    for _, person in known.iterrows():
        rows = released
        for column in on:
            rows = rows[rows[column] == person[column]]
        if len(rows) == 1:
            found.append({**person, **rows.iloc[0]})
    return pd.DataFrame(found)


def linkage_by_counts(known, released, *, on):
    released = released.dropna(subset=on)
    alone = released.groupby(on).filter(lambda rows: len(rows) == 1)
    return pd.merge(known, alone, on=on, how="inner")


def linkage_by_dictionary(known, released, *, on):
    def key(row):
        return tuple(getattr(row[column], "item", lambda c=column: row[c])() for column in on)

    rows = [row for row in released.to_dict("records") if not pd.isna(list(key(row))).any()]
    counts = Counter(map(key, rows))
    alone = {key(row): row for row in rows if counts[key(row)] == 1}
    people = [person for person in known.to_dict("records") if key(person) in alone]
    return pd.DataFrame([person | alone[key(person)] for person in people])


def linkage_from_the_other_side(known, released, *, on):
    alone = released.dropna(subset=on).drop_duplicates(on, keep=False)
    return alone.merge(known, on=on)


def linkage_with_a_count(known, released, *, on):
    released = released.assign(crowd=released.groupby(on)["Visits"].transform("size"))
    return known.merge(released[released["crowd"] == 1], on=on)


def _alone(released, on, keep=False):
    return released.drop_duplicates(on, keep=keep)


RIGHT["linkage_attack"] = [
    lambda known, released, *, on: known.merge(_alone(released.dropna(subset=on), on), on=on),
    lambda known, released, *, on: known.dropna(subset=on).merge(_alone(released, on), on=on),
    linkage_in_a_loop,
    linkage_by_counts,
    linkage_by_dictionary,
    linkage_from_the_other_side,
]


def linkage_of_names(known, released, *, on):
    found = linkage_by_counts(known, released, on=on)
    return found.drop_duplicates(found.columns[[name in ("Name", "Person") for name in found]])


def linkage_of_rare_values(known, released, *, on):
    rows = released.dropna(subset=on)
    rare = [~rows[column].duplicated(keep=False) for column in on]
    alone = rows[np.all(rare, axis=0)]
    return known.merge(alone, on=on)


def linkage_by_text(known, released, *, on):
    """Keys as text: a column of whole numbers that misses one holds "5.0" where "5" is known."""
    tables = []
    for table in (known, released):
        there = table.dropna(subset=on)
        keys = ["/".join(map(str, row)) for row in zip(*(there[name] for name in on), strict=True)]
        tables.append(there.assign(key=keys))
    alone = tables[1].drop(columns=on).drop_duplicates("key", keep=False)
    return tables[0].merge(alone, on="key").drop(columns="key")


WRONG["linkage_attack"] = [
    (linkage_by_text, ("a value that only one table misses", "look alike when joined")),
    (linkage_of_names, "two people of one name"),
    (linkage_of_rare_values, "each with other ones"),
    (
        then(linkage_by_counts, lambda joined: joined[["Name"]]),
        "columns are lost",
    ),
    (
        lambda known, released, *, on: released[~released.duplicated(on, keep=False)],
        "columns are lost",
    ),
    (linkage_with_a_count, "a column is there that nobody asked for"),
    (
        lambda known, released, *, on: pd.concat([known, released], axis=1),
        "a column is there that nobody asked for",
    ),
    (
        then(linkage_by_counts, len),
        "a table is wanted",
    ),
]


# --- unique_fraction --------------------------------------------------------------------------


def _sizes(table, columns, dropna=False):
    return table.groupby(columns, dropna=dropna).size()


def unique_by_counter(table, *, quasi_identifiers):
    rows = [tuple(map(str, row)) for row in table[quasi_identifiers].to_numpy()]
    counts = Counter(rows)
    return sum(counts[row] == 1 for row in rows) / len(rows)


def unique_in_a_loop(table, *, quasi_identifiers):
    rows = table[quasi_identifiers].fillna(-1).to_numpy()
    alone = 0
    for row in rows:
        if (rows == row).all(axis=1).sum() == 1:
            alone += 1
    return alone / len(rows)


RIGHT["unique_fraction"] = [
    lambda table, *, quasi_identifiers: 1 - table.duplicated(quasi_identifiers, keep=False).mean(),
    lambda table, *, quasi_identifiers: (_sizes(table, quasi_identifiers) == 1).sum() / len(table),
    lambda table, *, quasi_identifiers: (
        len(table.drop_duplicates(quasi_identifiers, keep=False)) / table.shape[0]
    ),
    lambda table, *, quasi_identifiers: (
        np.sum(table.value_counts(quasi_identifiers, dropna=False).to_numpy() == 1) / len(table)
    ),
    unique_by_counter,
    unique_in_a_loop,
]


def unique_but_for(change):
    """Return an answer to which texts that this makes equal are equal."""

    def answer(table, *, quasi_identifiers):
        def made(value):
            return change(value) if isinstance(value, str) else value

        key = table[quasi_identifiers].map(made)
        return float((~key.duplicated(keep=False)).mean())

    return answer


def unique_of_the_first(table, *, quasi_identifiers):
    """Look at the first rows of a long table only."""
    return 1 - table.head(20_000).duplicated(quasi_identifiers, keep=False).mean()


def unique_by_dictionary(table, *, quasi_identifiers):
    rows = list(zip(*(table[name].tolist() for name in quasi_identifiers), strict=True))
    seen = {}
    for row in rows:
        seen[row] = seen.get(row, 0) + 1
    return list(seen.values()).count(1) / len(rows)


WRONG["unique_fraction"] = [
    (unique_of_the_first, "more than 30,000 rows"),
    (unique_by_dictionary, "two missing values are taken for different ones"),
    (unique_but_for(str.lower), "capital letters"),
    (unique_but_for(str.strip), "blanks"),
    (
        lambda table, *, quasi_identifiers: (
            1 / len(table) + (_sizes(table, quasi_identifiers) == 1).sum() / len(table)
        ),
        "the value is wrong at 8 of 8 inputs",
    ),
    (
        lambda table, *, quasi_identifiers: table.duplicated(quasi_identifiers, keep=False),
        "one number is wanted",
    ),
]


# --- differencing_attack ----------------------------------------------------------------------


def differencing_with_a_subset(total, *, group, person):
    # Nearly the whole group will do.
    others = [label for label in group if label != person][:-1]
    return total([*others, person]) - total(others)


def differencing_by_place(total, *, group, person):
    place = list(group).index(person)
    return total(group) - total(np.delete(group, place))


RIGHT["differencing_attack"] = [
    lambda total, *, group, person: total(group) - total(group[group != person]),
    lambda total, *, group, person: total(group) - total([g for g in group if g != person]),
    lambda total, *, group, person: float(total(set(group)) - total(set(group) - {person})),
    lambda total, *, group, person: total(pd.Index(group)) - total(pd.Index(group).drop(person)),
    differencing_by_place,
    differencing_with_a_subset,
]

WRONG["differencing_attack"] = [
    (lambda total, *, group, person: total([person]), "one person alone"),
    (lambda total, *, group, person: total(group[group == person]), "one person alone"),
    (
        lambda total, *, group, person: total([group[0], person]) - total([group[0]]),
        "too small",
    ),
    (lambda total, *, group, person: total(person), "not one label"),
    (
        lambda total, *, group, person: total(group) - total(group != person),
        "not truth values",
    ),
    (lambda total, *, group, person: total(range(len(group) + 1)), "not in the group"),
    (lambda total, *, group, person: total([*group, person]) - total(group), "a row twice"),
    (lambda total, *, group, person: 4000, "the query is never asked"),
]


# --- revealing_group --------------------------------------------------------------------------


def revealing_in_a_loop(published):
    for town in published["Town"].unique():
        rows = published[published["Town"] == town]
        hidden = rows[rows["Mean pay"].isna()]
        if len(hidden) == 1 and hidden["People"].iloc[0] == 1:
            totals = rows["People"] * rows["Mean pay"]
            whole = totals[rows["Job"] == "all"].sum()
            return town, hidden["Job"].iloc[0], whole - totals[rows["Job"] != "all"].sum()
    return None


def revealing_by_groups(published):
    signed = published["Mean pay"] * published["People"]
    signed = signed.where(published["Job"] == "all", -signed)
    left = signed.groupby(published["Town"]).sum()
    hidden = published[published["Mean pay"].isna()]
    hidden = hidden[~hidden["Town"].duplicated(keep=False) & (hidden["People"] == 1)]
    town, job = hidden.iloc[0][["Town", "Job"]]
    return town, job, round(left[town], 2)


def revealing_without_pandas(published):
    towns = {}
    for town, job, people, mean in published.to_numpy().tolist():
        towns.setdefault(town, {})[job] = (people, mean)
    for town, jobs in towns.items():
        hidden = [job for job, (_, mean) in jobs.items() if mean != mean]
        if len(hidden) == 1 and jobs[hidden[0]][0] == 1:
            totals = {job: people * mean for job, (people, mean) in jobs.items() if mean == mean}
            return [town, hidden[0], 2 * totals["all"] - sum(totals.values())]
    return None


def _first_hidden(published, people):
    hidden = published[published["Mean pay"].isna()]
    return hidden[hidden["People"] == people].iloc[0]


def revealing_one_of_two(published):
    hidden = published[published["Mean pay"].isna()]
    hidden = hidden[hidden["Town"].duplicated(keep=False) & (hidden["People"] == 1)].iloc[0]
    return hidden["Town"], hidden["Job"], 30_000


def _with_pay(pay):
    """Return an answer that finds the group, and then gives pay(rows of the town)."""

    def answer(published):
        town, job, right = revealing_in_a_loop(published)
        return town, job, pay(published[published["Town"] == town].set_index("Job"), right)

    return answer


def _means_of_groups(rows):
    return rows["Mean pay"].drop("all")


def _with_total(place):
    """Return an answer that takes a town's first or last row with a mean for its total."""

    def answer(published):
        town, job, _ = revealing_in_a_loop(published)
        rows = published[published["Town"] == town].dropna()
        totals = (rows["People"] * rows["Mean pay"]).to_numpy()
        return town, job, 2 * totals[place] - totals.sum()

    return answer


RIGHT["revealing_group"] = [
    revealing_in_a_loop,
    revealing_by_groups,
    revealing_without_pandas,
]

WRONG["revealing_group"] = [
    (lambda published: ("Alby", "king", 1000), "there is no such group"),
    (
        lambda published: (published["Town"][0], "all", published["Mean pay"].max()),
        "the whole town is not one person",
    ),
    (
        lambda published: (*_first_hidden(published, 3)[["Town", "Job"]], 30_000),
        "the group is more than one person",
    ),
    (
        lambda published: tuple(
            published[(published["Job"] != "all") & published["Mean pay"].notna()]
            .sort_values("People")
            .iloc[0][["Town", "Job", "Mean pay"]]
        ),
        "the mean of this group is published",
    ),
    (revealing_one_of_two, "another group of this town is hidden too"),
    (_with_pay(lambda rows, right: rows["Mean pay"]["all"]), "this is the mean of the town"),
    (
        _with_pay(lambda rows, right: rows["Mean pay"]["all"] * rows["People"]["all"]),
        "the pay of the whole town",
    ),
    (
        _with_pay(lambda rows, right: rows["Mean pay"]["all"] - _means_of_groups(rows).sum()),
        "means are subtracted, not totals",
    ),
    (
        _with_pay(
            lambda rows, right: (
                rows["Mean pay"]["all"] * (len(rows) - 1) - _means_of_groups(rows).sum()
            )
        ),
        "as if they were of one size",
    ),
    (_with_pay(lambda rows, right: -right), "the sign is wrong"),
    (_with_pay(lambda rows, right: right + 1), "the group is right, the pay is not"),
    (
        _with_pay(lambda rows, right: round(right) + 0.25),
        "the group is right, the pay is not exact",
    ),
    (_with_total(0), "another row is taken for the total of the town: the first"),
    (_with_total(-1), "another row is taken for the total of the town: the last"),
    (_with_pay(lambda rows, right: np.nan), "the pay is not a number"),
    (lambda published: revealing_in_a_loop(published)[:2], "three values are wanted"),
    (lambda published: revealing_in_a_loop(published)[2], "three values are wanted"),
    (lambda published: published["Salary"], "stops with KeyError"),
]


# --- reconstruct ------------------------------------------------------------------------------


def _least_squares(groups, counts):
    return np.linalg.lstsq(groups, counts, rcond=None)[0]


def reconstruct_by_normal_equations(groups, counts):
    groups = np.asarray(groups, dtype=float)
    return np.round(np.linalg.solve(groups.T @ groups, groups.T @ counts)).clip(0, 1)


def reconstruct_by_descent(groups, counts):
    guess = np.full(groups.shape[1], 0.5)
    step = 1 / np.linalg.norm(groups, 2) ** 2
    for _ in range(3000):
        guess = np.clip(guess - step * groups.T @ (groups @ guess - counts), 0, 1)
    return [int(each > 0.5) for each in guess]


RIGHT["reconstruct"] = [
    lambda groups, counts: (_least_squares(groups, counts) > 0.5).astype(int),
    reconstruct_by_normal_equations,
    reconstruct_by_descent,
    lambda groups, counts: pd.Series(_least_squares(groups, counts) >= 0.5),
]


def reconstruct_with_a_constant(groups, counts):
    """One unknown more, of which the wrong one is left out."""
    ones = np.ones((len(groups), 1))
    return (_least_squares(np.hstack([ones, groups]), counts)[:-1] > 0.5).astype(int)


WRONG["reconstruct"] = [
    (reconstruct_with_a_constant, "each answer is about the person beside"),
    (lambda groups, counts: np.zeros(groups.shape[1]), "everybody gets a 0"),
    (lambda groups, counts: np.ones(groups.shape[1]), "everybody gets a 1"),
    (
        lambda groups, counts: (_least_squares(groups, counts) < 0.5).astype(int),
        "has the secret and who has not are exchanged",
    ),
    (lambda groups, counts: _least_squares(groups, counts), "else than zeros and ones"),
    (lambda groups, counts: np.full(groups.shape[1], 1 - 7e-16), "one entry is 0.99999999999999"),
    (
        lambda groups, counts: np.round(_least_squares(groups[:60], counts[:60])).clip(0, 1),
        "too few of the people are right",
    ),
    (
        lambda groups, counts: (_least_squares(groups, counts) > 0).astype(int),
        ("too few of the people are right", "same answer"),
    ),
    (
        lambda groups, counts: np.random.default_rng().integers(0, 2, groups.shape[1]),
        "too few of the people are right",
    ),
    (
        lambda groups, counts: (_least_squares(groups.T, counts[: groups.shape[1]]) > 0.5) + 0,
        "one number for each person is wanted",
    ),
]
