"""The course's data set and what is public about it."""

from dplib.data.domains import (
    COLUMNS,
    DOMAINS,
    EDUCATION_NUM,
    MISSING,
    REFERENCE_DATE,
    Bounds,
)
from dplib.data.loading import fill_missing, load_adult

__all__ = [
    "COLUMNS",
    "DOMAINS",
    "EDUCATION_NUM",
    "MISSING",
    "REFERENCE_DATE",
    "Bounds",
    "fill_missing",
    "load_adult",
]
