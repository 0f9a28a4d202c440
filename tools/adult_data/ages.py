"""Draw the ages: their distribution is given, their relations to other columns are kept.

The course states the number of people of certain ages and the sum of the ages in certain groups
of Education. Nothing but the ages at hand can meet all of these, so the ages of the UCI file
cannot be used. What is kept is how much likelier one age is than another for a given kind of
person: the two-way tables of UCI with Age.
"""

import numpy as np

from dplib.data.domains import EDUCATION_NUM
from tools.adult_data.calibrate import BANDS, DRAWN_AGES
from tools.adult_data.raking import draw, indicator, normalize, round_table

#: Nobody with this education is younger; with any other, the youngest are 17, as in UCI.
YOUNGEST = {
    "Assoc-voc": 19,
    "Assoc-acdm": 19,
    "Bachelors": 21,
    "Masters": 23,
    "Prof-school": 25,
    "Doctorate": 26,
}

#: Stated sums of ages: 10th, 11th and 12th from their printed means, then Education-Num > 10.
STATED_SUMS = {"10th": 39_216, "11th": 49_417, "12th": 18_134, "above 10": 441_431}
GROUPS = (*STATED_SUMS, "other")


def group_of(education: np.ndarray) -> np.ndarray:
    """Return for each education label its place in GROUPS."""
    place = {
        level: GROUPS.index("above 10" if number > 10 else "other")
        for level, number in EDUCATION_NUM.items()
    } | {level: GROUPS.index(level) for level in ("10th", "11th", "12th")}
    return np.array([place[level] for level in education])


def age_weights(
    bands: np.ndarray, education: np.ndarray, counts: np.ndarray, sums: np.ndarray
) -> np.ndarray:
    """Spread the chance of each band of ages over single ages.

    Args:
      bands: shape (n, bands), each row's chance of each band of ages.
      education: each row's level, shape (n,).
      counts: how many people have each of DRAWN_AGES.
      sums: the wanted sum of ages of each of GROUPS, "other" left out.
    Returns:
      shape (n, ages): chances whose totals are `counts` and whose means by group give `sums`.
    """
    groups = group_of(education)
    of_band = np.searchsorted(BANDS["Age"], DRAWN_AGES, side="right") - 1
    youngest = np.array([YOUNGEST.get(level, DRAWN_AGES[0]) for level in education])
    weights = normalize(bands[:, of_band] * counts * (youngest[:, None] <= DRAWN_AGES))
    total = indicator(groups, len(GROUPS))
    centered = DRAWN_AGES - 42.0
    for _ in range(60):
        weights = normalize(weights * (counts / weights.sum(axis=0)))
        by_group = total @ weights
        size = by_group.sum(axis=1)
        mean = by_group @ centered / size
        spread = by_group @ centered**2 / size - mean**2
        tilt = (sums / size[:-1] - 42.0 - mean[:-1]) / spread[:-1]
        weights = normalize(weights * np.exp(np.append(tilt, 0.0)[:, None] * centered)[groups])
    return weights


def exact_counts(expected: np.ndarray, counts: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Round expected numbers by group and age so that counts by age and sums by group hold."""
    table = round_table(expected, np.rint(expected.sum(axis=1)).astype(np.int64), counts)
    for group, wanted in enumerate(sums):
        missing = int(wanted - table[group] @ DRAWN_AGES)
        step = 1 if missing > 0 else -1
        # One person of the group grows a year older and one of the others a year younger, or the
        # reverse; the ages 40 to 59 take turns, since every group has people there.
        for turn in range(abs(missing)):
            old = 40 - DRAWN_AGES[0] + turn % 20
            table[group, [old, old + step]] += [-1, 1]
            table[-1, [old, old + step]] += [1, -1]
    if (table < 0).any():
        raise RuntimeError("the stated sums of ages cannot be met from these weights")
    return table


def draw_ages(
    bands: np.ndarray,
    education: np.ndarray,
    counts: np.ndarray,
    sums: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw an age for every row; arguments as in `age_weights`. Counts and sums hold exactly."""
    weights = age_weights(bands, education, counts, sums)
    groups = group_of(education)
    table = exact_counts(indicator(groups, len(GROUPS)) @ weights, counts, sums)
    # The drawn ages settle the order inside a group; the exact counts then replace the ages.
    order = draw(weights, rng) + rng.random(len(weights))
    ages = np.empty(len(weights), dtype=np.int64)
    for group, row in enumerate(table):
        members = np.flatnonzero(groups == group)
        ages[members[np.argsort(order[members])]] = np.repeat(DRAWN_AGES, row)
    return ages
