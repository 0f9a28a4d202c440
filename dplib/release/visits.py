"""A made-up table of visits to a county's twelve clinics, messy as real ones are."""

import numpy as np
import pandas as pd

from dplib import _validate

PLACES = (
    *("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"),
    *("Gum", "Hazel", "Ivy", "Juniper", "Koa", "Larch"),
)
#: Where a group of ages begins; the last number is above every age that counts.
AGES = (0, 18, 35, 50, 65, 80, 120)
#: Nobody has more rows; more than this was not paid; until this day the till wrote cents.
MOST_ROWS, DEAREST, CENTS_UNTIL = 300, 500.0, 120
DAYS = 365

_TYPED_TWICE, _MISSING_AMOUNTS, _NEGATIVE, _ABSURD = 0.01, 0.03, 0.004, 9_999_999.0


def make_visits(seed, *, people=4000):
    """Return a county's visits in a year, drawn from a seed: about 15 rows a person.

    Args:
      seed: a whole number of at least 0, or a list of them; each draws another county.
      people: how many have at least one visit, at least 10.

    Returns:
      DataFrame with the columns person, day (1 to 365), hour (0 to 23), place, amount, age and
      note, in random order. At most MOST_ROWS rows are one person's.

    Raises:
      ValueError: people is out of range.
    """
    people = _validate.whole("people", people, least=10)
    rng = np.random.default_rng(seed)
    who = _visitors(rng, people)
    day = rng.integers(1, DAYS + 1, len(who))
    serial = rng.permutation(np.arange(100_000, 100_000 + people))
    table = pd.DataFrame(
        {
            "person": serial[who],
            "day": day,
            "hour": _hours(rng, who, people),
            "place": _places(rng, who, people),
            "amount": _amounts(rng, day),
            "age": _ages(rng, who, people),
            "note": [f"file {each * 7919 % 10**6:06d}" for each in serial[who]],
        }
    )
    twice = rng.choice(len(table), int(_TYPED_TWICE * len(table)), replace=False)
    table = pd.concat([table, table.iloc[twice]])
    table = table[table.groupby("person").cumcount() < MOST_ROWS]
    return table.iloc[rng.permutation(len(table))].reset_index(drop=True)


def _visitors(rng: np.random.Generator, people: int) -> np.ndarray:
    """Return the person of each visit: most have a few, four have more than 220."""
    size = rng.lognormal(rng.uniform(1.6, 1.9), 1.3, people).round().clip(1, MOST_ROWS).astype(int)
    size[rng.choice(people, 4, replace=False)] = rng.integers(220, MOST_ROWS + 1, 4)
    return np.repeat(np.arange(people), size)


def _hours(rng: np.random.Generator, who: np.ndarray, people: int) -> np.ndarray:
    at_night = (rng.random(people) < rng.uniform(0.04, 0.2))[who]
    by_day = rng.normal(rng.uniform(10, 16), 3.5, len(who))
    hours = np.where(at_night, rng.normal(22, 3, len(who)), by_day)
    return hours.round().astype(int) % 24


def _places(rng: np.random.Generator, who: np.ndarray, people: int) -> np.ndarray:
    """Return the clinic of each visit, as somebody there has typed it in."""
    popular = rng.dirichlet(rng.permutation(np.linspace(6, 0.5, len(PLACES))))
    home = rng.choice(len(PLACES), people, p=popular)[who]
    elsewhere = rng.choice(len(PLACES), len(who), p=popular)
    place = np.where(rng.random(len(who)) < 0.8, home, elsewhere)
    names, blur = np.array(PLACES, dtype=object)[place], rng.random(len(who))
    habit = rng.permutation(np.repeat((0.05, 0.3, 0.8), 4))[place]  # each clinic has its own
    upper, blank = blur < habit, rng.random(len(who)) < habit / 2
    names[upper] = [each.upper() for each in names[upper]]
    names[blank] = [f"{each} " for each in names[blank]]
    names[(blur > 0.07) & (blur < 0.08)] = "Poplar"  # closed years ago
    names[(blur > 0.08) & (blur < 0.09)] = None
    return names


def _amounts(rng: np.random.Generator, day: np.ndarray) -> np.ndarray:
    amount = rng.lognormal(rng.uniform(3.0, 3.8), 0.8, len(day)).round(2)
    odd = rng.random(len(day))
    amount[odd < _MISSING_AMOUNTS] = np.nan
    amount[odd > 1 - _NEGATIVE] *= -1
    amount[rng.choice(len(day), 5, replace=False)] = _ABSURD
    amount[day <= CENTS_UNTIL] *= 100
    return amount


def _ages(rng: np.random.Generator, who: np.ndarray, people: int) -> np.ndarray:
    ages = rng.normal(rng.uniform(36, 56), 22, people).clip(0, 104).round()[who]
    ages[rng.random(len(who)) < 0.05] = np.nan
    ages[rng.random(len(who)) < 0.01] = 999
    return ages


def clean_visits(table):
    """Return what the data dictionary makes of the rows; it looks at each row alone.

    Args:
      table: as of `make_visits`.

    Returns:
      DataFrame, one row for each: person, day, place (one of PLACES, or missing), block (of three
      hours, 0 to 7), quarter (of 92 days, 0 to 3), week (0 to 52), paid (dollars; 0 for what cannot
      be), age (group in AGES, 0 to 5, or missing).
    """
    place = table["place"].astype("object").str.strip().str.title()
    paid = table["amount"] / np.where(table["day"] <= CENTS_UNTIL, 100, 1)
    age = table["age"].where(table["age"] < AGES[-1])
    return pd.DataFrame(
        {
            "person": table["person"],
            "day": table["day"],
            "place": place.where(place.isin(PLACES)),
            "block": table["hour"] // 3,
            "quarter": (table["day"] - 1) // 92,
            "week": (table["day"] - 1) // 7,
            "paid": paid.where(paid.between(0, DEAREST), 0.0),
            "age": pd.cut(age, AGES, right=False, labels=False),
        }
    )
