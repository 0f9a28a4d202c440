"""What is public about the data: columns, categories, bounds and the date the ages refer to.

All of it is fixed in advance. Nothing here is read off the data, so using it costs no privacy.
"""

import datetime
from types import MappingProxyType
from typing import NamedTuple


class Bounds(NamedTuple):
    """The public range of a numeric column, both ends included: `lower, upper = Bounds(0, 125)`."""

    lower: int
    upper: int


COLUMNS = (
    "Name",
    "DOB",
    "SSN",
    "Zip",
    "Workclass",
    "Education",
    "Education-Num",
    "Marital Status",
    "Occupation",
    "Relationship",
    "Race",
    "Sex",
    "Hours per week",
    "Country",
    "Target",
    "Age",
    "Capital Gain",
    "Capital Loss",
)

#: `Age` is the age in full years on this day, for every row.
REFERENCE_DATE = datetime.date(2023, 12, 31)

#: The category that `fill_missing` writes where a value is missing.
MISSING = "Missing"

#: Years of schooling as a number, one for each level. Lowest level first.
EDUCATION_NUM = MappingProxyType(
    {
        "Kinder": 0,
        "Preschool": 1,
        "1st-4th": 2,
        "5th-6th": 3,
        "7th-8th": 4,
        "9th": 5,
        "10th": 6,
        "11th": 7,
        "12th": 8,
        "HS-grad": 9,
        "Some-college": 10,
        "Assoc-voc": 11,
        "Assoc-acdm": 12,
        "Bachelors": 13,
        "Masters": 14,
        "Prof-school": 15,
        "Doctorate": 16,
    }
)

_WORKCLASS = (
    "Private",
    "Self-emp-not-inc",
    "Self-emp-inc",
    "Federal-gov",
    "Local-gov",
    "State-gov",
    "Without-pay",
    "Never-worked",
    MISSING,
)

_MARITAL_STATUS = (
    "Divorced",
    "Married-AF-spouse",
    "Married-civ-spouse",
    "Married-spouse-absent",
    "Never-married",
    "Separated",
    "Widowed",
)

_OCCUPATION = (
    "Adm-clerical",
    "Armed-Forces",
    "Baby",
    "Craft-repair",
    "Exec-managerial",
    "Farming-fishing",
    "Handlers-cleaners",
    "Machine-op-inspct",
    "Other-service",
    "Priv-house-serv",
    "Prof-specialty",
    "Protective-serv",
    "Sales",
    "Tech-support",
    "Transport-moving",
    MISSING,
)

_RELATIONSHIP = (
    "Husband",
    "Not-in-family",
    "Other-relative",
    "Own-child",
    "Unmarried",
    "Wife",
)

_RACE = ("Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White")

_COUNTRY = (
    "Cambodia",
    "Canada",
    "China",
    "Columbia",
    "Cuba",
    "Dominican-Republic",
    "Ecuador",
    "El-Salvador",
    "England",
    "France",
    "Germany",
    "Greece",
    "Guatemala",
    "Haiti",
    "Holand-Netherlands",
    "Honduras",
    "Hong",
    "Hungary",
    "India",
    "Iran",
    "Ireland",
    "Italy",
    "Jamaica",
    "Japan",
    "Laos",
    "Mexico",
    "Nicaragua",
    "Outlying-US(Guam-USVI-etc)",
    "Peru",
    "Philippines",
    "Poland",
    "Portugal",
    "Puerto-Rico",
    "Scotland",
    "South",
    "Taiwan",
    "Thailand",
    "Trinadad&Tobago",
    "United-States",
    "Vietnam",
    "Yugoslavia",
    MISSING,
)

#: Column name -> its public domain: a tuple of categories, or `Bounds` for a numeric column.
#: Read-only. Education goes from the lowest level to the highest; every other list of categories
#: is in the order written above, "Missing" last where a value can be missing.
DOMAINS = MappingProxyType(
    {
        "Workclass": _WORKCLASS,
        "Education": tuple(EDUCATION_NUM),
        "Education-Num": Bounds(0, 16),
        "Marital Status": _MARITAL_STATUS,
        "Occupation": _OCCUPATION,
        "Relationship": _RELATIONSHIP,
        "Race": _RACE,
        "Sex": ("Female", "Male"),
        "Hours per week": Bounds(0, 99),
        "Country": _COUNTRY,
        "Target": ("<=50K", ">50K"),
        "Age": Bounds(0, 125),
        "Capital Gain": Bounds(0, 99_999),
        "Capital Loss": Bounds(0, 9_999),
    }
)
