"""What the text of the chapter says in numbers that no cell of it prints."""

import math

import numpy as np

import dplib
from dplib.data import DOMAINS, load_adult

ADULT = load_adult()
LEAD, SCALE = 2, 2 / 2  # the worked number of noisy_vote: three votes to one, epsilon 2

FACTS = [
    # The worked number of the leak: two draws of scale 1 are 0 or more, or 1 or more.
    (1 / (1 + math.exp(-1))) ** 2,
    (math.exp(-1) / (1 + math.exp(-1))) ** 2,
    math.exp(2),
    math.exp(1),
    (DOMAINS["Hours per week"][0] + DOMAINS["Hours per week"][1]) / 2,
    13_000, 50_000, 100_000, 32_562,  # as the text chooses them
    len(ADULT), len(ADULT) + 1, len(ADULT) - 32_000, math.ceil(len(ADULT) / 10),
    325, 651,  # 326 rows a chunk
    -(-len(ADULT) // 2),  # pieces of two rows
    0.1 * (len(ADULT) - 32_000),
    30 / 0.5 / len(ADULT),  # the scale of the centered mean's sum, over the count
    11 / 3,
    100 * (1 - (2 + LEAD / SCALE) / 4 * math.exp(-LEAD / SCALE)),
    300, 900, 120,
]  # fmt: skip


def oldest_of_chunks(chunks, *, width=125):
    """The bias and the noise of the mean of the chunks' oldest people, in years, at epsilon 1."""
    chunk = dplib.assign_chunks(ADULT["SSN"], chunks=chunks)
    answers = ADULT["Age"].groupby(chunk).max().reindex(range(chunks)).fillna(width / 2)
    return ADULT["Age"].max() - answers.mean(), math.sqrt(2) * width / chunks


# "The real error there is nearer to 8 years." "Off by years at every number of chunks."
if not 7 < math.hypot(*oldest_of_chunks(61)) < 8.5:
    raise ArithmeticError("the real error at 61 chunks is another")
if min(math.hypot(*oldest_of_chunks(2**k)) for k in range(13)) < 5:
    raise ArithmeticError("there is a good number of chunks for the maximum")
# "About 40 minutes more a week"; "two answers are below 0".
_slope = np.polyfit(ADULT["Education-Num"], ADULT["Hours per week"], 1)[0]
_chunk = dplib.assign_chunks(ADULT["SSN"], chunks=100)
_slopes = [
    np.polyfit(rows["Education-Num"], rows["Hours per week"], 1)[0]
    for _, rows in ADULT.groupby(_chunk)
]
if round(60 * _slope, -1) != 40 or sum(each < 0 for each in _slopes) != 2:
    raise ArithmeticError("the slopes are others")
# "About half as far off": the slope of five noisy sums, measured from the middles of the domains.
_rng = np.random.default_rng(8)
_x, _y = ADULT["Education-Num"] - 8, ADULT["Hours per week"] - 49.5
_sums = (len(ADULT), _x.sum(), _y.sum(), (_x * _y).sum(), (_x * _x).sum())
_most = (1, 8, 49.5, 8 * 49.5, 8 * 8)
_n, _sx, _sy, _sxy, _sxx = (
    each + _rng.laplace(scale=5 * most, size=20_000)
    for each, most in zip(_sums, _most, strict=True)
)
_by_sums = (_n * _sxy - _sx * _sy) / (_n * _sxx - _sx**2)
_by_chunks = np.clip(_slopes, 0, 2).mean() + _rng.laplace(scale=2 / 100, size=20_000)
if not 0.4 < abs(_by_sums - _slope).mean() / abs(_by_chunks - _slope).mean() < 0.6:
    raise ArithmeticError("the slope of five sums is off by another part")
