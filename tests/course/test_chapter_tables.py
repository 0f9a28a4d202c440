"""The tables that stand in a chapter's text, against values found in another way."""

import math
import re

import numpy as np
import pytest
from places import ROOT
from scipy.optimize import brentq
from scipy.stats import norm

SIGMA, DELTA = 30.0, 1e-5
ROW = re.compile(r"^\| (\d+) \|(.+)\|$", re.M)


def gaussian_delta(sigma: float, epsilon: float) -> float:
    # Balle & Wang (2018), theorem 8, written out once more.
    half, shift = 1 / (2 * sigma), epsilon * sigma
    return norm.cdf(half - shift) - math.exp(epsilon) * norm.cdf(-half - shift)


def gaussian_epsilon(sigma: float, delta: float) -> float:
    return brentq(lambda epsilon: gaussian_delta(sigma, epsilon) - delta, 1e-9, 50, xtol=1e-12)


def accounts(count: int) -> list[float]:
    """Sequential, advanced, zCDP, RDP and exact, by the formulas of the chapter."""
    log, rho = math.log(1 / DELTA), count / (2 * SIGMA**2)
    each = gaussian_epsilon(SIGMA, DELTA / (2 * count))
    advanced = each * math.sqrt(2 * count * math.log(2 / DELTA)) + count * each * math.expm1(each)
    rdp = min(
        rho * a + math.log1p(-1 / a) + (log - math.log(a)) / (a - 1)  # Canonne and others (2020)
        for a in 1 + math.sqrt(log / rho) * np.geomspace(0.2, 5, 1000)  # the best one lies between
    )
    return [
        count * gaussian_epsilon(SIGMA, DELTA / count),
        advanced,
        rho + 2 * math.sqrt(rho * log),
        rdp,
        gaussian_epsilon(SIGMA / math.sqrt(count), DELTA),
    ]


def test_the_five_accounts_of_chapter_9():
    text = (ROOT / "course" / "09_variants" / "09_variants.md").read_text("utf-8")
    rows = ROW.findall(text)
    assert [int(count) for count, _ in rows] == [10, 100, 1000]
    for count, cells in rows:
        right = accounts(int(count))
        for cell, epsilon in zip(cells.split("|"), right, strict=True):
            value, *factor = (float(each) for each in re.findall(r"[\d.]+", cell))
            # Two decimals stand in the table.
            assert value == pytest.approx(epsilon, abs=0.005001), cell
            if factor:
                assert factor == [pytest.approx(epsilon / right[-1], abs=0.005001)], cell


def test_from_37_releases_on_adding_up_is_the_worst():
    worst = [accounts(count)[0] > accounts(count)[1] for count in range(30, 60)]
    assert worst.index(True) == 37 - 30 and all(worst[7:])
