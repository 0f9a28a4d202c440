"""Read the course's data set, or a file of the same form."""

import functools
import os
from pathlib import Path

import pandas as pd

from dplib.data.domains import COLUMNS, DOMAINS, MISSING

FILE = Path(__file__).with_name("adult.csv.gz")


def load_adult(path: str | os.PathLike[str] | None = None) -> pd.DataFrame:
    """Return the course's data set: 32,563 rows, one for each invented person, and 18 columns.

    No row is a person. The rows are drawn from tables of counts of the UCI Adult file; names,
    dates of birth, numbers and Zip codes are made up (docs/data.md says how). The data are in the
    public domain (CC0). Their counts and sums are those that the course's sources print.

    Args:
      path: a CSV file of the same form, compressed or not, to read instead; None reads the data
        that comes with dplib. Columns beyond the 18 are left out.
    Returns:
      A new DataFrame at every call, columns as in `dplib.data.COLUMNS`. Text columns have pandas'
      default text type and NaN where a value is missing (Workclass, Occupation, Country); the
      other columns are int64. DOB is text, month/day/year. Age is the age in full years on
      `dplib.data.REFERENCE_DATE`, for the data that comes with dplib.
    Raises:
      FileNotFoundError: there is no file at `path`.
      ValueError: the file lacks columns; the message names them.
    """
    # To read the file takes fifteen times as long as to copy what was read.
    return _packaged().copy() if path is None else _read(Path(path))


@functools.cache
def _packaged() -> pd.DataFrame:
    return _read(FILE)


def _read(file: Path) -> pd.DataFrame:
    if not file.is_file():
        raise FileNotFoundError(f"path must be a CSV file, there is none at {str(file)!r}")
    data = pd.read_csv(file)
    lacking = [column for column in COLUMNS if column not in data.columns]
    if lacking:
        raise ValueError(f"path must have the columns of the course's data; it lacks {lacking}")
    return data[list(COLUMNS)]


def fill_missing(data: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of `data` in which a missing category is the category "Missing".

    Counting by category leaves out missing values, so the counts no longer sum to the number of
    rows. "Missing" is in the domain of each column that can lack a value, so that every row is in
    exactly one category.

    Args:
      data: a DataFrame with some of the columns of `load_adult()`.
    Returns:
      The same rows and columns; NaN is replaced in Workclass, Occupation and Country.
    """
    optional = [c for c, d in DOMAINS.items() if MISSING in d and c in data.columns]
    return data.assign(**{c: data[c].fillna(MISSING) for c in optional})
