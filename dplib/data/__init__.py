"""The course's data set and what is public about it."""

from dplib.data.domains import (
    COLUMNS,
    DOMAINS,
    EDUCATION_NUM,
    MISSING,
    REFERENCE_DATE,
    Bounds,
)
from dplib.data.features import Features, load_features
from dplib.data.loading import fill_missing, load_adult

__all__ = [
    "COLUMNS",
    "DOMAINS",
    "EDUCATION_NUM",
    "MISSING",
    "REFERENCE_DATE",
    "Bounds",
    "Features",
    "fill_missing",
    "load_adult",
    "load_features",
]
