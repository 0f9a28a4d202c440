"""Make the course's data set. Run as `python -m tools.adult_data.generate`.

It reads calibration.json and nothing else, and is seeded: the same versions of numpy and faker
give the same file, byte for byte. docs/data.md explains the steps.
"""

import gzip
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd

from dplib.data.domains import COLUMNS, DOMAINS, EDUCATION_NUM, MISSING
from dplib.data.loading import FILE
from tools.adult_data.ages import STATED_SUMS, draw_ages, group_of
from tools.adult_data.arrange import GIVEN_ROWS, occupation_order
from tools.adult_data.calibrate import CALIBRATION, DRAWN_AGES, ORDER, VALUES, categories, codes
from tools.adult_data.people import faker_version, identify
from tools.adult_data.raking import draw, rake, settle

SEED = 20231231
SWEEPS = 25
MADE_WITH = Path(__file__).with_name("made_with.json")

# The rows that are given: 0 to 4 are printed in the course's source (what it leaves out of rows
# 2 to 4 is ours), 49 and 50 are the two outliers.
_GIVEN = """\
Karrie Trusslove,9/7/1967,732-14-6110,64152,State-gov,Bachelors,13,Never-married,Adm-clerical,\
Not-in-family,White,Male,40,United-States,<=50K,56,2174,0
Brandise Tripony,6/7/1988,150-19-2766,61523,Self-emp-not-inc,Bachelors,13,Married-civ-spouse,\
Exec-managerial,Husband,White,Male,13,United-States,<=50K,35,0,0
Brenn McNeely,8/6/1991,725-59-9860,95668,Private,HS-grad,9,Never-married,Handlers-cleaners,\
Own-child,White,Male,40,United-States,<=50K,32,0,0
Dorry Poter,4/6/2009,659-57-4974,25503,Private,11th,7,Never-married,Handlers-cleaners,\
Own-child,White,Female,40,United-States,<=50K,14,0,0
Dick Honnan,9/16/1951,220-93-3811,75387,Private,Bachelors,13,Married-civ-spouse,Prof-specialty,\
Husband,White,Male,40,Cuba,<=50K,72,0,0
Joseph Kinkade,3/22/1930,912-31-4708,61523,Self-emp-not-inc,Assoc-voc,11,Married-civ-spouse,\
Craft-repair,Husband,White,Male,35,United-States,<=50K,93,0,0
Violet Hunter,5/14/2022,947-18-2093,95668,Never-worked,Kinder,0,Never-married,Baby,\
Own-child,White,Female,0,United-States,<=50K,1,0,0
"""


def given_rows() -> pd.DataFrame:
    """Return rows 0 to 4, 49 and 50."""
    return pd.read_csv(io.StringIO(_GIVEN), names=list(COLUMNS))


class Calibration:
    """The tables of calibration.json, less the five given rows that stand for rows of UCI."""

    def __init__(self) -> None:
        content = json.loads(CALIBRATION.read_text(encoding="utf-8"))
        self._tables = {tuple(k.split("|")): np.array(v) for k, v in content["tables"].items()}
        self._values = content["values"]
        self._given = given_rows().iloc[:5]
        self.ages = np.array([content["ages"][str(age)] for age in DRAWN_AGES])

    def tables_of(self, column: str) -> dict[tuple[str, ...], np.ndarray]:
        """Return the tables of `column` with columns drawn before it, `column` as last axis."""
        before = ORDER[: ORDER.index(column)]
        result = {}
        for columns, table in self._tables.items():
            others = tuple(c for c in columns if c != column)
            if column in columns and set(others) <= set(before):
                left = self._without_given(columns, table)
                result[others] = np.moveaxis(left, columns.index(column), -1)
        return result

    def table(self, *columns: str) -> np.ndarray:
        """Return one table, its axes in the order in which it is stored."""
        return self._without_given(columns, self._tables[columns])

    def values_of(self, column: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the values of a banded column and their counts by the column in VALUES."""
        values, counts = (np.array(self._values[column][k]) for k in ("values", "counts"))
        by = codes(VALUES[column], self._given[VALUES[column]])
        np.subtract.at(counts, (np.searchsorted(values, self._given[column]), by), 1)
        return values, counts

    def _without_given(self, columns: tuple[str, ...], table: np.ndarray) -> np.ndarray:
        left = table.copy()
        if "Age" not in columns:  # Age is not UCI's, so there is nothing to take away.
            np.subtract.at(left, tuple(codes(c, self._given[c]) for c in columns), 1)
        return left.clip(min=0)


def draw_root(calibration: Calibration) -> dict[str, np.ndarray]:
    """Return Relationship, Marital Status and Sex, as often together as in their table."""
    columns = ORDER[:3]
    table = calibration.table(*columns)
    places = np.repeat(np.arange(table.size), table.ravel())
    return dict(zip(columns, np.unravel_index(places, table.shape), strict=True))


def weights_of(column: str, drawn: dict[str, np.ndarray], calibration: Calibration) -> np.ndarray:
    """Return each row's chance of each category of `column`, given the columns drawn so far."""
    groups, tables = [], []
    for others, table in calibration.tables_of(column).items():
        shape = table.shape[:-1]
        groups.append(np.ravel_multi_index([drawn[c] for c in others], shape))
        tables.append(table.reshape(-1, table.shape[-1]))
    # Rows of one group in every table have the same chances: each kind of row is raked once.
    kinds, kind_of, times = np.unique(
        np.stack(groups), axis=1, return_inverse=True, return_counts=True
    )
    start = np.ones((len(times), len(categories(column))))
    return rake(start, times, kinds, tables, SWEEPS)[kind_of.ravel()]


def draw_codes(calibration: Calibration, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw every column but Age, as places in `categories`."""
    drawn = draw_root(calibration)
    for column in ORDER[3:-1]:
        weights = weights_of(column, drawn, calibration)
        by = VALUES.get(column, "Sex")
        exact = calibration.tables_of(column)[(by,)]
        drawn[column] = settle(draw(weights, rng), weights, drawn[by], exact, rng)
    return drawn


def draw_values(
    column: str, drawn: dict[str, np.ndarray], calibration: Calibration, rng: np.random.Generator
) -> np.ndarray:
    """Draw single values inside the bands of `column`; each appears as often as it should."""
    values, counts = calibration.values_of(column)
    band_of_value = codes(column, pd.Series(values))
    by = drawn[VALUES[column]]
    result = np.empty(len(by), dtype=np.int64)
    for band in range(len(categories(column))):
        for kind in range(counts.shape[1]):
            here = band_of_value == band
            members = np.flatnonzero((drawn[column] == band) & (by == kind))
            result[members] = rng.permutation(np.repeat(values[here], counts[here, kind]))
    return result


def draw_rows(calibration: Calibration, rng: np.random.Generator) -> pd.DataFrame:
    """Draw the rows that are not given, in random order, without names and numbers."""
    drawn = draw_codes(calibration, rng)
    rows = pd.DataFrame(
        {c: np.array(DOMAINS[c], dtype=object)[drawn[c]] for c in drawn if c not in VALUES}
    )
    for column in VALUES:
        rows[column] = draw_values(column, drawn, calibration, rng)
    rows["Education-Num"] = rows["Education"].map(dict(EDUCATION_NUM)).astype(np.int64)
    given, sums = given_rows(), np.array(list(STATED_SUMS.values()))
    sums = sums - np.bincount(group_of(given["Education"]), given["Age"], len(sums) + 1)[:-1]
    bands = weights_of("Age", drawn, calibration)
    rows["Age"] = draw_ages(bands, rows["Education"].to_numpy(), calibration.ages, sums, rng)
    return rows.iloc[rng.permutation(len(rows))].reset_index(drop=True)


def place_given(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the given rows at their places among the others."""
    given = given_rows().set_axis(list(GIVEN_ROWS))
    free = np.setdiff1d(np.arange(len(rows) + len(given)), GIVEN_ROWS)
    return pd.concat([given, rows.set_axis(free)]).sort_index()[list(COLUMNS)]


def generate(*, seed: int = SEED) -> pd.DataFrame:
    """Return the data set: 32,563 rows, columns as in COLUMNS, missing values as None."""
    rng = np.random.default_rng([seed, 0])
    rows = place_given(identify(draw_rows(Calibration(), rng), seed=seed))
    rows = rows.iloc[occupation_order(rows["Occupation"])].reset_index(drop=True)
    return rows.replace({MISSING: None})


def to_bytes(rows: pd.DataFrame) -> bytes:
    """Return the file's bytes: compressed CSV without a time stamp."""
    text = rows.to_csv(index=False, lineterminator="\n")
    return gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)


def main() -> None:
    """Write the library's adult.csv.gz, and made_with.json, which says what it was made with."""
    FILE.write_bytes(to_bytes(generate()))
    made_with = {"seed": SEED, "faker": faker_version(), "numpy": np.__version__}
    MADE_WITH.write_text(json.dumps(made_with) + "\n", encoding="utf-8")
    print(f"wrote {FILE}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
