"""The columns that identify a person: Name, DOB, SSN and Zip. All of them are made up."""

import datetime
from importlib.metadata import version

import numpy as np
import pandas as pd

from dplib.data.domains import REFERENCE_DATE

#: The Zip codes of the printed rows; others share the first three digits with one of them.
PRINTED_ZIPS = (64152, 61523, 95668, 25503, 75387)
ZIPS_PER_REGION = 40

#: A Zip code's share of the people falls with its rank, to this power (see docs/data.md).
ZIP_POWER = 1.8

#: Names that drawn rows must not have: those of the given rows, and one that nobody has.
RESERVED_NAMES = frozenset(
    {
        "Karrie Trusslove",
        "Brandise Tripony",
        "Brenn McNeely",
        "Dorry Poter",
        "Dick Honnan",
        "Joseph Kinkade",
        "Violet Hunter",
        "Joe Near",
    }
)


def faker_version() -> str:
    """Return the version of faker that is installed; names depend on it."""
    return version("faker")


def names(sex: np.ndarray, *, seed: int) -> list[str]:
    """Return a first and a last name for every entry of `sex` ("Female" or "Male")."""
    from faker import Faker  # Needed only to make the file, so not at import.

    faker = Faker("en_US", use_weighting=False)
    faker.seed_instance(seed)
    first = {"Female": faker.first_name_female, "Male": faker.first_name_male}
    result = []
    for one in sex:
        name = f"{first[one]()} {faker.last_name()}"
        while name in RESERVED_NAMES:
            name = f"{first[one]()} {faker.last_name()}"
        result.append(name)
    return result


def dates_of_birth(ages: np.ndarray, rng: np.random.Generator) -> list[str]:
    """Return for every age a day of birth, each day of the year as likely, as month/day/year."""
    result = []
    for age, share in zip(ages.tolist(), rng.random(len(ages)).tolist(), strict=True):
        last = REFERENCE_DATE.replace(year=REFERENCE_DATE.year - age)
        first = last.replace(year=last.year - 1) + datetime.timedelta(days=1)
        day = first + datetime.timedelta(days=int(share * ((last - first).days + 1)))
        result.append(f"{day.month}/{day.day}/{day.year}")
    return result


def social_security_numbers(size: int, rng: np.random.Generator) -> list[str]:
    """Return `size` different numbers that nobody has.

    No Social Security number starts with 9. Tax numbers do, with a middle part of 50 or more, so
    the middle part here is 01 to 49.
    """
    chosen = rng.choice(100 * 49 * 9999, size=size, replace=False).tolist()
    return [f"9{n // (49 * 9999):02d}-{n // 9999 % 49 + 1:02d}-{n % 9999 + 1:04d}" for n in chosen]


def zip_codes(size: int, rng: np.random.Generator) -> np.ndarray:
    """Return `size` Zip codes: a few large ones and many small ones, as in life.

    The large ones are all in the region of the first printed row, so that a Zip code cut to
    fewer digits says less.
    """
    regions = [printed // 100 * 100 + np.arange(100) for printed in PRINTED_ZIPS]
    others = [rng.permutation(np.setdiff1d(region, PRINTED_ZIPS)) for region in regions]
    pool = [
        np.append(zips[: ZIPS_PER_REGION - 1], p)
        for zips, p in zip(others, PRINTED_ZIPS, strict=True)
    ]
    share = 1 / np.arange(1, ZIPS_PER_REGION * len(pool) + 1) ** ZIP_POWER
    return rng.choice(np.concatenate(pool), size=size, p=share / share.sum())


def identify(rows: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return `rows` with Name, DOB, SSN and Zip added."""
    rng = np.random.default_rng([seed, 1])
    return rows.assign(
        Name=names(rows["Sex"].to_numpy(), seed=seed),
        DOB=dates_of_birth(rows["Age"].to_numpy(), rng),
        SSN=social_security_numbers(len(rows), rng),
        Zip=zip_codes(len(rows), rng),
    )
