"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np

import dplib
from dplib.data import DOMAINS, load_adult

ADULT = load_adult()
OCCUPATIONS = ADULT["Occupation"].value_counts()


def whole_noise_above(count, epsilon):
    """How likely discrete Laplace noise is `count` or more away from 0."""
    q = math.exp(-epsilon)
    return 2 * q**count / (1 + q)


MISSING = int(ADULT["Occupation"].isna().sum())
SALES = int(OCCUPATIONS["Sales"])
KEPT = math.e / (math.e + 3)

FACTS = [
    len(ADULT), MISSING, 26_000, 50_000, 150, 1000,
    100 * (1 - whole_noise_above(1, 1)), 100 * whole_noise_above(3, 1),
    (200 - 120) / (2 / 2), KEPT,
    (DOMAINS["Age"].upper - DOMAINS["Age"].lower) * 3 / 3,
    17.14, 2.47, 1e-10, 2.56,  # published by the bureau
     14 * 0.1 / 6,
]  # fmt: skip

# "From which this epsilon follows": rho is rounded to two digits, and so is the sharper conversion.
if abs(dplib.ZeroConcentratedDP(2.56).to_rdp().to_approximate(delta=1e-10).epsilon - 17.14) > 0.05:
    raise ArithmeticError("rho = 2.56 gives another epsilon")
if round(100 * (SALES * len(ADULT) / (len(ADULT) - MISSING) / SALES - 1)) != 6:
    raise ArithmeticError("another share of too many people in sales")
if (OCCUPATIONS == 1).sum() != 1 or OCCUPATIONS.idxmin() != "Baby":
    raise ArithmeticError("somebody else is alone with an occupation")
if int((ADULT["Workclass"] == "Without-pay").sum()) != 14:
    raise ArithmeticError("not fourteen people work without pay")
if ADULT["Name"].iloc[0] != "Karrie Trusslove":
    raise ArithmeticError("the first row is not Karrie's")
# "PCA, then noise": eleven rows lose 5 epsilon with noise for a move of 2R.
_half = np.repeat(np.eye(2), 5, axis=0)
_moved = [
    np.abs(rows @ np.linalg.eigh(rows.T @ rows)[1][:, -1])
    for rows in (np.vstack([_half, last]) for last in np.eye(2))
]
if round(float(np.abs(_moved[0] - _moved[1])[:-1].sum()) / 2, 9) != 5:
    raise ArithmeticError("eleven rows lose something else")
if dplib.private_covariance(np.eye(2), radius=1, epsilon=1).shape != (2, 2):
    raise ArithmeticError("the noisy matrix has another shape")
