"""Taking names away, and why that hides nobody."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.deidentification import _columns


def deidentify(table, *, identifiers: Sequence[str]) -> pd.DataFrame:
    """Return a copy of `table` without the columns that name a person.

    It guarantees nothing: what is left can identify a person as well (see `linkage_attack`).

    Args:
      table: DataFrame of shape (n, columns), one row a person.
      identifiers: names of the columns to take away, at least one.

    Returns:
      A new DataFrame: the same rows, the other columns in their order.

    Raises:
      ValueError: table is not a DataFrame, or identifiers names a column that it does not have.
    """
    columns = _columns.names("identifiers", identifiers, table)
    return table.drop(columns=columns)


def linkage_attack(known, released, *, on: Sequence[str]) -> pd.DataFrame:
    """Give every known person the released record that can only be theirs.

    A person is re-identified when exactly one released row agrees with what is known in all
    columns of `on`. A missing value agrees with nothing. The record is the person's own if the
    person is among the released rows and what is known is right.

    Args:
      known: DataFrame, one row a person: what the attacker knows, names included.
      released: DataFrame, one row a person: the de-identified release.
      on: names of the columns that both have.

    Returns:
      A DataFrame with a fresh index: a row for every re-identified person, in the order of `known`,
      with the columns of both. A name that both use outside `on` ends in _known and _released.

    Raises:
      ValueError: an argument is not a DataFrame, `on` names a column that one of them does not
        have, or a column holds text in one and numbers in the other.

    Source: Sweeney (2002), linking a released table to a public one.
    """
    columns = _columns.names("on", on, known, table_name="known")
    _columns.names("on", on, released, table_name="released")
    whole = released.dropna(subset=columns)
    alone = whole[~whole.duplicated(columns, keep=False)]
    people = known.dropna(subset=columns)
    return people.merge(alone, on=columns, suffixes=("_known", "_released"))


def unique_fraction(table, *, quasi_identifiers: Sequence[str]) -> float:
    """Return the share of rows that no other row equals in all of the quasi-identifiers.

    Args:
      table: DataFrame with at least one row, one row a person.
      quasi_identifiers: names of the columns that an attacker may know. A missing value is a value
        of its own.

    Returns:
      A share between 0 and 1, of the rows.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.

    Source: Sweeney (2000), uniqueness by date of birth, sex and Zip code.
    """
    sizes = _columns.group_sizes(table, quasi_identifiers)
    return float(np.mean(sizes == 1))


def differencing_attack(total: Callable[[np.ndarray], float], *, group, person) -> float:
    """Return one person's value from two totals: of a group, and of the group without the person.

    Args:
      total: function from an array of row labels, shape (m,), to the sum of their values: the only
        access to the data. It must accept the empty array when the group is the person alone.
      group: labels of the rows of the group, shape (m,), each once.
      person: one of them.

    Returns:
      The person's value, in the units of the total. It is exact if the totals are.

    Raises:
      ValueError: person is not in group or a label is twice in it, or total gives no finite number.

    Source: Denning, Denning & Schwartz (1979), on trackers: totals that differ by one person.
    """
    labels = pd.Index(list(group), tupleize_cols=False)
    if not labels.is_unique:
        raise ValueError(f"group must hold each label once, got {list(labels)!r}")
    if person not in labels:
        raise ValueError(f"person must be one of the labels in group, got {person!r}")
    others = labels.delete(labels.get_loc(person))
    with_person = _validate.number("total(group)", total(labels.to_numpy()))
    return with_person - _validate.number("total(others)", total(others.to_numpy()))
