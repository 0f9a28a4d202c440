"""Count the UCI file into calibration.json, from which tools.adult_data.generate draws.

Run as `python -m tools.adult_data.calibrate adult.data`. It is needed once, by who changes the
calibration: the generator reads only calibration.json. No table counts more than three columns
at a time, so the file holds nobody's record.
"""

import argparse
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import Bounds as Box
from scipy.optimize import LinearConstraint, milp

from dplib.data.domains import DOMAINS, MISSING

CALIBRATION = Path(__file__).with_name("calibration.json")

UCI_COLUMNS = (
    "Age",
    "Workclass",
    "Weight",
    "Education",
    "Education-Num",
    "Marital Status",
    "Occupation",
    "Relationship",
    "Race",
    "Sex",
    "Capital Gain",
    "Capital Loss",
    "Hours per week",
    "Country",
    "Target",
)

#: The lowest value of each band of a numeric column; two-way tables count bands, not values.
BANDS = {
    "Hours per week": (0, 10, 20, 30, 35, 40, 41, 46, 51, 61),
    "Capital Gain": (0, 1, 3000, 5000, 10_000, 99_999),
    "Capital Loss": (0, 1, 1800, 2000),
    "Age": (0, 18, 19, 20, 21, 23, 25, 27, 30, 33, 37, 41, 46, 51, 56, 61, 66, 71, 76),
}

#: The columns, in the order in which the generator draws them.
ORDER = (
    "Relationship",
    "Marital Status",
    "Sex",
    "Education",
    "Target",
    "Occupation",
    "Workclass",
    "Race",
    "Country",
    "Hours per week",
    "Capital Gain",
    "Capital Loss",
    "Age",
)

#: Tables of three columns, where two at a time say too little.
TRIPLES = (
    ("Relationship", "Marital Status", "Sex"),
    ("Relationship", "Education", "Target"),
    ("Sex", "Education", "Occupation"),
    ("Target", "Occupation", "Workclass"),
)

#: Single values inside the bands: the column that decides which values of a band are usual.
VALUES = {"Hours per week": "Sex", "Capital Gain": "Target", "Capital Loss": "Target"}

#: Ages of the seven rows that are given (rows 0 to 4, 49 and 50), not drawn.
GIVEN_AGES = (56, 35, 32, 14, 72, 93, 1)
DRAWN_AGES = np.arange(17, 91)


def categories(column: str) -> tuple:
    """Return the labels by which tables count `column`: its categories or its bands."""
    return BANDS[column] if column in BANDS else DOMAINS[column]


def codes(column: str, values: pd.Series) -> np.ndarray:
    """Return for each value its place in `categories(column)`."""
    if column in BANDS:
        return np.searchsorted(BANDS[column], values.to_numpy(), side="right") - 1
    found = pd.Categorical(values.fillna(MISSING), categories=DOMAINS[column]).codes
    if (found < 0).any():
        raise ValueError(f"{column} has values outside its domain: {set(values[found < 0])}")
    return found.astype(np.int64)


def read_uci(path: Path) -> pd.DataFrame:
    """Read the UCI file; its one female husband and two male wives change places."""
    data = pd.read_csv(path, names=UCI_COLUMNS, skipinitialspace=True, na_values="?")
    male = data["Sex"] == "Male"
    spouse = data["Relationship"].isin(["Husband", "Wife"])
    data.loc[spouse, "Relationship"] = np.where(male[spouse], "Husband", "Wife")
    return data


def count(columns: tuple[str, ...], data: pd.DataFrame) -> list:
    """Count the rows of `data` by `columns`, as nested lists."""
    table = np.zeros([len(categories(c)) for c in columns], dtype=int)
    np.add.at(table, tuple(codes(c, data[c]) for c in columns), 1)
    return table.tolist()


def value_counts(column: str, by: str, data: pd.DataFrame) -> dict:
    """Count the single values of a numeric column by the category of another."""
    table = pd.crosstab(data[column], data[by]).reindex(columns=list(DOMAINS[by]), fill_value=0)
    return {"values": table.index.tolist(), "counts": table.to_numpy().tolist()}


def correlation_ratio(data: pd.DataFrame, numeric: str, by: str) -> float:
    """Return eta: the share of the spread of `numeric` that `by` accounts for, square-rooted."""
    values = data[numeric].astype(float)
    means = values.groupby(data[by].fillna(MISSING)).transform("mean")
    return float(np.sqrt(means.var(ddof=0) / values.var(ddof=0)))


def reference_figures(data: pd.DataFrame) -> dict:
    """Return the figures about numeric columns with which tests compare the made data."""
    numeric = ["Age", "Education-Num", "Hours per week", "Capital Gain", "Capital Loss"]
    by = [c for c in ORDER if c not in BANDS]
    ranks = data[numeric].rank().corr()
    return {
        "rank_correlation": {
            f"{a}|{b}": round(float(ranks.loc[a, b]), 4) for a, b in combinations(numeric, 2)
        },
        "correlation_ratio": {
            f"{n}|{c}": round(correlation_ratio(data, n, c), 4) for n in numeric for c in by
        },
    }


def _age_features(ages: np.ndarray) -> np.ndarray:
    """Return the six quantities of each age whose totals the course states."""
    return np.array(
        [
            np.ones_like(ages),
            ages,
            np.minimum(ages, 30),
            ages >= 40,
            (ages >= 21) & (ages < 33),
            (ages >= 20) & (ages < 65),
        ],
        dtype=float,
    )


def age_counts() -> dict[str, int]:
    """Return how many people have each age from 16 to 90.

    The totals that the course states leave a choice. The counts are the smoothest that meet all
    of them: least sum of squared second differences, falling to 0 after 90, then rounded.
    """
    totals = np.array([32_563, 1_360_238, 879_648, 17_450, 6_245, 23_574], dtype=float)
    totals -= _age_features(np.array(GIVEN_AGES)).sum(axis=1)
    features, size = _age_features(DRAWN_AGES), len(DRAWN_AGES)
    bend = np.diff(np.vstack([np.eye(size), np.zeros((2, size))]), n=2, axis=0)
    system = np.block([[bend.T @ bend, features.T], [features, np.zeros((6, 6))]])
    smooth = np.linalg.solve(system, np.concatenate([np.zeros(size), totals]))[:size]
    return dict(zip(DRAWN_AGES.astype(str).tolist(), _round(smooth, features, totals), strict=True))


def _round(smooth: np.ndarray, features: np.ndarray, totals: np.ndarray) -> list[int]:
    """Round to whole counts that keep every total, moving each as little as possible."""
    size = len(smooth)
    keep = LinearConstraint(np.hstack([features, np.zeros_like(features)]), totals, totals)
    eye = np.eye(size)
    above = LinearConstraint(np.hstack([eye, -eye]), -np.inf, smooth)
    below = LinearConstraint(np.hstack([eye, eye]), smooth, np.inf)
    solution = milp(
        np.concatenate([np.zeros(size), np.ones(size)]),
        integrality=np.concatenate([np.ones(size), np.zeros(size)]),
        bounds=Box(0, np.inf),
        constraints=[keep, above, below],
    )
    return np.rint(solution.x[:size]).astype(int).tolist()


def calibrate(path: Path) -> dict:
    """Return everything that calibration.json holds, from the UCI file at `path`."""
    data = read_uci(path)
    # The course's figures force how Age goes with Education, so that table would be of no use.
    pairs = [pair for pair in combinations(ORDER, 2) if pair != ("Education", "Age")]
    return {
        "source": "counts of the UCI Adult file adult.data (Becker & Kohavi 1996, CC BY 4.0)",
        "tables": {"|".join(c): count(c, data) for c in [*pairs, *TRIPLES]},
        "values": {c: value_counts(c, by, data) for c, by in VALUES.items()},
        "ages": age_counts(),
        "reference": reference_figures(data),
    }


def main() -> None:
    """Write calibration.json beside this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uci_file", type=Path)
    result = calibrate(parser.parse_args().uci_file)
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}"
        for key, value in result.items()
    ]
    CALIBRATION.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
