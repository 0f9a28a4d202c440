"""Shuffled reports: the exact delta against a sum over all reports, and against known bounds."""

import itertools
import math

import numpy as np
import pytest

from dplib.shuffling import shuffled_delta, shuffled_epsilon


def by_hand(others, local_epsilon, epsilon):
    """Add up over every list of reports, sorted: that is what a shuffler shows."""
    truth = 1 / (1 + math.exp(-local_epsilon))
    shown = {False: {}, True: {}}
    for own, law in shown.items():
        for reports in itertools.product((False, True), repeat=len(others) + 1):
            pairs = zip(reports, (*others, own), strict=True)
            chance = math.prod(truth if told == meant else 1 - truth for told, meant in pairs)
            key = tuple(sorted(reports))
            law[key] = law.get(key, 0) + chance
    ratio = math.exp(epsilon)
    return max(
        sum(max(one[key] - ratio * other[key], 0) for key in one)
        for one, other in itertools.permutations(shown.values())
    )


@pytest.mark.parametrize("others", [(), (0,), (1, 1), (0, 1, 0), (0, 0, 0, 0), (1, 0, 1, 1, 0, 1)])
@pytest.mark.parametrize(("local_epsilon", "epsilon"), [(1.0, 0.2), (2.5, 0.0), (0.4, 0.39)])
def test_delta_is_the_sum_over_all_reports(others, local_epsilon, epsilon):
    law = {"local_epsilon": local_epsilon, "epsilon": epsilon}
    yes = sum(others)
    assert shuffled_delta(yes, len(others) - yes, **law) == pytest.approx(
        by_hand(others, **law), abs=1e-13
    )


@pytest.mark.parametrize("local_epsilon", [0.3, 1.0, 3.0])
def test_others_who_are_all_alike_hide_least_at_a_small_delta(local_epsilon):
    law = {"local_epsilon": local_epsilon, "delta": 1e-6}
    found = [shuffled_epsilon(yes, 999 - yes, **law) for yes in (0, 1, 20, 300, 500, 999)]
    assert max(found) == pytest.approx(found[0], rel=1e-6) == pytest.approx(found[-1], rel=1e-6)


def test_one_report_has_its_own_epsilon_and_many_have_less():
    assert shuffled_epsilon(0, 0, local_epsilon=1.0, delta=1e-9) == pytest.approx(1.0, abs=1e-8)
    found = [shuffled_epsilon(0, n, local_epsilon=1.0, delta=1e-6) for n in (0, 99, 9999)]
    assert found == sorted(found, reverse=True)
    # It keeps its delta, and a smaller epsilon does not.
    law = {"local_epsilon": 1.0}
    assert shuffled_delta(0, 9999, epsilon=found[-1], **law) <= 1e-6 * (1 + 1e-6)
    assert shuffled_delta(0, 9999, epsilon=0.999 * found[-1], **law) > 1e-6


def test_the_amplification_is_below_the_published_bound():
    # Feldman, McMillan & Talwar (2021), theorem 3.1, holds for every local mechanism.
    for people, local in ((1000, 0.5), (10_000, 1.0), (10_000, 2.0)):
        delta, ratio = 1e-6, math.exp(local)
        root = 8 * math.sqrt(ratio * math.log(4 / delta) / people)
        bound = math.log1p((ratio - 1) / (ratio + 1) * (root + 8 * ratio / people))
        assert shuffled_epsilon(0, people - 1, local_epsilon=local, delta=delta) < bound


def test_without_mixing_an_attacker_sees_more():
    """A wrong form: the law of one report alone, whatever the others send."""
    truth = 1 / (1 + math.exp(-1.0))
    alone = truth - math.exp(0.5) * (1 - truth)
    assert shuffled_delta(0, 999, local_epsilon=1.0, epsilon=0.5) < alone / 1e6


def test_wrong_arguments_are_named():
    law = {"local_epsilon": 1.0, "epsilon": 0.5}
    for given, name in (
        ({"others_yes": -1, "others_no": 3, **law}, "others_yes"),
        ({"others_yes": 1, "others_no": 0.5, **law}, "others_no"),
        ({"others_yes": 1, "others_no": 1, **law, "epsilon": -1}, "epsilon"),
        ({"others_yes": 1, "others_no": 1, **law, "local_epsilon": 31}, "epsilon"),
    ):
        with pytest.raises(ValueError, match=name):
            shuffled_delta(**given)
    with pytest.raises(ValueError, match="others_no"):
        shuffled_epsilon(0, -1, local_epsilon=1.0, delta=1e-6)
    with pytest.raises(ValueError, match="delta"):
        shuffled_epsilon(0, 5, local_epsilon=1.0, delta=0)


def test_a_hundred_thousand_reports_keep_their_law():
    one = shuffled_epsilon(0, 100_000, local_epsilon=4.0, delta=1e-6)
    assert 0 < one < 0.2 and np.isfinite(one)
