"""The loss by which chapter 02's table is scored, against the library's, and its scale."""

import numpy as np
import pytest
from wrong_answers import ZOO

import dplib
from autograder import check
from autograder.check.claims.k_anonymity.anonymize import (
    ALL,
    NOTHING,
    QUASI_IDENTIFIERS,
    loss_of,
    share_of,
)
from dplib.data import DOMAINS, load_adult

COLUMNS = list(QUASI_IDENTIFIERS)
PUBLIC = {column: DOMAINS[column] for column in COLUMNS}
WIDTHS = np.array([upper - lower for lower, upper in PUBLIC.values()])


@pytest.mark.parametrize("number", range(len(ZOO.right["anonymize"])))
def test_the_loss_is_the_one_of_the_library(number):
    table = load_adult().sample(200, random_state=number)
    released = ZOO.right["anonymize"][number](table, quasi_identifiers=COLUMNS, k=5)
    # A number missing here and there, and shown outside of what it stands for.
    released.iloc[:3, released.columns.get_loc("Age")] = np.nan
    released.iloc[3:6, released.columns.get_loc("Age")] = -7
    exact, shown = (each.loc[released.index, COLUMNS].to_numpy(float) for each in (table, released))
    loss = dplib.information_loss(table, released, quasi_identifiers=COLUMNS, bounds=PUBLIC)
    assert loss_of(exact, shown, WIDTHS, len(table)) == pytest.approx(loss, abs=1e-12)
    assert loss_of(exact, shown, WIDTHS, len(table) + 50) > loss or loss == 1


def test_each_halving_of_the_loss_earns_a_third():
    losses = [1, NOTHING, NOTHING / 2, NOTHING / 4, ALL, 0]
    assert [share_of(loss) for loss in losses] == pytest.approx([0, 0, 1 / 3, 2 / 3, 1, 1])


@pytest.mark.long
def test_a_better_table_earns_more():
    # Fresh rows at each run: the shares below differ by ten standard deviations and more.
    names = ("nobody", "one_crowd", "tens_and_suppress", "sorted_runs", "halves")
    answers = {answer.__name__: answer for answer in ZOO.right["anonymize"]}
    shares = [check.anonymize(answers[name]).share for name in names]
    assert shares == sorted(shares)
    assert shares[:2] == [0, 0] and 0.1 < shares[2] < 0.4 and 0.9 < shares[4] <= 1
