"""Crowds that are published with their ranges, and laid over each other."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.deidentification import _columns
from dplib.deidentification.partition import anonymize

_FROM, _TO = " from", " to"


def publish_crowds(table, *, quasi_identifiers: Sequence[str], secret: str, k: int) -> pd.DataFrame:
    """Return a k-anonymous release: for each row the ranges of its crowd, and the secret.

    Args:
      table: DataFrame with at least k rows, one row a person.
      quasi_identifiers: names of the columns that an attacker may know, finite numbers.
      secret: name of the column that is published as it is.
      k: smallest crowd, a whole number of at least 1.

    Returns:
      A DataFrame with a fresh index, in an order that says nothing: for each quasi-identifier NAME
      the columns "NAME from" and "NAME to", and the secret. The crowds are those of `anonymize`.

    Raises:
      ValueError: as `anonymize`, or the table does not have the secret.
    """
    columns = _columns.names("quasi_identifiers", quasi_identifiers, table)
    _columns.names("secret", [secret], table)
    shown = anonymize(table, quasi_identifiers=columns, k=k)[columns]
    crowd = pd.MultiIndex.from_frame(shown).factorize()[0]
    ranges = {}
    for column in columns:
        by_crowd = table[column].groupby(crowd)
        ranges[column + _FROM] = by_crowd.transform("min")
        ranges[column + _TO] = by_crowd.transform("max")
    released = pd.DataFrame({**ranges, secret: table[secret]})
    return released.sort_values(list(released.columns), ignore_index=True)


def intersection_attack(known, releases: Sequence[pd.DataFrame], *, secret: str) -> pd.Series:
    """Return the secret of every person of whom all releases together leave only one possible.

    A release leaves possible the secrets of the rows whose ranges hold what is known of the person.
    A release in which no row fits says nothing.

    Args:
      known: DataFrame, one row a person: the exact quasi-identifiers, numbers.
      releases: one or more tables as `publish_crowds` makes them.
      secret: name of the column that all releases have.

    Returns:
      A Series of secrets, indexed by the labels of those rows of `known` that have one secret left.
      It is each person's own if the person is in every release in which a row fits.

    Raises:
      ValueError: a release lacks the secret, or has a range of a column that is not known.

    Source: Ganta, Kasiviswanathan & Smith (2008), algorithm 1.
    """
    possible = [None] * len(known)
    for release in releases:
        _columns.names("secret", [secret], release, table_name="releases")
        secrets = release[secret].to_numpy(object)
        for place, fits in enumerate(_fitting(known, release)):
            if fits.any():
                here = set(secrets[fits])
                before = possible[place]
                possible[place] = here if before is None else before & here
    found = {
        label: next(iter(left))
        for label, left in zip(known.index, possible, strict=True)
        if left is not None and len(left) == 1
    }
    return pd.Series(found, name=secret, dtype=object)


def _fitting(known: pd.DataFrame, release: pd.DataFrame):
    """Yield for each known person which rows of the release fit."""
    columns = [name.removesuffix(_FROM) for name in release.columns if name.endswith(_FROM)]
    _columns.names("known", columns, known, table_name="known")
    exact = _validate.finite_array("known", _columns.matrix(known, columns))
    lowest, highest = (
        _columns.matrix(release, [column + end for column in columns]) for end in (_FROM, _TO)
    )
    for person in exact:
        yield np.all((lowest <= person) & (person <= highest), axis=1)
